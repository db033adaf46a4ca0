"""Scatter of packets of one place with and without channel offsets; called by accuracy.py.

Offsets are those of `rssi fit --channel-offsets receiver` on the other recordings: those scored are never fitted.
"""

import csv
import json
import subprocess
import sys
from collections import defaultdict
from math import sqrt


def readings(path, place):
    """Returns the readings with a channel by recording: place, channel and level."""
    rows = defaultdict(list)
    with open(path) as file:
        for row in csv.DictReader(file):
            if row["channel"] and float(row["rssi_dbm"]) < 0:
                name = row.get("series") or row.get("trace")
                rows[name].append((place(row), int(row["channel"]), float(row["rssi_dbm"])))
    return rows


def deviation(levels):
    """Returns the standard deviation about the mean of each place, dB, from pairs of place and level."""
    places = defaultdict(list)
    for place, level in levels:
        places[place].append(level)
    squares = sum((level - sum(own) / len(own)) ** 2 for own in places.values() for level in own)
    return sqrt(squares / sum(len(own) - 1 for own in places.values()))


def offsets(program, source, recordings):
    names = [part for name in recordings for part in ("--series", name)]
    result = subprocess.run([program, "fit", source, *names, "--channel-offsets", "receiver", "--json", "--quiet"],
                            capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return {row["channel"]: row["offset_db"] for row in json.loads(result.stdout)["groups"][0]["channel_offsets"]}


def row(title, program, source, rows):
    known = {name: offsets(program, source, [other for other in rows if other != name]) for name in rows}
    every = [(name, *reading) for name, own in rows.items() for reading in own]
    mixed = deviation([((name, place), level) for name, place, _, level in every])
    apart = deviation([((name, place), level - known[name][channel]) for name, place, channel, level in every])
    within = deviation([((name, place, channel), level) for name, place, channel, level in every])
    print(f"{title:64} {mixed:8.2f} {apart:8.2f} {within:8.2f}", flush=True)


def channels(program, flat, trace):
    """Prints the rows of the flat's recordings.

    - flat: the folder of the recordings; trace: its walks as a trace with truth.
    """
    print(f"\nflat-walks: packets within a place, sd in dB{'':22} channels  offsets  within a")
    print(f"{'':66} mixed      off  channel")
    row("stays of 100 packets, the other half's offsets", program, flat / "distances.csv",
        readings(flat / "distances.csv", lambda row: row["distance_m"]))
    row("walks, a link in 2 s, the other walks' offsets", program, trace,
        readings(flat / "rssi.csv", lambda row: (row["beacon"], int(float(row["time_s"]) // 2))))
