"""Rank very many scores in buckets that fit in the cache, on all cores.

A score's magnitude needs one bit less than its word has, so the class fits beside it: (key << 1) | positive. The key is
the magnitude of a score below zero, and of any other its complement, so that keys rise where scores fall. A sample of
the scores tells how wide buckets must be to hold a few thousand words each; two passes over the scores count and deal
them, and then each bucket is sorted, counted and written within the cache. Every key has one place, whatever the sample
was and however many threads there are, so the result depends on neither.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from howsure.arrays import Array, IntArray

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

SAMPLE = 4096  # scores by which the buckets are chosen
TRIMMED = 128  # one in so many of the sample, at either end, lies outside the range that is divided evenly
OF_BUCKET = 4096  # scores that a bucket should hold
LEAST, MOST = 64, 2048  # buckets
PARTS = 32  # into which the buckets are divided for the threads, which take them as they are free


def cores() -> int:
    """The cores that this process may use."""
    may_use: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return (os.cpu_count() or 1) if may_use is None else len(may_use(0))


class Buckets(NamedTuple):
    """How a word becomes a bucket, for scores from zero on and for those below: two of each."""

    flip: Array  # what turns a magnitude into a key
    low: Array  # the key from which on buckets are of even width; all below it go to the first
    shift: Array  # the bits of that width
    first: IntArray
    last: IntArray


def choose_buckets(bits: Array) -> Buckets:
    """Divide the range that most of a sample lies in; what lies outside goes to the buckets at its ends."""
    word: Any = bits.dtype.type
    width = 8 * bits.itemsize
    sample = bits[:: max(1, len(bits) // SAMPLE)]
    doubled = sample << word(1)
    below = (sample >> word(width - 1) != 0) & (doubled != 0)
    whole = (1 << (width - 1)) - 1
    buckets = Buckets(
        np.array([whole, 0], word), np.zeros(2, word), np.zeros(2, word), np.zeros(2, np.int64), np.zeros(2, np.int64)
    )
    wanted, end = min(max(len(bits) // OF_BUCKET, LEAST), MOST), 0
    for side, members in enumerate((~below, below)):
        keys = np.sort((doubled[members] >> word(1)) ^ buckets.flip[side])
        bottom, top = (int(keys[len(keys) // TRIMMED]), int(keys[-1 - len(keys) // TRIMMED])) if len(keys) else (0, 0)
        share = max(2, wanted * len(keys) // len(sample))
        shift = max(0, (top - bottom).bit_length() - share.bit_length() + 1)
        buckets.low[side], buckets.shift[side], buckets.first[side] = bottom, shift, end
        end += ((top - bottom) >> shift) + 3  # the even ones, and one at either end
        buckets.last[side] = end - 1
    return buckets


def rank_in_buckets(scores: Array, positive: Array, loops: Any, threads: int | None = None) -> tuple[Array, ...]:
    """Count positives and negatives at each distinct score, from high to low, by the compiled ``loops``."""
    n, word = len(scores), np.uint32 if scores.dtype == np.float32 else np.uint64
    bits, flags = np.ascontiguousarray(scores).view(word), np.ascontiguousarray(positive).view(np.uint8)
    buckets = choose_buckets(bits)
    total, turn = int(buckets.last[1]) + 1, int(buckets.first[1])
    threads = cores() if threads is None else threads
    rows = [slice(n * part // threads, n * (part + 1) // threads) for part in range(threads)]
    from concurrent.futures import ThreadPoolExecutor  # which takes its time, and only large tables need it

    with ThreadPoolExecutor(threads) as pool:
        counts = np.zeros((threads, total), np.int64)
        _each(pool, lambda part, count: loops.tally(bits[part], *buckets, count), rows, counts)
        edges = np.concatenate([[0], np.cumsum(counts.sum(0))])
        places = edges[:-1] + np.cumsum(counts, 0) - counts
        words = np.empty(n, word)
        _each(pool, lambda part, place: loops.deal(bits[part], flags[part], *buckets, place, words), rows, places)
        small = np.int32 if n < 1 << 31 else np.int64
        columns = [words, np.empty(n, small), np.empty(n, small)]
        distinct = np.empty(total, np.int64)

        def settle(start: int, end: int) -> None:
            own = edges[start : end + 1]
            spare, counted = np.empty(int(np.diff(own).max()), word), np.empty((6, 2048), small)
            loops.settle(words, own, turn - start, buckets.flip, *columns[1:], distinct[start:end], spare, counted)

        cuts = np.searchsorted(edges, n * np.arange(PARTS + 1) // PARTS).tolist()
        starts = sorted({0, *(min(cut, total) for cut in cuts), total})
        _each(pool, settle, starts[:-1], starts[1:])
        m = int(distinct.sum())
        if m < n:
            _each(pool, lambda column: loops.close_up(column, edges, distinct), columns)
    # A view of a few scores would keep the room of all of them.
    ranked, positives, negatives = (column[:m] if m > n // 2 else column[:m].copy() for column in columns)
    return ranked.view(scores.dtype), positives, negatives


def _each(pool: ThreadPoolExecutor, work: Callable[..., None], *parts: Any) -> None:
    for _ in pool.map(work, *parts):
        pass
