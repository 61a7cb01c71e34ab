"""Count how often each combination of codes occurs.

One pass over the columns. Working in blocks keeps the computed cell numbers in the cache, so the only memory traffic is
reading the columns; a whole-column product would write and read 8 bytes a row more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.signedinteger[Any]]
BLOCK = 1 << 15  # rows
OF_A_BYTE = 256  # what a byte can be
MANY = 1 << 17  # rows from which on it pays to count two together
PAIRED_BLOCK = 1 << 19  # rows: each of these blocks adds a table of 65,536 pairs


def count_cells(columns: Sequence[Codes], sizes: Sequence[int], weight: Any = None) -> NDArray[Any]:
    """Give the counts, or the sums of ``weight``, of shape ``sizes``: a column's codes are below its size."""
    rows, cells = len(columns[0]), prod(sizes)
    if weight is None and cells < OF_A_BYTE and rows >= MANY:
        return _count_two_together(columns, sizes).reshape(sizes)
    exact = weight is None or weight.dtype.kind in "iu"
    total = np.zeros(cells, np.int64 if exact else np.float64)
    block = max(BLOCK, 4 * cells)  # each block adds a whole table: keep that the smaller part of the work
    for part, cell in _cells(columns, sizes, np.intp, block):
        counted = np.bincount(cell, None if weight is None else weight[part], minlength=cells)
        total += counted.astype(total.dtype, copy=False)  # whole numbers below 2**53 stay exact
    return total.reshape(sizes)


def _count_two_together(columns: Sequence[Codes], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Count few cells: the bytes of two rows make one number of two bytes, so that half as many are counted."""
    pairs, odd = np.zeros(OF_A_BYTE**2, np.int64), np.zeros(OF_A_BYTE, np.int64)
    for _, cell in _cells(columns, sizes, np.uint8, PAIRED_BLOCK):
        even = len(cell) // 2 * 2
        pairs += np.bincount(cell[:even].view(np.uint16), minlength=len(pairs))
        odd += np.bincount(cell[even:], minlength=len(odd))
    both = pairs.reshape(OF_A_BYTE, OF_A_BYTE)
    total: NDArray[np.int64] = both.sum(0) + both.sum(1) + odd
    cells = prod(sizes)
    if total[cells:].any():  # as `bincount` refuses a number below 0, which in a byte is a large one
        raise ValueError(f"codes must be from 0 to below {sizes}")
    return total[:cells]


def _cells(
    columns: Sequence[Codes], sizes: Sequence[int], dtype: Any, block: int
) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Number the cells of the rows, a block at a time."""
    for start in range(0, len(columns[0]), block):
        part = slice(start, start + block)
        cell = columns[0][part].astype(dtype)
        for column, size in zip(columns[1:], sizes[1:], strict=True):
            cell *= dtype(size)
            cell += column[part].astype(dtype, copy=False)
        yield part, cell
