"""An order of the cases that follows from what they are, not from where they stand: copies of a case lie together."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array, Floats, IntArray


def canonical_order(X: Any, codes: IntArray) -> IntArray:
    """Put rows in an order that does not depend on how they came; equal cases lie side by side.

    Rows are compared by a random projection, which costs a pass over the data, and where that is not enough by their
    features one after the other: it takes NaN for zero, and beside a large number a small one is rounded away.
    Text and other values are replaced by numbers that follow from how they are written.
    """
    numbers = _as_numbers(X)
    projection = _projection(numbers)
    order = np.lexsort((codes, projection))
    tied = np.flatnonzero(projection[order[1:]] == projection[order[:-1]])
    if _rows_differ(numbers, order[tied + 1], order[tied]).any():
        return np.lexsort((codes, *_sort_keys(numbers), projection))
    return order


def number_cases(X: Any, codes: IntArray) -> IntArray:
    """Number the cases; copies of a case have the same number, and the order of the rows does not matter."""
    order = canonical_order(X, codes)
    previous, current = order[:-1], order[1:]
    is_new = np.zeros(len(order), np.int64)
    is_new[1:] = _rows_differ(_as_numbers(X), current, previous) | (codes[current] != codes[previous])
    cases = np.empty(len(order), np.int64)
    cases[order] = np.cumsum(is_new)
    return cases


def _rows_differ(X: Any, some: IntArray, others: IntArray) -> NDArray[np.bool_]:
    if not len(some):
        return np.zeros(0, bool)
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        return np.asarray((X[some] != X[others]).sum(axis=1)).ravel() > 0
    one, other = X[some], X[others]
    return np.asarray(((one != other) & ~((one != one) & (other != other))).any(axis=1))  # NaN equals NaN here


def _sort_keys(X: Any) -> list[Any]:
    """Give keys to sort rows by, equal for equal rows only."""
    if not hasattr(X, "tocsr"):
        return list(X.T)
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    parts = [slice(*ends) for ends in pairwise(rows.indptr.tolist())]
    written = np.array([rows.indices[part].tobytes() + rows.data[part].tobytes() for part in parts], dtype=object)
    return [np.unique(written, return_inverse=True)[1]]


def _as_numbers(X: Any) -> Any:
    """Give features as an array or a sparse matrix of numbers, whatever they are."""
    if hasattr(X, "dtype") and X.dtype.kind in "buif":
        return X
    try:
        return np.asarray(X, float)
    except (TypeError, ValueError):
        return np.column_stack([_column_as_numbers(column) for column in np.asarray(X, dtype=object).T])


def _column_as_numbers(column: Array) -> Floats:
    """Give numbers as they are, and anything else a number that follows from how it is written and nothing else."""
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
            for column, share in enumerate(direction):  # column by column: equal rows must give equal bits
                projection += share * np.nan_to_num(X[:, column])
    np.nan_to_num(projection, copy=False)
    return projection
