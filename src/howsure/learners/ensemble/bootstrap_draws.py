"""Drawing cases with replacement; the sample depends on what a case is and its weight, not on where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Floats, IntArray
from howsure.errors import HowsureError
from howsure.learners.common.case_order import canonical_order

MOST_DRAWS = 1 << 27  # in a sample, which then takes a gigabyte


@dataclass(frozen=True, eq=False)
class Urn:
    """Cases to draw from, each as often as its weight says.

    Positions in the urn follow from what the cases are, so the same cases in another order give the same samples, and a
    case of weight 3 is drawn as three copies of it would be. ``size`` is the number of draws in a sample: the sum of
    the weights where they are whole numbers, else the number of cases that have one.
    """

    order: IntArray  # rows as they lie in the urn
    edges: Floats | IntArray | None  # where each one ends; None where all are of length 1
    size: int

    @classmethod
    def of(cls, X: Any, codes: IntArray, weight: Floats | None = None) -> Urn:
        order = canonical_order(X, codes)
        if weight is None:
            return cls(order, None, len(order))
        copies = is_copies(weight)
        edges: Any = np.cumsum(weight[order].astype(np.int64) if copies else weight[order])
        return cls(order, edges, int(edges[-1]) if copies else int(np.count_nonzero(weight)))

    def draw(self, rng: np.random.Generator, size: int | None = None, weight: Floats | None = None) -> IntArray:
        """Give how often each row is in a sample; ``weight`` replaces the urn's own weights this once."""
        size = self.size if size is None else size
        if size > MOST_DRAWS:
            remedy = "divide `sample_weight` by its mean, or give `max_samples` where there is one"
            raise HowsureError(f"a sample must have at most {MOST_DRAWS:,} draws, not {size:,}; {remedy}.")
        edges = self.edges if weight is None else np.cumsum(weight[self.order])
        if edges is None:
            drawn = rng.integers(len(self.order), size=size)
        elif edges.dtype.kind == "i":
            drawn = np.searchsorted(edges, rng.integers(int(edges[-1]), size=size), side="right")
        else:
            drawn = np.searchsorted(edges, rng.random(size) * edges[-1], side="right")
            drawn = drawn.clip(max=int(np.searchsorted(edges, edges[-1])))  # rounding may reach past the last
        times = np.empty(len(self.order), np.int64)
        times[self.order] = np.bincount(drawn, minlength=len(self.order))
        return times


def is_copies(weight: Floats) -> bool:
    """Whether weights say how many copies there are: whole numbers, few enough to be counted."""
    return bool((weight == np.round(weight)).all()) and float(weight.sum()) < 2**53
