"""Growth of time and memory with rows, beacons and anchors; called by scripts/bench/run.

    growth.py RSSI [ROWS]

Each table multiplies one size by ten from row to row, up to ROWS (10,000,000) rows, 10,000 beacons and 1,000 anchors; the
last column is the power of the size that the time grows with since the row before: 1 is proportional. Times are those of the
whole program, its start (about 10 ms) included, which is why small sizes grow with less.
"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path

from table import row, watched
from traces import filterable_trace, fittable_trace, recording

program, most = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000


def run(*arguments):
    subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


class Growth:
    """Rows of one stage whose size grows."""

    def __init__(self, stage, unit):
        self.stage, self.unit, self.last = stage, unit, None

    def measure(self, size, *arguments, repeats=3):
        runs = [watched([program, *arguments, "--quiet"]) for _ in range(repeats)]
        seconds, memory = min(seconds for seconds, _ in runs), max(memory for _, memory in runs)
        note = ""
        if self.last:
            power = math.log(seconds / self.last[1]) / math.log(size / self.last[0])
            note = f"grows with the power {power:.2f}"
        self.last = (size, seconds)
        row(f"{self.stage}, {size:,} {self.unit}", seconds, "s", memory=memory, note=note)


def sizes(first, last):
    size = first
    while size <= last:
        yield size
        size *= 10


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    stages = {name: Growth(name, "rows") for name in ("import", "filter kalman", "fit", "info", "beacons", "merge")}
    for count in sizes(10_000, most):
        raw, trace = folder / "raw.btsnoop", folder / "raw.h5"
        recording(raw, count)
        stages["import"].measure(count, "import", raw, "-o", folder / "imported.h5")
        for path in (raw, folder / "imported.h5"):
            path.unlink()
        filterable_trace(program, trace, count)
        stages["filter kalman"].measure(count, "filter", trace, "-o", folder / "filtered.h5", "--filter", "kalman")
        for name in ("info", "beacons"):
            stages[name].measure(count, name, trace)
        stages["merge"].measure(count, "merge", trace, "-o", folder / "merged.h5")
        for path in folder.glob("*.h5"):
            path.unlink()
        fittable_trace(program, trace, count)
        stages["fit"].measure(count, "fit", trace, "--by", "beacon", "-o", folder / "fit.json")
        trace.unlink()

    stages = {name: Growth(name + " of a million rows", "beacons") for name in ("import", "filter kalman", "beacons")}
    for count in sizes(10, 10_000):
        raw, trace = folder / "raw.btsnoop", folder / "raw.h5"
        recording(raw, 1_000_000, count)
        stages["import"].measure(count, "import", raw, "-o", trace)
        stages["filter kalman"].measure(count, "filter", trace, "-o", folder / "filtered.h5", "--filter", "kalman")
        stages["beacons"].measure(count, "beacons", trace)

    names = ("nearest-anchor", "maximum-likelihood", "kalman", "grid-filter", "particle-filter")
    stages = {name: Growth(f"locate {name}, 60 s", "anchors") for name in names}
    for count in sizes(10, 1000):
        room = folder / f"room-{count}"
        run("simulate", "--model", "simple", "--beacons", count, "--walks", 1, "--room", "40x40", "--interval", 0.5, "-o", room)
        run("fit", room / "distances.csv", "-o", room / "room.json")
        run("import", room / "walk-1.btsnoop", "--receiver", "phone", "--nodes", room / "nodes.csv", "-o", room / "room.h5")
        for name in names:
            stages[name].measure(count, "locate", room / "room.h5", "--calibration", room / "room.json", "--algorithm", name,
                                 "-o", folder / f"{name}.csv", repeats=1 if count > 100 else 3)
