"""Crafted HDF5 files and mutants of every format, each through stages that read it. See README.md."""
import hashlib
import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random

import hdf5
import mutants
import trials
from trials import ADDRESS_SPACE, CPU_S, DOCUMENTED, FILE_SIZE, MEMORY_MB, ROOT, WALK, WALL_S, environment, refuse

# IN is the hostile file; other files of this folder are further inputs, out.* are outputs.
STAGES = {
    "hdf5": {
        "info": "info IN --json",
        "beacons": "beacons IN --json",
        "filter": "filter IN -o out.h5 --filter kalman:q=1,r=9",
        "filter-learn": "filter IN -o out.h5",
        "filter-compare": "filter IN --compare kalman --json",
        "fit": "fit IN -o out.json",
        "fit-filtered": "fit IN --filtered kalman --json",
        "fit-merge": "fit --merge IN -o out.json",
        "calibrate": "calibrate IN --all-beacons --json",
        "eval": f"eval IN {WALK} --algorithms weighted-centroid --json",
        "eval-calibration": "eval trace.h5 --calibration IN --in-sample --algorithms weighted-centroid --json",
        "eval-survey": f"eval trace.h5 {WALK} --survey IN --in-sample --algorithms fingerprint --json",
        "map": f"map IN {WALK} -o out.h5 --json",
        "eval-map": "eval trace.h5 --radio-map IN --in-sample --algorithms gaussian-process --json",
        "locate": f"locate IN {WALK} --algorithm weighted-centroid -o out.csv",
        "locate-trace": f"locate IN {WALK} --epoch 4s -o out.h5",
        "export-csv": "export IN -o out.csv",
        "export-ndjson": "export IN -o out.ndjson",
        "export-btsnoop": "export IN -o out.btsnoop",
        "export-filtered": "export IN --filtered kalman -o out.csv",
        "watch": f"watch IN {WALK}",
        "pack": "pack IN -o out.h5",
        "repair": "repair IN -o out.h5",
        "session-merge": "session merge IN part-2.h5 -o out.h5",
        "rooms-train": "rooms train IN --labels stays.csv -o out.json",
        "rooms-eval": "rooms eval IN --labels stays.csv --rooms rooms.json --json",
    },
    "capture": {
        "import": "import IN -o out.h5",
        "beacons": "beacons IN -o out.csv",
        "replay": "capture replay:IN --speed max -o out.h5",
        "watch-replay": "watch replay:IN --speed max",
        "calibrate": "calibrate IN --distance 1m --all-beacons --json",
    },
    "table": {
        "import": "import IN -o out.h5",
        "fit": "fit IN -o out.json",
        "calibrate": "calibrate IN --all-beacons --json",
    },
    "ndjson": {
        "import": "import IN -o out.h5",
        "filter": "filter - --filter kalman:q=1,r=9",
        "fit": "fit - -o out.json",
        "watch": "watch -",
        "locate": f"locate - --nodes nodes.csv {WALK}",
    },
    "nodes": {
        "import": "import walk-1.btsnoop --nodes IN -o out.h5",
        "locate": f"locate bare.h5 --nodes IN {WALK} --epoch 4s -o out.csv",
    },
    "truth": {"import": "import walk-1.btsnoop --receiver phone --nodes nodes.csv --truth IN -o out.h5"},
    "calibration": {
        "fit-merge": "fit --merge IN -o out.json",
        "eval": "eval trace.h5 --calibration IN --algorithms weighted-centroid,maximum-likelihood --json",
        "locate": "locate trace.h5 --calibration IN --epoch 4s -o out.csv",
        "watch": "watch trace.h5 --calibration IN",
    },
    "site": {
        "locate": f"locate trace.h5 {WALK} --site IN --epoch 4s -o out.csv",
        "eval": f"eval trace.h5 {WALK} --site IN --algorithms grid-filter --epoch 2s --json",
        "fit": "fit trace.h5 --model fixed-exponent --site IN -o out.json",
        "watch": f"watch trace.h5 {WALK} --site IN",
    },
    "registry": {
        "registry-check": "registry check IN",
        "registry-import": "registry import IN -o out.json",
        "registry-list": "registry list IN",
        "info": "info trace.h5 --registry IN --json",
        "import": "import walk-1.btsnoop --registry IN -o out.h5",
    },
    "recipe": {
        "benchmark-run": "benchmark run IN --from . --report out.d",
        "benchmark-fetch": "benchmark fetch IN --to out.d",
    },
    "stays": {"rooms-train": "rooms train trace.h5 --labels IN -o out.json"},
    "rooms": {"rooms-eval": "rooms eval trace.h5 --labels stays.csv --rooms IN --json"},
}
GOOD = {"hdf5": "trace.h5", "capture": "walk-1.btsnoop", "table": "distances.csv", "ndjson": "rows.ndjson",
        "nodes": "nodes.csv", "truth": "truth.csv", "calibration": "calibration.json", "site": "site.toml",
        "registry": "registry.json", "stays": "stays.csv", "rooms": "rooms.json",
        "recipe": "recipes/walks.toml"}
# The stages that read a part of a trace, if not all do.
READERS = [
    ("calibration", ["fit-merge", "eval-calibration", "pack"]),
    ("session", ["session-merge", "pack", "repair"]),
    ("radio_map", ["eval-map", "pack", "repair"]),
    ("filtered", ["export-filtered", "fit-filtered", "pack", "filter"]),
    ("truth/levels", ["filter-compare", "pack"]),
    ("truth", ["eval", "fit", "eval-survey", "pack", "calibrate"]),
    ("positions", ["pack", "locate-trace"]),
    ("payloads", ["export-btsnoop", "pack", "filter", "session-merge"]),
    ("provenance", ["pack", "filter", "session-merge"]),
]


def options():
    parser = trials.parser("", __doc__)
    parser.add_argument("--hdf5", type=int, default=2000, metavar="N", help="crafted HDF5 files (2000)")
    parser.add_argument("--mutants", type=int, default=5000, metavar="N", help="mutants of other files (5000)")
    parser.add_argument("--seconds", type=float, default=3600, metavar="LIMIT",
                        help="begin no further input then (3600)")
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="runs at once (2)")
    parser.add_argument("--stages", metavar="NAME,...", help="only these, such as info,import (all)")
    parser.add_argument("--findings", type=Path, default=ROOT / ".build/hostile", metavar="FOLDER",
                        help="where inputs with a finding are kept (.build/hostile)")
    plan = parser.parse_args()
    plan.stages = plan.stages and set(plan.stages.split(","))
    known = {name for stages in STAGES.values() for name in stages}
    if plan.stages and plan.stages - known:
        refuse(64, f"unknown stage {', '.join(plan.stages - known)}; choose from {', '.join(sorted(known))}")
    plan.findings = plan.findings.resolve()
    return plan


class Campaign:
    def __init__(self, plan, work):
        self.plan, self.work = plan, work
        self.program = str(plan.program)
        self.base = work / "base"
        self.base.mkdir()
        trials.make_base(self.program, self.base)
        self.runners = SimpleQueue()
        for _ in range(plan.jobs):
            self.runners.put(trials.runner())
        self.codes, self.findings = defaultdict(Counter), []
        self.worst_memory, self.worst_cpu = (0, ""), (0, "")
        self.inputs = self.runs = 0
        self.cpu_s = 0.0

    def chosen(self, stages):
        """Returns the requested ones of some stages."""
        return [name for name in stages if not self.plan.stages or name in self.plan.stages]

    def try_one(self, name, kind, make):
        """Makes one input in a separate folder and runs it through its stages."""
        folder = self.work / name
        folder.mkdir()
        random = Random(f"{self.plan.seed} {name}")
        try:
            what, path, stages = make(random, folder)
        except hdf5.NotApplicable:
            shutil.rmtree(folder)
            return
        runner = self.runners.get()
        found = False
        try:
            for stage in stages:
                found |= self.run(runner, folder, name, kind, stage, what, path)
        finally:
            self.runners.put(runner)
        self.inputs += not name.startswith("good")
        if not found:
            shutil.rmtree(folder)
            return
        kept = self.plan.findings / name
        shutil.rmtree(kept, ignore_errors=True)
        shutil.move(folder, kept)

    def run(self, runner, folder, name, kind, stage, what, path):
        """Runs one stage; returns whether it failed a check."""
        text = STAGES[kind][stage].replace("IN", path)
        words = shlex.split(text)
        for word in words:
            if (self.base / word).is_file() and not (folder / word).exists():
                shutil.copy(self.base / word, folder / word)
        (folder / "empty").touch()
        before = {entry: digest(folder / entry) for entry in os.listdir(folder)}
        job = {"folder": str(folder), "command": [self.program, *words], "environment": environment(folder),
               "input": path if "-" in words else "empty", "cpu": CPU_S + 2, "wall": WALL_S,
               "address_space": ADDRESS_SPACE, "file_size": FILE_SIZE}
        runner.stdin.write(json.dumps(job) + "\n")
        runner.stdin.flush()
        result = json.loads(runner.stdout.readline())
        problems = list(self.problems(folder, result, before, words))
        if name.startswith("good") and result["code"] and not problems:
            problems = [f"ended with {result['code']} on a good file"]
        label = f"{name} {stage}"
        self.runs += 1
        self.cpu_s += result["cpu_s"]
        self.codes[stage][result["code"]] += 1
        self.worst_memory = max(self.worst_memory, (result["rss_mb"], label))
        self.worst_cpu = max(self.worst_cpu, (result["cpu_s"], label))
        for output in folder.glob("out.*"):
            shutil.rmtree(output) if output.is_dir() else output.unlink()
        if not problems:
            return False
        complaint = (folder / "stderr").read_text(errors="replace").strip().splitlines()
        command = f"{self.program} {text}" + (f" <{path}" if "-" in words else "")
        finding = (f"{name}: {what}\n  {'; '.join(problems)}\n"
                   f"  cd {self.plan.findings / name} && (ulimit -v {ADDRESS_SPACE >> 10}; {command})"
                   + (f"\n  {complaint[0][:200]!r}" if complaint else ""))
        self.findings.append(finding)
        with open(folder / "finding.txt", "a") as file:
            print(finding, file=file)
        print(finding, flush=True)
        return True

    def problems(self, folder, result, before, words):
        code = result["code"]
        if result["wall_s"] >= WALL_S:
            yield f"did not end within {WALL_S} s"
        elif result["cpu_s"] > CPU_S:
            yield f"took {result['cpu_s']:.1f} s of CPU time, more than {CPU_S}"
        elif code < 0 or code >= 128:
            yield f"crashed: signal {-code if code < 0 else code - 128}"
        elif code not in DOCUMENTED:
            yield f"ended with {code}, which is not documented"
        elif code:
            complaint = (folder / "stderr").read_text(errors="replace")
            lines = [line for line in complaint.splitlines() if line.strip()]
            if not lines:
                yield f"ended with {code} and no message"
            elif code != 64 and not any(line.startswith("rssi: ") for line in lines):
                yield f"ended with {code} and a message that is not the program's own"
        if result["rss_mb"] > MEMORY_MB:
            yield f"took {result['rss_mb']:.0f} MB, more than {MEMORY_MB}"
        if result["left"]:
            yield "left a process behind"
        captures = words[0] == "capture"
        for entry in sorted(set(os.listdir(folder)) - {"stdout", "stderr", "finding.txt"}):
            if entry in before:
                continue
            size = (folder / entry).stat().st_size
            if not entry.startswith("out."):
                yield f"left {entry}"
            elif size >= FILE_SIZE:
                yield f"wrote {entry} of {size} bytes and more"
            elif code and not captures:
                yield f"failed, and left {entry}"
        for entry, hash in before.items():
            if entry not in ("stdout", "stderr", "finding.txt") and digest(folder / entry) != hash:
                yield f"changed {entry}"

    def makers(self):
        """Yields every input: its name, its kind and its maker."""
        # A stage that refuses every input for another reason would find nothing.
        for kind, good in GOOD.items():
            for stage in self.chosen(STAGES[kind]):
                path = {"session-merge": "part-1.h5", "eval-map": "map.h5"}.get(stage, good)
                yield f"good-{kind}-{stage}", kind, self.copying(path, stage)
        crafted = hdf5.crafts(self.base, Random(self.plan.seed))
        for number in range(self.plan.hdf5 if self.chosen(STAGES["hdf5"]) else 0):
            yield f"hdf5-{number}", "hdf5", self.crafting(crafted, number)
        kinds = {kind: paths for kind, paths in mutants.seeds(ROOT, self.base).items()
                 if self.chosen(STAGES[mutants.FAMILY[kind]])}
        for number in range(self.plan.mutants):
            random = Random(f"{self.plan.seed} kind {number}")
            # Calibrations have most values to change.
            kind = random.choice(sorted(kinds) + ["calibration"] * ("calibration" in kinds))
            yield f"{kind}-{number}", mutants.FAMILY[kind], self.mutating(kind, kinds)

    def copying(self, good, stage):
        def make(random, folder):
            path = "in" + Path(good).suffix
            shutil.copy(self.base / good, folder / path)
            return good, path, [stage]

        return make

    def crafting(self, crafted, number):
        def make(random, folder):
            # Each once, in a random order, then two at a time.
            some = [crafted[number]] if number < len(crafted) else random.sample(crafted, 2)
            what, place = hdf5.write(self.base, folder, some, random)
            every = self.chosen(STAGES["hdf5"])
            readers = next((stages for prefix, stages in READERS if place.startswith(prefix)), every)
            stage = random.choice(self.chosen(readers) or every)
            return what, "in.h5", list(dict.fromkeys(self.chosen(["info"]) + [stage]))

        return make

    def mutating(self, kind, kinds):
        def make(random, folder):
            seed = random.choice(kinds[kind])
            others = [path.read_bytes() for path in kinds[kind][:8]]
            what, data = mutants.mutant(kind, seed.read_bytes(), random, others)
            path = "in" + mutants.SUFFIX[kind]
            (folder / path).write_bytes(data)
            stages = self.chosen(STAGES[mutants.FAMILY[kind]])
            return f"{seed.name}: {what}", path, random.sample(stages, min(2, len(stages)))

        return make

    def go(self):
        started = time.monotonic()
        with ThreadPoolExecutor(self.plan.jobs) as pool:
            for result in pool.map(lambda one: self.unless_late(started, *one), self.makers()):
                pass
        self.report(time.monotonic() - started)

    def unless_late(self, started, *one):
        if time.monotonic() - started < self.plan.seconds:
            self.try_one(*one)

    def report(self, seconds):
        codes = sorted({code for counts in self.codes.values() for code in counts})
        print(f"\n{'stage':18}" + "".join(f"{code:>8}" for code in codes))
        for stage in sorted(self.codes):
            print(f"{stage:18}" + "".join(f"{self.codes[stage][code] or '':>8}" for code in codes))
        totals = sum(self.codes.values(), Counter())
        print(f"{'all':18}" + "".join(f"{totals[code]:>8}" for code in codes))
        print(f"most memory {self.worst_memory[0]:.0f} MB ({self.worst_memory[1]}), "
              f"most CPU time {self.worst_cpu[0]:.1f} s ({self.worst_cpu[1]})")
        asked = self.plan.hdf5 + self.plan.mutants
        if self.inputs < asked:
            print(f"{asked - self.inputs} of {asked} inputs were not tried: time was over, or they cannot be made")
        print(f"seed {self.plan.seed}: {self.inputs} inputs, {self.runs} runs of {self.cpu_s:.0f} s CPU time "
              f"in {seconds:.0f} s: "
              f"{self.runs - len(self.findings)} passed, {len(self.findings)} failed")


def digest(path):
    return hashlib.sha256(path.read_bytes()).digest() if path.is_file() else None


def main():
    plan = options()
    plan.findings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rssi-hostile-") as work:
        campaign = Campaign(plan, Path(work))
        campaign.go()
    sys.exit(1 if campaign.findings else 0)


if __name__ == "__main__":
    main()
