"""Learners for simulations of splits.

A split learner receives the rows ``x``, their classes ``y`` (0 or 1) and ``train``, a matrix with one row per training
set and 1 for the cases in it. It returns a matrix of the same shape that indicates whether each case outside the
training set is classified correctly. Nearest mean and nearest neighbour are vectorized over the training sets; any
other learner is a scikit-learn estimator that is fitted to each training set in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.checks import one_of
from howsure.resampling.fit import fit_rows, fresh

SplitLearner = Callable[[Floats, IntArray, Array, np.random.Generator], Array]
# Number of neighbours to consider. If half of the cases are used for training, the probability that none of these
# neighbours is among them is 1e-12.
NEAREST = 40
TREES, MAX_FEATURES = 25, 2  # number of trees in the forest, and of features per node


def nearest_mean(x: Floats, y: IntArray, train: Array, _: np.random.Generator) -> Array:
    """Predict the class whose mean is nearer."""
    low, high = (
        members @ x / members.sum(1, keepdims=True) for members in (train * (y == 0).astype(float), train * (y == 1))
    )
    # |x - high| < |x - low| is equivalent to (high - low) x > (|high|^2 - |low|^2) / 2.
    threshold = ((high**2).sum(1) - (low**2).sum(1)) / 2
    return np.asarray(((high - low) @ x.T > threshold[:, None]) == y)


def nearest_neighbour(x: Floats, y: IntArray, train: Array, _: np.random.Generator) -> Array:
    """Predict the class of the nearest training case."""
    candidates = np.flatnonzero(train.any(0))
    distances = (x[candidates] ** 2).sum(1) - 2 * x @ x[candidates].T  # up to |x|^2, which does not change the order
    distances[candidates, np.arange(len(candidates))] = np.inf  # a case is not its own neighbour
    by_distance = candidates[np.argsort(distances, axis=1)[:, :NEAREST]]
    nearest = train.astype(bool)[:, by_distance].argmax(2)  # the first neighbour that is in the training set
    return np.asarray(y[by_distance[np.arange(len(x)), nearest]] == y)


def by_fitting(estimator: Any) -> SplitLearner:
    """Return a split learner that fits a copy of an estimator to each training set in turn."""

    def learner(x: Floats, y: IntArray, train: Array, rng: np.random.Generator) -> Array:
        correct = np.zeros(train.shape, bool)
        for number, rows in enumerate(train.astype(bool)):
            model = fit_rows(fresh(estimator, int(rng.integers(2**31))), x, y, np.flatnonzero(rows))
            correct[number, ~rows] = np.asarray(model.predict(x[~rows])) == y[~rows]
        return correct

    return learner


def _of_sklearn(module: str, name: str, **parameters: Any) -> SplitLearner:
    """Return a split learner for a scikit-learn class, which is imported on first use."""

    def learner(x: Floats, y: IntArray, train: Array, rng: np.random.Generator) -> Array:
        estimator = getattr(import_module(f"sklearn.{module}"), name)(**parameters)
        return by_fitting(estimator)(x, y, train, rng)

    return learner


LEARNERS: dict[str, SplitLearner] = {
    "nearest_mean": nearest_mean,
    "naive_bayes": _of_sklearn("naive_bayes", "GaussianNB"),
    "logistic_regression": _of_sklearn("linear_model", "LogisticRegression"),
    "tree": _of_sklearn("tree", "DecisionTreeClassifier"),
    "forest": _of_sklearn("ensemble", "RandomForestClassifier", n_estimators=TREES, max_features=MAX_FEATURES),
    "nearest_neighbour": nearest_neighbour,
}


def learner_of(learner: Any) -> tuple[str, SplitLearner]:
    """Return the name and split learner for an estimator or a name in `LEARNERS`."""
    if hasattr(learner, "fit"):
        return type(learner).__name__, by_fitting(learner)
    return learner, LEARNERS[one_of("learner", learner, LEARNERS)]
