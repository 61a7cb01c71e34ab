"""How many free parameters a fitted classifier has, for the families of scikit-learn that can be counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.theory.information.fitted_models import NAN, Noted, is_kind, is_one_vs_rest, last_step

Count = Callable[[Any], Noted]
PENALISED = "the fit is penalised, so the count of parameters is an upper bound of their effective number"

FAMILIES: dict[str, Count] = {}  # name of a class of scikit-learn -> number of parameters of a fitted model


def family(*names: str) -> Callable[[Count], Count]:
    """Declare how the parameters of these classes are counted."""

    def declare(count: Count) -> Count:
        FAMILIES.update(dict.fromkeys(names, count))
        return count

    return declare


def count_parameters(model: Any) -> Noted:
    """Count the free parameters of a fitted model; of a pipeline those of its last step."""
    last = last_step(model)
    if (tree := tree_of(last)) is not None:
        return count_tree(last, tree)
    for name, count in FAMILIES.items():
        if is_kind(last, name):
            return count(last)
    return Noted(NAN, f"no known number of parameters of {type(last).__name__}; give it by `parameters`")


@dataclass(frozen=True)
class Nodes:
    """A tree as scikit-learn stores it: an entry for each node, and -1 for the children of a leaf.

    What pruning has cut off is still stored, and cannot be reached from the root.
    """

    children_left: Any
    children_right: Any
    feature: Any
    threshold: Any
    missing_go_to_left: Any

    @classmethod
    def of(cls, tree: Any, cut: Any) -> Nodes:
        left, right = (np.where(cut, -1, children) for children in (tree.children_left, tree.children_right))
        return cls(left, right, tree.feature, tree.threshold, tree.missing_go_to_left)


def tree_of(model: Any) -> Nodes | None:
    """Give the nodes of a single tree, grown or pruned by `PessimisticTree`; None where a model is something else."""
    grown = getattr(model, "grown_", model)
    tree = getattr(grown, "tree_", None)
    if not hasattr(tree, "children_left"):
        return None
    return Nodes.of(tree, model.pruning_.pruned if hasattr(model, "pruning_") else False)


def count_tree(model: Any, tree: Nodes) -> Noted:
    """An attribute and a threshold for each inner node, and a probability for all classes but one in each leaf."""
    inner = count_inner(tree)
    return Noted(2 * inner + (inner + 1) * (len(model.classes_) - 1))


def count_inner(tree: Nodes) -> int:
    """Count the inner nodes that can be reached from the root."""
    count, stack = 0, [0]
    while stack:
        node = stack.pop()
        if tree.children_left[node] >= 0:
            count += 1
            stack += [tree.children_left[node], tree.children_right[node]]
    return count


@family("LogisticRegression", "LogisticRegressionCV", "SGDClassifier", "Perceptron", "LinearSVC", "RidgeClassifier")
def count_linear(model: Any) -> Noted:
    """A weight for each attribute and a constant, for each class but one; for each class where one is against rest."""
    classes = len(model.classes_)
    each = model.n_features_in_ + bool(model.fit_intercept)
    functions = classes if is_one_vs_rest(model) else classes - 1
    return Noted(functions * each, PENALISED if is_penalised(model) else "")


def is_penalised(model: Any) -> bool:
    if getattr(model, "penalty", "") is None:
        return False
    return not np.isposinf(getattr(model, "C", 1.0)) and getattr(model, "alpha", 1.0) != 0


@family("LinearDiscriminantAnalysis")
def count_lda(model: Any) -> Noted:
    """Priors, a mean for each class, one covariance matrix."""
    attributes, classes = model.n_features_in_, len(model.classes_)
    count = _priors(model.priors, classes) + classes * attributes + attributes * (attributes + 1) // 2
    shrunk = model.shrinkage is not None or model.covariance_estimator is not None
    return Noted(count, PENALISED if shrunk else "")


@family("QuadraticDiscriminantAnalysis")
def count_qda(model: Any) -> Noted:
    """Priors, and for each class a mean and a covariance matrix."""
    attributes, classes = model.n_features_in_, len(model.classes_)
    count = _priors(model.priors, classes) + classes * (attributes + attributes * (attributes + 1) // 2)
    shrunk = model.reg_param > 0 or getattr(model, "shrinkage", None) is not None
    return Noted(count, PENALISED if shrunk else "")


@family("GaussianNB")
def count_gaussian_bayes(model: Any) -> Noted:
    """Priors, and for each class and attribute a mean and a variance."""
    classes = len(model.classes_)
    return Noted(_priors(model.priors, classes) + 2 * classes * model.n_features_in_)


@family("BernoulliNB")
def count_bernoulli_bayes(model: Any) -> Noted:
    """Priors, and for each class and attribute a probability."""
    return Noted(_discrete_priors(model) + len(model.classes_) * model.n_features_in_)


@family("MultinomialNB")
def count_multinomial_bayes(model: Any) -> Noted:
    """Priors, and for each class a distribution over the attributes."""
    return Noted(_discrete_priors(model) + len(model.classes_) * (model.n_features_in_ - 1))


@family("CategoricalNB")
def count_categorical_bayes(model: Any) -> Noted:
    """Priors, and for each class and attribute a distribution over its values."""
    return Noted(_discrete_priors(model) + len(model.classes_) * int((np.asarray(model.n_categories_) - 1).sum()))


@family("DummyClassifier")
def count_dummy(model: Any) -> Noted:
    """The shares of the classes, where it learns them."""
    return Noted(0 if model.strategy in ("uniform", "constant") else len(model.classes_) - 1)


@family("MLPClassifier")
def count_network(model: Any) -> Noted:
    """All weights and constants."""
    weights = sum(layer.size for layer in (*model.coefs_, *model.intercepts_))
    return Noted(weights, PENALISED if model.alpha > 0 or model.early_stopping else "")


def _priors(priors: Any, classes: int) -> int:
    return classes - 1 if priors is None else 0


def _discrete_priors(model: Any) -> int:
    return len(model.classes_) - 1 if model.fit_prior and model.class_prior is None else 0
