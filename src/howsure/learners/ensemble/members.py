"""Members of an ensemble.

They are fitted to a sample or to weighted cases. They learn indices of the ensemble's classes, since a sample may not
contain all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.errors import HowsureError, listing
from howsure.learners.common.wrapper import is_tree
from howsure.resampling.fit import class_probabilities, constant_if_one_class, fit_rows, fresh

Predict = Callable[[Any], Array]


def template_of(estimator: Any, classes: Array) -> Any:
    """Return the estimator to copy, with ``class_weight`` by class index instead of label."""
    template, labels = fresh(estimator), classes.tolist()
    for name, value in template.get_params().items():
        if name.split("__")[-1] == "class_weight" and isinstance(value, dict):
            # A fold may lack a class that has a weight, so unknown labels are accepted if all classes have weights.
            unknown = [label for label in value if label not in labels]
            if unknown and not all(label in value for label in labels):
                raise HowsureError(
                    f"`class_weight` must have classes of `y` as keys, not {unknown[0]!r}; `y` has {listing(labels)}."
                )
            template.set_params(**{name: {index: value.get(label, 1.0) for index, label in enumerate(labels)}})
    return template


def prepare(estimator: Any, X: Any, to_fit: bool = True) -> Any:
    """Convert features once for all members to the format that trees use internally."""
    if not is_tree(estimator):
        return X
    if hasattr(X, "tocsc"):
        X = (X.tocsc() if to_fit else X.tocsr()).astype(np.float32)
        X.sort_indices()
        return X
    return np.ascontiguousarray(X, np.float32)


def fit_sampled(template: Any, seed: np.random.SeedSequence, X: Any, codes: IntArray, times: IntArray) -> Any:
    """Fit a copy of the template to a sample in which each row occurs ``times`` times."""
    member = fresh(template, seed, overwrite=True)
    if is_tree(template):  # a tree can use weights, which avoids copying rows
        return fit_rows(member, X, codes, weight=times.astype(float))
    rows = np.repeat(np.arange(len(codes)), times)
    return fit_rows(constant_if_one_class(member, codes[rows]), X, codes, rows)


def fit_weighted(template: Any, seed: np.random.SeedSequence, X: Any, codes: IntArray, weight: Floats) -> Any:
    """Fit a copy of the template to weighted cases."""
    member = fresh(template, seed, overwrite=True)
    if is_tree(template):
        return fit_rows(member, X, codes, weight=weight)
    counted = np.flatnonzero(weight)  # estimators that count rows must not count cases of weight 0
    rows = counted if len(counted) < len(codes) else None
    return fit_rows(constant_if_one_class(member, codes[counted]), X, codes, rows, weight)


def class_votes(member: Any) -> Predict:
    """Return a function that predicts the class indices of rows."""
    if is_tree(member):
        of_node = member.tree_.value[:, 0, :].argmax(axis=1)
        return lambda X: of_node.take(member.apply(X, check_input=False), axis=0)
    return lambda X: np.asarray(member.predict(X), np.intp)


def vote_shares(member: Any, k: int) -> Predict:
    """Return a function that predicts the probabilities of ``k`` classes for rows."""
    if is_tree(member):
        value = member.tree_.value[:, 0, :]
        of_node = value / value.sum(axis=1, keepdims=True)
        return lambda X: of_node.take(member.apply(X, check_input=False), axis=0)
    return lambda X: class_probabilities(member, X, np.arange(k))
