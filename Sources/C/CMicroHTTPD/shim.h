#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

// A server on a socket that listens already, whose owner calls `MHD_run`: Swift has no access to a
// function with a variable number of arguments.
static inline struct MHD_Daemon *cmicrohttpd_start(
    int socket, unsigned connections, size_t bytes,
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback notify, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, bytes,
      MHD_OPTION_CONNECTION_MEMORY_INCREMENT, bytes,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,
      MHD_OPTION_END);
}

// The descriptor that is readable when `MHD_run` has something to do; -1 where there is none.
static inline int cmicrohttpd_events(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

// The socket of a connection; -1 where it has none.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// The bytes of a client's address; the network, which are the first 64 bits, for IPv6.
static inline size_t cmicrohttpd_peer(struct MHD_Connection *connection, uint8_t bytes[8]) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  if (info->client_addr->sa_family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)info->client_addr)->sin_addr, 4);
    return 4;
  }
  if (info->client_addr->sa_family != AF_INET6) return 0;
  const struct in6_addr *address = &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr;
  const int is_mapped = IN6_IS_ADDR_V4MAPPED(address);
  memcpy(bytes, address->s6_addr + (is_mapped ? 12 : 0), is_mapped ? 4 : 8);
  return is_mapped ? 4 : 8;
}

// What Swift would import as numbers of other types.
static inline int cmicrohttpd_has_started(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

static const uint64_t cmicrohttpd_unknown_size = MHD_SIZE_UNKNOWN;
static const ssize_t cmicrohttpd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;
