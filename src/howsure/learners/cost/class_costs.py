"""Costs of errors on classes: how much a case of each class weighs, and which class costs least to predict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.costs import Costs
from howsure.data.labels import Classes
from howsure.errors import HowsureError

UP_TO_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class ClassCosts:
    """The costs of errors on some classes, and how their shares in use compare with those in training.

    ``regret`` has what an error costs more than the right decision: true classes in rows, predicted ones in columns.
    ``ratio`` is the share of each class in use over its share in training: 1 where the costs give no prior.
    """

    labels: tuple[Any, ...]
    positive: int | None  # index of the positive one of two classes
    totals: Array  # training cases of each class, or their weight
    regret: Array
    ratio: Array

    @classmethod
    def of(cls, costs: Any, positive: Any, labels: list[Any], totals: Array) -> ClassCosts:
        k = len(labels)
        classes = Classes.of_labels(labels, positive if k > 1 else None)
        matrix, ratio = 1 - np.eye(k), np.ones(k)
        if costs is not None and k > 1:  # a single class is always predicted, whatever errors would cost
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
        """The weight of a case of each class in training; one of the lightest class weighs 1.

        It is the cost of an error on it, and with more than two classes the sum over all errors (Breiman and others):
        exact only where all errors on a class cost the same.
        """
        if len(self.labels) == 1:
            return np.ones(1)
        if self.free:
            raise HowsureError(
                f"`method` must be 'threshold' or 'relabel' with these costs, not {method!r}: errors on class "
                f"{self.free[0]!r} count for nothing, so it would not be learned."
            )
        return np.asarray(self._stakes / self._stakes[self.totals > 0].min())

    @property
    def free(self) -> list[Any]:
        """The classes on which errors count for nothing: they cost nothing, or the class is not in use."""
        free = np.flatnonzero((self._stakes <= 0) & (self.totals > 0))
        return [self.labels[code] for code in free]

    @property
    def _stakes(self) -> Array:
        """What errors on a case of each class cost, allowing for its share in use."""
        return np.asarray(self.regret.sum(axis=1) * self.ratio)

    @property
    def threshold(self) -> float:
        """The probability of the positive class from which on predicting it costs least."""
        positive = self.positive_code()
        alarm, miss = self._stakes[1 - positive], self._stakes[positive]
        return float(alarm / (alarm + miss))

    def decide(self, probabilities: Array) -> IntArray:
        """Give the code of the class of least expected cost: of two, the positive one from the threshold on."""
        if len(self.labels) == 2:
            return self.at(probabilities[:, self.positive_code()], self.threshold)
        cheapest: IntArray = np.argmin((probabilities * self.ratio) @ self.regret, axis=1)
        return cheapest

    def at(self, scores: Array, cut: float) -> IntArray:
        """Give the positive class to scores from the cut on."""
        positive = self.positive_code()
        return np.where(scores >= cut, positive, 1 - positive)

    def cheapest_cut(self, scores: Array, codes: IntArray, weight: Array, near: float) -> float:
        """Find the cut that costs least on scores of labelled cases; of equals, the one nearest to ``near``.

        Cuts lie half-way between scores, or beyond them all.
        """
        stake = weight * self._stakes[codes]
        is_positive = codes == self.positive_code()
        values, index = np.unique(scores, return_inverse=True)
        missed = np.cumsum(np.bincount(index, stake * is_positive, len(values)))
        alarms = np.cumsum(np.bincount(index, stake * ~is_positive, len(values)))
        cost = np.append(0, missed) + alarms[-1] - np.append(0, alarms)
        between = values[:-1] / 2 + values[1:] / 2
        between = np.where(between > values[:-1], between, values[1:])  # nothing is between neighbouring floats
        cuts = np.concatenate([[-np.inf], between, [np.inf]])
        cheap = cuts[cost <= cost.min() + UP_TO_ROUNDING * stake.sum()]
        return float(cheap[np.argmin(np.abs(cheap - near))])

    def positive_code(self) -> int:
        """Give the code of the positive class, where there are two."""
        if self.positive is None:
            raise HowsureError(f"a threshold is between two classes, and there are {len(self.labels)}.")
        return self.positive


def _check(regret: Array, ratio: Array, labels: list[Any]) -> None:
    wrong = np.argwhere(regret < 0)
    if len(wrong):
        true, predicted = wrong[0]
        raise HowsureError(
            "`costs` must not make an error cheaper than the right decision, as predicting "
            f"{labels[predicted]!r} for {labels[true]!r} is."
        )
    if len(labels) > 1 and not (regret.sum(axis=1) * ratio).any():
        raise HowsureError(
            "`costs` must make some error on a class in use cost more than the right decision; none does."
        )
