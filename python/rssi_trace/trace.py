"""A trace as pandas and xarray show it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from . import schema
from .columns import COLUMNS, SOURCE, SightingColumns
from .errors import TraceError
from .file import StoredTable, TraceFile
from .floors import located, probabilities, with_floors_of_traces
from .frames import Names, frame
from .times import nanoseconds, stamps
from .truth import Truth

if TYPE_CHECKING:
    import xarray as xr


class Trace:
    """An open trace, which reads a table on each use.

    Use `open`, as a context manager.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = TraceFile(os.fspath(path))
        self._names = Names(self._file)
        try:
            self._sightings = SightingColumns(self._file, self._names)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Trace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._sightings.table.rows

    def __repr__(self) -> str:
        return f"<Trace {self.path}: {len(self)} sightings>"

    @property
    def path(self) -> str:
        """The path of the file."""
        return self._file.path

    @property
    def start(self) -> pd.Timestamp:
        """The origin of the file's times."""
        return pd.Timestamp(self._file.start_s, unit="s", tz="UTC")

    @property
    def clean(self) -> bool:
        """A Boolean value that is false while the file is written, or if its writer was stopped: only committed rows are read."""
        return self._file.is_clean

    @property
    def live(self) -> bool:
        """A Boolean value that is true while a capture writes the file; open it again for more rows."""
        return self._file.is_live

    @property
    def clock(self) -> str:
        """The source of times, in words."""
        return self._file.text("clock")

    @property
    def note(self) -> str:
        """The note of a user; may be empty."""
        return self._file.text("note")

    @property
    def tool_version(self) -> str:
        """The version of the program that made the file."""
        return self._file.text("tool_version")

    @property
    def sightings(self) -> pd.DataFrame:
        """All sightings, one row per advertising report, with all columns but `payload`. Each use reads the file."""
        return self.read_sightings()

    def read_sightings(
        self, columns: str | Sequence[str] | None = None, *, beacon: str | Iterable[str] | None = None,
        receiver: str | Iterable[str] | None = None, trace: str | Iterable[str] | None = None,
        start: Any = None, stop: Any = None,
    ) -> pd.DataFrame:
        """Returns selected sightings, in memory for these alone.

        :param columns: A name of `rt.COLUMNS`, or several.
        :param beacon: The name of a beacon, or several.
        :param receiver: The name of a receiver, or several.
        :param trace: The name of a trace, or several.
        :param start: The first time, with a time zone.
        :param stop: The end, which is not included.
        :return: A frame whose index is the row number in the file, as in `filtered`.
        :raises TraceError: For an unknown column or name, and a damaged file.

        >>> with open("walks.h5") as trace:
        ...     trace.read_sightings(["time", "rssi_dbm"], beacon="door", start="2024-01-01T00:00:01Z")
                               time  rssi_dbm
        2 2024-01-01 00:00:02+00:00     -61.0
        """
        wanted = self._wanted(columns)
        chosen = {name: self._sightings.numbers(name, choice) for name, choice in
                  (("beacon", beacon), ("receiver", receiver), ("trace", trace)) if choice is not None}
        low = None if start is None else int(nanoseconds([start], "start")[0])
        high = None if stop is None else int(nanoseconds([stop], "stop")[0])
        rows = self._sightings.rows(chosen, low, high)
        data: dict[str, Any] = {name: self._sightings.column(name, rows) for name in wanted}
        index = pd.RangeIndex(len(self)) if rows is None else pd.Index(rows)
        return pd.DataFrame(data, index=index)

    def blocks(self, columns: str | Sequence[str] | None = None, rows: int = 1 << 20) -> Iterator[pd.DataFrame]:
        """Returns an iterator over all sightings, block by block, for traces larger than the memory.

        :param columns: A name of `rt.COLUMNS`, or several.
        :param rows: The largest number of rows of a frame.
        :return: At least one frame, which is empty if the trace is; indices go on from frame to frame.

        >>> with open("walks.h5") as trace:
        ...     [len(block) for block in trace.blocks(["beacon", "rssi_dbm"], rows=2)]
        [2, 1]
        """
        wanted = self._wanted(columns)
        if rows < 1:
            raise TraceError(f"rows: expected at least 1, found {rows}")
        return (self._block(wanted, first, min(first + rows, len(self))) for first in range(0, max(1, len(self)), rows))

    def _block(self, wanted: list[str], first: int, last: int) -> pd.DataFrame:
        data = {name: self._sightings.block(name, first, last) for name in wanted}
        return pd.DataFrame(data, index=pd.RangeIndex(first, last))

    def _wanted(self, columns: str | Sequence[str] | None) -> list[str]:
        wanted = [columns] if isinstance(columns, str) else list(COLUMNS[:-1] if columns is None else columns)
        if unknown := [name for name in wanted if name not in COLUMNS]:
            raise TraceError(f'unknown column "{unknown[0]}"; columns are {", ".join(COLUMNS)}')
        return wanted

    def table(self, name: str) -> pd.DataFrame:
        """Returns any table of the file, such as `clock` or `filtered/kalman/links`.

        Columns are those of docs/trace-format.md and docs/trace-tables.md. Times are datetimes (`time_s` is `time`), row
        numbers are names, and missing values are NA.

        :raises TraceError: For a missing table, with the names of all, and a damaged one.
        """
        name = name.strip("/")
        if (name not in schema.TABLES or name in schema.LATER) and name not in (known := self._file.tables()):
            raise TraceError(f'{self.path}: no table "{name}"; tables are {", ".join(known)}')
        return frame(self._file.table(name), self._names)

    @property
    def beacons(self) -> pd.DataFrame:
        """The beacons: `id`, `kind`, `name`, `x_m`, `y_m`, `z_m`, `measured_power_dbm`. Those with a place are anchors.

        In a building, `floor` is a column.
        """
        return self.table("beacons")

    @property
    def receivers(self) -> pd.DataFrame:
        """The receivers: the columns of `beacons` and the settings of the radio."""
        return self.table("receivers")

    @property
    def traces(self) -> list[str]:
        """The names of the continuous recordings in the file."""
        return list(self._names.of("traces"))

    @property
    def floors(self) -> pd.DataFrame:
        """The floors of a building: `name`, `level`, `height_m`, `shift_x_m`, `shift_y_m`; no rows without named floors."""
        if self._file.has("floors"):
            return self.table("floors")
        return pd.DataFrame(columns=[column.name for column in schema.TABLES["floors"]])

    @property
    def gaps(self) -> pd.DataFrame:
        """The times in which a receiver lost sightings: `start`, `end`, `receiver`, `reason`, `dropped`."""
        return self.table("gaps")

    @property
    def rejected(self) -> pd.Series[int]:
        """The counts of input that did not become a sighting, or became one without a level, by reason."""
        rejected = self.table("rejected")
        return pd.Series(rejected["count"].to_numpy(), index=pd.Index(rejected["reason"], name="reason", dtype=str), name="count")

    @property
    def provenance(self) -> pd.DataFrame:
        """The stages that made the file, in order: `stage`, `tool_version`, `command_line`, and `inputs`.

        An input is a dictionary of the `name`, `sha256` and `bytes` of a file that the stage read.
        """
        stages, files = self.table("provenance/stages"), self.table("provenance/inputs")
        inputs: list[list[dict[str, Any]]] = [[] for _ in range(len(stages))]
        for row in files.to_dict("records"):
            if row["stage"] < len(inputs):
                inputs[row["stage"]].append({"name": row["name"], "sha256": row["sha256"], "bytes": int(row["bytes"])})
        return stages[["stage", "tool_version", "command_line"]].assign(inputs=pd.Series(inputs, dtype=object))

    @property
    def filters(self) -> list[str]:
        """The names of the filters whose levels the file has."""
        return self._file.groups("filtered")

    def filtered(self, name: str) -> pd.DataFrame:
        """Returns the levels of a filter, row for row with `sightings`: `rssi_dbm` and `variance_db2`.

        Its noise per link is `table(f"filtered/{name}/links")`.

        :raises TraceError: For a filter that the file does not have.
        """
        table = self._result("filtered", name, "filter", f"rssi filter {self.path} -o {self.path} --filter {name}")
        if table.rows < len(self) or self.clean and table.rows != len(self):
            raise self._file.damaged(f"/filtered/{name} has {table.rows} rows, /sightings {len(self)}")
        return pd.DataFrame({name: table.values(name, 0, len(self)) for name in ("rssi_dbm", "variance_db2")},
                            index=pd.RangeIndex(len(self)))

    @property
    def algorithms(self) -> list[str]:
        """The names of the algorithms of `rssi locate` whose positions the file has."""
        return self._file.groups("positions")

    def positions(self, name: str) -> pd.DataFrame:
        """Returns the positions of an algorithm of `rssi locate -o TRACE`, one row per moving node and epoch.

        In a building, `floor_probability` is the probability of the answered `floor`.

        :raises TraceError: For an algorithm that the file does not have.
        """
        return located(self._positions(name), self._names)

    def floor_probabilities(self, name: str) -> pd.DataFrame:
        """Returns the probability of each floor, row for row with `positions`, NaN if it is unknown; a column per floor.

        :raises TraceError: For an algorithm that the file does not have.
        """
        return probabilities(self._positions(name), self._names.of("floors") if self._file.has("floors") else [])

    def _positions(self, name: str) -> StoredTable:
        command = f"rssi locate {self.path} -o {self.path} --algorithm {name}"
        return self._result("positions", name, "algorithm", command)

    def _result(self, kind: str, name: str, what: str, command: str) -> StoredTable:
        if name not in (known := self._file.groups(kind)):
            shown = f"it has {', '.join(known)}" if known else f"it has none; run `{command}`"
            raise TraceError(f'{self.path}: no {what} "{name}"; {shown}')
        table = self._file.table(f"{kind}/{name}")
        if kind == "filtered" and not {"rssi_dbm", "variance_db2"} <= set(table.columns):
            raise self._file.damaged(f"/filtered/{name} has no levels")
        return table

    @cached_property
    def truth(self) -> Truth:
        """The ground truth: positions, distances, levels and rooms, and `truth.at` for positions at any time."""
        levels = (self.table("truth/levels") if self._file.has("truth/levels")
                  else pd.DataFrame(columns=["time", "beacon", "receiver", "trace", "rssi_dbm"]))
        rooms = (self.table("truth/rooms") if self._file.has("truth/rooms")
                 else pd.DataFrame(columns=["time", "role", "node", "trace", "room"]))
        positions = with_floors_of_traces(self.table("truth/positions"), self.table("traces"))
        return Truth(positions, self._sightings.distances, levels, rooms,
                     [*self._names.of("receivers"), *self._names.of("beacons")], self.traces)

    @property
    def calibration(self) -> dict[str, Any] | None:
        """The document of `rssi fit` in the trace, if any, as docs/calibration-file.md describes it."""
        if not self._file.has("calibration"):
            return None
        document = self._file.table("calibration").values("document").astype(np.uint8).tobytes()
        try:
            found = json.loads(document)
        except ValueError as error:
            raise self._file.damaged(f"/calibration/document ({error})") from None
        return found if isinstance(found, dict) else None

    def to_xarray(self) -> xr.Dataset:
        """Returns sightings with the levels of all filters, along `time` (UTC), with units as attributes.

        `filtered_rssi_dbm` and `filtered_variance_db2` also have the dimension `filter`. Integers with missing values are
        floating-point numbers.
        """
        import xarray as xr

        sightings = self.sightings
        coordinates: dict[str, Any] = {"time": ("time", stamps(self._sightings.table.times("time_s")).tz_localize(None))}
        variables: dict[str, Any] = {}
        for name in filter(self._sightings.has, COLUMNS[1:-1]):
            values = sightings[name]
            if isinstance(values.dtype, pd.CategoricalDtype):
                coordinates[name] = ("time", values.astype(object).where(values.notna(), "").to_numpy(object))
                continue
            if isinstance(values.array, pd.arrays.IntegerArray):
                values = values.astype("float32" if values.array.dtype.itemsize < 3 else "float64")
            source = SOURCE.get(name, name)
            known = name != "distance_m"
            variables[name] = ("time", values.to_numpy(), {
                "units": self._sightings.table.units(source) if known else "m",
                "long_name": self._sightings.table.description(source) if known else "True distance"})
        levels = [self.filtered(name) for name in self.filters]
        if levels:
            coordinates["filter"] = ("filter", np.array(self.filters, dtype=str))
            for name, units in (("rssi_dbm", "dBm"), ("variance_db2", "dB2")):
                stacked = np.stack([one[name].to_numpy() for one in levels])
                variables["filtered_" + name] = (("filter", "time"), stacked, {"units": units})
        attributes = {"start": self.start.isoformat(), "tool_version": self.tool_version, "note": self.note}
        return xr.Dataset(variables, coordinates, attributes)


def open(path: str | os.PathLike[str]) -> Trace:
    """Opens a trace.

    :param path: A file that `rssi` or `rt.write` made, also one that a capture is writing.
    :raises FileNotFoundError: For a missing file; other `OSError` for one that may not be read.
    :raises TraceError: For a file that is not a trace, is damaged, or has to be repaired first.

    >>> with open("walks.h5") as trace:
    ...     print(trace)
    ...     trace.sightings[["time", "beacon", "rssi_dbm"]]
    <Trace walks.h5: 3 sightings>
                           time beacon  rssi_dbm
    0 2024-01-01 00:00:00+00:00   door     -60.0
    1 2024-01-01 00:00:01+00:00   desk     -70.0
    2 2024-01-01 00:00:02+00:00   door     -61.0
    """
    return Trace(path)
