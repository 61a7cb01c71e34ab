"""Members of an ensemble: fitted on a sample of the cases or by their weights, then asked for the class of each row.

Members learn the places of classes among the ensemble's, so that one that has never seen some class still fits in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from assay.arrays import Array, IntArray
from assay.data.rows import take
from assay.errors import AssayError, listing
from assay.learners.ensemble.bootstrap_draws import Weights, seeded

Reader = Callable[[Any], Array]


def is_tree(estimator: Any) -> bool:
    return isinstance(estimator, DecisionTreeClassifier)


def mould_of(estimator: Any, classes: Array) -> Any:
    """Give the learner that members are copies of: weights of classes by name become weights by place."""
    mould, labels = clone(estimator), classes.tolist()
    for name, value in mould.get_params().items():
        if name.split("__")[-1] == "class_weight" and isinstance(value, dict):
            unknown = [label for label in value if label not in labels]
            if unknown and not all(label in value for label in labels):  # a fold may lack a class, not both
                raise AssayError(f"`class_weight` must name classes in y, not {unknown[0]!r}; y has {listing(labels)}.")
            mould.set_params(**{name: {place: value.get(label, 1.0) for place, label in enumerate(labels)}})
    return mould


def prepare(estimator: Any, X: Any, to_fit: bool = True) -> Any:
    """Give the features in the form in which the learner reads them fastest, once for all members."""
    if not is_tree(estimator):
        return X
    if hasattr(X, "tocsc"):
        X = (X.tocsc() if to_fit else X.tocsr()).astype(np.float32)
        X.sort_indices()
        return X
    return np.ascontiguousarray(X, np.float32)


def or_constant(learner: Any, codes: IntArray) -> Any:
    """Give the learner; where there is but one class, which most learners refuse, one that always says it."""
    return DummyClassifier() if (codes == codes[0]).all() else learner


def fit_member(mould: Any, seed: np.random.SeedSequence, X: Any, codes: IntArray, times: IntArray) -> Any:
    """Fit a fresh member to a sample; ``times`` says how often each row is in it."""
    if is_tree(mould):  # for a tree, a weight is the same as repeated rows, and takes three quarters of the time
        return seeded(mould, seed).fit(X, codes, sample_weight=times.astype(float))
    rows = np.repeat(np.arange(len(codes)), times)
    return or_constant(seeded(mould, seed), codes[rows]).fit(take(X, rows), codes[rows])


def fit_weighted(mould: Any, seed: np.random.SeedSequence, X: Any, codes: IntArray, weight: Weights) -> Any:
    """Fit a fresh member to all cases with their weights."""
    member = seeded(mould, seed)
    if not is_tree(mould):
        counted = np.flatnonzero(weight)
        if len(counted) < len(codes):  # a case of weight 0 must not be there for learners that count rows
            X, codes, weight = take(X, counted), codes[counted], weight[counted]
        member = or_constant(member, codes)
    return member.fit(X, codes, sample_weight=weight)


def classes_by(member: Any) -> Reader:
    """Give a function from rows to the class that a member votes for."""
    if is_tree(member):
        of_node = member.tree_.value[:, 0, :].argmax(axis=1)
        return lambda X: of_node.take(member.apply(X, check_input=False), axis=0)
    return lambda X: np.asarray(member.predict(X), np.intp)


def shares_by(member: Any, k: int) -> Reader:
    """Give a function from rows to the probability that a member gives to each of ``k`` classes."""
    if is_tree(member):
        value = member.tree_.value[:, 0, :]
        of_node = value / value.sum(axis=1, keepdims=True)
        return lambda X: of_node.take(member.apply(X, check_input=False), axis=0)

    return lambda X: shares_of(member, X, k)


def shares_of(member: Any, X: Any, k: int) -> Array:
    """Give the probability of each of ``k`` classes; one that the member has never seen gets none."""
    found = np.asarray(member.predict_proba(X))
    shares = np.zeros((len(found), k))
    shares[:, member.classes_] = found
    return shares
