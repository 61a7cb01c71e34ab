"""A learner trained with some wrong labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from howsure.checks import as_float
from howsure.docstrings import shared_texts
from howsure.errors import must_be_share
from howsure.learners.common.wrapper import if_base_has


class NoisyLabels(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A learner trained with a given proportion of wrong labels.

    Exactly ``round(share * n)`` labels are replaced by labels drawn uniformly from the other classes. With the same
    ``random_state``, labels that are changed at a smaller share are changed in the same way at a larger one.

    Parameters
    ----------
    estimator
        The learner to train.
    share
        Proportion of training labels to change.
    random_state
        Seed for the choice of cases and labels.

    Examples
    --------
    >>> from howsure.selection import NoisyLabels
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = [[i] for i in range(10)], ["n"] * 5 + ["y"] * 5
    >>> model = NoisyLabels(KNeighborsClassifier(1), share=0.2, random_state=0).fit(X, y)
    >>> sum(predicted != label for predicted, label in zip(model.predict(X), y))
    2
    """

    def __init__(self, estimator: Any, share: float = 0.1, random_state: Any = None) -> None:
        self.estimator = estimator
        self.share = share
        self.random_state = random_state

    @shared_texts
    def fit(self, X: Any, y: Any) -> NoisyLabels:
        """Fit a copy of the learner with changed labels.

        Parameters
        ----------
        {X_y}
        """
        check_share("share", self.share)
        values, codes = np.unique(np.asarray(y), return_inverse=True)
        rng = check_random_state(self.random_state)
        order = rng.permutation(len(codes))
        # Labels are drawn for all cases so that a new label does not depend on the share.
        changed = (codes + rng.randint(1, max(len(values), 2), size=len(codes))) % len(values)
        self.flipped_ = np.sort(order[: round(self.share * len(codes))]) if len(values) > 1 else order[:0]
        codes[self.flipped_] = changed[self.flipped_]
        self.estimator_ = clone(self.estimator, safe=False)
        self.estimator_.fit(X, values[codes])
        self.classes_ = getattr(self.estimator_, "classes_", values)
        return self

    def predict(self, X: Any) -> Any:
        """Predict classes.

        Parameters
        ----------
        X
            Features of the cases.
        """
        check_is_fitted(self, "estimator_")
        return self.estimator_.predict(X)

    @if_base_has("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        return self.estimator_.predict_proba(X)

    @if_base_has("decision_function")
    def decision_function(self, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        return self.estimator_.decision_function(X)


def check_share(name: str, share: Any) -> float:
    if isinstance(share, bool) or not 0 <= as_float(share) < 1:
        must_be_share(name, "a share of at least 0 and below 1", given=share)
    return float(share)
