"""Recordings and traces of many rows for benchmarks."""

import struct
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np


def recording(path, count, beacons=1000):
    """iBeacon advertisements, one report per event, as btsnoop."""
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
    beacon = random.integers(0, beacons, count)
    for low, high in ((7, 8), (42, 41)):
        events["packet"][:, low] = beacon & 255
        events["packet"][:, high] = beacon >> 8
    events["packet"][:, 44] = random.integers(-95, -40, count).astype(np.int8).view(np.uint8)
    with open(path, "wb") as file:
        file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        events.tofile(file)


def filterable_trace(program, path, rows):
    """A trace of a number of rows of 64 links, in blocks."""
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "raw.csv"
        with open(table, "w") as file:
            file.write("trace,time_s,receiver,beacon,rssi_dbm\n")
            for k in range(64):
                file.write(f"walk,{1_700_000_000 + k},hci0,beacon-{k},-60\n")
        subprocess.run([program, "import", table, "-o", path], check=True, stdout=subprocess.DEVNULL)
    with h5py.File(path, "r+") as file:
        sightings = file["sightings"]
        lengthen(sightings, rows)
        for first in range(0, rows, 65_536):
            last = min(rows, first + 65_536)
            number = np.arange(first, last)
            sightings["time_s"][first:last] = np.round(number * 1e-3 + random.uniform(0, 9e-4, last - first), 6)
            sightings["beacon"][first:last] = number % 64
            sightings["rssi_dbm"][first:last] = np.round(random.normal(-70, 4, last - first))
            sightings["channel"][first:last] = 37


def fittable_trace(program, path, rows):
    """A trace of a number of rows of 16 links, each at 50 distances, in blocks."""
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "distances.csv"
        with open(table, "w") as file:
            file.write("series,time_s,receiver,beacon,distance_m,rssi_dbm\n")
            for place in range(50):
                for beacon in range(16):
                    file.write(f"bench,{1_700_000_000 + place},hci0,beacon-{beacon},{0.5 * 1.08 ** place:.4f},-60\n")
        subprocess.run([program, "import", table, "-o", path], check=True, stdout=subprocess.DEVNULL)
    with h5py.File(path, "r+") as file:
        sightings = file["sightings"]
        dwell, beacon = sightings["dwell"][:], sightings["beacon"][:]
        order = np.argsort(dwell, kind="stable")
        by_dwell = beacon[order]
        distance = file["truth/distances/distance_m"][:]
        lengthen(sightings, rows)
        block = 1 << 20
        noise = np.round(random.normal(0, 4, block)).astype(np.float32)
        for first in range(0, rows, block):
            last = min(rows, first + block)
            number = np.arange(first, last)
            # Sixteen beacons in turn at one place after another.
            place = number * 50 // rows
            stay = place * 16 + number % 16
            sightings["dwell"][first:last] = stay
            sightings["beacon"][first:last] = by_dwell[stay]
            sightings["rssi_dbm"][first:last] = np.round(
                -59 - 22 * np.log10(distance[stay])) + noise[: last - first]
            sightings["time_s"][first:last] = number * 1e-3


def lengthen(sightings, rows):
    """Extends every column of the sightings with copies of its first row."""
    block = 1 << 20
    for column in sightings.values():
        value = column[0]
        column.resize((rows,))
        for first in range(0, rows, block):
            column[first:min(rows, first + block)] = value


def passing_phones(path, addresses, days=30, reports=3):
    """Phones that come and go, with a new address each quarter of an hour, as btsnoop.

    In each quarter as many addresses are heard, a few times each, at random times; every phone stays for some quarters.
    """
    random = np.random.default_rng(1)
    quarters = days * 96
    # LE advertising report of a random address, with flags and manufacturer data whose last five bytes change.
    packet = bytes.fromhex("043e1a02010001" "000000000000" "0e02011a0aff4c001005" "0000000000" "c0")
    kind = np.dtype([("lengths", ">u4", 2), ("flags", ">u4"), ("drops", ">u4"), ("time", ">u8"), ("packet", "u1", len(packet))])
    epoch = 0x00DCDDB30F2F8000 + 1_700_000_000_000_000
    with open(path, "wb") as file:
        file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        for quarter in range(quarters):
            phones = addresses * (quarter + 1) // quarters - addresses * quarter // quarters
            events = np.zeros(phones * reports, dtype=kind)
            events["lengths"] = len(packet)
            events["flags"] = 3
            times = np.sort(random.integers(0, 900_000_000, phones * reports))
            events["time"] = (epoch + quarter * 900_000_000 + times).astype(np.uint64)
            events["packet"] = np.frombuffer(packet, dtype=np.uint8)
            own = random.integers(0, 256, (phones, 11), dtype=np.uint8)
            own[:, 5] = own[:, 5] & 0x3F | 0x40
            phone = random.permutation(np.repeat(np.arange(phones), reports))
            events["packet"][:, 7:13] = own[phone, :6]
            events["packet"][:, 23:28] = own[phone, 6:]
            events["packet"][:, -1] = random.integers(-95, -40, phones * reports).astype(np.int8).view(np.uint8)
            events.tofile(file)
