"""Ends captures as power cuts and full disks do, and checks what they leave.

crash.py PROGRAM kill N    at N random moments
crash.py PROGRAM full      by a disk that is full (a limit on the size of files, which is one for this program alone)
"""

import json, random, resource, struct, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np

program, how = sys.argv[1:3]
COUNT = 100_000
FLUSH = 0.2  # seconds between two writes
EPOCH = 0x00DCDDB30F2F8000
BASE = 1_700_000_000_000_000  # microseconds


def recording(path):
    """Reports 0.5 ms apart, no two alike: address, payload and level tell which each is."""
    events = np.zeros(COUNT, dtype=[("lengths", ">u4", 2), ("flags", ">u4"), ("drops", ">u4"),
                                    ("time", ">u8"), ("packet", "u1", 45)])
    number = np.arange(COUNT)
    events["lengths"], events["flags"] = 45, 3
    events["time"] = number.astype(np.uint64) * np.uint64(500) + np.uint64(EPOCH + BASE)
    packet = bytes.fromhex("043e2a02010301000000c0ffee1e0201061aff4c000215"
                           "000102030405060708090a0b0c0d0e0f00010000c5c4")
    events["packet"] = np.frombuffer(packet, dtype=np.uint8)
    for byte in range(3):  # one address and one beacon for every four reports
        events["packet"][:, 7 + byte] = number // 4 >> 8 * byte & 255
    for byte in range(4):  # major and minor, big endian
        events["packet"][:, 42 - byte] = number // 4 >> 8 * byte & 255
    events["packet"][:, 44] = (-(40 + number % 50)).astype(np.int8).view(np.uint8)
    with open(path, "wb") as file:
        file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        events.tofile(file)
    return [bytes(row[14:44]) for row in events["packet"]]


def check(path, payloads):
    """Every row as it was sent, in order; returns how many there are."""
    with h5py.File(path, "r") as file:
        rows = file["sightings"]
        count = rows["time_s"].shape[0]
        number = np.arange(count)
        start = np.datetime64(file.attrs["start"].decode()[:-1]).astype("datetime64[us]").astype(int)
        microseconds = np.round(rows["time_s"][:] * 1e6).astype(int) + start
        assert (microseconds == BASE + number * 500).all(), "times"
        assert (rows["rssi_dbm"][:] == -(40 + number % 50)).all(), "levels"
        ids = file["beacons/id"][:]
        numbers = np.array([int(i.split(b":")[2]) << 16 | int(i.split(b":")[3]) for i in ids], dtype=int)
        assert (numbers[rows["beacon"][:]] == number // 4).all(), "beacons"
        addresses = np.array([int(a[9:].replace(b":", b""), 16) for a in file["advertisers/address"][:]], dtype=int)
        assert (addresses[rows["advertiser"][:]] == number // 4).all(), "addresses"
        offset, data = file["payloads/offset"][:], file["payloads/data/bytes"][:]
        for row in range(0, count, max(1, count // 200)):
            at = int(offset[rows["payload"][row]])
            assert data[at : at + 30].tobytes() == payloads[row], "payloads"
        return count


def sightings(trace):
    info = subprocess.run([program, "info", "--json", trace], check=True, stdout=subprocess.PIPE)
    return json.loads(info.stdout)["sightings"]


def one(number):
    """What is missing of what was due when the capture was killed, in seconds."""
    generator = random.Random(number)
    trace = folder / f"{number}.h5"
    speed = generator.choice([1, 4, 16])
    process = subprocess.Popen(
        [program, "capture", f"replay:{source}", "--speed", str(speed), "--flush", f"{FLUSH}s", "-o", trace],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while not trace.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.001)
    opened = time.time()
    time.sleep(generator.uniform(0, 0.8))
    # What another program could read before is there afterwards.
    seen = sightings(trace) if number % 2 == 0 else 0
    killed = time.time()
    process.kill()
    process.wait()
    readable = sightings(trace)
    assert readable >= seen, f"{readable} sightings after the kill, {seen} before"
    if number % 10 == 0:
        for stage in (["export", trace, "-o", trace.with_suffix(".csv")],
                      ["filter", trace, "-o", trace.with_suffix(".filtered.h5"), "--filter", "kalman:q=1,r=9"]):
            subprocess.run([program, *stage], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "repair", trace], check=True, stdout=subprocess.DEVNULL)
    if number % 10 == 0:
        subprocess.run(["h5dump", "-d", "/sightings/rssi_dbm", "-s", "0", "-c", "0", trace], check=True,
                       stdout=subprocess.DEVNULL)
    count = check(trace, payloads)
    assert count == readable, f"{count} sightings repaired, {readable} before"
    trace.unlink()
    # What was due by then, less what was received in the last interval.
    due = min(COUNT, (killed - opened) * speed * 2000)
    return (due - count) / (speed * 2000)


def kill(kills):
    with ThreadPoolExecutor(2) as pool:
        missing = list(pool.map(one, range(kills)))
    # Measured, not demanded: on a busy machine a write may come late, and the file promises no time.
    print(f"{kills} kills, most missing {max(missing):.3f} s, mean {sum(missing) / kills:.3f} s")


def full():
    trace = folder / "full.h5"
    ended = subprocess.run(
        [program, "capture", f"replay:{source}", "--speed", "16", "--flush", "20ms", "-o", trace],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, 4_000_000)))
    assert ended.returncode == 74, ended
    assert "no space left" in ended.stderr, ended.stderr
    assert "sightings " in ended.stdout, "a capture that fails reports what it received"
    subprocess.run([program, "info", trace], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "repair", trace], check=True, stdout=subprocess.DEVNULL)
    count = check(trace, payloads)
    # What did not fit is what was to be written when it was full, at 32 rows a millisecond.
    assert 10_000 < count < COUNT, count
    print(f"{count} sightings before the disk was full")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    source = folder / "source.btsnoop"
    payloads = recording(source)
    kill(int(sys.argv[3])) if how == "kill" else full()
