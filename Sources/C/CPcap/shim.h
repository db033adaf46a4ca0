#pragma once

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdio_ext.h>

#include <bits/types/cookie_io_functions_t.h>  // needs the types of the others

// What Swift cannot import of libpcap, or only in a form that is easy to use wrongly.

// glibc's, which its header shows only to programs that ask for all of GNU before the first
// include.
extern FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);

// A stream whose bytes a function gives: their number, 0 at the end, -1 for an error. It owns the
// cookie from when it is made to when `close` is called. Only one thread may read it: it has no
// lock.
static inline FILE *cpcap_stream(void *cookie, cookie_read_function_t *read,
                                 cookie_close_function_t *close) {
  cookie_io_functions_t functions = {.read = read, .close = close};
  FILE *stream = fopencookie(cookie, "r", functions);
  if (stream) __fsetlocking(stream, FSETLOCKING_BYCALLER);
  return stream;
}

// A reader of a stream, with times in nanoseconds so that none is rounded. It owns the stream, but
// for NULL, which leaves the stream to the caller and a sentence in `message` (PCAP_ERRBUF_SIZE
// bytes).
static inline pcap_t *cpcap_open(FILE *file, char *message) {
  return pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, message);
}

// The next packet: its bytes belong to the reader and are gone with the next call.
struct cpcap_packet {
  int64_t seconds;
  int64_t nanoseconds;
  const uint8_t *bytes;
  size_t count;
  size_t length;  // of the packet before it was recorded
};

// 1 = a packet; 0 = the end of the file; -1 = an error, which pcap_geterr tells.
static inline int cpcap_next(pcap_t *reader, struct cpcap_packet *packet) {
  struct pcap_pkthdr *header;
  const u_char *bytes;
  int status = pcap_next_ex(reader, &header, &bytes);
  if (status == PCAP_ERROR_BREAK) return 0;
  if (status != 1) return -1;
  packet->seconds = header->ts.tv_sec;
  packet->nanoseconds = header->ts.tv_usec;  // the field's name lies: see cpcap_open
  packet->bytes = bytes;
  packet->count = header->caplen;
  packet->length = header->len;
  return 1;
}
