"""Costs of errors by class: case weights, thresholds, and the class with the least expected cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.costs import Costs
from howsure.data.labels import Classes
from howsure.errors import HowsureError

TOLERANCE = 1e-12  # relative tolerance for treating costs as equal


@dataclass(frozen=True, eq=False)
class ClassCosts:
    """Costs of errors on the classes of a training set."""

    labels: tuple[Any, ...]
    positive: int | None  # index of the positive class, with two classes
    totals: Array  # number or weight of the training cases of each class
    regret: Array  # cost of an error minus cost of the correct decision, by true class (rows) and predicted class
    ratio: Array  # proportion of each class in deployment relative to training; 1 without priors

    @classmethod
    def of(cls, costs: Any, positive: Any, labels: list[Any], totals: Array) -> ClassCosts:
        k = len(labels)
        classes = Classes.of_labels(labels, positive if k > 1 else None)
        matrix, ratio = 1 - np.eye(k), np.ones(k)
        if costs is not None and k > 1:  # a single class is always predicted, whatever the costs
            costs = costs if isinstance(costs, Costs) else Costs(costs)
            matrix = costs.matrix(labels, classes.positive)
            shares = costs.priors(labels, classes.positive)
            if shares is not None:
                ratio = np.divide(shares * totals.sum(), totals, out=np.zeros(k), where=totals > 0)
        regret = matrix - np.diag(matrix)[:, None]
        _check(regret, ratio, labels)
        index = labels.index(classes.positive) if k == 2 else None
        return cls(tuple(labels), index, totals, regret, ratio)

    def weights(self, method: str) -> Array:
        """Return the weight of a training case of each class, at least 1.

        The weight is the cost of an error on the class. With more than two classes, it is summed over all errors on
        the class (Breiman et al., 1984), which is exact only if they all cost the same.
        """
        if len(self.labels) == 1:
            return np.ones(1)
        if self.free:
            raise HowsureError(
                f"`method` must be 'threshold' or 'relabel' with these costs, not {method!r}: errors on class "
                f"{self.free[0]!r} cost nothing, so the class would not be learned."
            )
        return np.asarray(self._stakes / self._stakes[self.totals > 0].min())

    @property
    def free(self) -> list[Any]:
        """Classes on which errors cost nothing, or that do not occur in deployment."""
        free = np.flatnonzero((self._stakes <= 0) & (self.totals > 0))
        return [self.labels[code] for code in free]

    @property
    def _stakes(self) -> Array:
        """Cost of errors on each class, multiplied by ``ratio``."""
        return np.asarray(self.regret.sum(axis=1) * self.ratio)

    @property
    def threshold(self) -> float:
        """Probability threshold above which predicting the positive class costs least (Elkan, 2001)."""
        positive = self.positive_code()
        false_positive, false_negative = self._stakes[1 - positive], self._stakes[positive]
        return float(false_positive / (false_positive + false_negative))

    def decide(self, probabilities: Array) -> IntArray:
        """Return the code of the class with the least expected cost."""
        if len(self.labels) == 2:
            return self.at(probabilities[:, self.positive_code()], self.threshold)
        cheapest: IntArray = np.argmin((probabilities * self.ratio) @ self.regret, axis=1)
        return cheapest

    def at(self, scores: Array, cut: float) -> IntArray:
        """Predict the positive class where scores are at least ``cut``."""
        positive = self.positive_code()
        return np.where(scores >= cut, positive, 1 - positive)

    def cheapest_cut(self, scores: Array, codes: IntArray, weight: Array, near: float) -> float:
        """Return the threshold with the least cost on scored cases; among ties, the nearest to ``near``.

        Thresholds are halfway between neighbouring scores, or infinite.
        """
        stake = weight * self._stakes[codes]
        is_positive = codes == self.positive_code()
        values, index = np.unique(scores, return_inverse=True)
        positives_below = np.cumsum(np.bincount(index, stake * is_positive, len(values)))
        negatives_below = np.cumsum(np.bincount(index, stake * ~is_positive, len(values)))
        cost = np.append(0, positives_below) + negatives_below[-1] - np.append(0, negatives_below)
        between = values[:-1] / 2 + values[1:] / 2
        between = np.where(between > values[:-1], between, values[1:])  # there may be no float between the two values
        cuts = np.concatenate([[-np.inf], between, [np.inf]])
        cheapest = cuts[cost <= cost.min() + TOLERANCE * stake.sum()]
        return float(cheapest[np.argmin(np.abs(cheapest - near))])

    def positive_code(self) -> int:
        """Return the code of the positive class."""
        if self.positive is None:
            raise HowsureError(f"a threshold needs two classes, but there are {len(self.labels)}.")
        return self.positive


def _check(regret: Array, ratio: Array, labels: list[Any]) -> None:
    negative = np.argwhere(regret < 0)
    if len(negative):
        true, predicted = negative[0]
        raise HowsureError(
            "`costs` must not make an error cheaper than the correct decision, as for predicting "
            f"{labels[predicted]!r} instead of {labels[true]!r}."
        )
    if len(labels) > 1 and not (regret.sum(axis=1) * ratio).any():
        raise HowsureError("`costs` must make at least one error more expensive than the correct decision.")
