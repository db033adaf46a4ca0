"""Bermuda (Home Assistant), from a copy of its repository: bermuda.py FOLDER.

The answer is the place of the nearest scanner, as for its areas, by its function `rssi_to_metres` with its default
constants, and none beyond its greatest radius. Its smoothing of distances needs Home Assistant and does not run.
"""

import ast
import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from rssi_exec import serve  # noqa: E402


def file(folder, name, content):
    for path in sorted(Path(folder).rglob(name)):
        if content in path.read_text():
            return path
    sys.exit(f"{folder}: no file {name} with {content}")


def constant(path, name):
    """The constant of a file that is not run, since it imports the integration."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Assign):
            targets, values = (one.elts if isinstance(one, ast.Tuple) else [one] for one in (node.targets[0], node.value))
            for target, value in zip(targets, values):
                if getattr(target, "id", None) == name:
                    return ast.literal_eval(value)
    sys.exit(f"{path}: no constant {name}")


specification = importlib.util.spec_from_file_location("util", file(sys.argv[1], "util.py", "def rssi_to_metres("))
util = importlib.util.module_from_spec(specification)
specification.loader.exec_module(util)
constants = file(sys.argv[1], "const.py", "DEFAULT_REF_POWER")
power, attenuation, radius = (constant(constants, f"DEFAULT_{name}") for name in ("REF_POWER", "ATTENUATION", "MAX_RADIUS"))


def make(site):
    anchors = {anchor["anchor"]: anchor for anchor in site["anchors"] if "x_m" in anchor}

    def locate(heard, _):
        ranges = [(util.rssi_to_metres(level["rssi_dbm"], power, attenuation), level["anchor"])
                  for level in heard if level["anchor"] in anchors]
        distance, nearest = min(ranges, default=(float("inf"), None))
        if distance > radius:
            return None
        return (anchors[nearest]["x_m"], anchors[nearest]["y_m"]), anchors[nearest].get("floor")
    return locate


serve(make)
