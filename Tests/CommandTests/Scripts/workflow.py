"""Runs workflow/ on a copy of a folder of recordings: on this machine, and on a Slurm cluster of which a node dies in the middle.

workflow.py PROGRAM RECORDINGS SNAKEMAKE local            twice; the second time nothing is to be done, then one recording
workflow.py PROGRAM RECORDINGS SNAKEMAKE slurm            with Tests/Rig/cluster

Each compares what the workflow gives, byte for byte, with what single processes give.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

program, source, snakemake, where = sys.argv[1:5]
ROOT = Path(__file__).resolve().parents[3]
EVALUATION = "--cross-validate traces --algorithms centroid,kalman,particle-filter:particles=100"
recordings = "recordings"
CONFIG = f"""
options: {{import: --receiver phone, filter: --filter median, fit: "", eval: "{EVALUATION}"}}
shares: 4
"""


def run(*command):
    ended = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert ended.returncode == 0, f"{command}: {ended.stdout}"
    return ended.stdout


def flow(*options):
    return [snakemake, "-s", ROOT / "workflow/Snakefile", "--configfile", "my.yaml", *options]


def names():
    return sorted(path.stem for path in Path(recordings).glob("*.btsnoop"))


def compare():
    """What the workflow gave, with what one process gives for each of its files."""
    traces = [f"results/traces/{name}.h5" for name in names()]
    reports = ["html", "json", "answers.csv"]
    run("rssi", "eval", *traces, *EVALUATION.split(), "-q", *(w for r in reports for w in ("--report", f"one.{r}")))
    for report, made in zip(reports, ["report.html", "figures.json", "figures.answers.csv"]):
        assert Path(f"one.{report}").read_bytes() == Path("results", made).read_bytes(), made
    run("rssi", "fit", *(f"results/imported/{name}.h5" for name in names()), "-o", "one.fit.json", "-q")
    assert Path("one.fit.json").read_bytes() == Path("results/calibration.json").read_bytes(), "calibration.json"
    run("rssi", "beacons", *(f"results/imported/{name}.h5" for name in names()), "-o", "one.csv")
    assert Path("one.csv").read_bytes() == Path("results/devices.csv").read_bytes(), "devices.csv"


def jobs(output):
    """How often each rule runs, by the table that snakemake prints."""
    return {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", output, re.MULTILINE)}


def shorten(recording):
    """Takes the last packet from a recording."""
    bytes = recording.read_bytes()
    ends = [16]
    while ends[-1] < len(bytes):
        ends.append(ends[-1] + 24 + int.from_bytes(bytes[ends[-1] + 4:ends[-1] + 8], "big"))
    recording.write_bytes(bytes[:ends[-2]])


def local():
    done = jobs(run(*flow("--cores", "2")))
    count = len(names())
    assert done["import_recording"] == count and done["evaluate_share"] == 4, done
    compare()
    assert "Nothing to be done" in run(*flow("--cores", "2"))
    # What depends on one recording runs again, and nothing else.
    shorten(Path(recordings, names()[0] + ".btsnoop"))
    again = jobs(run(*flow("--cores", "2")))
    assert again["import_recording"] == again["filter_trace"] == again["fit_trace"] == 1, again
    compare()
    print(f"{done['total']} jobs, then 0, then {again['total']}")


def wait(seconds, condition, what):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"timed out: {what}"
        time.sleep(0.2)
    return found


def slurm():
    cluster = ROOT / "Tests/Rig/cluster"
    rig = tempfile.mkdtemp()
    run(cluster, "up", rig)
    try:
        for line in run(cluster, "env", rig).splitlines():
            name, value = line.removeprefix("export ").split("=", 1)
            os.environ[name] = value
        log = Path("slurm.log").open("w")
        started = subprocess.Popen(
            [str(word) for word in flow("--workflow-profile", ROOT / "workflow/profiles/slurm", "--latency-wait", "5",
                                        "--slurm-init-seconds-before-status-checks", "5", "--default-resources",
                                        "mem_mb=100", "runtime=10")],
            stdout=log, stderr=subprocess.STDOUT)
        try:
            wait(1200, lambda: len(list(Path("results/traces").glob("*.h5"))) == len(names()) or started.poll() is not None,
                 "traces")
            job = wait(600, lambda: run("squeue", "-h", "-t", "R", "-w", "n1", "-o", "%A").split()
                       or started.poll() is not None, "a job on the node that dies")
            assert started.poll() is None, Path("slurm.log").read_text()
            run(cluster, "kill", rig, "n1")
            assert started.wait(600) == 0, Path("slurm.log").read_text()
        finally:
            started.kill()
        # The accounts of the jobs that ran on the node that died.
        ends = Path(rig, "log/jobcomp.txt").read_text()
        lost = [one for one in job if re.search(rf"JobId={one} .*NodeList=n2 ", ends)]
        assert lost, f"no job of {job} went to the other node: {ends}"
    finally:
        run(cluster, "down", rig)
    compare()
    print(f"jobs {', '.join(lost)} of n1, which died, ran on n2")


with tempfile.TemporaryDirectory() as folder:
    # Jobs find the program by its name.
    Path(folder, "bin").mkdir()
    Path(folder, "bin/rssi").symlink_to(Path(program).resolve())
    source = Path(source).resolve()
    os.environ["PATH"] = f"{folder}/bin:{os.environ['PATH']}"
    # Snakemake keeps what it looked up of a workflow's sources.
    os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
    os.chdir(folder)
    shutil.copytree(source, recordings)
    Path("my.yaml").write_text(CONFIG)
    local() if where == "local" else slurm()
