"""The lines that `rssi` exchanges with an algorithm (docs/exec.md), for peers that learn from a survey or have ranges."""

import json
import os
import sys
from collections import Counter

# Several programs run at once, so each has one thread.
os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np  # noqa: E402


def serve(make):
    """Answers each epoch by `make(site)(levels, time_s)`: a place [x, y], a place and a floor, or None."""
    locate = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["kind"] == "site":
            locate = make(message)
            continue
        found = locate(message["levels"], message["time_s"]) if locate and message["levels"] else None
        answer = {"refused": "too-few-anchors"}
        if found is not None:
            place, floor = found if isinstance(found[0], (tuple, list, np.ndarray)) else (found, None)
            answer = {"x_m": float(place[0]), "y_m": float(place[1])} | ({"floor": floor} if floor else {})
        print(json.dumps(answer), flush=True)


def fingerprints(site, fit):
    """Returns a function from levels to a place by `fit(levels, places)`, one model per floor; the floor is that of most of
    the five nearest points. An anchor that was not received has the lowest level of the survey less 1 dB."""
    survey = [point for point in site.get("survey", []) if point["levels"]]
    if len(survey) < 2:
        return None
    names = sorted({level["anchor"] for point in survey for level in point["levels"]})
    column = {name: index for index, name in enumerate(names)}
    silent = min(level["rssi_dbm"] for point in survey for level in point["levels"]) - 1

    def vector(levels):
        row = np.full(len(names), float(silent))
        for level in levels:
            if level["anchor"] in column:
                row[column[level["anchor"]]] = level["rssi_dbm"]
        return row

    levels = np.array([vector(point["levels"]) for point in survey])
    places = np.array([[point["x_m"], point["y_m"]] for point in survey])
    floors = [point.get("floor") for point in survey]
    models = {}

    def locate(heard, _):
        row = vector(heard)
        nearest = np.argsort(((levels - row) ** 2).sum(axis=1), kind="stable")[:5]
        floor = Counter(floors[index] for index in nearest).most_common(1)[0][0]
        if floor not in models:
            own = [index for index, other in enumerate(floors) if other == floor]
            models[floor] = fit(levels[own], places[own])
        return models[floor].predict([row])[0], floor
    return locate


def ranges(site, heard):
    """Returns the places of the anchors and their distances by the path-loss curves; None for fewer than three."""
    anchors = {anchor["anchor"]: anchor for anchor in site["anchors"] if "x_m" in anchor and "exponent" in anchor}
    heard = [level for level in heard if level["anchor"] in anchors]
    if len(heard) < 3:
        return None
    curves = [anchors[level["anchor"]] for level in heard]
    return (np.array([[a["x_m"], a["y_m"], a.get("z_m", 0)] for a in curves]),
            np.array([10 ** ((a["measured_power_dbm"] - level["rssi_dbm"]) / (10 * a["exponent"]))
                      for a, level in zip(curves, heard)]))
