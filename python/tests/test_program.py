"""Stages of the program, run from Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLE

import rssi_trace as rt
from rssi_trace.program import JSON_STAGES


def stages(rssi: str) -> list[str]:
    help_text = subprocess.run([rssi, "--help"], check=True, capture_output=True, text=True).stdout
    lines = help_text.partition("SUBCOMMANDS:")[2].splitlines()
    return [line.split()[0] for line in lines if line.startswith("  ") and line[2:3].isalpha() and not line.startswith("  See")]


def test_the_version_is_that_of_the_program(rssi: str) -> None:
    output = subprocess.run([rssi, "--version"], check=True, capture_output=True, text=True).stdout
    assert output.split()[0] == rt.__version__


def test_json_is_asked_of_the_stages_that_have_it(rssi: str) -> None:
    known = stages(rssi)
    assert len(known) > 15
    one_document = set()
    for stage in known:
        help_text = subprocess.run([rssi, stage, "--help"], check=True, capture_output=True, text=True).stdout
        if "--json " in help_text:
            one_document.add(stage)
    assert one_document == JSON_STAGES


def test_a_capture_is_a_stage_like_others(rssi: str) -> None:
    found = rt.run("capture", f"replay:{EXAMPLE / 'walk-1.btsnoop'}", speed="max", output="walk.h5", quiet=True)
    assert found["beacons"] == 8 and len(rt.open("walk.h5")) == found["packets"]


def test_errors_have_the_code_and_the_message(rssi: str, small: pd.DataFrame) -> None:
    with pytest.raises(rt.RSSIError) as caught:
        rt.run("info", "missing.h5")
    assert (caught.value.code, caught.value.message) == (66, "missing.h5: no such file; check the name")
    with pytest.raises(rt.RSSIError) as caught:
        rt.run("eval", "x.h5", no_such_option=True)
    assert caught.value.code == 64 and "--no-such-option" in caught.value.message
    Path("x.h5").write_text("not a trace")
    with pytest.raises(rt.RSSIError) as caught:
        rt.run("info", "x.h5")
    assert caught.value.code == 65
    # No shell reads the arguments.
    with pytest.raises(rt.RSSIError, match=r"\$\(touch shell\)"):
        rt.run("info", "$(touch shell).h5")
    assert os.listdir() == ["x.h5"]


def test_a_stage_without_json_returns_its_text(rssi: str, small: pd.DataFrame) -> None:
    rt.write("a.h5", small)
    assert rt.run("export", "a.h5", output="a.csv", from_="+1s") == ""
    assert len(Path("a.csv").read_text().splitlines()) == 3
    assert rt.run("export", "a.h5", format="csv", from_=small.time[1]) == Path("a.csv").read_text()
    assert rt.run("info", Path("a.h5"))["sightings"] == 3
    assert "USAGE: rssi eval" in str(rt.run("eval", "--help")) and "USAGE: rssi eval" in str(rt.run("eval", help=True))
    version = rt.run("--version")
    assert isinstance(version, str) and version.split()[0] == rt.__version__


def test_a_list_repeats_an_option_or_is_joined(rssi: str, walks: Path) -> None:
    options = {"cross_validate": "traces", "filtered": "none", "quiet": True}
    scored = rt.run("eval", [walks], algorithms=["centroid", "epta"], **options)["algorithms"]
    assert sorted(one["name"] for one in scored) == ["centroid", "epta"]
    both = rt.run("eval", walks, algorithms="centroid", algorithm=["weighted-centroid:degree=1", "min-max"], **options)
    assert len(both["algorithms"]) == 3


ARGUMENTS = f'#!/bin/sh\n[ "$1" = --version ] && echo {rt.__version__} && exit\nprintf "%s\\\\n" "$@"\n'


@pytest.mark.parametrize(("value", "words"), [
    (np.array(["a", "b"]), ["a", "b"]), (pd.Series(["a", "b"]), ["a", "b"]), ((one for one in "ab"), ["a", "b"]),
    ({"a": 1}.keys(), ["a"]), ({"a"}, ["a"]), (np.int64(3), ["3"]), (np.True_, None), ([], []), (timedelta(seconds=2), ["2s"]),
    (pd.Timestamp("2024-01-01T01:00", tz="Asia/Kolkata"), ["2023-12-31T19:30:00Z"]), (2.5, ["2.5"])])
def test_values_of_many_types_are_words(value: Any, words: list[str] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("other").write_text(ARGUMENTS)
    Path("other").chmod(0o755)
    monkeypatch.setenv("RSSI", os.path.abspath("other"))
    expected = ["--x"] if words is None else [part for word in words for part in ("--x", word)]
    output = rt.run("stage", ["in", Path("put")], "a", x=value)
    assert isinstance(output, str) and output.splitlines() == ["stage", "in", "put", "a", *expected]


@pytest.mark.parametrize("value", [{"a": 1}, pd.DataFrame({"a": [1]}), b"x", object(), pd.NaT, float("nan"), pd.Timestamp("2024-01-01")])
def test_values_of_other_types_are_refused(rssi: str, value: Any) -> None:
    with pytest.raises(TypeError, match="--x: expected a word, a number"):
        rt.run("info", x=value)
    with pytest.raises(TypeError, match="argument of info: expected a word"):
        rt.run("info", [value])


INTERRUPTED = """
import sys, rssi_trace as rt
try:
    rt.run("capture", "replay:" + sys.argv[1], speed=0.001, output="walk.h5")
except KeyboardInterrupt:
    print("interrupted", rt.open("walk.h5").clean, flush=True)
"""


def test_an_interrupt_ends_a_capture_with_a_complete_file(rssi: str) -> None:
    # As in a terminal: the whole group is interrupted, once the capture has its file.
    environment = os.environ | {"PYTHONPATH": str(Path(rt.__file__).parents[1])}
    python = subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(EXAMPLE / "walk-1.btsnoop")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=environment, process_group=0)
    while not Path("walk.h5").exists() and python.poll() is None:
        time.sleep(0.01)
    os.killpg(python.pid, signal.SIGINT)
    output, errors = python.communicate()
    assert output == "interrupted True\n", errors


@pytest.mark.parametrize(("script", "problem"), [
    ("echo 0.0.9", r"version 0.0.9, expected \S+ or later; update rssi"), ("echo 1000.0.0", "version 1000.0.0, expected"),
    ("echo hello", "not the program rssi"), ("exit 3", "not the program rssi")])
def test_another_program_or_version_is_refused(script: str, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("other").write_text(f"#!/bin/sh\n{script}\n")
    Path("other").chmod(0o755)
    monkeypatch.setenv("RSSI", os.path.abspath("other"))
    with pytest.raises(rt.RSSIError, match=problem) as caught:
        rt.run("info", "a.h5")
    assert caught.value.code == 69


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("RSSI", "/nowhere/rssi")
    with pytest.raises(rt.RSSIError, match="/nowhere/rssi: program not found on the PATH; set it to the program"):
        rt.run("info", "a.h5")
    monkeypatch.delenv("RSSI")
    with pytest.raises(rt.RSSIError, match="rssi: program not found on the PATH; install it, or set RSSI") as caught:
        rt.run("info", "a.h5")
    assert caught.value.code == 69


def test_the_end_by_a_signal_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("other").write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo {rt.__version__} && exit\nkill -9 $$\n')
    Path("other").chmod(0o755)
    monkeypatch.setenv("RSSI", os.path.abspath("other"))
    with pytest.raises(rt.RSSIError, match="rssi info ended without a message") as caught:
        rt.run("info", "a.h5")
    assert caught.value.code == 137
