"""Wheel and sdist are built without a network, and the wheel works in a clean environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import rssi_trace as rt

PACKAGE = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, since a build leaves files among them."""
    folder = tmp_path_factory.mktemp("source") / "python"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    return folder


def python(*arguments: object, program: str = sys.executable) -> str:
    """Runs Python with its own packages alone, and no network."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    environment |= {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    result = subprocess.run([program, *map(str, arguments)], env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_wheel_and_sdist(source: Path, tmp_path: Path) -> None:
    python("-m", "build", "--no-isolation", "--outdir", tmp_path, source)
    stem = f"rssi_trace-{rt.__version__}"
    assert sorted(os.listdir(tmp_path)) == [f"{stem}-py3-none-any.whl", f"{stem}.tar.gz"]
    modules = {path.name for path in (PACKAGE / "rssi_trace").glob("*.py")} | {"py.typed"}
    with zipfile.ZipFile(tmp_path / f"{stem}-py3-none-any.whl") as wheel:
        assert {name.removeprefix("rssi_trace/") for name in wheel.namelist() if name.startswith("rssi_trace/")} == modules
        metadata = wheel.read(f"{stem}.dist-info/METADATA").decode()
    for line in ("Name: rssi-trace", f"Version: {rt.__version__}", "Requires-Python: >=3.11", "License-Expression: GPL-3.0-or-later"):
        assert line in metadata.splitlines()
    with tarfile.open(tmp_path / f"{stem}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md"} | {f"rssi_trace/{name}" for name in modules} <= names


def test_pip_installs_it_into_a_clean_environment(source: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "clean", with_pip=False)
    clean = str(tmp_path / "clean" / "bin" / "python")
    # Dependencies and build tools are those of this Python, so that no network is needed.
    site = Path(python("-c", "import sysconfig; print(sysconfig.get_path('purelib'))", program=clean).strip())
    here = python("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (site / "dependencies.pth").write_text(here + "\n")
    python("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", source, program=clean)
    assert (site / "rssi_trace" / "py.typed").exists() and (site / f"rssi_trace-{rt.__version__}.dist-info").exists()
    script = """
import pandas as pd, rssi_trace as rt
rt.write("mine.h5", pd.DataFrame({"time": [pd.Timestamp("2024-01-01", tz="UTC")], "receiver": "phone", "beacon": "door", "rssi_dbm": -60}))
print(rt.open("mine.h5"), rt.__file__)
"""
    output = python("-c", script, program=clean)
    assert output.startswith("<Trace mine.h5: 1 sightings>") and str(site) in output
