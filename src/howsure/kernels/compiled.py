"""Loops compiled by Numba, where NumPy would need several passes over the memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def count_words(words: Any, positives: Any, negatives: Any) -> int:
    """Count sorted words by key, in place, and return the number of keys; see `howsure.kernels.ranking.rank`."""
    one = words.dtype.type(1)
    m = 0
    up = down = np.int64(0)
    for i in range(len(words)):
        key = words[i] >> one
        up += np.int64(words[i] & one)
        down += np.int64((words[i] & one) ^ one)
        if i + 1 == len(words) or words[i + 1] >> one != key:
            words[m], positives[m], negatives[m] = key, up, down
            m += 1
            up = down = np.int64(0)
    return m


@njit(nogil=True, cache=True)
def count_bins(scores: Any, codes: Any, threshold: float, scale: float, half: int, cells: Any) -> None:
    """Count cases by place and class, with the range of the scores at each place; see `howsure.kernels.score_bins`."""
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
