"""Reads damaged traces in a process of its own, whose memory is limited.

    read_damaged.py TRACE SEED COUNT

Prints each kind of damage before it is read, so that the last line names the one that ends the process.
"""

from __future__ import annotations

import importlib.util
import random
import resource
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import h5py

import rssi_trace as rt

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 4 << 30


def crafts() -> Any:
    """The ways in which scripts/hostile damages a trace."""
    specification = importlib.util.spec_from_file_location("hdf5", ROOT / "scripts" / "hostile" / "hdf5.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def faults(hdf5: Any, trace: Path, numbers: random.Random, count: int) -> list[tuple[str, str, Any]]:
    """A sample of all faults: kind, place, way."""
    with h5py.File(trace) as file:
        columns: list[str] = []
        tables: list[str] = []
        file.visititems(lambda path, item: (columns if isinstance(item, h5py.Dataset) else tables).append(path))
        attributes = [("", name) for name in file.attrs] + [(path, name) for path in columns for name in file[path].attrs]
    every: list[tuple[str, str, Any]] = [("column", path, how) for path in columns for how in hdf5.COLUMN]
    every += [("bomb", path, numbers.choice(hdf5.BOMBS)) for path in columns]
    every += [("table", path, how) for path in tables for how in hdf5.TABLE]
    every += [("tables", path, numbers.choice(hdf5.BOMBS)) for path in tables]
    every += [("attribute", path, (name, how)) for path, name in attributes for how in hdf5.ATTRIBUTE
              if name not in ("DIMENSION_LIST", "REFERENCE_LIST")]
    every += [("time", path, value) for path in columns if path.endswith(("time_s", "start_s", "end_s")) for value in hdf5.TIMES]
    every += [("start", "", value) for value in hdf5.STARTS] + [("payloads", "payloads", how) for how in hdf5.PAYLOADS]
    every += [("clean", "", how) for how in ("open", "nothing committed", "too much committed")]
    numbers.shuffle(every)
    return every[:count // 2] + [("bytes", "", numbers.random()) for _ in range(count - count // 2)]


def damage(hdf5: Any, path: Path, fault: tuple[str, str, Any], numbers: random.Random, base: Path) -> bool:
    """Damages a file; returns `False` for a way that its place does not admit."""
    kind, place, how = fault
    if kind == "bytes":
        content = bytearray(path.read_bytes())
        for _ in range(numbers.choice([1, 4, 64])):
            content[int(numbers.random() ** 3 * len(content))] = numbers.randrange(256)  # metadata are near the start
        path.write_bytes(content[:numbers.randrange(len(content))] if how < 0.2 else content)
        return True
    try:
        with h5py.File(path, "r+") as file:
            if kind == "clean":
                file.attrs["clean"] = 0
                file["committed/table"] = [b"sightings"]
                file["committed/rows"] = [{"open": 5, "nothing committed": 0, "too much committed": 1 << 40}[how]]
            else:
                hdf5.CRAFTS[kind](file, place, how, numbers, base, path.parent)
    except (TypeError, ValueError, OverflowError, KeyError, RuntimeError, OSError, hdf5.NotApplicable):
        return False
    return True


def read_everything(path: Path) -> None:
    """Reads all that the package shows of a trace."""
    with rt.open(path) as trace:
        sightings = trace.read_sightings(rt.COLUMNS)
        trace.read_sightings(["time", "payload"], trace=trace.traces[:1], start=trace.start)
        for name in trace.filters:
            trace.filtered(name)
            trace.table(f"filtered/{name}/links")
        for name in trace.algorithms:
            trace.positions(name)
        trace.truth.at(sightings.time, sightings.receiver, sightings.trace)
        for name in ("beacons", "receivers", "gaps", "rejected", "provenance", "calibration", "note", "clock", "tool_version"):
            getattr(trace, name)
        trace.table("clock")
        trace.to_xarray()


def main(trace: Path, seed: int, count: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    hdf5, numbers = crafts(), random.Random(seed)
    read = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder, "base")
        base.mkdir()
        shutil.copy(trace, base / "trace.h5")
        for fault in faults(hdf5, trace, numbers, count):
            path = Path(folder, "in.h5")
            shutil.copy(trace, path)
            if not damage(hdf5, path, fault, numbers, base):
                continue
            print(*fault, flush=True)
            try:
                read_everything(path)
                read += 1
            except (rt.TraceError, OSError) as error:
                assert str(path) in str(error) or isinstance(error, rt.TraceError), error
                assert len(str(error)) > 20
                refused += 1
    print(f"{read} read, {refused} refused")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
