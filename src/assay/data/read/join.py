"""Predictions of several classifiers from files: columns of one, or one file each, joined by a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import IntArray
from assay.data.encode import Encoded
from assay.data.read.files import read_file
from assay.errors import AssayError, listing

Columns = tuple[Encoded, dict[str, Any]]  # the truth, and the labels or scores of each classifier


def read_columns(
    file: Any,
    truth: str,
    columns: Mapping[str, str],
    *,
    scores: bool,
    format: str | None = None,  # noqa: A002
) -> Columns:
    """Read the truth and a column for each classifier, row by row."""
    if scores:
        rows = read_file(
            file, [("truth", truth)], numbers=[("scores", name) for name in columns.values()], format=format
        )
        return rows.labels[truth], {name: rows.numbers[column] for name, column in columns.items()}
    rows = read_file(file, [("truth", truth), *(("predicted", name) for name in columns.values())], format=format)
    return rows.labels[truth], {name: rows.labels[column] for name, column in columns.items()}


def join_files(
    files: Mapping[str, str],
    truth: str,
    column: str,
    *,
    scores: bool,
    key: str | None,
    format: str | None = None,  # noqa: A002
) -> Columns:
    """Read the same column of a file for each classifier; the rows of a case have the same key, or the same number."""
    columns: dict[str, Any] = {}
    first: _Cases | None = None
    for name, file in files.items():
        labels = [("truth", truth)] if scores else [("truth", truth), ("predicted", column)]
        rows = read_file(
            file,
            labels,
            [] if key is None else [("key", key)],
            numbers=[("scores", column)] if scores else [],
            format=format,
        )
        order = np.arange(rows.rows) if key is None else _order(rows.labels[key], name, key)
        keys = None if key is None else _values(rows.labels[key])[order]
        cases = _Cases(name, keys, _values(rows.labels[truth])[order])
        if first is None:
            first = cases
        else:
            first.check_same(cases)
        columns[name] = rows.numbers[column][order] if scores else _take(rows.labels[column], order)
        truth_column = _take(rows.labels[truth], order)
    return truth_column, columns


@dataclass(frozen=True, slots=True)
class _Cases:
    """The cases of one classifier's file, in the order of their keys."""

    name: str
    keys: NDArray[Any] | None
    truth: NDArray[Any]

    def check_same(self, other: _Cases) -> None:
        """Refuse a file of other cases."""
        both = f"{self.name!r} and {other.name!r}"
        if self.keys is not None and other.keys is not None:
            if unmatched := sorted(map(str, set(self.keys) ^ set(other.keys))):
                raise AssayError(f"{both} must be of the same cases, and {listing(unmatched)} is in one of them only.")
        elif len(self.truth) != len(other.truth):
            sizes = f"{self.name!r} has {len(self.truth)} rows and {other.name!r} has {len(other.truth)}"
            raise AssayError(f"{sizes}; give a key to join them by.")
        different = np.flatnonzero(self.truth != other.truth)
        if len(different):
            case = f"row {different[0] + 1}" if self.keys is None else f"case {self.keys[different[0]]!r}"
            raise AssayError(f"{both} disagree on the truth of {case}; they are not of the same cases.")


def _take(column: Encoded, order: IntArray) -> Encoded:
    return Encoded(column.codes[order], column.values)


def _values(column: Encoded) -> NDArray[Any]:
    return np.array([*column.values, None], object)[column.codes]


def _order(keys: Encoded, name: str, key: str) -> IntArray:
    """Sort rows by their key, which must name each case once."""
    counts = np.bincount(keys.codes, minlength=len(keys.values))
    if (counts > 1).any():
        repeated = [repr(keys.values[code]) for code in np.flatnonzero(counts > 1)]
        raise AssayError(f"`{key}` of {name!r} must name each case once, and {listing(repeated)} is there again.")
    values = _values(keys)
    return np.array(sorted(range(len(values)), key=lambda row: str(values[row])))
