"""The function `trilaterate` of BPS-improved (Home Assistant), from a copy of its repository: bps-trilaterate.py FOLDER.

Only that function is run, since its file needs Home Assistant. Distances follow from the path-loss curves.
"""

import ast
import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from rssi_exec import ranges, serve  # noqa: E402

import numpy as np  # noqa: E402
from scipy.optimize import least_squares, minimize  # noqa: E402


def function(folder):
    for path in sorted(Path(folder).rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name == "trilaterate":
                names = {"np": np, "least_squares": least_squares, "minimize": minimize, "_LOGGER": logging.getLogger()}
                exec(compile(ast.Module([node], []), str(path), "exec"), names)
                return names["trilaterate"]
    sys.exit(f"{folder}: no file with the function trilaterate")


logging.disable()
trilaterate = function(sys.argv[1])


def make(site):
    def locate(heard, _):
        found = ranges(site, heard)
        return None if found is None else trilaterate([(x, y, d) for (x, y, _), d in zip(*found)])
    return locate


serve(make)
