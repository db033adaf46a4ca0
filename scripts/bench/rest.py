#!/usr/bin/env python3
"""Delay until filters detect that a resting beacon was moved, and their false alarms.

    scripts/bench/run rest [--rssi PROGRAM] [--runs 200] [--rests 600,3600,28800] [--rates 1,4,10] [--filters ...]
    scripts/bench/run rest --recordings FOLDER      still stretches of public recordings, repeated and lowered by 20 dB

Each link rests at -65 dBm and is then moved by 8 or 20 dB. Its levels have noise of 4 dB, or 3 dB of noise and 3 dB of
fading with a correlation of 5 s (an Ornstein-Uhlenbeck process), and are whole. The table has, for each filter:

    near     share of links whose filtered level comes within 3 dB of the true mean within 10 s (30 s at 1 level a second)
    delay    median seconds until then
    false    level-change events per hour at rest
    rest, moved    share of levels whose 95 % interval holds the mean: resting (from 30 s on), and from the limit on

It needs numpy and h5py, as .build/python has them.
"""
import argparse
import csv
import json
import os
import subprocess
import tempfile

import h5py
import numpy as np

START = 1_700_000_000
AFTER = 60.0


def fading(name, times, random):
    """Levels about their mean."""
    if name == "white":
        return random.normal(0, 4, len(times))
    kept = np.exp(-np.diff(times, prepend=times[0]) / 5)
    steps = 3 * np.sqrt(1 - kept * kept) * random.normal(size=len(times))
    steps[0] = 3 * random.normal()
    process = np.empty(len(times))
    value = 0.0
    for k in range(len(times)):
        value = kept[k] * value + steps[k] if k else steps[0]
        process[k] = value
    return process + random.normal(0, 3, len(times))


def write(path, links):
    """Returns one row per level, in order of time."""
    times = np.concatenate([t for t, _, _ in links])
    numbers = np.concatenate([np.full(len(t), k) for k, (t, _, _) in enumerate(links)])
    levels = np.concatenate([z for _, _, z in links])
    order = np.argsort(times, kind="stable")
    with open(path, "w") as file:
        file.write("trace,time_s,receiver,beacon,rssi_dbm\n")
        for k in order:
            file.write(f"rest,{START + times[k]:.6f},r,b{numbers[k]:05d},{levels[k]:.0f}\n")


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def filtered(program, folder, links, name):
    """Returns levels, variances and times of reported changes of each link."""
    trace = os.path.join(folder, "rest.h5")
    output = os.path.join(folder, "filtered.h5")
    run(program, "filter", trace, "-o", output, "--filter", name, "--name", "x", "-q")
    with h5py.File(output) as file:
        beacon = file["sightings/beacon"][:]
        time = file["sightings/time_s"][:]
        level, variance = file["filtered/x/rssi_dbm"][:], file["filtered/x/variance_db2"][:]
        ids = [bytes(x).decode().rstrip("\0") for x in file["beacons/id"][:]]
    changes = {}
    if name == "multiple-model":
        for line in run(program, "watch", trace, "--exit-after", "10m", "--format", "ndjson", "-q").splitlines():
            event = json.loads(line)
            if event["event"] == "level-change":
                changes.setdefault(event["beacon"], []).append(event["time_s"] - START)
    places = {identity: k for k, identity in enumerate(ids)}
    result = []
    for k in range(len(links)):
        identity = f"b{k:05d}"
        rows = beacon == places[identity]
        result.append((level[rows], variance[rows], changes.get(identity, [])))
    return result


def scores(links, found, rest, limit):
    near, delays, false, resting, moved = [], [], 0, [], []
    for (times, truth, _), (level, variance, changes) in zip(links, found):
        error = np.abs(level - truth)
        close = times[(times >= rest) & (error < 3)]
        delay = close[0] - rest if len(close) else np.inf
        near.append(delay <= limit)
        delays.append(delay)
        false += sum(c < rest for c in changes)
        inside = error <= 1.96 * np.sqrt(variance)
        resting.append(inside[(times > 30) & (times < rest)].mean())
        moved.append(inside[times > rest + limit].mean())
    hours = rest * len(links) / 3600
    cover = lambda x: "–" if np.isnan(np.mean(x)) else f"{100 * np.mean(x):.0f} %"
    delay = np.median(delays)
    return (
        f"{100 * np.mean(near):.0f} %", f"{delay:.1f} s" if np.isfinite(delay) else "> 60 s", f"{false / hours:.1f}",
        cover(resting), cover(moved))


def table(options, cases):
    """Prints the table of cases: title, links, seconds of rest, limit."""
    print("| case | filter | near | delay | false | rest | moved |\n|---|---|---|---|---|---|---|")
    for title, links, rest, limit in cases:
        with tempfile.TemporaryDirectory() as folder:
            write(os.path.join(folder, "rest.csv"), links)
            run(options.rssi, "import", os.path.join(folder, "rest.csv"), "-o", os.path.join(folder, "rest.h5"), "-q")
            for name in options.filters.split(";"):
                values = list(scores(links, filtered(options.rssi, folder, links, name), rest, limit))
                if name != "multiple-model":
                    values[2] = "–"
                    if "peer" in name:
                        values[3] = values[4] = "–"
                print(f"| {title} | `{name}` | " + " | ".join(values) + " |", flush=True)


def simulated(options):
    for rest in map(float, options.rests.split(",")):
        for rate in map(float, options.rates.split(",")):
            for kind in ("white", "5 s"):
                for step in (8, 20):
                    random = np.random.default_rng(int(rest + 100 * rate + step))
                    links = []
                    for _ in range(options.runs):
                        times = np.cumsum(random.uniform(0.9, 1.1, int((rest + AFTER) * rate))) / rate
                        times += random.uniform(0, 1 / rate)
                        truth = np.where(times < rest, -65.0, -65.0 - step)
                        links.append((times, truth, np.round(truth + fading(kind, times, random))))
                    name = f"{rest / 60:.0f} min" if rest < 3600 else f"{rest / 3600:.0f} h"
                    yield f"{name}, {rate:.0f}/s, {kind}, {step} dB", links, rest, 10 if rate >= 4 else 30


def recorded(options):
    """Still stretches, each repeated for five minutes, then 20 dB lower."""
    for name, key in (
        ("hall-static/rssi.csv", ("trace", "receiver")), ("flat-walks/distances.csv", ("series", "beacon", "distance_m")),
        ("flat-walks/one-metre.csv", ("series", "beacon")), ("carried-phones/distances.csv", ("series", "distance_m")),
    ):
        stretches = {}
        with open(os.path.join(options.recordings, name)) as file:
            for row in csv.DictReader(file):
                if float(row["rssi_dbm"]) < 0:
                    stretches.setdefault(tuple(row[k] for k in key), []).append((float(row["time_s"]), float(row["rssi_dbm"])))
        links = []
        for rows in list(stretches.values())[: options.runs]:
            times, levels = np.array(sorted(rows)).T
            times -= times[0]
            jump = np.flatnonzero(np.diff(times) > 10)
            end = jump[0] + 1 if len(jump) else len(times)
            times, levels = times[:end], levels[:end]
            if len(times) < 60 or times[-1] < 10:
                continue
            period = times[-1] + np.median(np.diff(times))
            copies = int(np.ceil((300 + AFTER) / period))
            t = np.concatenate([times + k * period for k in range(copies)])
            z = np.tile(levels, copies)
            mean = levels.mean()
            truth = np.where(t < 300, mean, mean - 20)
            keep = (t < 300 + AFTER) & (z + truth - mean > -127)
            links.append((t[keep], truth[keep], (z + truth - mean)[keep]))
        rates = [len(t) / t[-1] for t, _, _ in links]
        yield f"{name.split('/')[0]} {os.path.basename(name)[:-4]}, {len(links)} stays", links, 300, 10 if np.median(rates) >= 4 else 30


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rssi", default=".build/release/rssi")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rests", default="600,3600,28800")
    parser.add_argument("--rates", default="1,4,10")
    parser.add_argument("--filters", default="multiple-model;kalman:q=6,r=12;adaptive:q=1,r=12;peer-altbeacon-mean")
    parser.add_argument("--recordings")
    options = parser.parse_args()
    table(options, recorded(options) if options.recordings else simulated(options))
