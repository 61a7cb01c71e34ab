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
def pack(bits: Any, flags: Any, pivot: Any, keys: Any, low: Any, high: Any) -> None:
    """Write (magnitude << 1) | flag of each score: below the pivot from place ``low`` on, the others from ``high``.

    The place is chosen by arithmetic, not by a branch, which would be guessed wrong half of the time.
    """
    one = bits.dtype.type(1)
    for row in range(len(bits)):
        shifted = bits.dtype.type(bits[row] << one)
        below = np.int64(shifted < pivot)
        keys[high + below * (low - high)] = shifted | flags[row]
        low += below
        high += 1 - below


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
    """Add counts up, going on from what ``tp`` and ``fp`` begin with."""
    up, down = np.int64(tp[0]), np.int64(fp[0])
    for i in range(len(positives)):
        up += np.int64(positives[i])
        down += np.int64(negatives[i])
        tp[i + 1] = up
        fp[i + 1] = down


@njit(nogil=True, cache=True)
def concordant(positives: Any, negatives: Any) -> Any:
    """Twice the pairs in which the positive scores higher, ties counting half: a whole number, exact below 2**63."""
    total = up = np.int64(0)
    for i in range(len(positives)):
        here = np.int64(positives[i])
        total += np.int64(negatives[i]) * (2 * up + here)
        up += here
    return total


@njit(nogil=True, cache=True)
def count_bins(scores: Any, codes: Any, threshold: float, scale: float, half: int, cells: Any) -> None:
    """Count cases by place and class, with the range of the scores at each place; see `assay.kernels.score_bins`."""
    last = cells.shape[1] - 1
    for row in range(len(scores)):
        score = scores[row]
        if score != score:  # NaN has no place; whoever reads has refused it
            continue
        if scale == 0:
            inside = min(max(score, 0.0), 1.0)
            spread = np.sqrt(inside) - np.sqrt(1.0 - inside)
        else:
            away = 1.0 - 1.0 / (1.0 + abs(score) / scale)
            spread = away if score >= 0.0 else -away
        place = np.int64((spread + 1.0) * half)
        if scale == 0 and score > 0:
            place += 1
        place += np.int64(score >= threshold)
        cells[place, codes[row]] += 1
        cells[place, last - 1] = min(cells[place, last - 1], score)
        cells[place, last] = max(cells[place, last], score)
