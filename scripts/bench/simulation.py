#!/usr/bin/env python3
"""Compares the simulator with public recordings: prints a Markdown table, of which docs/simulation.md has a part.

    scripts/bench/run simulation [--rooms N] [OPTION...]

Each figure is computed by the same function from the tables of a recording and from those that `rssi simulate` writes: stays
(`--speed 0`) and walks in N rooms, 6 unless given, by both models. With OPTIONs, which are passed on to it, such as
`--body 8`, it is one column. The last column shows whether the first lies between the recordings.

The recordings are looked for in RSSI_SHARED_DATA, else in ../shared/data; a column without its recording is left out. The
program is RSSI_PROGRAM, else .build/release/rssi. Needs numpy and pandas (`scripts/bootstrap test`).
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("RSSI_SHARED_DATA", ROOT.parent / "shared" / "data"))
PROGRAM = Path(os.environ.get("RSSI_PROGRAM", ROOT / ".build" / "release" / "rssi")).absolute()
# Levels of a stay on which its standard deviation, and its correlation and shape, are computed.
FEW, MANY = 10, 60
# Mean levels in dBm at which reception is compared, half the width of each class, and levels of strong links.
CLASSES, HALF, STRONG = [-72, -80, -84, -88], 2, (-70, -50)
# Seconds from one event of a simulated beacon to the next: the interval and the mean random delay.
EVENT = 0.105
OFFSETS = "anchors' offsets, sd in dB"
LAG = "lag-1 correlation in a stay"


def table(*path, **types):
    """Reads a table of a recording; None if it is missing."""
    file = DATA.joinpath(*path)
    return pd.read_csv(file, dtype=types) if file.exists() else None


class Figure:
    """Returns a number with its text."""

    def __init__(self, number, text):
        self.number, self.text = number, text


def spread(values, digits, more=""):
    """Returns the median and the 10 % to 90 % range of values."""
    low, middle, high = np.quantile(values, [0.1, 0.5, 0.9])
    return Figure(middle, f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f}){more}")


def stays(rows, link):
    """Computes figures within stays; `rows` is of all stays, `link` the columns that identify one."""
    deviation, correlation, skew, kurtosis, steps = [], [], [], [], []
    for _, stay in rows.sort_values("time_s").groupby(link, sort=False):
        time = stay.time_s.to_numpy()
        # A stay ends after a minute without sightings.
        gaps = np.flatnonzero(np.diff(time) > 60)
        level = stay.rssi_dbm.to_numpy(float)[:gaps[0] + 1 if len(gaps) else None]
        if len(level) < FEW:
            continue
        deviation.append(level.std(ddof=1))
        if len(level) < MANY or deviation[-1] == 0:
            continue
        error = level - level.mean()
        variance = (error ** 2).mean()
        correlation.append((error[1:] * error[:-1]).mean() / variance)
        skew.append((error ** 3).mean() / variance ** 1.5)
        kurtosis.append((error ** 4).mean() / variance ** 2 - 3)
        steps.append(np.median(np.diff(time[:len(level)])))
    figures = {"sd within a stay, dB": spread(deviation, 1)}
    if steps:
        figures |= {"skew of a stay": spread(skew, 2), "excess kurtosis of a stay": spread(kurtosis, 1),
                    LAG: spread(correlation, 2, f" at {np.median(steps):.1f} s")}
    return figures


def places(means):
    """Components of variance of mean levels (columns anchor, place, level, distance_m): anchors, places and what is left of
    a regression on log10 of the distance, by Henderson's third method (1953)."""
    level = means.level.to_numpy()
    slope = np.column_stack([np.ones(len(means)), -10 * np.log10(means.distance_m.clip(lower=0.3))])
    anchors, spots = (pd.get_dummies(means[column]).to_numpy(float) for column in ("anchor", "place"))

    def left(*blocks):
        design = np.column_stack(blocks)
        answer, _, rank, _ = np.linalg.lstsq(design, level, rcond=None)
        return ((level - design @ answer) ** 2).sum(), rank, np.linalg.svd(design, full_matrices=False)

    def trace(svd, block):
        basis = svd[0][:, svd[1] > 1e-9 * svd[1][0]]
        return ((block - basis @ (basis.T @ block)) ** 2).sum()

    rest, rank, _ = left(slope, anchors, spots)
    variance = rest / (len(level) - rank)

    def component(block, other):
        more, lower, svd = left(slope, other)
        return max(0, (more - rest - variance * (rank - lower)) / trace(svd, block)) ** 0.5

    figures = {OFFSETS: component(anchors, spots), "common to all anchors at a place, sd in dB": component(spots, anchors),
               "between places otherwise, sd in dB": variance ** 0.5}
    return {name: Figure(number, f"{number:.1f}") for name, number in figures.items()}


def persistence(cells):
    """The share of the variance of mean levels of 1 m cells (columns anchor, place, visit, residual) that is the same on
    each visit."""
    groups = cells.groupby(["anchor", "place"]).residual
    cells = cells[groups.transform("size") >= 3]
    groups = cells.groupby(["anchor", "place"]).residual
    size = groups.size()
    within = ((cells.residual - groups.transform("mean")) ** 2).sum() / (len(cells) - len(size))
    between = groups.mean().var() - within * (1 / size).mean()
    share = between / (between + within)
    return {"variance of 1 m cells that is the same on each visit": Figure(share, f"{100 * share:.0f} %")}


def residual(means):
    """Returns levels without the log-distance line and the mean of each anchor."""
    slope = np.column_stack([np.ones(len(means)), -10 * np.log10(means.distance_m.clip(lower=0.3))])
    answer = np.linalg.lstsq(slope, means.level, rcond=None)[0]
    error = means.level - slope @ answer
    return error - error.groupby(means.anchor).transform("mean")


def walking(rows, truth, nodes):
    """Returns the cells of 1 m that walks pass, with mean levels."""
    parts = []
    for trace, walk in rows.groupby("trace"):
        path = truth[truth.trace == trace]
        walk = walk[walk.time_s.between(path.time_s.min(), path.time_s.max())].copy()
        walk["x"] = np.interp(walk.time_s, path.time_s, path.x_m)
        walk["y"] = np.interp(walk.time_s, path.time_s, path.y_m)
        parts.append(walk)
    rows = pd.concat(parts)
    anchors = nodes.set_index("node")
    anchors = anchors[anchors.x_m.notna()]
    rows = rows[rows.beacon.isin(anchors.index)]
    anchor = anchors.loc[rows.beacon]
    rows = rows.assign(
        distance_m=np.hypot(rows.x.to_numpy() - anchor.x_m.to_numpy(), rows.y.to_numpy() - anchor.y_m.to_numpy()),
        place=rows.x.round().astype(int).astype(str) + "," + rows.y.round().astype(int).astype(str))
    cells = rows.groupby(["beacon", "place", "trace"], as_index=False).agg(
        level=("rssi_dbm", "mean"), distance_m=("distance_m", "mean"), size=("rssi_dbm", "size"))
    cells = cells[cells["size"] >= 3].rename(columns={"beacon": "anchor", "trace": "visit"})
    return cells.assign(residual=residual(cells))


def reception(received, sent, level):
    """The share of packets or scans that is received at a mean level of links, of that of strong links."""
    def share(low, high):
        inside = (level >= low) & (level < high)
        return received[inside].sum() / sent[inside].sum() if inside.any() else np.nan

    strong = share(*STRONG)
    shares = {centre: share(centre - HALF, centre + HALF) / strong for centre in CLASSES}
    return {f"received at {level} dBm, of strong links": Figure(share, f"{share:.2f}")
            for level, share in shares.items() if not np.isnan(share)}


def flat_walks():
    rows, truth, nodes = (table("flat-walks", name + ".csv", trace=str) for name in ("rssi", "truth", "nodes"))
    still = table("flat-walks", "distances.csv")
    if rows is None or still is None:
        return None
    still = still[still.rssi_dbm < 0]
    cells = walking(rows, truth, nodes)
    return stays(still, ["series", "beacon", "distance_m"]) | places(cells) | persistence(cells)


def one_metre():
    rows = table("flat-walks", "one-metre.csv")
    if rows is None:
        return None
    # Beacons at separate places: the difference is the beacon.
    means = rows[rows.series == "separate"].groupby("beacon").rssi_dbm.mean()
    return stays(rows, ["series", "beacon"]) | {OFFSETS: Figure(means.std(), f"{means.std():.1f}")}


def hall_static():
    rows, truth, nodes = (table("hall-static", name + ".csv", trace=str) for name in ("rssi", "truth", "nodes"))
    if rows is None:
        return None
    means = rows.groupby(["trace", "receiver"], as_index=False).rssi_dbm.mean().rename(
        columns={"receiver": "anchor", "trace": "place", "rssi_dbm": "level"})
    place = truth.groupby("trace")[["x_m", "y_m", "z_m"]].first().loc[means.place].to_numpy()
    anchor = nodes.set_index("node")[["x_m", "y_m", "z_m"]].loc[means.anchor].to_numpy()
    means["distance_m"] = np.linalg.norm(place - anchor, axis=1)
    return stays(rows, ["trace", "receiver"]) | places(means)


def office_scans():
    rows, truth, nodes = (table("office-scans", name + ".csv") for name in ("rssi", "truth", "nodes"))
    if rows is None:
        return None
    truth["place"] = truth.x_m.astype(str) + "," + truth.y_m.astype(str)
    rows = rows.merge(truth[["trace", "time_s", "place", "x_m", "y_m"]], on=["trace", "time_s"])
    means = rows.groupby(["trace", "place", "beacon"], as_index=False).agg(
        level=("rssi_dbm", "mean"), size=("rssi_dbm", "size"), x_m=("x_m", "first"), y_m=("y_m", "first"))
    anchor = nodes.set_index("node").loc[means.beacon]
    means["distance_m"] = np.hypot(means.x_m - anchor.x_m.to_numpy(), means.y_m - anchor.y_m.to_numpy())
    means = means.rename(columns={"beacon": "anchor", "trace": "visit"})
    sent = truth.groupby(["trace", "place"]).size().loc[list(zip(means.visit, means.place))].to_numpy()
    figures = reception(means["size"], sent, means.level)
    means = means[means["size"] >= 5].copy()
    # The three transmit powers are three visits, each with a separate line.
    means["residual"] = pd.concat([residual(visit) for _, visit in means.groupby("visit")])
    return (stays(rows, ["trace", "place", "beacon"]) | places(means[means.visit == "phone-1/power-1"])
            | persistence(means) | figures)


def carried_phones():
    rows = table("carried-phones", "distances.csv")
    return None if rows is None else stays(rows[rows.rssi_dbm < 0], ["series", "distance_m"])


def simulator(rooms, options):
    with tempfile.TemporaryDirectory() as scratch:
        still, means, cells = [], [], []
        for seed in range(1, rooms + 1):
            def simulate(name, *more):
                folder = Path(scratch, f"{name}-{seed}")
                subprocess.run([PROGRAM, "simulate", "--seed", str(seed), *more, *options, "-o", folder, "-q"], check=True,
                               stdout=subprocess.DEVNULL)
                return [pd.read_csv(folder / f"{table}.csv") for table in ("rssi", "truth", "nodes")]
            rows, truth, nodes = simulate("still", "--speed", "0", "--walks", "30", "--duration", "60")
            rows["room"] = seed
            still.append(rows)
            mean = rows.groupby(["trace", "beacon"], as_index=False).agg(level=("rssi_dbm", "mean"), size=("rssi_dbm", "size"))
            place = truth.groupby("trace")[["x_m", "y_m", "z_m"]].first().loc[mean.trace].to_numpy()
            anchor = nodes.set_index("node")[["x_m", "y_m", "z_m"]].loc[mean.beacon].to_numpy()
            mean["distance_m"] = np.linalg.norm(place - anchor, axis=1)
            mean["anchor"] = f"{seed} " + mean.beacon
            mean["place"] = f"{seed} " + mean.trace
            means.append(mean)
            walk = walking(*simulate("walks", "--walks", "10", "--duration", "60"))
            walk["anchor"] = f"{seed} " + walk.anchor
            cells.append(walk)
        still, means, cells = pd.concat(still), pd.concat(means, ignore_index=True), pd.concat(cells)
        figures = stays(still, ["room", "trace", "beacon"])
        figures["the same on one channel"] = stays(still[still.channel == 37], ["room", "trace", "beacon"])[LAG]
        figures |= reception(means["size"], np.full(len(means), 60 / EVENT), means.level)
        figures |= places(means[means["size"] >= 5]) | persistence(cells)
        return figures


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--rooms", type=int, default=6)
arguments, options = parser.parse_known_args()
if not os.access(PROGRAM, os.X_OK):
    sys.exit(f"{PROGRAM} cannot be run: build it with make program, or set RSSI_PROGRAM")
models = {"simulator": options} if options else {f"`{model}`": ["--model", model] for model in ("rician", "simple")}
columns = {name: simulator(arguments.rooms, more) for name, more in models.items()}
columns |= {"flat-walks": flat_walks(), "one-metre": one_metre(), "hall-static": hall_static(),
            "office-scans": office_scans(), "carried-phones": carried_phones()}
columns = {name: figures for name, figures in columns.items() if figures is not None}
names = list(dict.fromkeys(row for figures in columns.values() for row in figures))
names.sort(key=lambda name: name.startswith("received"))
print("| | " + " | ".join(columns) + " | inside |\n|---" + "|---" * len(columns) + "|---|")
for name in names:
    cells = [figures.get(name) for figures in columns.values()]
    numbers = [figure.number for figure in cells[len(models):] if figure]
    inside = "–" if len(numbers) < 2 else "yes" if min(numbers) <= cells[0].number <= max(numbers) else "no"
    texts = [figure.text if figure else "" for figure in cells]
    print(f"| {name} | " + " | ".join(texts) + f" | {inside} |")
