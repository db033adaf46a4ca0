#pragma once

#include <nats/nats.h>

// Settings that the library initialises by functions of pointers to incomplete values in Swift.

// A pull request of a number of messages and bytes, which the server forgets after some milliseconds.
static inline natsStatus cnats_fetch(
    natsMsgList *list, natsSubscription *subscription, int messages, int64_t bytes,
    int64_t milliseconds) {
  jsFetchRequest request;
  natsStatus status = jsFetchRequest_Init(&request);
  if (status != NATS_OK) return status;
  request.Batch = messages;
  request.MaxBytes = bytes;
  request.Expires = milliseconds * 1000000;
  return natsSubscription_FetchRequest(list, subscription, &request);
}

// Adds a consumer of which one acknowledgement covers all earlier messages.
//
// A filter of NULL takes every subject. A sequence of 0 begins at a time, a time of 0 with the
// messages to come if only new ones are wanted, else with the first.
static inline natsStatus cnats_add_consumer(
    jsCtx *context, const char *stream, const char *name, const char *filter, uint64_t sequence,
    int64_t time, int only_new, int64_t most_unacknowledged, int64_t inactive_nanoseconds,
    jsErrCode *code) {
  jsConsumerConfig config;
  natsStatus status = jsConsumerConfig_Init(&config);
  if (status != NATS_OK) return status;
  config.Durable = name;
  config.FilterSubject = filter;
  config.AckPolicy = js_AckAll;
  config.MaxAckPending = most_unacknowledged;
  config.InactiveThreshold = inactive_nanoseconds;
  config.DeliverPolicy = sequence > 0 ? js_DeliverByStartSequence
                         : time > 0   ? js_DeliverByStartTime
                         : only_new   ? js_DeliverNew
                                      : js_DeliverAll;
  config.OptStartSeq = sequence;
  config.OptStartTime = time;
  jsConsumerInfo *info = NULL;
  status = js_AddConsumer(&info, context, stream, &config, NULL, code);
  jsConsumerInfo_Destroy(info);
  return status;
}

// Binds a pull subscription to a consumer that exists.
static inline natsStatus cnats_bind(
    natsSubscription **subscription, jsCtx *context, const char *stream, const char *name,
    jsErrCode *code) {
  jsSubOptions options;
  natsStatus status = jsSubOptions_Init(&options);
  if (status != NATS_OK) return status;
  options.Stream = stream;
  options.Consumer = name;
  return js_PullSubscribe(subscription, context, NULL, name, NULL, &options, code);
}

// Creates a bucket that keeps the latest value of each key.
static inline natsStatus cnats_create_bucket(
    kvStore **store, jsCtx *context, const char *name, const char *description) {
  kvConfig config;
  natsStatus status = kvConfig_Init(&config);
  if (status != NATS_OK) return status;
  config.Bucket = name;
  config.Description = description;
  return js_CreateKeyValue(store, context, &config);
}
