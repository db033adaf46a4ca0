"""The layout of a new trace in HDF5: fixed-length texts, chunked and compressed columns, one scale per table."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from . import schema
from .times import to_seconds


class NewFile:
    """A file that is being written."""

    def __init__(self, file: h5py.File) -> None:
        self.file = file

    def set_attributes(self, attributes: dict[str, Any]) -> None:
        for name, value in attributes.items():
            _set(self.file, name, value)


@contextlib.contextmanager
def new_file(path: Path, overwrite: bool, shown: str) -> Iterator[NewFile]:
    """Opens a new file under a temporary name in the same folder, and renames it when it is complete.

    :param path: The final place, without symbolic links.
    :param shown: The path in messages.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    old = path.stat() if overwrite and path.exists() else None
    # Created first, with the permissions of any new file of the user; a private file stays private while it is written.
    mode = 0o666 if old is None else old.st_mode & 0o777 | 0o600
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, mode))
    except FileNotFoundError:
        raise FileNotFoundError(f"{shown}: the folder {path.parent} does not exist; create it first") from None
    except OSError as error:
        raise type(error)(error.errno, f"cannot write in the folder ({error.strerror})", str(path.parent)) from None
    try:
        # The newest format that HDF5 1.10 can read, as the program writes it.
        with h5py.File(temporary, "w", libver=("v110", "v110"), locking=False) as file:
            yield NewFile(file)
        descriptor = os.open(temporary, os.O_RDONLY | os.O_CLOEXEC)
        try:
            if old is not None:
                _inherit(descriptor, old)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if overwrite:
            os.replace(temporary, path)
            return
        try:
            os.link(temporary, path)  # unlike a renaming, never replaces a file
        except FileExistsError:
            raise FileExistsError(f"{shown}: file exists; use overwrite=True to replace it") from None
        except OSError:  # a file system without links
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _inherit(descriptor: int, old: os.stat_result) -> None:
    """Gives a file the permissions of an older one and, as far as the user may set them, its owner and group."""
    mode = old.st_mode & 0o777
    try:
        os.fchown(descriptor, -1, old.st_gid)
    except OSError:
        # The permissions of the old group must not apply to another group.
        mode &= ~0o070 | (mode & 0o007) << 3
    with contextlib.suppress(OSError):
        os.fchown(descriptor, old.st_uid, -1)
    os.fchmod(descriptor, mode)


def write_table(new: NewFile, name: str, columns: dict[str, Any], start_s: int) -> None:
    """Writes a table of the schema; without columns it has no rows."""
    group = new.file.create_group(name) if name not in new.file else new.file[name]
    units = "seconds since " + np.datetime64(start_s, "s").item().isoformat(" ")
    scale: h5py.Dataset | None = None
    for column in schema.TABLES[name]:
        values = columns.get(column.name, [])
        if column.is_occasional and _are_missing(np.asarray(values), column.missing):
            continue
        if column.units == schema.TIME and len(values):
            values = to_seconds(np.asarray(values), start_s)
        dataset = _create(group, column, values, name in schema.LONG)
        _set(dataset, "units", units if column.units == schema.TIME else column.units)
        _set(dataset, "description", column.description)
        if column.missing and column.missing == column.missing:
            dataset.attrs.create("_FillValue", column.missing, dtype="<" + column.dtype)
        if scale is None:
            scale = dataset
            dataset.make_scale(column.name)
        else:
            dataset.dims[0].attach_scale(scale)


def _are_missing(values: npt.NDArray[Any], missing: float | None) -> bool:
    return bool((np.isnan(values.astype(float)) if missing != missing else values == missing).all())


def _create(group: h5py.Group, column: schema.Column, values: Any, is_long: bool) -> h5py.Dataset:
    if column.dtype[0] == "S":
        width = int(column.dtype[1:])
        dtype = h5py.string_dtype("utf-8", width)
        data = np.array([_fitted(text, width) for text in values], dtype=dtype)
        rows = max(1, 16_384 // width)
    else:
        dtype = np.dtype("<" + column.dtype)
        data = np.asarray(values).astype(dtype)
        rows = 65_536 if is_long else 1_024
    fill = {} if column.missing is None else {"fillvalue": np.array(column.missing, dtype)}
    return group.create_dataset(column.name, data=data, dtype=dtype, maxshape=(None,), chunks=(rows,), shuffle=True,
                                compression="gzip", compression_opts=1, **fill)


def _fitted(text: str, width: int) -> bytes:
    """Returns a text in UTF-8; one for people that is too long ends in an ellipsis."""
    whole = text.replace("\0", "\ufffd").encode("utf-8", "replace")
    if len(whole) <= width:
        return whole
    mark = "…".encode()
    return whole[:width - len(mark)].decode("utf-8", "ignore").encode() + mark


def _set(item: h5py.HLObject, name: str, value: Any) -> None:
    """Sets an attribute; texts have a fixed length, which readers of a growing file need."""
    if isinstance(value, str):
        encoded = value.encode("utf-8", "replace")
        item.attrs.create(name, np.bytes_(encoded), dtype=h5py.string_dtype("utf-8", max(1, len(encoded))))
    else:
        item.attrs.create(name, value, dtype=value.dtype.newbyteorder("<"))
