"""Speed of certified maximum likelihood compared with scipy's local descent, in one run on one core; called by scripts/bench/run.

    positions.py RSSI RSSI_BENCH [FIXES]
"""

import os
import subprocess
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from scipy.optimize import least_squares

from table import microbench, row

bench = sys.argv[2]
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
found, memory = microbench(bench, "positions")
ours = {name: count / seconds for name, (count, seconds) in found.items()}

# The same scans of 6 anchors, with our answers.
lines = subprocess.run([bench, "positions", "scans"], check=True, capture_output=True, text=True).stdout.splitlines()
anchors = np.array(lines[0].split(), float).reshape(-1, 2)
rows = np.array([line.split() for line in lines[1:2001]], float)
count, scale = len(anchors), 4.0


def residuals(p, levels):
    return (levels + 59 + 20 * np.log10(np.linalg.norm(anchors - p, axis=1))) / scale


def jacobian(p, levels):
    step = p - anchors
    return 20 / (scale * np.log(10)) * step / (step ** 2).sum(1)[:, None]


levels, answers = rows[:, :count], rows[:, count:]
weights = 10 ** ((levels + 59) / 10)
starts = weights @ anchors / weights.sum(1)[:, None]
start = time.process_time()
theirs = [least_squares(residuals, first, jacobian, method="lm", args=(row,)) for first, row in zip(starts, levels)]
rate = len(theirs) / (time.process_time() - start)
cost = np.array([(residuals(p, row) ** 2).sum() for p, row in zip(answers, levels)])
missed = np.mean([2 * fit.cost > own + 1e-6 for fit, own in zip(theirs, cost)])
better = sum(2 * fit.cost < own - 1e-6 for fit, own in zip(theirs, cost)
             if (abs(fit.x - anchors.mean(0)) < 20).all())
for name, own in ours.items():
    if name.endswith(f"-{count}"):
        row(f"{name}, certified", own, "fixes/s", "scipy least_squares lm", rate, memory,
            note=f"from the centroid {100 * missed:.1f} % end in a worse minimum, {better} in a better one inside")
    else:
        row(f"{name}, certified", own, "fixes/s", memory=memory)
