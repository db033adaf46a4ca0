"""The tables that every trace contains, as docs/trace-format.md describes them."""

from __future__ import annotations

from dataclasses import dataclass

TIME = "time"
"""The units of times, which a file writes as seconds since its start."""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    dtype: str
    """The numpy type: `f8`, `u4`, …; `S160` is UTF-8 in 160 bytes, padded with zeros."""
    units: str
    description: str
    missing: float | None = None
    """The value of rows without one."""
    is_occasional: bool = False
    """A Boolean value that is true for a column that a file has only if a row has a value."""


NONE = 4294967295
"""The row number that stands for "there is none"."""
NAN = float("nan")

_FLOOR = Column("floor", "u2", "1", "Row of /floors; 65535 = not known", 65535, is_occasional=True)

_NODE = (
    Column("id", "S160", "text", "Identity, such as ibeacon:UUID:major:minor"),
    Column("kind", "S32", "text", "What kind of node it is"),
    Column("name", "S128", "text", "Name for people"),
    Column("x_m", "f8", "m", "Position; NaN = not known", NAN),
    Column("y_m", "f8", "m", "Position; NaN = not known", NAN),
    Column("z_m", "f8", "m", "Height; NaN = not known", NAN),
    Column("measured_power_dbm", "f4", "dBm", "Advertised RSSI at 1 m; NaN = not known", NAN),
)

_RADIO = (
    Column("adapter", "S256", "text", "Where the radio is, such as hci0"),
    Column("controller", "S128", "text", "What the controller says it is"),
    Column("scan", "S16", "text", "passive or active; empty = not known"),
    Column("scan_interval_s", "f4", "s", "From one scan window to the next; NaN = not known", NAN),
    Column("scan_window_s", "f4", "s", "Listening in each interval; NaN = not known", NAN),
    Column("phys", "S32", "text", "Physical layers listened to, such as 1m,coded"),
    Column("rssi_kind", "S16", "text",
           "raw = one advertisement, last = last of several, filtered = smoothed by the receiver"),
    Column("time_kind", "S16", "text", "kernel, host, gateway-s, gateway-ms, arrival or recorded"),
)

_MOVING = (
    Column("role", "u1", "1", "0 = node is a row of /receivers, 1 = of /beacons"),
    Column("node", "u4", "1", "Row of /receivers or /beacons"),
    Column("trace", "u2", "1", "Row of /traces"),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "sightings": (
        Column("time_s", "f8", TIME, "When the host received the report"),
        Column("beacon", "u4", "1", "Row of /beacons"),
        Column("advertiser", "u4", "1", "Row of /advertisers; 4294967295 = not known", NONE),
        Column("receiver", "u2", "1", "Row of /receivers"),
        Column("trace", "u2", "1", "Row of /traces"),
        Column("rssi_dbm", "f4", "dBm", "Received power; NaN = not available", NAN),
        Column("event_type", "u2", "1",
               "Bits: 0 connectable, 1 scannable, 2 directed, 3 scan response, 4 legacy; 65535 = not known", 65535),
        Column("channel", "u1", "1", "Radio channel index; 255 = not known", 255),
        Column("primary_phy", "u1", "1", "0 not known, 1 LE 1M, 3 LE Coded", 0),
        Column("secondary_phy", "u1", "1", "0 none, 1 LE 1M, 2 LE 2M, 3 LE Coded", 0),
        Column("sid", "u1", "1", "Advertising set identifier; 255 = none", 255),
        Column("tx_power_dbm", "i1", "dBm", "Transmit power in the PDU header; 127 = none", 127),
        Column("data_status", "u1", "1", "0 complete, 1 the rest never came, 2 truncated, 3 wrong checksum", 0),
        Column("payload", "u4", "1", "Row of /payloads; 4294967295 = none", NONE),
        Column("dwell", "u4", "1", "Row of /truth/distances; 4294967295 = distance not known", NONE),
        Column("azimuth_deg", "f4", "degree", "Angle to the side at which the receiver heard it; NaN = not known", NAN,
               is_occasional=True),
        Column("elevation_deg", "f4", "degree", "Angle upwards at which the receiver heard it; NaN = not known", NAN,
               is_occasional=True),
    ),
    "payloads": (
        Column("offset", "u8", "byte", "Where the data begin in /payloads/data/bytes"),
        Column("length", "u2", "byte", "How many bytes they are"),
    ),
    "payloads/data": (Column("bytes", "u1", "1", "Advertising data of all payloads, one after the other"),),
    "beacons": (*_NODE, _FLOOR),
    "receivers": (*_NODE, *_RADIO, _FLOOR),
    "traces": (Column("id", "S128", "text", "Name of a continuous recording"), _FLOOR),
    "floors": (
        Column("name", "S64", "text", "Name of the floor"),
        Column("level", "i2", "1", "Storeys above the ground floor; -32768 = not known", -32768),
        Column("height_m", "f8", "m", "Height above the ground; NaN = not known", NAN),
        Column("shift_x_m", "f8", "m", "Origin in the building's frame; NaN = not known", NAN),
        Column("shift_y_m", "f8", "m", "Origin in the building's frame; NaN = not known", NAN),
    ),
    "advertisers": (
        Column("address", "S17", "text", "Device address"),
        Column("address_type", "u1", "1",
               "0 public, 1 random, 2 public identity, 3 random identity, 255 anonymous"),
    ),
    "truth/distances": (
        Column("start_s", "f8", TIME, "First sighting of the stay"),
        Column("end_s", "f8", TIME, "Last sighting of the stay"),
        Column("beacon", "u4", "1", "Row of /beacons"),
        Column("receiver", "u2", "1", "Row of /receivers"),
        Column("series", "u2", "1", "Row of /traces"),
        Column("distance_m", "f8", "m", "True distance"),
        Column("pose", "S64", "text", "How the device was held"),
    ),
    "truth/positions": (
        Column("time_s", "f8", TIME, "When the node was there"),
        *_MOVING,
        Column("x_m", "f8", "m", "Position"),
        Column("y_m", "f8", "m", "Position"),
        Column("z_m", "f8", "m", "Height; NaN = not known", NAN),
        _FLOOR,
    ),
    "truth/rooms": (
        Column("time_s", "f8", TIME, "When the node was in the room; it stays until its next row"),
        *_MOVING,
        Column("room", "S128", "text", "Name of the room; empty = not known"),
    ),
    "truth/levels": (
        Column("time_s", "f8", TIME, "When the link had the level; linear in between"),
        Column("beacon", "u4", "1", "Row of /beacons"),
        Column("receiver", "u2", "1", "Row of /receivers"),
        Column("trace", "u2", "1", "Row of /traces"),
        Column("rssi_dbm", "f4", "dBm", "True mean level of the link, without what differs from packet to packet"),
    ),
    "gaps": (
        Column("start_s", "f8", TIME, "When it began"),
        Column("end_s", "f8", TIME, "When it was over"),
        Column("receiver", "u2", "1", "Row of /receivers"),
        Column("reason", "S32", "text",
               "silence, reset, overflow, unplugged, interference, line-noise, disconnected, clock-step"),
        Column("dropped", "u8", "1", "Events known to be lost; 0 if a count is not available"),
    ),
    "clock": (
        Column("time_s", "f8", TIME, "The clock of the times"),
        Column("monotonic_s", "f8", "s", "A clock that is never set, at the same instant"),
        Column("synchronised", "u1", "1", "1 = a time service kept the clock right"),
    ),
    "rejected": (
        Column("reason", "S64", "text", "Why input was refused"),
        Column("count", "u8", "1", "How often"),
    ),
    "provenance/stages": (
        Column("stage", "S32", "text", "What was done, in order"),
        Column("tool_version", "S32", "text", "By which rssi"),
        Column("command_line", "S4096", "text", "How it was called"),
    ),
    "provenance/inputs": (
        Column("name", "S1024", "text", "File that was read"),
        Column("stage", "u2", "1", "Row of /provenance/stages that read it"),
        Column("sha256", "S64", "text", "Its contents' SHA-256"),
        Column("bytes", "u8", "byte", "Its length"),
    ),
}
"""The columns by table, the first of each is the dimension scale of the others."""

LONG = ("sightings", "payloads", "payloads/data", "truth/levels")
"""The tables with chunks for many rows."""
OCCASIONAL = ("floors", "truth/rooms")
"""The tables that a file has only if they have rows."""
LATER = ("truth/levels", *OCCASIONAL)
"""The tables that a file may lack."""

GAP_REASONS = ("silence", "reset", "overflow", "unplugged", "interference", "line-noise", "disconnected", "clock-step")
BEACON_KINDS = ("ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-tlm", "eddystone-eid")
