"""The opening of a file that may be written at the same time, or be of another kind."""

from __future__ import annotations

import fcntl
import os
import struct

import h5py

from .errors import TraceError


def is_being_written(path: str) -> bool:
    """Returns true if a capture is writing the file now, by its lock (an open file description lock of Linux)."""
    command = getattr(fcntl, "F_OFD_GETLK", None)
    if command is None:
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        question = struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, 0, 1 << 62, 0)
        answer = fcntl.fcntl(descriptor, command, question)
        return bool(struct.unpack("hhqqi", answer)[0] != fcntl.F_UNLCK)
    except OSError:
        return False
    finally:
        os.close(descriptor)


def opened(path: str, is_live: bool) -> h5py.File:
    """Opens an HDF5 file for reading, or raises with its actual kind and what to do."""
    with open(path, "rb") as file:  # raises the errors of a missing or unreadable file
        head = file.read(12)
    if head[:8] == b"rssiwal1":
        raise TraceError(f"{path}: a write-ahead log; open the trace {path.removesuffix('.wal')}")
    if head[:8] != b"\x89HDF\r\n\x1a\n":
        raise TraceError(f"{path}: not an HDF5 file; convert recordings and tables with `rssi import {path} -o trace.h5`")
    is_marked = len(head) == 12 and head[8] >= 3 and head[11] != 0
    try:
        return h5py.File(path, "r", locking="best-effort", swmr=is_live and is_marked)
    except (OSError, RuntimeError, ValueError, KeyError, SystemError) as error:
        if is_marked:
            raise TraceError(f"{path}: its capture was stopped before it closed the file; "
                             f"run `rssi repair {path} -o repaired.h5` and open that") from error
        raise TraceError(f"{path}: damaged or truncated HDF5 file ({error}); copy it again from its source") from error
