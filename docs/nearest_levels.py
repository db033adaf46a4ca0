#!/usr/bin/env python3
"""An algorithm of one's own for `rssi eval`: levels weighed by power, with an honest covariance.

    rssi eval walks.h5 --calibration calibration.json \
        --algorithms weighted-centroid --algorithm "exec:python3 docs/nearest_levels.py"
"""
import json
import sys

anchors = {}

for line in sys.stdin:
    message = json.loads(line)
    if message["kind"] == "site":  # comes once, and is not answered
        anchors = {anchor["anchor"]: anchor for anchor in message["anchors"]}
        continue
    levels = [level for level in message["levels"] if "x_m" in anchors[level["anchor"]]]
    # In a building, only anchors on the floor of the strongest one count.
    strongest = max(levels, key=lambda level: level["rssi_dbm"], default=None)
    floor = strongest and anchors[strongest["anchor"]].get("floor")
    levels = [level for level in levels if anchors[level["anchor"]].get("floor") == floor]
    if not levels:
        answer = {"refused": "too-few-anchors"}
    else:
        # The nearer an anchor by its own path-loss curve, the more it counts.
        weights = []
        for level in levels:
            a = anchors[level["anchor"]]
            distance = 10 ** ((a["measured_power_dbm"] - level["rssi_dbm"]) / (10 * a["exponent"]))
            weights.append((distance ** -2, a))
        total = sum(weight for weight, _ in weights)
        x = sum(weight * a["x_m"] for weight, a in weights) / total
        y = sum(weight * a["y_m"] for weight, a in weights) / total
        answer = {"x_m": x, "y_m": y} | ({"floor": floor} if floor else {})
        if len(levels) > 2:
            # The anchors' spread about the answer: the target is somewhere among them.
            xx = sum(w * (a["x_m"] - x) ** 2 for w, a in weights) / total
            xy = sum(w * (a["x_m"] - x) * (a["y_m"] - y) for w, a in weights) / total
            yy = sum(w * (a["y_m"] - y) ** 2 for w, a in weights) / total
            if xx * yy > 1.0001 * xy * xy:
                answer["covariance_m2"] = [[xx, xy], [xy, yy]]
    print(json.dumps(answer), flush=True)  # one line for each epoch, at once
