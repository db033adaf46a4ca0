"""The times of a trace: nanoseconds since 1970 in memory, seconds since the start of the file on disk."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .errors import TraceError

Nanoseconds = npt.NDArray[np.int64]

SECOND = 1_000_000_000
LIMIT_S = 9_223_372_000
"""The largest number of seconds from 1970, in the year 2262."""
EXACT_S = 4_194_304
"""The seconds from the start, 48 days, up to which a double holds whole nanoseconds."""

_ZONED = re.compile(r"\d\d:\d\d\S*(?:Z|[+-]\d\d(?::?\d\d)?)$")
"""Texts that surely have a zone, found faster than by parsing."""


def stamps(times: Nanoseconds) -> pd.DatetimeIndex:
    """Returns times as UTC datetimes.

    >>> stamps(np.array([1_704_067_200_036_088_000]))[0]
    Timestamp('2024-01-01 00:00:00.036088+0000', tz='UTC')
    """
    return pd.DatetimeIndex(times.view("M8[ns]")).tz_localize("UTC")


def nanoseconds(times: Any, what: str = "time") -> Nanoseconds:
    """Returns datetimes as nanoseconds since 1970.

    :param times: Datetimes with a time zone, or texts of ISO 8601 with one; zones may differ.
    :param what: The name of the column, for messages.
    :raises TraceError: For a time without a zone, which is never guessed, and a missing or invalid one.

    >>> nanoseconds(["2024-01-01T00:00:00.036088Z"])
    array([1704067200036088000])
    """
    column = pd.Series(times if isinstance(times, (pd.Series, pd.Index, np.ndarray)) else list(times))
    if column.dtype.kind in "iufb" and len(column):
        advice = ("give Unix seconds as the column time_s" if what.endswith(": time")
                  else 'convert Unix seconds with pd.to_datetime(seconds, unit="s", utc=True)')
        raise TraceError(f"{what}: expected datetimes, found numbers; {advice}")
    try:
        is_text = isinstance(next(iter(column.dropna().iloc[:1]), None), str)
        index = pd.DatetimeIndex(pd.to_datetime(column, format="ISO8601" if is_text else None, utc=True))
        is_naive = _lack_zone(column)
    except (ValueError, TypeError, OverflowError) as error:
        problem = str(error).splitlines()[0].partition(". You might")[0]
        raise TraceError(f"{what}: invalid time ({problem}); use datetimes with a time zone") from error
    if (missing := index.isna()).any():
        raise TraceError(f"{what}: row {int(missing.argmax())} has no time; drop such rows")
    if is_naive:
        name = what.rpartition(": ")[2]
        advice = (f'if they are UTC, use pd.to_datetime(frame["{name}"], utc=True), '
                  f'else pd.to_datetime(frame["{name}"]).dt.tz_localize("Europe/Berlin")' if isinstance(times, pd.Series)
                  else 'give it with .tz_localize("Europe/Berlin"), or as in "2024-01-01T12:00:00Z"')
        raise TraceError(f"{what}: times without a time zone; {advice}")
    try:
        return np.asarray(index.as_unit("ns").asi8, np.int64)
    except (ValueError, OverflowError) as error:
        raise TraceError(f"{what}: time out of range (years 1678 to 2262)") from error


def _lack_zone(column: pd.Series[Any]) -> bool:
    """Returns true if a column of valid times has any without a zone."""
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return False
    if column.dtype.kind == "M":
        return True
    texts = column.astype(str)
    rest = column[~texts.str.contains(_ZONED)].dropna()
    return any(pd.Timestamp(time).tzinfo is None for time in rest)


def from_unix(seconds: Any, what: str = "time_s") -> Nanoseconds:
    """Returns Unix seconds as nanoseconds since 1970, floating-point ones rounded to microseconds.

    :raises TraceError: For times of another unit or clock, and missing ones.

    >>> from_unix([1700000000.123456])
    array([1700000000123456000])
    """
    column = pd.Series(seconds)
    if column.dtype.kind not in "iuf":
        for row, value in enumerate(column):
            if isinstance(value, (bool, np.bool_)) or not (isinstance(value, (int, float, np.number)) or pd.isna(value)):
                raise TraceError(f"{what}: row {row} is {value!r}, expected Unix seconds as a number")
        column = pd.to_numeric(column)
    values = column.to_numpy(np.float64, na_value=np.nan)
    valid = np.isfinite(values) & (abs(values) < 1e11)
    if not valid.all():
        row = int(np.argmin(valid))
        remedy = "drop such rows" if np.isnan(values[row]) else "divide milliseconds by 1000"
        raise TraceError(f"{what}: row {row} is {values[row]}, expected Unix seconds; {remedy}")
    if not (abs(values) <= LIMIT_S).all():
        raise TraceError(f"{what}: time out of range (years 1678 to 2262)")
    if column.dtype.kind in "iu":
        return column.to_numpy(np.int64) * SECOND
    whole: npt.NDArray[np.float64] = np.floor(values)
    return whole.astype(np.int64) * SECOND + _rounded((values - whole) * 1e6) * 1000


def to_seconds(times: Nanoseconds, start_s: int) -> npt.NDArray[np.float64]:
    """Returns nanoseconds since 1970 as seconds since the start of a file, rounded once."""
    whole, rest = np.divmod(times, SECOND)
    return (whole - start_s).astype(np.float64) + rest.astype(np.float64) / 1e9


def from_seconds(seconds: npt.NDArray[np.float64], start_s: int) -> Nanoseconds:
    """Returns seconds since the start of a file as nanoseconds since 1970.

    The fraction is rounded to nanoseconds below 48 days and to microseconds beyond, where a double is coarser.

    :raises ValueError: For values that are not finite or beyond the years 1678 to 2262.
    """
    with np.errstate(invalid="ignore"):
        valid = np.isfinite(seconds) & (abs(seconds) < 2e10) & (abs(np.floor(seconds) + start_s) <= LIMIT_S)
    if not valid.all():
        row = int(np.argmin(valid))
        raise ValueError(f"row {row} is {seconds[row]}, which is not a valid time")
    whole = np.floor(seconds)
    rest = seconds - whole
    fraction = np.where(abs(seconds) < EXACT_S, _rounded(rest * 1e9), _rounded(rest * 1e6) * 1000)
    return (whole.astype(np.int64) + start_s) * SECOND + fraction


def _rounded(values: npt.NDArray[np.float64]) -> Nanoseconds:
    """Returns values of at least 0 rounded to the nearest integer, halves away from zero as the program does."""
    whole = np.floor(values)
    return (whole + (values - whole >= 0.5)).astype(np.int64)
