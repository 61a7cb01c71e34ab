"""Predictions of base learners as features for the final estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.rows import take
from howsure.learners.common.folds import Fold
from howsure.resampling.fit import class_probabilities, constant_if_one_class, fit_rows, fresh

PROBABILITIES = "probabilities"
KINDS = ("classes", PROBABILITIES)


@dataclass(frozen=True, eq=False)
class BaseData:
    """Training data for base learners and the final estimator."""

    X: Any
    codes: IntArray
    weight: Array | None
    k: int  # number of classes
    kind: str

    def fit(self, template: Any, rows: IntArray | None = None, X: Any = None) -> Any:
        """Fit a copy of an estimator to all cases or to some rows, optionally with other features."""
        codes = self.codes if rows is None else self.codes[rows]
        member = constant_if_one_class(fresh(template), codes)
        return fit_rows(member, self.X if X is None else X, self.codes, rows, self.weight)

    def fit_and_predict(self, template: Any, fold: Fold | None) -> tuple[Any, Array]:
        """Fit a copy; return it and its predictions for the test rows, or for all rows without a fold."""
        if fold is None:
            member = self.fit(template)
            return member, features_by(member, self.X, self.k, self.kind)
        train, test = fold
        # The model of a fold is no longer needed, and sending it between processes may be slow.
        return None, features_by(self.fit(template, train), take(self.X, test), self.k, self.kind)

    def error(self, features: Array) -> float:
        """Return the error rate of a base learner."""
        predicted = (features[:, 0] > 0.5) if self.k == 2 else features.argmax(axis=1)
        return float(np.average(predicted != self.codes, weights=self.weight))


def features_by(member: Any, X: Any, k: int, kind: str) -> Array:
    """Return one column per class, or with two classes only the column of the second."""
    if kind == PROBABILITIES:
        features = class_probabilities(member, X, np.arange(k))
    else:
        features = np.eye(k)[np.asarray(member.predict(X), np.intp)]
    return features[:, 1:] if k == 2 else features


def out_of_fold_features(parts: list[Array], folds: list[Fold]) -> Array:
    """Combine the predictions of all folds, sorted by row."""
    rows = np.concatenate([test for _, test in folds])
    return np.concatenate(parts)[np.argsort(rows)]
