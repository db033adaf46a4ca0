"""Speed of trackers and radio maps against numpy, scipy and scikit-learn, in one run on one core; called by scripts/bench/run.

    trackers.py RSSI_BENCH

A walk of 300 s through 25 m × 25 m, among 12 anchors that are received four times per second each, asked about every second.
The peers' models are simple: no shadowing in particles and cells, and no recordings and places in maps.
"""

import os
import sys
import warnings

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from scipy.ndimage import gaussian_filter
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from table import microbench, row, timed

bench = sys.argv[1]
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
random = np.random.default_rng(1)
seconds, bins = 300, 4
turns = 2 * np.pi * np.arange(12) / 12
anchors = 12.5 + 11 * np.stack([np.cos(turns), np.sin(turns)], 1)
times = (np.arange(seconds * bins) + 0.5) / bins / 20
places = np.stack([12.5 + 8 * np.cos(times), 12.5 + 5 * np.sin(1.3 * times)], 1)


def expected(at):
    """Returns the levels of all anchors at some places."""
    return -59 - 11 * np.log10(((at[..., None, :] - anchors) ** 2).sum(-1) + 2.25)


levels = expected(places) + 5 * random.normal(size=(len(places), 12))


def particles(count=2000):
    at = random.uniform(0, 25, (count, 2))
    velocity = random.normal(0, 0.7, (count, 2))
    weights = np.full(count, 1 / count)
    for heard in levels:
        velocity = 0.88 * velocity + 0.33 * random.normal(size=(count, 2))
        at = np.clip(at + velocity / bins, 0, 25)
        cost = ((expected(at) - heard) ** 2).sum(1) / 50
        weights *= np.exp(cost.min() - cost)
        weights /= weights.sum()
        if 1 / (weights ** 2).sum() < count / 2:
            chosen = np.searchsorted(np.cumsum(weights), (np.arange(count) + random.random()) / count)
            chosen = np.minimum(chosen, count - 1)
            at, velocity, weights = at[chosen], velocity[chosen], np.full(count, 1 / count)
    return weights @ at


def cells(size=0.25):
    middles = np.arange(0, 25, size) + size / 2
    tables = expected(np.stack(np.meshgrid(middles, middles), -1))
    weights = np.full(tables.shape[:2], 1.0)
    for heard in levels:
        weights = gaussian_filter(weights, 0.5 / size, truncate=2)
        cost = ((tables - heard) ** 2).sum(-1) / 50
        weights *= np.exp(cost.min() - cost)
        weights /= weights.sum()
    return weights


def maps():
    survey = 2.0 * np.stack(np.meshgrid(np.arange(9), np.arange(9)), -1).reshape(-1, 2)
    kernel = ConstantKernel(16) * Matern(2, (0.1, 100), nu=1.5) + WhiteKernel(4)
    for _ in range(12):
        GaussianProcessRegressor(kernel).fit(survey, 4 * random.normal(size=len(survey)))


warnings.filterwarnings("ignore")
ours, memory = microbench(bench, "trackers")
peers = {"particle-filter": ("numpy, 2,000 particles", seconds / timed(particles, 1)),
         "grid-filter": ("scipy, cells of 0.25 m", seconds / timed(cells, 1))}
for name, (count, best) in ours.items():
    if name.startswith("radio-map"):
        _, _, count, places = name.split("-")
        peer = ("scikit-learn, anchor by anchor", timed(maps, 1)) if count == "12" else ("", None)
        row(f"radio map, {count} anchors, {int(places):,} places", best, "s", *peer, memory)
    else:
        row(f"{name}, 12 anchors", count / best, "epochs/s", *peers.get(name, ("", None)), memory)
