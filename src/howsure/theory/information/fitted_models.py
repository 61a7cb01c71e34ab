"""Fitted models of scikit-learn: of which class they are, the last step of a pipeline or a search, nodes of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

NAN = float("nan")
SOFTMAX = ("LogisticRegression", "LogisticRegressionCV")


class Noted(NamedTuple):
    """A number and a note on it; NaN where there is none, and then the reason."""

    value: float
    note: str = ""


def is_kind(model: Any, *names: str) -> bool:
    """Whether a model is of a class of scikit-learn, or derived from it; without importing the class."""
    return any(kind.__name__ in names and kind.__module__.startswith("sklearn.") for kind in type(model).__mro__)


def last_step(model: Any) -> Any:
    """Return the model that a pipeline ends with, or that a search chose; otherwise the model itself."""
    if hasattr(model, "best_estimator_"):
        return last_step(model.best_estimator_)
    return last_step(model.steps[-1][1]) if getattr(model, "steps", None) else model


def last_step_input(model: Any, X: Any) -> Any:
    """Return the attributes as they reach the last step of a pipeline."""
    if hasattr(model, "best_estimator_"):
        return last_step_input(model.best_estimator_, X)
    if not getattr(model, "steps", None):
        return X
    return last_step_input(model.steps[-1][1], model[:-1].transform(X) if len(model.steps) > 1 else X)


def is_one_vs_rest(model: Any) -> bool:
    """Whether a linear model has a separate fit for each of three or more classes."""
    if len(model.classes_) < 3:
        return False
    if is_kind(model, *SOFTMAX):
        return model.solver == "liblinear" or getattr(model, "multi_class", "") == "ovr"
    return True


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


def count_inner(tree: Nodes) -> int:
    """Count the inner nodes that can be reached from the root."""
    count, stack = 0, [0]
    while stack:
        node = stack.pop()
        if tree.children_left[node] >= 0:
            count += 1
            stack += [tree.children_left[node], tree.children_right[node]]
    return count
