"""Speed of the stages beside a peer on the same data; called by scripts/bench."""

import resource
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from bench_table import row, timed

program, count = sys.argv[1], int(sys.argv[2])


def rssi(*arguments):
    subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def recording(path):
    """iBeacon advertisements of 1,000 beacons, one report an event, as btsnoop."""
    random = np.random.default_rng(1)
    events = np.zeros(count, dtype=[("lengths", ">u4", 2), ("flags", ">u4"), ("drops", ">u4"),
                                    ("time", ">u8"), ("packet", "u1", 45)])
    events["lengths"] = 45
    events["flags"] = 3
    epoch = 0x00DCDDB30F2F8000 + 1_700_000_000_000_000
    events["time"] = np.arange(count, dtype=np.uint64) * np.uint64(100) + np.uint64(epoch)
    packet = bytes.fromhex("043e2a02010301000000c0ffee1e0201061aff4c000215"
                           "000102030405060708090a0b0c0d0e0f00010000c5c4")
    events["packet"] = np.frombuffer(packet, dtype=np.uint8)
    beacon = random.integers(0, 1000, count)
    for low, high in ((7, 8), (42, 41)):
        events["packet"][:, low] = beacon & 255
        events["packet"][:, high] = beacon >> 8
    events["packet"][:, 44] = random.integers(-95, -40, count).astype(np.int8).view(np.uint8)
    with open(path, "wb") as file:
        file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        events.tofile(file)


def report(what, ours, peer_name, peer):
    row(what, count / ours / 1e6, "M/s", peer_name, count / peer / 1e6)


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    raw, trace, table = folder / "raw.btsnoop", folder / "raw.h5", folder / "raw.csv"
    recording(raw)
    print(f"{count:,} sightings of 1,000 beacons; the program's start included, best of three where not said")

    fields = ["-e", "frame.time_epoch", "-e", "bthci_evt.bd_addr", "-e", "bthci_evt.rssi"]
    ours = timed(lambda: rssi("import", raw, "-o", trace), 10)
    peer = timed(lambda: subprocess.run(["tshark", "-r", raw, "-T", "fields", *fields], check=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), 1)
    report("import btsnoop into HDF5, best of ten", ours, "tshark -T fields, once", peer)
    print(f"  {ours:.3f} s of wall time against {peer:.2f} s")

    rssi("export", trace, "-o", table)
    ours = timed(lambda: rssi("import", table, "-o", folder / "table.h5"))
    report("import CSV into HDF5", ours, "pandas.read_csv only",
           timed(lambda: pd.read_csv(table)))

    filtered = folder / "filtered.h5"
    ours = timed(lambda: rssi("filter", trace, "-o", filtered, "--filter", "kalman:q=1,r=9"))
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

    report("Kalman filter, HDF5 to HDF5", ours, "plain Python, in memory", timed(python_kalman, 1))
    print(f"peak memory of our stages: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB "
          "(tshark's is in it)")

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
