"""The table of all benchmarks: the work, our time, a peer's time, the ratio, our peak memory.

    table.py BENCH [--json NEW.json] [--against OLD] [--threshold 5%] [--runs 7] [ARGUMENT ...]
        runs a benchmark and compares it with an earlier one, as scripts/bench/run describes

A benchmark imports `timed`, `watched`, `microbench`, `reserved_port` and `row`; one with a table of its own hands `record` its figures.
Rows also go to the file that RSSI_BENCH_ROWS names, as lines of JSON. RSSI_BENCH_PROGRAMS names the folder of the programs
to measure.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The sockets of reserved ports, until the end.
RESERVED = []


def reserved_port():
    """Reserves a port: a socket that never listens keeps it, and a server can still use it."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    RESERVED.append(holder)
    return holder.getsockname()[1]


def timed(action, repeats=3):
    """Returns the best wall time of a few runs, in seconds."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def watched(command, output=subprocess.DEVNULL):
    """Returns the wall time of a command in seconds, and its peak memory in MB; its output goes to `output`."""
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
    """Returns the rows of `rssi-bench` by name (count, seconds, rest of the line), and its peak memory in MB."""
    with tempfile.TemporaryFile("w+") as output:
        _, memory = watched([bench, *arguments], output)
        output.seek(0)
        lines = [line.split() for line in output]
    return {name: (int(count), float(seconds), *map(float, more)) for name, count, seconds, *more in lines}, memory


def is_rate(unit):
    """Returns whether more is better."""
    return unit.endswith("/s")


def row(work, ours, unit, peer_name="", peer=None, memory=None, note=""):
    """Prints a row; both times are in the unit, and the memory in MB is of our process."""
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
    """Returns the rows of a run, the last of each work."""
    return list({entry["work"]: entry for entry in map(json.loads, Path(path).read_text().splitlines())}.values())


def median(runs):
    """Returns the rows of several runs: the medians of the figures of each work."""
    works = {}
    for entry in (entry for run in runs for entry in run):
        works.setdefault(entry["work"], []).append(entry)

    def middle(entries, key):
        values = [entry[key] for entry in entries if entry.get(key) is not None]
        return statistics.median(values) if values else None

    figures = ("ours", "peer", "ratio", "memory_mb")
    return [{**entries[-1], **{key: middle(entries, key) for key in figures if key in entries[-1]}}
            for entries in works.values()]


def changes(old, new, threshold):
    """Returns the changes by more than a share, as (work, factor); above 1 is slower."""
    before = {entry["work"]: entry for entry in old}
    for entry in new:
        known = before.get(entry["work"])
        if known and known["unit"] == entry["unit"] and known["ours"] > 0 and entry["ours"] > 0:
            factor = entry["ours"] / known["ours"]
            factor = 1 / factor if is_rate(entry["unit"]) else factor
            if not 1 / (1 + threshold) <= factor <= 1 + threshold:
                yield entry["work"], factor


def percentage(text):
    """Reads a share such as 5%."""
    try:
        share = float(text[:-1]) / 100 if text.endswith("%") else -1
    except ValueError:
        share = -1
    if not 0 < share < 10:
        raise argparse.ArgumentTypeError(f"expected a percentage such as 5%, found {text}")
    return share


def count(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1 run, found {text}")
    return int(text)


def measured(command, programs=None):
    """Returns the rows of one run of a benchmark.

    programs: the folder of the programs to measure; None = those of this repository, which are built.
    """
    with tempfile.NamedTemporaryFile() as rows:
        environment = {**os.environ, "RSSI_BENCH_ROWS": rows.name}
        if programs:
            environment["RSSI_BENCH_PROGRAMS"] = str(programs.absolute())
        if code := subprocess.run(command, env=environment).returncode:
            sys.exit(code)
        return gathered(rows.name)


def earlier(path, parser):
    """Returns the rows of an earlier run, or None if the path is a folder of programs."""
    if path.is_dir():
        if not (path / "rssi").exists():
            parser.error(f"--against {path}: the folder of an earlier build contains rssi (and rssi-bench)")
        return None
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        parser.error(f"--against {path}: expected the rows of an earlier run or the folder of a build ({error})")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench/run")
    parser.add_argument("--json", type=Path, metavar="NEW.json")
    parser.add_argument("--against", type=Path, metavar="OLD")
    parser.add_argument("--threshold", type=percentage, default=0.1, metavar="5%%")
    parser.add_argument("--runs", type=count, default=1, metavar="N")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(sys.argv[2:])
    command = [sys.argv[1], *options.arguments]
    before = earlier(options.against, parser) if options.against else None
    old, new = [], []
    for number in range(options.runs):
        # Alternately, each as often first, so that other load on the machine affects both alike.
        first = number % 2 == 0
        for is_old in (first, not first) if options.against and before is None else (False,):
            (old if is_old else new).append(measured(command, options.against if is_old else None))
    new = median(new)
    if options.json:
        options.json.write_text(json.dumps(new, indent=1) + "\n")
    if not options.against:
        return 0
    found = sorted(changes(before if before is not None else median(old), new, options.threshold),
                   key=lambda change: -change[1])
    change = f"changed by more than {options.threshold * 100:g} %"
    runs = f", medians of {options.runs} runs" if options.runs > 1 else ""
    print(f"\nAgainst {options.against}{runs}: {'' if found else 'nothing '}{change}")
    for work, factor in found:
        print(f"{work:<50} " + (f"{factor:.2f} × slower" if factor > 1 else f"{1 / factor:.2f} × faster"))
    return 1 if any(factor > 1 for _, factor in found) else 0


if __name__ == "__main__":
    sys.exit(main())
