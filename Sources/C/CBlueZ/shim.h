#pragma once

// In this order: each needs the one before.
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>

#include <errno.h>
#include <linux/sock_diag.h>
#include <stdint.h>
#include <string.h>
// Swift finds no eventfd in its own module of the C library.
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// What Swift cannot import: request macros with casts, a structure that ends in a flexible array,
// control messages, and socket addresses that are passed as another type. Functions that can fail
// return the error number negated, so that nothing in between can change errno.

static inline int cbluez_bluetooth_family(void) { return AF_BLUETOOTH; }

// A non-blocking HCI socket, bound to an adapter (HCI_DEV_NONE = none) and a channel.
static inline int cbluez_open(uint16_t device, uint16_t channel) {
  int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
  if (descriptor < 0) return -errno;
  struct sockaddr_hci address;
  memset(&address, 0, sizeof address);
  address.hci_family = AF_BLUETOOTH;
  address.hci_dev = device;
  address.hci_channel = channel;
  if (bind(descriptor, (const struct sockaddr *)&address, sizeof address) < 0) {
    int number = errno;
    close(descriptor);
    return -number;
  }
  return descriptor;
}

static inline int cbluez_up(int descriptor, uint16_t device) {
  return ioctl(descriptor, HCIDEVUP, (int)device) < 0 ? -errno : 0;
}

static inline int cbluez_down(int descriptor, uint16_t device) {
  return ioctl(descriptor, HCIDEVDOWN, (int)device) < 0 ? -errno : 0;
}

static inline int cbluez_information(int descriptor, uint16_t device, struct hci_dev_info *info) {
  memset(info, 0, sizeof *info);
  info->dev_id = device;
  return ioctl(descriptor, HCIGETDEVINFO, (void *)info) < 0 ? -errno : 0;
}

// The numbers of the adapters that there are, up to a capacity; how many.
static inline int cbluez_devices(int descriptor, uint16_t *numbers, int capacity) {
  union {
    struct hci_dev_list_req list;
    uint8_t room[sizeof(struct hci_dev_list_req) + HCI_MAX_DEV * sizeof(struct hci_dev_req)];
  } request;
  memset(&request, 0, sizeof request);
  request.list.dev_num = HCI_MAX_DEV;
  if (ioctl(descriptor, HCIGETDEVLIST, (void *)&request) < 0) return -errno;
  int count = request.list.dev_num < capacity ? request.list.dev_num : capacity;
  for (int i = 0; i < count; i++) numbers[i] = request.list.dev_req[i].dev_id;
  return count;
}

static inline int cbluez_is_up(const struct hci_dev_info *info) {
  return (info->flags & (1u << HCI_UP)) != 0;
}

// Whether another program has the adapter of a raw socket as its own (user channel): the kernel
// then answers nothing about it, such as a connection, of which there is none to address zero.
static inline int cbluez_is_taken(int descriptor) {
  struct hci_conn_info_req request;
  memset(&request, 0, sizeof request);
  return ioctl(descriptor, HCIGETCONNINFO, (void *)&request) < 0 && errno == EBUSY;
}

// Receives one packet without waiting, and when the kernel got it from the controller: nanoseconds
// since the Unix epoch, or 0 where the kernel does not say. Raw sockets give a timeval under their
// own level (HCI_TIME_STAMP), of 32-bit fields on some 32-bit machines; the other channels give
// what SO_TIMESTAMPNS asks for. A packet longer than the buffer is cut.
static inline ssize_t cbluez_receive(int descriptor, void *buffer, size_t capacity, int64_t *time) {
  char control[256];
  struct iovec vector = {buffer, capacity};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  *time = 0;
  ssize_t length = recvmsg(descriptor, &message, MSG_DONTWAIT);
  if (length < 0) return -errno;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    size_t size = part->cmsg_len - CMSG_LEN(0);
    if (part->cmsg_level == SOL_HCI && part->cmsg_type == HCI_CMSG_TSTAMP) {
      int64_t wide[2];
      int32_t narrow[2];
      if (size >= sizeof wide) {
        memcpy(wide, CMSG_DATA(part), sizeof wide);
        *time = wide[0] * 1000000000 + wide[1] * 1000;
      } else if (size >= sizeof narrow) {
        memcpy(narrow, CMSG_DATA(part), sizeof narrow);
        *time = (int64_t)narrow[0] * 1000000000 + (int64_t)narrow[1] * 1000;
      }
    } else if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec stamp;
      if (size >= sizeof stamp) {
        memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
        *time = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
      }
    }
  }
  return length;
}

// How many packets the kernel could not put into the socket's receive buffer since it was opened,
// modulo 2^32. HCI sockets never say it beside a packet (SO_RXQ_OVFL), but count like all others.
static inline int cbluez_dropped(int descriptor, uint32_t *count) {
  uint32_t numbers[SK_MEMINFO_VARS];
  socklen_t size = sizeof numbers;
  memset(numbers, 0, sizeof numbers);
  if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, numbers, &size) < 0) return -errno;
  if (size <= SK_MEMINFO_DROPS * sizeof numbers[0]) return -ENOPROTOOPT;
  *count = numbers[SK_MEMINFO_DROPS];
  return 0;
}

// A receive buffer as large as this user may have: beyond the system's limit with CAP_NET_ADMIN.
static inline int cbluez_enlarge_buffer(int descriptor, int bytes) {
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) == 0) return 0;
  return setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes) < 0 ? -errno : 0;
}

static inline int cbluez_enable(int descriptor, int level, int option) {
  int on = 1;
  return setsockopt(descriptor, level, option, &on, sizeof on) < 0 ? -errno : 0;
}
