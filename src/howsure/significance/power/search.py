"""Search for the smallest sufficient sample size by bisection."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from howsure.significance.power.clusters import Clusters

MAXIMUM = 10_000_000  # maximum number of cases, splits or data sets in a plan
# The exact power of tests of counts rises in small waves, because counts are whole numbers; none is longer than this.
LONGEST_WAVE = 40


def least_count(is_enough: Callable[[int], bool], fewest: int, most: int) -> int | None:
    """Return the smallest count that is enough, or None if ``most`` is not.

    All larger counts are enough too.
    """
    low = high = fewest
    while not is_enough(high):
        if high >= most:
            return None
        low, high = high + 1, min(2 * high, most)
    first = bisect_left(range(high), True, lo=low, key=is_enough)
    too_small = [count for count in range(first, first + LONGEST_WAVE) if not is_enough(count)]
    return max(too_small, default=first - 1) + 1


def least_cases(is_enough: Callable[[int], bool], clusters: Clusters | None, fewest: int, most: float) -> int | None:
    """Return the smallest number of cases that is enough.

    It is a number of whole clusters, if there are any, and ``fewest`` counts clusters.
    """
    if clusters is None:
        return least_count(is_enough, fewest, max(fewest, int(most)))
    most_clusters = max(fewest, int(most / clusters.size))
    count = least_count(lambda number: is_enough(clusters.cases(number)), fewest, most_clusters)
    return None if count is None else clusters.cases(count)
