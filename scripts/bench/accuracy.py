"""Accuracy of the positioning algorithms on public recordings and simulated rooms, compared with an earlier program; called by
scripts/bench/run.

    accuracy.py RSSI [EARLIER_RSSI] [SET ...]
    accuracy.py RSSI all              the table of docs/accuracy.md: every algorithm on every recording
    accuracy.py RSSI defaults         the table of docs/algorithms.md: the candidates for the default of rssi locate,
                                      beside plain methods of scikit-learn and scipy (benchmarks/peers)
    accuracy.py RSSI lasting          rooms whose shadowing is the same on each walk

A row is one algorithm under one protocol. Figures are means over five seeds where an algorithm or a room has one:
median, 75th and 95th percentile of the horizontal error in metres with the 95 % interval over traces (or places) of the
median, the share of truths in the claimed 95 % ellipses with its interval, and the mean NEES (2 where claims are right).
The recordings are those of docs/accuracy.md, in RSSI_SHARED_DATA or ../shared/data.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from channels import channels
from table import record

data = Path(os.environ.get("RSSI_SHARED_DATA", "../shared/data"))
seeds = range(1, 6)
static = ["weighted-centroid", "posterior-mean", "gaussian-process", "fingerprint", "particle-filter:map=yes"]
walked = ["particle-filter", "particle-filter:map=yes", "particle-filter:map=yes,lag=2s", "particle-smoother:map=yes",
          "kalman:map=yes", "kalman:map=yes,lag=2s", "grid-filter", "grid-filter:map=yes", "grid-filter:map=yes,lag=2s",
          "grid-smoother:map=yes", "gaussian-process", "fingerprint", "weighted-centroid"]
traces, places = ["--cross-validate", "traces"], ["--cross-validate", "places", "--epoch", "place"]
# Name, recording, protocol, algorithms.
protocols = [
    ("traces left out, --epoch 2s, --truth-at middle", "flat-walks", traces, walked),
    ("traces left out, --epoch 2s, --truth-at end", "flat-walks", [*traces, "--truth-at", "end"], walked),
    ("places left out, --epoch place", "sparse-floor", places, static),
    ("places left out, --epoch place", "sparse-room", places, static),
    ("places left out, --by series, power 1", "office-scans",
     [*places, "--by", "series", "--trace", "phone-1/power-1"], static),
    ("traces left out, --epoch stay", "hall-static", [*traces, "--epoch", "stay"], static),
]
still = ["hall-static", "office-scans", "sparse-floor", "sparse-room"]
# What a default is chosen from, the plain methods that it must not lose against, and other peers.
peer = f"exec:{sys.executable} {Path(__file__).parents[2]}/benchmarks/peers"
candidates = {
    "no survey, at once": (["kalman", "particle-filter", "grid-filter", "tracker-mixture", "posterior-mean"],
                           ["weighted-centroid"], [f"{peer}/scipy-multilateration.py"]),
    "no survey, 2 s late": (["kalman:lag=2s", "particle-filter:lag=2s", "grid-filter:lag=2s"], ["weighted-centroid"], []),
    "survey, at once": (["kalman:map=yes", "particle-filter:map=yes", "grid-filter:map=yes", "tracker-mixture:map=yes",
                         "gaussian-process", "fingerprint"], [f"{peer}/sklearn-knn.py"], [f"{peer}/sklearn-gp.py"]),
    "survey, 2 s late": (["kalman:map=yes,lag=2s", "particle-filter:map=yes,lag=2s", "grid-filter:map=yes,lag=2s"],
                         [f"{peer}/sklearn-knn.py"], []),
}
simulated = ["weighted-centroid", "maximum-likelihood", "kalman", "particle-filter", "particle-filter:lag=2s",
             "particle-smoother", "grid-filter", "grid-smoother"]


def run(program, *arguments):
    # A peer is started for each trace: without its bytecode on disk it would compile scikit-learn each time.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, env=environment)


def seeded(algorithm):
    """Returns the names of an algorithm with each seed."""
    if not algorithm.startswith(("particle", "tracker")):
        return [algorithm]
    return [f"{algorithm}{',' if ':' in algorithm else ':'}seed={seed}" for seed in seeds]


def scores(program, trace, asked, algorithm):
    """Returns the scores of an algorithm, one per seed; None if the program does not have it."""
    names = [part for text in seeded(algorithm) for part in ("--algorithm", text)]
    result = run(program, "eval", trace, *asked, *names, "--patience", "60s", "--json", "--quiet")
    if result.returncode == 64:
        return None
    if result.returncode != 0:
        sys.exit(result.stderr)
    return json.loads(result.stdout)["algorithms"]


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def figures(scores):
    """Formats the means over seeds as a row."""
    def errors(name):
        return mean([score["error_m"][name] for score in scores])

    interval = [mean([(score["ci95"]["median"] or [None, None])[end] for score in scores]) for end in (0, 1)]
    text = f"{errors('median'):6.2f} {errors('p75'):6.2f} {errors('p95'):6.2f}  "
    text += "    –    " if None in interval else f"{interval[0]:4.2f}-{interval[1]:4.2f}"
    claims = [score["claims"] for score in scores if score["claims"] and score["claims"]["count"]]
    if not claims:
        return text + "      –                  –"
    held = [next(share for share in claim["coverage"] if share["claimed"] == 0.95) for claim in claims]
    ends = [mean([(share["ci95_over_traces"] or share["ci95"])[end] for share in held]) for end in (0, 1)]
    return (text + f"  {100 * mean([share['share'] for share in held]):5.1f} % ({100 * ends[0]:3.0f}-{100 * ends[1]:3.0f})"
            f"   {mean([claim['mean_nees'] for claim in claims]):5.2f}")


def table(title, programs, recordings, asked, algorithms):
    """Prints the rows of one protocol; several recordings count as seeds."""
    print(f"\n{title}\n{'':34} {'':7} median    p75    p95  95 % of it  in 95 % ellipses    NEES", flush=True)
    for algorithm in algorithms:
        for name, program in programs:
            found = [scores(program, recording, options, algorithm) for recording, options in zip(recordings, asked)]
            if None not in found:
                scored = sum(found, [])
                print(f"{algorithm:34} {name:7} {figures(scored)}", flush=True)
                if name == "now":
                    record(f"{title}, {algorithm}, median error", mean([s["error_m"]["median"] for s in scored]), "m")


def imported(program, recording, folder):
    """The trace of a recording, imported once."""
    source, trace = data / recording, folder / f"{recording}.h5"
    if not trace.exists():
        run(program, "import", source / "rssi.csv", "--nodes", source / "nodes.csv", "--truth", source / "truth.csv",
            "-o", trace)
    return trace


def asked_of():
    """Returns the options of each recording that is there, by its first protocol."""
    return {recording: asked for _, recording, asked, _ in reversed(protocols) if (data / recording).exists()}


def everything(program, traces):
    """Prints every algorithm with its defaults on every recording as a table of Markdown."""
    found = {}
    for name, (trace, asked) in traces.items():
        result = run(program, "eval", trace, *asked, "--algorithms", "all", "--json", "--quiet")
        if result.returncode != 0:
            sys.exit(result.stderr)
        for score in json.loads(result.stdout)["algorithms"]:
            share = score["availability"]
            if score["answered"]:
                text = f"{score['error_m']['median']:.2f}/{score['error_m']['p75']:.2f}"
                found.setdefault(score["name"], {})[name] = text + (f" ({share:.0%})" if share < 0.995 else "")
    print(f"| median / p75 in m (answered) | {' | '.join(traces)} |\n|---{'|---' * len(traces)}|")
    for algorithm in sorted(found):
        print(f"| `{algorithm}` | {' | '.join(found[algorithm].get(name, '–') for name in traces)} |")


def rooms(program, folder, title, *options):
    """Simulates five rooms; returns a column's traces, with the options without and with a survey."""
    traces, bench = [], []
    for seed in range(42, 47):
        room = folder / f"{title.replace(' ', '-')}-{seed}"
        if not room.exists():
            run(program, "simulate", "--seed", seed, "--walks", 12, *options, "-o", room)
            run(program, "import", *sorted(room.glob("walk-*.btsnoop")), "--receiver", "phone", "--nodes",
                room / "nodes.csv", "--truth", room / "truth.csv", "-o", room / "room.h5")
            run(program, "fit", room / "distances.csv", "-o", room / "room.json")
        traces.append(room / "room.h5")
        bench.append(["--calibration", room / "room.json"])
    return traces, bench, [["--cross-validate", "traces"]] * len(traces)


def lasting(program, folder):
    """Measures trackers with a survey in rooms whose shadowing is the same on each walk: people who walk, who stop on
    the way, and who are slow."""
    asked = ["--persistence", 1, "--shadowing", 4, "--shadowing-distance", 3, "--common-shadowing", 0, "--speed"]
    for title, options in {"walkers": [1.1], "stop and go": [1.1, "--stop", "6s"],
                           "slow": [0.3, "--stop", "6s"]}.items():
        recordings, _, survey = rooms(program, folder, f"lasting {title}", *asked, *options)
        table(f"{title}: five rooms (seeds 42 to 46) of 12 walks with lasting shadowing, traces left out",
              [("now", program)], recordings, survey,
              ["particle-filter:map=yes", "tracker-mixture:map=yes", "grid-filter:map=yes", "fingerprint",
               "particle-filter:map=yes,lag=2s", "particle-smoother:map=yes", "grid-smoother:map=yes"])


def defaults(program, folder):
    """Prints a table of Markdown: the medians of the candidates for each default, on every recording.

    The default is the candidate with the least mean of log(median / least median of the recording) among those whose
    median is, on every recording, not beyond the interval of the plain method's.
    """
    columns = {recording: ([imported(program, recording, folder)], [asked], [asked]) for recording, asked in asked_of().items()}
    columns["simulated"] = rooms(program, folder, "simulated")
    columns["simple model"] = rooms(program, folder, "simple", "--model", "simple")
    columns["4 beacons"] = rooms(program, folder, "four", "--beacons", 4)
    resting, walking = [[name for name in columns if (name in still) == kind] for kind in (True, False)]
    print(f"| medians in m | at rest: {', '.join(resting)} | walking: {', '.join(walking)} | ratio |\n|---|---|---|---|")
    measured = {}
    for kind, (names, plain, others) in candidates.items():
        # An answer that comes later is another only where the target moves.
        asked = {name: column for name, column in columns.items() if "late" not in kind or name not in still}
        is_surveyed, found = kind.startswith("survey"), {}
        for name, (recordings, without, survey) in asked.items():
            for algorithm in [*names, *plain, *others]:
                key = (is_surveyed, algorithm, name)
                # Plain methods are the same at once and late.
                if key not in measured:
                    measured[key] = sum([scores(program, *trace, algorithm)
                                         for trace in zip(recordings, survey if is_surveyed else without)], [])
                found[algorithm, name] = measured[key]
        medians = {key: mean([score["error_m"]["median"] for score in value]) for key, value in found.items()}
        ends = {name: mean([score["ci95"]["median"][1] for score in found[plain[0], name]]) for name in asked}
        least = {name: min(medians[algorithm, name] for algorithm in names) for name in asked}
        ranks = {algorithm: math.exp(sum(math.log(medians[algorithm, name] / least[name]) for name in asked) / len(asked))
                 for algorithm in names if all(medians[algorithm, name] <= ends[name] for name in asked)}
        chosen = min(ranks, key=ranks.get) if ranks else None
        print(f"| **{kind}** | | | |")
        for algorithm in [*names, *plain, *others]:
            title = Path(algorithm).stem if algorithm.startswith("exec") else f"`{algorithm}`"
            title = f"**{title}**" if algorithm == chosen else title
            cells = [", ".join(
                f"{medians[algorithm, name]:.2f}{'†' * (algorithm in names and medians[algorithm, name] > ends[name])}"
                for name in group if name in asked) for group in (resting, walking)]
            ratio = f"{ranks[algorithm]:.2f}" if algorithm in ranks else "–"
            print(f"| {title} | {' | '.join(cells)} | {ratio} |", flush=True)


def main():
    arguments = sys.argv[1:]
    programs = [("now", arguments[0])]
    if len(arguments) > 1 and os.access(arguments[1], os.X_OK):
        programs.insert(0, ("before", arguments[1]))
    chosen = set(arguments[len(programs):])
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if chosen == {"lasting"}:
            return lasting(arguments[0], folder)
        if chosen == {"defaults"}:
            return defaults(arguments[0], folder)
        if chosen == {"all"}:
            return everything(arguments[0], {name: (imported(arguments[0], name, folder), asked)
                                             for name, asked in sorted(asked_of().items())})
        for title, recording, asked, algorithms in protocols:
            if chosen and recording not in chosen:
                continue
            if not (data / recording).exists():
                print(f"\n{recording}: left out, as {data / recording} is missing")
                continue
            table(f"{recording}: {title}", programs, [imported(arguments[0], recording, folder)], [asked], algorithms)
        if (folder / "flat-walks.h5").exists():
            channels(arguments[0], data / "flat-walks", folder / "flat-walks.h5")
        if chosen and "simulated" not in chosen:
            return
        recordings, asked, _ = rooms(arguments[0], folder, "simple", "--model", "simple")
        table("simulated: five rooms (seeds 42 to 46) of 12 walks, constants of each room's bench, --epoch 2s, "
              "--truth-at middle", programs, recordings, asked, simulated)


main()
