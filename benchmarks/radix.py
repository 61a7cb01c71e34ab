"""Radix sort of 64-bit words in two threads, a lower limit for the time of ranking as many scores.

The words are partitioned at their median, then sorted by 11 bits at a time.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit

DIGIT = 11
PASSES = 6


def sort_words(words: Any) -> Any:
    """Return the sorted words."""
    pivot = np.median(words[:: max(1, len(words) // 1024)]).astype(words.dtype)
    half = len(words) // 2
    rows = [words[:half], words[half:]]
    with ThreadPoolExecutor(2) as pool:
        low = list(pool.map(lambda part: _count_below(part, pivot), rows))
        small = sum(low)
        parted = np.empty_like(words)
        places = [(0, small), (low[0], small + half - low[0])]
        list(pool.map(lambda part, place: _part(part, pivot, parted, *place), rows, places))
        spare = np.empty_like(words)
        ends = [slice(0, small), slice(small, len(words))]
        list(pool.map(lambda part: _sort(parted[part], spare[part]), ends))
    return parted


@njit(nogil=True, cache=True)
def _count_below(words: Any, pivot: Any) -> Any:
    total = 0
    for word in words:
        total += word < pivot
    return total


@njit(nogil=True, cache=True)
def _part(words: Any, pivot: Any, parted: Any, low: int, high: int) -> None:
    for word in words:
        below = int(word < pivot)
        parted[high + below * (low - high)] = word
        low += below
        high += 1 - below


@njit(nogil=True, cache=True)
def _sort(words: Any, spare: Any) -> None:
    mask, counts = np.uint64((1 << DIGIT) - 1), np.zeros((PASSES, 1 << DIGIT), np.int64)
    for word in words:
        for number in range(PASSES):
            counts[number, (word >> np.uint64(DIGIT * number)) & mask] += 1
    source, target, turned = words, spare, False
    for number in range(PASSES):
        total, constant = 0, False
        for digit in range(1 << DIGIT):
            here = counts[number, digit]
            constant |= here == len(words)
            counts[number, digit] = total
            total += here
        if constant:
            continue
        for word in source:
            digit_of = (word >> np.uint64(DIGIT * number)) & mask
            target[counts[number, digit_of]] = word
            counts[number, digit_of] += 1
        source, target, turned = target, source, not turned
    if turned:
        words[:] = spare
