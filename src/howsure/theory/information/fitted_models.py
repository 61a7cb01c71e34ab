"""Access to fitted scikit-learn models: their class, the last step of a pipeline, the nodes of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

NAN = float("nan")
SOFTMAX = ("LogisticRegression", "LogisticRegressionCV")


class Noted(NamedTuple):
    """A number with a note; if it is missing, NaN with the reason."""

    value: float
    note: str = ""


def is_kind(model: Any, *names: str) -> bool:
    """Return whether a model is an instance of a scikit-learn class, without importing the class."""
    return any(kind.__name__ in names and kind.__module__.startswith("sklearn.") for kind in type(model).__mro__)


def last_step(model: Any) -> Any:
    """Return the last step of a pipeline or of a search's best model; otherwise, the model itself."""
    if hasattr(model, "best_estimator_"):
        return last_step(model.best_estimator_)
    return last_step(model.steps[-1][1]) if getattr(model, "steps", None) else model


def last_step_input(model: Any, X: Any) -> Any:
    """Return the features that reach the last step of a pipeline."""
    if hasattr(model, "best_estimator_"):
        return last_step_input(model.best_estimator_, X)
    if not getattr(model, "steps", None):
        return X
    return last_step_input(model.steps[-1][1], model[:-1].transform(X) if len(model.steps) > 1 else X)


def is_one_vs_rest(model: Any) -> bool:
    """Return whether a linear model is fitted separately for each of three or more classes."""
    if len(model.classes_) < 3:
        return False
    if is_kind(model, *SOFTMAX):
        return model.solver == "liblinear" or getattr(model, "multi_class", "") == "ovr"
    return True


@dataclass(frozen=True)
class Nodes:
    """Nodes of a tree as in scikit-learn; the children of a leaf are -1, and pruned nodes cannot be reached."""

    children_left: Any
    children_right: Any
    feature: Any
    threshold: Any
    missing_go_to_left: Any

    @classmethod
    def of(cls, tree: Any, pruned: Any) -> Nodes:
        left, right = (np.where(pruned, -1, children) for children in (tree.children_left, tree.children_right))
        return cls(left, right, tree.feature, tree.threshold, tree.missing_go_to_left)


def tree_of(model: Any) -> Nodes | None:
    """Return the nodes of a decision tree or a `PessimisticTree`; None for any other model."""
    grown = getattr(model, "grown_", model)
    tree = getattr(grown, "tree_", None)
    if not hasattr(tree, "children_left"):
        return None
    return Nodes.of(tree, model.pruning_.pruned if hasattr(model, "pruning_") else False)


def count_inner(tree: Nodes) -> int:
    """Count the inner nodes of a tree."""
    count, stack = 0, [0]
    while stack:
        node = stack.pop()
        if tree.children_left[node] >= 0:
            count += 1
            stack += [tree.children_left[node], tree.children_right[node]]
    return count
