"""Columns of files: counted or encoded inside DuckDB, so that no row ever becomes a Python object."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from assay.data.encode import Encoded
from assay.data.literals import readings
from assay.data.predictions import MOST_CASES
from assay.data.read.database import open_files
from assay.data.read.scan import Scan
from assay.errors import AssayError
from assay.sql import literal

Pairs = Sequence[tuple[str, str]]  # the role and the name of each column


@dataclass(frozen=True, slots=True)
class CountedLabels:
    """The distinct combinations of labels and keys, by the names of their columns, and how many cases each has."""

    labels: dict[str, list[Any]]
    weight: NDArray[Any]
    square: NDArray[np.float64] | None
    rows: int


@dataclass(frozen=True, slots=True)
class FileRows:
    """Every row, by the names of its columns: labels and keys as codes, numbers as real numbers.

    Weights that are whole are whole numbers.
    """

    labels: dict[str, Encoded]
    numbers: dict[str, NDArray[np.float64]]
    weight: NDArray[Any] | None
    rows: int


@dataclass(frozen=True, slots=True)
class _Roles:
    """The role of each column, by its name: columns of labels share their classes, keys stand each by itself."""

    labels: dict[str, str]
    keys: dict[str, str]

    @classmethod
    def of(cls, labels: Pairs, keys: Pairs) -> _Roles:
        names = {name: role for role, name in labels}
        return cls(names, {name: role for role, name in keys if name not in names})

    @property
    def all(self) -> dict[str, str]:
        return self.labels | self.keys

    def cell(self, name: str, otherwise: str = "label") -> str:
        """Name what a cell holds: a label, or in a column of keys a group, a fold, ..."""
        return self.keys.get(name, otherwise)


@dataclass(frozen=True, slots=True)
class Weights:
    """Facts on a column of weights: whether all are whole and so repeat their cases, and the largest."""

    whole: bool = True
    largest: float = 1.0


def count_file(
    data: Any,
    labels: Pairs,
    keys: Pairs = (),
    weight: str | None = None,
    format: str | None = None,  # noqa: A002
) -> CountedLabels:
    """Count the combinations of labels and keys in a file, in all files of a glob or a list, or in a stream."""
    roles = _Roles.of(labels, keys)
    with open_files(data, format) as scan_of:
        scan = scan_of([*labels, *keys, *_weight_pair(weight)])
        condition, sums, weights = "true", "NULL, NULL", Weights()
        if weight is not None:
            number = scan.number(weight)
            condition = f"{number} <> 0"
            weights = _check_weights(scan, weight, scan.scan(), number, scan.is_whole(weight))
            amount = _scaled(number, weights)
            sums = f"sum({amount}), sum({amount} * {amount})"
        aliases = ", ".join(map(scan.alias, roles.all))
        rows = scan.fetch(f"SELECT {aliases}, count(*), {sums} FROM {scan.scan()} WHERE {condition} GROUP BY {aliases}")
        if not rows:
            _refuse_empty(scan, weight)
        *cells, counts, totals, squares = map(list, zip(*rows, strict=True))
        values = _read_labels(scan, roles, dict(zip(roles.all, cells, strict=True)), condition)
    if weight is None:
        return CountedLabels(values, np.array(counts, np.int64), None, sum(counts))
    if weights.whole:
        return CountedLabels(values, np.round(totals).astype(np.int64), None, sum(counts))
    return CountedLabels(values, np.array(totals), np.array(squares), sum(counts))


def read_file(
    data: Any,
    labels: Pairs,
    keys: Pairs = (),
    *,
    numbers: Pairs = (),
    weight: str | None = None,
    format: str | None = None,  # noqa: A002
) -> FileRows:
    """Read columns of labels, of keys (groups, folds), of numbers and of weights, row by row."""
    roles = _Roles.of(labels, keys)
    amounts = {name: f"n{index}" for index, name in enumerate(dict.fromkeys(name for _, name in numbers))}
    with open_files(data, format) as scan_of:
        scan = scan_of([*labels, *keys, *numbers, *_weight_pair(weight)])
        columns = [*map(scan.alias, roles.all)]
        columns += [f"{scan.number(name)} AS {amount}" for name, amount in amounts.items()]
        if weight is not None:
            columns += [f"{scan.number(weight)} AS weight", f"{scan.is_whole(weight)} AS is_whole"]
        # The files are read once, into a table; what follows looks at that.
        scan.database.execute(f"CREATE TEMP TABLE cases AS SELECT {', '.join(columns)} FROM {scan.scan()}")
        condition, weights = "true", Weights()
        if weight is not None:
            condition = f"{scan.number(weight)} <> 0"
            weights = _check_weights(scan, weight, "cases", "weight", "is_whole")
            scan.database.execute("DELETE FROM cases WHERE weight = 0")
        ((count,),) = scan.fetch("SELECT count(*) FROM cases")
        if not count:
            _refuse_empty(scan, weight)
        for name, amount in amounts.items():
            _check_number(scan, name, amount, condition)
        encoded = _encode(scan, roles, condition)
        selected = [*amounts.values(), *([] if weight is None else ["weight"])]
        arrays = scan.database.execute(f"SELECT {', '.join(selected) or '1'} FROM cases").fetchnumpy()
    values = {name: np.asarray(arrays[amount], np.float64) for name, amount in amounts.items()}
    weight_values: NDArray[Any] | None = None if weight is None else np.asarray(arrays["weight"], np.float64)
    if weight_values is not None and weights.whole:
        weight_values = np.round(weight_values).astype(np.int64)
    return FileRows(encoded, values, weight_values, int(count))


def _weight_pair(weight: str | None) -> Pairs:
    return () if weight is None else [("weight", weight)]


def _check_weights(scan: Scan, name: str, table: str, number: str, is_whole: str) -> Weights:
    """Check the weights in one pass over ``table``; ``number`` and ``is_whole`` are SQL."""
    bad = "coalesce(NOT isfinite({0}) OR {0} < 0, true)"
    ((any_bad, whole, largest, total),) = scan.fetch(
        f"SELECT bool_or({bad.format(number)}), bool_and({is_whole}), max({number}), sum({number}) FROM {table}"
    )
    if any_bad:
        cell = scan.first_where(name, bad.format(scan.number(name)))
        raise AssayError(f"`{name}` must be finite and not negative, not {cell}.")
    if whole and total and total >= MOST_CASES:
        raise AssayError(f"`{name}` must add up to less than 2**53 cases; give it as real numbers instead.")
    return Weights(bool(whole), largest or 1.0)


def _scaled(number: str, weights: Weights) -> str:
    """Weights of 1e200 have squares that no number can hold, and only their proportions mean anything."""
    exponent = math.frexp(weights.largest)[1]
    if weights.whole or abs(exponent) <= 300:
        return number
    half = math.ldexp(1.0, -exponent // 2)  # twice, because the whole power of two may be out of reach itself
    return f"({number} * {half!r} * {half!r})"


def _check_number(scan: Scan, name: str, amount: str, condition: str) -> None:
    """Look for what is no number in the table of cases, and only then for its row in the file."""
    if scan.fetch(f"SELECT 1 FROM cases WHERE coalesce(isnan({amount}), true) LIMIT 1"):
        bad = f"{condition} AND coalesce(isnan({scan.number(name)}), true)"
        raise AssayError(f"`{name}` must be a number, not {scan.first_where(name, bad)}.")


def _refuse_empty(scan: Scan, weight: str | None) -> NoReturn:
    empty = scan.fetch(f"SELECT count(*) FROM {scan.scan()}") == [(0,)]
    reason = "it has no row" if empty else f"{weight!r} is 0 in every row"
    raise AssayError(f"{scan.files.title!r} must hold at least one case, and {reason}.")


def _encode(scan: Scan, roles: _Roles, condition: str) -> dict[str, Encoded]:
    """Turn labels into codes inside DuckDB; only the distinct ones come out and are read."""
    cells: dict[str, list[Any]] = {}
    codes: dict[str, NDArray[Any]] = {}
    for name in roles.all:
        alias = scan.alias(name)
        spelling = f"CAST({alias} AS VARCHAR)"
        rows = scan.fetch(f"SELECT {spelling} AS key, any_value({alias}) FROM cases GROUP BY key ORDER BY key")
        cells[name] = [cell for _, cell in rows]
        if None in cells[name]:
            _refuse_missing(scan, roles, name, condition)
        kind = f"{alias}_labels"
        scan.database.execute(f"CREATE TYPE {kind} AS ENUM (SELECT DISTINCT {spelling} AS key FROM cases ORDER BY key)")
        query = f"SELECT enum_code(CAST({spelling} AS {kind})) AS code FROM cases"
        codes[name] = scan.database.execute(query).fetchnumpy()["code"]
    encoded = {}
    for name, values in _read_labels(scan, roles, cells, condition).items():
        positions: dict[Any, int] = {}  # two ways to write a label, 1 and 1.0, are one label
        lookup = np.array([positions.setdefault(value, len(positions)) for value in values], np.int32)
        encoded[name] = Encoded(lookup[codes[name]], list(positions), complete=True)
    return encoded


def _read_labels(scan: Scan, roles: _Roles, cells: dict[str, list[Any]], condition: str) -> dict[str, list[Any]]:
    """Read cells as the labels and keys that they mean; refuse those that are missing."""
    values: dict[str, list[Any]] = {}
    for name in roles.all:
        words = scan.missing_words.intersection(cells[name])
        if words:
            _refuse_word(scan, roles, name, min(words), condition)
        values[name] = [scan.label(cell, name) for cell in cells[name]]
        if any(value is None or value != value for value in values[name]):
            _refuse_missing(scan, roles, name, condition)
    if scan.text_labels:
        for names in (list(roles.labels), *([name] for name in roles.keys)):
            meaning = readings({name: set(values[name]) for name in names}, scores_refused=names[0] in roles.labels)
            for name in names:
                values[name] = [meaning.get(text, text) for text in values[name]]
    return values


def _refuse_word(scan: Scan, roles: _Roles, name: str, word: str, condition: str) -> NoReturn:
    where = scan.where(f"{condition} AND {scan.alias(name)} = {literal(word)}")
    raise AssayError(
        f"`{name}` has {word!r} in {where}, which most programs write for a missing {roles.cell(name)}; "
        f"drop these rows, or rename the {roles.cell(name, 'class')}."
    )


def _refuse_missing(scan: Scan, roles: _Roles, name: str, condition: str) -> NoReturn:
    cell = roles.cell(name)
    where = scan.where(f"{condition} AND coalesce(lower({scan.text(name)}) = 'nan', true)")
    raise AssayError(f"`{name}` has no {cell} in {where}; drop these rows or give them a {cell}.")
