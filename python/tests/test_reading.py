"""What the package reads equals what the program prints, and what the file stores."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLE

import rssi_trace as rt


def exported(rssi: str, *arguments: str) -> list[dict[str, str]]:
    """The rows that `rssi export` prints as CSV."""
    text = subprocess.run([rssi, "export", *arguments, "--format", "csv"], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def unix_ns(text: str) -> int:
    whole, fraction = text.split(".")
    return int(whole) * 10**9 + int(fraction.ljust(9, "0"))


def test_sightings_equal_the_export(rssi: str, walks: Path) -> None:
    rows = exported(rssi, str(walks))
    with rt.open(walks) as trace:
        found = trace.sightings
    assert len(rows) == len(found) > 8000
    assert [unix_ns(row["time_s"]) for row in rows] == found.time.astype("int64").tolist()
    for name in ("trace", "receiver", "beacon"):
        assert [row[name] for row in rows] == found[name].tolist()
    numbers = {"rssi_dbm": found.rssi_dbm, "channel": found.channel.astype("float64"), "distance_m": found.distance_m}
    for name, column in numbers.items():
        expected = np.array([float(row[name]) if row[name] else np.nan for row in rows])
        np.testing.assert_array_equal(expected, column.to_numpy(float))
    assert found.distance_m.notna().sum() == 2137 and found.channel.isna().any() and found.channel.notna().any()


def test_angles_equal_the_export_and_are_missing_without_columns(rssi: str, walks: Path) -> None:
    Path("anchors.log").write_text(
        '+UUDF:CCF9578E0D8A,-42,20,0,-43,37,"A","",15869,23\n+UUDF:CCF9578E0D8A,-47,-35,-4,-43,38,"B","",501,1\n')
    rt.run("import", "anchors.log", output="anchors.h5", quiet=True)
    with rt.open("anchors.h5") as trace:
        found = trace.sightings
        assert trace.table("sightings").azimuth_deg.tolist() == found.azimuth_deg.tolist()
        assert [block.elevation_deg.tolist() for block in trace.blocks(rows=1)] == [[0], [-4]]
        assert trace.to_xarray().azimuth_deg.attrs["units"] == "degree"
    rows = exported(rssi, "anchors.h5")
    for name in ("azimuth_deg", "elevation_deg"):
        assert [float(row[name]) for row in rows] == found[name].tolist()
    with rt.open(walks) as trace:
        assert trace.read_sightings(["azimuth_deg", "elevation_deg"]).isna().all(axis=None)


def test_filtered_levels_equal_the_export(rssi: str, walks: Path) -> None:
    rows = exported(rssi, str(walks), "--filtered", "kalman")
    with rt.open(walks) as trace:
        assert trace.filters == ["kalman"]
        found = trace.filtered("kalman")
    expected = np.array([float(row["rssi_dbm"]) for row in rows])
    np.testing.assert_allclose(expected, found.rssi_dbm, rtol=1e-6)
    assert (found.variance_db2 > 0).all()


def test_all_columns_equal_those_of_the_file_with_its_codes_as_missing(walks: Path) -> None:
    with h5py.File(walks) as file, rt.open(walks) as trace:
        found = trace.read_sightings(rt.COLUMNS)
        rows = file["sightings"]
        for name in ("event_type", "channel", "primary_phy", "secondary_phy", "sid", "tx_power_dbm", "data_status", "dwell"):
            stored, code = rows[name][:], rows[name].attrs.get("_FillValue")
            expected = [None if value == code else int(value) for value in stored]
            assert [None if value is pd.NA else int(value) for value in found[name]] == expected
        payloads, data = file["payloads"], file["payloads/data/bytes"][:].tobytes()
        offsets, lengths = payloads["offset"][:], payloads["length"][:]
        for row in range(0, len(found), 97):
            number = int(rows["payload"][row])
            expected_bytes = data[int(offsets[number]):int(offsets[number]) + int(lengths[number])] if number < 2**32 - 1 else None
            assert found.payload.iloc[row] == expected_bytes or expected_bytes is None and pd.isna(found.payload.iloc[row])
        assert found.address.iloc[0] == "C0:FF:EE:00:00:07" and found.address_type.iloc[0] == 1
        assert found.address.isna().sum() == found.address_type.isna().sum() == 2137


def test_a_selection_is_the_same_rows(walks: Path) -> None:
    with rt.open(walks) as trace:
        everything = trace.sightings
        beacon = everything.beacon.iloc[0]
        start, stop = trace.start + pd.Timedelta("5s"), trace.start + pd.Timedelta("10s")
        found = trace.read_sightings(["time", "rssi_dbm"], beacon=beacon, trace=["walk-1", "walk-2"], start=start, stop=stop)
        mask = (everything.beacon == beacon) & everything.trace.isin(["walk-1", "walk-2"])
        expected = everything[mask & (everything.time >= start) & (everything.time < stop)]
        assert len(found) > 20
        pd.testing.assert_frame_equal(found, expected[["time", "rssi_dbm"]], check_index_type=False)
        assert trace.filtered("kalman").loc[found.index].rssi_dbm.notna().all()
        assert len(trace.read_sightings(stop=trace.start)) == 0
        for bad in ({"columns": ["rssi"]}, {"beacon": "nowhere"}, {"start": pd.Timestamp("2024-01-01")}):
            with pytest.raises(rt.TraceError, match="unknown column|unknown beacon|time zone"):
                trace.read_sightings(**bad)


def test_arguments_that_are_wrong_are_named(small: pd.DataFrame) -> None:
    rt.write("a.h5", small, truth={"time": small.time, "x_m": 1, "y_m": 2})
    with rt.open("a.h5") as trace:
        number: Any = 5
        for wrong, problem in (
                (lambda: trace.read_sightings(beacon=["door", "dor"]), 'unknown beacon "dor"; the trace has door, desk'),
                (lambda: trace.read_sightings(beacon=number), 'unknown beacon "5"'), (lambda: trace.truth.at(small.time, 5), "node is 5, expected"),
                (lambda: trace.read_sightings(beacon=""), 'unknown beacon ""'),
                (lambda: trace.read_sightings(start=1704067200), r"start: expected datetimes, found numbers; .*pd.to_datetime\(seconds"),
                (lambda: trace.read_sightings(stop="2024-01-01"), "stop: times without a time zone"),
                (lambda: trace.blocks(rows=0), "rows: expected at least 1, found 0"),
                (lambda: trace.table("sightngs"), 'a.h5: no table "sightngs"; tables are advertisers, beacons, clock'),
                (lambda: trace.table("truth"), 'no table "truth"; .*truth/positions'), (lambda: trace.table(""), 'no table ""'),
                (lambda: trace.table("/"), 'no table ""'),
                (lambda: trace.truth.at(small.time, "fone", "a"), 'unknown node "fone"; the trace has desk, door, phone'),
                (lambda: trace.truth.at(small.time, ["phone", "fone", "phone"]), 'unknown node "fone"'),
                (lambda: trace.truth.at(small.time, trace="b"), 'unknown trace "b"; the trace has a')):
            with pytest.raises(rt.TraceError, match=problem):
                wrong()
        assert len(trace.table("/sightings")) == len(trace.read_sightings("time")) == 3
        assert trace.read_sightings("time").columns.tolist() == ["time"]


def test_texts_are_texts_without_rows(small: pd.DataFrame) -> None:
    rt.write("a.h5", small)
    with rt.open("a.h5") as trace:
        for texts in (trace.gaps.reason, trace.truth.distances.pose, trace.rejected.index):
            assert len(texts.str.contains("x")) == 0


def test_a_star_import_keeps_the_open_of_python() -> None:
    names: dict[str, object] = {}
    exec("from rssi_trace import *", names)
    assert "open" not in names and "write" in names and callable(rt.open)


def test_tables_and_attributes_are_those_that_info_prints(rssi: str, walks: Path) -> None:
    info = rt.run("info", walks)
    with rt.open(walks) as trace:
        assert (len(trace), len(trace.beacons), len(trace.receivers), len(trace.traces)) == (
            info["sightings"], info["beacons"], info["receivers"], info["traces"])
        assert dict(zip(trace.beacons.id, trace.beacons.name, strict=True)) == info["names"]
        assert trace.clean and not trace.live and trace.note == "" and trace.clock == "as recorded"
        assert trace.start == pd.Timestamp("2024-01-01", tz="UTC") and trace.tool_version.split()[0] == rt.__version__
        assert trace.provenance.stage.tolist() == ["import", "filter"]
        assert [len(inputs) for inputs in trace.provenance.inputs] == [9, 1]
        assert trace.gaps.empty and trace.rejected.empty and trace.calibration is None and trace.algorithms == []
        links = trace.table("filtered/kalman/links")
        assert links.samples.sum() == len(trace) and links.beacon.iloc[0] in set(trace.beacons.id)


def test_results_of_other_stages(walks: Path, tmp_path: Path) -> None:
    rt.run("fit", walks, series="calibration", output=tmp_path / "calibration.json", quiet=True)
    rt.run("locate", walks, calibration=tmp_path / "calibration.json", trace="walk-1", algorithm="centroid",
           output=tmp_path / "located.h5", quiet=True)
    with rt.open(tmp_path / "located.h5") as trace:
        positions = trace.positions(trace.algorithms[0])
        assert set(positions.node) == {"phone"} and positions.x_m.between(0, 12).all() and len(positions) > 5
        with pytest.raises(rt.TraceError, match='no algorithm "x"; it has centroid'):
            trace.positions("x")
    with rt.open(walks) as trace, pytest.raises(rt.TraceError, match="it has none; run `(rssi locate .*walks.h5 -o .*walks.h5 --algorithm x)`"):
        trace.positions("x")
    with rt.open(tmp_path / "located.h5") as trace:
        with pytest.raises(rt.TraceError, match='no filter "median"; it has kalman'):
            trace.filtered("median")


ASKED = """
import json, os, sys
import pandas as pd
import rssi_trace as rt
truth = rt.open(sys.argv[1]).truth
for line in sys.stdin:
    question = json.loads(line)
    if question["kind"] == "epoch":
        # All walks of the example follow one another, so a time belongs to one of them.
        time = pd.Timestamp(round(question["asked_s"] * 1e6), unit="us", tz="UTC")
        places = pd.concat([truth.at(time, trace=name) for name in ["walk-1", "walk-2"]])
        place = places.dropna(subset="x_m")
        print(json.dumps({"x_m": place.x_m.iloc[-1], "y_m": place.y_m.iloc[-1]}), flush=True)
"""


def test_truth_is_what_eval_scores_against(walks: Path, tmp_path: Path) -> None:
    (tmp_path / "truth.py").write_text(ASKED)
    calibration = tmp_path / "calibration.json"
    rt.run("fit", walks, series="calibration", output=calibration, quiet=True)
    program = f"PYTHONPATH={Path(rt.__file__).parents[1]} {sys.executable} truth.py {walks}"
    for instant in ("middle", "end"):
        result = rt.run("eval", walks, calibration=calibration, in_sample=True, truth_at=instant, filtered="none",
                        trace=["walk-1", "walk-2"], algorithms="centroid", algorithm="exec:" + program, patience="5m", quiet=True)
        score = next(one for one in result["algorithms"] if one["name"].startswith("exec"))
        assert score["answered"] == 20 and score["error_m"]["max"] < 1e-6
        assert next(one for one in result["algorithms"] if one["name"] == "centroid")["error_m"]["median"] > 1


def test_truth_between_and_outside_its_rows(small: pd.DataFrame) -> None:
    second = pd.Timedelta("1s")
    start = small.time[0]
    rt.write("walk.h5", small, truth={
        "time": [start, start + 2 * second, start + 2 * second, start + 4 * second],
        "x_m": [0.0, 2.0, 5.0, 9.0], "y_m": [1.0, 1.0, 1.0, 3.0], "z_m": [1.0, 1.0, float("nan"), 1.0]})
    with rt.open("walk.h5") as trace:
        truth = trace.truth
    asked = [start - pd.Timedelta("1ns"), start, start + second, start + 2 * second, start + 3 * second, start + 4 * second,
             start + 4 * second + pd.Timedelta("1ns")]
    found = truth.at(asked)
    nan = float("nan")
    # Of two rows with one time the later one holds; a height needs both ends of a leg.
    expected = np.array([[nan] * 3, [0, 1, 1], [1, 1, 1], [5, 1, nan], [7, 2, nan], [9, 3, 1], [nan] * 3])
    np.testing.assert_array_equal(found.to_numpy(), expected)
    assert truth.at(start, node="desk").isna().all(axis=None) and found.index[1] == start
    assert truth.at(small.time, small.receiver).index.equals(small.index)
    with pytest.raises(rt.TraceError, match="without a time zone"):
        truth.at("2024-01-01")


def test_xarray_has_the_levels_of_all_filters(walks: Path) -> None:
    with rt.open(walks) as trace:
        data = trace.to_xarray()
        found = trace.filtered("kalman")
    assert data.sizes == {"time": 8577, "filter": 1} and data.rssi_dbm.attrs["units"] == "dBm"
    np.testing.assert_array_equal(data.filtered_rssi_dbm.sel(filter="kalman"), found.rssi_dbm)
    assert data.time.values[0] == np.datetime64("2024-01-01T00:00:00.036088")
    assert float(data.where(data.trace == "walk-1", drop=True).rssi_dbm.mean()) == pytest.approx(-73, abs=3)
    assert json.dumps({key: str(value) for key, value in data.attrs.items()})


def test_rooms_are_those_that_a_capture_was_given(rssi: str, walks: Path) -> None:
    rt.run("capture", f"replay:{EXAMPLE / 'walk-1.btsnoop'}", speed="max", receiver="phone", room="hall", output="hall.h5",
           quiet=True)
    with rt.open("hall.h5") as trace:
        rooms = trace.truth.rooms
        assert rooms[["role", "node", "trace", "room"]].astype(str).values.tolist() == [["receiver", "phone", "hall", "hall"]]
        assert rooms.time[0] == trace.sightings.time.min()
    with rt.open(walks) as trace:
        assert trace.truth.rooms.empty
