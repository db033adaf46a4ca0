"""Stages with a failure of the k-th write, sync, renaming or opening of an output. See README.md."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from errno import EIO, ENOSPC
from pathlib import Path
from random import Random

import h5py
import numpy as np

import trials

# OUT is the folder that fails. Its files beforehand: the second text of a stage, if it has one; else
# files of another content under the names of the outputs.
WALK = f"{trials.WALK} --filtered none"
STAGES = {
    "import": "import walk-1.btsnoop --receiver phone -o OUT/o.h5",
    "merge": "merge bare.h5 other.h5 -o OUT/o.h5",
    "pack": "pack live.h5 -o OUT/o.h5",
    "repair": "repair live.h5 -o OUT/o.h5",
    "filter": "filter trace.h5 -o OUT/o.h5 --filter ewma",
    "fit": "fit distances.csv -o OUT/o.json",
    "fit-part": "fit distances.csv --part OUT/o.part",
    "map": f"map trace.h5 {WALK} -o OUT/o.h5",
    "rooms": "rooms train trained.h5 --labels stays.csv -o OUT/o.json",
    "map-report": "map map.h5 --report OUT/o.html",
    "locate": f"locate trace.h5 {WALK} --algorithm weighted-centroid -o OUT/o.h5",
    "locate-table": f"locate trace.h5 {WALK} --algorithm weighted-centroid -o OUT/o.csv",
    "locate-report": f"locate trace.h5 {WALK} --algorithm weighted-centroid --site site.toml "
                     "--report OUT/o.html --report OUT/o.svg",
    "filter-part": "filter trace.h5 --compare ewma,median --part OUT/o.part",
    "eval-report": f"eval trace.h5 {WALK} --in-sample --algorithms weighted-centroid --report OUT/o.html "
                   "--report OUT/o.md",
    "beacons": "beacons trace.h5 -o OUT/o.csv",
    "beacons-part": "beacons trace.h5 --part OUT/o.part",
    "export": "export trace.h5 -o OUT/o.h5",
    "export-csv": "export trace.h5 -o OUT/o.csv",
    "export-ndjson": "export trace.h5 -o OUT/o.ndjson",
    "export-btsnoop": "export trace.h5 -o OUT/o.btsnoop",
    "registry": "registry import registry.json -o OUT/o.json",
    "session-merge": "session merge part-1.h5 part-2.h5 -o OUT/o.h5",
    "capture": "capture replay:walk-1.btsnoop --speed max --no-pack -o OUT/o.h5",
    "capture-pack": "capture replay:walk-1.btsnoop --speed max -o OUT/o.h5",
    "capture-btsnoop": "capture replay:walk-1.btsnoop --speed max --no-pack -o OUT/o.h5 --btsnoop OUT/o.btsnoop",
    "in-place-pack": ("pack OUT/o.h5", "live.h5"),
    "in-place-repair": ("repair OUT/o.h5", "killed.h5"),
    "in-place-filter": ("filter OUT/o.h5 -o OUT/o.h5 --filter ewma", "trace.h5"),
    "in-place-fit": ("fit OUT/o.h5 -o OUT/o.h5", "trace.h5"),
    "in-place-locate": (f"locate OUT/o.h5 {WALK} --algorithm weighted-centroid -o OUT/o.h5", "trace.h5"),
}
OLDER = b"what was there before\n"
FAILURES = {"full": (ENOSPC, True), "full once": (ENOSPC, False), "error once": (EIO, False)}
MASKED = re.compile(rb"\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00:00)?")


def options():
    parser = trials.parser("writes", __doc__)
    parser.add_argument("--count", type=int, metavar="N", help="runs, drawn at random (all)")
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="runs at once (2)")
    parser.add_argument("--stages", metavar="NAME,...", help="only these, such as map,in-place-fit (all)")
    plan = parser.parse_args()
    plan.stages = plan.stages.split(",") if plan.stages else list(STAGES)
    if set(plan.stages) - set(STAGES):
        trials.refuse(64, f"unknown stage in {','.join(plan.stages)}; choose from {', '.join(STAGES)}")
    return plan


def content(path):
    """Returns the content of a file, by place, without the time of its creation."""
    if not h5py.is_hdf5(path):
        return {"bytes": MASKED.sub(b"", path.read_bytes())}
    held = {}

    def take(name, thing):
        for key, value in thing.attrs.items():
            if key not in ("DIMENSION_LIST", "REFERENCE_LIST"):
                held[f"{name}@{key}"] = np.asarray(value).tobytes()
        if isinstance(thing, h5py.Dataset):
            held[name] = (thing.shape, thing[()].tobytes())

    with h5py.File(path) as file:
        take("/", file)
        file.visititems(take)
    return held


class Trial:
    def __init__(self, plan, work):
        self.plan, self.work = plan, work
        self.base = work / "base"
        self.base.mkdir()
        trials.make_base(str(plan.program), self.base)
        self.library = trials.library(Path(__file__).with_suffix(".c"), work)
        self.make_inputs()
        self.codes = {stage: Counter() for stage in plan.stages}
        self.failed, self.findings, self.references, self.operations = Counter(), [], {}, {}

    def make_inputs(self):
        """Makes a second recording, and a trace of a killed capture: complete, but not marked as closed."""
        subprocess.run([self.plan.program, "import", "distances.csv", "-o", "other.h5"], cwd=self.base, check=True,
                       env=trials.environment(self.base), capture_output=True)
        shutil.copy(self.base / "live.h5", self.base / "killed.h5")
        with h5py.File(self.base / "killed.h5", "r+") as file:
            file.attrs.modify("clean", np.uint8(0))

    def run(self, stage, folder, **failure):
        """Runs a stage whose outputs are in a folder that fails as the environment describes."""
        text, older = STAGES[stage] if isinstance(STAGES[stage], tuple) else (STAGES[stage], None)
        outputs = folder / "OUT"
        outputs.mkdir(parents=True)
        # Command lines are kept in outputs: they are the same in all runs.
        for path in self.base.iterdir():
            (folder / path.name).symlink_to(path)
        for output in set(re.findall(r"OUT/(\S+)", text)):
            if older:
                shutil.copy(self.base / older, outputs / output)
            else:
                (outputs / output).write_bytes(OLDER)
        environment = trials.environment(self.base) | {
            "LD_PRELOAD": str(self.library), "FAIL_FOLDER": f"{outputs}/", "FAIL_NAME": "OUT/",
            **{key: str(value) for key, value in failure.items()}}
        return subprocess.run([self.plan.program, *shlex.split(text)], cwd=folder, env=environment, timeout=300,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def learn(self, stage):
        """Returns the undisturbed outputs of a stage, and its operations, without differences between two runs."""
        made = []
        for attempt in range(2):
            folder, log = self.work / f"{stage}-{attempt}", self.work / f"{stage}.log"
            log.unlink(missing_ok=True)
            ended = self.run(stage, folder, FAIL_LOG=log)
            if ended.returncode:
                trials.refuse(1, f"{stage} cannot be tried: {ended.stderr}")
            made.append({path.name: content(path) for path in (folder / "OUT").iterdir()})
        first, second = made
        self.references[stage] = {
            name: {place: held for place, held in first[name].items() if second[name].get(place) == held}
            for name in first}
        if not all(self.references[stage].values()):
            trials.refuse(1, f"{stage} cannot be tried: no two runs make the same")
        self.operations[stage] = log.read_text()

    def try_one(self, one):
        stage, number, name = one
        error, is_for_good = FAILURES[name]
        folder = self.work / f"{stage}-{number}-{name.replace(' ', '-')}"
        ended = self.run(stage, folder, FAIL_AT=number, FAIL_ERROR=error, FAIL_EVER=int(is_for_good))
        self.codes[stage][ended.returncode] += 1
        problems = list(self.problems(stage, folder / "OUT", ended))
        if problems:
            self.failed[stage] += 1
            kind = self.operations[stage][number - 1]
            finding = (f"{stage}: operation {number} ({kind}), {name}: {'; '.join(problems)}"
                       f"\n  {ended.stderr.strip()[:200]!r}")
            self.findings.append(finding)
            print(finding, flush=True)
        shutil.rmtree(folder)

    def problems(self, stage, folder, ended):
        code, reference = ended.returncode, self.references[stage]
        if code < 0 or code >= 128:
            yield f"crashed: signal {-code if code < 0 else code - 128}"
        elif code not in (0, 74):
            yield f"ended with {code}"
        elif code and not re.search("^rssi: ", ended.stderr, re.M):
            yield "ended with no message"
        older = STAGES[stage][1] if isinstance(STAGES[stage], tuple) else None
        before = (self.base / older).read_bytes() if older else OLDER
        # A capture takes the place of an older trace when it listens, and leaves none if it saved no row.
        is_capture = stage.startswith("capture")
        for name in set(reference) - set(os.listdir(folder)):
            if not (code and is_capture):
                yield f"{name} is gone"
        for path in folder.iterdir():
            if code and is_capture and path.suffix == ".wal" and path.with_suffix("").exists():
                continue  # It is read with the trace, below.
            if path.name not in reference:
                yield f"left {path.name}"
            elif code and path.read_bytes() == before:
                continue
            elif code and is_capture:
                yield from self.problems_of_capture(stage, path)
            else:
                yield from self.differences(path, reference[path.name])

    @staticmethod
    def differences(path, reference):
        try:
            held = content(path)
        except Exception as error:
            return (f"{path.name} cannot be read: {error}",)
        wrong = [place for place in reference if held.get(place) != reference[place]]
        return [f"{path.name} is wrong at {', '.join(wrong[:3])}"] if wrong else []

    def recorded(self, path):
        """Returns the rows of a recording as lines; empty if it cannot be read."""
        ended = subprocess.run([self.plan.program, "import" if path.suffix == ".btsnoop" else "export", path, "-o", "-"],
                               env=trials.environment(self.base), capture_output=True)
        return None if ended.returncode else MASKED.sub(b"", ended.stdout).splitlines()

    def problems_of_capture(self, stage, path):
        """Checks that a failing capture keeps its recording."""
        rows, whole = self.recorded(path), self.recorded(self.work / f"{stage}-0" / "OUT" / path.name)
        if rows is None:
            yield f"{path.name} cannot be read"
        elif rows != whole[:len(rows)]:
            yield f"{path.name} has other rows"

    def go(self):
        started = time.monotonic()
        with ThreadPoolExecutor(self.plan.jobs) as pool:
            list(pool.map(self.learn, self.plan.stages))
            runs = [(stage, number, name) for stage in self.plan.stages
                    for number in range(1, len(self.operations[stage]) + 1) for name in FAILURES]
            if self.plan.count is not None:
                runs = Random(self.plan.seed).sample(runs, min(self.plan.count, len(runs)))
            list(pool.map(self.try_one, runs))
        self.report(len(runs), time.monotonic() - started)

    def report(self, runs, seconds):
        codes = sorted({code for counts in self.codes.values() for code in counts})
        print(f"\n{'stage':18}{'operations':>12}" + "".join(f"{f'exit {code}':>10}" for code in codes) + f"{'failed':>10}")
        for stage in self.plan.stages:
            print(f"{stage:18}{len(self.operations[stage]):>12}"
                  + "".join(f"{self.codes[stage][code] or '':>10}" for code in codes)
                  + f"{self.failed[stage] or '':>10}")
        print(f"seed {self.plan.seed}: {runs} runs in {seconds:.0f} s: {runs - len(self.findings)} passed, "
              f"{len(self.findings)} failed")


def main():
    plan = options()
    with tempfile.TemporaryDirectory(prefix="rssi-writes-") as work:
        trial = Trial(plan, Path(work).resolve())
        trial.go()
    sys.exit(1 if trial.findings else 0)


if __name__ == "__main__":
    main()
