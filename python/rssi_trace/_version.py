"""The version of the package, equal to that of the program."""

__version__ = "0.1.0"
