"""What a format of files must provide: its declaration, and a scan of its columns in SQL.

Text is read as text and JSON as JSON, so that nothing depends on a type guessed from the first rows.
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

MOST_ROWS = 4  # named in an error sentence
Wanted = Iterable[tuple[str, str]]  # the name and the role of each column


class Scan(ABC):
    """The wanted columns of some files. In SQL each has a short name of our own, its alias."""

    text_labels = False  # cells are text, and all labels together show what each means
    missing_words: frozenset[str] = frozenset()  # labels that other programs write for a missing one

    def __init__(self, database: duckdb.DuckDBPyConnection, files: Files, wanted: Wanted) -> None:
        self.database = database
        self.files = files
        self.wanted = list(wanted)
        names = dict.fromkeys(name for name, _ in self.wanted)
        self.aliases = {name: f"c{index}" for index, name in enumerate(names)}

    @abstractmethod
    def columns(self) -> list[str]:
        """Give the names of all columns."""

    @abstractmethod
    def scan(self, paths: Sequence[str] = ()) -> str:
        """SQL for the wanted columns of all files, or of some, in the order of their rows."""

    def label(self, cell: Any, name: str) -> Any:
        """Give the label that a cell of the column ``name`` holds."""
        return cell

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

    def check_columns(self, columns: Sequence[str]) -> None:
        for name, role in self.wanted:
            check_column(role, name, columns, repr(self.files.title))

    def select_from(self, table: str) -> str:
        """SQL for the wanted columns of a table that has them under their names."""
        columns = ", ".join(f"{identifier(name)} AS {alias}" for name, alias in self.aliases.items())
        return f"(SELECT {columns} FROM {table})"

    def fetch(self, query: str) -> list[Any]:
        return self.database.execute(query).fetchall()

    def where(self, condition: str) -> str:
        """Say where a condition holds: "row 2, 4 of 'f.csv'"."""
        path, rows = self._rows_where(condition)
        more = " and more" if len(rows) > MOST_ROWS else ""
        return f"row {listing(rows[:MOST_ROWS], MOST_ROWS)}{more} of {self.files.names.get(path, path)!r}"

    def first_where(self, name: str, condition: str) -> str:
        """Quote the first cell for which a condition holds, and say where it is."""
        path, rows = self._rows_where(condition)
        cells = self.fetch(f"SELECT {self.aliases[name]} FROM looked_at WHERE row = {rows[0]}")
        cell = self.label(cells[0][0], name) if cells else None
        content = "empty" if cell is None else repr(cell)
        return f"{content} in row {rows[0]} of {self.files.names.get(path, path)!r}"

    def _rows_where(self, condition: str) -> tuple[str, list[int]]:
        """Give the file and the first rows for which a condition holds, counted from 1 below any heading.

        They are looked for in a copy: of a Parquet file DuckDB believes the least and greatest value, which know of no
        NaN, and finds none.
        """
        for path in self.files.names:
            numbered = f"SELECT row_number() OVER () AS row, * FROM {self.scan([path])}"
            self.database.execute(f"CREATE OR REPLACE TEMP TABLE looked_at AS {numbered}")
            rows = self.fetch(f"SELECT row FROM looked_at WHERE {condition} ORDER BY row LIMIT {MOST_ROWS + 1}")
            if rows:
                return path, [int(row) for (row,) in rows]
        return self.files.title, []


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    ``signature`` are the bytes at both ends of a binary format; a text format may say with which characters it
    ``begins``. A format that is rewritten first, as CSV, says how: ``rewrite(file, name, out)``. Text formats refuse by
    ``check_start(path, name, wanted)`` what the beginning of a stream shows to be of no use, before the rest is copied.
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
    """Make a format known, by its name and by its endings."""
    formats.add(declared.name, declared, declared.endings)


def format_list(titles: bool = True) -> str:
    """Name all formats: "CSV, TSV or Parquet", or as `format=` takes them, "csv, tsv or parquet"."""
    *names, last = (declared.title if titles else declared.name for declared in formats.values())
    return f"{', '.join(names)} or {last}"
