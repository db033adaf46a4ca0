"""Speed of path-loss fits compared with peers, in one run on one core; called by scripts/bench/run.

    fits.py RSSI RSSI_BENCH ROWS
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import h5py
import numpy as np
import statsmodels.api as sm

from table import microbench, row, timed, watched
from traces import fittable_trace

program, bench, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})


def answered(action, repeats=3):
    """Returns the best wall time of a few runs, in seconds, and the last result."""
    answers = []
    return timed(lambda: answers.append(action()), repeats), answers[-1]


def report(what, ours, peer_name, peer, same):
    row(what, ours * 1e3, "ms", peer_name, peer * 1e3, memory, note=f"exponents differ by {same:.1e}")


count, places = 1_000_000, 100
random = np.random.default_rng(1)
distances = np.geomspace(0.5, 30, places)
positions = random.integers(0, places, count).astype(np.uint32)
offsets = random.normal(0, 4, places)
x = -10 * np.log10(distances)[positions]
levels = np.round(-59 + 2.2 * x + offsets[positions] + random.normal(0, 3, count)).astype(np.float32)
outliers = random.random(count) < 0.05
levels[outliers] -= 20
levels = np.clip(levels, -110, -1).astype(np.float32)
matrix = np.stack([np.ones(count), x], 1)
observed = levels.astype(float)

with tempfile.TemporaryDirectory() as folder:
    files = [Path(folder) / name for name in ("levels", "positions", "distances")]
    for column, file in zip((levels, positions, distances), files):
        column.tofile(file)
    found, memory = microbench(bench, "fits", *files)
ours = {name: (seconds, exponent) for name, (_, seconds, exponent) in found.items()}

seconds, solution = answered(lambda: np.linalg.lstsq(matrix, observed, rcond=None)[0], 5)
own, exponent = ours["least-squares"]
report("least squares, 1,000,000 packets at 100 places", own, "numpy.linalg.lstsq", seconds,
       abs(exponent - solution[1]))
for name, norm in (("tukey", sm.robust.norms.TukeyBiweight()), ("huber", sm.robust.norms.HuberT())):
    seconds, fit = answered(lambda: sm.RLM(observed, matrix, M=norm).fit(maxiter=200, tol=1e-10), 1)
    own, exponent = ours[name]
    report(f"{name}, the same", own, "statsmodels RLM", seconds, abs(exponent - fit.params[1]))
for name in ("cauchy", "truncated"):
    row(name + ", the same", ours[name][0] * 1e3, "ms", memory=memory)


def read_columns(path):
    """Reads the columns of the fit once."""
    with h5py.File(path) as file:
        sightings = file["sightings"]
        for first in range(0, rows, 65_536):
            for name in ("beacon", "receiver", "trace", "rssi_dbm", "dwell", "channel"):
                sightings[name][first:first + 65_536]


with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
    trace = Path(folder) / "bench.h5"
    fittable_trace(program, trace, rows)
    read_columns(trace)
    reading = timed(lambda: read_columns(trace), 2)
    seconds, memory = watched([program, "fit", trace, "--by", "beacon", "--quiet"])
    row(f"{rows:,} rows, fit --by beacon", seconds, "s", "h5py reading its columns", reading, memory)
