"""Columns of files in SQL, as each format of files provides them.

Text is read as text and JSON as JSON, so that nothing depends on a type guessed from the first rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from assay.data.read.names import check_column
from assay.errors import listing

if TYPE_CHECKING:
    import duckdb

    from assay.data.read.paths import Files

MOST_ROWS = 4  # named in an error sentence
Wanted = Iterable[tuple[str, str]]  # the role and the name of each column


class Scan(ABC):
    """The wanted columns of some files. In SQL each has a short name of our own, which ``alias`` gives."""

    text_labels = False  # cells are text, and all labels of a column tell together what they mean
    missing_words: frozenset[str] = frozenset()  # labels that other programs write for a missing one

    def __init__(self, database: duckdb.DuckDBPyConnection, files: Files, wanted: Wanted) -> None:
        self.database = database
        self.files = files
        self.wanted = tuple(wanted)
        names = dict.fromkeys(name for _, name in self.wanted)
        self.aliases = {name: f"c{index}" for index, name in enumerate(names)}

    def check_columns(self, columns: Sequence[str]) -> None:
        for role, name in self.wanted:
            check_column(role, name, columns, repr(self.files.title))

    @abstractmethod
    def columns(self) -> list[str]:
        """Give the names of all columns."""

    @abstractmethod
    def scan(self, paths: Sequence[str] | None = None) -> str:
        """SQL for the wanted columns of all files, in the order of their rows."""

    def label(self, cell: Any, name: str) -> Any:
        """Give the label that a cell of the column ``name`` holds."""
        return cell

    def alias(self, name: str) -> str:
        return self.aliases[name]

    def text(self, name: str) -> str:
        """SQL for a cell as text, without quotes."""
        return f"CAST({self.aliases[name]} AS VARCHAR)"

    def number(self, name: str) -> str:
        """SQL for a cell as a real number; NULL where it is none."""
        # Trimmed, because DuckDB 2.0 hands a bare cast to its text reader, which fails where TRY_CAST gives NULL.
        return f"TRY_CAST(trim({self.text(name)}) AS DOUBLE)"

    def is_whole(self, name: str) -> str:
        """SQL for whether a cell is written as a whole number."""
        return f"regexp_full_match(trim({self.text(name)}), '[0-9]+')"

    def fetch(self, query: str) -> list[Any]:
        return self.database.execute(query).fetchall()

    def rows_where(self, condition: str) -> tuple[str, list[int]]:
        """Give the file and the first rows for which a condition holds, counted from 1 below any heading."""
        for path in self.files.names:
            rows = self.fetch(
                f"SELECT row FROM (SELECT row_number() OVER () AS row, * FROM {self.scan([path])}) "
                f"WHERE {condition} LIMIT {MOST_ROWS + 1}"
            )
            if rows:
                return path, [int(row) for (row,) in rows]
        return self.files.title, []

    def where(self, condition: str) -> str:
        """Say where a condition holds: "row 2, 4 of 'f.csv'"."""
        path, rows = self.rows_where(condition)
        more = " and more" if len(rows) > MOST_ROWS else ""
        return f"row {listing(rows[:MOST_ROWS], MOST_ROWS)}{more} of {self.files.names.get(path, path)!r}"

    def first_where(self, name: str, condition: str) -> str:
        """Quote the first cell for which a condition holds, and say where it is."""
        path, rows = self.rows_where(condition)
        cells = self.fetch(f"SELECT {self.aliases[name]} FROM {self.scan([path])} LIMIT 1 OFFSET {rows[0] - 1}")
        cell = None if not cells else cells[0][0]
        content = "empty" if cell is None else repr(self.plain(cell))
        return f"{content} in row {rows[0]} of {self.files.names.get(path, path)!r}"

    def plain(self, cell: Any) -> Any:
        """Give the value of a cell for an error sentence."""
        return cell
