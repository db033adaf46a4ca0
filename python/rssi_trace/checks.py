"""Checks of the tables that become a trace."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from .errors import TraceError
from .times import Nanoseconds, from_unix, nanoseconds


def table(data: Any, what: str) -> pd.DataFrame:
    """Returns a table given in any form that `pandas.DataFrame` accepts.

    >>> table({"id": "door"}, "beacons")
    Traceback (most recent call last):
    rssi_trace.errors.TraceError: beacons: expected a list per column, as in {"id": ["door"]}
    """
    if isinstance(data, Mapping) and data and all(pd.api.types.is_scalar(value) for value in data.values()):
        name, value = next(iter(data.items()))
        raise TraceError(f'{what}: expected a list per column, as in {{"{name}": [{json.dumps(value, default=str)}]}}')
    try:
        return pd.DataFrame(data)
    except (ValueError, TypeError) as error:
        raise TraceError(f"{what}: not a table ({error}); give a DataFrame, or a list per column") from error


def require_columns(frame: pd.DataFrame, what: str, known: Iterable[str], required: Iterable[str]) -> None:
    """Raises for a missing, an unknown and a repeated column.

    >>> require_columns(pd.DataFrame({"rssi": [-60]}), "sightings", {"rssi_dbm"}, {"rssi_dbm"})
    Traceback (most recent call last):
    rssi_trace.errors.TraceError: sightings: no column rssi_dbm
    """
    if missing := sorted(set(required) - set(frame.columns)):
        raise TraceError(f"{what}: no column {missing[0]}")
    if unknown := [name for name in frame.columns if name not in set(known)]:
        shown = f"column{'s' if len(unknown) > 1 else ''} {', '.join(map(str, unknown))}"
        raise TraceError(f"{what}: unknown {shown}; columns are {', '.join(sorted(known))}; "
                         f"drop others with frame.drop(columns={unknown!r})")
    if (twice := frame.columns.duplicated()).any():
        raise TraceError(f"{what}: two columns {frame.columns[twice][0]}; rename or drop one")


def times(frame: pd.DataFrame, what: str) -> Nanoseconds:
    """Returns `time` or `time_s` of a table as nanoseconds since 1970."""
    if ("time" in frame) == ("time_s" in frame):
        raise TraceError(f"{what}: expected one column of times, either time (with a time zone) or time_s (Unix seconds)")
    if "time" in frame:
        return nanoseconds(frame["time"], f"{what}: time")
    return from_unix(frame["time_s"], f"{what}: time_s")


def strings(values: Any, what: str, limit: int = 128, is_optional: bool = False) -> list[str]:
    """Returns texts that fit a column of the file; a missing one is empty if it is optional."""
    found = []
    for row, value in enumerate(values):
        if is_optional and (value is None or value is pd.NA or value != value):
            value = ""
        if not isinstance(value, str) or not value and not is_optional:
            raise not_text(value, f"{what}: row {row}")
        require_text(value, f"{what}: row {row}", limit)
        found.append(value)
    return found


def not_text(value: Any, what: str) -> TraceError:
    """Returns the error for a value that is not a text, or empty.

    >>> str(not_text(np.int64(7), "sightings: beacon: row 0"))
    'sightings: beacon: row 0 is 7, expected text; convert numbers with .astype(str)'
    """
    if isinstance(value, (int, float, np.number)) and value == value:
        return TraceError(f"{what} is {value}, expected text; convert numbers with .astype(str)")
    return TraceError(f"{what} is {value!r}, expected text")


def require_text(text: str, what: str, limit: int) -> None:
    """Raises for a text that a column cannot store unchanged."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise TraceError(f"{what}: {text!r} is not UTF-8") from error
    if size > limit or "\0" in text:
        raise TraceError(f"{what}: {text[:40]!r} has {size} bytes, at most {limit} without zero bytes are allowed")


def whole_numbers(values: pd.Series[Any], what: str, low: int, high: int, missing: int | None) -> Any:
    """Returns integers in a range; missing ones become a code."""
    numbers = pd.to_numeric(values, errors="coerce")
    is_missing = values.isna().to_numpy()
    found = numbers.to_numpy(np.float64, na_value=np.nan)
    with np.errstate(invalid="ignore"):
        wrong = ~((found >= low) & (found <= high) & (found == np.floor(found)))
    if missing is not None:
        wrong &= ~is_missing
    if wrong.any():
        row = int(np.argmax(wrong))
        raise TraceError(f"{what}: row {row} is {values.iloc[row]}, expected a whole number from {low} to {high}")
    return np.where(is_missing, 0 if missing is None else missing, found).astype(np.int64)
