"""A simulated run of the program for coverage_stages.py and coverage_places.py: files, truths and what intervals held."""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

POWER, EXPONENT = -59.0, 2.2
START = 1_700_000_000


class Simulation:
    """The program, a folder for its files, and what its intervals held."""

    def __init__(self, program, runs, folder, seed):
        self.program, self.runs, self.folder = program, runs, Path(folder)
        self.rng = np.random.default_rng(seed)
        self.held, self.warned = defaultdict(list), defaultdict(list)

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        if done.returncode:
            sys.exit(f"rssi {' '.join(map(str, arguments))}: {done.stderr[-500:]}")
        return done.stdout

    def answer(self, *arguments):
        return json.loads(self.run(*arguments, "--json", "-q"))

    def write(self, name, header, rows):
        (self.folder / name).write_text("\n".join([header, *rows]) + "\n")
        return name

    def trace(self, name, *arguments):
        (self.folder / f"{name}.h5").unlink(missing_ok=True)
        self.run("import", *arguments, "-o", f"{name}.h5", "-q")
        return f"{name}.h5"

    def note(self, quantity, design, share, warned=None):
        """Notes the share of truths that a run's intervals held, and whether it came with a warning."""
        self.held[quantity, design].append(float(share))
        if warned is not None:
            self.warned[quantity, design].append(float(warned if isinstance(warned, float) else bool(warned)))


def holds(interval, value):
    """Returns whether an interval holds a value; None and an open end hold it."""
    low, high = interval or (None, None)
    return (low is None or low <= value) and (high is None or value <= high)


def line(distance):
    return POWER - 10 * EXPONENT * np.log10(distance)
