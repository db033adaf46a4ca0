"""Fixtures: the bundled example, and the program."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest

import rssi_trace as rt

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "notebooks-data" / "example"


@pytest.fixture(scope="session")
def rssi() -> str:
    """The program, without which a test is skipped."""
    try:
        return rt.program()
    except rt.RSSIError as error:
        if "RSSI" in os.environ:
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def walks(rssi: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The walks of the example, filtered, with the calibration bench."""
    folder = tmp_path_factory.mktemp("walks")
    rt.run("import", *sorted(EXAMPLE.glob("walk-*.btsnoop")), EXAMPLE / "distances.csv", receiver="phone",
           nodes=EXAMPLE / "nodes.csv", truth=EXAMPLE / "truth.csv", output=folder / "raw.h5", quiet=True)
    rt.run("filter", folder / "raw.h5", filter=["kalman"], output=folder / "walks.h5", quiet=True)
    return folder / "walks.h5"


@pytest.fixture(scope="session")
def house(rssi: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Walks on two floors of a simulated building."""
    folder = tmp_path_factory.mktemp("house")
    rt.run("simulate", floors=2, walks=4, duration=120, interval=1, output=folder, quiet=True)
    rt.run("import", *sorted(folder.glob("walk-*.btsnoop")), receiver="phone", nodes=folder / "nodes.csv",
           truth=folder / "truth.csv", output=folder / "house.h5", quiet=True)
    return folder / "house.h5"


@pytest.fixture
def small() -> pd.DataFrame:
    """Three sightings."""
    return pd.DataFrame({
        "time": pd.to_datetime(["2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z", "2024-01-01T00:00:02Z"]),
        "receiver": "phone", "beacon": ["door", "desk", "door"], "rssi_dbm": [-60.0, -70.0, -61.0]})


@pytest.fixture(autouse=True)
def _in_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
