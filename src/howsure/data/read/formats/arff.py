"""ARFF files, which are converted to CSV.

SciPy's reader rejects text attributes, and DuckDB's accepts only one kind of quote, without a space before it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from functools import partial
from typing import TextIO

from howsure.data.read.column_names import check_column
from howsure.data.read.compression import open_text
from howsure.data.read.formats.declare import Format, Wanted, declare_format
from howsure.data.read.formats.text import Text
from howsure.errors import HowsureError

QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
ATTRIBUTE = re.compile(rf"@attribute\s+(?:{QUOTED}|(\S+))\s+[^\s'\"]", re.IGNORECASE)
VALUE = re.compile(rf"\s*(?:{QUOTED}|([^'\",\s][^,]*|))\s*(,|$)")
DATA = re.compile(r"^\s*@data", re.IGNORECASE | re.MULTILINE)
NO_DATA = "{!r} is not ARFF: it has no line '@data'."
ESCAPE = re.compile(r"\\(.)")
LONGEST_LINE = 1 << 24  # maximum number of characters in a line
CONTROL = {"n": "\n", "r": "\r", "t": "\t"}


def arff_to_csv(file: TextIO, name: str, out: TextIO) -> None:
    """Write an ARFF file as CSV, with empty cells for missing values."""
    try:
        columns = _heading(file, name)
        writer = csv.writer(out)
        writer.writerow(columns)
        for number, row in enumerate(_rows(file, name), start=1):
            if len(row) != len(columns):
                raise HowsureError(
                    f"{name!r} must have {len(columns)} values in each row, as in its heading, "
                    f"not {len(row)} in row {number}."
                )
            writer.writerow(row)
    except UnicodeError:
        raise HowsureError(f"{name!r} cannot be read as ARFF: it is not in UTF-8; save it as UTF-8.") from None


def check_start(path: str, name: str, wanted: Wanted) -> None:
    """Reject a file whose heading lacks a column."""
    with open_text(path, name) as file:
        text = file.read()
    if not DATA.search(text):
        raise HowsureError(NO_DATA.format(name))
    columns = _heading(io.StringIO(text), name)
    for column, role in wanted:
        check_column(role, column, columns, repr(name))


def _lines(file: TextIO, name: str) -> Iterator[str]:
    """Yield the lines; reject an endless line before it fills the memory."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise HowsureError(
                f"{name!r} cannot be read as ARFF: it has a line of more than {LONGEST_LINE:,} characters."
            )
        yield line


def _heading(file: TextIO, name: str) -> list[str]:
    columns: list[str] = []
    for number, line in enumerate(_lines(file, name), start=1):
        start = line.strip().lower()
        if start.startswith("@attribute"):
            match = ATTRIBUTE.match(line.strip())
            if not match:
                raise HowsureError(f"{name!r} is not ARFF: line {number} declares no attribute that can be read.")
            single, double, plain = match.groups()
            columns.append(plain if plain is not None else _unescape(single if single is not None else double))
        elif start.startswith("@data"):
            return columns
    raise HowsureError(NO_DATA.format(name))


def _rows(file: TextIO, name: str) -> Iterator[list[str]]:
    lines = (line.strip() for line in _lines(file, name))
    for number, line in enumerate((line for line in lines if line and not line.startswith("%")), start=1):
        if line.startswith("{"):
            raise HowsureError(f"{name!r} is sparse ARFF, which cannot be read; save it with all values.")
        if "'" in line or '"' in line:
            yield _split_quoted(line, number, name)
        else:
            yield ["" if value == "?" else value for value in map(str.strip, line.split(","))]


def _split_quoted(line: str, number: int, name: str) -> list[str]:
    """Split a line with quotes; only an unquoted question mark is missing."""
    values, start, separator = [], 0, ","
    while separator == ",":
        match = VALUE.match(line, start)
        if match is None:
            raise HowsureError(f"{name!r} cannot be read as ARFF: a quote in row {number} is not closed.")
        single, double, plain, separator = match.groups()
        if plain is None:
            values.append(_unescape(single if single is not None else double))
        else:
            values.append("" if plain.strip() == "?" else plain.strip())
        start = match.end()
    return values


def _unescape(text: str) -> str:
    return ESCAPE.sub(lambda match: CONTROL.get(match[1], match[1]), text)


scan = partial(Text, separators=(",",), missing_words=frozenset())  # only '?' is missing; NA is a label
declare_format(Format("arff", "ARFF", (".arff",), scan, rewrite=arff_to_csv, check_start=check_start))
