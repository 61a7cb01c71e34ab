"""Files: counted or encoded inside DuckDB, so that no row ever becomes a Python object."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from assay.data.encode import Encoded
from assay.data.literals import NO_VALUE, read_json, readings
from assay.data.read.paths import at_hand
from assay.data.read.scan import Source, reading
from assay.errors import AssayError

WHAT = {"by": "group", "fold": "fold"}  # what a cell holds, where it is no label
SHARED = ("truth", "predicted")  # columns of the same classes
MOST_CASES = 2.0**53  # whole numbers beyond this are not exact


@dataclass(frozen=True, slots=True)
class Counted:
    """The distinct combinations of the columns asked for, and how many cases each has."""

    columns: dict[str, list[Any]]
    weight: Any
    square: Any
    rows: int


@dataclass(frozen=True, slots=True)
class Rows:
    """Every row: labels as codes, numbers as real numbers (weights that are whole as whole numbers)."""

    labels: dict[str, Encoded]
    numbers: dict[str, NDArray[Any]]
    rows: int


@dataclass(frozen=True, slots=True)
class Weights:
    """What is known of a column of weights: whether all are whole and so repeat their cases, and the largest."""

    whole: bool = True
    largest: float = 1.0


def count_file(
    data: Any,
    columns: dict[str, str],
    weight: str | None = None,
    format: str | None = None,  # noqa: A002
) -> Counted:
    """Count the combinations of ``columns`` (by role) in a file, in all files of a glob or a list, or in a stream."""
    wanted = [*columns.items(), *([("weight", weight)] if weight else [])]
    with _opened(data, wanted, format) as source:
        amount, kept, weights = "1", "true", Weights()
        if weight is not None:
            amount, kept = source.number(weight), f"{source.number(weight)} <> 0"
            weights = _weigh(source, weight, source.scan(), amount, source.is_whole(weight))
            amount = _scaled(amount, weights)
        measured = f"sum({amount}), sum({amount} * {amount})" if weight else "NULL, NULL"
        keys = [source.column(name) for name in columns.values()]
        rows = source.database.execute(
            f"SELECT {', '.join(keys)}, count(*), {measured} FROM {source.scan()} WHERE {kept} "
            f"GROUP BY {', '.join(dict.fromkeys(keys))}"
        ).fetchall()
        if not rows:
            _refuse_empty(source, weight)
        written = {role: [row[place] for row in rows] for place, role in enumerate(columns)}
        found = _read(source, columns, written, kept)
    width = len(columns)
    cases = sum(row[width] for row in rows)
    if weight is None:
        return Counted(found, np.array([row[width] for row in rows], np.int64), None, cases)
    total = np.array([row[width + 1] for row in rows])
    if weights.whole:
        return Counted(found, np.round(total).astype(np.int64), None, cases)
    return Counted(found, total, np.array([row[width + 2] for row in rows]), cases)


def read_file(
    data: Any,
    labelled: dict[str, str],
    numbers: dict[str, list[str]],
    format: str | None = None,  # noqa: A002
) -> Rows:
    """Read columns of labels (by role) and columns of numbers (one or more for each role), row by row."""
    wanted = [*labelled.items(), *((role, name) for role, names in numbers.items() for name in names)]
    weight = next(iter(numbers.get("weight", ())), None)
    amounts = {f"{role}_{place}": name for role, names in numbers.items() for place, name in enumerate(names)}
    with _opened(data, wanted, format) as source:
        columns = [*dict.fromkeys(map(source.column, labelled.values()))]
        columns += [f"{source.number(name)} AS {short}" for short, name in amounts.items()]
        if weight is not None:
            columns.append(f"{source.is_whole(weight)} AS is_whole")
        # The files are read once, into a table; what follows looks at that.
        source.database.execute(f"CREATE TEMP TABLE kept AS SELECT {', '.join(columns)} FROM {source.scan()}")
        kept, weights = "true", Weights()
        if weight is not None:
            kept = f"{source.number(weight)} <> 0"
            weights = _weigh(source, weight, "kept", "weight_0", "is_whole")
            source.database.execute("DELETE FROM kept WHERE weight_0 = 0")
        count = int((source.database.execute("SELECT count(*) FROM kept").fetchone() or (0,))[0])
        if not count:
            _refuse_empty(source, weight)
        for short, name in amounts.items():
            _check_number(source, name, short, kept)
        labels = _encode(source, labelled, kept)
        arrays = source.database.execute(f"SELECT {', '.join(amounts) or '1'} FROM kept").fetchnumpy()
    read: dict[str, NDArray[Any]] = {}
    for role, names in numbers.items():
        parts = [np.asarray(arrays[f"{role}_{place}"], np.float64) for place in range(len(names))]
        read[role] = parts[0] if len(parts) == 1 else np.column_stack(parts)
    if weight and weights.whole:
        read["weight"] = np.round(read["weight"]).astype(np.int64)
    return Rows(labels, read, count)


@contextmanager
def _opened(data: Any, wanted: Sequence[tuple[str, str]], given: str | None) -> Iterator[Source]:
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        files = at_hand(data, given, folder)
        with reading(files):
            import duckdb

            with duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"}) as database:
                yield Source(database, files, wanted)


def _weigh(source: Source, weight: str, table: str, amount: str, is_whole: str) -> Weights:
    """Check the weights in one pass over ``table``; ``amount`` and ``is_whole`` are SQL."""
    bad = "coalesce(NOT isfinite({0}) OR {0} < 0, true)"
    found = source.database.execute(
        f"SELECT bool_or({bad.format(amount)}), bool_and({is_whole}), max({amount}), sum({amount}) FROM {table}"
    ).fetchone()
    any_bad, whole, largest, total = found or (False, True, None, None)
    if any_bad:
        where = source.first(weight, bad.format(source.number(weight)))
        raise AssayError(f"`{weight}` must be finite and not negative, not {where}.")
    if whole and total and total >= MOST_CASES:
        raise AssayError(f"`{weight}` must add up to less than 2**53 cases; give it as real numbers instead.")
    return Weights(bool(whole), largest or 1.0)


def _scaled(amount: str, weights: Weights) -> str:
    """Weights of 1e200 have squares that no number can hold, and only their proportions mean anything."""
    exponent = math.frexp(weights.largest)[1]
    if weights.whole or abs(exponent) <= 300:
        return amount
    half = math.ldexp(1.0, -exponent // 2)  # twice, because the whole power of two may be out of reach itself
    return f"({amount} * {half!r} * {half!r})"


def _check_number(source: Source, name: str, amount: str, kept: str) -> None:
    """Look for what is no number in the table of kept rows, and only then for its row in the file."""
    if source.database.execute(f"SELECT 1 FROM kept WHERE coalesce(isnan({amount}), true) LIMIT 1").fetchone():
        bad = f"{kept} AND coalesce(isnan({source.number(name)}), true)"
        raise AssayError(f"`{name}` must be a number, not {source.first(name, bad)}.")


def _refuse_empty(source: Source, weight: str | None) -> NoReturn:
    empty = source.database.execute(f"SELECT count(*) FROM {source.scan()}").fetchone() == (0,)
    what = "it has no row" if empty else f"{weight!r} is 0 in every row"
    raise AssayError(f"{source.files.shown!r} must hold at least one case, and {what}.")


def _encode(source: Source, names: dict[str, str], kept: str) -> dict[str, Encoded]:
    """Turn labels into codes inside DuckDB; only the distinct ones come out and are read."""
    written: dict[str, list[Any]] = {}
    codes: dict[str, NDArray[Any]] = {}
    for role, name in names.items():
        key = f"CAST({source.column(name)} AS VARCHAR)"
        written[role] = [
            value
            for _, value in source.database.execute(
                f"SELECT {key} AS key, any_value({source.column(name)}) FROM kept GROUP BY key ORDER BY key"
            ).fetchall()
        ]
        if None in written[role]:
            _refuse_missing(source, role, name, kept)
        source.database.execute(
            f"CREATE TYPE {role}_labels AS ENUM (SELECT DISTINCT {key} AS key FROM kept ORDER BY key)"
        )
        codes[role] = source.database.execute(
            f"SELECT enum_code(CAST({key} AS {role}_labels)) AS code FROM kept"
        ).fetchnumpy()["code"]
    read = _read(source, names, written, kept)
    encoded = {}
    for role, values in read.items():
        places: dict[Any, int] = {}  # two ways to write a label, 1 and 1.0, are one label
        lookup = np.array([places.setdefault(value, len(places)) for value in values], np.int32)
        encoded[role] = Encoded(lookup[codes[role]], list(places), complete=True)
    return encoded


def _read(source: Source, names: dict[str, str], written: dict[str, list[Any]], kept: str) -> dict[str, list[Any]]:
    """Read labels, given as the file writes them, as what they mean; refuse those that are missing."""
    read = dict(written)
    for role, name in names.items():
        if source.kind == "jsonl":
            read[role] = [read_json(value, name) for value in written[role]]
        elif source.kind == "parquet":
            read[role] = [int(v) if isinstance(v, float) and v.is_integer() else v for v in written[role]]
        elif source.files.kind != "arff":
            _refuse_words(source, role, name, written[role], kept)
        if any(value is None or value != value for value in read[role]):
            _refuse_missing(source, role, name, kept)
    if source.kind == "csv":
        for roles in (SHARED, *((role,) for role in names if role not in SHARED)):
            there = [role for role in roles if role in names]
            meant = readings({names[role]: set(read[role]) for role in there}, scores_refused=roles == SHARED)
            for role in there:
                read[role] = [meant.get(text, text) for text in read[role]]
    return read


def _refuse_words(source: Source, role: str, name: str, texts: list[Any], kept: str) -> None:
    word = min(NO_VALUE.intersection(texts), default=None)
    if word is not None:
        what = WHAT.get(role, "label")
        where = source.place(f"{kept} AND {source.column(name)} = '{word}'")
        raise AssayError(
            f"`{name}` has {word!r} in {where}, which most programs write for a missing {what}; "
            f"drop these rows, or rename the {WHAT.get(role, 'class')}."
        )


def _refuse_missing(source: Source, role: str, name: str, kept: str) -> NoReturn:
    what = WHAT.get(role, "label")
    where = source.place(f"{kept} AND coalesce(lower({source.text(name)}) = 'nan', true)")
    raise AssayError(f"`{name}` has no {what} in {where}; drop these rows or give them a {what}.")
