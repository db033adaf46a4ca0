"""Speed of the stages against a peer on the same data; called by scripts/bench/run."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from table import row, timed, watched
from traces import recording

program, count = sys.argv[1], int(sys.argv[2])


def rssi(*arguments):
    subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def report(what, ours, peer_name, peer, memory):
    row(what, count / ours / 1e6, "M/s", peer_name, count / peer / 1e6, memory)


def stage(repeats, *arguments):
    """Returns the best wall time of a stage, and its peak memory."""
    runs = [watched([program, *arguments]) for _ in range(repeats)]
    return min(seconds for seconds, _ in runs), max(memory for _, memory in runs)


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    raw, trace, table = folder / "raw.btsnoop", folder / "raw.h5", folder / "raw.csv"
    recording(raw, count)
    print(f"{count:,} sightings of 1,000 beacons; the program's start included, best of three unless noted")

    fields = ["-e", "frame.time_epoch", "-e", "bthci_evt.bd_addr", "-e", "bthci_evt.rssi"]
    peer = timed(lambda: subprocess.run(["tshark", "-r", raw, "-T", "fields", *fields], check=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), 1)
    cores = sorted(os.sched_getaffinity(0))
    for what, used in ((f"{len(cores)} cores", cores), ("one core", cores[:1])):
        os.sched_setaffinity(0, used)
        ours, memory = stage(10, "import", raw, "-o", trace)
        report(f"import btsnoop into HDF5, {what}, best of ten", ours, "tshark -T fields, once", peer, memory)
    os.sched_setaffinity(0, cores)

    rssi("export", trace, "-o", table)
    ours, memory = stage(3, "import", table, "-o", folder / "table.h5")
    # The first call in a process also waits for memory.
    first = timed(lambda: pd.read_csv(table), 1)
    report("import CSV into HDF5", ours, "pandas.read_csv only, warm", timed(lambda: pd.read_csv(table)), memory)
    report("import CSV into HDF5, first call", ours, "pandas.read_csv only, first call", first, memory)
    report("import CSV into HDF5, beside pyarrow", ours, "pandas.read_csv(engine='pyarrow')",
           timed(lambda: pd.read_csv(table, engine="pyarrow")), memory)

    foreign, wide = folder / "foreign.csv", folder / "wide.csv"
    foreign.write_text(table.read_text().replace("time_s", "ts", 1).replace("rssi_dbm", "RSSI", 1))
    inferred, _ = stage(3, "import", foreign, "-o", folder / "table.h5")
    report("import CSV with names of others", inferred, "with own names", ours, memory)
    levels = np.random.default_rng(1).integers(-100, -40, (count // 100, 100))
    levels[np.random.default_rng(2).random(levels.shape) < 0.5] = -200
    scans = pd.DataFrame(levels, columns=[f"b{number}" for number in range(100)])
    scans.insert(0, "time_s", np.arange(len(scans)) * 0.1)
    scans.to_csv(wide, index=False)
    ours, memory = stage(3, "import", wide, "--levels", "b*", "--not-heard", "-200", "-o", folder / "table.h5")
    report("import wide CSV, 100 columns", ours, "pandas.read_csv and melt",
           timed(lambda: pd.read_csv(wide).melt(id_vars="time_s").query("value != -200")), memory)

    filtered = folder / "filtered.h5"
    ours, memory = stage(3, "filter", trace, "-o", filtered, "--filter", "kalman:q=1,r=9")
    frame = pd.read_csv(table)
    levels = {beacon: (group.time_s.to_numpy(), group.rssi_dbm.to_numpy())
              for beacon, group in frame.groupby("beacon")}

    def python_kalman():
        for times, values in levels.values():
            level, variance, last = values[0], 9.0, times[0]
            for moment, value in zip(times.tolist(), values.tolist()):
                predicted = variance + (moment - last)
                gain = predicted / (predicted + 9.0)
                level += gain * (value - level)
                variance = (1 - gain) * predicted
                last = moment

    report("Kalman filter, HDF5 to HDF5", ours, "plain Python, in memory", timed(python_kalman, 1), memory)

with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    flood = folder / "flood"
    subprocess.run(["gcc", "-O2", "-o", flood, "Tests/Rig/emu/flood.c"], check=True)
    rate, seconds, port = 100_000, 60, "9117"
    controller = subprocess.Popen([flood, port, str(rate * seconds), str(rate)], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    trace = folder / "live.h5"
    capture = subprocess.Popen(
        [program, "capture", f"h4:tcp:127.0.0.1:{port}", "--duration", f"{seconds + 5}s", "--no-pack", "-o", trace],
        stdout=subprocess.DEVNULL)
    status = Path(f"/proc/{capture.pid}/status")
    memory = []
    start = time.perf_counter()
    while capture.poll() is None:
        resident = [line for line in status.read_text().splitlines() if line.startswith("VmRSS")]
        if resident:
            memory.append((time.perf_counter() - start, int(resident[0].split()[1]) / 1024))
        time.sleep(0.5)
    controller.kill()
    with h5py.File(trace) as file:
        rssi_dbm = file["sightings/rssi_dbm"][:]
    # Report n has RSSI -1 - n / 50 % 100: one lost, repeated or out of order shows.
    number = np.arange(rssi_dbm.size)
    in_order = (rssi_dbm == -1 - number // 50 % 100).all()
    middle = [megabytes for moment, megabytes in memory if 10 < moment < seconds]
    print(f"live over h4:tcp at {rate:,} reports/s for {seconds} s: {rate * seconds - rssi_dbm.size:,} of "
          f"{rate * seconds:,} lost, {'in order' if in_order else 'OUT OF ORDER'}; resident memory after 10 s "
          f"{min(middle):.0f} to {max(middle):.0f} MB")
