"""Files as DuckDB reads them: the wanted columns, by short names of our own.

Text is read as text and JSON as JSON, so that nothing depends on a type guessed from the first rows. The heading of a
text file is read here: the separator is the one under which it has the columns asked for, and columns are then taken
by their place, so that DuckDB's renaming of equal names (and of "y" and "Y") cannot put one in place of another.
"""

from __future__ import annotations

import csv
import glob
import json
import mmap
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING

from assay.data.read.paths import CALLED, GZIP, Files, is_gzip, open_text
from assay.errors import AssayError, listing, suggestion

if TYPE_CHECKING:
    import duckdb

SEPARATORS = (",", ";", "\t", "|")
SHOWN = 4  # rows named in an error sentence, and one more to know that there are more
LOOKED_AT = 100  # objects of JSON lines whose keys are looked at before all are
LONGEST = 1 << 20  # letters of a heading
NO_OBJECT = 'each line must be an object such as {"y": "a"}'
NUMERIC = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|BOOLEAN)")


@dataclass(frozen=True, slots=True)
class Heading:
    """The names of the columns of a text file, and how it is written."""

    names: tuple[str, ...]
    separator: str
    skipped: int  # lines before the heading
    gzipped: bool
    quoted: bool  # there may be a quote in it
    below: int  # fields of the next line


class Source:
    """The columns that are wanted of some files; ``column`` gives the short name of each in SQL."""

    def __init__(self, database: duckdb.DuckDBPyConnection, files: Files, wanted: Sequence[tuple[str, str]]) -> None:
        self.database = database
        self.files = files
        self.kind = "csv" if files.kind in ("csv", "tsv", "arff") else files.kind
        self._short = {name: f"c{place}" for place, name in enumerate(dict.fromkeys(name for _, name in wanted))}
        self._types: dict[str, str] = {}
        self._headings: dict[str, Heading] = {}
        if self.kind == "csv":
            separators = SEPARATORS if files.kind == "csv" else ("\t",) if files.kind == "tsv" else (",",)
            for path, called in files.called.items():
                self._headings[path] = heading = _heading(path, separators, set(self._short), called)
                check_columns(wanted, heading.names, called, heading.below)
            self._check_quotes()
        else:
            names = self._names()
            if not names and self.kind == "jsonl":
                raise AssayError(f"{files.shown!r} cannot be read as JSON lines: {NO_OBJECT}.")
            check_columns(wanted, names, files.shown)

    def names(self) -> list[str]:
        """Tell all columns there are."""
        if self.kind == "csv":
            return list(next(iter(self._headings.values())).names)
        if self.kind == "parquet":
            return self._names()
        paths = [glob.escape(os.path.abspath(path)) for path in self.files.called]
        packing = ", compression='gzip'" if all(map(is_gzip, self.files.called)) else ""
        objects = f"read_json_objects($paths, format='auto', hive_partitioning=false{packing})"
        # All objects are looked at, since a key may come up late; those with the same keys count as one.
        found = self.database.execute(
            "SELECT keys FROM (SELECT json_keys(json) AS keys, row_number() OVER () AS place "
            f"FROM {objects}) GROUP BY keys ORDER BY min(place)",
            {"paths": paths},
        ).fetchall()
        return list(dict.fromkeys(key for (keys,) in found for key in keys or ()))

    def column(self, name: str) -> str:
        return self._short[name]

    def text(self, name: str) -> str:
        """SQL for a cell as text, out of any quotes."""
        short = self._short[name]
        return {"csv": short, "jsonl": f"json_extract_string({short}, '$')"}.get(self.kind, f"CAST({short} AS VARCHAR)")

    def number(self, name: str) -> str:
        """SQL for a cell as a real number; NULL where it is none."""
        if NUMERIC.fullmatch(self._types.get(name, "")):
            return f"TRY_CAST({self._short[name]} AS DOUBLE)"
        # Trimmed, because DuckDB 2.0 hands a bare cast to its text reader, which fails where TRY_CAST gives NULL.
        return f"TRY_CAST(trim({self.text(name)}) AS DOUBLE)"

    def is_whole(self, name: str) -> str:
        """SQL that tells whether a cell is written as a whole number."""
        if "INT" in self._types.get(name, ""):
            return "true"
        return f"regexp_full_match(trim({self.text(name)}), '[0-9]+')"

    def scan(self, paths: Sequence[str] | None = None) -> str:
        """SQL that gives the wanted columns of all files, in the order of their rows."""
        paths = list(self.files.called) if paths is None else paths
        if self.kind == "csv":
            runs = groupby(paths, key=self._headings.__getitem__)
            return "(" + " UNION ALL ".join(self._csv(heading, list(run)) for heading, run in runs) + ")"
        columns = ", ".join(f"{_name(name)} AS {short}" for name, short in self._short.items())
        if self.kind == "parquet":
            read = f"read_parquet({_paths(paths)}, union_by_name=true, hive_partitioning=false)"
        else:
            types = ", ".join(f"{_text(name)}: 'JSON'" for name in self._short)
            read = f"read_json({_paths(paths)}, columns={{{types}}}, hive_partitioning=false{_packing(paths)})"
        return f"(SELECT {columns} FROM {read})"

    def _csv(self, heading: Heading, paths: Sequence[str], parallel: bool = False) -> str:
        """SQL that reads text files of one heading.

        In parallel, DuckDB 2.0 passes over a row of too few fields at the start of a block of 8 MB, and loses the rows
        after it, without a word. One reader alone does not (and is as fast on two cores), but passes over a quote that
        is never closed; `_check_quotes` finds that one.
        """
        columns = ", ".join(f"h{heading.names.index(name)} AS {short}" for name, short in self._short.items())
        types = ", ".join(f"h{place}: 'VARCHAR'" for place in range(len(heading.names)))
        packing = ", compression='gzip'" if heading.gzipped else ""
        return (
            f"SELECT {columns} FROM read_csv({_paths(paths)}, auto_detect=false, columns={{{types}}}, header=true, "
            f"skip={heading.skipped}, delim={_text(heading.separator)}, quote='\"', escape='\"', "
            f"parallel={parallel}, hive_partitioning=false{packing})"
        )

    def _check_quotes(self) -> None:
        for path, heading in self._headings.items():
            if heading.quoted:
                self.database.execute(f"SELECT count(*) FROM ({self._csv(heading, [path], parallel=True)})")

    def _names(self) -> list[str]:
        paths = list(self.files.called)
        if self.kind == "parquet":
            read = f"read_parquet({_paths(paths)}, union_by_name=true, hive_partitioning=false)"
            self._types.update(
                (str(row[0]), str(row[1])) for row in self.database.execute(f"DESCRIBE SELECT * FROM {read}").fetchall()
            )
            return list(self._types)
        objects = f"read_json_objects({_paths(paths)}, format='auto', hive_partitioning=false{_packing(paths)})"
        names: list[str] = []
        for some in (f"(SELECT json FROM {objects} LIMIT {LOOKED_AT})", objects):
            found = self.database.execute(f"SELECT DISTINCT json_keys(json) FROM {some}").fetchall()
            names = list(dict.fromkeys(key for (keys,) in found for key in keys or ()))
            if set(self._short) <= set(names):
                break
        return names

    def rows_where(self, condition: str) -> tuple[str, list[int]]:
        """Name the file and the first rows for which a condition holds, counted from 1 below any heading."""
        for path in self.files.called:
            found = self.database.execute(
                f"SELECT row FROM (SELECT row_number() OVER () AS row, * FROM {self.scan([path])}) "
                f"WHERE {condition} LIMIT {SHOWN + 1}"
            ).fetchall()
            if found:
                return path, [int(row[0]) for row in found]
        return self.files.shown, []

    def place(self, condition: str) -> str:
        """Tell where a condition holds: "row 2, 4 of 'f.csv'"."""
        path, rows = self.rows_where(condition)
        more = " and more" if len(rows) > SHOWN else ""
        return f"row {listing(rows[:SHOWN], SHOWN)}{more} of {self.files.called.get(path, path)!r}"

    def first(self, name: str, condition: str) -> str:
        """Show the first cell for which a condition holds, and tell where it is."""
        path, rows = self.rows_where(condition)
        given = self.database.execute(
            f"SELECT {self._short[name]} FROM {self.scan([path])} LIMIT 1 OFFSET {rows[0] - 1}"
        ).fetchone()
        value = None if given is None else given[0]
        if self.kind == "jsonl" and value is not None:
            value = json.loads(value)
        shown = "empty" if value is None else repr(value)
        return f"{shown} in row {rows[0]} of {self.files.called.get(path, path)!r}"


def check_columns(wanted: Sequence[tuple[str, str]], there: Sequence[str], shown: str, below: int = 0) -> None:
    """Refuse a name that no column has, or more than one; ``below`` is how many fields the next line has."""
    for role, name in wanted:
        if there.count(name) > 1:
            raise AssayError(
                f"`{role}` must name one column of {shown!r}, and {there.count(name)} of them are called {name!r}; "
                "rename them."
            )
        if name not in there:
            has = f"it has {listing([repr(item) for item in there], 8)}"
            end = suggestion(name, there, otherwise=has)
            if len(there) < below:  # a title or a comment stands above the heading
                end = f"; {has}; is the first line the heading?"
            raise AssayError(f"`{role}` must be a column of {shown!r}, not {name!r}{end}")


def _heading(path: str, separators: Sequence[str], wanted: set[str], shown: str) -> Heading:
    with open_text(path) as file:
        lines = list(islice(iter(lambda: file.readline(LONGEST), ""), 50))
    skipped = next((place for place, line in enumerate(lines) if line.strip()), 0)
    told = re.fullmatch(r"sep=(.)\s*", lines[skipped], re.IGNORECASE) if lines else None
    if told:  # Excel's own way to name the separator
        skipped, separators = skipped + 1, (told[1],)
    lines = lines[skipped:]
    if not lines:
        raise AssayError(f"{shown!r} must hold at least one case, and it has no row.")

    def fields(separator: str) -> list[list[str]]:
        try:
            return list(islice((row for row in csv.reader(lines, delimiter=separator) if row), 2))
        except csv.Error:
            return []

    def fit(separator: str) -> tuple[bool, int, int]:
        first, *rest = fields(separator) or [[]]
        return wanted <= set(first), len(first), len(rest[0]) if rest else 0

    best = max(separators, key=fit)
    first, *rest = fields(best) or [[]]
    return Heading(tuple(first), best, skipped, is_gzip(path), _has_quote(path), len(rest[0]) if rest else 0)


def _has_quote(path: str) -> bool:
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content[: len(GZIP)] == GZIP or content.find(b'"') >= 0


@contextmanager
def reading(files: Files) -> Iterator[None]:
    """Turn an error of DuckDB into one sentence."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise AssayError(_sentence(str(error), files)) from None


def _sentence(message: str, files: Files) -> str:
    path = re.search(r"(?m)^\s*file = (.*)$|in file \"([^\"]*)\"", message)
    named = "" if path is None else path[1] or path[2]
    called = next((name for own, name in files.called.items() if os.path.abspath(own) == named), files.shown)
    start = f"{called!r} cannot be read as {CALLED[files.kind]}"
    at_line = re.search(r"CSV Error on Line: (\d+)\nOriginal Line: (.*?)\n(?=\n?[A-Z][^\n]*\n)", message, re.DOTALL)
    skipped = re.search(r"skip_rows = (\d+)", message)
    row = int(at_line[1]) - 1 - int(skipped[1] if skipped else 0) if at_line else 0
    columns = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if at_line and columns:
        # DuckDB stops counting at the first column too many.
        separator = (re.search(r"(?m)^\s*delimiter = (.)", message) or ["", ","])[1]
        found = max(int(columns[2]), len(next(csv.reader([at_line[2]], delimiter=separator), [])))
        return f"{start}: it must have {columns[1]} columns in each row, as its heading has, not {found} in row {row}."
    if at_line and "unterminated quote" in message:
        return f"{start}: a quote in row {row} is not closed."
    if at_line and "not utf-8" in message:
        return f"{start}: row {row} is not in UTF-8; save it as UTF-8."
    if "reached an invalid state" in message:
        return f"{start}: its lines end in different ways, or a quote stands where none may; save it again."
    malformed = re.search(r"Malformed JSON.*?(line \d+): ([^\n.]*)", message)
    if malformed:
        return f"{start}: near {malformed[1]} it is not valid JSON ({malformed[2]})."
    if "Expected OBJECT" in message:
        return f"{start}: {NO_OBJECT}."
    lines = [line.strip() for line in message.splitlines() if line.strip()] or ["unknown reason"]
    said = re.sub(r"^[A-Za-z -]+ Error: ", "", lines[0]).rstrip(".")
    return f"{start}: {said.replace(named, called) if named else said}."


def _packing(paths: Sequence[str]) -> str:
    return ", compression='gzip'" if paths and all(map(is_gzip, paths)) else ""


def _paths(paths: Sequence[str]) -> str:
    return "[" + ", ".join(_text(glob.escape(os.path.abspath(path))) for path in paths) + "]"


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
