"""What base learners predict for cases: the features of a stack's combiner."""

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
    """The cases that base learners and the combiner are trained on, and which features the combiner sees."""

    X: Any
    codes: IntArray
    weight: Array | None
    k: int  # classes
    kind: str

    def fit(self, template: Any, rows: IntArray | None = None, X: Any = None) -> Any:
        """Fit a copy to all cases or some rows, also to other features of them."""
        codes = self.codes if rows is None else self.codes[rows]
        member = constant_if_one_class(fresh(template), codes)
        return fit_rows(member, self.X if X is None else X, self.codes, rows, self.weight)

    def fit_and_predict(self, template: Any, fold: Fold | None) -> tuple[Any, Array]:
        """Fit a copy, and give it with its features of the cases left out; without a fold, of all cases."""
        if fold is None:
            member = self.fit(template)
            return member, features_by(member, self.X, self.k, self.kind)
        train, test = fold
        # A member of a fold is not needed after this, and might be large to keep or send.
        return None, features_by(self.fit(template, train), take(self.X, test), self.k, self.kind)

    def error(self, features: Array) -> float:
        """Give the error rate of a base learner by its features."""
        predicted = (features[:, 0] > 0.5) if self.k == 2 else features.argmax(axis=1)
        return float(np.average(predicted != self.codes, weights=self.weight))


def features_by(member: Any, X: Any, k: int, kind: str) -> Array:
    """Give a column for each of ``k`` classes; of two, the second says it all."""
    if kind == PROBABILITIES:
        features = class_probabilities(member, X, np.arange(k))
    else:
        features = np.eye(k)[np.asarray(member.predict(X), np.intp)]
    return features[:, 1:] if k == 2 else features


def out_of_fold_features(parts: list[Array], folds: list[Fold]) -> Array:
    """Put the features of the cases that each fold left out in the order of the cases."""
    rows = np.concatenate([test for _, test in folds])
    return np.concatenate(parts)[np.argsort(rows)]
