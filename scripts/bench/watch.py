"""Load of `rssi watch` with many beacons; called by scripts/bench/run.

    watch.py RSSI [SECONDS]

5,000 beacons are heard 20,000 times per second, live, as lines on standard input that are written when they are due.
Every second 100 of them fall silent for two seconds and others come back, so that there are events all the time. Latency
is from the writing of the sighting that makes an event to the arrival of the event; of beacons that leave, from the end of
the period in which that shows.
"""

import json
import os
import subprocess
import sys
import threading
import time

from table import row

program, seconds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
cores = sorted(os.sched_getaffinity(0))
BEACONS, RATE, STEP = 5000, 20_000, 0.005
UUID = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

watch = subprocess.Popen(
    [program, "watch", "-", "--quiet", "--exit-after", "1s", "--filter", "kalman:q=1,r=9"]
    + [f"--region={UUID}:{major}" for major in range(50)],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    # One core for it alone, if there is another for its source.
    preexec_fn=lambda: os.sched_setaffinity(0, {cores[-1]}))
os.sched_setaffinity(0, {cores[0]})
latencies, events = [], [0]


def read():
    # Times of arrival first, contents afterwards: decoding would delay the next.
    arrived = []
    for line in watch.stdout:
        arrived.append((time.time(), line))
    for now, line in arrived:
        event = json.loads(line)
        events[0] += 1
        if event["event"] == "enter":
            latencies.append(now - event["time_s"])


reader = threading.Thread(target=read)
reader.start()
heads = [f',"beacon":"ibeacon:{UUID}:{b % 50}:{b}","receiver":"r","rssi_dbm":-{60 + b % 30}}}\n' for b in range(BEACONS)]
start = time.time()
index = sent = 0
while time.time() - start < seconds:
    due = int((time.time() - start) * RATE)
    block = []
    silent = int(time.time() - start) // 2
    while sent < due:
        beacon = index % BEACONS
        index += 1
        sent += 1
        # One in fifty beacons is absent at any time.
        if beacon // 100 == silent % 50: continue
        block.append(f'{{"time_s":{time.time():.6f}{heads[beacon]}')
    watch.stdin.write("".join(block).encode())
    watch.stdin.flush()
    time.sleep(STEP)
usage = open(f"/proc/{watch.pid}/stat").read().rsplit(")", 1)[1].split()
busy = (int(usage[11]) + int(usage[12])) / os.sysconf("SC_CLK_TCK")
peak = next(int(line.split()[1]) for line in open(f"/proc/{watch.pid}/status") if line.startswith("VmHWM"))
elapsed = time.time() - start
watch.stdin.close()
reader.join()
watch.wait()
# In the first second all beacons appear at once.
latencies = sorted(latencies[BEACONS:])
assert latencies, "no beacon came back: run longer"


def quantile(share):
    return latencies[min(int(share * len(latencies)), len(latencies) - 1)] * 1e3


row(f"watch, {RATE:,} sightings/s, processor time a second", 1e3 * busy / elapsed, "ms",
    memory=peak / 1024)
row("watch, median latency of an event", quantile(0.5), "ms")
print(f"{sent / elapsed:,.0f} sightings/s of {BEACONS:,} beacons in 50 regions for {elapsed:.0f} s: "
      f"{100 * busy / elapsed:.0f} % of one core, {peak / 1024:.0f} MB, {events[0]:,} events; latency of "
      f"{len(latencies):,} beacons that came: median {quantile(0.5):.1f} ms, p99 {quantile(0.99):.1f} ms, "
      f"most {latencies[-1] * 1e3:.1f} ms")
