"""Learners for the simulation of splits: each learns from many training sets of one sample at once.

A learner takes the rows ``x``, their classes ``y`` (0 and 1) and ``train``, which has a row for each training set, and
says of each case that is not in it whether it would be classified right. What it says is what its ``estimator`` would
say, fitted to each training set in turn, which takes ten to a hundred times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.checks import one_of
from howsure.resampling.fit import fit_rows, fresh

Right = Callable[[Floats, IntArray, Array, np.random.Generator], Array]
NEAREST = 40  # with half of the rows for training, none of the 40 nearest is there with a chance below 1e-12
STEPS, ENOUGH = 100, 1e-8  # of Newton's method at most, and the change of a coefficient at which it stops
TREES, TRIED = 25, 2  # in a forest, and features that its nodes look at


@dataclass(frozen=True)
class Learner:
    """A learner by name: how many training sets are learned from at once, and the estimator that does it one by one."""

    name: str
    right: Right
    estimator: Callable[[], Any]


def nearest_mean(x: Floats, y: IntArray, train: Array, _: np.random.Generator) -> Array:
    """Take the class of the nearer mean."""
    low, high = (rows @ x / rows.sum(1, keepdims=True) for rows in _of_classes(y, train))
    middle = ((high**2).sum(1) - (low**2).sum(1)) / 2
    return np.asarray(((high - low) @ x.T > middle[:, None]) == y)


def naive_bayes(x: Floats, y: IntArray, train: Array, _: np.random.Generator) -> Array:
    """Take the more likely of two normal classes, each feature with a mean and a variance in each class."""
    likely = []
    for rows in _of_classes(y, train):
        sizes = rows.sum(1, keepdims=True)
        mean = rows @ x / sizes
        variance = rows @ x**2 / sizes - mean**2
        constant = np.log(sizes) - (np.log(variance) + mean**2 / variance).sum(1, keepdims=True) / 2
        likely.append(constant + (mean / variance) @ x.T - (1 / variance) @ (x**2).T / 2)
    return np.asarray((likely[1] > likely[0]) == y)


def logistic_regression(x: Floats, y: IntArray, train: Array, _: np.random.Generator) -> Array:
    """Maximise the likelihood less half of the squared length of the slopes, by Newton's method."""
    columns = np.column_stack([x, np.ones(len(x))])
    width = columns.shape[1]
    products = (columns[:, :, None] * columns[:, None]).reshape(len(x), -1)
    penalty = np.append(np.ones(width - 1), 0.0)  # the intercept is free
    beta = np.zeros((len(train), width))
    for _step in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(beta @ columns.T, -500, 500)))
        gradient = (train * (y - chance)) @ columns - beta * penalty
        curvature = ((train * chance * (1 - chance)) @ products).reshape(-1, width, width) + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        beta += step
        if np.abs(step).max() < ENOUGH:
            break
    return np.asarray((beta @ columns.T > 0) == y)


def nearest_neighbour(x: Floats, y: IntArray, train: Array, _: np.random.Generator) -> Array:
    """Take the class of the nearest training row: a learner that changes more with its training rows."""
    known = np.flatnonzero(train.any(0))
    distances = (x[known] ** 2).sum(1) - 2 * x @ x[known].T  # + squares of rows, which do not change the order
    distances[known, np.arange(len(known))] = np.inf
    nearest = _smallest(distances, NEAREST)
    first = train.astype(bool)[:, known[nearest]].argmax(2)
    return np.asarray(y[known[nearest[np.arange(len(x)), first]]] == y)


def _smallest(distances: Floats, k: int) -> IntArray:
    """Give the places of the ``k`` smallest of each row, in order."""
    if k >= distances.shape[1]:
        return np.argsort(distances, axis=1)
    some = np.argpartition(distances, k, axis=1)[:, :k]
    order = np.argsort(np.take_along_axis(distances, some, 1), axis=1)
    return np.take_along_axis(some, order, 1)


def _of_classes(y: IntArray, train: Array) -> list[Floats]:
    return [train * (y == label).astype(float) for label in (0, 1)]


def of_trees(trees: int, tried: int | None) -> Right:
    """Grow trees, compiled where Numba is there; ``tried`` features at each node, without it all."""

    def right(x: Floats, y: IntArray, train: Array, rng: np.random.Generator) -> Array:
        from howsure.kernels.compiled_tree import votes_of_trees

        rows = np.ascontiguousarray(x.T)
        flags, order = train.astype(np.uint8), np.argsort(rows, axis=1)
        votes = votes_of_trees(rows, y.astype(np.int64), order, flags, trees, tried or len(rows), rng)
        return np.asarray((2 * votes > trees) == y)

    return right


def by_fitting(estimator: Any) -> Right:
    """Fit a copy of any estimator to each training set in turn."""

    def right(x: Floats, y: IntArray, train: Array, rng: np.random.Generator) -> Array:
        found = np.zeros(train.shape, bool)
        for number, rows in enumerate(train.astype(bool)):
            model = fit_rows(fresh(estimator, int(rng.integers(2**31))), x, y, np.flatnonzero(rows))
            found[number, ~rows] = np.asarray(model.predict(x[~rows])) == y[~rows]
        return found

    return right


def _nearest_mean() -> Any:
    from sklearn.neighbors import NearestCentroid

    return NearestCentroid()


def _naive_bayes() -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _logistic_regression() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression()


def _nearest_neighbour() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(1)


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier()


def _forest() -> Any:
    from howsure.learners import RandomForest

    return RandomForest(TREES, max_features=TRIED, oob_score=False)


LEARNERS = {
    one.name: one
    for one in (
        Learner("nearest_mean", nearest_mean, _nearest_mean),
        Learner("naive_bayes", naive_bayes, _naive_bayes),
        Learner("logistic_regression", logistic_regression, _logistic_regression),
        Learner("tree", of_trees(1, None), _tree),
        Learner("forest", of_trees(TREES, TRIED), _forest),
        Learner("nearest_neighbour", nearest_neighbour, _nearest_neighbour),
    )
}
NEED_NUMBA = ("tree", "forest")


def learner_of(learner: Any) -> tuple[str, Right]:
    """Give the name of a learner, and how it learns from many training sets: by a name of these, or any estimator."""
    if hasattr(learner, "fit"):
        return type(learner).__name__, by_fitting(learner)
    known = LEARNERS[one_of("learner", learner, LEARNERS)]
    is_slow = known.name in NEED_NUMBA and find_spec("numba") is None
    return known.name, by_fitting(known.estimator()) if is_slow else known.right
