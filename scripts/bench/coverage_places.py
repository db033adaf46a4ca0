"""Coverage of the intervals of rssi locate, watch and map, for coverage_stages.py."""

import csv
import json
from collections import defaultdict

import numpy as np

from coverage_run import EXPONENT, POWER, START, holds, line
from fading import rician

ANCHORS = np.array([(1, 1), (10, .5), (19, 1), (19.5, 6), (19, 11), (10, 11.5), (1, 11), (.5, 6)], float)
ROOM, HEIGHT = (20, 12), 1.3


def bench(s, count, deviation, name="bench"):
    """Fits a bench with some places and Rician packets, and returns the calibration."""
    rows, time = [], START - 100_000
    for distance in np.exp(np.linspace(0, np.log(20), count)):
        for level in np.round(line(distance) + s.rng.normal(0, deviation) + rician(s.rng, (60,), 0.5)):
            rows.append(f"c,{time:.1f},phone,x,{distance:.4f},{level:.0f}")
            time += 0.1
        time += 20
    s.write(f"{name}.csv", "series,time_s,receiver,beacon,distance_m,rssi_dbm", rows)
    s.run("fit", f"{name}.csv", "-o", f"{name}.json", "-q")
    return f"{name}.json"


def stay(s, rows, truth, trace, time, at, own, seconds=8, kept=0.9):
    """Adds a phone that stands at a place, with offsets of its links and Rician fading."""
    distance = np.sqrt(((at - ANCHORS) ** 2).sum(1) + HEIGHT ** 2)
    levels = np.round((line(distance) + own)[:, None] + rician(s.rng, (len(ANCHORS), 10 * seconds), kept))
    for anchor, row in enumerate(levels):
        for tick in np.flatnonzero(s.rng.random(len(row)) > 0.3):
            rows.append(f"{trace},{time + tick / 10 + anchor / 1000:.3f},phone,a{anchor},{row[tick]:.0f}")
    truth += [f"{trace},{t},phone,{at[0]:.4f},{at[1]:.4f},1.2" for t in (time, time + seconds)]
    return levels


def room(s, name, rows, truth, hides=False):
    s.write(f"{name}.csv", "trace,time_s,receiver,beacon,rssi_dbm", rows)
    s.write(f"{name}.truth.csv", "trace,time_s,node,x_m,y_m,z_m", truth)
    s.write(f"{name}.nodes.csv", "node,role,x_m,y_m,z_m",
            [f"a{a},beacon,,," if hides else f"a{a},beacon,{x},{y},2.5" for a, (x, y) in enumerate(ANCHORS)])
    return s.trace(name, f"{name}.csv", "--nodes", f"{name}.nodes.csv", "--truth", f"{name}.truth.csv")


def ellipses(s, design, *arguments):
    s.run("eval", *arguments, "--height", "1.2", "--bounds", "0,0,20,12", "--report", "stage.answers.csv", "-q")
    with open(s.folder / "stage.answers.csv", newline="") as file:
        for row in csv.DictReader(file):
            if not row.get("var_xx_m2"):
                continue
            xx, xy, yy, x, y, tx, ty = (float(row[key]) for key in (
                "var_xx_m2", "var_xy_m2", "var_yy_m2", "x_m", "y_m", "truth_x_m", "truth_y_m"))
            squares = (yy * (x - tx) ** 2 - 2 * xy * (x - tx) * (y - ty) + xx * (y - ty) ** 2) / (xx * yy - xy ** 2)
            s.note(f"`{row['algorithm']}`", design, squares <= 5.991)


def locate(s):
    rows, truth, time = [], [], START
    for run in range(s.runs):
        at = s.rng.uniform([1, 1], np.array(ROOM) - 1)
        stay(s, rows, truth, f"s{run}", time, at, s.rng.normal(0, 4, len(ANCHORS)))
        time += 100
    file = room(s, "still", rows, truth)
    ellipses(s, "ellipses at rest, 8 anchors, shadowing of 4 dB", file, "--calibration", bench(s, 400, 4), "--epoch", "stay", "--algorithms",
             "maximum-likelihood,posterior-mean,range-least-squares,power-center,kalman,particle-filter,grid-filter")


def watch(s):
    for count in (6, 16):
        for _ in range(max(s.runs // 20, 1)):
            calibration = bench(s, count, 3)
            distances = np.exp(s.rng.uniform(np.log(0.5), np.log(15), 20))
            rows = []
            for beacon, distance in enumerate(distances):
                levels = np.round(line(distance) + s.rng.normal(0, 3) + rician(s.rng, (200,), 0.8))
                rows += [f"w,{START + t / 10:.1f},phone,b{beacon},{z:.0f}" for t, z in enumerate(levels)]
            s.write("w.csv", "trace,time_s,receiver,beacon,rssi_dbm", sorted(rows, key=lambda row: row.split(",")[1]))
            file = s.trace("w", "w.csv")
            held = {}
            for text in s.run("watch", file, "--calibration", calibration, "--ranging", "--format", "ndjson", "-q").splitlines():
                event = json.loads(text)
                if event["event"] == "ranging" and event["time_s"] < START + 19:
                    for one in event["beacons"]:
                        held[one["beacon"]] = holds(one["ci95_m"], distances[int(one["beacon"].lstrip("b"))])
            s.note("distance", f"bench of {count} places", np.mean(list(held.values())))
    seek(s)


def seek(s):
    """Slopes of a beacon at rest, from the fifteenth second on: the truth is 0."""
    beacon = "addr:00:00:00:00:00:01"
    for run in range(max(s.runs // 4, 1)):
        levels = np.round(-65 + rician(s.rng, (600,), np.exp(-0.1)))
        s.write("seek.csv", "trace,time_s,receiver,beacon,rssi_dbm",
                [f"w,{START + t / 10:.1f},phone,{beacon},{z:.0f}" for t, z in enumerate(levels) if s.rng.random() > 0.3])
        held = []
        found = s.run("watch", s.trace("seek", "seek.csv"), "--seek", beacon, "--ranging", "--format", "ndjson", "-q")
        for event in map(json.loads, found.splitlines()):
            if event["event"] == "seek" and event["time_s"] > START + 15 and event["ci95_db_per_s"]:
                held.append(holds(event["ci95_db_per_s"], 0))
        s.note("slope", "at rest, fading of 1 s", np.mean(held))


def maps(s):
    """Ellipses by a radio map of 60 surveyed places, at others; shadowing 4 dB over 3 m."""
    for run in range(max(s.runs // 12, 1)):
        places = s.rng.uniform([1, 1], np.array(ROOM) - 1, (72, 2))
        apart = np.sqrt(((places[:, None] - places) ** 2).sum(2))
        field = 4 * (np.linalg.cholesky(np.exp(-apart / 3) + 1e-9 * np.eye(72)) @ s.rng.normal(size=(72, len(ANCHORS))))
        for name, chosen, start in (("survey", range(60), START), ("new", range(60, 72), START + 100_000)):
            rows, truth = [], []
            for k in chosen:
                stay(s, rows, truth, name if name == "survey" else f"n{k}", start + 20 * k, places[k], field[k])
            room(s, name, rows, truth)
        s.run("fit", "survey.h5", "-o", "survey.json", "-q")
        (s.folder / "map.h5").unlink(missing_ok=True)
        s.run("map", "survey.h5", "--calibration", "survey.json", "-o", "map.h5", "--height", "1.2", "--epoch", "place", "-q")
        ellipses(s, "ellipses by maps of 60 places", "new.h5", "--radio-map", "map.h5", "--epoch", "stay", "--algorithms",
                 "gaussian-process,particle-filter:map=yes,fingerprint")


def beacons(s):
    """Places, powers and exponents of beacons at hidden places from 60 surveyed ones; shadowing 4 dB over 3 m.

    The beacons of a room share hyper-parameters, so that a room is the unit.
    """
    design = "8 equal beacons from 60 places"
    for run in range(max(s.runs // 4, 1)):
        places = s.rng.uniform([1, 1], np.array(ROOM) - 1, (60, 2))
        apart = np.sqrt(((places[:, None] - places) ** 2).sum(2))
        field = 4 * (np.linalg.cholesky(np.exp(-apart / 3) + 1e-9 * np.eye(60)) @ s.rng.normal(size=(60, len(ANCHORS))))
        rows, truth = [], []
        for k, place in enumerate(places):
            stay(s, rows, truth, "survey", START + 20 * k, place, field[k])
        found = s.answer("map", room(s, "hidden", rows, truth, hides=True), "--beacons", "stage.nodes.csv")
        held = defaultdict(list)
        for beacon in found["beacons"]:
            one, (x, y) = beacon["place"], ANCHORS[int(beacon["id"].lstrip("a"))]
            xx, xy, yy = (one[key] for key in ("var_xx_m2", "var_xy_m2", "var_yy_m2"))
            dx, dy = one["x_m"] - x, one["y_m"] - y
            held["ellipses"].append((yy * dx ** 2 - 2 * xy * dx * dy + xx * dy ** 2) / (xx * yy - xy ** 2) <= 5.991)
            held["powers"].append(abs(one["measured_power_dbm"] - POWER) <= 1.96 * one["measured_power_sd_db"])
            held["exponents"].append(abs(one["exponent"] - EXPONENT) <= 1.96 * one["exponent_sd"])
        for quantity, shares in held.items():
            s.note(quantity, design, np.mean(shares))
