"""Measures the share of targets in 95 % ellipses, and at places of a claimed probability; called by scripts/bench/run.

    claims.py RSSI RUNS [DESIGN ...]

A hall of 20 m by 12 m with 8 anchors, or 4 (designs that end in 4); place errors of 4 dB; each run is a trace of its own:

    stay    8 s at a place, Gaussian packets of 3 dB, one question
    rest    30 s at a place, Rician fading (K = 4) with a correlation of 1 s, asked every 2 s from 4 s on
    walk    30 s at 1.1 m/s, place errors over 3 m, Rician fading of 0.1 s
    body    walk with a body that weakens anchors behind it by 8 dB
    rest-map, walk-map   rest and walk with a survey of six walks of a minute; three quarters of the variance of the place
            errors are the same in each trace, in ten halls

The second table has, for spots every 2.5 m, the mean probability of being within 2 m and the share of targets that are.
"""

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.interpolate import RegularGridInterpolator

from fading import rician

WIDTH, DEPTH, POWER, EXPONENT, HEIGHT, START = 20.0, 12.0, -59.0, 2.2, 1.3, 1_700_000_000
ANCHORS = np.array([(1, 1), (10, 0.5), (19, 1), (19.5, 6), (19, 11), (10, 11.5), (1, 11), (0.5, 6)])
CLOSED = ("power-center,sphere-intersection,epta-one-centre,linear-least-squares,range-least-squares,maximum-likelihood,"
          "posterior-mean,inverse-covariance:of=maximum-likelihood+range-least-squares")
TRACKERS = "posterior-mean,kalman,particle-filter,particle-smoother,grid-filter,grid-smoother"
MAPPED = ",".join(f"{name}:map=yes" for name in TRACKERS.split(",")) + ",tracker-mixture:map=yes,gaussian-process"
DESIGNS = ("stay", "stay4", "rest", "walk", "body", "walk4", "rest-map", "walk-map")
HALLS, SURVEY_WALKS, LASTING = 10, 6, 0.75
SPOTS = np.stack(np.meshgrid(np.arange(1.25, WIDTH, 2.5), np.arange(1, DEPTH, 2.5)), -1).reshape(-1, 2)
RADIUS = 2.0


def place(random):
    return random.uniform([1, 1], [WIDTH - 1, DEPTH - 1])


def shadowing(places, jitter):
    """Returns a root of the correlation exp(-d / 3 m) of places."""
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    return np.linalg.cholesky(np.exp(-apart / 3) + jitter * np.eye(len(places)))


AXES = np.arange(0, WIDTH + 0.5, 0.5), np.arange(0, DEPTH + 0.5, 0.5)
ROOT = cache(lambda: shadowing(np.stack(np.meshgrid(*AXES, indexing="ij"), -1).reshape(-1, 2), 1e-9))


def hall(random):
    """Returns place errors of 1 dB that are the same in each trace, as a function from places to a column per anchor."""
    errors = ROOT() @ random.normal(size=(len(ROOT()), len(ANCHORS)))
    return RegularGridInterpolator(AXES, errors.reshape(*map(len, AXES), -1))


def path(random, seconds):
    """Returns times and corners of a walk with pauses."""
    rows = [(0.0, *place(random))]
    while rows[-1][0] < seconds:
        corner = place(random)
        rows.append((rows[-1][0] + np.hypot(*(corner - rows[-1][1:])) / max(0.3, random.normal(1.1, 0.2)), *corner))
        if random.random() < 0.3:
            rows.append((rows[-1][0] + random.uniform(3, 10), *corner))
    return np.array(rows)


def trace(random, design, lasting_errors=None, seconds=30):
    """Returns the corners of a trace and the levels per anchor every 0.1 s, NaN for lost packets."""
    anchors = ANCHORS[: 4 if design.endswith("4") else 8]
    kind, seconds = design.rstrip("4").removesuffix("-map"), 8 if design.startswith("stay") else seconds
    times = np.arange(seconds * 10) / 10
    corners = path(random, seconds) if kind in ("walk", "body") else np.array([(0, *(p := place(random))), (seconds, *p)])
    at = np.stack([np.interp(times, corners[:, 0], corners[:, k]) for k in (1, 2)], 1)
    shape = (len(anchors), len(times))
    if kind in ("walk", "body"):
        lasting, own = (shadowing(at, 1e-6) @ random.normal(size=shape[::-1])).T, rician(random, shape, 0.4)
    else:
        own = random.normal(0, 3, shape) if kind == "stay" else rician(random, shape, 0.9)
        lasting = random.normal(0, 1, (len(anchors), 1))
    if lasting_errors:
        lasting = LASTING**0.5 * lasting_errors(at).T + (1 - LASTING) ** 0.5 * lasting
    error = 4 * lasting + own
    if kind == "body":
        heading = np.arctan2(*np.gradient(at, axis=0).T[::-1])
        towards = np.arctan2(anchors[:, 1:] - at[:, 1], anchors[:, :1] - at[:, 0])
        error -= 8 * (np.cos(towards - heading) < -0.5)
    distance = np.sqrt((at[:, 0] - anchors[:, :1]) ** 2 + (at[:, 1] - anchors[:, 1:]) ** 2 + HEIGHT**2)
    levels = np.round(POWER - 10 * EXPONENT * np.log10(distance) + error)
    levels[random.random(shape) < 0.3] = np.nan
    return corners[corners[:, 0] <= seconds] if kind in ("stay", "rest") else corners, levels


def recorded(program, file, traces):
    """Imports traces, each its corners and levels, as a file."""
    sightings, truth = ["trace,time_s,receiver,beacon,rssi_dbm"], ["trace,time_s,node,x_m,y_m,z_m"]
    for number, (corners, levels) in enumerate(traces):
        start = START + 1000 * number
        truth += [f"t{number:03},{start + t:.4f},phone,{x:.4f},{y:.4f},1.2" for t, x, y in corners]
        for tick in range(levels.shape[1]):
            sightings += [f"t{number:03},{start + tick / 10 + k / 1000:.4f},phone,b{k},{levels[k, tick]:.0f}"
                          for k in np.flatnonzero(~np.isnan(levels[:, tick]))]
    nodes = ["node,role,x_m,y_m,z_m"] + [f"b{k},beacon,{x},{y},{1.2 + HEIGHT}" for k, (x, y) in enumerate(ANCHORS)]
    for kind, rows in (("r", sightings), ("t", truth), ("n", nodes)):
        file.with_suffix(f".{kind}.csv").write_text("\n".join(rows) + "\n")
    run(program, "import", file.with_suffix(".r.csv"), "--nodes", file.with_suffix(".n.csv"), "--truth",
        file.with_suffix(".t.csv"), "-o", file)


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments), "-q"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{arguments}: {done.stderr}")


def calibration(program, folder, random, fading):
    rows = ["series,time_s,receiver,beacon,distance_m,rssi_dbm"]
    for number, distance in enumerate(np.exp(random.uniform(0, np.log(25), 400)).round(2)):
        noise = random.normal(0, 3, 30) if fading == "stay" else rician(random, (1, 30), 0.4)[0]
        levels = POWER - 10 * EXPONENT * np.log10(distance) + random.normal(0, 4) + noise
        rows += [f"c,{START - 1e6 + 20 * number + k / 10:.2f},phone,b,{distance},{z:.0f}" for k, z in enumerate(levels)]
    (folder / "places.csv").write_text("\n".join(rows) + "\n")
    run(program, "fit", folder / "places.csv", "-o", folder / "curve.json")


def answers(program, design, runs):
    """Returns the answers of all runs of a design."""
    random = np.random.default_rng(43)
    is_stay, found = design.startswith("stay"), []
    is_mapped = design.endswith("-map")
    halls = HALLS if is_mapped else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calibration(program, folder, random, design.rstrip("4"))
        for number in range(halls):
            errors, learned = hall(random) if is_mapped else None, []
            if is_mapped:
                recorded(program, folder / "s.h5", [trace(random, "walk-map", errors, 60) for _ in range(SURVEY_WALKS)])
                learned = ["--survey", folder / "s.h5"]
            recorded(program, folder / "r.h5", [trace(random, design, errors) for _ in range(runs // halls)])
            run(program, "eval", folder / "r.h5", "--calibration", folder / "curve.json", *learned, "--height", 1.2,
                "--bounds", f"0,0,{WIDTH:g},{DEPTH:g}", "--epoch", "stay" if is_stay else "2s", "--truth-at", "end",
                "--algorithms", CLOSED if is_stay else MAPPED if is_mapped else TRACKERS, "--report", folder / "r.answers.csv")
            found.append(pd.read_csv(folder / "r.answers.csv", dtype={"trace": str}))
            found[-1].trace = f"{number} " + found[-1].trace
    found = pd.concat(found)
    return found if is_stay else found[found.epoch > 2]


def claims(found):
    """Returns the share of answers with an ellipse, the share that it holds with its standard error, and the mean NEES."""
    given = found[found.var_xx_m2.notna()]
    x, y = given.x_m - given.truth_x_m, given.y_m - given.truth_y_m
    determinant = given.var_xx_m2 * given.var_yy_m2 - given.var_xy_m2**2
    score = (given.var_yy_m2 * x**2 - 2 * given.var_xy_m2 * x * y + given.var_xx_m2 * y**2) / determinant
    shares = (score <= 5.991).groupby(given.trace).mean()
    return len(given) / len(found), shares.mean(), shares.std() / np.sqrt(len(shares)), score.mean()


def reliability(found):
    """Yields the ranges of probabilities of being near spots: mean probability, share of targets, count."""
    given = found[found.var_xx_m2.notna()].iloc[:2000]
    turns = np.random.default_rng(1).normal(size=(400, 2))
    probable, true = [], []
    for row in given.itertuples():
        matrix = np.array([[row.var_xx_m2, row.var_xy_m2], [row.var_xy_m2, row.var_yy_m2]])
        places = turns @ np.linalg.cholesky(matrix + 1e-9 * np.eye(2)).T + (row.x_m, row.y_m)
        probable.append((np.hypot(*(places[:, None] - SPOTS).transpose(2, 0, 1)) <= RADIUS).mean(0))
        true.append(np.hypot(*(SPOTS - (row.truth_x_m, row.truth_y_m)).T) <= RADIUS)
    probable, true = np.ravel(probable), np.ravel(true)
    for low in (0.05, 0.2, 0.4, 0.6, 0.8):
        chosen = (probable >= low) & (probable < (0.2 if low < 0.2 else low + 0.2 + (low == 0.8)))
        if chosen.sum() >= 50:
            yield probable[chosen].mean(), true[chosen].mean()


def main(program, runs, *designs):
    print("| design | algorithm | RMSE | with ellipse | held | NEES | probability of a spot → share |\n|" + "---|" * 7)
    for design in designs or DESIGNS:
        found = answers(program, design, int(runs))
        for algorithm, rows in found[found.error_m.notna()].groupby("algorithm", sort=False):
            given, held, error, nees = claims(rows)
            spots = ", ".join(f"{a:.2f} → {b:.2f}" for a, b in reliability(rows))
            print(f"| {design} | `{algorithm}` | {np.sqrt((rows.error_m**2).mean()):.2f} m | {100 * given:.0f} % | "
                  f"{100 * held:.1f} ± {100 * error:.1f} % | {nees:.2f} | {spots} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
