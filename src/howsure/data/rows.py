"""Count and select rows of arrays, sparse matrices, frames and lists."""

from __future__ import annotations

from typing import Any

from howsure.arrays import IntArray
from howsure.errors import must


def count_rows(X: Any, name: str = "X") -> int:
    """Return the number of rows."""
    shape = getattr(X, "shape", None)
    if shape is None and hasattr(X, "__len__") and not isinstance(X, str | bytes | dict):
        return len(X)
    if not shape:
        must(name, "an array, a sparse matrix, a data frame or a list, one row for each case", given=X)
    return int(shape[0])


def take(X: Any, rows: IntArray) -> Any:
    """Return the given rows in their order, in the same kind of container."""
    if hasattr(X, "iloc"):  # in pandas, brackets select columns or index labels
        return X.iloc[rows]
    if hasattr(X, "tocsr"):  # not every sparse format can be indexed
        return X.tocsr()[rows]
    if isinstance(X, list | tuple):
        return [X[row] for row in rows]
    if type(X).__module__.partition(".")[0] == "pyarrow":
        return X.take(rows)
    return X[rows]
