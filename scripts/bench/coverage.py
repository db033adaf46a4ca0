"""Coverage of the 95 % intervals of fits in simulated calibrations; called by scripts/bench/run.

    coverage.py RSSI RUNS [DESIGN...] [-- ARGUMENT OF FIT...]
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

POWER, EXPONENT, LEVEL = -58.3, 2.35, -75
DISTANCE = 10 ** ((POWER - LEVEL) / (10 * EXPONENT))
TIME = 1_700_000_000
# Series of one file: fewer launches, and a file that fits in memory.
PART = 50


def student(rng, freedom, size):
    """Student's t with variance 1."""
    return rng.standard_t(freedom, size) * np.sqrt((freedom - 2) / freedom)


def places(rng, name):
    """Returns the positions of one link: distances, common deviations and packets."""
    count = 6 if name == "C4" else rng.integers(12, 22)
    if name[0] == "B":
        count = int(name[1:])
    if name == "U":
        count = 12
    distance = np.exp(rng.uniform(np.log(0.8), np.log(25), count))
    if name == "C5":
        distance = np.append(0.5, rng.uniform(6, 15, count - 1))
    shared = rng.normal(0, 3.5 if name[0] == "C" else 4, count)
    if name == "C2":
        shared = 3.5 * student(rng, 4, count)
    if name == "C3":
        correlation = np.exp(-abs(distance[:, None] - distance) / 1.5)
        shared = 3.5 * np.linalg.cholesky(correlation + 1e-9 * np.eye(count)) @ rng.normal(size=count)
    packets = np.full(count, 100.0)
    if name == "U":
        packets = np.resize([20.0, 100.0, 500.0], count)
    if name[0] == "C":
        packets = np.exp(rng.normal(3.2, 1.3, count))
    if name == "C6":
        packets *= np.exp(shared / 4)
    return distance, shared, np.clip(packets, 2, 800).astype(int)


def single(rng, name):
    """Returns the stays of one link: beacon, distance, levels."""
    deviation = 4 if name[0] == "C" else 3
    for distance, shared, packets in zip(*places(rng, name)):
        noise = student(rng, 5, packets) if name == "C2" else rng.normal(size=packets)
        yield 0, distance, shared + deviation * noise


def devices(rng, name):
    """Returns the stays of a phone in a room with eight beacons."""
    beacons = rng.uniform(0, [15, 10], (8, 2))
    offsets = rng.normal(0, 0 if name == "D" else 2.5, 8)
    for place in rng.uniform(0, [15, 10], (rng.integers(10, 16), 2)):
        body = rng.normal(0, 2) if name == "C8" else 0
        for beacon in range(8):
            distance = max(np.hypot(*(place - beacons[beacon])), 0.3)
            shared = offsets[beacon] + body + rng.normal(0, 3)
            yield beacon, distance, shared + 3.5 * student(rng, 5, 30)


def deviation(name):
    variance = {"D": 9 + 3.5**2, "C7": 2.5**2 + 9 + 3.5**2, "C8": 2.5**2 + 4 + 9 + 3.5**2}
    return np.sqrt(variance.get(name, 3.5**2 + 16 if name[0] == "C" else 25) + 1 / 12)


def table(rng, name, runs, path):
    rows = ["time_s,receiver,beacon,rssi_dbm,trace,distance_m"]
    for run in range(runs):
        time = 0.0
        for beacon, distance, noise in (devices if name in ("C7", "C8", "D") else single)(rng, name):
            for level in np.round(POWER - 10 * EXPONENT * np.log10(distance) + noise):
                rows.append(f"{TIME + time:.1f},phone,b{beacon},{level:.0f},r{run},{distance:.6f}")
                time += 0.1
    path.write_text("\n".join(rows) + "\n")


def fits(program, name, runs, folder, arguments):
    rng = np.random.default_rng([1, sum(name.encode())])
    for start in range(0, runs, PART):
        path = folder / "readings.csv"
        table(rng, name, min(PART, runs - start), path)
        answer = subprocess.run(
            [program, "fit", path, "--by", "series", "--distance-at", str(LEVEL), "--json", *arguments],
            capture_output=True, text=True, check=True)
        yield from json.loads(answer.stdout)["groups"]


def measure(program, name, runs, folder, arguments=()):
    truth = {
        "exponent": EXPONENT, "measured_power_dbm": POWER, "sigma_db": deviation(name), "distance": DISTANCE}
    held, codes, warned, count = Counter(), Counter(), 0, 0
    exponents, widths = [], []
    for group in fits(program, name, runs, folder, arguments):
        count += 1
        intervals = {key: group["ci95"].get(key) for key in truth}
        at = group.get("distance_at") or [{}]
        # An interval without an end covers every distance.
        intervals["distance"] = at[0].get("ci95_m") or [0, np.inf]
        for key, value in truth.items():
            interval = intervals[key]
            if interval and interval[0] <= value <= interval[1]:
                held[key] += 1
        exponents.append(group["exponent"])
        widths.append(np.ptp(intervals["exponent"] or [-np.inf, np.inf]))
        found = {one["code"] for one in group["diagnostics"]}
        codes.update(found)
        warned += bool(found)
    shares = [100 * held[key] / count for key in truth]
    common = ", ".join(f"{code} {100 * n / count:.0f}" for code, n in codes.most_common(4))
    passes = min(shares) >= 92 or warned >= 0.9 * count
    cells = " | ".join(f"{share:.1f}" for share in shares)
    cells += f" | {np.std(exponents):.2f} | {np.median(widths):.2f}"
    print(f"| {name} | {cells} | {100 * warned / count:.0f} | {common} | {'' if passes else 'too short'} |", flush=True)
    return passes


def main():
    program, runs = sys.argv[1], int(sys.argv[2])
    names, arguments = sys.argv[3:], []
    if "--" in names:
        cut = names.index("--")
        names, arguments = names[:cut], names[cut + 1:]
    names = names or ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "D", "B8", "B12", "B20", "U"]
    print("| design | n | P | σ | distance | sd of n | width of n | warned | most frequent | |\n|" + "---|" * 10)
    with tempfile.TemporaryDirectory() as folder:
        passed = [measure(program, name, runs, Path(folder), arguments) for name in names]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
