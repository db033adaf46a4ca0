"""Efficiency of two cores, of the workflow and of single processes; called by scripts/bench/run.

    cluster.py RSSI SNAKEMAKE
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from table import row

program, snakemake = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute()
workflow = Path("workflow/Snakefile").resolve()
cores = sorted(os.sched_getaffinity(0))[:2]
walks, seconds, repeats = 6, 60, 3
environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}


def run(command, used, folder):
    """Returns wall and processor time of a command on a number of cores, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(["taskset", "-c", ",".join(map(str, cores[:used])), *map(str, command)], cwd=folder, env=environment,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(what, command, folder, clean=lambda: None):
    """Runs a command on one core and on two alternately, and prints the best of each."""
    times = {1: [], 2: []}
    for _ in range(repeats):
        for used in times:
            clean()
            times[used].append(run(command(used), used, folder))
    (one, work), (two, more) = min(times[1]), min(times[2])
    parallel = 2 * (1 - two / one)
    row(f"{what}, two cores", two, "s", "one core", one, note=f"efficiency {one / two / 2:4.0%}, serial "
        f"{1 - parallel:4.0%}, processor time {more:.1f} s and {work:.1f} s")


print(f"{walks} walks of {seconds} s among 20 beacons; one core, two cores, best of {repeats}; "
      f"load before: {os.getloadavg()[0]:.1f}")
with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
    folder = Path(folder)
    subprocess.run([program, "simulate", "--model", "simple", "--walks", str(walks), "--duration", str(seconds), "--beacons", "20", "-o",
                    folder / "recordings", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    (folder / "flow.yaml").write_text(
        "recordings: recordings\npattern: 'walk-*.btsnoop'\nshares: 4\nthreads: 1\n"
        "options: {eval: --cross-validate traces --algorithms all}\n")

    def flow(used):
        return [snakemake, "-s", workflow, "--configfile", "flow.yaml", "--cores", used, "--quiet", "all"]

    report("workflow, shares of one core", flow, folder,
           lambda: subprocess.run(["rm", "-rf", folder / "results"], check=True))
    traces = sorted((folder / "results/traces").glob("*.h5"))
    for what, stage in (("eval, cross-validated", ["eval", "--cross-validate", "traces", "--algorithms", "all"]),
                        ("fit", ["fit"]), ("beacons", ["beacons"]), ("info", ["info"]),
                        ("export to CSV", ["export", "-o", folder / "all.csv"])):
        report(what + ", one process", lambda used: [program, *stage, *traces, "--quiet"], folder)
