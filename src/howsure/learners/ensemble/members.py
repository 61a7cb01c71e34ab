"""Members of an ensemble: fitted on a sample of the cases or by their weights, then asked for the class of each row.

Members learn the indices of classes among the ensemble's, so that one that has never seen some class still fits in.
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
    """Give the estimator that members are copies of: class weights by label become weights by index."""
    template, labels = fresh(estimator), classes.tolist()
    for name, value in template.get_params().items():
        if name.split("__")[-1] == "class_weight" and isinstance(value, dict):
            unknown = [label for label in value if label not in labels]
            if unknown and not all(label in value for label in labels):  # a fold may lack a class, not both
                raise HowsureError(
                    f"`class_weight` must name classes in y, not {unknown[0]!r}; y has {listing(labels)}."
                )
            template.set_params(**{name: {index: value.get(label, 1.0) for index, label in enumerate(labels)}})
    return template


def prepare(estimator: Any, X: Any, to_fit: bool = True) -> Any:
    """Give the features in the form in which the estimator reads them fastest, once for all members."""
    if not is_tree(estimator):
        return X
    if hasattr(X, "tocsc"):
        X = (X.tocsc() if to_fit else X.tocsr()).astype(np.float32)
        X.sort_indices()
        return X
    return np.ascontiguousarray(X, np.float32)


def fit_sampled(template: Any, seed: np.random.SeedSequence, X: Any, codes: IntArray, times: IntArray) -> Any:
    """Fit a fresh member to a sample; ``times`` says how often each row is in it."""
    member = fresh(template, seed, overwrite=True)
    if is_tree(template):  # for a tree, a weight is the same as repeated rows, and takes three quarters of the time
        return fit_rows(member, X, codes, weight=times.astype(float))
    rows = np.repeat(np.arange(len(codes)), times)
    return fit_rows(constant_if_one_class(member, codes[rows]), X, codes, rows)


def fit_weighted(template: Any, seed: np.random.SeedSequence, X: Any, codes: IntArray, weight: Floats) -> Any:
    """Fit a fresh member to all cases with their weights."""
    member = fresh(template, seed, overwrite=True)
    if is_tree(template):
        return fit_rows(member, X, codes, weight=weight)
    counted = np.flatnonzero(weight)  # learners that count rows must not see a case of weight 0
    rows = counted if len(counted) < len(codes) else None
    return fit_rows(constant_if_one_class(member, codes[counted]), X, codes, rows, weight)


def class_votes(member: Any) -> Predict:
    """Give a function from rows to the index of the class that a member votes for."""
    if is_tree(member):
        of_node = member.tree_.value[:, 0, :].argmax(axis=1)
        return lambda X: of_node.take(member.apply(X, check_input=False), axis=0)
    return lambda X: np.asarray(member.predict(X), np.intp)


def vote_shares(member: Any, k: int) -> Predict:
    """Give a function from rows to the probability that a member gives to each of ``k`` classes."""
    if is_tree(member):
        value = member.tree_.value[:, 0, :]
        of_node = value / value.sum(axis=1, keepdims=True)
        return lambda X: of_node.take(member.apply(X, check_input=False), axis=0)
    return lambda X: class_probabilities(member, X, np.arange(k))
