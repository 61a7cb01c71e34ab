"""Sampling of cases with replacement, independent of the order of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Floats, IntArray
from howsure.errors import HowsureError
from howsure.learners.common.case_order import canonical_order

MAX_DRAWS = 1 << 27  # maximum number of draws in a sample, which take 1 GB of memory


@dataclass(frozen=True, eq=False)
class CaseSampler:
    """Draws cases with replacement in proportion to their weights.

    The samples do not depend on the order of the cases, and a case with weight 3 is drawn as often as three copies.
    """

    order: IntArray  # rows in an order that depends only on the values of the cases
    edges: Floats | IntArray | None  # cumulative weights in this order; None if all weights are 1
    size: int  # number of draws in a sample: the sum of integer weights, otherwise the number of positive weights

    @classmethod
    def of(cls, X: Any, codes: IntArray, weight: Floats | None = None) -> CaseSampler:
        order = canonical_order(X, codes)
        if weight is None:
            return cls(order, None, len(order))
        copies = is_copies(weight)
        edges: Any = np.cumsum(weight[order].astype(np.int64) if copies else weight[order])
        return cls(order, edges, int(edges[-1]) if copies else int(np.count_nonzero(weight)))

    def draw(self, rng: np.random.Generator, size: int | None = None, weight: Floats | None = None) -> IntArray:
        """Return the number of times each row is drawn; ``weight`` overrides the weights for this sample."""
        size = self.size if size is None else size
        if size > MAX_DRAWS:
            remedy = "divide `sample_weight` by its mean, or set `max_samples` if the learner has it"
            raise HowsureError(f"a sample must have at most {MAX_DRAWS:,} draws, not {size:,}; {remedy}.")
        edges = self.edges if weight is None else np.cumsum(weight[self.order])
        if edges is None:
            drawn = rng.integers(len(self.order), size=size)
        elif edges.dtype.kind == "i":
            drawn = np.searchsorted(edges, rng.integers(int(edges[-1]), size=size), side="right")
        else:
            drawn = np.searchsorted(edges, rng.random(size) * edges[-1], side="right")
            drawn = drawn.clip(max=int(np.searchsorted(edges, edges[-1])))  # rounding may exceed the last edge
        times = np.empty(len(self.order), np.int64)
        times[self.order] = np.bincount(drawn, minlength=len(self.order))
        return times


def is_copies(weight: Floats) -> bool:
    """Return whether weights are copy counts, that is, integers with an exact sum."""
    return bool((weight == np.round(weight)).all()) and float(weight.sum()) < 2**53
