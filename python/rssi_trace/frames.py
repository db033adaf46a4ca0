"""Tables of a trace as data frames: datetimes for times, names for row numbers, NA for missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from . import schema
from .file import StoredTable, TraceFile
from .names import named
from .times import stamps

NAMES = {"beacon": "beacons", "receiver": "receivers", "trace": "traces", "series": "traces", "advertiser": "advertisers",
         "floor": "floors"}
"""The tables that columns of row numbers refer to."""
_NAMING = {"advertisers": "address", "floors": "name"}
"""The columns of names, where they are not `id`."""
RENAMED = {"time_s": "time", "start_s": "start", "end_s": "end", "series": "trace", "advertiser": "address"}


class Names:
    """The names of nodes, traces, addresses and floors of a file, read once."""

    def __init__(self, file: TraceFile) -> None:
        self._file = file
        self._known: dict[str, list[str]] = {}

    def of(self, table: str) -> list[str]:
        """Returns the names in the order of a table's rows."""
        if table not in self._known:
            self._known[table] = self._file.table(table).texts(_NAMING.get(table, "id"))
        return self._known[table]

    def column(self, table: StoredTable, column: str, first: int, last: int) -> Any:
        """Returns rows of a column of row numbers as names."""
        try:
            return named(table.row_numbers(column, first, last), self.of(NAMES[column]))
        except IndexError as error:
            raise self._file.damaged(f"/{table.name}/{column}, {error} in /{NAMES[column]}") from None


def column(table: StoredTable, name: str, names: Names, first: int = 0, last: int | None = None) -> Any:
    """Returns rows of a column in the form that a data frame shows."""
    last = table.rows if last is None else last
    if table.is_text(name):
        return pd.Series(table.texts(name)[first:last], dtype=str).array  # texts also if there are none
    if name in NAMES and table.name != NAMES[name]:
        return names.column(table, name, first, last)
    if table.units(name).startswith("seconds since "):
        return stamps(table.times(name, first, last))
    values = table.values(name, first, last)
    missing = table.missing(name)
    return values if missing is None else pd.arrays.IntegerArray(values, values == missing)


def frame(table: StoredTable, names: Names) -> pd.DataFrame:
    """Returns a whole table, with `node` and `role` as the name of a node."""
    order = [column.name for column in schema.TABLES.get(table.name, ())]  # HDF5 lists names in their alphabetical order
    wanted = [*(name for name in order if name in table.columns), *(name for name in table.columns if name not in order)]
    data = {RENAMED.get(name, name): column(table, name, names) for name in wanted}
    found = pd.DataFrame(data, index=pd.RangeIndex(table.rows))
    if "node" in table.columns and "role" in table.columns:
        is_beacon = table.values("role") == 1
        rows = table.row_numbers("node")
        receivers, beacons = names.of("receivers"), names.of("beacons")
        # Beacons follow receivers in one list of names.
        limits = np.where(is_beacon, len(beacons), len(receivers))
        if (rows >= limits).any():
            raise table.file.damaged(f"row {int(np.argmax(rows >= limits))} of /{table.name} refers to an unknown node")
        found["node"] = named(rows + is_beacon * len(receivers), [*receivers, *beacons])
        found["role"] = named(is_beacon.astype(np.int64), ["receiver", "beacon"])
    return found
