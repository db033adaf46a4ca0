"""A data frame becomes a trace that the program reads, and comes back equal."""

from __future__ import annotations

import csv
import io
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLE

import rssi_trace as rt

SEED = int(os.environ.get("RSSI_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)


def random_frame(numbers: np.random.Generator) -> pd.DataFrame:
    """Sightings with any of the optional columns, missing values, and names of any script."""
    count = int(numbers.integers(1, 400))
    words = ["door", "Café", "机", "a,b", 'q"q', "addr:C0:FF:EE:00:00:01", "é" * 64, "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7"]

    def pick(values: list[Any]) -> list[Any]:
        return [values[int(one)] for one in numbers.integers(0, len(values), count)]

    # Microseconds from 1970 to 2200, in the order of reception or not.
    first = int(numbers.integers(0, 7_000_000_000)) * 10**6
    times = first + numbers.integers(0, [10**7, 10**14][int(numbers.integers(2))], count)
    frame = pd.DataFrame({
        "time": pd.to_datetime(times, unit="us", utc=True).as_unit(["us", "ns"][int(numbers.integers(2))]),
        "receiver": pick(words[:3]), "beacon": pick(words),
        "rssi_dbm": np.where(numbers.random(count) < 0.1, np.nan, -numbers.integers(1, 128, count) + pick([0.0, 0.25]))})
    frame.loc[frame.rssi_dbm < -127, "rssi_dbm"] = -127.0
    optional = {
        "trace": lambda: pick(["walk 1", "walk 2"]),
        "channel": lambda: pd.array(pick([37, 38, 39, 0, None]), "UInt8"),
        "address": lambda: pick(["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02", None]),
        "payload": lambda: pick([b"", b"\2\1\6", bytes(range(256)), None]),
        "distance_m": lambda: pick([0.5, 2.0, 2.0, 2.0, None]),
        "tx_power_dbm": lambda: pd.array(pick([-127, 0, 126, None]), "Int8"),
        "sid": lambda: pd.array(pick([0, 254, None]), "UInt8"),
        "event_type": lambda: pd.array(pick([16, 19, None]), "UInt16"),
        "azimuth_deg": lambda: pick([-35.0, 0.0, 359.5, None]),
        "elevation_deg": lambda: pick([-90.0, 12.25, None])}
    for name, make in optional.items():
        if numbers.random() < 0.5:
            frame[name] = make()
    if "distance_m" in frame:
        frame["pose"] = pick(["", "flat"])
    if numbers.random() < 0.3:
        frame["beacon"] = frame["beacon"].astype("category")
    return frame


def assert_equal(frame: pd.DataFrame, found: pd.DataFrame) -> None:
    """Levels and names equal, times to the microsecond."""
    expected_times = frame.time.dt.as_unit("ns").astype("int64") // 1000
    assert (found.time.astype("int64") // 1000 == expected_times).all() and (found.time.astype("int64") % 1000 == 0).all()
    np.testing.assert_array_equal(frame.rssi_dbm.to_numpy("f4"), found.rssi_dbm.to_numpy())
    for name in frame.columns:
        if name == "pose":
            expected = [pose if distance == distance else None
                        for pose, distance in zip(frame.pose, frame.distance_m.astype(float), strict=True)]
        elif name not in ("time", "rssi_dbm"):
            expected = [None if pd.isna(value) else value for value in frame[name].astype(object)]
        else:
            continue
        assert [None if pd.isna(value) else value for value in found[name].astype(object)] == expected, name


@pytest.mark.parametrize("trial", range(8))
def test_any_frame_comes_back_equal(rssi: str, trial: int) -> None:
    print(f"RSSI_SEED={SEED}, trial {trial}")
    frame = random_frame(np.random.default_rng((SEED, trial)))
    rt.write("any.h5", frame)
    with rt.open("any.h5") as trace:
        found = trace.read_sightings(rt.COLUMNS)
    assert_equal(frame, found)
    # Through the program: its own reader, its own writer.
    rt.run("export", "any.h5", output="again.h5", quiet=True)
    with rt.open("again.h5") as trace:
        again = trace.read_sightings(rt.COLUMNS)
    pd.testing.assert_frame_equal(found.drop(columns="dwell").astype(object), again.drop(columns="dwell").astype(object))
    text = subprocess.run([rssi, "export", "any.h5", "--format", "csv"], check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["beacon"] for row in rows] == frame.beacon.tolist()
    assert [float(row["rssi_dbm"] or "nan") for row in rows] == pytest.approx(frame.rssi_dbm.tolist(), abs=0, nan_ok=True)


def test_a_trace_is_scored_like_the_one_it_is_from(walks: Path, tmp_path: Path) -> None:
    with rt.open(walks) as trace:
        frame = trace.read_sightings(rt.COLUMNS)
        rt.write("copy.h5", frame, beacons=trace.beacons, receivers=trace.receivers, truth=trace.truth.positions,
                 gaps=trace.gaps, inputs=[walks], note="a copy")
    rt.run("fit", walks, series="calibration", output="calibration.json", quiet=True)
    options = {"calibration": "calibration.json", "in_sample": True, "filtered": "none", "quiet": True,
               "algorithms": "centroid,weighted-centroid"}
    assert rt.run("eval", "copy.h5", **options) == rt.run("eval", walks, **options)
    fitted = [rt.run("fit", path, series="calibration")["pooled"] for path in ("copy.h5", walks)]
    assert fitted[0] == fitted[1]
    rt.run("filter", "copy.h5", filter="kalman", output="filtered.h5", quiet=True)
    with rt.open("filtered.h5") as copy, rt.open(walks) as trace:
        pd.testing.assert_frame_equal(copy.filtered("kalman"), trace.filtered("kalman"))
        pd.testing.assert_frame_equal(copy.truth.positions, trace.truth.positions)
        pd.testing.assert_frame_equal(copy.truth.distances, trace.truth.distances)
        pd.testing.assert_frame_equal(copy.beacons, trace.beacons)
        assert copy.note == "a copy" and copy.provenance.stage.tolist() == ["write", "filter"]
        assert copy.provenance.inputs[0][0]["bytes"] == walks.stat().st_size


def structure(path: Path | str) -> dict[str, Any]:
    """Types, layouts and attributes of everything in a file."""
    found: dict[str, Any] = {}

    def add(name: str, item: h5py.HLObject) -> None:
        # What links scales and columns has addresses of the file.
        attributes = {key: (str(value.dtype) if hasattr(value, "dtype") else "", str(value)) for key, value in item.attrs.items()
                      if key not in ("DIMENSION_LIST", "REFERENCE_LIST")}
        if not isinstance(item, h5py.Dataset):
            found[name] = attributes
            return
        kind = item.id.get_type()
        text = (kind.get_cset(), kind.get_strpad()) if item.dtype.kind == "S" else ()
        scales = [scale.name for scale in item.dims[0].values()]
        found[name] = (item.dtype.str, text, item.chunks, item.maxshape, item.shuffle, item.compression, item.compression_opts,
                       str(item.fillvalue), scales, attributes)

    with h5py.File(path) as file:
        file.visititems(add)
        found["/"] = {key: type(value) for key, value in file.attrs.items()}
        found["superblock"] = file.id.get_create_plist().get_version()[0]
    return found


def test_a_written_file_has_the_structure_of_an_imported_one(rssi: str) -> None:
    rt.run("import", EXAMPLE / "walk-1.btsnoop", receiver="phone", nodes=EXAMPLE / "nodes.csv", truth=EXAMPLE / "truth.csv",
           output="imported.h5", quiet=True)
    with rt.open("imported.h5") as trace:
        rt.write("written.h5", trace.read_sightings(rt.COLUMNS), beacons=trace.beacons, receivers=trace.receivers,
                 truth=trace.truth.positions)
    imported, written = structure("imported.h5"), structure("written.h5")
    assert set(written) == set(imported)
    for name in imported:
        assert written[name] == imported[name], name


def test_the_same_data_give_the_same_bytes(small: pd.DataFrame) -> None:
    rt.write("a.h5", small)
    first = Path("a.h5").read_bytes()
    rt.write("a.h5", small, overwrite=True)
    assert Path("a.h5").read_bytes() == first


def test_nothing_is_overwritten_or_left(small: pd.DataFrame) -> None:
    rt.write("a.h5", small)
    before = Path("a.h5").read_bytes()
    with pytest.raises(FileExistsError, match="a.h5: file exists; use overwrite=True"):
        rt.write("a.h5", small.iloc[:1])
    with pytest.raises(rt.TraceError):
        rt.write("a.h5", small.drop(columns="beacon"), overwrite=True)
    with pytest.raises(FileNotFoundError, match="^missing/a.h5: the folder .*/missing does not exist; create it first$"):
        rt.write("missing/a.h5", small)
    with pytest.raises(IsADirectoryError, match="a folder; name a file in it"):
        rt.write(os.getcwd(), small, overwrite=True)
    assert Path("a.h5").read_bytes() == before and os.listdir() == ["a.h5"]
    os.symlink("a.h5", "link.h5")
    rt.write("link.h5", small.iloc[:1], overwrite=True)
    assert Path("link.h5").is_symlink() and len(rt.open("a.h5")) == 1
    mask = os.umask(0o027)
    try:
        rt.write("b.h5", small)
    finally:
        os.umask(mask)
    assert Path("b.h5").stat().st_mode & 0o777 == 0o640
    for mode in (0o600, 0o664):
        Path("b.h5").chmod(mode)
        rt.write("b.h5", small, overwrite=True)
        assert Path("b.h5").stat().st_mode & 0o777 == mode


def test_levels_follow_the_rule_of_all_inputs(small: pd.DataFrame) -> None:
    frame = pd.concat([small, small, small], ignore_index=True).assign(rssi_dbm=[-60, 0, 127, -128, -1, 20, np.nan, -127, -61])
    rt.write("a.h5", frame)
    with rt.open("a.h5") as trace:
        assert trace.sightings.rssi_dbm.isna().tolist() == [False, True, True, True, False, False, True, False, False]
        assert trace.rejected.to_dict() == {"level:rssi-out-of-range": 2, "level:rssi-zero": 1}
    info = rt.run("info", "a.h5")
    assert (info["rssi_missing"], info["rssi_missing_reasons"]) == (4, {"rssi-out-of-range": 2, "rssi-zero": 1})
    with pytest.raises(rt.TraceError, match="above 0 dBm; a forgotten sign"):
        rt.write("b.h5", small.assign(rssi_dbm=[60, 70, 61]))


def test_times_are_datetimes_with_a_zone_or_unix_seconds(small: pd.DataFrame) -> None:
    zoned = small.time.dt.tz_convert("Asia/Kolkata")
    seconds = [1704067200.000001, 1704067201.5, 1704067202]
    exact = pd.to_datetime(pd.Series([1704067200000001, 1704067201500000, 1704067202000000]), unit="us", utc=True)
    summer_time = ["2024-03-31T01:59:59+01:00", "2024-03-31T03:00:00+02:00", "2024-03-31T01:00:01Z"]
    summer = pd.Series(pd.to_datetime(["2024-03-31T00:59:59Z", "2024-03-31T01:00:00Z", "2024-03-31T01:00:01Z"]))
    for times, column, expected in ((zoned, "time", small.time), (list(small.time), "time", small.time), (seconds, "time_s", exact),
                                    (small.time.dt.strftime("%FT%TZ"), "time", small.time),
                                    # The last Sunday of March in Berlin, and three zones.
                                    (summer_time, "time", summer), (list(pd.to_datetime(summer_time[:1])) + [
                                        summer[1].tz_convert("Asia/Kolkata"), summer[2]], "time", summer),
                                    (pd.array([1704067200, 1704067201, 1704067202], "Int64"), "time_s", small.time)):
        rt.write("a.h5", small.drop(columns="time").assign(**{column: times}), overwrite=True)
        with rt.open("a.h5") as trace:
            assert (trace.sightings.time == expected).all()
    for times, column, problem in (
            (small.time.dt.tz_localize(None), "time",
             r'if they are UTC, use pd.to_datetime\(frame\["time"\], utc=True\), else .*dt.tz_localize\("Europe/Berlin"\)'),
            (["2024-01-01T00:00:00Z", "2024-01-01T00:00:01", "2024-01-01T00:00:02Z"], "time", "without a time zone"),
            ([*small.time[:2], pd.Timestamp("2024-01-01")], "time", "without a time zone"),
            ([1704067200, 1704067201, 1704067202], "time", "found numbers; give Unix seconds as the column time_s"),
            (pd.array([1, None, 2], "Int64"), "time_s", "row 1 is nan, expected Unix seconds; drop such rows"),
            (pd.Series([1, "x", 2], dtype=object), "time_s", "row 1 is 'x', expected Unix seconds as a number"),
            ([pd.NaT, *small.time[1:]], "time", "row 0 has no time"),
            (["soon"] * 3, "time", "invalid time"), ([1.7e12] * 3, "time_s", "divide milliseconds by 1000"),
            ([1.0, np.nan, 2.0], "time_s", "row 1 is nan"), ([1e10] * 3, "time_s", "out of range"), (["1"] * 3, "time_s", "expected Unix"),
            ([True] * 3, "time_s", "row 0 is True, expected Unix seconds as a number")):
        with pytest.raises(rt.TraceError, match=problem):
            rt.write("b.h5", small.drop(columns="time").assign(**{column: times}))


def test_an_address_names_a_beacon_without_a_name(small: pd.DataFrame) -> None:
    addresses = ["c0:ff:ee:00:00:01", "C0:FF:EE:00:00:02", None]
    rt.write("a.h5", small.assign(address=addresses, beacon=[None, "desk", "door"]))
    with rt.open("a.h5") as trace:
        assert trace.sightings.beacon.tolist() == ["addr:C0:FF:EE:00:00:01", "desk", "door"]
        assert trace.sightings.address.tolist()[:2] == ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02"]
    found = rt.run("beacons", "a.h5", beacon="C0:FF:EE:00:00:02")
    assert "desk" in str(found)


@pytest.mark.parametrize(("change", "problem"), [
    (lambda frame: frame.drop(columns="rssi_dbm"), "sightings: no column rssi_dbm"),
    (lambda frame: frame.drop(columns="beacon"), "no column beacon, and no column address"),
    (lambda frame: frame.drop(columns="time"), "expected one column of times"),
    (lambda frame: frame.assign(time_s=1.0), "expected one column of times"),
    (lambda frame: frame.assign(rssi=1), "unknown column rssi; columns are"),
    (lambda frame: frame.assign(kalman_dbm=1, x=2), r"unknown columns kalman_dbm, x; .*drop\(columns=\['kalman_dbm', 'x'\]\)"),
    (lambda frame: pd.concat([frame, frame.rssi_dbm], axis=1), "two columns rssi_dbm; rename or drop one"),
    (lambda frame: frame.assign(beacon=1), r"beacon: row 0 is 1, expected text; convert numbers with .astype\(str\)"),
    (lambda frame: frame.assign(receiver=[1, 2, 3]), r"receiver: row 0 is 1, expected text; convert numbers with .astype\(str\)"),
    (lambda frame: frame.assign(trace=[1, 2, 3]), r"trace: row 0 is 1, expected text; convert numbers with .astype\(str\)"),
    (lambda frame: frame.assign(beacon=[["a"], "b", "c"]), "beacon: expected texts"),
    (lambda frame: frame.assign(rssi_dbm=[-60, -np.inf, -61]), "rssi_dbm: row 1 is -inf, expected dBm"),
    (lambda frame: {"rssi_dbm": -60, "beacon": "door"}, r'sightings: expected a list per column, as in {"rssi_dbm": \[-60\]}'),
    (lambda frame: {"rssi_dbm": [-60], "beacon": ["a", "b"]}, "sightings: not a table"),
    (lambda frame: frame.assign(address=[["C0"], "b", "c"]), "address: expected texts"),
    (lambda frame: frame.assign(trace=["a", np.nan, "b"]), "trace: row 1 is nan, expected text$"),
    (lambda frame: frame.assign(payload=[[1], b"y", b"z"]), "payload: row 0 is not bytes"),
    (lambda frame: frame.iloc[:0], "sightings: no rows"),
    (lambda frame: frame.assign(beacon=["door", None, "desk"]), "beacon: row 1 has no name"),
    (lambda frame: frame.assign(beacon=["door", 7, "desk"]), "beacon: row 1 is 7, expected text"),
    (lambda frame: frame.assign(receiver=["a", "b" * 161, "c"]), "receiver: row 1.*161 bytes, at most 160"),
    (lambda frame: frame.assign(beacon=["a\0", "b", "c"]), "beacon: row 0.*without zero bytes"),
    (lambda frame: frame.assign(beacon=pd.Series(["a", "\ud800", "c"], dtype=object)), "beacon: row 1.*not UTF-8"),
    (lambda frame: frame.assign(trace=["a", "b", ""]), "trace: row 2 is '', expected text"),
    (lambda frame: frame.assign(rssi_dbm=["-60", "-6x", "-61"]), "rssi_dbm: row 1 is '-6x'"),
    (lambda frame: frame.assign(channel=[37, 38.5, 39]), "channel: row 1 is 38.5, expected a whole number from 0 to 39"),
    (lambda frame: frame.assign(channel=[37, 255, 39]), "channel: row 1 is 255"),
    (lambda frame: frame.assign(distance_m=[1, -2, 3]), "distance_m: row 1 is -2, expected metres"),
    (lambda frame: frame.assign(azimuth_deg=[1, 361, 3]), "azimuth_deg: row 1 is 361, expected degrees from -360 to 360"),
    (lambda frame: frame.assign(elevation_deg=[1, 2, "up"]), "elevation_deg: row 2 is up, expected degrees from -90 to 90"),
    (lambda frame: frame.assign(payload=[b"x", "y", b"z"]), "payload: row 1 is not bytes"),
    (lambda frame: frame.assign(address=["C0:FF:EE:00:00:01", "C0FFEE000001", None]), "address: 'C0FFEE000001' is not an address"),
])
def test_wrong_sightings_are_refused_with_their_row(small: pd.DataFrame, change: Any, problem: str) -> None:
    with pytest.raises(rt.TraceError, match=problem):
        rt.write("a.h5", change(small))
    assert not os.listdir()


@pytest.mark.parametrize(("tables", "problem"), [
    ({"beacons": {"x_m": [1]}}, "beacons: no column id"),
    ({"beacons": {"id": ["door", "door"]}}, 'beacons: "door" is declared twice'),
    ({"beacons": {"id": ["door"], "x_m": ["here"]}}, "x_m: row 0 is here, expected a number in m"),
    ({"receivers": {"id": ["phone"], "x": [1]}}, "receivers: unknown column x"),
    ({"truth": {"time_s": [1], "x_m": [1]}}, "truth: no column y_m"),
    ({"truth": {"time_s": [1], "x_m": [1], "y_m": [np.nan]}}, "truth: row 0: y_m is nan, expected metres"),
    ({"truth": {"time_s": [1], "x_m": [1], "y_m": [1], "node": ["tag"]}}, 'truth: row 0: unknown node "tag"'),
    ({"truth": {"time_s": [1], "x_m": [1], "y_m": [1]}, "receivers": {"id": ["a", "b"]}}, "no column node, and there are 3 receivers"),
    ({"gaps": {"start": ["2024-01-01T00:00:00Z"], "end": ["2024-01-01T00:00:01Z"], "receiver": ["phone"], "reason": ["x"]}},
     'unknown reason "x"; reasons are silence'),
    ({"gaps": {"start": ["2024-01-01T00:00:01Z"], "end": ["2024-01-01T00:00:00Z"], "receiver": ["phone"], "reason": ["reset"]}},
     "gaps: row 0 ends before it starts"),
    ({"gaps": {"start": ["2024-01-01T00:00:00Z"], "end": ["2024-01-01T00:00:01Z"], "receiver": ["phone"], "reason": ["reset"],
               "dropped": [-1]}}, "gaps: dropped: row 0 is -1, expected a whole number from 0"),
    ({"gaps": {"start": [1], "end": [2], "receiver": ["phone"], "reason": ["reset"]}}, "gaps: start: expected datetimes, found numbers"),
    ({"beacons": {"id": "door"}}, r'beacons: expected a list per column, as in {"id": \["door"\]}'),
    ({"inputs": ["missing.csv"]}, "missing.csv"),
    ({"inputs": "missing.csv"}, "missing.csv"),
])
def test_wrong_tables_are_refused(small: pd.DataFrame, tables: dict[str, Any], problem: str) -> None:
    with pytest.raises((rt.TraceError, FileNotFoundError), match=problem):
        rt.write("a.h5", small, **tables)
    assert not os.listdir()


def test_a_trace_may_have_truth_and_no_sightings(small: pd.DataFrame) -> None:
    rt.write("a.h5", small.assign(trace="heard"), truth={"time": small.time, "trace": ["heard", "heard", "silent"], "x_m": 1, "y_m": 2})
    with rt.open("a.h5") as trace:
        assert trace.traces == ["heard", "silent"] and trace.truth.positions.trace.tolist() == ["heard", "heard", "silent"]
    assert rt.run("info", "a.h5")["traces"] == 2


def test_anchors_truth_and_gaps_are_those_of_the_tables(small: pd.DataFrame) -> None:
    rt.write("a.h5", small, beacons=[{"id": "door", "x_m": 1.0, "y_m": 2.0, "name": "Door"}, {"id": "tag"}],
             truth={"time": small.time, "x_m": [0, 1, 2], "y_m": 0.5},
             gaps={"start": small.time[:1], "end": small.time[1:2].array, "receiver": "phone", "reason": "reset"})
    with rt.open("a.h5") as trace:
        assert trace.beacons[["id", "name"]].values.tolist() == [["door", "Door"], ["tag", ""], ["desk", ""]]
        assert trace.truth.positions[["role", "node", "trace"]].astype(str).values.tolist() == [["receiver", "phone", "a"]] * 3
        assert trace.gaps[["receiver", "reason", "dropped"]].astype(object).values.tolist() == [["phone", "reset", 0]]
    info = rt.run("info", "a.h5")
    assert info["beacons"] == 3 and info["gaps"]


def test_what_tables_of_loggers_have_is_accepted(small: pd.DataFrame) -> None:
    payloads: Any = [bytearray(b"\2\1\6"), memoryview(b"x"), None]
    rt.write("a.h5", small.assign(rssi_dbm=["-60", "", " "], payload=payloads), inputs=__file__)
    with rt.open("a.h5") as trace:
        found = trace.read_sightings(["rssi_dbm", "payload"])
        assert found.rssi_dbm.isna().tolist() == [False, True, True] and trace.rejected.empty
        assert found.payload.tolist()[:2] == [b"\2\1\6", b"x"]
        assert trace.provenance.inputs[0][0]["name"] == __file__


def test_the_truth_of_a_trace_is_truth(small: pd.DataFrame) -> None:
    rt.write("a.h5", small, truth={"time": small.time, "x_m": [0, 1, 2], "y_m": 0.5})
    with rt.open("a.h5") as trace:
        rt.write("b.h5", trace.sightings, truth=trace.truth)
        with rt.open("b.h5") as again:
            pd.testing.assert_frame_equal(again.truth.positions, trace.truth.positions)


def test_times_are_exact_to_nanoseconds_within_48_days(small: pd.DataFrame) -> None:
    times = pd.Series(pd.DatetimeIndex(["2024-01-01T00:00:00.123456789Z", "2024-02-17T00:00:00.123456789Z", "2024-03-01T00:00:00.123456789Z"]))
    rt.write("a.h5", small.assign(time=times))
    with rt.open("a.h5") as trace:
        assert (times - trace.sightings.time).astype("timedelta64[ns]").astype("int64").tolist() == [0, 0, -211]
