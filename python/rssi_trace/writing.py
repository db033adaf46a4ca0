"""A new trace from data frames."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from . import schema
from ._version import __version__
from .checks import require_columns, strings, table, times, whole_numbers
from .errors import TraceError
from .floors import Floors
from .layout import new_file, write_table
from .nodes import Nodes
from .sightings import Sightings
from .times import SECOND, nanoseconds
from .truth import Truth

_TRUTH = {"time", "time_s", "trace", "role", "node", "x_m", "y_m", "z_m", "floor"}
_GAPS = {"start", "end", "receiver", "reason", "dropped"}


def write(
    path: str | os.PathLike[str], sightings: Any, *, beacons: Any = None, receivers: Any = None, truth: Any = None,
    gaps: Any = None, floors: Any = None, inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (), note: str = "",
    overwrite: bool = False,
) -> None:
    """Writes a trace that every stage of `rssi` reads, and `open`.

    All tables are data frames, or what `pandas.DataFrame` accepts. A file stores times as seconds since its first row: to the
    nanosecond within 48 days, to the microsecond beyond. Write months of finer times as several files.

    :param path: The new file, which appears when it is complete.
    :param sightings: One row per report, in the order of reception: `time` (with a time zone) or `time_s` (Unix seconds),
        `receiver`, `beacon` or `address`, `rssi_dbm` (NaN: received without a level). Optional: `trace` (default: the name of
        the file), `channel`, `payload` (the advertising data as bytes), `distance_m` and `pose` (true distance, and how the
        device was held), `azimuth_deg` and `elevation_deg` (the direction of the beacon), `address_type`, `event_type`,
        `primary_phy`, `secondary_phy`, `sid`, `tx_power_dbm`, `data_status`.
    :param beacons: `id`, and what is known of `name`, `x_m`, `y_m`, `z_m`, `measured_power_dbm`, `floor` (a name). A node with
        a place is an anchor.
    :param receivers: The same columns, and those of the radio.
    :param truth: `time` or `time_s`, `x_m`, `y_m`, optional `z_m`, `floor`; `node` and `trace` unless there is only one receiver or trace.
        The `truth` of a trace is accepted, too.
    :param gaps: Times in which a receiver lost sightings: `start`, `end`, `receiver`, `reason`, optional `dropped`.
    :param floors: The floors of a building that the other tables name: `name`, and what is known of `level`, `height_m`,
        `shift_x_m`, `shift_y_m`. The `floors` of a trace are accepted, too.
    :param inputs: The file or files that the sightings are from, whose SHA-256 becomes part of the provenance.
    :param note: A note for users.
    :param overwrite: Replaces an existing file.
    :raises FileExistsError: For an existing file, without `overwrite`; other `OSError` for a place that cannot be written.
    :raises TraceError: For data that cannot be a trace, with the row and the remedy.

    >>> import pandas as pd
    >>> write("room.h5", pd.DataFrame({
    ...     "time": pd.to_datetime(["2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z"]),
    ...     "receiver": "phone", "beacon": ["door", "desk"], "rssi_dbm": [-60, -70]}),
    ...     beacons={"id": ["door", "desk"], "x_m": [0.0, 4.0], "y_m": [0.0, 3.0]})
    """
    place = Path(os.path.realpath(path))
    if place.is_dir():
        raise IsADirectoryError(f"{os.fspath(path)}: a folder; name a file in it")
    if place.exists() and not overwrite:
        raise FileExistsError(f"{os.fspath(path)}: file exists; use overwrite=True to replace it")
    storeys = Floors(floors)
    rows = Sightings(table(sightings, "sightings"), Nodes("beacon", beacons, storeys), Nodes("receiver", receivers, storeys),
                     trace=place.stem)
    positions = truth.positions if isinstance(truth, Truth) else truth
    places = {} if positions is None else _truth(table(positions, "truth"), rows, storeys)  # may add a trace that has no sightings
    tables = rows.tables() | {"truth/positions": places, "floors": storeys.columns()}
    if gaps is not None:
        tables["gaps"] = _gaps(table(gaps, "gaps"), rows)
    version = f"rssi-trace {__version__}"
    tables["provenance/stages"] = {
        "stage": ["write"], "tool_version": [version], "command_line": [f'rssi_trace.write("{os.fspath(path)}", …)']}
    tables["provenance/inputs"] = _inputs(inputs)
    start_s = int(rows.times[0] // SECOND)
    with new_file(place, overwrite, os.fspath(path)) as file:
        for name in schema.TABLES:
            if name not in schema.OCCASIONAL or any(map(len, tables.get(name, {}).values())):
                write_table(file, name, tables.get(name, {}), start_s)
        attributes: dict[str, Any] = {
            "format": "rssi-trace", "format_version": np.uint16(1), "tool_version": version,
            "start": pd.Timestamp(start_s, unit="s").isoformat() + "Z", "clean": np.uint8(1), "clock": "as recorded"}
        file.set_attributes(attributes | ({"note": note} if note else {}))


def _truth(frame: pd.DataFrame, rows: Sightings, floors: Floors) -> dict[str, Any]:
    """Returns the columns of /truth/positions."""
    require_columns(frame, "truth", _TRUTH, {"x_m", "y_m"})
    count = len(frame)
    place: dict[str, Any] = {name: _coordinates(frame, name) for name in ("x_m", "y_m", "z_m")}
    if "trace" in frame:
        traces = rows.trace_numbers(strings(frame["trace"], "truth: trace"))
    elif len(rows.traces) == 1:
        traces = np.zeros(count, np.int64)
    else:
        raise TraceError(f"truth: no column trace, and there are {len(rows.traces)} traces")
    if "node" not in frame:
        if len(rows.receivers.names) != 1:
            raise TraceError(f"truth: no column node, and there are {len(rows.receivers.names)} receivers")
        nodes, roles = np.zeros(count, np.int64), np.zeros(count, np.int64)
    else:
        names = strings(frame["node"], "truth: node")
        given = strings(frame["role"], "truth: role") if "role" in frame else None
        nodes, roles = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for row, name in enumerate(names):
            # Like the program: a receiver that is declared, else a beacon, else a receiver.
            is_receiver = given[row] == "receiver" if given is not None else (
                name in rows.receivers.declared or name not in rows.beacons.numbers)
            known = rows.receivers.numbers if is_receiver else rows.beacons.numbers
            if name not in known:
                raise TraceError(f'truth: row {row}: unknown node "{name}"; declare it in receivers or beacons')
            nodes[row], roles[row] = known[name], 0 if is_receiver else 1
    return {"time_s": times(frame, "truth"), "role": roles, "node": nodes, "trace": traces, **place,
            "floor": floors.numbers(frame["floor"], "truth: floor") if "floor" in frame else []}


def _coordinates(frame: pd.DataFrame, name: str) -> Any:
    if name not in frame:
        return np.full(len(frame), np.nan)
    values = pd.to_numeric(frame[name], errors="coerce").to_numpy(np.float64, na_value=np.nan)
    wrong = ~(abs(values) <= 1e8) & ~((name == "z_m") & np.isnan(values))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise TraceError(f"truth: row {row}: {name} is {frame[name].iloc[row]}, expected metres")
    return values


def _gaps(frame: pd.DataFrame, rows: Sightings) -> dict[str, Any]:
    """Returns the columns of /gaps."""
    require_columns(frame, "gaps", _GAPS, _GAPS - {"dropped"})
    receivers = strings(frame["receiver"], "gaps: receiver")
    reasons = strings(frame["reason"], "gaps: reason")
    for row, (receiver, reason) in enumerate(zip(receivers, reasons, strict=True)):
        if receiver not in rows.receivers.numbers:
            raise TraceError(f'gaps: row {row}: unknown receiver "{receiver}"')
        if reason not in schema.GAP_REASONS:
            raise TraceError(f'gaps: row {row}: unknown reason "{reason}"; reasons are {", ".join(schema.GAP_REASONS)}')
    start, end = nanoseconds(frame["start"], "gaps: start"), nanoseconds(frame["end"], "gaps: end")
    if (end < start).any():
        raise TraceError(f"gaps: row {int(np.argmax(end < start))} ends before it starts")
    dropped = (whole_numbers(frame["dropped"], "gaps: dropped", 0, 1 << 53, 0) if "dropped" in frame
               else np.zeros(len(frame), np.int64))
    return {"start_s": start, "end_s": end, "receiver": [rows.receivers.numbers[name] for name in receivers],
            "reason": reasons, "dropped": dropped}


def _inputs(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> dict[str, Any]:
    """Returns the columns of /provenance/inputs."""
    names = [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    digests, sizes = [], []
    for name in names:
        with open(name, "rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
            sizes.append(file.tell())
    return {"name": names, "stage": [0] * len(names), "sha256": digests, "bytes": sizes}
