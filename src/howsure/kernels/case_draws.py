"""Draw cases that stand in two tables at once, and count them in both: by NumPy, or by a compiled loop.

The random numbers are NumPy's either way, and counts are whole numbers, so both ways give the same bits. A case is one
word that holds its two cells, so that a drawn case is looked up once. How many cases come from each stretch is drawn
first, so that what is looked up stays in the cache; and stretches are as long as powers of two, so that random bits are
rows, and none is drawn in vain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray

MOST_CELLS = 1 << 16  # of a table: a cell takes half of a word
LONGEST = 16  # stretch of cases, in bits


def pack_cells(first: IntArray, second: IntArray) -> Array:
    """Put the two cells of each case into one word."""
    return (first.astype(np.uint32) << np.uint32(16)) | second.astype(np.uint32)


def redraw_cases(
    pairs: Array, sizes: tuple[int, int], rng: np.random.Generator, replicates: int, loops: Any
) -> tuple[Array, Array]:
    """Draw as many cases as there are with replacement: the first and the second table of each replicate."""
    n, lengths = len(pairs), _stretches(len(pairs))
    ends = np.cumsum(lengths)
    tables = np.zeros((replicates, sizes[0]), np.int32), np.zeros((replicates, sizes[1]), np.int32)
    words = Words(rng)
    for one, other in zip(*tables, strict=True):
        taken = rng.multinomial(n, lengths / n)
        wanted = (taken + 1) // 2  # words of two rows each; no word serves two stretches
        rows = words.take(int(wanted.sum())).view("<u2")
        begins = 2 * (np.cumsum(wanted) - wanted)
        if loops is not None:
            loops.count_rows(rows, begins, taken, pairs, ends - lengths, lengths, one, other)
            continue
        for begin, count, length, end in zip(begins, taken, lengths, ends, strict=True):
            drawn = pairs[end - length : end].take(rows[begin : begin + count] & np.uint16(length - 1))
            one += np.bincount(drawn >> 16, minlength=sizes[0])
            other += np.bincount(drawn & 0xFFFF, minlength=sizes[1])
    return tables[0].astype(float), tables[1].astype(float)


class Words:
    """Random words of 32 bits: NumPy's own, drawn 64 bits at a time, which is three times as fast."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.rest = rng, np.empty(0, "<u4")

    def take(self, size: int) -> Array:
        long = self.rng.integers(0, 1 << 64, (size - len(self.rest) + 1) // 2, dtype=np.uint64)
        words = np.concatenate([self.rest, long.astype("<u8", copy=False).view("<u4")])
        self.rest = words[size:]
        return words[:size]


def _stretches(n: int) -> IntArray:
    """Divide cases into the fewest stretches whose lengths are powers of two: give the lengths."""
    lengths = []
    while n:
        lengths.append(1 << min(LONGEST, n.bit_length() - 1))
        n -= lengths[-1]
    return np.array(lengths)


def swap_cases(pairs: Array, size: int, rng: np.random.Generator, replicates: int, loops: Any) -> tuple[Array, Array]:
    """Let the two cells of each case change places or not, as a coin falls."""
    n, first, second = len(pairs), (pairs >> 16).astype(np.uint16), pairs.astype(np.uint16)
    both = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
    differing = first ^ second
    tables = np.zeros((replicates, size), np.int32)
    for table in tables:
        coins = rng.integers(0, 256, (n + 7) // 8, dtype=np.uint8)
        if loops is not None:
            loops.count_chosen(coins, pairs, table)
        else:
            is_first = -np.unpackbits(coins, count=n).astype(np.uint16)  # all bits of it; no branch follows the coins
            table += np.bincount(second ^ (differing & is_first), minlength=size)
    return tables.astype(float), (both - tables).astype(float)
