"""Count codes and combinations of codes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array, IntArray

Codes = NDArray[np.signedinteger[Any]]
DENSE = 4  # maximum ratio of possible codes to rows for which counting all codes is faster than sorting
BLOCK = 1 << 15  # number of rows per block, whose cell numbers stay in the cache and need no memory for a whole column


def count_cells(columns: Sequence[Codes], sizes: Sequence[int], weight: Any = None) -> NDArray[Any]:
    """Count combinations of codes, or sum ``weight``, by cell.

    Codes are below the size of their column. The result has the shape ``sizes``.
    """
    cells = prod(sizes)
    is_whole = weight is None or weight.dtype.kind in "iu"
    total = np.zeros(cells, np.int64 if is_whole else np.float64)
    block = max(BLOCK, 4 * cells)  # adding the table of a block should take less time than counting the block
    for start in range(0, len(columns[0]), block):
        rows = slice(start, start + block)
        cell = columns[0][rows].astype(np.intp)
        for column, size in zip(columns[1:], sizes[1:], strict=True):
            cell *= size
            cell += column[rows].astype(np.intp, copy=False)
        counts = np.bincount(cell, None if weight is None else weight[rows], minlength=cells)
        total += counts.astype(total.dtype, copy=False)  # whole numbers below 2**53 stay exact
    return total.reshape(sizes)


def count_distinct(codes: IntArray, size: int, weight: Array | None = None) -> tuple[IntArray, Array]:
    """Return the sorted distinct codes and their counts or summed weights.

    Codes are below ``size``.
    """
    if size <= DENSE * len(codes):
        counts = np.bincount(codes, minlength=size)
        distinct: IntArray = np.flatnonzero(counts)
        sums = counts if weight is None else np.bincount(codes, weight, size).astype(weight.dtype)
        return distinct, sums[distinct]
    if weight is None:
        return np.unique(codes, return_counts=True)
    distinct, inverse = np.unique(codes, return_inverse=True)
    return distinct, np.bincount(inverse, weight, len(distinct)).astype(weight.dtype)
