"""The columns of sightings, for all rows or some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import schema
from .errors import TraceError
from .file import TraceFile
from .frames import Names, column, frame
from .names import named, require_known

BLOCK = 65_536
"""The rows of a chunk of the file, which are read at once."""

COLUMNS = ("time", "trace", "receiver", "beacon", "rssi_dbm", "channel", "address", "address_type", "event_type",
           "primary_phy", "secondary_phy", "sid", "tx_power_dbm", "data_status", "dwell", "distance_m", "pose", "azimuth_deg", "elevation_deg",
           "payload")
"""The columns of sightings; `payload` only on request."""

_OCCASIONAL = {column.name: column for column in schema.TABLES["sightings"] if column.is_occasional}

SOURCE = {"time": "time_s", "address": "advertiser", "address_type": "advertiser", "distance_m": "dwell", "pose": "dwell"}
"""The stored column that a column is from, if it has another name."""


class SightingColumns:
    """The table /sightings, with names, distances and payloads for row numbers."""

    def __init__(self, file: TraceFile, names: Names) -> None:
        self._file, self._names = file, names
        self.table = file.table("sightings")

    def numbers(self, name: str, choice: str | Iterable[str]) -> npt.NDArray[np.int64]:
        """Returns the row numbers of chosen names."""
        known = self._names.of(name + "s")
        wanted = [choice] if isinstance(choice, str) or not isinstance(choice, Iterable) else list(choice)
        require_known(wanted, known, name, self._file.path + ": ")
        return np.flatnonzero(np.isin(np.array(known, object), np.array(wanted, object)))

    def rows(
        self, chosen: dict[str, npt.NDArray[np.int64]], low: int | None, high: int | None
    ) -> npt.NDArray[np.int64] | None:
        """Returns the numbers of the chosen rows, `None` for all."""
        if not chosen and low is None and high is None:
            return None
        found: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
        for first, last in self._blocks():
            mask = np.ones(last - first, bool)
            for name, numbers in chosen.items():
                mask &= np.isin(self.table.row_numbers(name, first, last), numbers)
            if low is not None or high is not None:
                times = self.table.times("time_s", first, last)
                mask &= (times >= low if low is not None else True) & (times < high if high is not None else True)
            found.append(first + np.flatnonzero(mask))
        return np.concatenate(found)

    def _blocks(self) -> list[tuple[int, int]]:
        return [(first, min(first + BLOCK, self.table.rows)) for first in range(0, self.table.rows, BLOCK)]

    def has(self, name: str) -> bool:
        """Returns false for a column without values, which files lack."""
        return name not in _OCCASIONAL or name in self.table.columns

    def column(self, name: str, rows: npt.NDArray[np.int64] | None) -> Any:
        """Returns a column of sightings, block by block if only some rows are wanted."""
        if rows is None:
            return self.block(name, 0, self.table.rows)
        parts = []
        for first, last in self._blocks():
            inside = rows[np.searchsorted(rows, first):np.searchsorted(rows, last)]
            if len(inside):
                parts.append(pd.Series(self.block(name, first, last)).iloc[inside - first])
        if not parts:
            return pd.Series(self.block(name, 0, 0)).array
        return pd.concat(parts, ignore_index=True).array

    def block(self, name: str, first: int, last: int) -> Any:
        """Returns successive rows of a column of sightings."""
        table, source = self.table, SOURCE.get(name, name)
        if name == "rssi_dbm":
            levels = table.values(source, first, last).astype(np.float32)
            # The program's rule: 0 and numbers outside -127 to 20 are not levels.
            return np.where((levels >= -127) & (levels <= 20) & (levels != 0), levels, np.float32(np.nan))
        if not self.has(name):
            return np.full(last - first, _OCCASIONAL[name].missing, _OCCASIONAL[name].dtype)
        if name == "payload":
            return self._named(source, self._payloads, first, last)
        if name in ("distance_m", "pose"):
            rows, known = table.row_numbers(source, first, last), self.distances[name]
            self._require(rows, len(known), source, first)
            if name == "pose":
                return named(rows, list(known))
            return np.append(known.to_numpy(np.float64), np.nan)[rows]
        if name == "address_type":
            rows, types = table.row_numbers(source, first, last), self._file.table("advertisers").values("address_type")
            self._require(rows, len(types), source, first)
            return pd.arrays.IntegerArray(np.append(types, types.dtype.type(0))[rows], rows < 0)
        return column(table, source, self._names, first, last)

    def _require(self, rows: npt.NDArray[np.int64], count: int, source: str, first: int) -> None:
        if len(rows) and rows.max() >= count:
            raise self._file.damaged(f"/sightings/{source}, row {first + int(rows.argmax())} refers to a missing row")

    def _named(self, source: str, names: Sequence[bytes], first: int, last: int) -> Any:
        rows = self.table.row_numbers(source, first, last)
        self._require(rows, len(names), source, first)
        return named(rows, names)

    @cached_property
    def _payloads(self) -> list[bytes]:
        table, data = self._file.table("payloads"), self._file.table("payloads/data")
        offsets, lengths = table.values("offset").astype(np.uint64), table.values("length").astype(np.uint64)
        if len(offsets) and (offsets.max() > data.rows or (offsets + lengths).max() > data.rows):
            raise self._file.damaged("a payload is outside /payloads/data/bytes")
        stored = data.values("bytes").astype(np.uint8).tobytes()
        return [stored[int(offset):int(offset + length)] for offset, length in zip(offsets, lengths, strict=True)]

    @cached_property
    def distances(self) -> pd.DataFrame:
        """The stays at known distances, which `dwell` numbers."""
        return frame(self._file.table("truth/distances"), self._names)
