"""Number of free parameters of fitted scikit-learn classifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from howsure.theory.information.fitted_models import (
    NAN,
    Noted,
    count_inner,
    is_kind,
    is_one_vs_rest,
    last_step,
    tree_of,
)

PENALIZED = "the fit is penalized, so the number of parameters is an upper bound on their effective number"
LINEAR = ("LogisticRegression", "LogisticRegressionCV", "SGDClassifier", "Perceptron", "LinearSVC", "RidgeClassifier")
# Number of parameters of a fitted model with k classes, by class name in scikit-learn.
COUNTS: tuple[tuple[tuple[str, ...], Callable[[Any, int], int]], ...] = (
    # one coefficient per feature and an intercept, for k - 1 classes, or for all k if fitted one-vs-rest
    (LINEAR, lambda m, k: (k if is_one_vs_rest(m) else k - 1) * (m.n_features_in_ + bool(m.fit_intercept))),
    # priors, class means, and one covariance matrix, or one per class
    (("LinearDiscriminantAnalysis",), lambda m, k: _priors(m, k) + k * m.n_features_in_ + _covariances(m)),
    (("QuadraticDiscriminantAnalysis",), lambda m, k: _priors(m, k) + k * (m.n_features_in_ + _covariances(m))),
    # priors, and per class and feature: a mean and a variance, a probability, or the probabilities of its values;
    # for MultinomialNB, the probabilities of the features per class
    (("GaussianNB",), lambda m, k: _priors(m, k) + 2 * k * m.n_features_in_),
    (("BernoulliNB",), lambda m, k: _discrete_priors(m, k) + k * m.n_features_in_),
    (("CategoricalNB",), lambda m, k: _discrete_priors(m, k) + k * int((np.asarray(m.n_categories_) - 1).sum())),
    (("MultinomialNB",), lambda m, k: _discrete_priors(m, k) + k * (m.n_features_in_ - 1)),
    # class proportions, if they are used
    (("DummyClassifier",), lambda m, k: 0 if m.strategy in ("uniform", "constant") else k - 1),
    # all weights and biases
    (("MLPClassifier",), lambda m, _: sum(layer.size for layer in (*m.coefs_, *m.intercepts_))),
)
# Whether the fit of a model is penalized, by class name.
PENALTIES: tuple[tuple[tuple[str, ...], Callable[[Any], bool]], ...] = (
    (
        LINEAR,
        lambda m: not (getattr(m, "penalty", 1) is None or getattr(m, "C", 1) == np.inf or getattr(m, "alpha", 1) == 0),
    ),
    (("LinearDiscriminantAnalysis",), lambda m: not (m.shrinkage is None and m.covariance_estimator is None)),
    (("QuadraticDiscriminantAnalysis",), lambda m: m.reg_param > 0 or getattr(m, "shrinkage", None) is not None),
    (("MLPClassifier",), lambda m: m.alpha > 0 or m.early_stopping),
)


def count_parameters(model: Any) -> Noted:
    """Count the free parameters of a fitted model or, for a pipeline, of its last step."""
    last = last_step(model)
    if (tree := tree_of(last)) is not None:
        # a feature and a threshold per inner node, and k - 1 probabilities per leaf
        inner = count_inner(tree)
        return Noted(2 * inner + (inner + 1) * (len(last.classes_) - 1))
    for names, count in COUNTS:
        if is_kind(last, *names):
            is_penalized = any(is_kind(last, *kinds) and penalty(last) for kinds, penalty in PENALTIES)
            return Noted(count(last, len(last.classes_)), PENALIZED if is_penalized else "")
    return Noted(NAN, f"the number of parameters of {type(last).__name__} is unknown; set it with `parameters`")


def _covariances(model: Any) -> int:
    return int(model.n_features_in_ * (model.n_features_in_ + 1) // 2)


def _priors(model: Any, classes: int) -> int:
    return classes - 1 if model.priors is None else 0


def _discrete_priors(model: Any, classes: int) -> int:
    return classes - 1 if model.fit_prior and model.class_prior is None else 0
