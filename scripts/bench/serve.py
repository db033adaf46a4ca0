"""Delay from reception to the live page, alone and with 100 clients; called by scripts/bench/run.

    serve.py RSSI [SECONDS]

Four gateways hear 50 tags 2,000 times per second (MQTT, a broker of this script's own on loopback). `rssi serve` locates all
tags, and Chromium shows the page. Every sighting has a level of its own in its link's sequence, so that the level that a row
of the page shows identifies the sighting that has reached it. Latency is from the sending of a sighting until the page's document
has its level or that of a later one; of positions, from their instant. All clocks are this machine's.
"""

import bisect
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests/CommandTests/Scripts"))
from table import reserved_port, row
from browser import Browser

program, seconds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
GATEWAYS, TAGS = 4, 50
ROUND = 0.1  # seconds in which each gateway hears each tag once
LEVELS = 60
UUID = "E2C56DB5DFFB48D2B060D0F5A71096E0"
PLACES = [(0, 0), (20, 0), (20, 20), (0, 20)]
OBSERVE = """(function () {
  var seen = window.seen = [], placed = window.placed = [];
  new MutationObserver(function () {
    var now = Date.now() / 1000;
    Array.from(document.querySelectorAll('#beacon-table tbody tr')).forEach(function (row) {
      var level = row.cells[6].textContent, key = row.cells[0].firstChild.title + ' ' + row.cells[1].textContent;
      if (row.level !== level) { row.level = level; seen.push([now, key, Number(level)]); }
    });
  }).observe(document.querySelector('#beacon-table tbody'), { childList: true, subtree: true, characterData: true });
  new MutationObserver(function () {
    var time = document.querySelector('#plan-readout dd');
    if (time && time.textContent !== placed.last) {
      placed.last = time.textContent;
      placed.push([Date.now() / 1000, time.textContent]);
    }
  }).observe(document.querySelector('#plan-readout'), { childList: true, subtree: true, characterData: true });
})()"""


def resident(process):
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


class Sender:
    """Gateways of the dialect `minew`; each hears a fifth of the tags at a time."""

    def __init__(self, port):
        self.pipe = subprocess.Popen(["mosquitto_pub", "-p", str(port), "-t", "gateways", "-l"], stdin=subprocess.PIPE)
        self.sent = {}
        self.ends = False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        began, number = time.time(), 0
        parts = 5
        while not self.ends:
            due = began + number * ROUND / parts
            time.sleep(max(0, due - time.time()))
            tags = range(number % parts, TAGS, parts)
            turn = number // parts
            level = -(30 + turn % LEVELS)
            for gateway in range(GATEWAYS):
                now = time.time()
                rows = [{"type": "Gateway", "mac": f"AC233F{gateway:06X}"}]
                for tag in tags:
                    data = f"0201061AFF4C000215{UUID}0001{tag:04X}C5"
                    rows.append({"timestamp": int(now * 1000), "type": "Unknown", "mac": f"DD3300{tag:06X}", "rawData": data,
                                 "rssi": level})
                    self.sent.setdefault((tag, gateway), []).append(now)
                self.pipe.stdin.write(json.dumps(rows).encode() + b"\n")
            self.pipe.stdin.flush()
            number += 1

    def stop(self):
        self.ends = True
        self.thread.join()
        self.pipe.stdin.close()
        self.pipe.wait()


class Clients:
    """Clients that read the event stream and discard it."""

    SCRIPT = """
import selectors, socket, sys
port, count = int(sys.argv[1]), int(sys.argv[2])
all = selectors.DefaultSelector()
for _ in range(count):
    client = socket.create_connection(("127.0.0.1", port))
    client.sendall(b"GET /api/v1/events HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\n\\r\\n" % port)
    all.register(client, selectors.EVENT_READ)
print("ready", flush=True)
while True:
    for key, _ in all.select():
        if not key.fileobj.recv(1 << 16):
            sys.exit("a client was dropped")
"""

    def __init__(self, port, count):
        self.process = subprocess.Popen([sys.executable, "-c", self.SCRIPT, str(port), str(count)], stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def stop(self):
        assert self.process.poll() is None, "a client was dropped"
        self.process.kill()
        self.process.wait()


def measured(folder, broker, clients):
    server = subprocess.Popen(
        [program, "serve", f"mqtt://127.0.0.1:{broker}/gateways", "--dialect", "minew", "--calibration", folder / "room.json",
         "--site", folder / "site.toml", "--filter", "none", "--listen", "127.0.0.1:0", "--quiet"],
        stdout=subprocess.PIPE, text=True)
    url = server.stdout.readline().strip()
    sender = Sender(broker)
    crowd = Clients(int(url.split(":")[2].split("/")[0]), clients) if clients else None
    memory = []
    with Browser() as browser:
        browser.look(1400, 1000)
        browser.open(url)
        browser.until(f"document.querySelectorAll('#plan-answers circle.now').length === {TAGS}", 60)
        # The first seconds are a warm-up.
        time.sleep(5)
        browser.value(OBSERVE)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(min(5, seconds))
            memory.append(resident(server))
        seen, placed = browser.value("seen"), browser.value("placed")
        health = json.loads(browser.value("fetch('api/v1/state').then(function (r) { return r.text(); })"))["health"]
        assert not browser.console, browser.console
    if crowd:
        crowd.stop()
    sender.stop()
    server.terminate()
    server.wait()
    latencies, last = [], {}
    for now, key, level in seen:
        beacon, receiver = key.split(" ")
        link = (int(beacon.split(":")[-1]), int(receiver[-6:], 16))
        times = sender.sent[link]
        number = bisect.bisect_right(times, now) - 1
        while -(30 + number % LEVELS) != round(level):
            number -= 1
        if link in last:
            latencies += [now - times[one] for one in range(last[link] + 1, number + 1)]
        last[link] = number
    delays = []
    for now, text in placed[1:]:
        second = sum(int(part) * unit for part, unit in zip(text.split()[0].split(":"), (3600, 60, 1)))
        delays.append((now - second) % 86400)
    return sorted(latencies), sorted(delays), memory, health


def quantile(values, share):
    return values[min(int(share * len(values)), len(values) - 1)]


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    subprocess.run([program, "simulate", "--model", "simple", "--walks", "1", "--duration", "20", "-o", folder / "room"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([program, "fit", folder / "room/distances.csv", "-o", folder / "room.json"], check=True,
                   stdout=subprocess.DEVNULL)
    (folder / "site.toml").write_text("".join(
        f'[[anchors]]\nnode = "AC233F{g:06X}"\nrole = "receiver"\nx_m = {x}\ny_m = {y}\nz_m = 2.5\n'
        for g, (x, y) in enumerate(PLACES)))
    port = reserved_port()
    broker = subprocess.Popen(["mosquitto", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for clients in [0, 100]:
            latencies, delays, memory, health = measured(folder, port, clients)
            label = f"serve, {clients} other clients"
            row(f"{label}: sighting to page, median", quantile(latencies, 0.5) * 1e3, "ms", memory=memory[-1])
            row(f"{label}: sighting to page, p99", quantile(latencies, 0.99) * 1e3, "ms")
            print(f"{len(latencies):,} sightings on the page; most {latencies[-1] * 1e3:.0f} ms; "
                  f"{health['sightings_per_s']} sightings/s received, {health['located']:,} positions; memory "
                  f"{memory[0]:.0f} to {memory[-1]:.0f} MB in {seconds} s")
    finally:
        broker.terminate()
        broker.wait()
