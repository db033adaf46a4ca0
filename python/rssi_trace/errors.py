"""The exceptions of the package."""

from __future__ import annotations


class TraceError(ValueError):
    """A file that is not a readable trace, or data that cannot become one."""


class RSSIError(RuntimeError):
    """A stage of `rssi` that ended with an error.

    >>> raise RSSIError(66, "walks.h5: no such file")
    Traceback (most recent call last):
    rssi_trace.errors.RSSIError: walks.h5: no such file (exit code 66)
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        """The exit code: 64 usage, 65 data, 66 no input, 69 unavailable, 70 internal, 74 input or output, 77 permission."""
        self.message = message
        """The message of standard error."""

    def __str__(self) -> str:
        return f"{self.message} (exit code {self.code})"
