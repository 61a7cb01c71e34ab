"""Count how often each pair of codes occurs.

One pass over both columns. Working in blocks keeps the computed cell numbers in the cache, so the
only memory traffic is reading the columns; a whole-column product would write and read 8 bytes a row more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.signedinteger[Any]]
BLOCK = 1 << 15


def count_cells(
    truth: Codes, predicted: Codes, k: int, group: Codes | None = None, groups: int = 1, weight: Any = None
) -> NDArray[Any]:
    """Give the counts, or the sums of ``weight``, of shape (groups, k, k)."""
    cells = groups * k * k
    exact = weight is None or weight.dtype.kind in "iu"
    total = np.zeros(cells, np.int64 if exact else np.float64)
    block = max(BLOCK, 4 * cells)  # each block adds a whole table: keep that the smaller part of the work
    for start in range(0, len(truth), block):
        part = slice(start, start + block)
        cell = truth[part].astype(np.intp)
        if group is not None:
            cell += group[part] * np.intp(k)
        cell *= k
        cell += predicted[part]
        counted = np.bincount(cell, None if weight is None else weight[part], minlength=cells)
        total += counted.astype(total.dtype, copy=False)  # whole numbers below 2**53 stay exact
    return total.reshape(groups, k, k)
