#!/usr/bin/env python3
"""Compares a library's answers with the suite's: check.py MINE.csv [--reasons]

MINE.csv has the columns case, algorithm, refusal, x, y, z and, for two solutions, other_x, other_y,
other_z, as answers.csv has them; README.md tells what each means. An algorithm of which it has no row is
not checked. A refusal counts whatever its name, unless --reasons asks for the suite's. Exit status: 0
where all answers agree, 1 where one does not, 2 where the file cannot be read.
"""

import csv
import math
import pathlib
import sys

COORDINATES = ["x", "y", "z", "other_x", "other_y", "other_z"]


def numbers(row):
    """Returns the existing coordinates; NaN for invalid numbers."""
    cells = [row.get(name) or "" for name in COORDINATES]
    def number(cell):
        try:
            return float(cell)
        except ValueError:
            return math.nan
    return {name: number(cell) for name, cell in zip(COORDINATES, cells) if cell}


def verdict(expected, mine, reasons):
    """What is wrong with an answer; None where nothing is."""
    if expected["refusal"]:
        if not mine["refusal"]:
            return f"a position instead of {expected['refusal']}"
        if reasons and mine["refusal"] != expected["refusal"]:
            return f"{mine['refusal']} instead of {expected['refusal']}"
        return None
    if mine["refusal"]:
        return f"{mine['refusal']} instead of a position"
    wanted, found = numbers(expected), numbers(mine)
    miss = math.dist([*wanted.values()], [found.get(name, math.nan) for name in wanted])
    allowed = float(expected["tolerance"])
    return None if miss <= allowed else f"{miss:.3g} m off, {allowed:.3g} m allowed"


def main(arguments):
    reasons = "--reasons" in arguments
    paths = [a for a in arguments if a != "--reasons"]
    if len(paths) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(paths[0], newline="") as file:
            rows = list(csv.DictReader(file))
        mine = {(row["case"], row["algorithm"]): {"refusal": "", **row} for row in rows}
    except (OSError, KeyError, UnicodeDecodeError) as error:
        print(f"{paths[0]} is not a CSV file with the columns case and algorithm: {error!r}",
              file=sys.stderr)
        return 2
    with open(pathlib.Path(__file__).parent / "answers.csv", newline="") as file:
        answers = list(csv.DictReader(file))
    known = {name for _, name in mine}
    counts, isSound = {}, bool(known & {row["algorithm"] for row in answers})
    for row in answers:
        name = row["algorithm"]
        if name not in known:
            continue
        found = mine.get((row["case"], name))
        wrong = "no answer" if found is None else verdict(row, found, reasons)
        passed, total = counts.get(name, (0, 0))
        counts[name] = (passed + (wrong is None), total + 1)
        if wrong:
            isSound = False
            print(f"{name}: {row['case']}: {wrong}")
    for name, (passed, total) in counts.items():
        print(f"{name}: {passed} of {total}")
    return 0 if isSound else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
