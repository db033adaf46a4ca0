"""Stages of the program `rssi`, run from Python."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import Any, Literal, get_args, overload

import numpy as np
import pandas as pd

from ._version import __version__
from .errors import RSSIError

JSONStage = Literal[
    "advertise", "beacons", "calibrate", "capture", "doctor", "eval", "filter", "fit", "import", "info", "locate", "map", "merge",
    "pack", "repair", "simulate", "watch"]
JSON_STAGES = frozenset(get_args(JSONStage))
"""The stages whose output is one JSON document with `--json`."""

Argument = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@overload
def run(stage: JSONStage, *arguments: Argument, **options: Any) -> dict[str, Any]: ...
@overload
def run(stage: str, *arguments: Argument, **options: Any) -> dict[str, Any] | str: ...


def run(stage: str, *arguments: Argument, **options: Any) -> dict[str, Any] | str:
    """Runs a stage of `rssi` to its end and returns its JSON document.

    The program is the environment variable `RSSI`, or the one on the `PATH`. No shell is involved. What the program writes on
    standard error, such as warnings, is shown there. An interrupt (Ctrl-C) ends a capture as in a shell: its file is complete.

    :param stage: The stage, such as `eval`.
    :param arguments: Files, lists of files, and other arguments as they are.
    :param options: `cross_validate="traces"` is `--cross-validate traces`, `full=True` is `--full`, and `None` or `False` omits
        an option. A list repeats an option that is repeatable, and is joined by commas for others. Add `_` to names that Python
        reserves: `from_="+5s"`. A `timedelta` is a duration, a `datetime` with a time zone is a time.
    :return: The document. Stages without one (`export`, `registry`, `session`), `--help` and `--version` return the text of
        standard output.
    :raises RSSIError: With the exit code and the message of standard error, or 69 if there is no suitable program.
    :raises TypeError: For values that are not words, numbers or times, such as dictionaries.

    ```python
    rt.run("import", "walk.btsnoop", nodes="nodes.csv", truth="truth.csv", output="walks.h5")
    figures = rt.run("eval", "walks.h5", cross_validate="traces", algorithms=["centroid", "kalman"])
    text = rt.run("export", "walks.h5", format="csv")
    ```
    """
    path = program()
    command = [path, stage, *_words(arguments, f"argument of {stage}"), *_options(path, stage, options)]
    is_json = stage in JSON_STAGES and not {"--help", "-h", "--help-hidden", "--version"} & set(command)
    if is_json and "--json" not in command:
        command.append("--json")
    result = _completed(command)
    if result.returncode:
        code = result.returncode if result.returncode > 0 else 128 - result.returncode
        message = result.stderr.strip().removeprefix("rssi: ") or f"rssi {stage} ended without a message"
        raise RSSIError(code, message)
    sys.stderr.write(result.stderr)
    if not is_json:
        return result.stdout
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
    """Runs a command to its end; an interrupt is passed on once, and what the command then writes is complete."""
    try:
        # In a group of its own: a terminal interrupts the whole group, and the program ends at once on a second interrupt.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   encoding="utf-8", errors="replace", process_group=0)
    except (OSError, ValueError) as error:
        raise RSSIError(69, f"{command[0]}: cannot be run ({error})") from error
    with process:
        try:
            output, errors = process.communicate()
        except KeyboardInterrupt:
            try:
                process.send_signal(signal.SIGINT)
                sys.stderr.write(process.communicate()[1])
            except BaseException:
                process.kill()
                raise
            raise
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _options(path: str, stage: str, options: dict[str, Any]) -> list[str]:
    """Returns options as words of a command line.

    >>> _options("rssi", "eval", {"cross_validate": "traces", "full": True, "group": None, "window": timedelta(seconds=2)})
    ['--cross-validate', 'traces', '--full', '--window', '2s']
    """
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if isinstance(value, (bool, np.bool_)):
            words += [option] if value else []
            continue
        values = list(_words(value, option))
        if len(values) > 1 and option[2:] in _single_options(path, stage, os.stat(path).st_mtime_ns):
            values = [",".join(values)]
        words += [word for one in values for word in (option, one)]
    return words


@lru_cache
def _single_options(path: str, stage: str, changed: int) -> frozenset[str]:
    """Returns the options of a stage, and of the commands below it, that may be given only once."""
    text = _completed([path, stage, "--experimental-dump-help"]).stdout
    try:
        commands = [json.loads(text)["command"]]
    except (ValueError, KeyError):
        return frozenset()
    single: set[str] = set()
    repeatable: set[str] = set()
    while commands:
        command = commands.pop()
        commands += command.get("subcommands", [])
        for argument in command.get("arguments", []):
            names = {name["name"] for name in argument.get("names", []) if name["kind"] == "long"}
            (repeatable if argument["isRepeating"] else single).update(names)
    return frozenset(single - repeatable)


def _words(value: Any, what: str) -> Iterator[str]:
    """Yields a value, or the values in lists and other iterables, as words of a command line.

    >>> list(_words(["a.h5", ["b.h5", None], np.array([1, 2]), timedelta(milliseconds=500)], "argument"))
    ['a.h5', 'b.h5', '1', '2', '0.5s']
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is False:
        return
    if isinstance(value, timedelta):
        yield f"{value.total_seconds():.9f}".rstrip("0").rstrip(".") + "s"
    elif isinstance(value, datetime) and value.tzinfo is not None:
        yield value.astimezone(timezone.utc).isoformat().removesuffix("+00:00") + "Z"
    elif isinstance(value, (str, os.PathLike)):
        yield os.fsdecode(value)
    elif isinstance(value, (int, float)) and value is not True and value == value:
        yield str(value)
    elif isinstance(value, Iterable) and not isinstance(value, (Mapping, pd.DataFrame, bytes, bytearray)):
        for one in value:
            yield from _words(one, what)
    else:
        raise TypeError(f"{what}: expected a word, a number, a duration, a time with a time zone, or a list of these, "
                        f"found {value!r}")
