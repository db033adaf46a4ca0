"""Speed of the bootstrap over traces compared with numpy, in one run on one core; called by
scripts/bench/run.

    evaluation.py RSSI RSSI_BENCH EPOCHS
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from scipy import stats

from table import microbench, row

bench, epochs = sys.argv[2], int(sys.argv[3])
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
algorithms, resamples, peers = 8, 10_000, 100
shares = [0.5, 0.75, 0.95]

for traces in (10, 100, 1000):
    random = np.random.default_rng(1)
    sizes = np.exp(0.3 * random.standard_normal((algorithms, traces, 1)))
    errors = random.rayleigh(1, (algorithms, traces, epochs // traces)) * sizes
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "errors"
        errors.tofile(file)
        found, memory = microbench(bench, "evaluation", file, algorithms, traces, resamples)
    (_, whole), (_, own, lower, upper) = found.values()
    # The peer resamples one algorithm a hundred times; its time is scaled to all resamples.
    start = time.perf_counter()
    draws = np.array([np.quantile(errors[0][random.integers(0, traces, traces)], shares)
                      for _ in range(peers)])
    peer = (time.perf_counter() - start) * algorithms * resamples / peers
    half = stats.t.ppf(0.975, traces - 1) * np.sqrt(traces / (traces - 1)) * np.log(draws[:, 0]).std(ddof=1)
    width = np.log(upper / lower) / 2
    row(f"bootstrap of {traces:,} traces, 8 × {epochs:,} errors", own * 1e3, "ms", "numpy", peer * 1e3, memory,
        note=f"widths' ratio {width / half:.2f}; whole leaderboard {whole:.2f} s")
