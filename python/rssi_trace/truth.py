"""Ground truth, interpolated as `rssi eval` does."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .checks import not_text
from .errors import TraceError
from .names import require_known
from .times import Nanoseconds, nanoseconds

_PLACE = ["x_m", "y_m", "z_m"]


class Truth:
    """The known positions, distances and mean levels of a trace."""

    def __init__(self, positions: pd.DataFrame, distances: pd.DataFrame, levels: pd.DataFrame, rooms: pd.DataFrame,
                 nodes: Iterable[str] = (), traces: Iterable[str] = ()) -> None:
        self.positions = positions
        """The places of moving nodes: `time`, `trace`, `role`, `node`, `x_m`, `y_m`, `z_m`; in a building `floor`."""
        self.distances = distances
        """The stays of links at known distances; a sighting's `dwell` is a row of it."""
        self.levels = levels
        """The true mean levels of links, of simulations only; linear between the rows of a link and trace."""
        self.rooms = rooms
        """The rooms of nodes: `time`, `trace`, `role`, `node`, `room`; each holds until the next row of the node in its trace."""
        self._paths: dict[tuple[str, str], _Path] = {}
        self._known = {"node": [*nodes], "trace": [*traces]}  # also those without truth
        marks = positions.sort_values("role", kind="stable") if len(positions) else positions
        for (trace, node, role), rows in marks.groupby(["trace", "node", "role"], observed=True, sort=False):
            # A receiver and a beacon of one name: the receiver moves.
            self._paths.setdefault((str(trace), str(node)), _Path(rows))

    def __repr__(self) -> str:
        return f"<Truth: {len(self.positions)} positions, {len(self.distances)} distances, {len(self.levels)} levels>"

    def at(self, time: Any, node: Any = None, trace: Any = None) -> pd.DataFrame:
        """Returns the true positions at some times, NaN outside the truth.

        Between two rows the node moves in a straight line at constant speed. Of rows with equal times the later one holds.
        Between rows on two floors the node is at the nearer in time.

        :param time: One time or many, with a time zone.
        :param node: The name of the moving node, or one name per time; not needed if only one moves.
        :param trace: The name of the trace, or one name per time; not needed if only one has truth.
        :return: The columns `x_m`, `y_m`, `z_m`, in a building also `floor`, with the index of `time` if it is a series, else
            with the times.
        :raises TraceError: For times without a zone, for names that the trace does not have, and if node or trace is needed.

        >>> import rssi_trace as rt
        >>> with rt.open("walks.h5") as trace:
        ...     sightings = trace.sightings
        ...     trace.truth.at(sightings.time, sightings.receiver, sightings.trace)
           x_m  y_m  z_m
        0  1.0  2.0  NaN
        1  2.0  2.0  NaN
        2  3.0  2.0  NaN
        """
        many = time if isinstance(time, (pd.Series, pd.Index, np.ndarray, list, tuple)) else [time]
        instants = nanoseconds(many)
        index = many.index if isinstance(many, pd.Series) else pd.DatetimeIndex(instants.view("M8[ns]")).tz_localize("UTC")
        found, floors = np.full((len(instants), 3), np.nan), np.full(len(instants), -1)
        nodes = self._spread(node, "node", 1, len(instants))
        traces = self._spread(trace, "trace", 0, len(instants))
        groups = pd.DataFrame({"trace": traces, "node": nodes}).groupby(["trace", "node"], observed=True, sort=False)
        places: dict[Any, Any] = dict(groups.indices)
        for (one, other), rows in places.items():
            if (path := self._paths.get((str(one), str(other)))) is not None:
                found[rows], floors[rows] = path.at(instants[rows])
        places_found = pd.DataFrame(found, index=index, columns=pd.Index(_PLACE))
        if "floor" in self.positions:
            places_found["floor"] = pd.Categorical.from_codes(floors, self.positions["floor"].cat.categories)
        return places_found

    def _spread(self, value: Any, what: str, part: int, count: int) -> Any:
        """Returns one name per time; without a value, that of the only one with truth."""
        if value is None:
            moving = list(dict.fromkeys(key[part] for key in self._paths))
            if len(moving) > 1:
                raise TraceError(f"the truth has several {what}s, so name one: {', '.join(moving)}")
            if not moving:
                return pd.Categorical.from_codes(np.zeros(count, np.int8), pd.Index([""]))
            value = moving[0]
        known = {*self._known[what], *(key[part] for key in self._paths)}
        if isinstance(value, str):
            require_known([value] if known else [], sorted(known), what)
            return pd.Categorical.from_codes(np.zeros(count, np.int8), pd.Index([value]))
        if not isinstance(value, Iterable):
            raise not_text(value, what)
        values: Any = value.array if isinstance(value, pd.Series) else value if isinstance(value, Sized) else list(value)
        if len(values) != count:
            raise TraceError(f"{what}: {len(values)} names for {count} times")
        require_known(pd.Series(values).dropna().unique() if known else [], sorted(known), what)
        return values


class _Path:
    """The marks of one node in one trace, connected by straight legs on each floor."""

    def __init__(self, rows: pd.DataFrame) -> None:
        times = nanoseconds(rows["time"])
        order = np.argsort(times, kind="stable")
        self._times = times[order]
        self._places: npt.NDArray[np.float64] = rows[_PLACE].to_numpy(np.float64)[order]
        floors = rows["floor"].cat.codes.to_numpy(np.int64) if "floor" in rows else np.full(len(rows), -1)
        self._floors: npt.NDArray[np.int64] = floors[order]

    def at(self, times: Nanoseconds) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Returns x, y, z and the floors at some times; a leg includes its start and not its end."""
        count = len(self._times)
        later = np.searchsorted(self._times, times, side="right")
        known = (later > 0) & (times <= self._times[-1])
        before, after = np.clip(later - 1, 0, count - 1), np.clip(later, 0, count - 1)
        # As unsigned: a leg may be longer than a signed number of nanoseconds.
        elapsed = (times - self._times[before]).view(np.uint64).astype(np.float64)
        length = (self._times[after] - self._times[before]).view(np.uint64).astype(np.float64)
        low, high = self._places[before], self._places[after]
        # Damaged files have infinite places.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            share = np.where(after > before, elapsed / length, 0.0)[:, None]
            found: npt.NDArray[np.float64] = np.where((after > before)[:, None], low + share * (high - low), low)
        # Floors have planes of their own, so a leg between two has no places in between.
        is_climb, is_later = self._floors[before] != self._floors[after], share >= 0.5
        found = np.where(is_climb[:, None], np.where(is_later, high, low), found)
        floors = np.where(is_climb & is_later[:, 0], self._floors[after], self._floors[before])
        found[~known], floors[~known] = np.nan, -1
        return found, floors
