"""Areas under the ROC curves between one class and each other: of all others at once, from one sort of a column.

What a case of another class adds to the area between the two classes is the weight of the class above it. These are
cumulative sums in the order of the column, so that no pair of classes is sorted, or looked up, by itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from howsure.arrays import Array, IntArray


class Beside(NamedTuple):
    """One class against each other by its own scores."""

    areas: Array  # by class; that of the class itself is 0
    placed: Array  # share of the class above each case of another; for its own cases, the sum of the shares below


def areas_beside(own: int, truth: IntArray, scores: Array, weight: Array, sizes: Array, order: Array) -> Beside:
    """Compare a class with each other; ``sizes`` is the weight of each class, and ``order`` sorts the scores."""
    ranked, classes, each = scores[order], truth[order], weight[order]
    is_own = classes == own
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    ties = np.diff(np.append(starts, len(ranked)))
    share = np.divide(each, sizes[classes], out=np.zeros(len(each)), where=each > 0)
    of_own = np.add.reduceat(np.where(is_own, each, 0.0), starts)
    of_others = np.add.reduceat(np.where(is_own, 0.0, share), starts)
    above = np.repeat(sizes[own] - (np.cumsum(of_own) - of_own / 2), ties)
    below = np.repeat(np.cumsum(of_others) - of_others / 2, ties)
    # Whole weights add up without rounding, and so do their products: the area of a perfect ranking is 1.
    areas = np.bincount(classes, np.where(is_own, 0.0, each * above), len(sizes))
    placed = np.empty(len(order))
    placed[order] = np.where(is_own, below, above / sizes[own])
    return Beside(np.divide(areas, sizes[own] * sizes, out=np.zeros(len(sizes)), where=sizes > 0), placed)
