"""The examples of the docstrings and of README.md run, without the program and without a network."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import EXAMPLE

import rssi_trace as rt

MODULES = ["rssi_trace", *(f"rssi_trace.{module.name}" for module in pkgutil.iter_modules(rt.__path__))]
PAGES = [Path(__file__).resolve().parents[1] / "README.md", Path(__file__).resolve().parents[2] / "docs" / "trace-format.md"]


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_of_pages(rssi: str, page: Path) -> None:
    rt.run("import", EXAMPLE / "walk-1.btsnoop", EXAMPLE / "walk-2.btsnoop", receiver="phone", nodes=EXAMPLE / "nodes.csv",
           truth=EXAMPLE / "truth.csv", output="walks.h5", quiet=True)
    rt.run("filter", "walks.h5", filter="kalman", output="walks.h5", quiet=True)
    shutil.copy("walks.h5", "trace.h5")
    # The recipe for a folder of traces has a test of its own.
    text = page.read_text().partition("### Many traces")[0]
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 2
    variables: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), variables)
    assert variables["figures"]["algorithms"][0]["error_m"]["median"] > 0
