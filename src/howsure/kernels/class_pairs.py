"""AUC of one class against each other class, from a single sort of the scores for this class.

Hand and Till (2001) average the AUC over all pairs of classes. The AUC of class i against class j, based on the scores
for class i, averages over the cases of j the share of the cases of i that score higher, with ties counting half. These
shares are cumulative sums over the sorted scores for class i, so the pairs of classes do not need separate sorts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from howsure.arrays import Array, IntArray


class PairwiseAreas(NamedTuple):
    """AUC of one class against each other class, based on its own scores."""

    areas: Array  # AUC by class; 0 for the class itself
    # For a case of another class, the share of the class that scores higher; for a case of the class, the sum over the
    # other classes of the shares that score lower.
    placements: Array


def areas_against_others(
    own: int, truth: IntArray, scores: Array, weight: Array, sizes: Array, order: Array
) -> PairwiseAreas:
    """Compare one class with each other class by its scores.

    ``sizes`` are the total weights of the classes, and ``order`` sorts the scores.
    """
    ranked, classes, each = scores[order], truth[order], weight[order]
    is_own = classes == own
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    ties = np.diff(np.append(starts, len(ranked)))
    share = np.divide(each, sizes[classes], out=np.zeros(len(each)), where=each > 0)
    of_own = np.add.reduceat(np.where(is_own, each, 0.0), starts)
    of_others = np.add.reduceat(np.where(is_own, 0.0, share), starts)
    above = np.repeat(sizes[own] - (np.cumsum(of_own) - of_own / 2), ties)
    below = np.repeat(np.cumsum(of_others) - of_others / 2, ties)
    # Sums and products of whole weights are exact, so the area of a perfect ranking is exactly 1.
    areas = np.bincount(classes, np.where(is_own, 0.0, each * above), len(sizes))
    placed = np.empty(len(order))
    placed[order] = np.where(is_own, below, above / sizes[own])
    return PairwiseAreas(np.divide(areas, sizes[own] * sizes, out=np.zeros(len(sizes)), where=sizes > 0), placed)
