"""Rank scores: how many positives and negatives there are at each distinct score.

A score's magnitude needs one bit less than its word has, so the class fits beside it: (magnitude << 1) | positive.
Sorting these words sorts scores and carries the classes along, with no payload to move and no comparison but of
whole numbers. Scores below zero are sorted apart, by magnitude.

With Numba (the extra ``fast``) such words are dealt into buckets that fit in the cache, and sorted there by their
digits on all cores (`howsure.kernels.buckets`). NumPy alone sorts all of them at once. Both give the same bits.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from howsure.arrays import Array
from howsure.kernels.buckets import rank_in_buckets

Ranked = tuple[Array, Array, Array]  # distinct scores from high to low, positives, negatives

BLOCK = 1 << 15  # scores at a time: what is computed from them fits in the cache
LARGE = 200_000  # from here on threads and compiled loops pay
MOST_PAIRS = 2.0**60  # twice of which, and a sum more, a whole number can still hold
VERY_LARGE = 5_000_000  # from here on their absence is worth a word


class SlowPathWarning(UserWarning):
    """A faster way exists and is not installed."""


@cache
def compiled() -> Any:
    """Give the compiled loops, or None where Numba is not installed."""
    if os.environ.get("HOWSURE_FAST") == "0":
        return None
    try:
        from howsure.kernels import compiled as loops
    except (ImportError, RuntimeError):  # not installed, or nowhere to keep what it compiles
        return None
    return loops


def rank(scores: Array, positive: Array) -> Ranked:
    """Count positives and negatives at each distinct score. Scores are float32 or float64, and not NaN."""
    loops = compiled() if len(scores) >= LARGE else None
    if loops is None and len(scores) >= VERY_LARGE:
        message = "ranking millions of scores is faster with Numba: pip install 'howsure[fast]'"
        warnings.warn(message, SlowPathWarning, stacklevel=2)
    if loops is not None:
        ranked, positives, negatives = rank_in_buckets(scores, positive, loops)
        return ranked, positives, negatives
    if not scores.min() < 0:
        return _rank_side(scores, positive)
    if scores.max() < 0:
        return _turned(_rank_side(scores, positive))
    below = scores < 0
    upper = _rank_side(scores[~below], positive[~below])
    lower = _turned(_rank_side(scores[below], positive[below]))
    high, low = (np.concatenate(pair) for pair in zip(upper[1:], lower[1:], strict=True))
    return np.concatenate([upper[0], lower[0]]), high, low


def _turned(ranked: Ranked) -> Ranked:
    """Put magnitudes of scores below zero into the order of the scores."""
    scores, positives, negatives = ranked
    return -scores[::-1], positives[::-1], negatives[::-1]


def _rank_side(scores: Array, positive: Array) -> Ranked:
    """Rank the magnitudes of scores that all have one sign."""
    word: Any = np.uint32 if scores.dtype == np.float32 else np.uint64
    keys = np.ascontiguousarray(scores).view(word) << word(1)  # the sign bit falls out, so that -0.0 is 0.0
    keys |= np.ascontiguousarray(positive).view(np.uint8)
    keys.sort()
    magnitudes, positives, negatives = _count(keys)
    return magnitudes.view(scores.dtype), positives, negatives


def _count(keys: Array) -> tuple[Array, Array, Array]:
    """Count sorted words, from the largest to the smallest."""
    magnitudes = keys >> keys.dtype.type(1)
    ends = np.append(np.flatnonzero(magnitudes[1:] != magnitudes[:-1]), len(keys) - 1)
    total = np.diff(ends, prepend=-1)
    cumulative = np.cumsum(keys & keys.dtype.type(1), dtype=_small(len(keys)))[ends]
    positives = np.diff(cumulative, prepend=cumulative.dtype.type(0))
    negatives = (total - positives).astype(positives.dtype)
    return magnitudes[ends[::-1]], positives[::-1].copy(), negatives[::-1].copy()


def cumulate(positives: Array, negatives: Array) -> tuple[Array, Array]:
    """Add up counts from the highest score on, beginning with none."""
    tp, fp = np.zeros(len(positives) + 1), np.zeros(len(positives) + 1)
    loops = compiled() if len(positives) >= LARGE else None
    if loops is not None:  # both at once
        loops.cumulate(positives, negatives, tp, fp)
        return tp, fp
    np.cumsum(positives, out=tp[1:])
    np.cumsum(negatives, out=fp[1:])
    return tp, fp


class Block(NamedTuple):
    """A stretch of a score table: where it is, what it holds, and what was cumulative down to each of its scores."""

    part: slice
    positives: Array
    negatives: Array
    tp: Array
    fp: Array


def blocks(positives: Array, negatives: Array) -> Iterator[Block]:
    """Go through the columns of a score table in blocks that fit in the cache."""
    for part, tp, fp in cumulate_blocks(positives, negatives, BLOCK):
        yield Block(part, positives[..., part], negatives[..., part], tp, fp)


def cumulate_blocks(positives: Array, negatives: Array, size: int) -> Iterator[tuple[slice, Array, Array]]:
    """Add up counts along the last axis, a block at a time; what a block is given is written over by the next."""
    loops = _loops_for(positives)
    if loops is None:
        tp = fp = np.zeros((*positives.shape[:-1], 1))
        for start in range(0, positives.shape[-1], size):
            part = slice(start, start + size)
            above, beside = (
                before + np.cumsum(column[..., part], axis=-1) for before, column in ((tp, positives), (fp, negatives))
            )
            yield part, above, beside
            tp, fp = above[..., -1:], beside[..., -1:]
        return
    tp, fp = np.zeros(size + 1), np.zeros(size + 1)
    for start in range(0, len(positives), size):
        part = slice(start, min(start + size, len(positives)))
        end = part.stop - part.start
        loops.cumulate(positives[part], negatives[part], tp, fp)
        yield part, tp[1 : end + 1], fp[1 : end + 1]
        tp[0], fp[0] = tp[end], fp[end]


def _loops_for(positives: Array) -> Any:
    """The compiled loops, where a table is large and of whole numbers, whose sums are exact in any order."""
    large = positives.ndim == 1 and len(positives) >= LARGE and positives.dtype.kind == "i"
    return compiled() if large else None


def concordant(positives: Array, negatives: Array) -> float | None:
    """Pairs in which the positive scores higher, ties counting half, where a compiled loop can tell at once."""
    loops = _loops_for(positives)
    if loops is None or float(positives.sum(dtype=float)) * float(negatives.sum(dtype=float)) >= MOST_PAIRS:
        return None
    return float(loops.concordant(positives, negatives)) / 2


def _small(n: int) -> Any:
    """Give the type of counts up to n: half the memory where that will do."""
    return np.int32 if n < 1 << 31 else np.int64


def rank_weighted(scores: Array, columns: list[Array]) -> tuple[Array, list[Array]]:
    """Add up columns of weights at each distinct score, from high to low."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order] + 0.0  # -0.0 is 0.0
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1])) if len(ranked) else np.empty(0, np.intp)
    return ranked[starts], [np.add.reduceat(column[order], starts) for column in columns]


def placements(positive: Array, scores: Array, weight: Array | None = None, order: Array | None = None) -> Array:
    """Share of the other class that each case is on the right side of, ties counting half (DeLong et al. 1988).

    One sort, unless the ``order`` is known; positives are placed among the negatives below them, and negatives among
    the positives above.
    """
    order = np.argsort(scores) if order is None else order
    loops = compiled() if weight is None and len(scores) >= LARGE else None
    if loops is not None:
        placed = np.empty(len(scores))
        loops.place(order, np.ascontiguousarray(positive, np.bool_), scores, placed)
        return placed
    flags, ranked = positive[order], scores[order]
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    sizes = np.diff(np.append(starts, len(ranked)))
    each = np.ones(len(order)) if weight is None else weight[order]
    of_positives = np.add.reduceat(flags * each, starts)
    of_negatives = np.add.reduceat(~flags * each, starts)
    with np.errstate(invalid="ignore"):  # where a class has no case, nothing is on the right side of it
        below = (np.cumsum(of_negatives) - of_negatives / 2) / of_negatives.sum()
        above = 1 - (np.cumsum(of_positives) - of_positives / 2) / of_positives.sum()
    out = np.empty(len(scores))
    out[order] = np.where(flags, np.repeat(below, sizes), np.repeat(above, sizes))
    return out


def mean_ranks(values: Array) -> Array:
    """Rank values from 1, the lowest first; equals share the mean of their ranks."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[index])
