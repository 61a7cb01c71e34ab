"""Loops compiled by Numba, for what NumPy would need several passes over the memory for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def count_below(bits: Any, pivot: Any) -> int:
    total = 0
    for i in range(len(bits)):
        total += bits.dtype.type(bits[i] << bits.dtype.type(1)) < pivot  # cast: Numba widens, and would keep the sign
    return total


@njit(nogil=True, cache=True)
def pack(bits: Any, flags: Any, pivot: Any, lower: Any, upper: Any) -> None:
    """Write (magnitude << 1) | flag of each score, below the pivot into one array and the others into another."""
    i = j = 0
    one = bits.dtype.type(1)
    for row in range(len(bits)):
        shifted = bits.dtype.type(bits[row] << one)
        if shifted < pivot:
            lower[i] = shifted | flags[row]
            i += 1
        else:
            upper[j] = shifted | flags[row]
            j += 1


@njit(nogil=True, cache=True)
def count(keys: Any, magnitudes: Any, positives: Any, negatives: Any) -> int:
    """Count sorted words from the largest to the smallest."""
    if len(keys) == 0:
        return 0
    one = keys.dtype.type(1)
    put = 0
    current = keys[len(keys) - 1] >> one
    up = down = np.int64(0)
    for i in range(len(keys) - 1, -1, -1):
        magnitude = keys[i] >> one
        if magnitude != current:
            magnitudes[put], positives[put], negatives[put] = current, up, down
            put += 1
            current = magnitude
            up = down = np.int64(0)
        flag = np.int64(keys[i] & one)
        up += flag
        down += np.int64(1) - flag
    magnitudes[put], positives[put], negatives[put] = current, up, down
    return put + 1


@njit(nogil=True, cache=True)
def cumulate(positives: Any, negatives: Any, tp: Any, fp: Any) -> None:
    up = down = np.int64(0)
    tp[0] = fp[0] = 0.0
    for i in range(len(positives)):
        up += np.int64(positives[i])
        down += np.int64(negatives[i])
        tp[i + 1] = up
        fp[i + 1] = down
