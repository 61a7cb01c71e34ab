"""Loops compiled with Numba, where NumPy needs several passes over memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def count_words(words: Any, positives: Any, negatives: Any) -> int:
    """Count sorted words by key in place; return the number of keys.

    The words are those of `howsure.kernels.ranking.rank`.
    """
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
    """Count cases by bin and class, and update the score range of bins.

    The map from scores to bins is that of `howsure.kernels.score_bins.ScoreMap`; a scale of 0 means probabilities.
    """
    last = cells.shape[1] - 1
    for row in range(len(scores)):
        score = scores[row]
        if score != score:  # skip NaN, which the caller rejects
            continue
        if scale == 0:
            share = min(max(score, 0.0), 1.0)
            spread = np.sqrt(share) - np.sqrt(1.0 - share)
        else:
            size = 1.0 - 1.0 / (1.0 + abs(score) / scale)
            spread = size if score >= 0.0 else -size
        index = np.int64((spread + 1.0) * half)
        if scale == 0 and score > 0:
            index += 1
        index += np.int64(score >= threshold)
        cells[index, codes[row]] += 1
        cells[index, last - 1] = min(cells[index, last - 1], score)
        cells[index, last] = max(cells[index, last], score)
