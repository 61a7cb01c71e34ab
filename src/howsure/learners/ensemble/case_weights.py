"""Case weights in boosting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.present.sheet import Record

COARSEST = -30  # largest exponent of the unit; for over two million cases, fine weights matter more than exact sums


@dataclass(eq=False)
class CaseWeights:
    """Weights of the training cases, which boosting changes from round to round.

    A weight is the product of the initial weight and a factor. Factors are rounded to multiples of a small power of two
    so that sums of weights are exact and cannot break ties between two splits of a tree: the order of the rows does not
    matter, and a weight of 3 is equivalent to three copies.
    """

    copies: Floats  # initial weights
    factor: Floats
    total: float  # sum of the weights, which stays constant
    unit: float
    k: int  # number of classes with positive weight

    @classmethod
    def of(cls, codes: IntArray, weight: Floats | None) -> CaseWeights:
        copies = np.ones(len(codes)) if weight is None else weight
        total, counted = float(copies.sum()), copies > 0
        size = total if (copies == np.rint(copies)).all() else np.count_nonzero(counted)
        unit = 2.0 ** min(np.floor(np.log2(size)) - 51, COARSEST)
        return cls(copies, np.ones(len(codes)), total, unit, len(np.unique(codes[counted])))

    @property
    def weight(self) -> Floats:
        return self.copies * self.factor

    def error(self, wrong: Array) -> float:
        weight = self.weight
        return float(weight[wrong].sum() / weight.sum())

    def plain_error(self, wrong: Array) -> float:
        """Return the error rate with the initial weights."""
        return float(self.copies[wrong].sum() / self.total)

    def adapt(self, wrong: Array, alpha: float) -> None:
        """Multiply the weights of misclassified cases by exp(alpha), and rescale all weights to the same total."""
        shrink = np.exp(-alpha)  # shrinking the weights of the other cases instead cannot overflow
        weight = self.weight
        total = weight[wrong].sum() + shrink * weight[~wrong].sum()  # both sums are exact
        factor = self.factor * np.where(wrong, 1.0, shrink) * (self.total / total)
        self.factor = np.maximum(np.rint(factor / self.unit), 1) * self.unit  # no weight becomes 0

    def spread(self) -> Record:
        """Return the smallest and largest normalized weight and the effective sample size (Kish, 1965)."""
        weight = self.weight[self.copies > 0]
        weight = weight / weight.sum()
        return {
            "smallest_weight": float(weight.min()),
            "largest_weight": float(weight.max()),
            "effective_cases": float(1 / (weight**2).sum()),
        }
