"""Loops compiled by Numba, for what NumPy would need several passes over the memory for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def count_below(bits: Any, pivot: Any) -> int:
    total = 0
    for i in range(len(bits)):
        total += (bits[i] << bits.dtype.type(1)) < pivot
    return total


@njit(nogil=True, cache=True)
def pack(bits: Any, flags: Any, pivot: Any, lower: Any, upper: Any) -> None:
    """Write (magnitude << 1) | flag of each score, below the pivot into one array and the others into another."""
    i = j = 0
    one = bits.dtype.type(1)
    for row in range(len(bits)):
        shifted = bits[row] << one
        if shifted < pivot:
            lower[i] = shifted | flags[row]
            i += 1
        else:
            upper[j] = shifted | flags[row]
            j += 1


@njit(nogil=True, cache=True)
def count(keys: Any, positives: Any, negatives: Any) -> int:
    """Count sorted words from the end; the distinct magnitudes are left at the end of ``keys``, in rising order."""
    if len(keys) == 0:
        return 0
    one = keys.dtype.type(1)
    put = len(keys) - 1
    m = 0
    current = keys[put] >> one
    up = down = np.int64(0)
    for i in range(len(keys) - 1, -1, -1):
        magnitude = keys[i] >> one
        if magnitude != current:
            keys[put] = current
            positives[m], negatives[m] = up, down
            put -= 1
            m += 1
            current = magnitude
            up = down = np.int64(0)
        flag = np.int64(keys[i] & one)
        up += flag
        down += np.int64(1) - flag
    keys[put] = current
    positives[m], negatives[m] = up, down
    return m + 1
