"""An open trace file, read without trusting it: damaged and hostile files end in a `TraceError`."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from . import schema
from .errors import TraceError
from .opening import is_being_written, opened
from .times import Nanoseconds, from_seconds, nanoseconds

LARGEST_CHUNK = 1 << 24
LONGEST_ATTRIBUTE = 1 << 20
LONGEST_TEXT = 1 << 16
MOST_ROWS = {"sightings": 1 << 48, "payloads/data": 1 << 48, "payloads": schema.NONE, "advertisers": schema.NONE,
             "beacons": 1 << 24, "receivers": 65535, "traces": 65535, "floors": 65535, "provenance/stages": 65535,
             "truth/levels": 1 << 28}
"""The limits of tables; all others have `MOST_OTHERS`, and levels of filters as many rows as sightings."""
MOST_OTHERS = 1 << 22

_KINDS = {"S": "S", "f": "iuf", "u": "iu", "i": "iu"}
"""The kinds of stored values that are accepted by kind of column."""


class TraceFile:
    """The attributes and tables of an open trace."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_live = is_being_written(path)
        self._file = opened(path, self.is_live)
        try:
            self._read_heading()
        except BaseException:
            self.close()
            raise

    def _read_heading(self) -> None:
        if self.text("format") != "rssi-trace":
            raise TraceError(f"{self.path}: HDF5, but not a trace of rssi")
        if (version := self.number("format_version")) != 1:
            raise TraceError(f"{self.path}: format version {version}, expected 1; update rssi-trace")
        try:
            self.start_s = int(nanoseconds([self.text("start")])[0] // 1_000_000_000)
        except TraceError:
            raise self.damaged("no valid start time") from None
        self.is_clean = self.number("clean") == 1
        self.is_live = self.is_live and not self.is_clean
        if not self.is_clean and not self.is_live and self._has_log():
            raise TraceError(f"{self.path}: its capture was stopped, and its last rows are only in {self.path}.wal; "
                             f"run `rssi repair {self.path} -o repaired.h5` and open that")
        # The numbers of complete rows come first: everything that they declare is in the file by then.
        self._committed = {} if self.is_clean else self._read_committed()

    def _read_committed(self) -> dict[str, int]:
        if "committed" not in self._file:
            rows = self.number("rows_committed")  # version 0.1.0
            return {} if rows is None else {"sightings": rows}
        table = StoredTable(self, "committed", {})
        return dict(zip(table.texts("table"), (int(rows) for rows in table.values("rows")), strict=True))

    def _has_log(self) -> bool:
        """Returns true if a write-ahead log of this trace is next to it."""
        try:
            with open(self.path + ".wal", "rb") as log:
                head = log.read(24)
        except OSError:
            return False
        return head[:8] == b"rssiwal1" and head[8:].hex() == self.text("log")

    def close(self) -> None:
        self._file.close()

    def damaged(self, problem: str) -> TraceError:
        return TraceError(f"{self.path}: damaged: {problem}; `rssi repair {self.path} -o repaired.h5` keeps what is whole")

    @contextlib.contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Turns errors of HDF5 into those of a damaged file."""
        try:
            yield
        except TraceError:
            raise
        except (OSError, KeyError, RuntimeError, ValueError, TypeError, OverflowError, SystemError) as error:
            if not self._file:
                raise TraceError(f"{self.path}: the trace is closed") from None
            raise self.damaged(f"cannot read {what} ({error})") from error

    def attribute(self, name: str, of: str = "/") -> Any:
        """Returns the value of a scalar attribute, or `None` if it is missing or unusable."""
        with self.reading(f"attribute {name}"):
            attributes = (self._file if of == "/" else self.group(of)).attrs
            if name not in attributes:
                return None
            attribute = attributes.get_id(name)
            if attribute.shape not in ((), (1,)) or attribute.dtype.kind not in "iufS":
                return None
            if attribute.get_storage_size() > LONGEST_ATTRIBUTE:
                return None
            return np.asarray(attributes[name]).reshape(-1)[0]

    def text(self, name: str, of: str = "/") -> str:
        """Returns a text attribute, empty if it is missing."""
        value = self.attribute(name, of)
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else value if isinstance(value, str) else ""

    def number(self, name: str) -> int | None:
        value = self.attribute(name)
        return int(value) if isinstance(value, np.integer) else None

    def group(self, path: str) -> h5py.Group:
        """Returns a group of the file itself, never one of another file."""
        group = self._file
        for part in path.split("/"):
            if not isinstance(group.get(part, getlink=True), h5py.HardLink) or not isinstance(group[part], h5py.Group):
                raise self.damaged(f"no table /{path}")
            group = group[part]
        return group

    def groups(self, path: str) -> list[str]:
        """Returns the names of the groups in a group, which may be missing."""
        with self.reading(f"/{path}"):
            if path not in self._file:
                return []
            group = self.group(path)
            return [name for name in group if isinstance(group.get(name, getlink=True), h5py.HardLink)
                    and isinstance(group[name], h5py.Group)]

    def tables(self, path: str = "") -> list[str]:
        """Returns the paths of all groups with columns."""
        with self.reading(f"/{path}"):
            group = self.group(path) if path else self._file
            names = [name for name in group if isinstance(group.get(name, getlink=True), h5py.HardLink)]
            found = [path] if path and any(isinstance(group[name], h5py.Dataset) for name in names) else []
            # Three levels, as in filtered/kalman/links: a damaged file may have loops.
            if path.count("/") < 2:
                for name in names:
                    if isinstance(group[name], h5py.Group):
                        found += self.tables(f"{path}/{name}".strip("/"))
            return found

    def has(self, table: str) -> bool:
        with self.reading(f"/{table}"):
            return table in self._file

    def table(self, name: str) -> StoredTable:
        """Opens a table."""
        with self.reading(f"/{name}"):
            return StoredTable(self, name, self._committed)


class StoredTable:
    """A group whose datasets are columns of one length."""

    def __init__(self, file: TraceFile, name: str, committed: dict[str, int]) -> None:
        self.file, self.name = file, name
        group = file.group(name)
        self.columns: dict[str, h5py.Dataset] = {}
        self.rows = 0
        lengths: dict[str, int] = {}
        known = {column.name: column.dtype[0] for column in schema.TABLES.get(name, ())}
        occasional = {column.name for column in schema.TABLES.get(name, ()) if column.is_occasional}
        for column in group:
            if not isinstance(group.get(column, getlink=True), h5py.HardLink):
                continue  # another file, or a loop
            dataset = group[column]
            if isinstance(dataset, h5py.Dataset) and (rows := self._rows(column, dataset, known.get(column))) is not None:
                self.columns[column], lengths[column] = dataset, rows
        if missing := sorted(set(known) - set(self.columns) - occasional):
            raise file.damaged(f"/{name} has no column {missing[0]}")
        if not lengths:
            return
        self.rows = min(lengths.values())
        if not file.is_clean:
            self.rows = min(self.rows, committed.get(name, self.rows))
        elif len(set(lengths.values())) > 1:
            (one, rows), (other, others) = min(lengths.items(), key=_second), max(lengths.items(), key=_second)
            raise file.damaged(f"{one} of /{name} has {rows} rows, {other} has {others}")

    def _rows(self, column: str, dataset: h5py.Dataset, expected: str | None) -> int | None:
        """Returns the rows of a column, checked before any memory is taken for them; `None` for an unknown kind."""
        name = f"/{self.name}/{column}"
        if not self.file.is_clean:
            dataset.id.refresh()
        kinds = "iufS" if expected is None else _KINDS[expected]
        if dataset.ndim != 1 or dataset.dtype.kind not in kinds or dataset.dtype.itemsize > LONGEST_TEXT:
            if expected is not None:
                raise self.file.damaged(f"{name} is not a column of {'short texts' if expected == 'S' else 'numbers'}")
            return None
        stored, declared = self._stored(name, dataset), int(dataset.shape[0])
        if self.file.is_clean and declared > stored:
            raise self.file.damaged(f"{name} declares {declared} rows and stores {stored}")
        is_filter = self.name.startswith("filtered/") and self.name.count("/") == 1
        limit = MOST_ROWS["sightings"] if is_filter else MOST_ROWS.get(self.name, MOST_OTHERS)
        if declared > limit:
            raise self.file.damaged(f"{name} has {declared} rows, more than {limit}")
        return int(min(declared, stored))

    def _stored(self, name: str, dataset: h5py.Dataset) -> int:
        """Returns the number of values that the file has room for."""
        layout = dataset.id.get_create_plist()
        width = dataset.dtype.itemsize
        if layout.get_external_count() or layout.get_layout() not in (
                h5py.h5d.CHUNKED, h5py.h5d.CONTIGUOUS, h5py.h5d.COMPACT):
            raise self.file.damaged(f"{name} is stored in another file")
        if layout.get_layout() != h5py.h5d.CHUNKED:
            return int(dataset.id.get_storage_size() // width)
        chunk = math.prod(layout.get_chunk())
        filters = [layout.get_filter(index)[0] for index in range(layout.get_nfilters())]
        if chunk * width > LARGEST_CHUNK or filters.count(h5py.h5z.FILTER_DEFLATE) > 1:
            raise self.file.damaged(f"{name} has chunks above 16 MiB, or deflated twice")
        return int(dataset.id.get_num_chunks() * chunk)

    def units(self, column: str) -> str:
        return self._text_of(column, "units")

    def description(self, column: str) -> str:
        return self._text_of(column, "description")

    def _text_of(self, column: str, attribute: str) -> str:
        with self.file.reading(f"/{self.name}/{column}"):
            attributes = self.columns[column].attrs
            if attribute not in attributes or attributes.get_id(attribute).get_storage_size() > LONGEST_ATTRIBUTE:
                return ""
            value = attributes[attribute]
            return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def is_text(self, column: str) -> bool:
        return bool(self.columns[column].dtype.kind == "S")

    def missing(self, column: str) -> int | None:
        """Returns the code for a missing value of an integer column."""
        with self.file.reading(f"/{self.name}/{column}"):
            dataset = self.columns[column]
            if dataset.dtype.kind not in "iu":
                return None
            if "_FillValue" in dataset.attrs:
                attribute = dataset.attrs.get_id("_FillValue")
                if attribute.shape in ((), (1,)) and attribute.dtype.kind in "iu":
                    return int(np.asarray(dataset.attrs["_FillValue"]).reshape(-1)[0])
            known = next((one.missing for one in schema.TABLES.get(self.name, ()) if one.name == column), None)
            return int(known) if known else None

    def values(self, column: str, first: int = 0, last: int | None = None) -> npt.NDArray[Any]:
        """Returns rows of a column of numbers in the byte order of the machine."""
        with self.file.reading(f"/{self.name}/{column}"):
            dataset = self.columns[column]
            if dataset.dtype.kind not in "iuf":
                raise self.file.damaged(f"/{self.name}/{column} is not a column of numbers")
            values = dataset[first:self.rows if last is None else last]
            return np.asarray(values, values.dtype.newbyteorder("="))

    def matrix(self, column: str, width: int) -> npt.NDArray[np.float64] | None:
        """Returns a column with several numbers per row, or `None` if the file has none."""
        name = f"/{self.name}/{column}"
        with self.file.reading(name):
            group = self.file.group(self.name)
            if not isinstance(group.get(column, getlink=True), h5py.HardLink):
                return None
            dataset = group[column]
            if (not isinstance(dataset, h5py.Dataset) or dataset.dtype.kind != "f" or dataset.shape != (self.rows, width)
                    or self._stored(name, dataset) < self.rows * width):
                raise self.file.damaged(f"{name} is not a column of {width} numbers per row")
            return np.asarray(dataset[:], np.float64)

    def row_numbers(self, column: str, first: int = 0, last: int | None = None) -> npt.NDArray[np.int64]:
        """Returns rows of a column of row numbers of another table, -1 for none."""
        values = self.values(column, first, last)
        if values.dtype.kind not in "iu" or values.dtype == np.uint64:
            raise self.file.damaged(f"/{self.name}/{column} is not a column of row numbers")
        numbers = values.astype(np.int64)
        if (missing := self.missing(column)) is not None:
            numbers[numbers == missing] = -1
        return numbers

    def times(self, column: str, first: int = 0, last: int | None = None) -> Nanoseconds:
        """Returns rows of a column of times as nanoseconds since 1970."""
        seconds = self.values(column, first, last).astype(np.float64)
        try:
            return from_seconds(seconds, self.file.start_s)
        except ValueError as error:
            raise self.file.damaged(f"/{self.name}/{column}, {error} (counted from row {first})") from None

    def texts(self, column: str) -> list[str]:
        """Returns a column of texts, read in blocks because padding takes most of the memory."""
        with self.file.reading(f"/{self.name}/{column}"):
            dataset = self.columns[column]
            if dataset.dtype.kind != "S":
                raise self.file.damaged(f"/{self.name}/{column} is not a column of texts")
            block = max(1, (1 << 20) // dataset.dtype.itemsize)
            found: list[str] = []
            for first in range(0, self.rows, block):
                for text in dataset[first:min(first + block, self.rows)].tolist():
                    found.append(text.split(b"\0", 1)[0].decode("utf-8", "replace"))
            return found


def _second(item: tuple[str, int]) -> int:
    return item[1]
