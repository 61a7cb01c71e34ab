"""Weights of training cases as boosting changes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.present.sheet import Record

COARSEST = -30  # power of two: beyond two million copies, fine weights matter more than exact sums


@dataclass(eq=False)
class CaseWeights:
    """Weights of the training cases as boosting changes them, with the sum that they had at the start.

    They are stored as a number of copies of a case times what boosting made of each. The latter are multiples of a
    small power of two, so that sums of whole numbers of copies are exact: neither the order of the rows nor writing a
    case three times for a weight of three can break a tie between two splits.
    """

    copies: Floats
    factor: Floats
    total: float
    unit: float
    k: int  # classes that have some weight

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
        """Give the error by the weights that the cases had at the start."""
        return float(self.copies[wrong].sum() / self.total)

    def adapt(self, wrong: Array, alpha: float) -> None:
        shrink = np.exp(-alpha)  # less for the cases it got right, rather than more for the others, cannot overflow
        weight = self.weight
        left = weight[wrong].sum() + shrink * weight[~wrong].sum()  # both sums are exact
        factor = self.factor * np.where(wrong, 1.0, shrink) * (self.total / left)
        self.factor = np.maximum(np.rint(factor / self.unit), 1) * self.unit  # none is lost for good

    def spread(self) -> Record:
        """Give the smallest and the largest weight, of a sum of 1, and the effective number of cases."""
        weight = self.weight[self.copies > 0]
        weight = weight / weight.sum()
        return {
            "smallest_weight": float(weight.min()),
            "largest_weight": float(weight.max()),
            "effective_cases": float(1 / (weight**2).sum()),
        }
