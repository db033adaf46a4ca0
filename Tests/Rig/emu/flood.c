/* flood - a controller that sends a known number of advertising reports at a given rate.
 *
 *   flood PORT REPORTS RATE [PER_EVENT]
 *
 * Serves H4 on tcp 127.0.0.1:PORT to one host, answers the commands of a host's set-up, and sends
 * REPORTS legacy reports once scanning is enabled, RATE a second (0 = as fast as they are taken),
 * in one write a millisecond. Report number n comes from beacon n % 50 (address and iBeacon minor)
 * with RSSI -1 - n / 50 % 100, so that a lost, repeated or reordered one shows in the sequence
 * although nothing about the beacons grows without bound. When all are sent it says how long that
 * took and goes on answering commands until the host goes away.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BEACONS = 50, LEVELS = 100, REPORT = 10 + 30 };

static int host;
static int scanning;
static uint8_t input[4096];
static int filled;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void put(const uint8_t *bytes, size_t count)
{
	while (count) {
		ssize_t sent = send(host, bytes, count, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			exit(0);
		bytes += sent;
		count -= sent;
	}
}

static void answer(uint16_t opcode, const uint8_t *parameters)
{
	uint8_t event[7 + 64] = { 0x04, 0x0e, 4, 1, opcode, opcode >> 8, 0 };

	switch (opcode) {
	case 0x1001: /* Bluetooth 5.0, manufacturer 0xffff */
		event[2] = 12; event[7] = event[10] = 9; event[11] = event[12] = 0xff;
		break;
	case 0x1002: event[2] = 4 + 64; break;
	case 0x1009: event[2] = 10; event[7] = 0x0f; break;
	case 0x2003: event[2] = 12; break;
	case 0x200c: scanning = parameters[0]; break;
	}
	put(event, 3 + event[2]);
}

/* Answers what the host asks, waiting so many milliseconds for it. */
static void serve(int milliseconds)
{
	struct pollfd wait = { host, POLLIN, 0 };
	ssize_t count;

	if (poll(&wait, 1, milliseconds) <= 0)
		return;
	count = recv(host, input + filled, sizeof input - filled, 0);
	if (count <= 0)
		exit(0);
	filled += count;
	while (filled >= 4 && filled >= 4 + input[3]) {
		int length = 4 + input[3];

		answer(input[1] | input[2] << 8, input + 4);
		memmove(input, input + length, filled - length);
		filled -= length;
	}
}

/* Writes report number n, returns its length. */
static int report(uint8_t *to, uint64_t n)
{
	static const uint8_t beacon[30] = { 2, 1, 6, 0x1a, 0xff, 0x4c, 0, 2, 0x15, 0xe2, 0xc5, 0x6d,
		0xb5, 0xdf, 0xfb, 0x48, 0xd2, 0xb0, 0x60, 0xd0, 0xf5, 0xa7, 0x10, 0x96, 0xe0, 0, 1, 0, 0,
		0xc5 };

	to[0] = 3;
	to[1] = 0;
	memset(to + 2, 0, 6);
	to[2] = n % BEACONS;
	to[8] = 30;
	memcpy(to + 9, beacon, 30);
	to[9 + 28] = n % BEACONS;
	to[9 + 30] = -1 - (int)(n / BEACONS % LEVELS);
	return REPORT;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	uint64_t total, sent = 0;
	double rate, start;
	int one = 1, per_event = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
	static uint8_t out[1 << 20];

	if (argc < 4) {
		fprintf(stderr, "usage: flood PORT REPORTS RATE [PER_EVENT]\n");
		return 2;
	}
	address.sin_port = htons(atoi(argv[1]));
	total = strtoull(argv[2], NULL, 10);
	rate = atof(argv[3]);
	if (argc > 4)
		per_event = atoi(argv[4]);
	if (per_event < 1 || per_event > 6)
		per_event = 1;
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(listener, (void *)&address, sizeof address) || listen(listener, 1)) {
		perror("flood");
		return 1;
	}
	fprintf(stderr, "flood: serving\n");
	host = accept(listener, NULL, NULL);
	setsockopt(host, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	while (!scanning)
		serve(100);
	start = now();
	while (sent < total && scanning) {
		uint64_t due = rate > 0 ? (uint64_t)((now() - start) * rate) : sent + 10000;
		size_t length = 0;

		if (due > total)
			due = total;
		while (sent < due && length + 300 < sizeof out) {
			uint8_t *event = out + length;
			int count = 0, at = 5;

			for (; count < per_event && sent < due; count++)
				at += report(event + at, sent++);
			event[0] = 0x04;
			event[1] = 0x3e;
			event[2] = at - 3;
			event[3] = 0x02;
			event[4] = count;
			length += at;
		}
		put(out, length);
		serve(rate > 0 ? 1 : 0);
	}
	fprintf(stderr, "flood: sent %llu reports in %.3f s\n", (unsigned long long)sent, now() - start);
	for (;;)
		serve(1000);
}
