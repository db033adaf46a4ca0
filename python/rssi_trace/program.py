"""Stages of the program `rssi`, run from Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import timedelta
from functools import lru_cache
from typing import Any

from ._version import __version__
from .errors import RSSIError

JSON_STAGES = frozenset([
    "advertise", "beacons", "calibrate", "capture", "doctor", "eval", "filter", "fit", "import", "info", "locate", "map", "merge",
    "pack", "repair", "simulate", "watch"])
"""The stages whose output is one JSON document with `--json`."""


def run(stage: str, *arguments: str | os.PathLike[str], **options: Any) -> dict[str, Any]:
    """Runs a stage of `rssi` to its end and returns its JSON document.

    The program is the environment variable `RSSI`, or the one on the `PATH`. No shell is involved. What the program writes on
    standard error, such as warnings, is shown there.

    :param stage: The stage, such as `eval`.
    :param arguments: Files, and other arguments as they are.
    :param options: `cross_validate="traces"` is `--cross-validate traces`, `full=True` is `--full`, a list repeats an option,
        and `None` or `False` omits it. Add `_` to names that Python reserves: `from_="+5s"`. A `timedelta` is a duration.
    :return: The document; empty for a stage without one.
    :raises RSSIError: With the exit code and the message of standard error, or 69 if there is no suitable program.

    ```python
    rt.run("import", "walk.btsnoop", nodes="nodes.csv", truth="truth.csv", output="walks.h5")
    figures = rt.run("eval", "walks.h5", cross_validate="traces")
    ```
    """
    command = [program(), stage, *(os.fspath(argument) for argument in arguments), *_options(options)]
    if stage in JSON_STAGES and "--json" not in command:
        command.append("--json")
    result = _completed(command)
    if result.returncode:
        code = result.returncode if result.returncode > 0 else 128 - result.returncode
        message = result.stderr.strip().removeprefix("rssi: ") or f"rssi {stage} ended without a message"
        raise RSSIError(code, message)
    sys.stderr.write(result.stderr)
    if stage not in JSON_STAGES:
        return {}
    try:
        document = json.loads(result.stdout)
    except ValueError as error:
        raise RSSIError(70, f"rssi {stage}: invalid JSON ({error})") from error
    return document if isinstance(document, dict) else {"items": document}


def program() -> str:
    """Returns the path of the program, whose version was checked.

    :raises RSSIError: With code 69 if it is missing, or older than the package.
    """
    name = os.environ.get("RSSI") or "rssi"
    path = shutil.which(name)
    if path is None:
        advice = "set it to the program" if os.environ.get("RSSI") else "install it, or set RSSI to its path"
        raise RSSIError(69, f"{name}: program not found on the PATH; {advice}")
    _require_version(path, os.stat(path).st_mtime_ns)
    return path


@lru_cache
def _require_version(path: str, changed: int) -> None:
    """Raises for a program that is older than the package, or of another major version."""
    output = _completed([path, "--version"]).stdout
    found = output.split()[0] if output.split() else ""
    try:
        theirs, ours = ([int(part) for part in version.split(".")] for version in (found, __version__))
    except ValueError:
        raise RSSIError(69, f"{path}: not the program rssi (version {found!r})") from None
    if theirs[0] != ours[0] or theirs < ours:
        raise RSSIError(69, f"{path}: version {found}, expected {__version__} or later; update rssi or rssi-trace")


def _completed(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        raise RSSIError(69, f"{command[0]}: cannot be run ({error})") from error


def _options(options: dict[str, Any]) -> list[str]:
    """Returns options as words of a command line.

    >>> _options({"cross_validate": "traces", "full": True, "window": timedelta(seconds=2), "algorithm": ["centroid", "epta"]})
    ['--cross-validate', 'traces', '--full', '--window', '2s', '--algorithm', 'centroid', '--algorithm', 'epta']
    """
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            words.append(option)
            if one is not True:
                words.append(_text(one))
    return words


def _text(value: Any) -> str:
    if isinstance(value, timedelta):
        return f"{value.total_seconds():.9f}".rstrip("0").rstrip(".") + "s"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
