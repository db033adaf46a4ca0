"""Claims of radio maps in simulated rooms; called by scripts/bench/run.

    maps.py RSSI WORLDS [DESIGN...]

Each world is a room of 20 m × 12 m with shadowing of 4 dB, 8 beacons of different power, 3 walks of a minute as the survey,
and stays of 6 s with another offset of the phone. `even` has beacons all around, `smooth` the same with smooth (Matérn 3/2)
shadowing, `one-sided` has 6 of 8 on one side. The table compares what rssi claims with the errors: the share of new levels in
95 % intervals of the map at unsurveyed places, of truths in 95 % ellipses, and the expected error with the achieved one.
"""

import csv
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from fading import rician

ROOM = np.array([20.0, 12.0])
EVEN = [(1, 1), (10, .5), (19, 1), (19.5, 6), (19, 11), (10, 11.5), (1, 11), (.5, 6)]
ONE_SIDED = [(.5, .5), (.5, 6), (.5, 11.5), (4, 3), (4, 9), (7, 6), (19.5, .5), (19.5, 11.5)]
# Centres of the cells of the tables, which are 0.5 m wide.
STAYS = np.array([(x, y) for x in np.arange(1.25, 20, 3.5) for y in np.arange(1.25, 12, 3)])
ALGORITHMS = ["gaussian-process", "fingerprint"]
TICK, HEIGHT = 0.1, 1.3


def walk(rng, seconds):
    """Returns waypoints: time and place."""
    place, time, rows = rng.uniform(1, ROOM - 1), 0.0, []
    while time < seconds:
        rows.append((time, *place))
        following = rng.uniform(1, ROOM - 1)
        time += np.hypot(*(following - place)) / max(0.3, rng.normal(1.1, 0.2))
        place = following
        if rng.random() < 0.3:
            rows.append((time, *place))
            time += rng.uniform(3, 10)
    rows.append((time, *place))
    return np.array(rows)


class Recording:
    def __init__(self, path, beacons, start):
        self.path, self.beacons, self.time = path, beacons, start
        self.readings, self.truth = [], []

    def add(self, rng, name, waypoints, count, fields, offset):
        """Adds a recording of some ticks; `fields` has the beacons' deviations at each tick."""
        ticks = np.arange(count) * TICK
        places = np.stack([np.interp(ticks, waypoints[:, 0], waypoints[:, i]) for i in (1, 2)], 1)
        distance = np.sqrt(((places[None] - self.beacons[:, None]) ** 2).sum(-1) + HEIGHT**2)
        levels = np.round(-59 - 22 * np.log10(distance) + fields + offset + rician(rng, fields.shape, 0.4))
        lost = rng.random(levels.shape) < 0.3
        for beacon, tick in zip(*np.nonzero(~lost)):
            self.readings.append(
                (name, f"{self.time + ticks[tick] + beacon * 0.001:.3f}", "phone", f"b{beacon}", f"{levels[beacon, tick]:.0f}"))
        end = ticks[-1] + TICK
        for row in waypoints[waypoints[:, 0] <= end]:
            self.truth.append((name, f"{self.time + row[0]:.3f}", "phone", *row[1:], 1.2))
        if waypoints[-1, 0] > end:
            last = [np.interp(end, waypoints[:, 0], waypoints[:, i]) for i in (1, 2)]
            self.truth.append((name, f"{self.time + end:.3f}", "phone", *last, 1.2))
        self.time += end + 120
        return levels, lost

    def write(self, rssi):
        nodes = [(f"b{i}", "beacon", *place, 1.2 + HEIGHT) for i, place in enumerate(self.beacons)]
        for kind, heading, rows in (
                ("rssi", "trace,time_s,receiver,beacon,rssi_dbm", self.readings),
                ("nodes", "node,role,x_m,y_m,z_m", nodes), ("truth", "trace,time_s,node,x_m,y_m,z_m", self.truth)):
            with open(f"{self.path}.{kind}.csv", "w") as file:
                print(heading, file=file)
                csv.writer(file, lineterminator="\n").writerows(rows)
        run(rssi, "import", f"{self.path}.rssi.csv", "--nodes", f"{self.path}.nodes.csv", "--truth",
            f"{self.path}.truth.csv", "-o", f"{self.path}.h5")


def run(*command):
    subprocess.run([str(word) for word in command] + ["--quiet"], check=True, stdout=subprocess.DEVNULL)


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def world(rng, rssi, design, folder):
    """Returns scores of levels; by algorithm: errors, their squared scores; the expected errors, by stay."""
    for old in folder.iterdir():
        old.unlink()
    beacons = np.array(ONE_SIDED if design == "one-sided" else EVEN, float)
    walks = [walk(rng, 60) for _ in range(3)]
    ticks = np.arange(600) * TICK
    paths = [np.stack([np.interp(ticks, w[:, 0], w[:, i]) for i in (1, 2)], 1) for w in walks]
    places = np.vstack([p[::5] for p in paths] + [STAYS])
    ratio = np.linalg.norm(places[:, None] - places[None], axis=-1) / 3
    root = np.sqrt(3) * ratio
    correlation = (1 + root) * np.exp(-root) if design == "smooth" else np.exp(-ratio)
    factor = np.linalg.cholesky(correlation + 1e-8 * np.eye(len(places)))
    fields = 4 * (factor @ rng.normal(size=(len(places), 8))).T + rng.normal(0, 2, (8, 1))
    survey = Recording(folder / "survey", beacons, 1.7e9)
    for number, waypoints in enumerate(walks):
        known = fields[:, 120 * number:120 * (number + 1)]
        along = np.stack([np.interp(np.arange(600), np.arange(0, 600, 5), one) for one in known])
        survey.add(rng, f"s{number}", waypoints, 600, along, rng.normal(0, 1.5))
    survey.write(rssi)
    stays = Recording(folder / "stays", beacons, 1.8e9)
    means = []
    for number, place in enumerate(STAYS):
        at = np.repeat(fields[:, 360 + number, None], 60, 1)
        levels, lost = stays.add(
            rng, f"p{number:02}", np.array([(0, *place), (6, *place)]), 60, at, rng.normal(0, 1.5))
        means.append([(levels[b][~lost[b]].mean(), (~lost[b]).sum()) for b in range(8)])
    stays.write(rssi)
    site = folder / "site.toml"
    site.write_text('[[rooms]]\nname = "hall"\npolygon = [[0, 0], [20, 0], [20, 12], [0, 12]]\n')
    calibration, learned = folder / "calibration.json", folder / "map.h5"
    run(rssi, "fit", survey.path.with_suffix(".h5"), "-o", calibration)
    run(rssi, "map", survey.path.with_suffix(".h5"), "--calibration", calibration, "-o", learned, "--height", 1.2,
        "--site", site, "--report", folder / "map.csv", "--report", folder / "map.levels.csv")
    run(rssi, "eval", stays.path.with_suffix(".h5"), "--radio-map", learned, "--epoch", "stay", "--height", 1.2, "--site",
        site, "--algorithms", ",".join(ALGORITHMS), "--report", folder / "x.answers.csv")
    scores = []
    numbers = {tuple(place): number for number, place in enumerate(STAYS)}
    for row in table(folder / "map.levels.csv"):
        number = numbers.get((float(row["x_m"]), float(row["y_m"])))
        if number is not None:
            mean, _ = means[number][int(row["anchor"][1:])]
            scores.append((mean - float(row["level_dbm"])) / float(row["deviation_db"]))
    expected = np.full(len(STAYS), np.nan)
    for row in table(folder / "map.csv"):
        number = numbers.get((float(row["x_m"]), float(row["y_m"])))
        if number is not None and row["expected_error_m"]:
            expected[number] = float(row["expected_error_m"])
    answers = defaultdict(list)
    for row in table(folder / "x.answers.csv"):
        if not row["x_m"]:
            continue
        x, y = (float(row[f"{axis}_m"]) - float(row[f"truth_{axis}_m"]) for axis in "xy")
        xx, xy, yy = (float(row[f"var_{name}_m2"]) for name in ("xx", "xy", "yy"))
        score = (yy * x * x - 2 * xy * x * y + xx * y * y) / (xx * yy - xy * xy)
        place = numbers[float(row["truth_x_m"]), float(row["truth_y_m"])]
        answers[row["algorithm"]].append((place, np.hypot(x, y), score))
    return np.array(scores), answers, expected


def percent(shares):
    return f"{100 * np.mean(shares):.1f} ± {100 * np.std(shares) / np.sqrt(len(shares)):.1f}"


def measure(rssi, design, count, folder):
    rng = np.random.default_rng([1, sum(design.encode())])
    levels, ellipses, pairs, squares, claims = [], defaultdict(list), [], defaultdict(list), defaultdict(list)
    for _ in range(count):
        scores, answers, expected = world(rng, rssi, design, folder)
        levels.append(np.mean(abs(scores) <= 1.96))
        for name, rows in answers.items():
            ellipses[name].append(np.mean([score <= 5.991 for _, _, score in rows]))
        for place, error, _ in answers["gaussian-process"]:
            if np.isfinite(expected[place]):
                pairs.append((expected[place], error))
                squares[place].append(error**2)
                claims[place].append(expected[place] ** 2)
    places = sorted(squares)
    achieved = np.sqrt([np.mean(squares[place]) for place in places])
    claimed = np.sqrt([np.mean(claims[place]) for place in places])
    quarter = max(len(places) // 4, 1)
    spread = np.mean(np.sort(achieved)[-quarter:]) / np.mean(np.sort(achieved)[:quarter])
    pairs = np.array(pairs)
    figures = [
        design, str(count), percent(levels), *(percent(ellipses[name]) for name in ALGORITHMS),
        f"{np.sqrt(np.mean(pairs[:, 0]**2)):.2f} / {np.sqrt(np.mean(pairs[:, 1]**2)):.2f}", f"{spread:.1f}",
        f"{spearmanr(claimed, achieved)[0]:.2f}", f"{spearmanr(*pairs.T)[0]:.2f}"]
    print("| " + " | ".join(figures) + " |", flush=True)


def main():
    rssi, count, designs = sys.argv[1], int(sys.argv[2]), sys.argv[3:] or ["even", "smooth", "one-sided"]
    print("| design | worlds | levels, % | " + " | ".join(f"{name}, %" for name in ALGORITHMS)
          + " | expected / achieved error, m | worst : best quarter | Spearman of places | of answers |\n|" + "---|" * 9)
    with tempfile.TemporaryDirectory() as folder:
        for design in designs:
            measure(rssi, design, count, Path(folder))


main()
