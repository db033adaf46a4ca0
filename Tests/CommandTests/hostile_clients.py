"""Opens 1000 connections to a port of this machine that do what no honest client does, until the port is closed."""

import resource
import socket
import sys
import time

REQUESTS = [
    b"GET /met",
    b"",
    b"GET /metrics HTTP/1.1\r\nX: " + b"x" * 60_000,
    b"\0\1\2\r\n\r\n",
    b"POST /metrics HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n" * 1000,
]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(2048, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
address = ("127.0.0.1", int(sys.argv[1]))
clients = []
for number in range(1000):
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(address)
    clients.append((client, REQUESTS[number % len(REQUESTS)]))
print("connected", flush=True)
while True:
    for client, request in clients:
        try:
            client.send(request)
        except OSError:
            pass
    time.sleep(0.1)
