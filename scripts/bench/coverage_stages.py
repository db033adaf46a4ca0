"""Coverage of every 95 % interval that a stage prints, as a Markdown table; called by scripts/coverage.

    coverage_stages.py RSSI [--write] [RUNS [STAGE...]]

With --write, the rows of these stages replace those of docs/coverage.md.

The program is a black box. Truths come from the generators of this file and of coverage.py: Rician fading from complex
AR(1) tracks, places with offsets of their own, devices, and shadowing that is correlated in space. A run is a calibration,
a bench of one beacon, a link, an evaluation, a trace or a surveyed room. An interval without an end holds every value. The
column "±" is the largest standard error of the row. The column "warned" is the share of runs with a diagnostic or a warning,
for filters with correlated innovations (p < 0.05), and "–" where the stage has none.
"""

import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

import coverage
from coverage_places import beacons, locate, maps, watch
from coverage_run import EXPONENT, POWER, START, Simulation, holds, line
from fading import ar, rician


def fit(s):
    """Log-distance, two slopes, and devices; of distances that of a level, and that of a packet."""
    levels = range(-90, -49)
    asked = [word for level in levels for word in ("--distance-at", str(level))]
    truth = {"n": ("exponent", coverage.EXPONENT), "P": ("measured_power_dbm", coverage.POWER)}
    for name, design in (("B12", "12 places"), ("C1", "12 to 21 places, unequal packets"), ("C4", "6 places, unequal packets")):
        sigma = coverage.deviation(name)
        for group in coverage.fits(s.program, name, s.runs, s.folder, asked):
            warned = group["diagnostics"]
            for quantity, (key, value) in truth.items():
                s.note(quantity, design, holds(group["ci95"][key], value), warned)
            s.note("σ", design, holds(group["ci95"]["sigma_db"], sigma), warned)
            at = {one["rssi_dbm"]: one for one in group["distance_at"]}
            distance = np.exp(s.rng.uniform(np.log(1), np.log(20)))
            mean = coverage.POWER - 10 * coverage.EXPONENT * np.log10(distance)
            level = round(mean)
            true = 10 ** ((coverage.POWER - level) / (10 * coverage.EXPONENT))
            s.note("distance", design, level not in at or holds(at[level]["ci95_m"], true), warned)
            packet = round(mean + s.rng.normal(0, sigma))
            s.note("distance of a packet", design,
                   packet not in at or holds(at[packet]["prediction95_m"], distance), warned)
    bends(s)
    devices(s)


def bends(s):
    for places, deviation, breakpoint, far in ((16, 2.5, 8.0, 3.5), (24, 2.5, 8.0, 3.5), (30, 3.0, 6.0, 3.0)):
        rows, time = [], START
        for run in range(s.runs):
            for distance in np.exp(s.rng.uniform(0, np.log(40), places)):
                mean = POWER - 18 * np.log10(distance) - 10 * (far - 1.8) * np.log10(max(distance / breakpoint, 1))
                for level in np.round(mean + s.rng.normal(0, deviation) + s.rng.normal(0, 3.5, 30)):
                    rows.append(f"r{run},{time:.1f},phone,b,{distance:.4f},{level:.0f}")
                    time += 0.1
                time += 20
        s.write("bends.csv", "series,time_s,receiver,beacon,distance_m,rssi_dbm", rows)
        design = f"two slopes, {places} places, 1.8 to {far}"
        for group in s.answer("fit", "bends.csv", "--by", "series", "--model", "two-slope")["groups"]:
            two, warned = group["two_slope"], group["diagnostics"]
            if two is None:
                continue
            s.note("near n", design, holds(group["ci95"]["exponent"], 1.8), warned)
            s.note("far n", design, holds(two["far_exponent_ci95"], far), warned)
            s.note("P", design, holds(group["ci95"]["measured_power_dbm"], POWER), warned)
            s.note("breakpoint", design, holds(two["breakpoint_ci95_m"], breakpoint), warned)


def devices(s):
    for beacons, places in ((8, 6), (20, 4)):
        design = f"hierarchical, {beacons} beacons × {places} own places"
        for _ in range(s.runs):
            rows, time = [], START
            offsets = s.rng.normal(0, 2, beacons)
            for beacon in range(beacons):
                for distance in np.exp(s.rng.uniform(0, np.log(16), places)):
                    mean = line(distance) + offsets[beacon] + s.rng.normal(0, 3)
                    for level in np.round(mean + s.rng.normal(0, 3, 30)):
                        rows.append(f"s,{time:.1f},phone,b{beacon},{distance:.4f},{level:.0f}")
                        time += 0.1
                    time += 20
            s.write("devices.csv", "series,time_s,receiver,beacon,distance_m,rssi_dbm", rows)
            found = s.answer("fit", "devices.csv", "--model", "hierarchical")
            group, effects = found["groups"][0], found["hierarchical"]
            # One receiver has no offset, which is no doubt about the others.
            warned = [one for one in group["diagnostics"] if one["code"] != "effect-left-out"]
            s.note("n", design, holds(group["ci95"]["exponent"], EXPONENT), warned)
            s.note("P", design, holds(group["ci95"]["measured_power_dbm"], POWER), warned)
            own = [holds(effects["beacons"][f"b{k}"]["ci95_db"], offsets[k])
                   for k in range(beacons) if f"b{k}" in effects["beacons"]]
            if own:
                s.note("offsets", design, np.mean(own), warned)
            for name, value in (("beacon", 2.0), ("position", 3.0), ("packet", np.sqrt(9 + 1 / 12))):
                if part := effects["sd_db"].get(name):
                    s.note(f"sd of a {name}", design, holds(part["ci95"], value), warned)


def calibrate(s):
    for poses, kind in ((3, "normal"), (4, "normal"), (8, "normal"), (4, "Rician"), (8, "Rician")):
        rows, time = [], START
        for beacon in range(s.runs):
            for pose in range(poses):
                # Truth is the mean of levels in dB over poses.
                offset = s.rng.normal(0, 2.4) if kind == "normal" else rician(s.rng, (1,), 0.0, 3.0)[0]
                for level in np.round(POWER + offset + ar(s.rng, 100, 0.9, 2.5)):
                    rows.append(f"{time:.1f},phone,b{beacon:04d},1,{level:.0f},pose {pose}")
                    time += 0.1
                time += 20
        s.write("bench.csv", "time_s,receiver,beacon,distance_m,rssi_dbm,pose", rows)
        for beacon in s.answer("calibrate", "bench.csv", "--all-beacons")["beacons"]:
            s.note("power", f"{poses} {kind} poses", holds(beacon["ci95_dbm"], POWER), beacon["warnings"])


def filters(s):
    """Levels and noise of random walks, and levels of links at rest with fading; 20 links per run."""
    names = "kalman", "rts", "multiple-model", "adaptive", "mean"
    for design, noise in (("levels of a random walk, white noise", "white"), ("levels at rest, fading of 1 s", "fading")):
        for _ in range(max(s.runs // 20, 1)):
            rows, truth = [], []
            for link in range(20):
                time = np.cumsum(s.rng.uniform(0.1, 0.2, 300))
                if noise == "white":
                    mean = -70 + np.cumsum(np.sqrt(2 * np.diff(time, prepend=time[0])) * s.rng.normal(size=300))
                    level = mean + s.rng.normal(0, 3, 300)
                else:
                    mean = np.full(300, -70 + s.rng.uniform(-5, 5))
                    level = mean + rician(s.rng, (300,), np.exp(-0.15))
                for t, m, z in zip(START + time, mean, np.round(level)):
                    rows.append(f"w,{t:.4f},r,b{link},{z:.0f}")
                    truth.append(f"w,{t:.4f},r,b{link},{m:.5f}")
            s.write("links.csv", "trace,time_s,receiver,beacon,rssi_dbm", rows)
            s.write("levels.csv", "trace,time_s,receiver,beacon,true_rssi_dbm", truth)
            trace = s.trace("links", "links.csv", "--truth", "levels.csv")
            links = s.answer("filter", trace, "--filter", "kalman", "-o", "filtered.h5")["links"]
            doubtful = np.mean([link["whiteness"]["p_value"] < 0.05 for link in links])
            for one in s.answer("filter", trace, "--compare", ",".join(names))["filters"]:
                if one["coverage95"] is not None:
                    s.note(f"`{one['filter']}`", design, one["coverage95"],
                           doubtful if one["filter"] in ("kalman", "rts") else None)
            for link in links if noise == "white" else []:
                for key, value in (("q", 2), ("r", 9 + 1 / 12)):
                    s.note(key, design, holds(link["ci95"] and link["ci95"][key], value), link["whiteness"]["p_value"] < 0.05)
    missing(s)


def missing(s):
    """Levels of links near the floor of a receiver that does not know its floor and loss; 20 links per run."""
    design = "`tobit`, random walks from −80 to −95 dBm, floor −92.5 dBm, 10 % lost"
    for _ in range(max(s.runs // 20, 1)):
        rows, truth = [], []
        for link in range(20):
            time = np.cumsum(0.2 + s.rng.uniform(0, 0.01, 1500))
            mean = s.rng.uniform(-95, -80) + np.cumsum(np.sqrt(0.25 * np.diff(time, prepend=time[0])) * s.rng.normal(size=1500))
            level = mean + s.rng.normal(0, 4, 1500)
            heard = (level > -92.5) & (s.rng.uniform(size=1500) > 0.1)
            for t, m, z in zip(START + time[heard], mean[heard], np.round(level[heard])):
                rows.append(f"w,{t:.4f},r,b{link},{z:.0f}")
                truth.append(f"w,{t:.4f},r,b{link},{m:.5f}")
        s.write("links.csv", "trace,time_s,receiver,beacon,rssi_dbm", rows)
        s.write("levels.csv", "trace,time_s,receiver,beacon,true_rssi_dbm", truth)
        trace = s.trace("links", "links.csv", "--truth", "levels.csv")
        for one in s.answer("filter", trace, "--compare", "tobit:interval=205ms,kalman")["filters"]:
            if one["coverage95"] is not None:
                s.note(f"`{one['filter'].partition(':')[0]}`", design, one["coverage95"])


ERRORS = """import json, sys
answers = dict(line.split(maxsplit=1) for line in open("errors.txt"))
for line in sys.stdin:
    asked = json.loads(line)
    if asked["kind"] != "site":
        x, y = map(float, answers["%.1f" % asked["asked_s"]].split())
        print(json.dumps({"x_m": x, "y_m": y}), flush=True)
"""


def evaluations(s):
    """Figures of an algorithm with given errors, correlated within traces whose scales differ by 30 %."""
    (s.folder / "errors.py").write_text(ERRORS)
    anchors = [(0, 0), (10, 0), (5, 8)]
    bench = [f"s,{START - 1000 + i},phone,a0,{d},{line(d) + i % 3:.0f}" for i, d in enumerate([1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12])]
    s.write("any.csv", "series,time_s,receiver,beacon,distance_m,rssi_dbm", bench)
    s.run("fit", "any.csv", "-o", "any.json", "-q")

    def errors(rng, epochs):
        return 1.5 * np.exp(rng.normal(0, 0.3)) * ar(rng, (2, epochs), 0.8).T + rng.normal(0, 0.5, 2)
    many = np.hypot(*np.vstack([errors(np.random.default_rng(k), 30) for k in range(20_000)]).T)
    truth = {"median": np.median(many), "mean": many.mean(), "p95": np.quantile(many, 0.95)}
    for traces in (8, 16):
        rows, paths, asked, time = [], [], [], START
        for trace in range(traces):
            paths += [f"t{trace},{time},phone,0,0,1", f"t{trace},{time + 60},phone,30,0,1"]
            for epoch in range(30):
                rows += [f"t{trace},{time + 2 * epoch + 1 + a / 10:.1f},phone,a{a},-60" for a in range(3)]
                asked.append((time + 2 * (epoch + 1), epoch + 1))
            time += 200
        s.write("e.csv", "trace,time_s,receiver,beacon,rssi_dbm", rows)
        s.write("e.truth.csv", "trace,time_s,node,x_m,y_m,z_m", paths)
        s.write("e.nodes.csv", "node,role,x_m,y_m,z_m", [f"a{a},beacon,{x},{y},2" for a, (x, y) in enumerate(anchors)])
        file = s.trace("e", "e.csv", "--nodes", "e.nodes.csv", "--truth", "e.truth.csv")
        for _ in range(s.runs):
            off = np.vstack([errors(s.rng, 30) for _ in range(traces)])
            (s.folder / "errors.txt").write_text(
                "".join(f"{at:.1f} {x + dx:.6f} {dy:.6f}\n" for (at, x), (dx, dy) in zip(asked, off)))
            found = s.answer("eval", file, "--calibration", "any.json", "--truth-at", "end",
                             "--algorithm", "exec:python3 -S -E errors.py")
            for key, value in truth.items():
                interval = found["algorithms"][0]["ci95"][key]
                s.note(key, f"{traces} walks", holds(interval, value), interval is None)


STAGES = {"fit": fit, "calibrate": calibrate, "filter": filters, "eval": evaluations, "locate": locate, "watch": watch,
          "map": maps, "places": beacons}


PAGE = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"
HEADING = ["| stage | design or interval | runs | held, % | ± | warned, % |", "|---|---|---|---|---|---|"]


def table(name, s):
    """Yields a row per design, or one for all designs of an interval that is the only one of each."""
    alone = defaultdict(list)
    for quantity, design in s.held:
        alone[design].append(quantity)
    rows = defaultdict(list)
    for quantity, design in s.held:
        rows[(None, quantity) if len(alone[design]) == 1 else (design, None)].append((quantity, design))
    for (design, quantity), noted in rows.items():
        shares = [100 * np.mean(s.held[one]) for one in noted]
        error = max(100 * np.std(s.held[one]) / np.sqrt(len(s.held[one])) for one in noted)
        warned = [100 * np.mean(s.warned[one]) for one in noted if s.warned.get(one)]
        told = warned and sorted({f"{share:.0f}" for share in (min(warned), max(warned))}, key=float)
        runs = sorted({len(s.held[one]) for one in noted})
        held = ", ".join(f"{one[design is None]} {share:.1f}" for one, share in zip(noted, shares))
        yield f"| {name} | {design or quantity} | {' to '.join(map(str, runs))} | {held} | {error:.1f} | {' to '.join(told) if told else '–'} |"


def write(measured):
    """Replaces the rows of stages in the table of the page."""
    lines = PAGE.read_text().split("\n")
    first = lines.index(HEADING[0]) + len(HEADING)
    last = next(index for index in range(first, len(lines)) if not lines[index].startswith("|"))
    kept = defaultdict(list)
    for line in lines[first:last]:
        kept[line.split()[1]].append(line)
    kept.update(measured)
    lines[first:last] = [line for name in STAGES for line in kept[name]]
    PAGE.write_text("\n".join(lines))


def main():
    program, *arguments = sys.argv[1:]
    is_written, arguments = "--write" in arguments, [one for one in arguments if one != "--write"]
    program, runs, chosen = Path(program).absolute(), int(arguments[0]) if arguments else 400, arguments[1:] or list(STAGES)
    for name in chosen:
        if name not in STAGES:
            sys.exit(f"unknown stage {name} (stages: {', '.join(STAGES)})")
    print(*HEADING, sep="\n")
    measured = {}
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            s = Simulation(program, runs, folder, [1, list(STAGES).index(name)])
            STAGES[name](s)
        measured[name] = list(table(name, s))
        print(*measured[name], sep="\n", flush=True)
    if is_written:
        write(measured)


if __name__ == "__main__":
    main()
