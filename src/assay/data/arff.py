"""ARFF, rewritten as CSV: its heading names the columns, its data are text with quotes of their own kind.

SciPy's reader takes no text attributes, and DuckDB's text reader no blank before a quote; Python's takes both.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import TextIO

from assay.errors import AssayError

ATTRIBUTE = re.compile(r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s+\S""", re.IGNORECASE)


def arff_to_csv(path: str, shown: str, target: str) -> None:
    """Write the data of an ARFF file as CSV, with a heading and with missing values left empty."""
    try:
        with open(path, encoding="utf-8") as file, open(target, "w", encoding="utf-8", newline="") as out:
            names = _heading(file, shown)
            writer = csv.writer(out)
            writer.writerow(names)
            for number, row in enumerate(_rows(file, shown), start=1):
                if len(row) != len(names):
                    raise AssayError(
                        f"{shown!r} must have {len(names)} values in each row, as its heading says, "
                        f"not {len(row)} in row {number}."
                    )
                writer.writerow("" if value == "?" else value for value in row)
    except UnicodeDecodeError:
        raise AssayError(f"{shown!r} cannot be read as ARFF: it is not in UTF-8.") from None


def _heading(file: TextIO, shown: str) -> list[str]:
    names: list[str] = []
    for number, line in enumerate(iter(file.readline, ""), start=1):
        start = line.strip().lower()
        if start.startswith("@attribute"):
            found = ATTRIBUTE.match(line.strip())
            if not found:
                raise AssayError(f"{shown!r} is not ARFF: line {number} declares no attribute that can be read.")
            names.append(next(part for part in found.groups() if part is not None))
        elif start.startswith("@data"):
            return names
    raise AssayError(f"{shown!r} is not ARFF: it has no line '@data'.")


def _rows(file: TextIO, shown: str) -> Iterator[list[str]]:
    lines = (line for line in file if line.strip() and not line.lstrip().startswith("%"))
    for row in csv.reader(lines, quotechar="'", escapechar="\\", skipinitialspace=True):
        if row[0].startswith("{"):
            raise AssayError(f"{shown!r} is sparse ARFF, which cannot be read; save it with all values.")
        yield [value.strip() for value in row]
