"""Copy and seed a learner, fit it on some rows, and encode its predictions for other rows.

``labels`` are the sorted classes of the data; a class code is a position in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.encode import encode
from howsure.data.rows import take
from howsure.errors import HowsureError, counted

Seed = int | tuple[int, ...] | np.random.SeedSequence
SCORE_METHODS = {"predict_proba": "probability", "decision_function": "decision"}
NO_CLASS = -1


def fresh(learner: Any, seed: Seed | None = None, *, overwrite: bool = False) -> Any:
    """Return an unfitted copy of a learner, seeded if a seed is given."""
    if hasattr(learner, "get_params"):
        from sklearn.base import clone

        copy = clone(learner)
    else:
        from copy import deepcopy

        copy = deepcopy(learner)
    return copy if seed is None else set_random_state(copy, seed, overwrite=overwrite)


def set_random_state(learner: Any, seed: Seed, *, overwrite: bool = False) -> Any:
    """Set each ``random_state`` of None, or all if ``overwrite``, from a seed."""
    if not hasattr(learner, "get_params"):
        return learner
    number = first_number(seed) >> 1  # some libraries accept only 31 bits
    states = {
        name: number
        for name, value in learner.get_params().items()
        if name.split("__")[-1] == "random_state" and (overwrite or value is None)
    }
    return learner.set_params(**states) if states else learner


def first_number(seed: Seed) -> int:
    """Return a 32-bit number derived from the seed."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return int(sequence.generate_state(1)[0])


def learner_name(learner: Any) -> str:
    """Return the class name, or the names in a pipeline: "StandardScaler > SVC"."""
    steps = getattr(learner, "steps", None)
    return " > ".join(type(step).__name__ for _, step in steps) if steps else type(learner).__name__


def constant_if_one_class(learner: Any, y: Array) -> Any:
    """Return the learner, or a constant classifier if ``y`` has one class."""
    if len(y) and (y == y[0]).all():
        from sklearn.dummy import DummyClassifier

        return DummyClassifier()
    return learner


def fit_rows(
    learner: Any,
    X: Any,
    y: Array,
    rows: IntArray | None = None,
    weight: Array | None = None,
    *,
    weight_name: str = "sample_weight",
) -> Any:
    """Fit the learner on ``rows``, or on all rows without copying them."""
    if rows is not None:
        X, y, weight = take(X, rows), y[rows], None if weight is None else weight[rows]
    fitted = learner.fit(X, y) if weight is None else learner.fit(X, y, **{weight_name: weight})
    return learner if fitted is None else fitted


def encode_predicted(predicted: Any, labels: Sequence[Any] | Array, n: int, *, strict: bool = True) -> IntArray:
    """Return the class codes of ``n`` predicted labels."""
    column = np.asarray(predicted)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.shape != (n,):
        raise HowsureError(f"the learner returned predictions of shape {column.shape} for {counted(n, 'row')}")
    encoded = encode(column, "predicted")
    plain = labels.tolist() if isinstance(labels, np.ndarray) else labels
    code_of = {label: code for code, label in enumerate(plain)}
    lookup = np.array([*(code_of.get(label, NO_CLASS) for label in encoded.values), NO_CLASS], np.int32)
    codes = lookup[encoded.codes]  # a missing label has code -1, the last entry of the lookup
    if strict and len(unknown := np.flatnonzero(codes == NO_CLASS)):
        label = np.asarray(column[unknown[0]]).item()
        raise HowsureError(f"the learner predicted {label!r}, which is not a class of the data")
    return codes


def columns_by_class(columns: Array, model_classes: Any, labels: Sequence[Any] | Array, absent: float = 0.0) -> Array:
    """Rearrange columns from the model's classes to the classes of the data."""
    plain = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    classes = np.asarray(model_classes).tolist()
    if unknown := [label for label in classes if label not in plain]:
        raise HowsureError(f"the learner predicted {unknown[0]!r}, which is not a class of the data")
    table = np.full((len(columns), len(plain)), absent)
    table[:, [plain.index(label) for label in classes]] = columns
    return table


def class_probabilities(model: Any, X: Any, labels: Sequence[Any] | Array) -> Array:
    """Return the probability of every class, 0 if unknown to the model."""
    return columns_by_class(np.asarray(model.predict_proba(X), float), model.classes_, labels)


def class_scores(model: Any, X: Any, labels: Array, n: int) -> tuple[Array | None, str]:
    """Return the scores of every class and their kind, or None and ""."""
    for method, kind in SCORE_METHODS.items():
        if not hasattr(model, method):
            continue
        try:
            scores = np.asarray(getattr(model, method)(X), float)
        except (AttributeError, NotImplementedError):
            continue
        classes = np.asarray(getattr(model, "classes_", labels))
        if scores.ndim == 1 and len(classes) == 2:
            scores = np.column_stack([1 - scores if kind == "probability" else -scores, scores])
        if scores.shape != (n, len(classes)) or np.isnan(scores).any():
            continue
        if kind == "decision" and _are_of_pairs(scores, classes, model, X):
            continue
        return columns_by_class(scores, classes, labels, 0.0 if kind == "probability" else -np.inf), kind
    return None, ""


def _are_of_pairs(scores: Array, classes: Array, model: Any, X: Any) -> bool:
    """Return whether the scores belong to the pairs of three classes."""
    if len(classes) != 3 or not len(scores):  # the number of pairs equals the number of classes only for three classes
        return False
    return bool((classes[scores.argmax(1)] != np.asarray(model.predict(X)).reshape(len(scores))).mean() > 0.1)
