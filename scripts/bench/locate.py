"""Load of live locating on one core; called by scripts/bench/run.

    locate.py RSSI [NODES]

NODES (50) receivers walk for a minute among 12 anchors, each received about seven times per second, and one process locates
all of them by the particle filter with its defaults, as fast as it can read the sightings from standard input.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from table import row, watched

program, nodes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50
seconds = 60
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})


def run(*arguments, **more):
    return subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, **more)


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    run("simulate", "--model", "simple", "--walks", nodes, "--duration", seconds, "--beacons", 12, "--room", "25x25", "-o",
        folder / "room")
    run("fit", folder / "room/distances.csv", "-o", folder / "room.json")
    lines = []
    for walk in range(1, nodes + 1):
        # Each walk is another receiver at the same time.
        run("import", folder / f"room/walk-{walk}.btsnoop", "--receiver", f"node-{walk}", "-o", folder / "walk.h5")
        text = subprocess.run([program, "export", folder / "walk.h5", "--format", "ndjson"], check=True,
                              capture_output=True, text=True).stdout
        sightings = [json.loads(line) for line in text.splitlines()]
        begin = min(sighting["time_s"] for sighting in sightings)
        for sighting in sightings:
            sighting["time_s"] = round(sighting["time_s"] - begin + 1_700_000_000, 6)
            sighting["trace"] = "live"
            lines.append(sighting)
    lines.sort(key=lambda sighting: sighting["time_s"])
    stream = folder / "live.ndjson"
    stream.write_text("".join(json.dumps(line) + "\n" for line in lines))
    site = folder / "site.toml"
    nodes_table = [line.split(",") for line in (folder / "room/nodes.csv").read_text().splitlines()[1:]]
    site.write_text("".join(f'[[anchors]]\nnode = "{name}"\nrole = "beacon"\nx_m = {float(x)}\ny_m = {float(y)}\n'
                            f'z_m = {float(z)}\n' for name, role, x, y, z in nodes_table if role == "beacon"))
    with open(stream) as source:
        start = time.perf_counter()
        process = subprocess.Popen(
            [program, "locate", "-", "--calibration", folder / "room.json", "--site", site, "--algorithm",
             "particle-filter", "--quiet"], stdin=source, stdout=subprocess.PIPE, text=True)
        positions, memory = 0, 0
        for line in process.stdout:
            positions += 1
            if positions % 100 == 0:
                status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
                memory = max([memory] + [int(l.split()[1]) / 1024 for l in status if l.startswith("VmHWM")])
        assert process.wait() == 0
        elapsed = time.perf_counter() - start
    row(f"locate live, {nodes} nodes, 12 anchors, particle filter", seconds / elapsed, "× real time/s", memory=memory,
        note=f"{len(lines):,} sightings, {positions:,} positions")
