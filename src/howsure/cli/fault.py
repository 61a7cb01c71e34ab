"""What is said of an error that nobody foresaw: a sentence for the user, and a report to send to us."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

from howsure._version import __version__
from howsure.errors import system_reason

EXIT = 70  # what sysexits.h calls an internal software error
LIBRARIES = ("numpy", "scipy", "scikit-learn", "narwhals", "duckdb", "matplotlib", "click")


def describe(error: BaseException) -> str:
    """Say in a sentence what happened, and where the report is."""
    if isinstance(error, MemoryError):
        what = "the memory of this machine did not suffice for this"
    elif isinstance(error, RecursionError):
        what = "something here is nested deeper than Python can follow"
    else:
        what = f"this is a fault of howsure, not of your input ({type(error).__name__})"
    return f"{what}; {_written(report(error))}."


def report(error: BaseException) -> str:
    """Give what we need to find the fault: versions, the command line and the traceback, and nothing of the data."""
    lines = [
        f"howsure {__version__}, Python {platform.python_version()}, {platform.platform()}",
        ", ".join(f"{name} {_version(name)}" for name in LIBRARIES),
        f"command line: {sys.argv[1:]!r}",
        "",
        *traceback.format_exception(error),
    ]
    return "\n".join(line.rstrip("\n") for line in lines) + "\n"


def _written(text: str) -> str:
    path = ""
    try:
        handle, path = tempfile.mkstemp(prefix="howsure-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        with suppress(OSError):
            os.unlink(path)
        return f"a report could not be written: {system_reason(error)}"
    return f"please send us the report {path}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
