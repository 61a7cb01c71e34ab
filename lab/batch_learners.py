"""Learners of the simulation of splits that learn from all training sets at once.

Each predicts what the learner of the same name in `howsure.lab.LEARNERS` predicts, 10 to 100 times as fast, without
which the grid of splits would take days. Trees and forests are compiled by Numba.
"""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.lab.split_learners import MAX_FEATURES, TREES, SplitLearner, nearest_mean, nearest_neighbour

MAX_STEPS, TOLERANCE = 100, 1e-8  # of Newton's method: iterations, and the change of a coefficient at convergence


def naive_bayes(x: Floats, y: IntArray, train: Array, _: np.random.Generator) -> Array:
    """Fit Gaussian naive Bayes."""
    log_likelihood = []
    for label in (0, 1):
        members = train * (y == label).astype(float)
        sizes = members.sum(1, keepdims=True)
        mean = members @ x / sizes
        variance = members @ x**2 / sizes - mean**2
        constant = np.log(sizes) - (np.log(variance) + mean**2 / variance).sum(1, keepdims=True) / 2
        log_likelihood.append(constant + (mean / variance) @ x.T - (1 / variance) @ (x**2).T / 2)
    return np.asarray((log_likelihood[1] > log_likelihood[0]) == y)


def logistic_regression(x: Floats, y: IntArray, train: Array, _: np.random.Generator) -> Array:
    """Fit a logistic regression with the penalty |slopes|^2 / 2 (C = 1 in scikit-learn) by Newton's method."""
    columns = np.column_stack([x, np.ones(len(x))])
    width = columns.shape[1]
    products = (columns[:, :, None] * columns[:, None]).reshape(len(x), -1)
    penalty = np.append(np.ones(width - 1), 0.0)  # the intercept is not penalized
    beta = np.zeros((len(train), width))
    for _step in range(MAX_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(beta @ columns.T, -500, 500)))
        gradient = (train * (y - probability)) @ columns - beta * penalty
        weights = train * probability * (1 - probability)
        hessian = (weights @ products).reshape(-1, width, width) + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        beta += step
        if np.abs(step).max() < TOLERANCE:
            break
    return np.asarray((beta @ columns.T > 0) == y)


def of_trees(trees: int, max_features: int | None) -> SplitLearner:
    """Return a learner that grows a tree, or several on bootstrap samples; nodes try some or all features."""

    def learner(x: Floats, y: IntArray, train: Array, rng: np.random.Generator) -> Array:
        from lab.compiled_tree import count_votes

        features = np.ascontiguousarray(x.T)
        order = np.argsort(features, axis=1)
        votes = count_votes(
            features, y.astype(np.int64), order, train.astype(np.uint8), trees, max_features or len(features), rng
        )
        return np.asarray((2 * votes > trees) == y)

    return learner


BATCH_LEARNERS: dict[str, SplitLearner] = {
    "nearest_mean": nearest_mean,
    "naive_bayes": naive_bayes,
    "logistic_regression": logistic_regression,
    "tree": of_trees(1, None),
    "forest": of_trees(TREES, MAX_FEATURES),
    "nearest_neighbour": nearest_neighbour,
}
