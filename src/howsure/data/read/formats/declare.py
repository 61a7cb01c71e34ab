"""Declarations of file formats, and scans of columns in SQL.

Text is read as text and JSON as JSON, so that no type is guessed from the first rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from howsure.data.read.column_names import check_column
from howsure.errors import listing
from howsure.registry import Registry
from howsure.sql import identifier

if TYPE_CHECKING:
    import duckdb

    from howsure.data.read.paths import Files

MAX_ROWS = 4  # maximum number of rows named in an error message
Wanted = Iterable[tuple[str, str]]  # the name and the role of each column


class Scan(ABC):
    """Columns of files, each with an SQL alias."""

    text_labels = False  # whether cells are text, whose type depends on all labels together
    missing_words: frozenset[str] = frozenset()  # words that other programs write for a missing label

    def __init__(self, database: duckdb.DuckDBPyConnection, files: Files, wanted: Wanted) -> None:
        self.database = database
        self.files = files
        self.wanted = list(wanted)
        names = dict.fromkeys(name for name, _ in self.wanted)
        self.aliases = {name: f"c{index}" for index, name in enumerate(names)}

    @abstractmethod
    def columns(self) -> list[str]:
        """Return the names of all columns."""

    @abstractmethod
    def scan(self, paths: Sequence[str] = ()) -> str:
        """Return SQL for the columns of all files, or of the given files."""

    def label(self, cell: Any, name: str) -> Any:
        """Return the label in a cell of column ``name``."""
        return cell

    def text(self, name: str) -> str:
        """Return SQL for a cell as text, without quotes."""
        return f"CAST({self.aliases[name]} AS VARCHAR)"

    def number(self, name: str) -> str:
        """Return SQL for a cell as a real number, or NULL if it is not one."""
        # Without `trim`, DuckDB 2.0 moves the cast into its text reader, which fails where TRY_CAST returns NULL.
        return f"TRY_CAST(trim({self.text(name)}) AS DOUBLE)"

    def is_whole(self, name: str) -> str:
        """Return SQL for whether a cell is written as a whole number."""
        return f"regexp_full_match(trim({self.text(name)}), '[0-9]+')"

    def check_columns(self, columns: Sequence[str]) -> None:
        for name, role in self.wanted:
            check_column(role, name, columns, repr(self.files.title))

    def select_from(self, table: str) -> str:
        """Return SQL for the columns of a table."""
        columns = ", ".join(f"{identifier(name)} AS {alias}" for name, alias in self.aliases.items())
        return f"(SELECT {columns} FROM {table})"

    def fetch(self, query: str) -> list[Any]:
        return self.database.execute(query).fetchall()

    def where(self, condition: str) -> str:
        """Return the rows where a condition holds: "row 2, 4 of 'f.csv'"."""
        path, rows = self._rows_where(condition)
        more = " and more" if len(rows) > MAX_ROWS else ""
        return f"row {listing(rows[:MAX_ROWS], MAX_ROWS)}{more} of {self.files.names.get(path, path)!r}"

    def first_where(self, name: str, condition: str) -> str:
        """Return the first cell where a condition holds, with its row and file."""
        path, rows = self._rows_where(condition)
        cells = self.fetch(f"SELECT {self.aliases[name]} FROM numbered WHERE row = {rows[0]}")
        cell = self.label(cells[0][0], name) if cells else None
        content = "empty" if cell is None else repr(cell)
        return f"{content} in row {rows[0]} of {self.files.names.get(path, path)!r}"

    def _rows_where(self, condition: str) -> tuple[str, list[int]]:
        """Return a file and its first rows for which a condition holds.

        A copy is searched, since DuckDB relies on the statistics of Parquet files, which ignore NaN.
        """
        for path in self.files.names:
            query = f"SELECT row_number() OVER () AS row, * FROM {self.scan([path])}"
            self.database.execute(f"CREATE OR REPLACE TEMP TABLE numbered AS {query}")
            rows = self.fetch(f"SELECT row FROM numbered WHERE {condition} ORDER BY row LIMIT {MAX_ROWS + 1}")
            if rows:
                return path, [int(row) for (row,) in rows]
        return self.files.title, []


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    A binary format has a ``signature``, the bytes at both ends of a file; a text format can list the characters with
    which a file ``begins``. ``rewrite(file, name, out)`` rewrites a file as CSV before it is read. In text formats,
    ``check_start(path, name, wanted)`` checks the beginning of a stream before the rest is copied.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    scan: Callable[..., Scan]
    signature: bytes = b""
    begins: str = ""
    rewrite: Callable[[TextIO, str, TextIO], None] | None = None
    check_start: Callable[[str, str, Wanted], object] | None = None


formats: Registry[Format] = Registry("format", "`howsure assess --help` lists them")


def declare_format(declared: Format) -> None:
    """Register a format under its name and file extensions."""
    formats.add(declared.name, declared, declared.endings)


def format_list(titles: bool = True) -> str:
    """List all formats: "CSV, TSV or Parquet", or "csv, tsv or parquet"."""
    *names, last = (declared.title if titles else declared.name for declared in formats.values())
    return f"{', '.join(names)} or {last}"
