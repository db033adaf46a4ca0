"""Beacons and receivers of a new trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from . import schema
from .checks import not_text, require_columns, require_text, strings, table
from .errors import TraceError
from .floors import UNKNOWN, Floors


class Nodes:
    """The nodes of one role: the declared ones, then those that sightings name."""

    def __init__(self, role: str, declared: Any, floors: Floors) -> None:
        self.role, self._floors = role, floors
        self._table = role + "s"
        self._frame = table({"id": []} if declared is None else declared, self._table)
        self._columns = schema.TABLES[self._table]
        what = self._table
        require_columns(self._frame, what, [column.name for column in self._columns], ["id"])
        self.names = strings(self._frame["id"], f"{what}: id", 160)
        self.declared = set(self.names)
        self.numbers = {name: row for row, name in enumerate(self.names)}
        if len(self.numbers) < len(self.names):
            twice = next(name for row, name in enumerate(self.names) if self.numbers[name] != row)
            raise TraceError(f'{what}: "{twice}" is declared twice')

    def number(self, name: str) -> int:
        """Returns the row of a name, which is added if it is new."""
        if name not in self.numbers:
            self.numbers[name] = len(self.names)
            self.names.append(name)
        return self.numbers[name]

    def columns(self) -> dict[str, Any]:
        """Returns the columns of /beacons or /receivers."""
        if self.role == "receiver" and len(self.names) > 65535:
            raise TraceError(f"receivers: {len(self.names)}, at most 65535 fit in a trace; write several files")
        return {column.name: self._column(column) for column in self._columns}

    def _column(self, column: schema.Column) -> Any:
        name, what = column.name, f"{self._table}: {column.name}"
        added = len(self.names) - len(self._frame)
        if name == "id":
            return self.names
        if column.dtype[0] == "S":
            size = int(column.dtype[1:])
            given = strings(self._frame[name], what, size, is_optional=True) if name in self._frame else [""] * len(self._frame)
            return [text or self._usual(name, row) for row, text in enumerate(given + [""] * added)]
        if name == "floor":
            return self._floors.numbers([*self._frame[name], *[""] * added], what) if name in self._frame else []
        values = np.full(len(self.names), np.nan)
        if name in self._frame:
            numbers = pd.to_numeric(self._frame[name], errors="coerce").to_numpy(np.float64, na_value=np.nan)
            limit = 1e8 if name in ("x_m", "y_m", "z_m") else 200.0 if name.endswith("_dbm") else 1e9
            wrong = (np.isnan(numbers) & self._frame[name].notna().to_numpy()) | (abs(numbers) > limit)
            if wrong.any():
                row = int(np.argmax(wrong))
                raise TraceError(f"{what}: row {row} is {self._frame[name].iloc[row]}, expected a number in {column.units}")
            values[:len(numbers)] = numbers
        return values

    def _usual(self, column: str, row: int) -> str:
        """Returns the text of a node for which none is given."""
        if column == "kind":
            prefix = self.names[row].partition(":")[0] if ":" in self.names[row] else ""
            return "receiver" if self.role == "receiver" else prefix if prefix in schema.BEACON_KINDS else "other"
        return {"rssi_kind": "raw", "time_kind": "recorded"}.get(column, "")


def numbers(values: pd.Series[Any], nodes: Nodes, what: str) -> Any:
    """Returns a column of names as row numbers."""
    try:
        codes, names = pd.factorize(values)
    except TypeError as error:
        raise TraceError(f"{what}: expected texts ({error})") from error
    if (codes < 0).any():
        raise TraceError(f"{what}: row {int(np.argmax(codes < 0))} has no name")
    rows = np.empty(len(names), np.int64)
    for code, name in enumerate(names):
        if not isinstance(name, str) or not name:
            raise not_text(name, f"{what}: row {int(np.argmax(codes == code))}")
        require_text(name, f"{what}: row {int(np.argmax(codes == code))}", 160)
        rows[code] = nodes.number(name)
    return rows[codes]
