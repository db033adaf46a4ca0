"""Traces that are being written, or whose writer was stopped."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLE

import rssi_trace as rt


def eventually(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def test_a_capture_can_be_read_and_has_to_be_repaired_after_a_kill(rssi: str) -> None:
    with open("log.txt", "w") as log:
        capture = subprocess.Popen([rssi, "capture", f"replay:{EXAMPLE / 'walk-1.btsnoop'}", "-o", "live.h5"],
                                   stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    seen: list[pd.DataFrame] = []

    def has_rows() -> bool:
        if not Path("live.h5").exists():
            return False
        try:
            with rt.open("live.h5") as trace:
                if trace.live and len(trace):
                    assert not trace.clean
                    seen.append(trace.read_sightings(["beacon", "rssi_dbm", "payload"]))
        except (rt.TraceError, FileNotFoundError):
            assert capture.poll() is None, Path("log.txt").read_text()
        return bool(seen)

    try:
        eventually(has_rows, "no rows of a running capture")
    finally:
        capture.send_signal(signal.SIGKILL)
        capture.wait()
    assert Path("live.h5.wal").exists()
    with pytest.raises(rt.TraceError, match="capture was stopped.*rssi repair live.h5"):
        rt.open("live.h5")
    with pytest.raises(rt.TraceError, match="a write-ahead log; open the trace live.h5"):
        rt.open("live.h5.wal")
    rt.run("repair", "live.h5", output="repaired.h5", quiet=True)
    with rt.open("repaired.h5") as trace:
        whole = trace.read_sightings(["beacon", "rssi_dbm", "payload"])
    first = seen[0]
    assert len(whole) >= len(first) > 0
    assert whole.iloc[:len(first)].astype(object).equals(first.astype(object))


@pytest.mark.parametrize("declared", ["committed", "rows_committed"])
def test_only_committed_rows_are_read(small: pd.DataFrame, declared: str) -> None:
    rt.write("open.h5", small)
    with h5py.File("open.h5", "r+") as file:
        file.attrs["clean"] = np.uint8(0)
        file["sightings/rssi_dbm"].resize((5,))
        if declared == "committed":
            file["committed/table"] = np.array([b"sightings", b"beacons"], "S32")
            file["committed/rows"] = np.array([2, 1], "u8")
        else:
            file.attrs["rows_committed"] = np.uint64(2)
    with rt.open("open.h5") as trace:
        assert not trace.clean and not trace.live and len(trace) == 2
        assert trace.read_sightings(["rssi_dbm"]).rssi_dbm.tolist() == [-60, -70]
        if declared == "committed":
            assert trace.beacons.id.tolist() == ["door"]
    with h5py.File("open.h5", "r+") as file:
        file.attrs["log"] = np.bytes_(b"00" * 16)
    Path("open.h5.wal").write_bytes(b"rssiwal1" + bytes(16))
    with pytest.raises(rt.TraceError, match="open.h5.wal; run `rssi repair open.h5 -o repaired.h5`"):
        rt.open("open.h5")
    Path("open.h5.wal").write_bytes(b"rssiwal1" + b"\1" * 16)  # of another trace
    with rt.open("open.h5") as trace:
        assert len(trace) == 2


def test_files_that_are_not_traces_are_named(small: pd.DataFrame, tmp_path: Path) -> None:
    Path("table.csv").write_text("time_s,beacon\n")
    Path("empty.h5").touch()
    with h5py.File("other.h5", "w") as file:
        file["x"] = 1
    rt.write("later.h5", small)
    with h5py.File("later.h5", "r+") as file:
        file.attrs["format_version"] = np.uint16(2)
    for name, problem in {"table.csv": "not an HDF5 file.*rssi import table.csv", "empty.h5": "not an HDF5 file",
                          "other.h5": "not a trace of rssi", "later.h5": "format version 2, expected 1"}.items():
        with pytest.raises(rt.TraceError, match=problem):
            rt.open(name)
    with pytest.raises(FileNotFoundError):
        rt.open("missing.h5")
    with pytest.raises(IsADirectoryError):
        rt.open(tmp_path)
    rt.write("closed.h5", small)
    trace = rt.open("closed.h5")
    trace.close()
    with pytest.raises(rt.TraceError, match="the trace is closed"):
        _ = trace.sightings
