"""The times of a trace: nanoseconds since 1970 in memory, seconds since the start of the file on disk."""

from __future__ import annotations

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


def stamps(times: Nanoseconds) -> pd.DatetimeIndex:
    """Returns times as UTC datetimes.

    >>> stamps(np.array([1_704_067_200_036_088_000]))[0]
    Timestamp('2024-01-01 00:00:00.036088+0000', tz='UTC')
    """
    return pd.DatetimeIndex(times.view("M8[ns]")).tz_localize("UTC")


def nanoseconds(times: Any, what: str = "time") -> Nanoseconds:
    """Returns datetimes as nanoseconds since 1970.

    :param times: Datetimes with a time zone, or texts of ISO 8601.
    :param what: The name of the column, for messages.
    :raises TraceError: For a time without a zone, which is never guessed, and a missing or invalid one.

    >>> nanoseconds(["2024-01-01T00:00:00.036088Z"])
    array([1704067200036088000])
    """
    try:
        is_text = isinstance(next(iter(times), None), str)
        index = pd.DatetimeIndex(pd.to_datetime(times, format="ISO8601" if is_text else None))
    except (ValueError, TypeError, OverflowError) as error:
        raise TraceError(f"{what}: invalid time ({error}); use datetimes with a time zone") from error
    if (missing := index.isna()).any():
        raise TraceError(f"{what}: row {int(missing.argmax())} has no time; drop such rows")
    if index.tz is None:
        raise TraceError(f'{what}: times without a time zone; give it with .tz_localize("UTC") or your own')
    try:
        return np.asarray(index.as_unit("ns").asi8, np.int64)
    except (ValueError, OverflowError) as error:
        raise TraceError(f"{what}: time out of range (years 1678 to 2262)") from error


def from_unix(seconds: Any, what: str = "time_s") -> Nanoseconds:
    """Returns Unix seconds as nanoseconds since 1970, floating-point ones rounded to microseconds.

    :raises TraceError: For times of another unit or clock, and missing ones.

    >>> from_unix([1700000000.123456])
    array([1700000000123456000])
    """
    values = np.asarray(seconds)
    if values.dtype.kind not in "iuf":
        raise TraceError(f"{what}: expected Unix seconds, found {values.dtype}")
    valid = np.isfinite(values) & (abs(values.astype("f8")) < 1e11)
    if not valid.all():
        row = int(np.argmin(valid))
        raise TraceError(f"{what}: row {row} is {values[row]}, expected Unix seconds; divide milliseconds by 1000")
    if not (abs(values.astype("f8")) <= LIMIT_S).all():
        raise TraceError(f"{what}: time out of range (years 1678 to 2262)")
    if values.dtype.kind in "iu":
        return values.astype(np.int64) * SECOND
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
