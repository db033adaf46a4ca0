"""Columns of row numbers as columns of names."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .errors import TraceError


def named(numbers: npt.NDArray[np.int64], names: Sequence[Hashable]) -> Any:
    """Returns a categorical of names for row numbers, -1 for a missing one; equal names are one category.

    :raises IndexError: For a row number that no name has.

    >>> list(named(np.array([1, 0, -1]), ["door", "desk"]))
    ['desk', 'door', nan]
    """
    if len(numbers) and numbers.max() >= len(names):
        row = int(np.argmax(numbers >= len(names)))
        raise IndexError(f"row {row} refers to row {numbers[row]} of {len(names)}")
    objects = np.empty(len(names), dtype=object)
    objects[:] = list(names)
    codes, categories = pd.factorize(objects)
    if len(categories) < len(names):
        numbers = np.append(codes, -1)[numbers]
    return pd.Categorical.from_codes(numbers, pd.Index(categories))


def require_known(names: Iterable[Any], known: Collection[str], what: str, where: str = "") -> None:
    """Raises for a name that the trace does not have.

    >>> require_known(["door", "dor"], ["door", "desk"], "beacon")
    Traceback (most recent call last):
    rssi_trace.errors.TraceError: unknown beacon "dor"; the trace has door, desk
    """
    found = frozenset(known)
    for name in names:
        if name not in found:
            shown = ", ".join(list(known)[:8]) + (", …" if len(known) > 8 else "")
            raise TraceError(f'{where}unknown {what} "{name}"; the trace has {shown}')
