"""Coverage of the 95 % intervals of fits in simulated calibrations; called by scripts/bench/run.

    coverage.py RSSI RUNS [DESIGN...] [-- ARGUMENT OF FIT...]

Shares are of the runs. Walks without common places have no interval of σ, so its share is of the runs that have one, "–" if
these are fewer than a tenth.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

POWER, EXPONENT, LEVEL = -58.3, 2.35, -75
EDGES, EDGE_POWER, EDGE_EXPONENT = ("E", "F", "L"), -65, 2.5
TIME = 1_700_000_000
# Series of one file: fewer launches, and a file that fits in memory.
PART = 50
MARKS_AT = np.array([1, 2, 3, 4, 6, 8.0])
# The share of the shadowing's variance that persists between walks of one corridor.
WALKS = {"corridor": 1, "corridor-half": 0.5, "corridor-own": 0}


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


def fading(rng, count):
    """Fading of 4 dB whose successive packets have a correlation of 0.8."""
    value, step = rng.normal(), np.sqrt(1 - 0.8**2)
    for noise in rng.normal(size=count):
        yield 4 * value
        value = 0.8 * value + step * noise


# Beacons, or minus the rounds of one beacon; distances; and deviations in dB: shared by all readings at a mark, of each stay's
# own, and shared by all readings in one round of marks.
MARKS = {
    "marks": (20, MARKS_AT, 3, 1.5, 0),
    "marks-half": (20, MARKS_AT, 2, 2.24, 0),
    "marks-own": (20, MARKS_AT, 0, 3, 0),
    "marks-five": (5, np.geomspace(1, 16, 12).round(2), 3, 1.5, 0),
    "poses": (-4, MARKS_AT, 0, 2, 3),
    "revisits": (-4, np.geomspace(1, 12, 8).round(2), 3, 1, 0),
}


def marks(rng, name):
    """Returns the stays of beacons at the same marks, or of one beacon in several rounds."""
    visits, distances, shared, own, round_ = MARKS[name]
    places = shared * rng.normal(size=len(distances))
    for visit in range(abs(visits)):
        common = (2 if visits > 0 else round_) * rng.normal()
        for distance, place in zip(distances, places):
            offset = common + place + own * rng.normal()
            yield visit if visits > 0 else 0, distance, offset + np.array(list(fading(rng, 80)))


def edges(rng, name):
    """Returns the stays of one link with 250 packets sent, a fifth lost, and a logistic edge of reception.

    E and F have an edge at -95 dBm, F without scatter of places; L has no edge: beacon, distance, noise, times.
    """
    for distance in np.exp(np.linspace(0, np.log(35), 18)):
        levels = rng.normal(0, 0 if name == "F" else 3) + rng.normal(0, 4.5, 250)
        times = np.cumsum(rng.uniform(0.1, 0.11, 250))
        reported = np.round(EDGE_POWER - 10 * EDGE_EXPONENT * np.log10(distance) + levels)
        heard = rng.random(250) > 0.2
        if name != "L":
            heard &= rng.random(250) < 1 / (1 + np.exp(-(reported + 95) / 1.5))
        if heard.any():
            yield 0, distance, levels[heard], times[heard]


def truth(name):
    """Returns the constants of a design: measured power, exponent and sigma."""
    if name in EDGES:
        return EDGE_POWER, EDGE_EXPONENT, np.sqrt((0 if name == "F" else 9) + 4.5**2 + 1 / 12)
    return POWER, EXPONENT, deviation(name)


def deviation(name):
    if name in MARKS:
        visits, _, shared, own, round_ = MARKS[name]
        return np.sqrt((4 if visits > 0 else round_**2) + shared**2 + own**2 + 16 + 1 / 12)
    if name in WALKS:
        return np.sqrt(16 + 2.5**2 + 1 / 12)
    variance = {"D": 9 + 3.5**2, "C7": 2.5**2 + 9 + 3.5**2, "C8": 2.5**2 + 4 + 9 + 3.5**2}
    return np.sqrt(variance.get(name, 3.5**2 + 16 if name[0] == "C" else 25) + 1 / 12)


def table(rng, name, runs, path):
    rows = ["time_s,receiver,beacon,rssi_dbm,trace,distance_m"]
    power, exponent, _ = truth(name)
    design = edges if name in EDGES else marks if name in MARKS else devices if name in ("C7", "C8", "D") else single
    for run in range(runs):
        time = 0.0
        for beacon, distance, noise, *times in design(rng, name):
            after = times[0] if times else 0.1 * np.arange(len(noise))
            levels = np.round(power - 10 * exponent * np.log10(distance) + noise)
            for level, second in zip(levels, after):
                rows.append(f"{TIME + time + second:.3f},phone,b{beacon},{level:.0f},r{run},{distance:.6f}")
            time += after[-1] + (20 if times else 0.1)
    path.write_text("\n".join(rows) + "\n")


def shadowing(rng, share, size):
    """Shadowing of 4 dB along a corridor in steps of 0.2 m, correlated over 2 m."""
    correlation = np.exp(-0.2 / 2)
    field = rng.normal(size=size)
    for index in range(1, size[-1]):
        field[..., index] = correlation * field[..., index - 1] + np.sqrt(1 - correlation**2) * field[..., index]
    return 4 * np.sqrt(share) * field


def corridors(program, rng, name, runs, folder):
    """Writes six walks from 1 to 20 m of one receiver; each beacon is a corridor of its own."""
    x = 1 + 0.2 * np.arange(96)
    common = shadowing(rng, WALKS[name], (runs, len(x)))
    beacons = "".join(f"b{run},beacon,0,0\n" for run in range(runs))
    (folder / "nodes.csv").write_text("node,role,x_m,y_m\n" + beacons + "phone,receiver,,\n")
    truth, rows = ["trace,time_s,node,x_m,y_m"], ["trace,time_s,receiver,beacon,rssi_dbm"]
    for walk in range(6):
        start = TIME + 100 * walk
        truth += [f"w{walk},{start},phone,1,0", f"w{walk},{start + 19},phone,20,0"]
        own = shadowing(rng, 1 - WALKS[name], (runs, len(x)))
        level = POWER - 10 * EXPONENT * np.log10(x) + common + own + rng.normal(0, 2.5, common.shape)
        for step in range(len(x)):
            for run in range(runs):
                rows.append(f"w{walk},{start + 0.2 * step + 1e-4 * run:.4f},phone,b{run},{level[run, step]:.0f}")
    (folder / "truth.csv").write_text("\n".join(truth) + "\n")
    (folder / "rssi.csv").write_text("\n".join(rows) + "\n")
    trace = folder / "walks.h5"
    trace.unlink(missing_ok=True)
    subprocess.run(
        [program, "import", folder / "rssi.csv", "--nodes", folder / "nodes.csv", "--truth", folder / "truth.csv",
         "-o", trace, "--quiet"], check=True)
    return trace


def fits(program, name, runs, folder, arguments):
    rng = np.random.default_rng([1, sum(name.encode())])
    for start in range(0, runs, PART):
        path, by = folder / "readings.csv", "series"
        if name in WALKS:
            path, by = corridors(program, rng, name, min(PART, runs - start), folder), "beacon"
        else:
            table(rng, name, min(PART, runs - start), path)
        answer = subprocess.run(
            [program, "fit", path, "--by", by, "--distance-at", str(LEVEL), "--json", *arguments],
            capture_output=True, text=True, check=True)
        yield from json.loads(answer.stdout)["groups"]


def measure(program, name, runs, folder, arguments=()):
    power, exponent, sigma = truth(name)
    true = {
        "exponent": exponent, "measured_power_dbm": power, "sigma_db": sigma,
        "distance": 10 ** ((power - LEVEL) / (10 * exponent))}
    held, given, codes, warned, count = Counter(), Counter(), Counter(), 0, 0
    exponents, widths = [], []
    for group in fits(program, name, runs, folder, arguments):
        count += 1
        intervals = {key: group["ci95"].get(key) for key in true}
        at = group.get("distance_at") or [{}]
        # An interval without an end covers every distance.
        intervals["distance"] = at[0].get("ci95_m") or [0, np.inf]
        for key, value in true.items():
            interval = intervals[key]
            given[key] += bool(interval) or key != "sigma_db"
            if interval and interval[0] <= value <= interval[1]:
                held[key] += 1
        exponents.append(group["exponent"])
        widths.append(np.ptp(intervals["exponent"] or [-np.inf, np.inf]))
        found = {one["code"] for one in group["diagnostics"]}
        codes.update(found)
        warned += bool(found)
    shares = [100 * held[key] / given[key] if given[key] >= 0.1 * count else np.nan for key in true]
    common = ", ".join(f"{code} {100 * n / count:.0f}" for code, n in codes.most_common(4))
    passes = np.nanmin(shares) >= 92 or warned >= 0.9 * count
    cells = " | ".join("–" if np.isnan(share) else f"{share:.1f}" for share in shares)
    cells += f" | {np.mean(exponents) - exponent:+.2f} | {np.std(exponents):.2f} | {np.median(widths):.2f}"
    print(f"| {name} | {cells} | {100 * warned / count:.0f} | {common} | {'' if passes else 'too short'} |", flush=True)
    return passes


def main():
    program, runs = sys.argv[1], int(sys.argv[2])
    names, arguments = sys.argv[3:], []
    if "--" in names:
        cut = names.index("--")
        names, arguments = names[:cut], names[cut + 1:]
    names = names or [
        "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "D", "B8", "B12", "B20", "U", "E", "F", "L", *MARKS, *WALKS]
    print(
        "| design | n | P | σ | distance | bias of n | sd of n | width of n | warned | most frequent | |\n|"
        + "---|" * 11)
    with tempfile.TemporaryDirectory() as folder:
        passed = [measure(program, name, runs, Path(folder), arguments) for name in names]
        # Of the designs with an edge, least squares only warns; the estimators that allow for it hold.
        for name in [] if arguments else [name for name in names if name in ("E", "F")]:
            for chosen in (["--estimator", "truncated"],
                           ["--estimator", "censored", "--advertising-interval", "105ms"]):
                print(f"{name}, {chosen[1]}:")
                passed.append(measure(program, name, runs, Path(folder), chosen))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
