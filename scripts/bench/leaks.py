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
}


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
    names = {"phone": "telephone", **{node: f"n{i}" for i, node in enumerate(nodes.node)}}
    renamed = recording(program, work, "survey", rows.replace({"receiver": names, "beacon": names}).assign(
        trace="t" + rows.trace), truth.replace({"node": names}).assign(trace="t" + truth.trace),
        nodes.replace({"node": names}))
    succeed(program, "fit", renamed, "-o", work / "fit.json")
    cells = verdict(program, [walks, "--calibration", other, "--survey", renamed])
    cells += verdict(program, [walks, "--calibration", work / "fit.json"])
    print(f"| nodes and traces renamed | {' | '.join(cells)} |", flush=True)
    table = work / "distances.csv"
    pooled = distances(rows, truth, nodes)
    pooled.to_csv(table, index=False)
    line("a table of distances, in one series", None, [table])
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
