"""Unexpected errors: a message for the user, and a report to send to the developers."""

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

EXIT = 70  # EX_SOFTWARE in sysexits.h
LIBRARIES = ("numpy", "scipy", "scikit-learn", "narwhals", "duckdb", "matplotlib", "click")


def describe(error: BaseException) -> str:
    """Write the report, and return a message with its path."""
    if isinstance(error, MemoryError):
        reason = "out of memory"
    elif isinstance(error, RecursionError):
        reason = "the input is nested too deeply"
    else:
        reason = f"internal error ({type(error).__name__}); your input is not to blame"
    return f"{reason}; {_written(report(error))}."


def report(error: BaseException) -> str:
    """Return the versions, command line and traceback, but no data."""
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
        return f"the report could not be written: {system_reason(error)}"
    return f"please send us the report {path}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
