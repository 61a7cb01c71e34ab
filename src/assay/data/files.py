"""Files: counted inside DuckDB, so that no row ever becomes a Python object.

Text formats are read as text. Their few distinct labels, not their many rows, are then read as numbers or
booleans where all of them are: "01" and "1" stay apart, and no row can fall out of a guessed type.
"""

from __future__ import annotations

import glob
import os
import re
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.data.arff import arff_to_csv
from assay.errors import AssayError, listing, must_be_one_of, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

FORMATS = {
    ".csv": "csv", ".txt": "csv", ".tsv": "tsv", ".tab": "tsv", ".parquet": "parquet", ".pq": "parquet",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".arff": "arff",
}  # fmt: skip
CALLED = {"csv": "CSV", "tsv": "TSV", "parquet": "Parquet", "jsonl": "JSON lines", "arff": "ARFF"}
TEXTUAL = ("csv", "tsv", "arff")
PARQUET = b"PAR1"
QUOTES = "quote='\"', escape='\"'"  # said outright: guessed quotes hide a quote left open
SHOWN = 4  # rows named in an error sentence, and one more to know that there are more


@dataclass(frozen=True, slots=True)
class Counted:
    """The distinct combinations of the columns asked for, and how many cases each has."""

    columns: dict[str, list[Any]]
    weight: Any
    square: Any
    rows: int


def find(data: str | os.PathLike[str]) -> list[str]:
    """Give the files that a path or a glob names."""
    path = os.fspath(data)
    if os.path.isdir(path):
        raise AssayError(f"`data` must be a file or a pattern such as '{os.path.join(path, '*.csv')}', not a folder.")
    found = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    if found:
        return found
    folder = os.path.dirname(path) or "."
    beside = os.listdir(folder) if os.path.isdir(folder) else []
    raise AssayError(f"there is no file {path!r}" + suggestion(os.path.basename(path), beside))


def file_format(paths: Sequence[str], given: str | None) -> str:
    if given is not None:
        if given not in CALLED:
            must_be_one_of("format", CALLED, given=given)
        return given
    kinds = {FORMATS.get(Path(path.removesuffix(".gz")).suffix.lower()) for path in paths}
    if None in kinds:
        odd = next(path for path in paths if Path(path.removesuffix(".gz")).suffix.lower() not in FORMATS)
        raise AssayError(f"the ending of {odd!r} tells no format; give `format=` as one of {', '.join(CALLED)}.")
    if len(kinds) > 1:
        raise AssayError(f"all files of `data` must have one format, not {' and '.join(sorted(map(str, kinds)))}.")
    return str(kinds.pop())


def count_file(
    data: Any,
    columns: dict[str, str],
    weight: str | None = None,
    format: str | None = None,  # noqa: A002
) -> Counted:
    """Count the combinations of ``columns`` (by role) in a file, in all files of a glob, or in a stream."""
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        files, kind, shown = _at_hand(data, format, folder)
        with _reading(shown, kind):
            import duckdb

            with duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"}) as database:
                return _count(_Source(database, files, kind, shown), columns, weight)


def _at_hand(data: Any, given: str | None, folder: str) -> tuple[dict[str, str], str, str]:
    """Give files that DuckDB can read, with the names to call them by, their format, and the name of them all.

    A stream is put aside into ``folder``, and ARFF is rewritten there as CSV.
    """
    if hasattr(data, "read"):
        shown = str(getattr(data, "name", "the stream")).replace("<stdin>", "standard input")
        kind = file_format([shown], given) if given or os.path.splitext(shown)[1] else "csv"
        path = os.path.join(folder, "stream")
        with open(path, "wb") as copy:
            while block := data.read(1 << 20):
                copy.write(block.encode() if isinstance(block, str) else block)
        files = {path: shown}
    else:
        shown = os.fspath(data)
        paths = find(shown)
        kind = file_format(paths, given)
        files = {path: path for path in paths}
    for path, called in files.items():
        _check_content(path, called, kind)
    if kind == "arff":
        rewritten = {}
        for number, (path, called) in enumerate(files.items()):
            target = os.path.join(folder, f"{number}.csv")
            arff_to_csv(path, called, target)
            rewritten[target] = called
        files = rewritten
    return files, kind, shown


@dataclass(frozen=True, slots=True)
class _Source:
    database: duckdb.DuckDBPyConnection
    files: dict[str, str]
    kind: str
    shown: str

    def scan(self, paths: Sequence[str] | None = None) -> str:
        """Give the SQL that reads the files."""
        paths = list(self.files) if paths is None else paths
        listed = "[" + ", ".join(_text(glob.escape(os.path.abspath(path))) for path in paths) + "]"
        if self.kind == "parquet":
            return f"read_parquet({listed}, union_by_name=true)"
        if self.kind == "jsonl":
            return f"read_json({listed}, union_by_name=true)"
        delimiter = ", delim='\t'" if self.kind == "tsv" else ""
        return f"read_csv({listed}, header=true, all_varchar=true, skip=0, {QUOTES}, union_by_name=true{delimiter})"

    def called(self, path: str) -> str:
        return self.files.get(path, self.shown)

    def names(self) -> list[str]:
        described = self.database.execute(f"DESCRIBE SELECT * FROM {self.scan()}").fetchall()
        return [str(row[0]) for row in described]

    def rows_where(self, condition: str) -> tuple[str, list[int]]:
        """Name the file and the first rows for which a condition holds, counted from 1 below any heading."""
        for path in self.files:
            found = self.database.execute(
                f"SELECT row FROM (SELECT row_number() OVER () AS row, * FROM {self.scan([path])}) "
                f"WHERE {condition} LIMIT {SHOWN + 1}"
            ).fetchall()
            if found:
                return path, [int(row[0]) for row in found]
        return self.shown, []


def _count(source: _Source, columns: dict[str, str], weight: str | None) -> Counted:
    there = source.names()
    for role, name in {**columns, **({"weight": weight} if weight else {})}.items():
        if name not in there:
            raise AssayError(
                f"`{role}` must be a column of {source.shown!r}, not {name!r}"
                + suggestion(name, there, otherwise=f"it has {listing([repr(item) for item in there], 8)}")
            )
    keys = [_name(name) for name in columns.values()]
    measured, keep = "count(*), NULL, NULL", ""
    if weight:
        amount = f"TRY_CAST({_name(weight)} AS DOUBLE)"
        _check_weight(source, weight, amount)
        measured, keep = (
            f"sum({amount}), sum({amount} * {amount}), bool_and({_is_whole(weight)})",
            f"WHERE {amount} <> 0",
        )
    rows = source.database.execute(
        f"SELECT {', '.join(keys)}, count(*), {measured} FROM {source.scan()} {keep} GROUP BY ALL"
    ).fetchall()
    if not rows:
        empty = source.database.execute(f"SELECT count(*) FROM {source.scan()}").fetchone() == (0,)
        what = "it has no row" if empty else f"{weight!r} is 0 in every row"
        raise AssayError(f"{source.shown!r} must hold at least one case, and {what}.")
    width = len(columns)
    found = {role: [row[place] for row in rows] for place, role in enumerate(columns)}
    for role, values in found.items():
        if any(value is None or value != value for value in values):
            _refuse_missing(source, columns[role])
    if source.kind in TEXTUAL:
        _read_numbers(found)
    total = np.array([row[width + 1] for row in rows])
    if not weight or all(row[width + 3] for row in rows):
        return Counted(found, np.round(total).astype(np.int64), None, sum(row[width] for row in rows))
    return Counted(found, total, np.array([row[width + 2] for row in rows]), sum(row[width] for row in rows))


def _is_whole(weight: str) -> str:
    """SQL that tells whether a weight is written as a whole number, and so repeats its case."""
    name = _name(weight)
    return f"(typeof({name}) LIKE '%INT%' OR regexp_full_match(trim(CAST({name} AS VARCHAR)), '[0-9]+'))"


def _check_weight(source: _Source, weight: str, amount: str) -> None:
    bad = f"coalesce(NOT isfinite({amount}) OR {amount} < 0, true)"
    path, rows = source.rows_where(bad)
    if rows:
        given = source.database.execute(
            f"SELECT {_name(weight)} FROM {source.scan([path])} LIMIT 1 OFFSET {rows[0] - 1}"
        ).fetchone()
        what = repr(given[0]) if given and given[0] is not None else "empty"
        raise AssayError(
            f"`{weight}` must be finite and not negative, not {what} in row {rows[0]} of {source.called(path)!r}."
        )


def _refuse_missing(source: _Source, name: str) -> None:
    column = _name(name)
    path, rows = source.rows_where(f"{column} IS NULL OR lower(CAST({column} AS VARCHAR)) = 'nan'")
    more = f"{listing(rows[:SHOWN], SHOWN)}{' and more' if len(rows) > SHOWN else ''}"
    raise AssayError(
        f"`{name}` has no label in row {more} of {source.called(path)!r}; drop these rows or give them a label."
    )


def _read_numbers(columns: dict[str, list[Any]]) -> None:
    """Read labels that came as text as whole numbers or booleans, where all of truth and prediction are."""
    together: list[list[str]] = [["truth", "predicted"], *([role] for role in columns.keys() - {"truth", "predicted"})]
    for roles in together:
        readings = _readings({text for role in roles for text in columns[role]})
        for role in roles:
            columns[role] = [readings.get(text, text) for text in columns[role]]


def _readings(texts: set[str]) -> dict[str, Any]:
    if all(re.fullmatch(r"[+-]?(0|[1-9]\d{0,17})(\.0+)?", text) for text in texts):
        return {text: int(text.partition(".")[0]) for text in texts}
    if {text.lower() for text in texts} <= {"true", "false"}:
        return {text: text.lower() == "true" for text in texts}
    return {}


def _check_content(path: str, shown: str, kind: str) -> None:
    """Look at the two ends of a file: DuckDB's own message on a wrong format helps nobody."""
    try:
        with open(path, "rb") as file:
            head = file.read(4096)
            file.seek(max(0, os.path.getsize(path) - 4))
            end = file.read(4)
    except OSError as error:
        raise AssayError(f"{shown!r} cannot be opened: {(error.strerror or 'unknown reason').lower()}.") from None
    if not head:
        raise AssayError(f"{shown!r} must hold at least one case, and it is empty.")
    if kind == "parquet":
        if not head.startswith(PARQUET):
            raise AssayError(
                f"{shown!r} is not a Parquet file, whatever its name says; name its format with `format=`."
            )
        if end != PARQUET:
            raise AssayError(f"{shown!r} is a Parquet file without an end: it was cut off, and must be written again.")
    elif head.startswith(PARQUET):
        raise AssayError(f"{shown!r} is a Parquet file, not {CALLED[kind]}; give `format='parquet'` or rename it.")
    elif b"\0" in head and not path.endswith(".gz"):
        raise AssayError(f"{shown!r} is not {CALLED[kind]}: it holds binary data.")
    elif kind == "jsonl" and not path.endswith(".gz") and head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        raise AssayError(f"{shown!r} is not JSON lines: it does not begin with '{{'.")


@contextmanager
def _reading(shown: str, kind: str) -> Iterator[None]:
    """Turn an error of DuckDB into one sentence."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise AssayError(f"{shown!r} cannot be read as {CALLED[kind]}: {_first_sentence(str(error))}.") from None


def _first_sentence(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    wanted = [line for line in lines if re.match(r"CSV Error on Line|Expected Number of Columns|Invalid unicode", line)]
    said = "; ".join(wanted) if wanted else (lines[0] if lines else "unknown reason")
    return re.sub(r"^[A-Za-z -]+ Error: ", "", said).rstrip(".")


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
