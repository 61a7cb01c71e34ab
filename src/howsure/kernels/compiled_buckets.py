"""Loops of the ranking in buckets, compiled by Numba. What the words are, `howsure.kernels.buckets` says.

Whole numbers are cast at every step: Numba would widen those of 32 bits, and turn mixed signs into floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

DIGIT = 11  # bits that are sorted by at a time: their counts fit in the nearest cache
FEW = 24  # words that are sorted soonest by moving each to its place


@njit(nogil=True, cache=True)
def tally(bits: Any, flip: Any, low: Any, shift: Any, first: Any, last: Any, counts: Any) -> None:
    """Count the scores of each bucket."""
    word = bits.dtype.type
    one, sign = word(1), word(8 * bits.itemsize - 1)
    for row in range(len(bits)):
        doubled = word(bits[row] << one)
        side = np.int64(bits[row] >> sign) & np.int64(doubled != 0)  # -0.0 is 0.0
        key = word(doubled >> one) ^ flip[side]
        bucket = first[side]
        if key >= low[side]:
            bucket = min(bucket + np.int64(1) + np.int64(word(key - low[side]) >> shift[side]), last[side])
        counts[bucket] += 1


@njit(nogil=True, cache=True)
def deal(bits: Any, flags: Any, flip: Any, low: Any, shift: Any, first: Any, last: Any, place: Any, words: Any) -> None:
    """Write the word of each score to the next place of its bucket."""
    word = bits.dtype.type
    one, sign = word(1), word(8 * bits.itemsize - 1)
    for row in range(len(bits)):
        doubled = word(bits[row] << one)
        side = np.int64(bits[row] >> sign) & np.int64(doubled != 0)
        key = word(doubled >> one) ^ flip[side]
        bucket = first[side]
        if key >= low[side]:
            bucket = min(bucket + np.int64(1) + np.int64(word(key - low[side]) >> shift[side]), last[side])
        words[place[bucket]] = word(key << one) | word(flags[row])
        place[bucket] += 1


@njit(nogil=True, cache=True)
def settle(
    words: Any, edges: Any, turn: int, flip: Any, positives: Any, negatives: Any, distinct: Any, spare: Any, counts: Any
) -> None:
    """Sort each bucket and count it: the distinct scores take the place of the words, from the bucket's start on.

    Buckets from ``turn`` on hold scores below zero. ``spare`` has room for the largest bucket.
    """
    word = words.dtype.type
    one = word(1)
    for bucket in range(len(distinct)):
        start, end = edges[bucket], edges[bucket + 1]
        distinct[bucket] = 0
        if start == end:
            continue
        own, other = words[start:end], spare[: end - start]
        source = other if _sort(own, other, counts) else own
        below = np.int64(bucket >= turn)
        mask, sign = flip[below], word(word(below) << word(8 * words.itemsize - 1))
        put = start
        current = word(source[0] >> one)
        up = down = np.int64(0)
        for i in range(end - start):
            key = word(source[i] >> one)
            flag = np.int64(source[i] & one)
            if key != current:
                words[put], positives[put], negatives[put] = (current ^ mask) | sign, up, down
                put += 1
                current = key
                up = down = np.int64(0)
            up += flag
            down += np.int64(1) - flag
        words[put], positives[put], negatives[put] = (current ^ mask) | sign, up, down
        distinct[bucket] = put + 1 - start


@njit(nogil=True, cache=True)
def close_up(column: Any, edges: Any, distinct: Any) -> None:
    """Move what each bucket has left up to the bucket before."""
    put = 0
    for bucket in range(len(distinct)):
        start = edges[bucket]
        if put == start:
            put += distinct[bucket]
            continue
        for i in range(start, start + distinct[bucket]):
            column[put] = column[i]
            put += 1


@njit(nogil=True, cache=True)
def _sort(words: Any, spare: Any, counts: Any) -> bool:
    """Sort words by their keys; tells whether they are in ``spare`` afterwards.

    Few words share their leading bits, so the leading bits are sorted by, and what is left is moved into place. Where
    that would take long, because many words share them and differ in the others, all bits are sorted by.
    """
    word = words.dtype.type
    one = word(1)
    m = len(words)
    if m <= FEW:
        _insert(words, m * m)
        return False
    low = high = word(words[0] >> one)
    for i in range(m):
        key = word(words[i] >> one)
        low, high = min(low, key), max(high, key)
    if low == high:
        return False
    span = _length(np.uint64(high - low))
    leading = min(_length(np.uint64(m)) + 6, span)
    passes = (leading + DIGIT - 1) // DIGIT
    width = (leading + passes - 1) // passes
    left = max(span - passes * width, 0)
    moved = _sort_digits(words, spare, low, word(left), width, passes, counts)
    if left == 0 or _insert(spare if moved else words, 4 * m):
        return moved
    passes = (span + DIGIT - 1) // DIGIT
    if moved:
        return not _sort_digits(spare, words, low, word(0), DIGIT, passes, counts)
    return bool(_sort_digits(words, spare, low, word(0), DIGIT, passes, counts))


@njit(nogil=True, cache=True)
def _sort_digits(source: Any, target: Any, low: Any, left: Any, width: int, passes: int, counts: Any) -> bool:
    """Sort by digits, the lowest first, without the ``left`` lowest bits; tells whether words are in ``target``."""
    word = source.dtype.type
    one = word(1)
    m, mask = len(source), np.int64((1 << width) - 1)
    counts[:passes, : mask + 1] = 0
    for i in range(m):
        digits = np.int64(word(word(source[i] >> one) - low) >> left)
        for number in range(passes):
            counts[number, (digits >> (number * width)) & mask] += 1
    moved = False
    for number in range(passes):
        own = counts[number]
        total, constant = np.int64(0), False
        for digit in range(mask + 1):
            here = own[digit]
            constant |= here == m
            own[digit] = total
            total += here
        if constant:  # a digit that all words share moves none of them
            continue
        down = number * width
        for i in range(m):
            place = (np.int64(word(word(source[i] >> one) - low) >> left) >> down) & mask
            target[own[place]] = source[i]
            own[place] += 1
        source, target = target, source
        moved = not moved
    return moved


@njit(nogil=True, cache=True)
def _insert(words: Any, most: int) -> bool:
    """Move each word to its place among those before it, unless that takes more than ``most`` steps."""
    one = words.dtype.type(1)
    steps = 0
    for i in range(1, len(words)):
        here = words[i]
        key = here >> one
        if words[i - 1] >> one <= key:
            continue
        j = i
        while j > 0 and words[j - 1] >> one > key:
            words[j] = words[j - 1]
            j -= 1
        words[j] = here
        steps += i - j
        if steps > most:
            return False
    return True


@njit(nogil=True, cache=True)
def _length(value: Any) -> int:
    """The number of bits of a whole number."""
    bits = 0
    while value:
        value = np.uint64(value >> np.uint64(1))
        bits += 1
    return bits
