"""The floors of a building."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import schema
from .checks import require_columns, strings, table, whole_numbers
from .errors import TraceError
from .file import StoredTable
from .frames import Names, frame

UNKNOWN = 65535
"""The row number of an unknown floor."""


def probabilities(positions: StoredTable, names: list[str]) -> pd.DataFrame:
    """Returns the probability of each floor, row for row with a table of positions; NaN if it is unknown."""
    stored = positions.matrix("floor_probability", len(names)) if names else None
    found = np.full((positions.rows, len(names)), np.nan) if stored is None else stored
    return pd.DataFrame(found, index=pd.RangeIndex(positions.rows), columns=pd.Index(names, dtype=str))


def located(positions: StoredTable, names: Names) -> pd.DataFrame:
    """Returns a table of positions, with the probability of the floor that is answered."""
    found = frame(positions, names)
    if "floor" not in found:
        return found
    every = probabilities(positions, names.of("floors")).to_numpy()
    rows = positions.row_numbers("floor")
    own: npt.NDArray[np.float64] = np.where(rows < 0, np.nan, every[np.arange(len(rows)), np.maximum(rows, 0)])
    found.insert(found.columns.get_loc("floor") + 1, "floor_probability", own)  # type: ignore[arg-type]
    return found


def with_floors_of_traces(truth: pd.DataFrame, traces: pd.DataFrame) -> pd.DataFrame:
    """Returns true positions with the floor of their trace where they have none of their own."""
    if "floor" not in traces:
        return truth
    floors = traces["floor"].to_numpy(object)[truth["trace"].cat.codes.to_numpy()]
    if "floor" not in truth:
        return truth.assign(floor=pd.Categorical(floors, traces["floor"].cat.categories))
    return truth.assign(floor=truth["floor"].where(truth["floor"].notna(), pd.Series(floors, truth.index)))


class Floors:
    """The floors of a new trace."""

    def __init__(self, declared: Any) -> None:
        self._frame = table({"name": []} if declared is None else declared, "floors")
        require_columns(self._frame, "floors", [column.name for column in schema.TABLES["floors"]], ["name"])
        self.names = strings(self._frame["name"], "floors: name", 64)
        if twice := [name for row, name in enumerate(self.names) if name in self.names[:row]]:
            raise TraceError(f'floors: "{twice[0]}" is declared twice')

    def numbers(self, values: Any, what: str) -> npt.NDArray[np.int64]:
        """Returns a column of names as row numbers; a missing one is an unknown floor."""
        known = {name: row for row, name in enumerate(self.names)} | {"": UNKNOWN}
        names = strings(values, what, 64, is_optional=True)
        for row, name in enumerate(names):
            if name not in known:
                shown = f"floors are {', '.join(self.names)}" if self.names else "declare it in floors"
                raise TraceError(f'{what}: row {row}: unknown floor "{name}"; {shown}')
        return np.array([known[name] for name in names], np.int64)

    def columns(self) -> dict[str, Any]:
        """Returns the columns of /floors."""
        found: dict[str, Any] = {"name": self.names}
        for column in schema.TABLES["floors"][1:]:
            what = f"floors: {column.name}"
            given = self._frame[column.name] if column.name in self._frame else pd.Series(pd.NA, self._frame.index, dtype="Float64")
            if column.name == "level":
                found["level"] = whole_numbers(given, what, -1000, 1000, int(column.missing or 0))
                continue
            numbers = pd.to_numeric(given, errors="coerce").to_numpy(np.float64, na_value=np.nan)
            wrong = (np.isnan(numbers) & given.notna().to_numpy()) | (abs(numbers) > 1e8)
            if wrong.any():
                row = int(np.argmax(wrong))
                raise TraceError(f"{what}: row {row} is {given.iloc[row]}, expected metres, or NaN if unknown")
            found[column.name] = numbers
        return found
