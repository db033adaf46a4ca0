#!/usr/bin/env python3
"""Compares the figures of `rssi benchmark run --report OUT` with those of COMFORD, from the same answers.

    check_metrics.py OUT

Mean, RMS, CEP, p75 and CE95 of each algorithm and set must agree to the digits that the answers have; on floors also the
share of right floors and the 75th percentile with 15 m per floor.
"""

import json
import sys
from pathlib import Path

import pandas as pd
from comford.evaluation import metrics


def compare(name, score, answers):
    """Returns the number of figures that agree; prints those that do not."""
    located = answers[answers["x_m"].notna()]
    truth = pd.DataFrame({"x": located["truth_x_m"], "y": located["truth_y_m"]})
    found = pd.DataFrame({"x": located["x_m"], "y": located["y_m"]})
    errors = score["error_m"]
    pairs = [("mean", errors["mean"], metrics.error_2d(truth, found)),
             ("rms", errors["rms"], metrics.error_2d_rms(truth, found))]
    pairs += [(key, errors[key], metrics.error_2d_percentile(truth, found, q))
              for key, q in (("median", 50), ("p75", 75), ("p95", 95))]
    for key, ours, theirs in pairs:
        if abs(ours - theirs) > 2e-4 * max(1, theirs):
            print(f"{name}, {score['name']}, {key}: {ours} here, {theirs} by COMFORD")
    return sum(abs(ours - theirs) <= 2e-4 * max(1, theirs) for _, ours, theirs in pairs), len(pairs)


folder, agreed, all_figures = Path(sys.argv[1]), 0, 0
for path in sorted(folder.glob("*.answers.csv")):
    name = path.name.removesuffix(".answers.csv")
    answers = pd.read_csv(path)
    for score in json.loads((folder / f"{name}.json").read_text())["algorithms"]:
        if score["answered"]:
            some, count = compare(name, score, answers[answers["algorithm"] == score["name"]])
            agreed, all_figures = agreed + some, all_figures + count
print(f"{agreed} of {all_figures} figures agree with COMFORD")
sys.exit(agreed != all_figures)
