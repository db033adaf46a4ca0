"""Share of disguised readings that rssi eval finds; called by scripts/bench/run.

    leaks.py RSSI [FOLDER...]
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd


def run(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


def succeed(program, *arguments):
    result = run(program, *arguments)
    if result.returncode:
        raise SystemExit(f"rssi {' '.join(map(str, arguments))}: {result.stderr}")
    return result.stdout


def thinned(share):
    def change(rows, truth, rng):
        return rows[rng.random(len(rows)) >= share], truth
    return change


def without_last(rows, truth, rng):
    return rows.drop(rows.groupby("trace").tail(1).index), truth


def first_half(rows, truth, rng):
    middle = rows.groupby("trace").time_s.transform("median")
    return rows[rows.time_s <= middle], truth


def shifted(level=0.0, seconds=0.0):
    def change(rows, truth, rng):
        return (rows.assign(rssi_dbm=rows.rssi_dbm + level, time_s=rows.time_s + seconds),
                truth.assign(time_s=truth.time_s + seconds))
    return change


def perturbed(rows, truth, rng):
    return rows.assign(rssi_dbm=rows.rssi_dbm + rng.uniform(-0.01, 0.01, len(rows))), truth


def one_trace(rows, truth, rng):
    return rows.assign(trace="day"), truth.assign(trace="day")


def other_order(rows, truth, rng):
    return rows.sample(frac=1, random_state=1), truth


def times(change_times):
    def change(rows, truth, rng):
        return rows.assign(time_s=change_times(rows.time_s, rng)).sort_values("time_s", kind="stable"), truth
    return change


def levels(change_levels):
    def change(rows, truth, rng):
        return rows.assign(rssi_dbm=change_levels(rows, rng)), truth
    return change


def stretched(factor):
    def change(rows, truth, rng):
        start = truth.groupby("trace").time_s.min()

        def moved(table):
            first = table.trace.map(start)
            return table.assign(time_s=first + (table.time_s - first) * factor)
        return moved(rows), moved(truth)
    return change


def resampled(level, time):
    def change(rows, truth, rng):
        bins = rows.assign(second=np.floor(rows.time_s)).groupby(["trace", "second", "receiver", "beacon"])
        table = bins.agg(rssi_dbm=("rssi_dbm", level), time_s=("time_s", time)).reset_index()
        return table.drop(columns="second").sort_values("time_s"), truth
    return change


def offsets(rows, rng):
    nodes = rows.beacon + rows.receiver
    return rows.rssi_dbm + nodes.map({node: np.round(rng.normal(0, 3)) for node in nodes.unique()})


def shuffled(rows, rng):
    second = rows.assign(second=np.floor(rows.time_s)).groupby(["trace", "receiver", "beacon", "second"])
    return second.rssi_dbm.transform(lambda part: rng.permutation(part.to_numpy()))


def smoothed(rows, rng):
    links = rows.groupby(["trace", "receiver", "beacon"]).rssi_dbm
    return links.transform(lambda part: part.ewm(alpha=0.5).mean()).round(2)


def numbered(rows, truth, rng):
    """Row numbers in place of times."""
    rows = rows.assign(real=rows.time_s, time_s=np.arange(len(rows)) * 0.01)
    paths = []
    for trace, path in truth.groupby("trace"):
        part = rows[rows.trace == trace]
        paths.append(path.assign(time_s=np.interp(path.time_s, part.real, part.time_s)))
    return rows.drop(columns="real"), pd.concat(paths)


def together(*changes):
    def change(rows, truth, rng):
        for one in changes:
            rows, truth = one(rows, truth, rng)
        return rows, truth
    return change


DISGUISES = {
    "a copy": thinned(0),
    "one reading per walk left out": without_last,
    "10 % left out at random": thinned(0.1),
    "50 % left out at random": thinned(0.5),
    "75 % left out at random": thinned(0.75),
    "95 % left out at random": thinned(0.95),
    "first half of each walk": first_half,
    "−1 dB on all levels": shifted(level=-1),
    "+0.01 dB on all levels": shifted(level=0.01),
    "± 0.01 dB at random": perturbed,
    "1000 s later": shifted(seconds=1000),
    "0.4 ms later": shifted(seconds=0.0004),
    "−3 dB, 1000 s later, 10 % left out": together(shifted(-3, 1000), thinned(0.1)),
    "1000 s later, 50 % left out": together(shifted(seconds=1000), thinned(0.5)),
    "1000 s later, 75 % left out": together(shifted(seconds=1000), thinned(0.75)),
    "all walks in one trace": one_trace,
    "rows in another order": other_order,
    "times rounded to 0.1 s": times(lambda time, rng: time.round(1)),
    "times rounded to 1 s": times(lambda time, rng: np.floor(time)),
    "times rounded to 1 s, 2 h later": together(times(lambda time, rng: np.floor(time)), shifted(seconds=7200)),
    "times × 1.0001": stretched(1.0001),
    "times × 1.001": stretched(1.001),
    "times × 1.01": stretched(1.01),
    "times × 1.01, 2 h later": together(stretched(1.01), shifted(seconds=7200)),
    "times ± 20 ms at random": times(lambda time, rng: time + rng.normal(0, 0.02, len(time))),
    "± 1 dB at random, whole": levels(lambda rows, rng: rows.rssi_dbm + rng.normal(0, 1, len(rows)).round()),
    "± 1 dB at random, fractions": levels(lambda rows, rng: (rows.rssi_dbm + rng.normal(0, 1, len(rows))).round(2)),
    "steps of 2 dB": levels(lambda rows, rng: (rows.rssi_dbm / 2).round() * 2),
    "levels × 1.1": levels(lambda rows, rng: (-60 + 1.1 * (rows.rssi_dbm + 60)).round(1)),
    "an offset for each link": levels(offsets),
    "exponential average of each link": levels(smoothed),
    "means of 1 s": resampled("mean", "mean"),
    "maxima of 1 s": resampled("max", "last"),
    "levels shuffled within 1 s": levels(shuffled),
    "row numbers as times": numbered,
}


# The disguises of copies that are put beside the walks in a cross-validation.
CROSSED = ["times rounded to 0.1 s", "times rounded to 1 s", "times × 1.01", "means of 1 s", "exponential average of each link",
           "± 1 dB at random, whole", "levels shuffled within 1 s", "row numbers as times"]


def written(folder, name, rows, truth, nodes):
    for kind, table in (("rssi", rows), ("truth", truth), ("nodes", nodes)):
        table.to_csv(folder / f"{name}-{kind}.csv", index=False)
    return folder / f"{name}-rssi.csv", folder / f"{name}-nodes.csv", folder / f"{name}-truth.csv"


def recording(program, folder, name, rows, truth, nodes):
    rssi, places, path = written(folder, name, rows, truth, nodes)
    trace = folder / f"{name}.h5"
    succeed(program, "import", rssi, "--nodes", places, "--truth", path, "-o", trace)
    return trace


def distances(rows, truth, nodes):
    """Readings at the distances of the walks, which a table of distances has."""
    place = nodes.set_index("node")
    parts = []
    for trace, part in rows.groupby("trace"):
        path = truth[truth.trace == trace].sort_values("time_s")
        part = part[part.beacon.isin(place.index)].copy()
        x, y = (np.interp(part.time_s, path.time_s, path[key]) for key in ("x_m", "y_m"))
        near = place.loc[part.beacon]
        part["distance_m"] = np.hypot(x - near.x_m.to_numpy(), y - near.y_m.to_numpy()).clip(0.05)
        parts.append(part)
    return pd.concat(parts)[["time_s", "receiver", "beacon", "rssi_dbm", "distance_m"]]


def verdict(program, arguments):
    """Returns the share found, and the reaction of eval."""
    rest = ["--algorithms", "centroid", "--json"]
    honest = run(program, "eval", *arguments, *rest)
    answer = json.loads(succeed(program, "eval", *arguments, "--in-sample", *rest))
    share = answer["in_sample_share"]
    named = "refused" if honest.returncode == 65 else "warned" if answer["in_sample"] else "accepted"
    if share is None:
        return "–", "not known"
    return f"{100 * share:.0f} %", named


def crossed(program, trace):
    """Returns the share found and the reaction to cross-validation, as two cells."""
    result = run(program, "eval", trace, "--cross-validate", "traces", "--algorithms", "centroid", "--json")
    if result.returncode:
        return "| refused"
    answer = json.loads(result.stdout)
    return f"{100 * (answer['in_sample_share'] or 0):.0f} % | {'warned' if answer['in_sample'] else 'accepted'}"


def measure(program, folder, work):
    rows, nodes, truth = (pd.read_csv(folder / f"{name}.csv", dtype={"trace": str}) for name in ("rssi", "nodes", "truth"))
    rows = rows.dropna(subset="rssi_dbm")
    walks = recording(program, work, "walks", rows, truth, nodes)
    succeed(program, "simulate", "--model", "simple", "--seed", 99, "-o", work / "elsewhere", "-q")
    other = work / "elsewhere.json"
    succeed(program, "fit", work / "elsewhere/distances.csv", "-o", other)
    print(f"\n{folder.name}: {len(rows)} readings in {rows.trace.nunique()} traces\n")
    print("| disguise | survey | | calibration | |\n|---|---|---|---|---|")

    def line(name, survey, fitted):
        cells = verdict(program, [walks, "--calibration", other, "--survey", survey]) if survey else ("", "")
        succeed(program, "fit", *fitted, "-o", work / "fit.json")
        cells += verdict(program, [walks, "--calibration", work / "fit.json"])
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    for name, change in DISGUISES.items():
        changed, path = change(rows, truth, np.random.default_rng(1))
        survey = recording(program, work, "survey", changed, path, nodes)
        line(name, survey, [survey])
    for name in CROSSED:
        copy, path = DISGUISES[name](rows, truth, np.random.default_rng(1))
        both = recording(program, work, "both", pd.concat([rows, copy.assign(trace="copy-" + copy.trace)]),
                         pd.concat([truth, path.assign(trace="copy-" + path.trace)]), nodes)
        print(f"| {name}, traces left out | {crossed(program, both)} | | | |", flush=True)
    print(f"| no copy, traces left out | {crossed(program, walks)} | | | |", flush=True)
    names = {"phone": "telephone", **{node: f"n{i}" for i, node in enumerate(nodes.node)}}
    renamed = recording(program, work, "survey", rows.replace({"receiver": names, "beacon": names}).assign(
        trace="t" + rows.trace), truth.replace({"node": names}).assign(trace="t" + truth.trace),
        nodes.replace({"node": names}))
    succeed(program, "fit", renamed, "-o", work / "fit.json")
    cells = verdict(program, [walks, "--calibration", other, "--survey", renamed])
    cells += verdict(program, [walks, "--calibration", work / "fit.json"])
    print(f"| nodes and traces renamed | {' | '.join(cells)} |", flush=True)
    mirrored = recording(program, work, "survey", rows.replace({"receiver": names, "beacon": names}),
                         truth.replace({"node": names}).assign(x_m=-truth.x_m), nodes.replace({"node": names}).assign(x_m=-nodes.x_m))
    succeed(program, "fit", mirrored, "-o", work / "fit.json")
    cells = verdict(program, [walks, "--calibration", work / "fit.json"])
    print(f"| mirrored, nodes renamed | | | {' | '.join(cells)} |", flush=True)
    table = work / "distances.csv"
    pooled = distances(rows, truth, nodes)
    pooled.to_csv(table, index=False)
    line("a table of distances, in one series", None, [table])
    for name, changed in (("a table of distances with row numbers as times, −1 dB", pooled.assign(rssi_dbm=pooled.rssi_dbm - 1)),
                          ("a table sorted by distance, with row numbers as times", pooled.sort_values("distance_m"))):
        changed.assign(time_s=np.arange(len(changed)) * 0.1).to_csv(table, index=False)
        line(name, None, [table])
    seconds = pooled.assign(second=np.floor(pooled.time_s)).groupby(["second", "receiver", "beacon"], as_index=False)
    seconds.agg(time_s=("time_s", "mean"), rssi_dbm=("rssi_dbm", "mean"), distance_m=("distance_m", "mean")).drop(
        columns="second").to_csv(table, index=False)
    line("a table of distances of means of 1 s", None, [table])
    metres = pooled.assign(distance_m=pooled.distance_m.round().clip(1))
    metres.groupby(["beacon", "receiver", "distance_m"], as_index=False).agg(
        rssi_dbm=("rssi_dbm", "mean"), time_s=("time_s", "min")).to_csv(table, index=False)
    line("means a metre", None, [table])
    stripped = json.loads((succeed(program, "fit", walks, "--json")))
    for keys in (["stations"], ["stations", "sample"], ["stations", "sample", "inputs"]):
        part = {key: None if key == "sample" else [] for key in keys}
        (work / "stripped.json").write_text(json.dumps({**stripped, **part}))
        cells = verdict(program, [walks, "--calibration", work / "stripped.json"])
        print(f"| without its {' and '.join(keys)} | | | {' | '.join(cells)} |", flush=True)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        folders = [Path(path) for path in sys.argv[2:]]
        if not folders:
            succeed(program, "simulate", "--model", "simple", "--seed", 4, "--walks", 6, "-o", work / "simulated", "-q")
            folders = [work / "simulated"]
        for folder in folders:
            measure(program, folder, work)


if __name__ == "__main__":
    main()
