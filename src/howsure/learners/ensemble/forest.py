"""Random forest (Breiman, 2001)."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from howsure.arrays import Floats
from howsure.learners.declare import declare_learner
from howsure.learners.ensemble.bagging import Bagging

ALL = "all"


@declare_learner
class RandomForest(Bagging):
    """Random forest: bagging of decision trees with random features at each node.

    Parameters
    ----------
    n_estimators
        Number of trees.
    max_features
        Number of features to consider at each node: an int, a fraction, "sqrt", "log2", or "all" (or None), which makes
        the forest the same as `Bagging` of trees.
    criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes
        As in ``sklearn.tree.DecisionTreeClassifier``.
    min_impurity_decrease, class_weight
        As in ``sklearn.tree.DecisionTreeClassifier``.
    max_samples, voting, oob_score, n_jobs, random_state
        As in `Bagging`. If leaves are pure, hard and soft votes are the same.

    Examples
    --------
    >>> from howsure.learners import RandomForest
    >>> from sklearn.datasets import load_breast_cancer
    >>> model = RandomForest(50, random_state=0).fit(*load_breast_cancer(return_X_y=True))
    >>> model.oob_
    OutOfBag(error 0.046 over 569 cases, 0 without a vote)
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_features: Any = "sqrt",
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        max_samples: float | None = None,
        voting: str = "hard",
        oob_score: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.max_samples = max_samples
        self.voting = voting
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _base_estimator(self) -> DecisionTreeClassifier:
        tree = DecisionTreeClassifier()
        shared = tree.get_params().keys() & self.get_params().keys() - {"max_features", "random_state"}
        tree.set_params(**{name: getattr(self, name) for name in shared})
        return tree.set_params(max_features=None if self.max_features == ALL else self.max_features)

    @property
    def feature_importances_(self) -> Floats:
        """Mean decrease in impurity for each feature, normalized to sum 1.

        It is averaged over the trees, computed on the training cases, and biased towards features with many distinct
        values.
        """
        check_is_fitted(self)
        mean: Floats = np.mean([tree.feature_importances_ for tree in self.estimators_], axis=0)
        return mean / mean.sum() if mean.any() else mean
