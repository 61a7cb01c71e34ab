"""Results with a row for each score of the data: frames and CSV are made of whole columns, not of records.

A record for each of a million rows is a million dictionaries. Small results are written as all others are; the text of
large ones, which is the same to the last letter, is put together by DuckDB.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.frames import frame_of
from howsure.present.result import Result
from howsure.present.sheet import Sheet, is_missing
from howsure.present.value_text import guard_formula
from howsure.sql import open_database

if TYPE_CHECKING:
    from howsure.arrays import Array
    from howsure.present.sheet import Record

LARGE = 10_000  # rows from which on starting a database pays
KINDS = "iufO"  # numbers, which DuckDB writes as Python does, and names


class Columnar(Result):
    """A result of columns that are all of one length, such as a curve.

    Examples
    --------
    >>> import howsure
    >>> curve = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).roc()
    >>> list(curve.columns())
    ['x', 'y', 'threshold']
    """

    def columns(self) -> dict[str, Array]:
        """Give the columns: numbers, or objects where they are names.

        Returns
        -------
        dict of arrays
            By name, all of one length.
        """
        raise NotImplementedError

    @property
    def _has_columns(self) -> bool:
        """There are rows, and all of them have the same columns."""
        return True

    def records(self) -> list[Record]:
        columns = self.columns()
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def frame(self, like: str | None = None) -> Any:
        """Give every digit as a data frame: of the library named by ``like``, else of the one the data came in."""
        if not self._has_columns:
            return super().frame(like)
        # Copies, as libraries may take an array as it is: nobody's change of the one should change the other.
        columns = {name: _plain(column.copy()) for name, column in self.columns().items()}
        return frame_of(columns, self._library if like is None else like)

    def to_csv(self, *, spreadsheet: bool = False) -> str:  # type: ignore[override]
        """Give every digit as CSV; with ``spreadsheet``, an apostrophe before text that would start a formula."""
        columns = self.columns() if self._has_columns else {}
        is_large = all(len(column) >= LARGE and column.dtype.kind in KINDS for column in columns.values())
        if not columns or not is_large:
            return super().to_csv(spreadsheet=spreadsheet)
        head = Sheet(list(columns), []).to_csv(spreadsheet=spreadsheet)
        return f"{head}\n{large_csv(columns, spreadsheet=spreadsheet)}"


def _plain(column: Array) -> Any:
    """Give numbers the width that Python's own have, and objects as a list, whose type a library finds by itself."""
    if column.dtype.kind in "iu":
        return column.astype(np.int64, copy=False)
    return column.astype(np.float64, copy=False) if column.dtype.kind == "f" else column.tolist()


def large_csv(columns: Mapping[str, Array], *, spreadsheet: bool) -> str:
    """Write the rows of columns without their head; a missing number leaves its cell empty."""
    numbers: dict[str, Array] = {}
    words: list[list[str]] = []  # the cells of a column of names, each once
    cells = []
    for number, column in enumerate(columns.values()):
        name = f"column{number}"
        if column.dtype.kind == "O":
            numbers[name], distinct = _codes(column)
            words.append([_cell(value, spreadsheet=spreadsheet) for value in distinct])
            cells.append(f"${len(words)}[{name} + 1]")
        else:
            numbers[name] = np.ascontiguousarray(_plain(column))
            cells.append(f"coalesce({name}::VARCHAR, '')")
    with open_database() as database:
        database.register("points", numbers)
        row = " || ',' || ".join(cells)
        lines = database.execute(f"SELECT {row} AS line FROM points", words).fetchnumpy()["line"]
    return "\n".join(lines.tolist())


def _codes(values: Array) -> tuple[Array, Sequence[Any]]:
    """Number the different values, of which there are few."""
    known: dict[Any, int] = {}
    codes = np.array([known.setdefault(value, len(known)) for value in values.tolist()], np.int64)
    return codes, list(known)


def _cell(value: Any, *, spreadsheet: bool) -> str:
    """Write a name as a cell of CSV, in quotes where it needs some."""
    written: list[str] = []
    guarded = guard_formula(value) if spreadsheet else value
    # A cell that is alone in its row would have quotes of its own.
    csv.writer(_Written(written), lineterminator="\r\n").writerow(["" if is_missing(value) else guarded, ""])
    return written[0].removesuffix(",\r\n")


class _Written:
    """What a CSV writer writes to."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def write(self, line: str) -> None:
        self._lines.append(line)
