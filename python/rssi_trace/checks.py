"""Checks of the tables that become a trace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from .errors import TraceError
from .times import Nanoseconds, from_unix, nanoseconds


def require_columns(frame: pd.DataFrame, what: str, known: Iterable[str], required: Iterable[str]) -> None:
    """Raises for a missing and for an unknown column.

    >>> require_columns(pd.DataFrame({"rssi": [-60]}), "sightings", {"rssi_dbm"}, {"rssi_dbm"})
    Traceback (most recent call last):
    rssi_trace.errors.TraceError: sightings: no column rssi_dbm
    """
    if missing := sorted(set(required) - set(frame.columns)):
        raise TraceError(f"{what}: no column {missing[0]}")
    if unknown := [str(name) for name in frame.columns if name not in set(known)]:
        raise TraceError(f"{what}: unknown column {unknown[0]}; columns are {', '.join(sorted(known))}")


def times(frame: pd.DataFrame, what: str) -> Nanoseconds:
    """Returns `time` or `time_s` of a table as nanoseconds since 1970."""
    if ("time" in frame) == ("time_s" in frame):
        raise TraceError(f"{what}: expected one column of times, either time (with a time zone) or time_s (Unix seconds)")
    if "time" in frame:
        return nanoseconds(frame["time"], f"{what}: time")
    return from_unix(frame["time_s"].to_numpy(), f"{what}: time_s")


def strings(values: Any, what: str, limit: int = 128, is_optional: bool = False) -> list[str]:
    """Returns texts that fit a column of the file; a missing one is empty if it is optional."""
    found = []
    for row, value in enumerate(values):
        if is_optional and (value is None or value is pd.NA or value != value):
            value = ""
        if not isinstance(value, str) or not value and not is_optional:
            raise TraceError(f"{what}: row {row} is {value!r}, expected text")
        require_text(value, f"{what}: row {row}", limit)
        found.append(value)
    return found


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
