"""The least number of cases that is enough, found by search."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

MOST = 10_000_000  # cases, splits or data sets; nobody plans for more
AHEAD = 40  # whole counts make exact power rise in small waves, which are shorter than this


def least_count(is_enough: Callable[[int], bool], fewest: int, most: int) -> int | None:
    """Give the least count that is enough, as are those above it, or None where even ``most`` is not enough."""
    low, high = fewest - 1, fewest
    while not is_enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    short = [count for count in range(high, high + AHEAD) if not is_enough(count)]
    return max(short, default=low) + 1


def most_counts(cases: Callable[[int], int], limit: float) -> int:
    """Give how many clusters have no more cases than the limit; ``cases`` tells how many so many have."""
    return bisect_right(range(1, MOST + 1), limit, key=cases)
