"""The examples of the docstrings and of README.md run, without the program and without a network."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pandas as pd
import pytest

import rssi_trace as rt

MODULES = ["rssi_trace", *(f"rssi_trace.{module.name}" for module in pkgutil.iter_modules(rt.__path__))]
README = Path(__file__).resolve().parents[1] / "README.md"


@pytest.fixture(autouse=True)
def walks_of_the_examples(small: pd.DataFrame) -> None:
    rt.write("walks.h5", small, truth={"time": small.time, "x_m": [1, 2, 3], "y_m": 2})


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.failed == 0
    names = [value for value in vars(module).values() if getattr(value, "__module__", None) == name and callable(value)]
    assert not [value for value in names if not value.__doc__ and not value.__name__.startswith("_")]


def test_examples_are_run() -> None:
    tests = [test for name in MODULES for test in doctest.DocTestFinder().find(importlib.import_module(name)) if test.examples]
    assert len(tests) >= 9


def test_blocks_of_the_readme(rssi: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from conftest import EXAMPLE
    rt.run("import", EXAMPLE / "walk-1.btsnoop", EXAMPLE / "walk-2.btsnoop", receiver="phone", nodes=EXAMPLE / "nodes.csv",
           truth=EXAMPLE / "truth.csv", output="walks.h5", force=None, quiet=True)
    rt.run("filter", "walks.h5", filter="kalman", output="walks.h5", quiet=True)
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.M | re.S)
    assert len(blocks) >= 2
    variables: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(README), "exec"), variables)
    assert "median" in capsys.readouterr().out
