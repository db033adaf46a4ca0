"""The table that all benchmarks print into: the work, ours, a peer doing the same, the ratio, our peak memory.

    bench_table.py ROWS JSON [OLD.json]     gathers the rows of a run into a file, and compares it with an earlier one

A benchmark imports `timed`, `watched`, `microbench` and `row`; one with a table of its own hands `record` its figures.
Rows also go to the file that RSSI_BENCH_ROWS names, as lines of JSON. The comparison
lists what became slower or faster by more than a tenth; it exits with 1 where something became slower.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

notable = 0.1


def timed(action, repeats=3):
    """The best wall time of a few runs, in seconds."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def watched(command, output=subprocess.DEVNULL):
    """The wall time of a command in seconds, and its peak memory in MB; what it prints goes to `output`."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=output)
    memory = 0
    while process.poll() is None:
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                memory = int(line.split()[1]) / 1024
        time.sleep(0.01)
    assert process.returncode == 0, command
    return time.perf_counter() - start, memory


def microbench(bench, *arguments):
    """What `rssi-bench` prints, by name: how many, seconds, and what else is in the line; and its peak memory in MB."""
    with tempfile.TemporaryFile("w+") as output:
        _, memory = watched([bench, *arguments], output)
        output.seek(0)
        lines = [line.split() for line in output]
    return {name: (int(count), float(seconds), *map(float, more)) for name, count, seconds, *more in lines}, memory


def is_rate(unit):
    """Whether more is better."""
    return unit.endswith("/s")


def row(work, ours, unit, peer_name="", peer=None, memory=None, note=""):
    """Prints a row; ours and the peer's are in the unit, MB of memory are of our process."""
    ratio = None if peer is None else (ours / peer if is_rate(unit) else peer / ours)
    text = f"{work:<50} {ours:12,.4g} {unit:<10}"
    if peer is not None:
        text += f" {peer_name:<36} {peer:12,.4g}   {ratio:9,.3g} ×"
    if memory is not None:
        text += f"   {memory:,.0f} MB"
    print(text + (f"   {note}" if note else ""), flush=True)
    record(work, ours, unit, peer_name, peer, memory)


def record(work, ours, unit, peer_name="", peer=None, memory=None):
    """Keeps a row for the comparison of runs, without printing it."""
    ratio = None if peer is None else (ours / peer if is_rate(unit) else peer / ours)
    if path := os.environ.get("RSSI_BENCH_ROWS"):
        with open(path, "a") as file:
            print(json.dumps({"work": work, "ours": ours, "unit": unit, "peer_name": peer_name or None, "peer": peer,
                              "ratio": ratio, "memory_mb": memory}), file=file)


def gathered(path):
    """The rows of a run, the last of each work."""
    return list({entry["work"]: entry for entry in map(json.loads, Path(path).read_text().splitlines())}.values())


def changes(old, new):
    """What changed by more than a tenth, as (work, factor); above 1 is slower."""
    before = {entry["work"]: entry for entry in old}
    for entry in new:
        known = before.get(entry["work"])
        if known and known["unit"] == entry["unit"] and known["ours"] > 0 and entry["ours"] > 0:
            factor = entry["ours"] / known["ours"]
            factor = 1 / factor if is_rate(entry["unit"]) else factor
            if not 1 / (1 + notable) <= factor <= 1 + notable:
                yield entry["work"], factor


def main():
    rows, target, *old = sys.argv[1:]
    new = gathered(rows)
    Path(target).write_text(json.dumps(new, indent=1) + "\n")
    if not old:
        return 0
    found = sorted(changes(json.loads(Path(old[0]).read_text()), new), key=lambda change: -change[1])
    print(f"\nAgainst {old[0]}: " + ("what changed by more than a tenth" if found else "nothing changed by more than a tenth"))
    for work, factor in found:
        print(f"{work:<50} " + (f"{factor:.2f} × slower" if factor > 1 else f"{1 / factor:.2f} × faster"))
    return 1 if any(factor > 1 for _, factor in found) else 0


if __name__ == "__main__":
    sys.exit(main())
