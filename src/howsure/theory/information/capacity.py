"""Structural risk minimisation: the VC dimension of what was chosen from, and the bound on the true error by it."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from howsure.checks import check_confidence, real
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
# Names of classes of scikit-learn -> VC dimension (or a bound of it) of a fitted model with two classes.
CAPACITIES: tuple[tuple[tuple[str, ...], Callable[[Any, int], int]], ...] = (
    (LINEAR, lambda model, d: d + bool(getattr(model, "fit_intercept", True))),
    (("GaussianNB",), lambda _, d: 2 * d + 1),  # linear in each attribute and its square
    (("QuadraticDiscriminantAnalysis",), lambda _, d: 1 + d + d * (d + 1) // 2),
    (("CategoricalNB",), lambda model, _: 1 + int((np.asarray(model.n_categories_) - 1).sum())),
)
LARGEST = 2**62
EXACT = 10_000  # inner nodes up to which shapes are counted to the last digit; beyond, that takes seconds
ALWAYS_ONE_CLASS = ("most_frequent", "prior", "constant")


def vc_bound(training_error: float, n: int, h: float, confidence: float = 0.95) -> float:
    """Give Vapnik's bound on the true error of a classifier, which holds with this confidence.

    R <= R_emp + sqrt((h (ln(2n / h) + 1) - ln(eta / 4)) / n) with eta = 1 - confidence.

    Parameters
    ----------
    training_error
        Error rate on the cases it was trained on.
    n
        Number of those cases.
    h
        VC dimension of the classifiers from which it was chosen: the largest number of points that they can divide
        into two classes in every way.
    confidence
        Probability with which the bound holds. A bound above 1 says nothing, as is so wherever h is n or more; above
        2n the formula would fall again, and the bound stays as it is there.

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
    if isinstance(n, bool) or not real(n).is_integer() or real(n) < 1:
        must("n", "a whole number of cases, 1 or above", given=n)
    if isinstance(h, bool) or not 0 < real(h) < math.inf:
        must("h", "a number above 0", given=h)
    eta = 1 - check_confidence(confidence)
    dimension = min(float(h), 2 * n)
    inside = (dimension * (math.log(2 * n / dimension) + 1) - math.log(eta / 4)) / n
    return float(training_error) + math.sqrt(inside)


def tree_capacity(inner: int, attributes: int) -> int:
    """Bound the VC dimension of trees with so many inner nodes on attributes that are numbers, by counting.

    On m points an attribute makes at most m different divisions, so there are no more than
    Catalan(inner) (attributes m)^inner 2^(inner + 1) trees that differ there; 2^m are needed to divide the points in
    every way. The bound is the largest m that is not ruled out.
    """
    if inner <= EXACT:
        shapes = math.log2(math.comb(2 * inner, inner) // (inner + 1))
    else:
        shapes = (math.lgamma(2 * inner + 1) - 2 * math.lgamma(inner + 1) - math.log(inner + 1)) / math.log(2)

    def is_ruled_out(m: int) -> bool:
        return shapes + inner * math.log2(attributes * m) + inner + 1 < m

    return bisect(range(1, LARGEST), False, key=is_ruled_out)  # the number of points that are not ruled out


def find_capacity(model: Any, classes: int) -> Noted:
    """Give the VC dimension of the classifiers that a fitted model was chosen from, or a bound of it."""
    if classes != 2:
        return Noted(NAN, f"no VC bound, because that is for two classes and there are {classes}")
    last = last_step(model)
    if (tree := tree_of(last)) is not None:
        return Noted(tree_capacity(count_inner(tree), last.n_features_in_))
    for names, dimension in CAPACITIES:
        if is_kind(last, *names):
            return Noted(dimension(last, last.n_features_in_))
    if is_kind(last, "DummyClassifier") and last.strategy in ALWAYS_ONE_CLASS:
        return Noted(1)
    return Noted(NAN, f"no known VC dimension of {type(last).__name__}; give it by `capacity`")
