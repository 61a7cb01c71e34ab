"""Rank scores: how many positives and negatives there are at each distinct score.

A score's magnitude needs one bit less than its word has, so the class fits beside it: (magnitude << 1) | positive.
Sorting these words sorts scores and carries the classes along, with no payload to move and no comparison but of
whole numbers. Scores below zero are sorted apart, by magnitude. The physical limit is the sort: 10 million words
of 8 bytes move about log2(n / cache) times through memory; all other passes are one read and one write.

With Numba (the extra ``fast``) the words are packed, parted at their median, sorted and counted in two threads.
NumPy alone does the same in one. Both give the same bits.
"""

from __future__ import annotations

import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Ranked = tuple[Array, Array, Array]  # distinct scores from high to low, positives, negatives

LARGE = 200_000  # from here on threads and compiled loops pay
VERY_LARGE = 5_000_000  # from here on their absence is worth a word


class SlowPathWarning(UserWarning):
    """A faster way exists and is not installed."""


@cache
def compiled() -> Any:
    """Give the compiled loops, or None where Numba is not installed."""
    if os.environ.get("ASSAY_FAST") == "0":
        return None
    try:
        from assay.tables.kernels import compiled as loops
    except ImportError:
        return None
    return loops


def rank(scores: Array, positive: Array) -> Ranked:
    """Count positives and negatives at each distinct score. Scores are float32 or float64, and not NaN."""
    loops = compiled() if len(scores) >= LARGE else None
    if loops is None and len(scores) >= VERY_LARGE:
        message = "ranking millions of scores is faster with Numba: pip install 'assay[fast]'"
        warnings.warn(message, SlowPathWarning, stacklevel=2)
    below = scores < 0
    if not below.any():
        return _rank_side(scores, positive, loops)
    if below.all():
        return _turned(_rank_side(scores, positive, loops))
    upper = _rank_side(scores[~below], positive[~below], loops)
    lower = _turned(_rank_side(scores[below], positive[below], loops))
    high, low = (np.concatenate(pair) for pair in zip(upper[1:], lower[1:], strict=True))
    return np.concatenate([upper[0], lower[0]]), high, low


def _turned(ranked: Ranked) -> Ranked:
    """Put magnitudes of scores below zero into the order of the scores."""
    scores, positives, negatives = ranked
    return -scores[::-1], positives[::-1], negatives[::-1]


def _rank_side(scores: Array, positive: Array, loops: Any) -> Ranked:
    """Rank the magnitudes of scores that all have one sign."""
    word: Any = np.uint32 if scores.dtype == np.float32 else np.uint64
    bits = np.ascontiguousarray(scores).view(word)
    flags = np.ascontiguousarray(positive).view(np.uint8)
    if loops is None:
        keys = bits << word(1)  # the sign bit falls out, so that -0.0 is 0.0
        keys |= flags
        keys.sort()
        parts = [_count(keys)]
    else:
        parts = _rank_parallel(bits, flags, word, loops)
    magnitudes, positives, negatives = (np.concatenate(part) for part in zip(*parts, strict=True))
    return magnitudes.view(scores.dtype), positives, negatives


def _count(keys: Array) -> tuple[Array, Array, Array]:
    """Count sorted words, from the largest to the smallest."""
    magnitudes = keys >> keys.dtype.type(1)
    ends = np.append(np.flatnonzero(magnitudes[1:] != magnitudes[:-1]), len(keys) - 1)
    total = np.diff(ends, prepend=-1)
    found = np.cumsum(keys & keys.dtype.type(1), dtype=_small(len(keys)))[ends]
    positives = np.diff(found, prepend=found.dtype.type(0))
    return magnitudes[ends][::-1], positives[::-1], (total - positives).astype(positives.dtype)[::-1]


def _rank_parallel(bits: Array, flags: Array, word: Any, loops: Any) -> list[tuple[Array, Array, Array]]:
    """Part the words at their median while packing them, then sort and count both parts at the same time."""
    n = len(bits)
    sample = np.sort(bits[:: max(1, n // 1024)] << word(1))
    pivot = sample[len(sample) // 2]
    half = n // 2
    parts = [slice(0, half), slice(half, n)]
    with ThreadPoolExecutor(2) as pool:
        small = list(pool.map(lambda part: loops.count_below(bits[part], pivot), parts))
        lower, upper = np.empty(sum(small), word), np.empty(n - sum(small), word)
        starts = [(0, 0), (small[0], half - small[0])]
        list(
            pool.map(
                lambda part, start: loops.pack(bits[part], flags[part], pivot, lower[start[0] :], upper[start[1] :]),
                parts,
                starts,
            )
        )

        def sort_and_count(keys: Array) -> tuple[Array, Array, Array]:
            keys.sort()
            positives, negatives = np.empty(len(keys), _small(n)), np.empty(len(keys), _small(n))
            m = loops.count(keys, positives, negatives)  # the magnitudes overwrite the words, which are done with
            return keys[len(keys) - m :][::-1], positives[:m], negatives[:m]

        counted = list(pool.map(sort_and_count, [upper, lower]))
    return [part for part in counted if len(part[0])]


def _small(n: int) -> Any:
    """Give the type of counts up to n: half the memory where that will do."""
    return np.int32 if n < 1 << 31 else np.int64


def rank_weighted(scores: Array, columns: list[Array]) -> tuple[Array, list[Array]]:
    """Add up columns of weights at each distinct score, from high to low."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order] + 0.0  # -0.0 is 0.0
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1])) if len(ranked) else np.empty(0, np.intp)
    return ranked[starts], [np.add.reduceat(column[order], starts) for column in columns]
