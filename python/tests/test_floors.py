"""Floors of buildings: what the program stores, what it scores against, and what `rt.write` makes of them."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from test_reading import ASKED

import rssi_trace as rt


def test_tables_have_floors_by_name(rssi: str, house: Path) -> None:
    nodes, expected = (list(csv.DictReader((house.parent / name).open())) for name in ("nodes.csv", "truth.csv"))
    with rt.open(house) as trace:
        assert trace.floors.name.tolist() == ["F1", "F2"] and trace.floors.level.tolist() == [1, 2]
        assert trace.floors.height_m.isna().all()
        floors = {row["node"]: row["floor"] for row in nodes}
        assert trace.beacons.floor.tolist() == [floors[node] for node in trace.beacons.id] and "floor" not in trace.receivers
        positions = trace.truth.positions
        assert positions.floor.tolist() == [row["floor"] for row in expected] and set(positions.floor) == {"F1", "F2"}
        assert "floor" not in trace.sightings and trace.traces == trace.table("traces").id.tolist()


def test_a_trace_without_floors_has_no_such_column(walks: Path) -> None:
    with rt.open(walks) as trace:
        assert trace.floors.empty and list(trace.floors) == ["name", "level", "height_m", "shift_x_m", "shift_y_m"]
        for frame in (trace.beacons, trace.receivers, trace.table("traces"), trace.truth.positions):
            assert "floor" not in frame
        assert list(trace.truth.at(trace.start, trace="walk-1")) == ["x_m", "y_m", "z_m"]
        with pytest.raises(rt.TraceError, match='no table "floors"'):
            trace.table("floors")


def test_a_way_between_floors_has_no_places_in_between(small: pd.DataFrame) -> None:
    start, second = small.time[0], pd.Timedelta("1s")
    rt.write("climb.h5", small, floors={"name": ["B1", "F1"], "level": [-1, 1]}, truth={
        "time": [start, start + 2 * second, start + 6 * second, start + 8 * second, start + 9 * second],
        "x_m": [0.0, 2.0, 20.0, 22.0, 22.0], "y_m": 1.0, "z_m": [1.0, 1.0, 2.0, 2.0, 2.0],
        "floor": ["F1", "F1", "B1", "B1", None]})
    with rt.open("climb.h5") as trace:
        found = trace.truth.at([start + share * second for share in (1, 2, 3.9, 4, 5, 7, 8.4, 8.5, 9, 10)])
    assert found.floor.tolist()[:7] == ["F1", "F1", "F1", "B1", "B1", "B1", "B1"] and found.floor[7:].isna().all()
    np.testing.assert_array_equal(found.x_m, [1, 2, 2, 20, 20, 21, 22, 22, 22, np.nan])
    np.testing.assert_array_equal(found.z_m, [1, 1, 1, 2, 2, 2, 2, 2, 2, np.nan])
    assert found.floor.cat.categories.tolist() == ["B1", "F1"]


def test_a_true_place_without_a_floor_is_on_that_of_its_trace(rssi: str) -> None:
    Path("rssi.csv").write_text("trace,time_s,receiver,beacon,rssi_dbm,floor\nw,1,phone,a,-60,F2\nw,2,phone,a,-60,F2\n")
    Path("truth.csv").write_text("trace,time_s,node,x_m,y_m,floor\nw,1,phone,1,2,\nw,2,phone,3,2,F3\n")
    rt.run("import", "rssi.csv", truth="truth.csv", output="own.h5", quiet=True)
    with rt.open("own.h5") as trace:
        assert trace.table("traces").floor.tolist() == ["F2"]
        assert trace.truth.positions.floor.tolist() == ["F2", "F3"]
        assert trace.truth.at(trace.truth.positions.time).floor.tolist() == ["F2", "F3"]


def test_truth_on_floors_is_what_eval_scores_against(house: Path, tmp_path: Path) -> None:
    (tmp_path / "truth.py").write_text(ASKED.replace('["walk-1", "walk-2"]', '["walk-1", "walk-2", "walk-3", "walk-4"]'))
    rt.run("fit", house.parent / "distances.csv", output="calibration.json", quiet=True)
    program = f"PYTHONPATH={Path(rt.__file__).parents[1]} {sys.executable} truth.py {house}"
    for instant in ("middle", "end"):
        result = rt.run("eval", house, calibration="calibration.json", truth_at=instant, algorithms="centroid",
                        algorithm="exec:" + program, patience="5m", quiet=True)
        score = next(one for one in result["algorithms"] if one["name"].startswith("exec"))
        assert score["answered"] > 200 and score["error_m"]["max"] < 1e-6


def test_positions_have_the_probability_of_their_floor(house: Path, tmp_path: Path) -> None:
    options = {"survey": house, "trace": "walk-1", "algorithm": "grid-filter:map=yes", "quiet": True}
    rt.run("locate", house, output=tmp_path / "located.h5", **options)
    rt.run("locate", house, output=tmp_path / "positions.csv", **options)
    expected = pd.read_csv(tmp_path / "positions.csv")
    with rt.open(tmp_path / "located.h5") as trace:
        (name,) = trace.algorithms
        positions, every = trace.positions(name), trace.floor_probabilities(name)
    assert len(positions) > 100 and positions.floor.tolist() == expected.floor.tolist()
    np.testing.assert_allclose(positions.floor_probability, expected.floor_probability, atol=1e-3)
    assert list(every) == ["F1", "F2"] and len(every) == len(positions)
    np.testing.assert_allclose(every.sum(axis=1), 1, atol=1e-5)
    assert (every.to_numpy()[range(len(every)), positions.floor.cat.codes] == positions.floor_probability).all()


def test_a_copy_is_the_same_to_the_program(rssi: str, house: Path) -> None:
    with rt.open(house) as trace:
        rt.write("copy.h5", trace.read_sightings(rt.COLUMNS), beacons=trace.beacons, receivers=trace.receivers,
                 truth=trace.truth, floors=trace.floors)
        options = {"cross_validate": "traces", "algorithms": "fingerprint", "quiet": True}
        assert rt.run("eval", "copy.h5", **options) == rt.run("eval", house, **options)
        assert rt.run("info", "copy.h5")["floors"] == rt.run("info", house)["floors"]
        with rt.open("copy.h5") as copy:
            pd.testing.assert_frame_equal(copy.floors, trace.floors)
            pd.testing.assert_frame_equal(copy.beacons, trace.beacons)
            pd.testing.assert_frame_equal(copy.truth.positions, trace.truth.positions)
    with h5py.File("copy.h5") as copied, h5py.File(house) as original:
        for column in ("floors/level", "beacons/floor", "truth/positions/floor"):
            assert {name: str(copied[column].attrs[name]) for name in ("units", "description", "_FillValue")} == {
                name: str(original[column].attrs[name]) for name in ("units", "description", "_FillValue")}


def test_floors_that_are_wrong_are_named(small: pd.DataFrame) -> None:
    beacons = {"id": ["door"], "floor": ["F3"]}
    for arguments, problem in (
            ({"beacons": beacons}, 'beacons: floor: row 0: unknown floor "F3"; declare it in floors'),
            ({"beacons": beacons, "floors": {"name": ["F1", "F2"]}}, 'unknown floor "F3"; floors are F1, F2'),
            ({"floors": {"name": ["F1", "F1"]}}, 'floors: "F1" is declared twice'),
            ({"floors": {"name": ["F1"], "level": [1.5]}}, "floors: level: row 0 is 1.5, expected a whole number"),
            ({"floors": {"name": ["F1"], "height_m": ["x"]}}, "floors: height_m: row 0 is x, expected metres"),
            ({"floors": {"name": ["F1"], "storey": [1]}}, "floors: unknown column storey")):
        with pytest.raises(rt.TraceError, match=problem):
            rt.write("wrong.h5", small, **arguments)


def test_damaged_floors_are_refused(house: Path, tmp_path: Path) -> None:
    rt.run("locate", house, survey=house, trace="walk-1", algorithm="grid-filter:map=yes", output=tmp_path / "in.h5", quiet=True)

    def refused(problem: str) -> None:
        with rt.open("in.h5") as trace, pytest.raises(rt.TraceError, match=problem):
            trace.positions(trace.algorithms[0])

    with h5py.File("in.h5", "r+") as file:
        group = next(iter(file["positions"].values()))
        values = group["floor_probability"][:]
        del group["floor_probability"]
        group["floor_probability"] = values[:, :1]
    refused("floor_probability is not a column of 2 numbers per row")
    with h5py.File("in.h5", "r+") as file:
        del next(iter(file["positions"].values()))["floor_probability"]
    with rt.open("in.h5") as trace:
        assert trace.positions(trace.algorithms[0]).floor_probability.isna().all()
    with h5py.File("in.h5", "r+") as file:
        del file["floors"]
    refused("no table /floors")
