"""Speed of the filters compared with peers, in one run on one core; called by scripts/bench/run.

    filters.py RSSI RSSI_BENCH ROWS
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
from filterpy.kalman import KalmanFilter
from scipy.optimize import minimize
from scipy.signal import medfilt

from table import microbench, row, timed, watched
from traces import filterable_trace

program, bench, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})

ours, memory = microbench(bench, "filters")
rate = {name: count / seconds / 1e6 for name, (count, seconds) in ours.items()}

random = np.random.default_rng(1)
levels = np.round(-65 + np.cumsum(np.sqrt(0.6) * random.normal(size=3000)) + np.sqrt(12) * random.normal(size=3000))

peer = KalmanFilter(dim_x=1, dim_z=1)
peer.F = peer.H = np.eye(1)
peer.Q, peer.R, peer.P = np.eye(1) * 0.6, np.eye(1) * 12, np.eye(1) * 1000


def filterpy():
    for level in levels:
        peer.predict()
        peer.update(level)


filterpy_rate = len(levels) / timed(filterpy) / 1e6
for links in (64, 1):
    row(f"Kalman, {links} interleaved links", rate[f"kalman-{links}"], "M/s", "filterpy, 1 link", filterpy_rate,
        memory)

many = np.round(random.normal(-65, 4, 5_000_000))
series = pd.Series(many[:1_000_000], index=pd.date_range("2026-01-01", periods=1_000_000, freq="400ms"))
medfilt_rate = len(many) / timed(lambda: medfilt(many, 5)) / 1e6
pandas_rate = len(series) / timed(lambda: series.rolling("2s").median()) / 1e6
for links in (64, 1):
    row(f"median of 5 in a time window, {links} links", rate[f"median-{links}"], "M/s", "scipy.signal.medfilt, by count",
        medfilt_rate, memory)
row("median of 5 in a time window, beside pandas", rate["median-64"], "M/s", "pandas rolling('2s'), 1 link", pandas_rate,
    memory)


def minus_log_likelihood(logarithms):
    q, r = np.exp(logarithms)
    level, variance, total = levels[0], r, 0.0
    for z in levels[1:].tolist():
        predicted = variance + 0.1 * q
        spread = predicted + r
        error = z - level
        level += predicted / spread * error
        variance = predicted * r / spread
        total += np.log(spread) + error * error / spread
    return 0.5 * total


nelder = timed(lambda: minimize(minus_log_likelihood, [1.0, 2.0], method="Nelder-Mead"), 1)
row("maximum-likelihood q and r, 3,000 levels", ours["noise"][1] * 1e3, "ms", "scipy Nelder-Mead, plain Python",
    nelder * 1e3, memory)


def copy_columns(source, target):
    """Reads and writes the same columns as the filter."""
    names = ["time_s", "beacon", "receiver", "trace", "rssi_dbm", "channel"]
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        columns = {
            name: new.create_dataset(name, (rows,), old["sightings"][name].dtype, chunks=(65_536,), shuffle=True,
                                     compression=1) for name in names}
        for first in range(0, rows, 65_536):
            last = min(rows, first + 65_536)
            for name in names:
                columns[name][first:last] = old["sightings"][name][first:last]


with tempfile.TemporaryDirectory() as folder:
    trace, target = Path(folder) / "raw.h5", Path(folder) / "new.h5"
    filterable_trace(program, trace, rows)
    copying = timed(lambda: copy_columns(trace, target), 1)
    for spec in ("kalman:q=1,r=16", "kalman"):
        seconds, memory = watched([program, "filter", trace, "-o", target, "--filter", spec])
        row(f"{rows:,} rows, filter {spec}, HDF5 to HDF5", seconds, "s", "h5py copying its columns", copying, memory)
