"""What learners around another one have in common: its limits are theirs, and where members vote, most votes win."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from assay.arrays import Array
from assay.learners.ensemble.members import is_tree


class Around(ClassifierMixin, BaseEstimator):
    """A classifier around the one in ``estimator``; a decision tree where that is None."""

    estimator: Any

    def _mould(self) -> Any:
        return DecisionTreeClassifier() if self.estimator is None else self.estimator

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self._mould())
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags

    def _reading(self) -> dict[str, Any]:
        """How features are read: what is inside refuses missing values itself, where it must."""
        if is_tree(self._mould()):
            return {"dtype": np.float32, "ensure_all_finite": "allow-nan"}
        return {"ensure_all_finite": False}


class Voting(Around, ABC):
    """Members that vote; ``votes`` is to be given."""

    classes_: Array

    @abstractmethod
    def votes(self, X: Any) -> Array:
        """The votes for each row and class."""

    def predict_proba(self, X: Any) -> Array:
        """The share of the votes for each class. An infinite vote is all that counts."""
        votes = self.votes(X)
        endless = np.isinf(votes)
        if endless.any():
            votes = np.where(endless.any(axis=1, keepdims=True), endless, votes)
        shares: Array = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def predict(self, X: Any) -> Array:
        """The class with most votes; of equals the first."""
        most = self.votes(X).argmax(axis=1)
        predicted: Array = self.classes_[most]
        return predicted
