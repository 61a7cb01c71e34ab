"""Base class of ensembles whose members vote."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.learners.common.wrapper import Wrapper


class Voting(Wrapper, ABC):
    """Base class of ensembles whose members vote."""

    classes_: Array

    @abstractmethod
    def votes(self, X: Any) -> Array:
        """Return the votes by case (rows) and class (columns)."""

    def predict_proba(self, X: Any) -> Array:
        """Return the proportion of votes for each class; infinite votes override all others."""
        votes = self.votes(X)
        infinite = np.isinf(votes)
        if infinite.any():
            votes = np.where(infinite.any(axis=1, keepdims=True), infinite, votes)
        shares: Array = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def predict(self, X: Any) -> Array:
        """Predict the class with the most votes; the first one wins ties."""
        winner = self.votes(X).argmax(axis=1)
        predicted: Array = self.classes_[winner]
        return predicted
