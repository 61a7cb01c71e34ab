"""Fitted models of scikit-learn: of which class they are, and what is at the end of a pipeline or a search."""

from __future__ import annotations

from typing import Any, NamedTuple

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
    while True:
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif getattr(model, "steps", None):
            model = model.steps[-1][1]
        else:
            return model


def last_step_input(model: Any, X: Any) -> Any:
    """Return the attributes as they reach the last step of a pipeline."""
    while True:
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif getattr(model, "steps", None):
            X = model[:-1].transform(X) if len(model.steps) > 1 else X
            model = model.steps[-1][1]
        else:
            return X


def is_one_vs_rest(model: Any) -> bool:
    """Whether a linear model has a separate fit for each of three or more classes."""
    if len(model.classes_) < 3:
        return False
    if is_kind(model, *SOFTMAX):
        return model.solver == "liblinear" or getattr(model, "multi_class", "") == "ovr"
    return True
