"""Open files in DuckDB, and explain each of its errors in one sentence."""

from __future__ import annotations

import csv
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from howsure.data.read.formats.declare import Scan, Wanted
from howsure.data.read.formats.json_lines import NO_OBJECT
from howsure.data.read.paths import Files, locate
from howsure.data.read.scan_progress import is_watched, scan_progress
from howsure.errors import HowsureError
from howsure.sql import open_database


@contextmanager
def open_files(data: Any, format_name: str | None, wanted: Wanted = ()) -> Iterator[Callable[[Wanted], Scan]]:
    """Open files, and yield a function that scans their columns."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="howsure-") as folder:
        files = locate(data, format_name, folder, wanted)
        try:
            with open_database(files=files.names, watched=is_watched()) as database, scan_progress(database):
                yield partial(files.format.scan, database, files)
        except duckdb.Error as error:
            raise HowsureError(_sentence(str(error), files)) from None


def _sentence(message: str, files: Files) -> str:
    match = re.search(r"(?m)^\s*file = (.*)$|in file \"([^\"]*)\"", message)
    path = "" if match is None else match[1] or match[2]
    name = next((name for local, name in files.names.items() if os.path.abspath(local) == path), files.title)
    start = f"{name!r} cannot be read as {files.format.title}"
    line = re.search(r"CSV Error on Line: (\d+)\nOriginal Line: (.*?)\n(?=\n?[A-Z][^\n]*\n)", message, re.DOTALL)
    skipped = re.search(r"skip_rows = (\d+)", message)
    row = int(line[1]) - 1 - int(skipped[1] if skipped else 0) if line else 0
    columns = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if line and columns:
        # DuckDB stops counting at the first surplus column.
        separator = (re.search(r"(?m)^\s*delimiter = (.)", message) or ["", ","])[1]
        width = int(columns[2])
        with suppress(csv.Error):  # raised if a cell exceeds 131,072 characters
            width = max(width, len(next(csv.reader([line[2]], delimiter=separator), [])))
        return f"{start}: it must have {columns[1]} columns in each row, as in its heading, but row {row} has {width}."
    if line and "unterminated quote" in message:
        return f"{start}: a quote in row {row} is not closed."
    if line and "not utf-8" in message:
        return f"{start}: row {row} is not in UTF-8; save it as UTF-8."
    if "reached an invalid state" in message:
        return f"{start}: it has different line ends, or a quote in a wrong position; save it again."
    long_line = re.search(r"Maximum line size of (\d+) bytes exceeded", message)
    if long_line:
        where = f"row {row}" if line else "a row"
        return f"{start}: {where} has more than {int(long_line[1]):,} bytes, which is the limit."
    malformed = re.search(r"Malformed JSON.*?(line \d+|record/value \d+): ([^\n.]*)", message)
    if malformed:
        return f"{start}: near {malformed[1]} it is not valid JSON ({malformed[2]})."
    duplicate = re.search(r"(?:in (line \d+): Object .* )?has duplicate key(?: \"(.*)\")?", message)
    if duplicate:
        key, line_number = repr(duplicate[2]) if duplicate[2] else "a name", duplicate[1] or "one line"
        return f"{start}: {key} occurs twice in {line_number}; each object must have it once."
    if "Expected OBJECT" in message:
        return f"{start}: {NO_OBJECT}."
    first = next((line.strip() for line in message.splitlines() if line.strip()), "unknown reason")
    reason = re.sub(r"^[A-Za-z -]+ Error: ", "", first).rstrip(".")
    return f"{start}: {reason.replace(path, name) if path else reason}."
