#pragma once

#include <curl/curl.h>

// curl_easy_setopt takes any type behind an option's number, which Swift cannot call: one function
// an option, with the type that it takes.

static inline CURLcode ccurl_set_url(CURL *handle, const char *url) {
  return curl_easy_setopt(handle, CURLOPT_URL, url);
}
static inline CURLcode ccurl_set_agent(CURL *handle, const char *agent) {
  return curl_easy_setopt(handle, CURLOPT_USERAGENT, agent);
}
static inline CURLcode ccurl_set_headers(CURL *handle, struct curl_slist *lines) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, lines);
}

// Allows requests and redirections to HTTPS, and to HTTP unless the first address is secure.
static inline CURLcode ccurl_allow_schemes(CURL *handle, int is_secure) {
  const char *schemes = is_secure ? "https" : "http,https";
  CURLcode first = curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, schemes);
  CURLcode second = curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, schemes);
  if (first == CURLE_UNKNOWN_OPTION) {  // libcurl before 7.85, as in Ubuntu 22.04
    long bits = is_secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS;
    first = curl_easy_setopt(handle, CURLOPT_PROTOCOLS, bits);
    second = curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, bits);
  }
  return first != CURLE_OK ? first : second;
}
static inline CURLcode ccurl_follow_redirects(CURL *handle, long most) {
  CURLcode first = curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
  CURLcode second = curl_easy_setopt(handle, CURLOPT_MAXREDIRS, most);
  return first != CURLE_OK ? first : second;
}

// A token goes only to the host that was asked, never to one that a redirect names.
static inline CURLcode ccurl_set_bearer(CURL *handle, const char *token) {
  CURLcode first = curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
  CURLcode second = curl_easy_setopt(handle, CURLOPT_XOAUTH2_BEARER, token);
  return first != CURLE_OK ? first : second;
}

// The empty text stands for every encoding that this build of the library can undo.
static inline CURLcode ccurl_accept_encodings(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
}
static inline CURLcode ccurl_set_timeout(CURL *handle, long milliseconds) {
  return curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, milliseconds);
}
// Signals are the program's own; without this the library uses SIGALRM for names.
static inline CURLcode ccurl_leave_signals(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
}

// Where the body and each line of the headers go; a function that returns less than it was given
// ends the transfer.
typedef size_t (*ccurl_sink)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode ccurl_on_body(CURL *handle, ccurl_sink sink, void *context) {
  CURLcode first = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, sink);
  CURLcode second = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  return first != CURLE_OK ? first : second;
}
static inline CURLcode ccurl_on_header(CURL *handle, ccurl_sink sink, void *context) {
  CURLcode first = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, sink);
  CURLcode second = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
  return first != CURLE_OK ? first : second;
}

// Where the library says in words what failed: CURL_ERROR_SIZE bytes.
static inline CURLcode ccurl_set_error_text(CURL *handle, char *text) {
  return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, text);
}
static inline CURLcode ccurl_get_status(CURL *handle, long *status) {
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

static inline int ccurl_error_size(void) { return CURL_ERROR_SIZE; }
static inline CURLcode ccurl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
