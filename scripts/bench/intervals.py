"""Errors of the claims of rssi eval in simulated evaluations; called by scripts/bench/run.

    intervals.py RSSI RUNS [DESIGN...]

Intervals and bands at 95 %, and tests of equivalence at 5 % with a true difference of the margin. The designs run through
the whole program. Anchors stand every 5 cm on a line, the truth rests at 0, and a packet of the anchor at the wanted error
makes nearest-anchor answer there. A weaker packet of a second anchor moves the centroid to another wanted error.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

STEP, REACH = 0.05, 800
START = 1_700_000_000
MARGIN = 0.3


def name(index):
    index = int(index) + REACH
    return f"addr:00:00:00:00:{index // 256:02X}:{index % 256:02X}"


def rounded(errors):
    """Returns errors that anchors can show."""
    return np.round(np.clip(errors, 0, 19) / STEP) * STEP


def run(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def evaluate(program, folder, first, second=None, arguments=()):
    """Returns the evaluation of walks with these errors, one epoch every 2 s."""
    rows, truth, time = ["trace,time_s,receiver,beacon,rssi_dbm"], ["trace,time_s,node,x_m,y_m,z_m"], START
    for walk, errors in enumerate(first):
        end = time + 2 * len(errors)
        truth += [f"t{walk},{time},phone,0,0,", f"t{walk},{end},phone,0,0,"]
        for epoch, error in enumerate(errors):
            anchor = round(error / STEP)
            # Distinct times and levels, so that no walk is a copy of another.
            start = time + 2 * epoch + 0.3 + (walk * 37 + epoch * 17) % 97 / 100
            rows.append(f"t{walk},{start:.3f},phone,{name(anchor)},{-50 - (epoch * 7 + walk * 3) % 5}")
            if second is not None:
                other = round(2 * second[walk][epoch] / STEP) - anchor
                if other != anchor:
                    rows.append(f"t{walk},{start + 0.1:.3f},phone,{name(other)},{-75 - (epoch * 5 + walk) % 5}")
        time = end + 100
    (folder / "r.csv").write_text("\n".join(rows) + "\n")
    (folder / "t.csv").write_text("\n".join(truth) + "\n")
    trace = folder / "walks.h5"
    trace.unlink(missing_ok=True)
    run(program, "import", folder / "r.csv", "--nodes", folder / "nodes.csv", "--truth", folder / "t.csv", "-o", trace, "-q")
    algorithms = "nearest-anchor" + (",centroid" if second is not None else "")
    return json.loads(run(program, "eval", trace, "--calibration", folder / "constants.json", "--truth-at", "end",
                          "--algorithms", algorithms, "--in-sample", "--json", "-q", *arguments))


def autoregression(rng, count, correlation):
    values, value = np.empty(count), rng.normal()
    for index in range(count):
        value = correlation * value + np.sqrt(1 - correlation**2) * rng.normal()
        values[index] = value
    return values


def walk(rng, count, correlation, scale, bias):
    """Returns the errors of a walk with its own scale and bias."""
    size, (x, y) = 1.5 * np.exp(rng.normal(0, scale)), rng.normal(0, bias, 2)
    return rounded(np.hypot(x + size * autoregression(rng, count, correlation),
                            y + size * autoregression(rng, count, correlation)))


def lengths(program, runs, folder, rng, walks, epochs, correlation, arguments=()):
    """Returns how often intervals of errors, and bands at three lengths, hold the truth, in percent."""
    many = np.concatenate([walk(rng, 40, 0, 0.3, 0.5) for _ in range(10_000)])
    truth = {"mean": many.mean(), "median": np.median(many), "p75": np.quantile(many, 0.75), "p95": np.quantile(many, 0.95)}
    held = dict.fromkeys([*truth, "band at the median", "band at p95"], 0)
    for _ in range(runs):
        first = [walk(rng, epochs, correlation, 0.3, 0.5) for _ in range(walks)]
        found = evaluate(program, folder, first, arguments=arguments)["algorithms"][0]
        for key, value in truth.items():
            low, high = found["ci95"][key]
            held[key] += low <= value <= high
        curve = found["cdf"]
        for key in ("median", "p95"):
            share = (many <= truth[key]).mean()
            low, high = (np.interp(truth[key], curve["length_m"], [pair[end] for pair in curve["ci95"]]) for end in (0, 1))
            held[f"band at the {key}" if key == "median" else "band at p95"] += low <= share <= high
    return {key: 100 * count / runs for key, count in held.items()}


def equivalence(program, runs, folder, rng, walks):
    """Returns how often algorithms that differ by the margin are called equivalent, or not worse, in percent."""
    counts = {"equivalent": 0, "not-worse": 0}
    for _ in range(runs):
        first, second = [], []
        for _ in range(walks):
            # The same errors in a walk, shifted by a symmetric difference about the margin.
            errors = 1 + rounded(np.abs(rng.normal(0, 0.5, 20)))
            first.append(rounded(errors))
            second.append(rounded(errors + MARGIN + rng.normal(0, 0.15)))
        found = evaluate(program, folder, first, second, ("--equivalence", MARGIN))["comparisons"][0]
        outcome = found["equivalence"]["outcome"]
        # Seen from the better one, whichever came first by chance.
        counts["equivalent"] += outcome == "equivalent"
        counts["not-worse"] += outcome == "not-worse" and found["first"] == "nearest-anchor"
    return {key: 100 * count / runs for key, count in counts.items()}


DESIGNS = {
    "8 walks of 60 epochs": lambda *given: lengths(*given, 8, 60, 0.8),
    "3 walks of 150 epochs in blocks of 60 s": lambda *given: lengths(*given, 3, 150, 0.9, ("--interval-blocks", "60s")),
    "equivalence, 8 walks": lambda *given: equivalence(*given, 8),
    "equivalence, 20 walks": lambda *given: equivalence(*given, 20),
}


def main():
    program, runs = sys.argv[1], int(sys.argv[2])
    chosen = sys.argv[3:] or DESIGNS
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        nodes = [f"{name(index)},beacon,{index * STEP:.2f},0," for index in range(-REACH, REACH + 1)]
        (folder / "nodes.csv").write_text("node,role,x_m,y_m,z_m\n" + "\n".join(nodes) + "\n")
        table = [f"s,{START - 10_000 + index},phone,{name(0)},{distance},{-59 - 20 * np.log10(distance) + index % 3:.0f}"
                 for index, distance in enumerate([1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12])]
        (folder / "bench.csv").write_text("series,time_s,receiver,beacon,distance_m,rssi_dbm\n" + "\n".join(table) + "\n")
        run(program, "fit", folder / "bench.csv", "-o", folder / "constants.json", "-q")
        for design in chosen:
            rng = np.random.default_rng([1, sum(design.encode())])
            shares = DESIGNS[design](program, runs, folder, rng)
            print(f"| {design} | " + ", ".join(f"{key} {share:.1f} %" for key, share in shares.items()) + " |", flush=True)


if __name__ == "__main__":
    main()
