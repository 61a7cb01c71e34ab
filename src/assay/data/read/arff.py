"""ARFF, rewritten as CSV: its heading names the columns, its data are text with quotes of two kinds.

SciPy's reader takes no text attributes, and DuckDB's text reader no blank before a quote and only one kind of quote.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import TextIO

from assay.errors import AssayError

QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
ATTRIBUTE = re.compile(rf"@attribute\s+(?:{QUOTED}|(\S+))\s+\S", re.IGNORECASE)
VALUE = re.compile(rf"\s*(?:{QUOTED}|([^'\",][^,]*|))\s*(,|$)")
ESCAPE = re.compile(r"\\(.)")
CONTROL = {"n": "\n", "r": "\r", "t": "\t"}


def arff_to_csv(file: TextIO, shown: str, target: str) -> None:
    """Write the data of an ARFF file as CSV, with a heading and with missing values left empty."""
    with open(target, "w", encoding="utf-8", newline="") as out:
        try:
            names = _heading(file, shown)
            writer = csv.writer(out)
            writer.writerow(names)
            for number, row in enumerate(_rows(file, shown), start=1):
                if len(row) != len(names):
                    raise AssayError(
                        f"{shown!r} must have {len(names)} values in each row, as its heading says, "
                        f"not {len(row)} in row {number}."
                    )
                writer.writerow(row)
        except UnicodeError:
            raise AssayError(f"{shown!r} cannot be read as ARFF: it is not in UTF-8; save it as UTF-8.") from None


def _heading(file: TextIO, shown: str) -> list[str]:
    names: list[str] = []
    for number, line in enumerate(iter(file.readline, ""), start=1):
        start = line.strip().lower()
        if start.startswith("@attribute"):
            found = ATTRIBUTE.match(line.strip())
            if not found:
                raise AssayError(f"{shown!r} is not ARFF: line {number} declares no attribute that can be read.")
            single, double, plain = found.groups()
            names.append(plain if plain is not None else _unescaped(single if single is not None else double))
        elif start.startswith("@data"):
            return names
    raise AssayError(f"{shown!r} is not ARFF: it has no line '@data'.")


def _rows(file: TextIO, shown: str) -> Iterator[list[str]]:
    lines = (line.strip() for line in file)
    for number, line in enumerate((line for line in lines if line and not line.startswith("%")), start=1):
        if line.startswith("{"):
            raise AssayError(f"{shown!r} is sparse ARFF, which cannot be read; save it with all values.")
        if "'" in line or '"' in line:
            yield _quoted(line, number, shown)
        else:
            yield ["" if value == "?" else value for value in map(str.strip, line.split(","))]


def _quoted(line: str, number: int, shown: str) -> list[str]:
    """Split a line with quotes; a question mark in quotes is a label, one without is none."""
    values, place, end = [], 0, ","
    while end == ",":
        found = VALUE.match(line, place)
        if found is None:
            raise AssayError(f"{shown!r} cannot be read as ARFF: a quote in row {number} is not closed.")
        single, double, plain, end = found.groups()
        if plain is None:
            values.append(_unescaped(single if single is not None else double))
        else:
            values.append("" if plain.strip() == "?" else plain.strip())
        place = found.end()
    return values


def _unescaped(text: str) -> str:
    return ESCAPE.sub(lambda found: CONTROL.get(found[1], found[1]), text)
