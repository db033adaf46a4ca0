"""Requests and clients that no browser sends, against a running serve and a capture with --metrics. See README.md."""
import json
import os
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random

import trials

MEMORY_MB = 150
API = "/api/v1/"
READS = ["state", "history", "plan"]
MARK = '{"node":"n1","role":"beacon","x_m":1,"y_m":2}'
ROOM = '{"node":"n1","role":"beacon","room":"hall"}'
CHANGES = {"recording": '{"recording":false}', "marks": MARK, "rooms": ROOM}
# Answers of the program; 501 and 505 come from the library, for requests that are not HTTP/1.
OWN = {200, 202, 400, 401, 403, 404, 405, 411, 413, 414, 421, 429, 431, 501, 503, 505}
HEADERS = ["Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cache-Control"]


def options():
    parser = trials.parser("requests", __doc__)
    parser.add_argument("--count", type=int, default=2600, metavar="N", help="requests, mostly random (2600)")
    parser.add_argument("--clients", type=int, default=250, metavar="N", help="clients at once that do not read (250)")
    parser.add_argument("--positions", type=int, default=20000, metavar="N", help="positions in the history (20000)")
    parser.add_argument("--patience", type=float, default=1, metavar="S", help="maximum wait of other clients, in seconds (1)")
    parser.add_argument("--seconds", type=float, default=3600, metavar="LIMIT",
                        help="send no further random request then (3600)")
    return parser.parse_args()


class Served:
    """A running serve."""

    def __init__(self, program, folder, arguments):
        self.errors = open(folder / "serve.err", "w+")
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", program, "serve", "--listen", "127.0.0.1:0", *arguments], cwd=folder,
            env=trials.environment(folder), stdout=subprocess.PIPE, stderr=self.errors, text=True)
        line = self.process.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/#token=(\w+)\n", line)
        if not found:
            trials.refuse(1, "serve does not start: " + (folder / "serve.err").read_text())
        self.port, self.token = int(found.group(1)), found.group(2)
        self.host = f"127.0.0.1:{self.port}"

    def status(self, name):
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+)", text).group(1))

    @property
    def memory_mb(self):
        return self.status("VmRSS") / 1024

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connect(self, receive=None):
        client = socket.socket()
        if receive:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        client.settimeout(30)
        client.connect(("127.0.0.1", self.port))
        return client

    def raw(self, data):
        """Returns the answer of the server to some bytes until it closes; empty if it only closes."""
        answer = b""
        try:
            with self.connect() as client:
                try:
                    client.sendall(data)
                    client.shutdown(socket.SHUT_WR)
                except OSError:
                    pass  # It has closed already; it may have answered before.
                while piece := client.recv(1 << 16):
                    answer += piece
        except OSError:
            pass
        return answer

    def text(self, method, path, headers=(), body=None, host=None):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host if host is None else host}", *headers]
        if body is not None:
            lines.append(f"Content-Length: {len(body.encode())}")
        return "\r\n".join(lines) + "\r\n\r\n" + (body or "")

    def ask(self, method, path, headers=(), body=None, host=None):
        """Returns status, headers and content of an answer; asks again if the server is busy."""
        for _ in range(50):
            with self.connect() as client:
                answer = b""
                try:
                    client.sendall(self.text(method, path, headers, body, host).encode("utf-8", "surrogateescape"))
                    while piece := client.recv(1 << 16):
                        answer += piece
                except OSError:
                    pass
            status = statuses(answer)
            if status != [429]:
                break
            time.sleep(0.2)
        head, _, content = answer.partition(b"\r\n\r\n")
        return (status or [0])[0], head.decode("latin1"), content

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "nothing after 30 s"


def statuses(answer):
    return [int(code) for code in re.findall(rb"(?:^|\r\n)HTTP/1\.[01] (\d{3}) ", answer)]


class Trial:
    def __init__(self, plan, folder):
        self.plan, self.folder = plan, folder
        self.random = Random(f"{plan.seed} requests")
        self.counts, self.codes, self.findings = Counter(), Counter(), []
        self.started = time.monotonic()
        trials.make_base(str(plan.program), folder)
        self.make_history()

    @property
    def is_over(self):
        return time.monotonic() - self.started > self.plan.seconds

    def found(self, part, what, answer=""):
        self.findings.append(what)
        print(f"{part}: {what}" + (f"\n  {answer[:300]!r}" if answer else ""), flush=True)

    def rssi(self, *arguments):
        ended = subprocess.run([self.plan.program, *arguments], cwd=self.folder, env=trials.environment(self.folder),
                               stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if ended.returncode:
            trials.refuse(1, f"rssi {' '.join(map(str, arguments))}: {ended.stderr}")
        return ended.stdout

    def make_history(self):
        """A trace in which gateways hear tags, for the requested number of positions."""
        tags = 20
        rows = [f"{1700000000 + second + 0.2 * gateway + tag * 0.19 / tags:.6f},tag{tag},g{gateway},"
                f"{-60 - self.random.randrange(25)}"
                for second in range(self.plan.positions // tags) for tag in range(tags) for gateway in range(3)]
        (self.folder / "many.csv").write_text("\n".join(["time_s,beacon,receiver,rssi_dbm", *rows, ""]))
        (self.folder / "many-nodes.csv").write_text(
            "node,role,x_m,y_m,z_m\ng0,receiver,0,0,2\ng1,receiver,10,0,2\ng2,receiver,10,8,2\n")
        self.rssi("import", "many.csv", "--nodes", "many-nodes.csv", "-o", "many.h5")

    def go(self):
        self.served = Served(self.plan.program, self.folder, [
            "many.h5", "--calibration", "calibration.json", "--algorithm", "weighted-centroid", "--site", "site.toml",
            "--speed", "max", "--recordings", "surveys"])
        try:
            while not json.loads(self.served.ask("GET", API + "state")[2])["ended"]:
                time.sleep(0.2)
            self.usual_memory, self.usual_descriptors = self.served.memory_mb, self.served.descriptors
            self.document = json.loads(self.served.ask("GET", "/openapi.json")[2])
            for part in (self.access, self.described, self.broken, self.noise, self.slow, self.crowd, self.foreign_flood):
                part()
                self.check_alive(part.__name__)
            code = self.served.stop()
            if code:
                self.found("end", f"ended with {code} at SIGTERM: " + (self.folder / "serve.err").read_text()[-300:])
        finally:
            self.served.process.kill()
            self.served.process.wait()
        self.metrics()
        self.report()

    def check_alive(self, part):
        if self.served.process.poll() is not None:
            self.found(part, f"the server ended with {self.served.process.returncode}")
            self.report()
            sys.exit(1)
        status, _, _ = self.served.ask("GET", API + "state")
        if status != 200:
            self.found(part, f"afterwards the state is answered with {status}")
        if self.served.memory_mb > MEMORY_MB:
            self.found(part, f"takes {self.served.memory_mb:.0f} MB")

    def one(self, part, expected, method, path, headers=(), body=None, host=None):
        self.counts[part] += 1
        status, head, content = self.served.ask(method, path, headers, body, host)
        self.codes[status] += 1
        what = f"{method} {path[:60]} {list(headers)} host {host} {(body or '')[:60]!r}"
        if status not in expected:
            self.found(part, f"{what}: {status}, expected {sorted(expected)}", content)
        if status in OWN and status not in (400, 414, 431, 501, 505) and not all(name in head for name in HEADERS):
            self.found(part, f"{what}: {status} without the headers of a page", head)
        if status == 503 and "Retry-After" not in head:
            self.found(part, f"{what}: 503 without Retry-After", head)
        return status, head, content

    def post(self, part, expected, name, headers=(), body=None, token=None, host=None, kind="application/json"):
        token = self.served.token if token is None else token
        headers = [*headers, *([f"Content-Type: {kind}"] if kind else []),
                   *([f"Authorization: Bearer {token}"] if token else [])]
        return self.one(part, expected, "POST", API + name, headers, CHANGES[name] if body is None else body, host)

    # Access.

    def access(self):
        part, served = "access", self.served
        good = served.token
        for name in CHANGES:
            for token in ["", good[:-1], good + "0", good.upper() if good.upper() != good else "x", good + ", " + good,
                          "\t" + good + "\t0", "Bearer " + good, "%00", "é" * 8, "0" * 4000]:
                self.post(part, {401}, name, token=token)
            for scheme in ["Basic " + good, "bearer " + good, good, "Bearer", "Digest " + good]:
                self.post(part, {401}, name, [f"Authorization: {scheme}"], token="")
            for elsewhere in [f"Cookie: token={good}", f"X-Authorization: Bearer {good}", f"Proxy-Authorization: Bearer {good}",
                              f"X-Token: {good}"]:
                self.post(part, {401}, name, [elsewhere], token="")
            self.one(part, {401}, "POST", f"{API}{name}?token={good}&access_token={good}",
                     ["Content-Type: application/json"], CHANGES[name])
            for origin in ["http://evil.example", "null", f"https://{served.host}", f"http://{served.host}.evil.example",
                           f"http://evil.example/{served.host}", "file://", f"http://localhost:{served.port + 1}", "*",
                           f"http://{served.host}, http://evil.example"]:
                self.post(part, {403}, name, [f"Origin: {origin}"])
            for site in ["cross-site", "same-site"]:
                self.post(part, {403}, name, [f"Sec-Fetch-Site: {site}"])
            for kind in ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json",
                         "text/plain; application/json", "APPLICATION"]:
                self.post(part, {400}, name, kind=kind)
            self.post(part, {202}, name, ["Origin: http://" + served.host, "Sec-Fetch-Site: same-origin"])
        for host in ["evil.example", f"evil.example:{served.port}", f"{served.host}.evil.example", "", "localhost", "127.0.0.1",
                     f"127.0.0.1:{served.port + 1}", f"localhost:{served.port}@evil.example", f"[::1]:{served.port}x",
                     f"{served.host}, evil.example", f"rssi.example.org:{served.port}", f"0x7f.1:{served.port}"]:
            for path in ["/", API + "state", "/openapi.json"]:
                self.one(part, {400, 421}, "GET", path, host=host)
            self.post(part, {400, 421}, "marks", host=host)
        for host in [f"localhost:{served.port}", f"[::1]:{served.port}", f"192.168.7.7:{served.port}"]:
            self.one(part, {200}, "GET", API + "state", host=host)
        for name in READS + ["events"]:
            for headers in (["Origin: http://evil.example"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"]):
                self.one(part, {403}, "GET", API + name, headers)
        for path in ["/..", "/../etc/passwd", "/%2e%2e/etc/passwd", "//", "/api", "/api/v1", API, API + "state/", API + "STATE",
                     "/api/v1/../v1/state", "/%61pi/v1/recording/..", "/live.js/", "/\\", "/.git/config",
                     "/surveys/", "/favicon.ico", "*", "/" + "a" * 3000, "/%", "/%zz", "/;", "/?" + "a=b&" * 500]:
            self.one(part, {0, 200} if path.startswith("/?") else {400, 404, 414}, "GET", path)
        for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "CONNECT", "GET", "post", "PROPFIND", "X" * 100]:
            for name in CHANGES:
                self.one(part, {400, 405, 501}, method, API + name, [f"Authorization: Bearer {good}"])
        if json.loads(served.ask("GET", API + "state")[2])["recording"]["path"]:
            self.found(part, "a recording was started")

    # The OpenAPI document.

    def described(self):
        """Requests that the document allows are accepted, others refused, each with a declared status."""
        part, random = "described", self.random
        for path, item in self.document["paths"].items():
            for method, operation in item.items():
                declared = {int(code) for code in operation["responses"]}
                if path.endswith("events"):
                    continue
                if method == "get":
                    for query, isValid in self.queries(operation.get("parameters", []), random):
                        self.one(part, declared & ({200, 503} if isValid else {400}), "GET", path + query)
                else:
                    schema = operation["requestBody"]["content"]["application/json"]["schema"]
                    if "$ref" in schema:
                        schema = self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
                    for body, isValid in self.bodies(schema):
                        self.post(part, declared & ({202, 503} if isValid else {400}), path.rsplit("/", 1)[1], body=body)

    def queries(self, parameters, random):
        yield "", True
        for parameter in parameters:
            schema, name = parameter["schema"], parameter["name"]
            if schema["type"] == "string":
                for text in ["", "phone", "%C3%A9", "a%20b", "x" * 2000]:
                    yield f"?{name}={text}", True
                continue
            for value, isValid in ends(schema):
                yield f"?{name}={value}", isValid
            for text in ["", "x", "NaN", "inf", "1,2", "0x10", "1e999", "%00", "--1", "1_0", "%EF%BC%91", "null", "true"]:
                yield f"?{name}={text}", False
            yield f"?{name}=1&{name}=1", False

    def bodies(self, schema):
        good = {"recording": {"recording": False}, "room": json.loads(ROOM), "node": json.loads(MARK)}
        good = next(value for name, value in good.items() if name in schema["properties"])
        yield json.dumps(good), True
        yield json.dumps({**good, "other": [1]}), True
        for name, property in schema["properties"].items():
            for value in (None, "", [], {}, "x", True, 1, 1.5):
                kinds = property.get("type", "string")
                kinds = kinds if isinstance(kinds, list) else [kinds]
                isRight = {type(None): "null", str: "string", bool: "boolean", int: "number", float: "number"}.get(type(value))
                isValid = isRight in kinds and property.get("enum", [value]).count(value) > 0 \
                    and (value != "" or property.get("minLength", 0) == 0)
                # The site has no floors, so none can be named.
                isValid = isValid and not (name == "floor" and value is not None)
                yield json.dumps({**good, name: value}), isValid
            if "minimum" in property:
                for value, isValid in ends(property):
                    yield json.dumps(good | {name: float(value)}), isValid
            if name in schema["required"]:
                yield json.dumps({key: value for key, value in good.items() if key != name}), False
            for choice in property.get("enum", []):
                yield json.dumps({**good, name: choice}), True
            if "anyOf" in property:
                for text, isValid in [("a" * 128, True), ("a" * 129, False), ("😀" * 32, True), ("😀" * 33, False),
                                      ("a\u0000", False), ("a\u001f", False), (" ", True), ("\u007f\u0085", True)]:
                    yield json.dumps({**good, name: text}), isValid
        for text in ["", "{", "[]", "null", "1", "\"\"", "{}", "[" * 2000, "{\"a\":" * 500, "\ufeff{}", "{'recording':true}",
                     "{\"recording\":1e999}", "NaN", "\x00"]:
            yield text, False

    # Invalid and ambiguous HTTP.

    def broken(self):
        part, host = "broken", f"Host: {self.served.host}\r\n"
        change = f"POST {API}recording HTTP/1.1\r\n{host}Content-Type: application/json\r\n" \
                 f"Authorization: Bearer {self.served.token}\r\n"
        inner = f"GET {API}state HTTP/1.1\r\n{host}\r\n"
        body = '{"recording":false}'
        texts = [
            "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", f"GET / HTTP/1.1\r\n\r\n", f"GET / HTTP/9.9\r\n{host}\r\n",
            f"GET / HTTP/2.0\r\n{host}\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", f"GET  /  HTTP/1.1\r\n{host}\r\n",
            f"GET / HTTP/1.1\n{host}\n", f"GET / HTTP/1.1\r\n {host}\r\n", f"GET / HTTP/1.1\r\n{host}{host}\r\n",
            f"GET / HTTP/1.1\r\n{host}: x\r\n\r\n", f"GET / HTTP/1.1\r\n{host}X Y: z\r\n\r\n",
            f"GET / HTTP/1.1\r\n{host}X: \0\r\n\r\n", f"GET / HTTP/1.1\r\n{host}" + "A: b\r\n" * 5000 + "\r\n",
            f"GET / HTTP/1.1\r\n{host}X: " + "y" * 60000 + "\r\n\r\n", "GET /" + "y" * 60000 + f" HTTP/1.1\r\n{host}\r\n",
            f"GET http://evil.example/ HTTP/1.1\r\n{host}\r\n", f"CONNECT evil.example:80 HTTP/1.1\r\n{host}\r\n",
            inner * 100,
            change + f"Content-Length: 99999999999999999999\r\n\r\n{body}", change + f"Content-Length: -1\r\n\r\n{body}",
            change + f"Content-Length: +19\r\n\r\n{body}", change + f"Content-Length: 0x13\r\n\r\n{body}",
            change + f"Content-Length: 19\r\nContent-Length: 20\r\n\r\n{body}", change + f"Content-Length: 19, 19\r\n\r\n{body}",
            change + f"Transfer-Encoding: chunked\r\n\r\n13\r\n{body}\r\n0\r\n\r\n",
            change + f"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n{inner}",
            change + f"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{inner}",
            change + f"Transfer-Encoding: xchunked\r\nContent-Length: 19\r\n\r\n{body}{inner}",
            change + f"Transfer-Encoding : chunked\r\nContent-Length: 19\r\n\r\n{body}{inner}",
            change + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", change + "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
            change + f"Content-Length: 19\r\n\r\n{body}{inner}", change + f"Content-Length: 19\r\nExpect: 100-continue\r\n\r\n{body}",
            change + f"Content-Length: 19\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n{body}", change + "\r\n" + body,
            f"GET {API}state HTTP/1.0\r\n\r\n", f"GET {API}state HTTP/1.1\r\n{host}Host: evil.example\r\n\r\n",
        ]
        for text in texts:
            self.broken_one(part, text.encode("latin1"))

    def broken_one(self, part, data):
        self.counts[part] += 1
        answer = self.served.raw(data)
        # Those of other answers are not counted against this client.
        codes = statuses(answer)
        for code in codes or [0]:
            self.codes[code] += 1
        if any(code not in OWN and code != 100 for code in codes):
            self.found(part, f"{data[:100]!r}: answered with {codes}", answer.decode("latin1"))
        final = [code for code in codes if code != 100]
        # libmicrohttpd sends the head of its own refusal twice if a length is invalid.
        if len(final) > 1 and not set(final) <= {400, 413}:
            self.found(part, f"{data[:100]!r}: {len(final)} answers on one connection", answer.decode("latin1"))
        if b"\r\n\r\n" in answer and 503 in codes and b"Retry-After" not in answer:
            self.found(part, f"{data[:100]!r}: 503 without Retry-After", answer.decode("latin1"))
        return codes

    def noise(self):
        """Garbage, and requests with some of their bytes changed: changes are accepted only with the token."""
        random, token = self.random, self.served.token.encode()
        first = sum(self.counts.values())
        for number in range(max(0, self.plan.count - first)):
            if self.is_over:
                return
            if number % 6 == 0:
                self.broken_one("garbage", random.randbytes(random.randrange(1, 400)) + random.choice([b"", b"\r\n\r\n"]))
                continue
            name = random.choice([*CHANGES, *READS])
            hasToken = random.random() < 0.3
            headers = ["Content-Type: application/json"] + ([f"Authorization: Bearer {self.served.token}"] if hasToken else [])
            text = self.served.text("POST" if name in CHANGES else "GET", API + name, headers, CHANGES.get(name))
            data = bytearray(text.encode())
            for _ in range(random.randrange(1, 6)):
                place = random.randrange(len(data))
                piece = random.choice([bytes([random.randrange(256)]), b"", b"\r\n", b"\0", b"%00", b" " * 50, b"9" * 30,
                                       data[place:place + 20], b"Host: x\r\n", b"Transfer-Encoding: chunked\r\n"])
                data[place:place + random.choice([0, 1, 8])] = piece
            codes = self.broken_one("mutated", bytes(data))
            if 202 in codes and b"Bearer " + token not in bytes(data):
                self.found("mutated", f"{bytes(data)!r}: let in without the token")

    # Slow clients, and many of them.

    def slow(self):
        """Checks that a client that reads a third of a megabyte per second gets the complete answer."""
        self.counts["slow"] += 1
        with self.served.connect(receive=32768) as client:
            client.sendall(self.served.text("GET", API + "history").encode())
            answer, begun = b"", time.monotonic()
            while piece := client.recv(32768):
                answer += piece
                time.sleep(max(0, begun + len(answer) / 300_000 - time.monotonic()))
        head, _, content = answer.partition(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
        print(f"slow reader: {len(content)} of {length} bytes in {time.monotonic() - begun:.1f} s")
        if len(content) != length:
            self.found("slow", f"a client that reads 300 kB/s got {len(content)} of {length} bytes")

    def crowd(self):
        """Clients that ask and do not read, send half of a request or nothing; others must be answered meanwhile."""
        served, random = self.served, self.random
        asked = [lambda number: f"{API}history", lambda number: f"{API}history?limit={100000 - number}",
                 lambda number: f"{API}state", lambda number: f"{API}events", lambda number: "/", lambda number: f"{API}plan"]
        host = f"Host: {served.host}\r\n"
        halves = [b"GET /met", b"", b"\0\1\2\r\n\r\n", f"GET / HTTP/1.1\r\n{host}".encode(),
                  f"POST {API}marks HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n{{".encode(),
                  f"GET / HTTP/1.1\r\n{host}X: ".encode() + b"x" * 60000, f"GET / HTTP/1.1\r\n{host}\r\n".encode() * 1000]
        for number, make in enumerate([*asked, None]):
            peak, waits, refused = [served.memory_mb], [], Counter()
            isOver = threading.Event()

            def legitimate():
                while not isOver.is_set():
                    begun = time.monotonic()
                    status = self.served.ask("GET", API + "state", ["Sec-Fetch-Site: same-origin"])[0] \
                        if len(waits) % 3 else self.served.ask(
                            "POST", API + "marks", ["Content-Type: application/json", f"Authorization: Bearer {served.token}"],
                            MARK)[0]
                    waits.append(time.monotonic() - begun)
                    refused[status] += 1
                    peak.append(served.memory_mb)
                    time.sleep(0.05)

            probe = threading.Thread(target=legitimate)
            clients = []
            for place in range(self.plan.clients):
                self.counts["crowd"] += 1
                data = random.choice(halves) if make is None else served.text("GET", make(place)).encode()
                client = socket.socket()
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                client.setblocking(False)
                client.connect_ex(("127.0.0.1", served.port))
                clients.append((client, data))
            probe.start()
            end = time.monotonic() + 3
            waiting = list(clients)
            while time.monotonic() < end:
                later = []
                for client, data in waiting:
                    try:
                        client.send(data)
                    except BlockingIOError:
                        later.append((client, data))
                    except OSError:
                        pass
                waiting = later
                time.sleep(0.05)
            isOver.set()
            probe.join()
            for client, _ in clients:
                client.close()
            name = make(0) if make else "half requests"
            longest = max(waits, default=0)
            print(f"{self.plan.clients} clients, {name}: {peak[0]:.0f} to {max(peak):.0f} MB, {len(waits)} others waited "
                  f"up to {longest:.2f} s", flush=True)
            if longest > self.plan.patience:
                self.found("crowd", f"{name}: others waited {longest:.1f} s")
            if set(refused) - {200, 202}:
                self.found("crowd", f"{name}: others were answered with {dict(refused)}")
            if max(peak) > MEMORY_MB:
                self.found("crowd", f"{name}: took {max(peak):.0f} MB")
        for _ in range(100):
            if served.descriptors <= self.usual_descriptors:
                return
            time.sleep(0.1)
        self.found("crowd", f"{served.descriptors} descriptors are open, {self.usual_descriptors} before")

    def foreign_flood(self):
        """Lets a page of another site ask as often as it can; the real page must be answered."""
        isOver, sent = threading.Event(), Counter()

        def flood(headers, path, host):
            while not isOver.is_set():
                sent[self.served.raw(self.served.text("GET", path, headers, host=host).encode())[9:12]] += 1

        threads = [threading.Thread(target=flood, args=arguments) for arguments in [
            (["Origin: http://evil.example"], API + "state", None), (["Sec-Fetch-Site: cross-site"], "/live.js", None),
            ([], API + "state", f"evil.example:{self.served.port}"), ([], "/openapi.json", None)]]
        for thread in threads:
            thread.start()
        answers = Counter()
        for _ in range(40):
            with self.served.connect() as client:
                client.sendall(self.served.text("GET", API + "state", ["Sec-Fetch-Site: same-origin"]).encode())
                answers[client.recv(12)[9:12]] += 1
            time.sleep(0.05)
        isOver.set()
        for thread in threads:
            thread.join()
        self.counts["flood"] += sum(sent.values())
        if set(answers) != {b"200"}:
            self.found("flood", f"the page was answered with {dict(answers)} while others sent {dict(sent)}")

    # Clients of --metrics.

    def metrics(self):
        """Checks that a capture records a complete replay during attacks of 1,000 clients."""
        command = [self.plan.program, "capture", "replay:walk-1.btsnoop", "--no-pack"]
        subprocess.run([*command, "--speed", "max", "-o", "plain.h5"], cwd=self.folder, check=True, capture_output=True,
                       env=trials.environment(self.folder))
        capture = subprocess.Popen([*command, "--speed", "2", "--metrics", "0", "-o", "pressed.h5"], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env=trials.environment(self.folder))
        port = None
        while port is None and (line := capture.stderr.readline()):
            found = re.search(r":(\d+)/metrics", line)
            port = int(found.group(1)) if found else None
        if port is None:
            return self.found("metrics", f"the capture ended with {capture.wait()} before it listened")
        requests = [b"GET /met", b"", b"GET /metrics HTTP/1.1\r\nX: " + b"x" * 60_000, b"\0\1\2\r\n\r\n",
                    b"POST /metrics HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n",
                    b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n" * 1000]
        clients = []
        for number in range(1000):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
            clients.append((client, requests[number % len(requests)]))
            self.counts["metrics"] += 1
        while capture.poll() is None:
            for client, request in clients:
                try:
                    client.send(request)
                except OSError:
                    pass
            select.select([capture.stderr], [], [], 0.1)
            time.sleep(0.05)
        for client, _ in clients:
            client.close()
        counts = [json.loads(self.rssi("info", name, "--json"))["sightings"] for name in ("plain.h5", "pressed.h5")]
        if capture.returncode or counts[0] != counts[1]:
            self.found("metrics", f"the capture ended with {capture.returncode} and {counts[1]} of {counts[0]} sightings")

    def report(self):
        print(f"\n{'part':12}{'requests':>10}")
        for part, count in self.counts.items():
            print(f"{part:12}{count:>10}")
        print("answers: " + ", ".join(f"{code or 'none'} {count}" for code, count in sorted(self.codes.items())))
        print(f"seed {self.plan.seed}: {sum(self.counts.values())} requests in {time.monotonic() - self.started:.0f} s: "
              f"{len(self.findings)} findings")


def ends(schema):
    """Yields numbers at the ends of the range of a schema, and beyond them, with their validity."""
    for low, high, step in (("minimum", "maximum", 0), ("exclusiveMinimum", "exclusiveMaximum", 1)):
        for name, sign in ((low, -1), (high, 1)):
            if name in schema:
                value = schema[name]
                yield value - sign * step, True
                yield value + sign * (1 - step), False
    yield 1, True


def main():
    plan = options()
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with tempfile.TemporaryDirectory(prefix="rssi-hostile-") as folder:
        trial = Trial(plan, Path(folder))
        trial.go()
    sys.exit(1 if trial.findings else 0)


if __name__ == "__main__":
    main()
