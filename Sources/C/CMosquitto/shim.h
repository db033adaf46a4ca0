#pragma once

#include <mosquitto.h>
#if LIBMOSQUITTO_VERSION_NUMBER < 2001000
#include <mqtt_protocol.h>  // a part of the other since 2.1
#endif

// What Swift would import as numbers of several types, as the plain integers that the functions
// return and take.

static inline int cmosquitto_success(void) { return MOSQ_ERR_SUCCESS; }
static inline int cmosquitto_lookup_failed(void) { return MOSQ_ERR_EAI; }
static inline int cmosquitto_system_error(void) { return MOSQ_ERR_ERRNO; }
static inline int cmosquitto_tls_failed(void) { return MOSQ_ERR_TLS; }
static inline int cmosquitto_keep_alive_exceeded(void) { return MOSQ_ERR_KEEPALIVE; }
static inline int cmosquitto_is_error_line(int level) {
  return level == MOSQ_LOG_ERR || level == MOSQ_LOG_WARNING;
}

// The connection's settings, which the library takes as an option's number and a value.
static inline int cmosquitto_speak_v5(struct mosquitto *client) {
  return mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
}
static inline int cmosquitto_speak_v311(struct mosquitto *client) {
  return mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V311);
}
static inline int cmosquitto_trust_system(struct mosquitto *client) {
  return mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
}

// The properties of MQTT 5 that a capture sends.
static inline int cmosquitto_add_session_expiry(mosquitto_property **list, uint32_t seconds) {
  return mosquitto_property_add_int32(list, MQTT_PROP_SESSION_EXPIRY_INTERVAL, seconds);
}
static inline int cmosquitto_add_packet_limit(mosquitto_property **list, uint32_t bytes) {
  return mosquitto_property_add_int32(list, MQTT_PROP_MAXIMUM_PACKET_SIZE, bytes);
}

// Retained messages are old sightings of an unknown time: MQTT 5 can leave them out.
static inline int cmosquitto_no_retained(void) { return MQTT_SUB_OPT_SEND_RETAIN_NEVER; }
