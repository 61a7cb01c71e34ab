"""Structural risk minimization: VC dimensions of classifiers, and the bound on the true error (Vapnik, 1998)."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from howsure.checks import as_float, check_confidence
from howsure.errors import must, must_be_share
from howsure.theory.information.fitted_models import NAN, Noted, count_inner, is_kind, last_step, tree_of

LINEAR = (
    "LogisticRegression",
    "LogisticRegressionCV",
    "SGDClassifier",
    "Perceptron",
    "LinearSVC",
    "RidgeClassifier",
    "LinearDiscriminantAnalysis",
    "BernoulliNB",
    "MultinomialNB",
)
# VC dimension of a fitted two-class model, or an upper bound on it, by class name in scikit-learn.
CAPACITIES: tuple[tuple[tuple[str, ...], Callable[[Any, int], int]], ...] = (
    (LINEAR, lambda model, d: d + bool(getattr(model, "fit_intercept", True))),
    (("GaussianNB",), lambda _, d: 2 * d + 1),  # decision boundary is linear in the features and their squares
    (("QuadraticDiscriminantAnalysis",), lambda _, d: 1 + d + d * (d + 1) // 2),
    (("CategoricalNB",), lambda model, _: 1 + int((np.asarray(model.n_categories_) - 1).sum())),
)
LARGEST = 2**62  # upper limit of a VC dimension
DIGITS = 9  # decimals that log2 of a Catalan number is rounded to, so that log2 of 1 and 2 is exact
ALWAYS_ONE_CLASS = ("most_frequent", "prior", "constant")


def vc_bound(training_error: float, n: int, h: float, confidence: float = 0.95) -> float:
    """Compute Vapnik's upper bound on the true error rate of a classifier.

    R <= R_emp + sqrt((h (ln(2n / h) + 1) - ln(eta / 4)) / n) with eta = 1 - confidence.

    Parameters
    ----------
    training_error
        Error rate on the training cases.
    n
        Number of training cases.
    h
        VC dimension: the largest number of points that classifiers of this family can divide into two classes in every
        possible way. If it is n or more, the bound is above 1 and uninformative; above 2n, it stays the same.
    confidence
        Probability that the bound holds.

    Returns
    -------
    float
        The bound.

    Examples
    --------
    >>> from howsure.selection import vc_bound
    >>> round(vc_bound(0.05, n=10_000, h=11), 4)
    0.149
    """
    if isinstance(training_error, bool) or not isinstance(training_error, Real) or not 0 <= training_error <= 1:
        must_be_share("training_error", "a share, from 0 to 1", given=training_error)
    if isinstance(n, bool) or not as_float(n).is_integer() or as_float(n) < 1:
        must("n", "a whole number of cases, 1 or above", given=n)
    if isinstance(h, bool) or not 0 < as_float(h) < math.inf:
        must("h", "a number above 0", given=h)
    eta = 1 - check_confidence(confidence)
    dimension = min(float(h), 2 * n)
    inside = (dimension * (math.log(2 * n / dimension) + 1) - math.log(eta / 4)) / n
    return float(training_error) + math.sqrt(inside)


def tree_capacity(inner: int, features: int) -> int:
    """Return an upper bound on the VC dimension of trees with ``inner`` inner nodes on numeric features.

    On m points, a feature has at most m different thresholds. Hence there are at most
    Catalan(inner) (features m)^inner 2^(inner + 1) different trees, and 2^m are needed to classify m points in every
    possible way. The bound is the largest m for which there may be enough trees.
    """
    shapes = (math.lgamma(2 * inner + 1) - 2 * math.lgamma(inner + 1) - math.log(inner + 1)) / math.log(2)
    shapes = round(shapes, DIGITS)  # log2 of the Catalan number

    def are_too_few(m: int) -> bool:
        return shapes + inner * math.log2(features * m) + inner + 1 < m

    return bisect(range(1, LARGEST), False, key=are_too_few)


def find_capacity(model: Any, classes: int) -> Noted:
    """Return the VC dimension of a fitted model's family, or an upper bound on it."""
    if classes != 2:
        return Noted(NAN, f"no VC bound, because it needs two classes but there are {classes}")
    last = last_step(model)
    if (tree := tree_of(last)) is not None:
        return Noted(tree_capacity(count_inner(tree), last.n_features_in_))
    for names, dimension in CAPACITIES:
        if is_kind(last, *names):
            return Noted(dimension(last, last.n_features_in_))
    if is_kind(last, "DummyClassifier") and last.strategy in ALWAYS_ONE_CLASS:
        return Noted(1)
    return Noted(NAN, f"the VC dimension of {type(last).__name__} is unknown; set it with `capacity`")
