"""Draw cases with replacement, or toss a coin for each case."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from howsure.arrays import Array, IntArray

BITS_OF_A_ROW = 16  # number of random bits that give the row number within a run


def draw_rows(n: int, rng: np.random.Generator) -> Iterator[tuple[slice, Array]]:
    """Draw ``n`` times with replacement from ``n`` cases.

    Yields, for each run of consecutive cases, its slice and the drawn row numbers within it.

    The length of a run is a power of two, so that random bits are uniform row numbers. A multinomial draw gives the
    number of cases from each run. Working run by run, the values that are looked up stay in the cache.
    """
    lengths = _run_lengths(n)
    ends = np.cumsum(lengths)
    counts = rng.multinomial(n, lengths / n)
    words = (counts + 1) // 2  # words of 32 bits, with two rows each; no word is shared by two runs
    bits = rng.integers(0, 1 << 32, int(words.sum()), dtype=np.uint32).astype("<u4", copy=False).view("<u2")
    starts = 2 * (np.cumsum(words) - words)
    for end, length, start, count in zip(ends, lengths, starts, counts, strict=True):
        yield slice(end - length, end), bits[start : start + count] & np.uint16(length - 1)


def _run_lengths(n: int) -> IntArray:
    """Divide ``n`` rows into runs whose lengths are powers of two."""
    lengths = []
    while n:
        lengths.append(1 << min(BITS_OF_A_ROW, n.bit_length() - 1))
        n -= lengths[-1]
    return np.array(lengths, np.int64)


def toss_coins(n: int, rng: np.random.Generator) -> Array:
    """Toss ``n`` fair coins and return an array of zeros and ones."""
    return np.unpackbits(rng.integers(0, 256, (n + 7) // 8, dtype=np.uint8), count=n)
