"""Count the positives and negatives at each distinct score.

With the scores from high to low, the cumulative sums of these counts are the true and the false positives at each
threshold.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from howsure.arrays import Array

Ranked = tuple[Array, Array, Array]  # distinct scores from high to low, positives, negatives

BLOCK = 1 << 15  # number of scores whose columns fit in the processor's cache
COMPILED_FROM = 200_000  # with fewer scores, loading Numba takes longer than the compiled loop saves
MAX_PAIRS = 1 << 60  # maximum number of pairs; twice this number still fits in 64 bits


@cache
def compiled() -> Any:
    """Return the module of compiled loops, or None without Numba."""
    if os.environ.get("HOWSURE_FAST") == "0":
        return None
    try:
        from howsure.kernels import compiled as loops
    except (ImportError, RuntimeError):  # Numba is not installed, or has no folder for its cache
        return None
    return loops


def rank(scores: Array, positive: Array) -> Ranked:
    """Count positives and negatives at each distinct score.

    Scores are float32 or float64, and not NaN.

    Read as integers, floating-point numbers of the same sign are ordered by magnitude (IEEE 754). Shifting out the sign
    bit makes room for the class, so that a case is one word, ``(magnitude << 1) | class``. Sorting these integers sorts
    the scores together with their classes, much faster than ``argsort`` would.
    """
    loops = compiled() if len(scores) >= COMPILED_FROM else None
    word: Any = np.uint32 if scores.dtype == np.float32 else np.uint64
    words = np.ascontiguousarray(scores).view(word) << word(1)  # -0.0 becomes 0.0
    words |= ~np.asarray(positive, np.bool_)
    np.invert(words, out=words)  # so that words increase as scores decrease; the last bit is now 1 for a positive
    below = scores < 0 if scores.min() < 0 else None
    keys, positives, negatives = _count_words(words if below is None else words[~below], loops)
    keys ^= ~word(0) >> word(1)
    ranked = keys.view(scores.dtype)
    if below is None:
        return ranked, positives, negatives
    magnitudes, *counts = _count_words(words[below] ^ ~word(1), loops)  # below 0, they increase as scores decrease
    columns = zip((ranked, positives, negatives), (-magnitudes.view(scores.dtype), *counts), strict=True)
    ranked, positives, negatives = (np.concatenate(pair) for pair in columns)
    return ranked, positives, negatives


def _count_words(words: Array, loops: Any) -> Ranked:
    """Sort words in place and count the positives and negatives of each key.

    The key is the word without its last bit, which is 1 for positives.
    """
    words.sort()
    small = np.int32 if len(words) < 1 << 31 else np.int64
    if loops is not None:
        positives, negatives = np.empty(len(words), small), np.empty(len(words), small)
        m = loops.count_words(words, positives, negatives)  # the distinct keys replace the first words
        if 2 * m > len(words):
            return words[:m], positives[:m], negatives[:m]
        return words[:m].copy(), positives[:m].copy(), negatives[:m].copy()  # a view would keep all words in memory
    one = words.dtype.type(1)
    keys = words >> one
    starts = np.flatnonzero(np.append(len(keys) > 0, keys[1:] != keys[:-1]))
    n = np.diff(starts, append=len(keys))
    positives = np.add.reduceat((words & one).astype(small), starts) if len(keys) else np.zeros(0, small)
    return keys[starts], positives.astype(small), (n - positives).astype(small)


def cumulate(positives: Array, negatives: Array) -> tuple[Array, Array]:
    """Return the cumulative sums of both columns, each after a leading 0."""
    tp, fp = np.zeros(len(positives) + 1), np.zeros(len(positives) + 1)
    tp[1:] = np.cumsum(positives)  # faster than summing whole numbers as floats
    fp[1:] = np.cumsum(negatives)
    return tp, fp


class Block(NamedTuple):
    """Counts and cumulative counts of consecutive scores of a table."""

    part: slice
    positives: Array
    negatives: Array
    tp: Array
    fp: Array


def blocks(positives: Array, negatives: Array) -> Iterator[Block]:
    """Yield the columns of a score table in blocks that fit in the cache.

    The last axis runs over the scores.
    """
    tp = fp = np.zeros((*positives.shape[:-1], 1))
    for start in range(0, positives.shape[-1], BLOCK):
        part = slice(start, start + BLOCK)
        up, down = positives[..., part], negatives[..., part]
        above, beside = tp + np.cumsum(up, axis=-1), fp + np.cumsum(down, axis=-1)
        yield Block(part, up, down, above, beside)
        tp, fp = above[..., -1:], beside[..., -1:]


def concordant(positives: Array, negatives: Array) -> float | None:
    """Count the pairs that are ranked correctly; ties count half.

    This is the Mann-Whitney statistic: U = sum over scores of negatives * (positives above + positives here / 2). Twice
    U is a sum of whole numbers, so it is computed exactly. The result is None where the counts are too large or not
    whole numbers.
    """
    if positives.ndim > 1 or positives.dtype.kind != "i" or negatives.dtype.kind != "i":
        return None
    twice = n_positive = n_negative = 0
    for start in range(0, len(positives), BLOCK):
        here, negative = positives[start : start + BLOCK].astype(np.int64), negatives[start : start + BLOCK]
        above = n_positive + np.cumsum(here)
        n_positive, n_negative = int(above[-1]), n_negative + int(negative.sum())
        twice += int(negative @ (2 * above - here))
    if n_positive * n_negative >= MAX_PAIRS:  # a sum may have overflowed
        return None
    return twice / 2


def rank_weighted(scores: Array, columns: list[Array]) -> tuple[Array, list[Array]]:
    """Sum columns of weights at each distinct score, from high to low."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order] + 0.0  # turns -0.0 into 0.0
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1])) if len(ranked) else np.empty(0, np.intp)
    return ranked[starts], [np.add.reduceat(column[order], starts) for column in columns]


def placements(positive: Array, scores: Array, weight: Array | None = None, order: Array | None = None) -> Array:
    """Return the placement of each case among the other class.

    For a positive with score s this is P(negative < s) + P(negative = s) / 2, for a negative P(positive > s) +
    P(positive = s) / 2. The mean placement of either class is the AUC, and the variances of the placements give the
    variance of the AUC (DeLong, DeLong and Clarke-Pearson 1988). ``order`` sorts the scores, if it is already known.
    """
    order = np.argsort(scores) if order is None else order
    flags, ranked = positive[order], scores[order]
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    sizes = np.diff(np.append(starts, len(ranked)))
    each = np.ones(len(order)) if weight is None else weight[order]
    of_positives = np.add.reduceat(flags * each, starts)
    of_negatives = np.add.reduceat(~flags * each, starts)
    with np.errstate(invalid="ignore"):  # a class without cases gives 0 / 0
        below = (np.cumsum(of_negatives) - of_negatives / 2) / of_negatives.sum()
        above = 1 - (np.cumsum(of_positives) - of_positives / 2) / of_positives.sum()
    placement = np.empty(len(scores))
    placement[order] = np.where(flags, np.repeat(below, sizes), np.repeat(above, sizes))
    return placement


def mean_ranks(values: Array) -> Array:
    """Return the midranks of values: ranks from 1, ties share their mean rank."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[index])
