"""An order of cases that depends only on their values, so that results do not depend on the order of the rows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array, Floats, IntArray


def canonical_order(X: Any, codes: IntArray) -> IntArray:
    """Sort rows by their values; equal cases are adjacent.

    Rows are sorted by a random projection, which takes one pass over the data. Different rows may have the same
    projection, since NaN counts as 0 and small numbers are lost to rounding; if any do, rows are also sorted by their
    features. Text is replaced by a hash.
    """
    numbers = _as_numbers(X)
    projection = _projection(numbers)
    order = np.lexsort((codes, projection))
    tied = np.flatnonzero(projection[order[1:]] == projection[order[:-1]])
    if _rows_differ(numbers, order[tied + 1], order[tied]).any():
        return np.lexsort((codes, *_sort_keys(numbers), projection))
    return order


def number_cases(X: Any, codes: IntArray) -> IntArray:
    """Number the distinct cases, independently of the order of the rows; copies of a case have the same number."""
    order = canonical_order(X, codes)
    previous, current = order[:-1], order[1:]
    is_new = np.zeros(len(order), np.int64)
    is_new[1:] = _rows_differ(_as_numbers(X), current, previous) | (codes[current] != codes[previous])
    cases = np.empty(len(order), np.int64)
    cases[order] = np.cumsum(is_new)
    return cases


def _rows_differ(X: Any, first: IntArray, second: IntArray) -> NDArray[np.bool_]:
    if not len(first):
        return np.zeros(0, bool)
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        return np.asarray((X[first] != X[second]).sum(axis=1)).ravel() > 0
    a, b = X[first], X[second]
    return np.asarray(((a != b) & ~((a != a) & (b != b))).any(axis=1))  # NaN equals NaN here


def _sort_keys(X: Any) -> list[Any]:
    """Return sort keys for `np.lexsort` that are equal only for equal rows."""
    if not hasattr(X, "tocsr"):
        return list(X.T)
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    parts = [slice(*ends) for ends in pairwise(rows.indptr.tolist())]
    as_bytes = np.array([rows.indices[part].tobytes() + rows.data[part].tobytes() for part in parts], dtype=object)
    return [np.unique(as_bytes, return_inverse=True)[1]]


def _as_numbers(X: Any) -> Any:
    """Convert features to an array or a sparse matrix of numbers."""
    if hasattr(X, "dtype") and X.dtype.kind in "buif":
        return X
    try:
        return np.asarray(X, float)
    except (TypeError, ValueError):
        return np.column_stack([_column_as_numbers(column) for column in np.asarray(X, dtype=object).T])


def _column_as_numbers(column: Array) -> Floats:
    """Convert a column to numbers, hashing values that are not numeric."""
    try:
        return np.asarray(column, float)
    except (TypeError, ValueError):
        values, index = np.unique(column.astype(str), return_inverse=True)
        return np.array([float(crc32(value.encode())) for value in values.tolist()])[index]


def _projection(X: Any) -> Floats:
    direction = np.random.default_rng(0).standard_normal(X.shape[1])
    if hasattr(X, "tocsr"):
        projection = np.asarray(X.tocsr() @ direction, float)
    else:
        projection = np.zeros(X.shape[0])
        with np.errstate(over="ignore", invalid="ignore"):
            # Unlike a matrix product, this gives bitwise identical results for equal rows.
            for column, weight in enumerate(direction):
                projection += weight * np.nan_to_num(X[:, column])
    np.nan_to_num(projection, copy=False)
    return projection
