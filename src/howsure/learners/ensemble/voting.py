"""What ensembles have in common: members vote, and the class with most votes is predicted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.learners.common.wrapper import Wrapper


class Voting(Wrapper, ABC):
    """Members that vote; a subclass gives ``votes``."""

    classes_: Array

    @abstractmethod
    def votes(self, X: Any) -> Array:
        """The votes for each row and class."""

    def predict_proba(self, X: Any) -> Array:
        """The share of the votes for each class. An infinite vote is all that counts."""
        votes = self.votes(X)
        infinite = np.isinf(votes)
        if infinite.any():
            votes = np.where(infinite.any(axis=1, keepdims=True), infinite, votes)
        shares: Array = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def predict(self, X: Any) -> Array:
        """The class with most votes; of equals the first."""
        winner = self.votes(X).argmax(axis=1)
        predicted: Array = self.classes_[winner]
        return predicted
