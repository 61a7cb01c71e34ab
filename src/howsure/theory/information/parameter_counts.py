"""How many free parameters a fitted classifier has, for the families of scikit-learn that can be counted."""

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

PENALISED = "the fit is penalised, so the count of parameters is an upper bound of their effective number"
LINEAR = ("LogisticRegression", "LogisticRegressionCV", "SGDClassifier", "Perceptron", "LinearSVC", "RidgeClassifier")
# Names of classes of scikit-learn -> number of parameters of a fitted model with k classes.
COUNTS: tuple[tuple[tuple[str, ...], Callable[[Any, int], int]], ...] = (
    # a weight for each attribute and a constant, for each class but one; for each class where one is against the rest
    (LINEAR, lambda m, k: (k if is_one_vs_rest(m) else k - 1) * (m.n_features_in_ + bool(m.fit_intercept))),
    # priors, a mean for each class, and one covariance matrix, or one for each class
    (("LinearDiscriminantAnalysis",), lambda m, k: _priors(m, k) + k * m.n_features_in_ + _covariances(m)),
    (("QuadraticDiscriminantAnalysis",), lambda m, k: _priors(m, k) + k * (m.n_features_in_ + _covariances(m))),
    # priors, and for each class and attribute: a mean and a variance, a probability, a distribution over its values;
    # or for each class a distribution over the attributes
    (("GaussianNB",), lambda m, k: _priors(m, k) + 2 * k * m.n_features_in_),
    (("BernoulliNB",), lambda m, k: _discrete_priors(m, k) + k * m.n_features_in_),
    (("CategoricalNB",), lambda m, k: _discrete_priors(m, k) + k * int((np.asarray(m.n_categories_) - 1).sum())),
    (("MultinomialNB",), lambda m, k: _discrete_priors(m, k) + k * (m.n_features_in_ - 1)),
    # the shares of the classes, where it learns them
    (("DummyClassifier",), lambda m, k: 0 if m.strategy in ("uniform", "constant") else k - 1),
    # all weights and constants
    (("MLPClassifier",), lambda m, _: sum(layer.size for layer in (*m.coefs_, *m.intercepts_))),
)
# Names of classes -> whether the fit of a model is penalised.
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
    """Count the free parameters of a fitted model; of a pipeline those of its last step."""
    last = last_step(model)
    if (tree := tree_of(last)) is not None:
        # an attribute and a threshold for each inner node, and in each leaf a probability of all classes but one
        inner = count_inner(tree)
        return Noted(2 * inner + (inner + 1) * (len(last.classes_) - 1))
    for names, count in COUNTS:
        if is_kind(last, *names):
            is_penalised = any(is_kind(last, *some) and penalty(last) for some, penalty in PENALTIES)
            return Noted(count(last, len(last.classes_)), PENALISED if is_penalised else "")
    return Noted(NAN, f"no known number of parameters of {type(last).__name__}; give it by `parameters`")


def _covariances(model: Any) -> int:
    return int(model.n_features_in_ * (model.n_features_in_ + 1) // 2)


def _priors(model: Any, classes: int) -> int:
    return classes - 1 if model.priors is None else 0


def _discrete_priors(model: Any, classes: int) -> int:
    return classes - 1 if model.fit_prior and model.class_prior is None else 0
