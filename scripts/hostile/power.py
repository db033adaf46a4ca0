"""Kills and losses of power while a trace is captured, each with the possible remains of the files. See README.md.

A capture runs once under a library that logs its writes. A kill leaves all of them up to an instant. A loss of power
leaves what was synchronised, and of every page that was written since any version that it had, or none.
"""
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import trials

PAGE = 4096
REPORTS = 3000
EPOCH = 1_700_000_000_000_000
# The stages that read each outcome, by weight; all must exit with 0, and exports must be right. `info` reads
# many outcomes at once; its number of rows, last time and mean level must be right.
STAGES = {"info": 90, "export": 4, "repair": 2, "filter": 2, "beacons": 2}
BATCH = 40


def options():
    parser = trials.parser("power", __doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, metavar="N", help="losses of power (10000)")
    parser.add_argument("--kills", type=int, default=500, metavar="N", help="kills (500)")
    parser.add_argument("--seconds", type=float, default=3600, metavar="LIMIT", help="try no further outcome then (3600)")
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="runs at once (2)")
    parser.add_argument("--findings", type=Path, default=trials.ROOT / ".build/hostile", metavar="FOLDER",
                        help="where outcomes with a finding are kept (.build/hostile)")
    return parser.parse_args()


def recording():
    """Reports 1 ms apart; every 40th has a new address, beacon and payload."""
    data = bytearray(b"btsnoop\0" + struct.pack(">II", 1, 1002))
    for number in range(REPORTS):
        node = number // 40
        packet = bytes([0x04, 0x3E, 0x2A, 0x02, 0x01, 0x03, 0x01, node & 255, node >> 8, 0, 0xFF, 0xEE, 0xC0, 0x1E,
                        0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15, *range(16),
                        node >> 8, node & 255, 0, 1, 0xC5, 256 - level(number)])
        data += struct.pack(">IIIIq", len(packet), len(packet), 3, 0,
                            0x00DC_DDB3_0F2F_8000 + EPOCH + number * 1000) + packet
    return bytes(data)


def level(number):
    return 40 + number % 50


class Capture:
    """All changes of the files of one capture, in order."""

    def __init__(self, plan, work, sync_ms):
        folder = work / "capture"
        folder.mkdir()
        log, source = work / "log", work / "source.btsnoop"
        library = trials.library(Path(__file__).with_name("write_log.c"), work)
        source.write_bytes(recording())
        # The folder as the kernel names it, free of links.
        self.trace = Path(os.path.realpath(folder)) / "trace.h5"
        self.run(plan, ["capture", f"replay:{source}", "--speed", "1", "--flush", "200ms", "--distance", "2m",
                        "-o", str(self.trace)], work, LD_PRELOAD=str(library), WRITE_LOG=str(log),
                 WRITE_LOG_FOLDER=str(self.trace.parent), WRITE_LOG_SYNC_MS=str(sync_ms))
        self.changes = list(self.parse(log.read_bytes()))
        self.expected = self.run(plan, ["export", str(self.trace), "-o", "-", "--format", "ndjson"], work).splitlines()
        self.check_levels()
        # The first n rows have the last time and the mean level in line n of these.
        total, self.figures = 0, [None]
        for number in range(REPORTS):
            total -= level(number)
            end = datetime.fromtimestamp((EPOCH + number * 1000) / 1e6, timezone.utc)
            self.figures.append((end, total / (number + 1)))
        renamed = [n for n, (kind, _, _, name) in enumerate(self.changes) if kind == "r" and name == self.trace.name]
        self.first = renamed[0] + 1
        # Without a log, the trace must be synchronised.
        names = {Path(name).suffix: file for kind, file, _, name in reversed(self.changes) if kind == "r"}
        inode = names.get(".wal", names[".h5"])
        # After these, a kill may leave different rows.
        self.marks = [n + 1 for n, (kind, file, _, _) in enumerate(self.changes)
                      if kind in "rwu" and (file == inode or kind != "w") and n + 1 >= self.first]
        self.log_inode = inode

    @staticmethod
    def run(plan, command, work, **variables):
        ended = subprocess.run([plan.program, *command], env={**trials.environment(work), **variables}, capture_output=True)
        if ended.returncode:
            sys.exit(f"hostile power: rssi {' '.join(command)} ended with {ended.returncode}\n{ended.stderr.decode()}")
        return ended.stdout

    @staticmethod
    def parse(log):
        at = 0
        while at < len(log):
            kind, file, offset, length = struct.unpack_from("<4Q", log, at)
            at += 32
            content = log[at:at + length]
            at += length
            kind = chr(kind)
            yield kind, file, offset, Path(content.decode()).name if kind in "ru" else content

    def check_levels(self):
        rows = [json.loads(line) for line in self.expected]
        levels = [row["rssi_dbm"] for row in rows]
        if levels != [-level(number) for number in range(REPORTS)]:
            sys.exit("hostile power: the capture differs from the recording")

    def killed(self, end):
        """Returns the files after a kill before the change of that number."""
        return self.state(end, lambda file, base, full, later: full, end)

    def cut(self, end, chance):
        """Returns possible files after a loss of power."""
        ordered = chance.random() < 0.3
        share = chance.choice((0.02, 0.1, 0.5, 0.9, 0.98))

        def mixed(file, base, full, later):
            content = bytearray(base)
            if len(full) > len(content) and chance.random() < 0.8:
                content.extend(bytes(len(full) - len(content)))
            pages = sorted({page for _, offset, data in later
                            for page in range(offset // PAGE, (offset + max(1, len(data)) - 1) // PAGE + 1)})
            limit = chance.choice(pages) if pages else 0
            # Some pages are older than the newest, because the kernel wrote them in between.
            middle = full if chance.random() < 0.6 else bytes(
                apply(bytearray(base), later[:chance.randrange(len(later) + 1)]))
            for page in pages:
                span = slice(page * PAGE, min((page + 1) * PAGE, len(content)))
                if span.start >= span.stop or not (page <= limit if ordered else chance.random() < share):
                    continue
                version = middle if chance.random() < 0.3 else full
                content[span] = version[span].ljust(span.stop - span.start, b"\0")
            return bytes(content)

        synced = max((n for n, change in enumerate(self.changes[:end]) if change[0] == "e"), default=0)
        return self.state(end, mixed, chance.randrange(synced, end) + 1)

    def state(self, end, content, names_end):
        """Returns the files by name, from the changes before one, with the names before another."""
        names = {}
        for kind, file, _, name in self.changes[:names_end]:
            if kind == "r":
                names = {other: inode for other, inode in names.items() if inode != file}
                names[name] = file
            elif kind == "u":
                names.pop(name, None)
        files = {}
        for name, file in names.items():
            started, synced = 0, 0
            for number, (kind, inode, _, _) in enumerate(self.changes[:end]):
                if inode == file and kind == "s":
                    started = number
                elif inode == file and kind == "e":
                    synced = started
            changes = [(number, kind, offset, data) for number, (kind, inode, offset, data)
                       in enumerate(self.changes[:end]) if inode == file and kind in "wt"]
            split = bisect_left([number for number, *_ in changes], synced)
            changes = [change[1:] for change in changes]
            base = bytes(apply(bytearray(), changes[:split]))
            full = bytes(apply(bytearray(base), changes[split:]))
            files[name] = content(file, base, full, changes[split:])
        return files

    def synchronised(self, end):
        """Returns the change before another at which the log was last certainly synchronised."""
        started, synced = 0, 0
        for number, (kind, inode, _, _) in enumerate(self.changes[:end]):
            if inode == self.log_inode and kind == "s":
                started = number
            elif inode == self.log_inode and kind == "e":
                synced = started
        return synced


def apply(content, changes):
    for kind, offset, data in changes:
        if kind == "t":
            del content[offset:]
            content.extend(bytes(offset - len(content)))
        else:
            content.extend(bytes(max(0, offset - len(content))))
            content[offset:offset + len(data)] = data
    return content


class Trial:
    def __init__(self, plan, work):
        self.plan, self.work = plan, work
        chance = random.Random(plan.seed)
        self.sync_ms = chance.choice((0, 50, 300))
        self.capture = Capture(plan, work, self.sync_ms)
        self.chance = chance
        self.findings, self.results = [], {"kill": Counter(), "power": Counter()}
        self.missing = 0

    def rows_by_mark(self):
        """Returns the rows that a kill leaves at each change that affects them."""
        marks = self.capture.marks
        with ThreadPoolExecutor(self.plan.jobs) as pool:
            return list(pool.map(lambda mark: self.look("kill", mark, self.capture.killed(mark), "export"), marks))

    def go(self):
        begun = time.monotonic()
        capture, changes = self.capture, self.capture.changes
        self.rows = self.rows_by_mark()
        if None in self.rows or self.rows != sorted(self.rows) or self.rows[-1] != REPORTS:
            self.findings.append(f"kills leave {self.rows} rows, which is not all or not in order")
        jobs = []
        for _ in range(self.plan.kills):
            jobs.append(("kill", self.chance.randrange(capture.first, len(changes) + 1)))
        for _ in range(self.plan.count):
            jobs.append(("power", self.chance.randrange(capture.first, len(changes) + 1)))
        stages = self.chance.choices(list(STAGES), list(STAGES.values()), k=len(jobs))
        by_stage = {stage: [] for stage in STAGES}
        for job, stage in zip(jobs, stages):
            by_stage[stage].append((*job, self.chance.random()))
        size = {stage: BATCH if stage == "info" else 1 for stage in STAGES}
        batches = [(stage, some[first:first + size[stage]]) for stage, some in by_stage.items()
                   for first in range(0, len(some), size[stage])]
        self.chance.shuffle(batches)

        def batch(stage, jobs):
            if time.monotonic() - begun > self.plan.seconds:
                return
            states = []
            for kind, end, seed in jobs:
                files = capture.killed(end) if kind == "kill" else capture.cut(end, random.Random(seed))
                if capture.trace.name in files:
                    states.append((kind, end, files))
                else:
                    self.results[kind]["before there is a trace"] += 1
            counts = self.count(states) if stage == "info" else [self.look(*state, stage) for state in states]
            for (kind, end, files), rows in zip(states, counts):
                if rows is not None:
                    self.judge(kind, end, files, stage, rows)

        with ThreadPoolExecutor(self.plan.jobs) as pool:
            list(pool.map(lambda one: batch(*one), batches))
        self.report(time.monotonic() - begun)

    def judge(self, kind, end, files, stage, rows):
        most = self.known(end)
        least = most if kind == "kill" else self.known(self.capture.synchronised(end))
        self.missing = max(self.missing, most - rows)
        if least <= rows <= most:
            self.results[kind][stage] += 1
        else:
            self.find(kind, end, files, stage, f"{rows} rows where {least} to {most} have to be there")

    def count(self, states):
        """Returns the rows of each outcome, or None on a finding, from one run of `info`."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            paths = []
            for number, (_, _, files) in enumerate(states):
                place = Path(folder) / str(number)
                place.mkdir()
                for name, content in files.items():
                    (place / name).write_bytes(content)
                paths.append(str(place / self.capture.trace.name))
            ended = subprocess.run([self.plan.program, "info", *paths], env=trials.environment(folder), capture_output=True)
            blocks = re.split(r"^(?=/)", ended.stdout.decode(), flags=re.MULTILINE)[1:]
        if ended.returncode or len(blocks) != len(states):
            return [self.look(*state, "info") for state in states]
        return [self.rows_of(block, *state) for block, state in zip(blocks, states)]

    def rows_of(self, block, kind, end, files):
        """Returns the number of rows that `info` prints, if its other figures are those of the first rows."""
        text = dict(line.split(None, 1) for line in block.splitlines()[1:] if " " in line)
        rows = int(text["sightings"])
        if rows:
            last = datetime.fromisoformat(text["time"].split(" to ")[1])
            expected_last, mean = self.capture.figures[rows]
            if last != expected_last or f"{mean:.2f}" != text["RSSI"].split("mean ")[1].split()[0]:
                return self.find(kind, end, files, "info", f"{text}, and not the first {rows} rows received")
        return rows

    def known(self, end):
        """Returns the rows that a kill leaves before a change."""
        at = [mark for mark in self.capture.marks if mark <= end]
        return self.rows[len(at) - 1] if at else 0

    def look(self, kind, end, files, stage):
        """Runs a stage on an outcome; returns its rows, or None on a finding."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            folder = Path(folder)
            for name, content in files.items():
                (folder / name).write_bytes(content)
            path = str(folder / self.capture.trace.name)
            commands = {"export": [], "repair": [["repair", path]], "info": [["info", path, "--json"]],
                        "filter": [["filter", path, "-o", str(folder / "out.h5"), "--filter", "kalman:q=1,r=9"]],
                        "beacons": [["beacons", path, "--json"]]}[stage]
            for command in commands + [["export", path, "-o", "-", "--format", "ndjson"]]:
                ended = subprocess.run([self.plan.program, *command], env=trials.environment(folder), capture_output=True)
                if ended.returncode:
                    return self.find(kind, end, files, command[0],
                                     f"ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[:300]}")
            left = [name for name in os.listdir(folder) if name.startswith(".rssi-") and name not in files]
            if left:
                return self.find(kind, end, files, stage, f"left {left}")
        lines = ended.stdout.splitlines()
        if lines != self.capture.expected[:len(lines)]:
            return self.find(kind, end, files, stage, f"{len(lines)} rows, which are not the first that were received")
        return len(lines)

    def find(self, kind, end, files, stage, problem):
        number = len(self.findings)
        kept = self.plan.findings / f"power-{self.plan.seed}-{number}"
        kept.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (kept / name).write_bytes(content)
        text = f"{kind} before change {end} of {len(self.capture.changes)}, {stage}: {problem}\n  files: {kept}"
        self.findings.append(text)
        print(text, flush=True)

    def report(self, seconds):
        stages = [*STAGES, "before there is a trace"]
        print(f"\n{'right':24}" + "".join(f"{kind:>10}" for kind in self.results))
        for stage in stages:
            print(f"{stage:24}" + "".join(f"{self.results[kind][stage] or '':>10}" for kind in self.results))
        tried = {kind: sum(counts.values()) for kind, counts in self.results.items()}
        print(f"seed {self.plan.seed}: {tried['kill']} kills and {tried['power']} losses of power in {seconds:.0f} s, "
              f"at {len(self.capture.changes)} changes, synchronisations {self.sync_ms} ms longer; "
              f"at most {self.missing} of {REPORTS} rows missing; {len(self.findings)} findings")


def main():
    plan = options()
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="rssi-power-", dir=place) as work:
        trial = Trial(plan, Path(work))
        trial.go()
    sys.exit(1 if trial.findings else 0)


if __name__ == "__main__":
    main()
