"""The options, first inputs and limits of all trials of scripts/hostile/run; see README.md."""
import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

import hdf5
import mutants

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED = {0, 1, 64, 65, 66, 69, 74, 77}
MEMORY_MB, CPU_S = 300, 10
# Limits of each run, so that the machine stays usable.
ADDRESS_SPACE, FILE_SIZE, WALL_S = 4 << 30, 1 << 28, 300

# The calibration among the first inputs.
WALK = "--calibration calibration.json"


def parser(part, description):
    """Adds the options that every trial has."""
    parser = argparse.ArgumentParser(prog=f"scripts/hostile/run {part}".strip(), description=description)
    parser.add_argument("--program", required=True, type=runnable, help="the rssi to try (default: a release build)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the trial (1)")
    return parser


def runnable(path):
    program = Path(path).resolve()
    if not os.access(program, os.X_OK):
        refuse(66, f"{program} cannot be run: name a built rssi with --program")
    return program


def library(source, folder):
    """Builds the library that is preloaded into the program."""
    path = folder / (source.stem + ".so")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"], check=True)
    return path


def refuse(code, message):
    print(f"hostile: {message}", file=sys.stderr)
    sys.exit(code)


def environment(folder):
    return {"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder), "TZ": "UTC", "LC_ALL": "C.UTF-8",
            "RSSI_REGISTRY": "none", "SWIFT_BACKTRACE": "enable=no"}


def make_base(program, folder):
    """Makes the files that runs may need, and the first inputs: small files that all stages take."""
    example = ROOT / "notebooks-data/example"
    for name, lines in (("nodes.csv", None), ("truth.csv", None), ("distances.csv", 400)):
        text = (example / name).read_bytes().splitlines(keepends=True)[:lines]
        (folder / name).write_bytes(b"".join(text))
    for name in ("walk-1.btsnoop", "walk-2.btsnoop"):
        (folder / name).write_bytes(mutants.head_of_btsnoop((example / name).read_bytes(), 300))
    (folder / "site.toml").write_text(mutants.SITE)
    (folder / "registry.json").write_text(mutants.REGISTRY)
    (folder / "stays.csv").write_text(mutants.STAYS)
    (folder / "recipes").mkdir()
    (folder / "recipes/walks.toml").write_text(mutants.RECIPE)

    def rssi(command):
        ended = subprocess.run([program, *shlex.split(command)], cwd=folder, env=environment(folder),
                               stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if ended.returncode:
            refuse(1, f"the first inputs cannot be made: rssi {command}\n{ended.stderr}")

    walk = "import walk-1.btsnoop --receiver phone"
    rssi(f"{walk} -o bare.h5")
    rssi(f"{walk} distances.csv --nodes nodes.csv --truth truth.csv -o trace.h5")
    rssi("fit distances.csv -o calibration.json")
    rssi("filter trace.h5 -o trace.h5 --filter kalman:q=1,r=9")
    rssi("fit trace.h5 -o trace.h5")
    rssi(f"locate trace.h5 {WALK} --algorithm weighted-centroid -o trace.h5")
    rssi(f"map trace.h5 {WALK} -o map.h5")
    rssi("import walk-2.btsnoop --receiver phone -o trained.h5")
    rssi("rooms train trained.h5 --labels stays.csv -o rooms.json")
    rssi("capture replay:walk-1.btsnoop --speed max --no-pack -o live.h5")
    for name in ("rows.ndjson", "rows.csv"):
        rssi(f"export trace.h5 -o {name}")
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        # A part of the walk, and of the readings at known distances.
        (folder / name).write_bytes(b"".join(lines[:40] + lines[320::6]))
    hdf5.finish_base(folder)


def runner():
    """A process that runs programs and measures each; see runs.py."""
    return subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "--", sys.executable, "-S", Path(__file__).with_name("runs.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
