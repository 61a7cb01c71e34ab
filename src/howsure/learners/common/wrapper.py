"""Base class of learners that wrap another estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

Function = TypeVar("Function")


def is_tree(estimator: Any) -> bool:
    return isinstance(estimator, DecisionTreeClassifier)


class Wrapper(ClassifierMixin, BaseEstimator):
    """Base class of a classifier around ``estimator``, by default a decision tree."""

    estimator: Any

    def _base_estimator(self) -> Any:
        return DecisionTreeClassifier() if self.estimator is None else self.estimator

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self._base_estimator())
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags

    def _input_options(self) -> dict[str, Any]:
        """Return options for `check_training`; rejecting missing values is left to the base estimator."""
        if is_tree(self._base_estimator()):
            return {"dtype": np.float32, "ensure_all_finite": "allow-nan"}
        return {"ensure_all_finite": False}


def if_base_has(name: str) -> Callable[[Function], Function]:
    """Make a method available only if the wrapped estimator has it."""

    def check(self: Any) -> bool:
        unfitted = self._base_estimator() if isinstance(self, Wrapper) else self.estimator
        # scikit-learn chains the wrapped estimator's AttributeError.
        getattr(getattr(self, "estimator_", unfitted), name)
        return True

    return cast("Callable[[Function], Function]", available_if(check))
