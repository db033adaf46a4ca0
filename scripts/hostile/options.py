"""Every option of every stage with values of every kind, and at both ends of the range that its message names.

Stages and options come from the program's own declarations, ranges from its own messages. See README.md.
"""
import json
import math
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from queue import SimpleQueue
from random import Random

import trials

# Longer than for damaged files: ends of ranges ask for much work.
LONGEST_CPU_S = 60
BROKER = "mqtt://127.0.0.1:1/x"
IDENTITY = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7"
WALK = "--calibration calibration.json"
# Command lines that end soon, one per kind of input of a stage; OUT is a new file.
STAGES = {
    "capture": ["capture replay:walk-1.btsnoop --speed max --no-pack -o OUT.h5", "capture user:0 -o OUT.h5",
                f"capture {BROKER} -o OUT.h5"],
    "import": ["import walk-1.btsnoop --receiver phone --nodes nodes.csv --truth truth.csv -o OUT.h5"],
    "filter": ["filter trace.h5 -o OUT.h5", "filter trace.h5 --compare kalman --json"],
    "fit": ["fit distances.csv -o OUT.json", "fit trace.h5 -o OUT.json",
            "fit distances.csv --model fixed-exponent -o OUT.json",
            "fit distances.csv --estimator censored -o OUT.json", "fit trace.h5 --links --json"],
    "calibrate": ["calibrate distances.csv --all-beacons --json",
                  "calibrate replay:walk-1.btsnoop --speed max --yes --all-beacons --json",
                  "calibrate walk-1.btsnoop --distance 1m --all-beacons --json", "calibrate user:0 --yes"],
    "map": [f"map trace.h5 {WALK} -o OUT.h5", "map trace.h5 --check-anchors --beacons OUT.csv --json"],
    "locate": [f"locate trace.h5 {WALK} --algorithm weighted-centroid -o OUT.csv",
               f"locate replay:walk-1.btsnoop --speed max {WALK} --nodes nodes.csv "
               "--algorithm weighted-centroid -o -",
               f"locate trace.h5 {WALK} --site site.toml --spots --events -o -"],
    "eval": [f"eval trace.h5 {WALK} --algorithms weighted-centroid --json"],
    "watch": ["watch replay:walk-1.btsnoop --speed max", f"watch trace.h5 {WALK} --format ndjson", "watch user:0"],
    "serve": [f"serve trace.h5 {WALK} --algorithm weighted-centroid --speed max --listen 0 --duration 1s"],
    "advertise": [f"advertise {IDENTITY} --measured-power -59 --print",
                  f"advertise {IDENTITY} --measured-power -59 --tlm --print", f"advertise {IDENTITY} user:0"],
    "session start": ["session start abc replay:walk-1.btsnoop --broker mqtt://127.0.0.1:1 -o OUT.h5"],
    "session join": ["session join abc replay:walk-1.btsnoop --broker mqtt://127.0.0.1:1 -o OUT.h5"],
    "session who": ["session who abc --broker mqtt://127.0.0.1:1"],
    "session stop": ["session stop abc --broker mqtt://127.0.0.1:1"],
    "session merge": ["session merge part-1.h5 part-2.h5 -o OUT.h5"],
    "registry pull": ["registry pull http://127.0.0.1:1/list -o OUT.json"],
    "registry import": ["registry import registry.json -o OUT.json"],
    "registry check": ["registry check registry.json"],
    "registry list": ["registry list registry.json"],
    "registry where": ["registry where"],
    "benchmark list": ["benchmark list --recipes recipes"],
    "benchmark fetch": ["benchmark fetch recipes/walks.toml --to OUT"],
    "benchmark run": ["benchmark run recipes/walks.toml --from . --report OUT"],
    "rooms train": ["rooms train trace.h5 --labels stays.csv -o OUT.json",
                    "rooms train --radio-map map.h5 --site site.toml -o OUT.json"],
    "rooms eval": ["rooms eval trace.h5 --labels stays.csv --rooms rooms.json --json"],
    "simulate": ["simulate -o OUT --walks 1 --duration 2", "simulate -o OUT --rest 1s"],
    "beacons": ["beacons trace.h5 --json"],
    "info": ["info trace.h5 --json"],
    "export": ["export trace.h5 -o OUT.csv", "export trace.h5 --filtered kalman -o OUT.ndjson"],
    "merge": ["merge trace.h5 bare.h5 -o OUT.h5"],
    "pack": ["pack trace.h5 -o OUT.h5"],
    "repair": ["repair live.h5 -o OUT.h5"],
    "doctor": ["doctor"],
}
# Options with specifications NAME:PARAMETER=VALUE, whose names and parameters the program's messages list.
SPECIFICATIONS = {
    "filter": ("filter trace.h5 -o OUT.h5", "--filter"),
    "eval": (f"eval trace.h5 {WALK} --in-sample --survey trace.h5 --json", "--algorithms"),
}
NUMBERS = ["NaN", "-nan", "inf", "-inf", "Infinity", "1e300", "-1e300", "1e-300", "0", "-0", "-1", "1", "2", "0.5", "3",
           "100", "1000000", "4294967296", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
           "18446744073709551615", "18446744073709551616", "1e18", "1e19", "-1e19", "9" * 40, "0x10", "1_000",
           "１", "1e", "+1", "1,5", ".5", "5."]
TIMES = ["1s", "0s", "-1s", "-0s", "1ms", "1e-9s", "0.1ms", "106751d", "106752d", "1e9d", "9e18s", "292y", "1h", "1d",
         "19h", "NaNs", "infs", "1e300s", "-1e300d", "9223372036s", "9223372037s", "1w", "s", "ms", "10m", "1.5m"]
SIZES = ["1GB", "1e30GB", "16EiB", "8EiB", "1B", "0B", "-1GB", "0.1B", "NaNGB", "1KiB", "GB"]
SHARES = ["1/1", "0/1", "1/0", "2/1", "1/999999999999", "-1/2", "1/2/3", "/", f"{2**63 - 1}/{2**63 - 1}", f"1/{2**63}"]
DATES = ["2026-01-31T12:00:00Z", "0000-00-00T00:00:00Z", "9999-12-31T23:59:59Z", "1677-01-01T00:00:00Z",
         "2262-04-11T23:47:16.854775807Z", "2024-02-30T00:00:00Z", "1704067200", "-9e18", "@1", "+0s", "+1e18", "+-1s",
         "9e9", "-9e9", "1e10", "+106751d"]
PLACES = ["1,2", "1,2,3", "1,2,3,4", "0,0,0,0", "-1e6,-1e6,1e6,1e6", "1e300,1e300", "NaN,NaN", "inf,0,0", "0,0,1,1",
          "1mx2m", "5x5", "0x0", "1e300x1", "0,0,1e-300,1e-300", "b=1,2,3", "phone=1,2,3", "1s,2s", "10s,1s", "0s,0s"]
PATTERNS = ["*", "**", "?", "[", "]", "[a-", "[!", "\\", "*" * 300, "?*" * 100, "ibeacon", "ibeacon:*", "a=*@1,2",
            "=*", "*@", "*@0,0", "*@1e300,2e300", "a=*@1,2@3", "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365",
            IDENTITY, "FF:FF:FF:FF:FF:FF", "0xFFFF", "0x10000", "00:00:00:00:00:00", "*:*:*", "ibeacon:*:65536:-1"]
WORDS = ["", " ", "a", "a" * 5000, "é" * 100, "%s%n%x", "../../x", "/dev/null", "/", ".", "-", "--", "=", "a=b", ",",
         ",,,", "none", "all", "max", "estimate", "stay", "place", "coded", "1m,coded", "trace.h5", "missing.h5", "nodes.csv",
         "calibration.json", "registry.json", "site.toml", "fifo", "\x1b[2J", "\u202e", "\x7f", "a\nb", "\u009b31m", "'", '"',
         "mqtt://127.0.0.1:1/", "mqtt://", "http://[", "nats://127.0.0.1:1/S", "127.0.0.1:0", "0", "[::1]:0", "x:99999"]
FILTERS = ["kalman", "kalman:q=1e300,r=1e300", "kalman:q=1e-300,r=1e-300", "median:window=106751d", "mean:window=1e-9s",
           "fixed-lag:lag=106751d", "ewma:tau=106751d", "hampel:window=1d,k=1e300", "x:y=z", "kalman:", ":", "kalman:q",
           "kalman:q=NaN", "local-polynomial:window=1s,degree=99999999999999999999", "kalman,kalman", "one-euro:x=1"]
# A time without an upper end in its message.
LONG = ["36500d", "104166d"]
# Values that determine the amount of work: the upper end may take any time.
HEAVY = {"--duration", "particles", "--walks", "--beacons"}
VALUES = [NUMBERS, TIMES, SIZES, SHARES, DATES, PLACES, PATTERNS, WORDS, FILTERS]
UNIT_NS = {"ms": Decimal(10**6), "s": Decimal(10**9), "m": Decimal(60 * 10**9), "h": Decimal(3600 * 10**9),
           "d": Decimal(86400 * 10**9)}
NUMBER = r"-?(?:\d[\d,]*\.?\d*(?:e[+-]?\d+)?|\.\d+)"
UNIT = r"(?:ms|s|m|h|d|[KMGT]i?B)?"
RANGES = [re.compile(pattern) for pattern in (
    rf"(?P<low>{NUMBER}{UNIT})(?: \w+)? (?:to|and) (?P<below>below )?(?P<high>{NUMBER}{UNIT})(?![\w-])",
    rf"(?P<above>above )(?P<low>{NUMBER}{UNIT})(?:, at most (?P<high>{NUMBER}{UNIT}))?(?![\w-])",
    rf"(?:at most|up to) (?P<high>{NUMBER}{UNIT})(?![\w-])",
    rf"(?:at least |from )(?P<low>{NUMBER}{UNIT})(?![\w-])",
    rf"(?P<low>{NUMBER}{UNIT}) or more(?![\w-])")]


def options():
    parser = trials.parser("options", __doc__)
    parser.add_argument("--count", type=int, default=12000, metavar="N", help="command lines with values (12000)")
    parser.add_argument("--no-ends", action="store_true", help="omit the ends of ranges")
    parser.add_argument("--seconds", type=float, default=3600, metavar="LIMIT", help="begin no further line then (3600)")
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="runs at once (2)")
    parser.add_argument("--stages", metavar="NAME,...", help="only these, such as fit,eval (all)")
    return parser.parse_args()


def declared(program):
    """Returns the options of each stage: their names, and the name of their value."""
    text = subprocess.run([program, "--experimental-dump-help"], capture_output=True, check=True).stdout

    def leaves(command, path):
        subcommands = [one for one in command.get("subcommands", []) if one["commandName"] != "help"]
        if not subcommands:
            yield " ".join(path), [
                (("--" if one["preferredName"]["kind"] == "long" else "-") + one["preferredName"]["name"],
                 one["valueName"]) for one in command.get("arguments", []) if one["kind"] == "option"]
        for one in subcommands:
            yield from leaves(one, [*path, one["commandName"]])

    return dict(leaves(json.loads(text)["command"], []))


def beyond(text, sign):
    """Returns a value slightly outside of a range that ends with this text."""
    number, unit = re.fullmatch(rf"({NUMBER})({UNIT})", text).groups()
    value = Decimal(number.replace(",", ""))
    if not unit and value == value.to_integral_value() and abs(value) < 10**15:
        return f"{value + sign}"
    if not unit:
        return repr(math.nextafter(float(value), sign * math.inf) + sign * abs(float(value)) * 1e-6)
    step = 1 if unit.endswith("B") else Decimal(10**6) / UNIT_NS[unit]
    return f"{value + sign * step:f}{unit}"


def named_range(message):
    """Returns the ends of the range in a message, as written, and for each whether it is inside."""
    for pattern in RANGES:
        if found := pattern.search(message):
            parts = {"below": None, "above": None, "low": None, "high": None, **found.groupdict()}
            return parts["low"], parts["high"], not parts["above"], not parts["below"]
    return None


class Trial:
    def __init__(self, plan, work):
        self.plan, self.work = plan, work
        self.base = work / "base"
        self.base.mkdir()
        trials.make_base(str(plan.program), self.base)
        self.stages = declared(plan.program)
        unknown = set(self.stages) - set(STAGES)
        if unknown:
            trials.refuse(1, f"no command line for the stage {', '.join(sorted(unknown))}: add it to STAGES")
        if plan.stages:
            chosen = plan.stages.split(",")
            self.stages = {name: given for name, given in self.stages.items() if name in chosen}
        self.runners = SimpleQueue()
        for number in range(plan.jobs):
            folder = work / f"runs-{number}"
            folder.mkdir()
            for path in self.base.iterdir():
                (folder / path.name).symlink_to(path)
            subprocess.run(["mkfifo", folder / "fifo"], check=True)
            (folder / "empty").touch()
            self.runners.put((folder, trials.runner()))
        self.kept = {path.name for path in folder.iterdir()} | {"stdout", "stderr"}
        self.lock = threading.Lock()
        self.codes, self.ends, self.findings = defaultdict(Counter), Counter(), []
        self.most = (0, ""), (0, "")
        self.started = time.monotonic()

    @property
    def is_over(self):
        return time.monotonic() - self.started > self.plan.seconds

    def run(self, stage, command, extra):
        """Runs a command line; returns its exit code and its message."""
        folder, runner = self.runners.get()
        try:
            words = [word.replace("OUT", "out") for word in shlex.split(command)]
            # The last one counts, but a repeated option may be refused.
            for option in {word.partition("=")[0] for word in extra}:
                if option in words:
                    place = words.index(option)
                    del words[place:place + 2]
            words = [str(self.plan.program), *words, *extra]
            # A live page of a replay stays until it is stopped.
            if stage == "serve":
                words = ["timeout", "--preserve-status", "-s", "TERM", "20", *words]
            job = {"folder": str(folder), "command": words, "environment": trials.environment(folder), "input": "empty",
                   "cpu": LONGEST_CPU_S, "wall": trials.WALL_S, "address_space": trials.ADDRESS_SPACE,
                   "file_size": trials.FILE_SIZE}
            runner.stdin.write(json.dumps(job) + "\n")
            runner.stdin.flush()
            result = json.loads(runner.stdout.readline())
            message = (folder / "stderr").read_text(errors="replace").strip()
            for path in folder.iterdir():
                if path.name not in self.kept:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
        finally:
            self.runners.put((folder, runner))
        line = shlex.join(words[1:] if words[0] != "timeout" else words[6:])
        with self.lock:
            self.codes[stage][result["code"]] += 1
            self.most = (max(self.most[0], (result["rss_mb"], line)), max(self.most[1], (result["wall_s"], line)))
        code = result["code"]
        # Other work on the machine slows a run, but does not give it processor time.
        if result["wall_s"] >= trials.WALL_S or result["cpu_s"] > LONGEST_CPU_S - 2:
            self.found(line, f"did not end within {LONGEST_CPU_S} s of processor time, {trials.WALL_S} s in all")
        elif code < 0 or code >= 128:
            self.found(line, f"ended by signal {-code if code < 0 else code - 128}: {message[-200:]!r}")
        elif code not in trials.DOCUMENTED:
            self.found(line, f"ended with {code}, which is not documented")
        elif code and not message:
            self.found(line, f"ended with {code} and no message")
        if result["rss_mb"] > trials.MEMORY_MB:
            self.found(line, f"took {result['rss_mb']:.0f} MB")
        return code, message

    def found(self, line, problem):
        with self.lock:
            self.findings.append((line, problem))
            print(f"{problem}\n  rssi {line[:300]}", flush=True)

    # Ends of ranges.

    def try_ends(self, stage, option, isTime, write=lambda value: value, commands=None):
        """Runs an option at both ends of each range that its message names, and just beyond them."""
        for command in commands or STAGES[stage]:
            if self.is_over:
                return
            refusals = {}
            for value in ("-1e9s", "999999999d") if isTime else ("-1e9", "1e300"):
                code, message = self.run(stage, command, [f"{option}={write(value)}"])
                if code == 64 and (ends := named_range(self.problem(message, write(value)))):
                    refusals[ends] = message
                    if ends[0] and ends[1]:
                        break
            for (low, high, has_low, has_high), message in refusals.items():
                if high is None and isTime:
                    for text in LONG:
                        self.run(stage, command, [f"{option}={write(text)}"])
                for text, sign, isInside in ((low, -1, has_low), (high, 1, has_high)):
                    if text is None:
                        continue
                    self.try_end(stage, command, option, write, text.replace(",", ""), sign, isInside, message)

    def try_end(self, stage, command, option, write, text, sign, isInside, refusal):
        for value, isValid in ((text, isInside), (beyond(text, sign), False)):
            if sign > 0 and isValid and stage in ("simulate", "eval") and any(name in write(option) for name in HEAVY):
                continue
            extra = [f"{option}={write(value)}"]
            code, message = self.run(stage, command, extra)
            with self.lock:
                self.ends[stage] += 1
            isRefused = code == 64 and named_range(self.problem(message, write(value))) == named_range(refusal)
            line = f"{command} {extra[0]}"
            if isValid and isRefused:
                self.found(line, f"the end of the range is refused: {message[:200]!r}")
            elif not isValid and not isRefused and code != 64:
                self.found(line, f"a value outside of the range is taken (exit {code}), but it says: {refusal[:200]!r}")

    @staticmethod
    def problem(message, value):
        """Returns the first line of a message without the quoted value and the name of the option."""
        lines = [line for line in message.splitlines() if line.startswith("rssi: ")]
        return (lines or [""])[0].replace(value, "VALUE") if value else (lines or [""])[0]

    def specifications(self, stage):
        """Yields each parameter of each kind that an option names."""
        command, option = SPECIFICATIONS[stage]
        _, message = self.run(stage, command, [f"{option}=nonsense"])
        listed = re.search(r"(?:there are|choose from) ([a-z0-9, -]+)", message)
        for kind in re.findall(r"[a-z0-9-]+", listed.group(1)) if listed else []:
            _, message = self.run(stage, command, [f"{option}={kind}:nonsense=1"])
            listed_parameters = re.search(r"; it has ([a-z0-9, -]+)", message)
            for parameter in re.findall(r"[a-z0-9-]+", listed_parameters.group(1)) if listed_parameters else []:
                yield command, option, kind, parameter

    def ends_to_try(self):
        for stage, given in self.stages.items():
            for option, value in given:
                if value not in ("file", "name", "beacon", "text", "folder", "program", "url", "address", "filter",
                                 "kind", "device", "model", "estimator", "host:port"):
                    isTime = "time" in value
                    yield lambda stage=stage, option=option, isTime=isTime: self.try_ends(stage, option, isTime)
        for stage in SPECIFICATIONS:
            if stage in self.stages:
                for command, option, kind, parameter in self.specifications(stage):
                    yield lambda stage=stage, command=command, option=option, kind=kind, parameter=parameter: (
                        self.try_ends(stage, option, False, lambda value: f"{kind}:{parameter}={value}", [command]))

    # Values of every kind.

    def line(self, number):
        random = Random(f"{self.plan.seed} {number}")
        pairs = [(stage, option) for stage, given in self.stages.items() for option, _ in given]
        # Each pair in turn, so that none is left out.
        stage, option = pairs[number % len(pairs)]
        extra = []
        for name in [option, *random.sample([name for name, _ in self.stages[stage]], random.random() < 0.25)]:
            value = random.choice(random.choice(VALUES))
            if random.random() < 0.15:
                value = mutated(value, random)
            extra.append(f"{name}={value}" if name.startswith("--") else f"{name}{value}")
        return stage, random.choice(STAGES[stage]), extra

    def go(self):
        with ThreadPoolExecutor(self.plan.jobs) as pool:
            tried = 0
            if not self.plan.no_ends:
                for job in [pool.submit(job) for job in self.ends_to_try()]:
                    job.result()
                self.report_ends()
            for job in [pool.submit(self.try_line, number) for number in range(self.plan.count)]:
                tried += job.result()
        self.report(tried)

    def report_ends(self):
        print(f"{sum(self.ends.values())} runs at the ends of ranges and beyond them: "
              + ", ".join(f"{stage} {count}" for stage, count in sorted(self.ends.items())), flush=True)

    def try_line(self, number):
        if self.is_over:
            return 0
        self.run(*self.line(number))
        return 1

    def report(self, tried):
        codes = sorted({code for counts in self.codes.values() for code in counts})
        print(f"\n{'stage':18}" + "".join(f"{code:>8}" for code in codes))
        for stage in sorted(self.codes):
            print(f"{stage:18}" + "".join(f"{self.codes[stage][code] or '':>8}" for code in codes))
        (memory, heavy), (wall, slow) = self.most
        print(f"most memory {memory:.0f} MB (rssi {heavy[:120]}), longest {wall:.1f} s (rssi {slow[:120]})")
        if tried < self.plan.count:
            print(f"{self.plan.count - tried} of {self.plan.count} command lines were not tried: time was over")
        runs = sum(sum(counts.values()) for counts in self.codes.values())
        print(f"seed {self.plan.seed}: {tried} command lines with values, {runs} runs in all, "
              f"{time.monotonic() - self.started:.0f} s: {len(self.findings)} failed")


def mutated(value, random):
    place = random.randrange(len(value) + 1)
    piece = random.choice(["", "0" * 20, "9" * 20, "-", ".", "e", ",", ":", "=", "/", "\u0007", "\U0001F600", " "])
    return value[:place] + piece + value[place + random.randrange(2):]


def main():
    plan = options()
    with tempfile.TemporaryDirectory(prefix="rssi-hostile-") as work:
        trial = Trial(plan, Path(work))
        trial.go()
    sys.exit(1 if trial.findings else 0)


if __name__ == "__main__":
    main()
