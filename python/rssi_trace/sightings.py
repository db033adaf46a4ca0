"""Sightings of a new trace, from a data frame to the tables of the file."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import schema
from .checks import require_columns, strings, times, whole_numbers
from .errors import TraceError
from .nodes import Nodes, numbers

_RANGES = {"channel": (0, 39), "event_type": (0, 65534), "primary_phy": (0, 3), "secondary_phy": (0, 3), "sid": (0, 254),
           "tx_power_dbm": (-127, 126), "data_status": (0, 3)}
_LIMITS = {"azimuth_deg": 360, "elevation_deg": 90}
_KNOWN = {"time", "time_s", "trace", "receiver", "beacon", "address", "address_type", "rssi_dbm", "payload", "distance_m",
          "pose", "dwell", *_RANGES, *_LIMITS}
_ADDRESS = re.compile(r"([0-9A-F]{2}:){5}[0-9A-F]{2}")


class Sightings:
    """The checked rows, with the nodes and traces that they name."""

    def __init__(self, frame: pd.DataFrame, beacons: Nodes, receivers: Nodes, trace: str) -> None:
        require_columns(frame, "sightings", _KNOWN, {"receiver", "rssi_dbm"})
        if not {"beacon", "address"} & set(frame.columns):
            raise TraceError("sightings: no column beacon, and no column address")
        if not len(frame):
            raise TraceError("sightings: no rows")
        self._frame, self.beacons, self.receivers = frame.reset_index(drop=True), beacons, receivers
        self.times = times(self._frame, "sightings")
        self.traces: list[str] = []
        self._numbers: dict[str, int] = {}
        names = strings(self._frame["trace"], "sightings: trace") if "trace" in self._frame else [trace] * len(frame)
        self._trace = self.trace_numbers(names)
        self._address = self._addresses() if "address" in frame else None
        self._receiver = numbers(self._frame["receiver"], receivers, "sightings: receiver")
        self._beacon = numbers(self._names(), beacons, "sightings: beacon")

    def trace_numbers(self, names: list[str]) -> npt.NDArray[np.int64]:
        """Returns names of traces as row numbers of /traces; a new name is added."""
        for name in dict.fromkeys(names):
            self._numbers.setdefault(name, len(self._numbers))
        self.traces = list(self._numbers)
        if len(self.traces) > 65535:
            raise TraceError(f"sightings: {len(self.traces)} traces, at most 65535 fit in a file; write several files")
        return np.array([self._numbers[name] for name in names], np.int64)

    def tables(self) -> dict[str, dict[str, Any]]:
        """Returns the columns of /sightings and of the tables that it refers to."""
        levels, rejected = self._levels()
        dwell, distances = self._dwells()
        payload, payloads, data = self._payloads()
        advertiser, advertisers = self._advertisers()
        columns = {"time_s": self.times, "beacon": self._beacon, "advertiser": advertiser, "receiver": self._receiver,
                   "trace": self._trace, "rssi_dbm": levels, "payload": payload, "dwell": dwell}
        for column in schema.TABLES["sightings"]:
            if column.name in _RANGES:
                columns[column.name] = self._numbered(column)
        columns |= {name: self._angles(name, limit) for name, limit in _LIMITS.items() if name in self._frame}
        return {"sightings": columns, "payloads": payloads, "payloads/data": data, "beacons": self.beacons.columns(),
                "receivers": self.receivers.columns(), "traces": {"id": self.traces}, "advertisers": advertisers,
                "truth/distances": distances, "rejected": rejected}

    def _addresses(self) -> pd.Series[Any]:
        upper = self._frame["address"].astype(object).where(self._frame["address"].notna(), None)
        try:
            known = {value: value.upper() if isinstance(value, str) else value for value in dict.fromkeys(upper)}
        except TypeError as error:
            raise TraceError(f"sightings: address: expected texts ({error})") from error
        for value, address in known.items():
            if value is not None and not (isinstance(address, str) and _ADDRESS.fullmatch(address)):
                raise TraceError(f"sightings: address: {value!r} is not an address such as C0:FF:EE:00:00:01")
        return upper.map(lambda value: known[value])

    def _names(self) -> pd.Series[Any]:
        """Returns the beacons' names; a beacon without one is named by its address, as in recordings."""
        if self._address is None:
            return self._frame["beacon"]
        named = self._address.map(lambda address: f"addr:{address}" if address else None)
        if "beacon" not in self._frame:
            return named
        given = self._frame["beacon"].astype(object)
        return given.where(given.notna(), named)

    def _numbered(self, column: schema.Column) -> Any:
        missing = int(column.missing or 0)
        if column.name not in self._frame:
            return np.full(len(self._frame), missing)
        return whole_numbers(self._frame[column.name], f"sightings: {column.name}", *_RANGES[column.name], missing)

    def _angles(self, name: str, limit: int) -> npt.NDArray[np.float64]:
        given = self._frame[name]
        angles = pd.to_numeric(given, errors="coerce").to_numpy(np.float64, na_value=np.nan)
        if (wrong := (given.notna().to_numpy() & np.isnan(angles)) | (abs(angles) > limit)).any():
            row = int(np.argmax(wrong))
            raise TraceError(f"sightings: {name}: row {row} is {given.iloc[row]}, expected degrees from -{limit} to {limit}")
        return angles

    def _levels(self) -> tuple[Any, dict[str, Any]]:
        """Returns the levels by the rule of docs/tables.md, and the counts of numbers that are not levels."""
        values = self._frame["rssi_dbm"]
        if values.dtype.kind not in "iuf":
            values = values.mask(values.map(lambda value: isinstance(value, str) and not value.strip()).astype(bool))
        found = pd.to_numeric(values, errors="coerce").to_numpy(np.float64, na_value=np.nan)
        if (wrong := ~np.isfinite(found) & values.notna().to_numpy()).any():
            row = int(np.argmax(wrong))
            shown = repr(values.iloc[row]) if isinstance(values.iloc[row], str) else values.iloc[row]
            raise TraceError(f"sightings: rssi_dbm: row {row} is {shown}, expected dBm, or NaN without a level")
        links = pd.DataFrame({"beacon": self._beacon, "receiver": self._receiver, "positive": found > 0})[~np.isnan(found)]
        if len(links) and (links.groupby(["beacon", "receiver"])["positive"].mean() > 0.5).any():
            raise TraceError("sightings: rssi_dbm: over half of the levels of a link are above 0 dBm; a forgotten sign?")
        is_zero = found == 0
        with np.errstate(invalid="ignore"):
            is_outside = (found < -127) | (found > 20)
        counts = {"level:rssi-out-of-range": int(is_outside.sum()), "level:rssi-zero": int(is_zero.sum())}
        counts = {reason: count for reason, count in counts.items() if count}
        return np.where(is_zero | is_outside, np.nan, found), {"reason": list(counts), "count": list(counts.values())}

    def _dwells(self) -> tuple[Any, dict[str, Any]]:
        """Returns the row of /truth/distances of each sighting, and these rows.

        Successive readings of a link in a trace with the same distance and pose are one stay.
        """
        none = np.full(len(self._frame), schema.NONE)
        if "distance_m" not in self._frame:
            return none, {}
        given = self._frame["distance_m"]
        distance = pd.to_numeric(given, errors="coerce").to_numpy(np.float64, na_value=np.nan)
        wrong = (given.notna().to_numpy() & np.isnan(distance)) | (distance < 0) | (distance > 1e8)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise TraceError(f"sightings: distance_m: row {row} is {given.iloc[row]}, expected metres, or NaN if unknown")
        poses = strings(self._frame["pose"], "sightings: pose", 64, is_optional=True) if "pose" in self._frame else ""
        link = ["beacon", "receiver", "series"]
        rows = pd.DataFrame({"beacon": self._beacon, "receiver": self._receiver, "series": self._trace,
                             "distance_m": distance, "pose": poses, "time": self.times})[~np.isnan(distance)]
        before = rows.groupby(link)[["distance_m", "pose"]].shift()
        is_new = (before["distance_m"] != rows["distance_m"]) | (before["pose"] != rows["pose"])
        rows["stay"] = is_new.astype(np.int64).groupby([rows[name] for name in link]).cumsum()
        stays = rows.groupby([*link, "stay"], sort=False)
        none[rows.index] = stays.ngroup()
        firsts = stays.agg(start_s=("time", "min"), end_s=("time", "max"), distance_m=("distance_m", "first"),
                           pose=("pose", "first")).reset_index()
        return none, {name: firsts[name].to_numpy() for name in firsts.columns if name != "stay"}

    def _payloads(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """Returns the row of /payloads of each sighting, these rows, and their bytes."""
        if "payload" not in self._frame:
            return np.full(len(self._frame), schema.NONE), {}, {}
        given = self._frame["payload"].astype(object)
        payloads = [bytes(value) if isinstance(value, (bytearray, memoryview)) else value for value in given]
        for row, payload in enumerate(payloads):
            is_missing = pd.api.types.is_scalar(payload) and pd.isna(payload)
            if not is_missing and (not isinstance(payload, bytes) or len(payload) > 65535):
                raise TraceError(f"sightings: payload: row {row} is not bytes (at most 65535)")
        codes, distinct = pd.factorize(pd.Series(payloads, dtype=object))
        lengths = np.array([len(payload) for payload in distinct], np.int64)
        data = np.frombuffer(b"".join(distinct), np.uint8)
        return (np.where(codes < 0, schema.NONE, codes),
                {"offset": np.cumsum(lengths) - lengths, "length": lengths}, {"bytes": data})

    def _advertisers(self) -> tuple[Any, dict[str, Any]]:
        """Returns the row of /advertisers of each sighting, and these rows."""
        if self._address is None:
            return np.full(len(self._frame), schema.NONE), {}
        types = np.zeros(len(self._frame), np.int64)
        if "address_type" in self._frame:
            types = whole_numbers(self._frame["address_type"], "sightings: address_type", 0, 255, 0)
        pairs = pd.DataFrame({"address": self._address, "address_type": types})[self._address.notna().to_numpy()]
        groups = pairs.groupby(["address", "address_type"], sort=False)
        found = np.full(len(self._frame), schema.NONE)
        found[pairs.index] = groups.ngroup()
        distinct = groups.size().reset_index()
        return found, {"address": list(distinct["address"]), "address_type": distinct["address_type"].to_numpy()}
