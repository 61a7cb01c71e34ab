"""Copy a learner, seed it, fit it on some rows, and read its answers for others: the step all resampling is made of.

Everything here works on plain arrays. ``labels`` are the classes of the data, in order; a class code is a position in
them.
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
    """Return an unfitted copy of a learner, seeded where a seed is given; see `set_random_state`."""
    if hasattr(learner, "get_params"):
        from sklearn.base import clone

        copy = clone(learner)
    else:
        from copy import deepcopy

        copy = deepcopy(learner)
    return copy if seed is None else set_random_state(copy, seed, overwrite=overwrite)


def set_random_state(learner: Any, seed: Seed, *, overwrite: bool = False) -> Any:
    """Set each ``random_state`` that is None, also those of inner steps, to a number that follows from the seed.

    With ``overwrite``, those that the user set are replaced too.
    """
    if not hasattr(learner, "get_params"):
        return learner
    number = first_number(seed) >> 1  # some libraries want 31 bits
    open_states = {
        name: number
        for name, value in learner.get_params().items()
        if name.split("__")[-1] == "random_state" and (overwrite or value is None)
    }
    return learner.set_params(**open_states) if open_states else learner


def first_number(seed: Seed) -> int:
    """Give the first number, of 32 bits, that follows from a seed."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return int(sequence.generate_state(1)[0])


def learner_name(learner: Any) -> str:
    """Return the class name of a learner, or those of a pipeline's steps: "StandardScaler > SVC"."""
    steps = getattr(learner, "steps", None)
    return " > ".join(type(step).__name__ for _, step in steps) if steps else type(learner).__name__


def constant_if_one_class(learner: Any, y: Array) -> Any:
    """Return the learner, or one that always predicts the class of ``y`` where that is single: most refuse it."""
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
    """Fit the learner itself on some rows, each as often as it is listed, and return the fitted model.

    Without ``rows`` it is fitted on all of them, which are not copied.
    """
    if rows is not None:
        X, y, weight = take(X, rows), y[rows], None if weight is None else weight[rows]
    fitted = learner.fit(X, y) if weight is None else learner.fit(X, y, **{weight_name: weight})
    return learner if fitted is None else fitted


def encode_predicted(predicted: Any, labels: Sequence[Any] | Array, n: int, *, strict: bool = True) -> IntArray:
    """Return the class codes of ``n`` predicted labels.

    A label that is no class of the data is refused; where ``strict`` is off, its code is -1.
    """
    answers = np.asarray(predicted)
    if answers.ndim == 2 and answers.shape[1] == 1:
        answers = answers[:, 0]
    if answers.shape != (n,):
        raise HowsureError(f"the learner gave predictions of shape {answers.shape} for {counted(n, 'row')}")
    encoded = encode(answers, "predicted")
    plain = labels.tolist() if isinstance(labels, np.ndarray) else labels
    code_of = {label: code for code, label in enumerate(plain)}
    lookup = np.array([*(code_of.get(label, NO_CLASS) for label in encoded.values), NO_CLASS], np.int32)
    codes = lookup[encoded.codes]  # a missing label has the code -1, the last of the lookup
    if strict and len(wrong := np.flatnonzero(codes == NO_CLASS)):
        label = np.asarray(answers[wrong[0]]).item()
        raise HowsureError(f"the learner predicted {label!r}, which is no class of the data")
    return codes


def columns_by_class(columns: Array, seen: Any, labels: Sequence[Any] | Array, absent: float = 0.0) -> Array:
    """Arrange a model's columns, one for each class it has ``seen``, by the classes of the data."""
    plain = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    classes = np.asarray(seen).tolist()
    if unknown := [label for label in classes if label not in plain]:
        raise HowsureError(f"the learner predicted {unknown[0]!r}, which is no class of the data")
    table = np.full((len(columns), len(plain)), absent)
    table[:, [plain.index(label) for label in classes]] = columns
    return table


def class_probabilities(model: Any, X: Any, labels: Sequence[Any] | Array) -> Array:
    """Return a model's probability of every class; one that it has not seen has probability 0."""
    return columns_by_class(np.asarray(model.predict_proba(X), float), model.classes_, labels)


def class_scores(model: Any, X: Any, labels: Array, n: int) -> tuple[Array | None, str]:
    """Return a score of every class for ``n`` rows, and its kind: "probability" where the model has it, or "decision".

    Without a score for each class there is none, and the kind is empty.
    """
    for method, kind in SCORE_METHODS.items():
        if not hasattr(model, method):
            continue
        try:
            scores = np.asarray(getattr(model, method)(X), float)
        except (AttributeError, NotImplementedError):
            continue
        seen = np.asarray(getattr(model, "classes_", labels))
        if scores.ndim == 1 and len(seen) == 2:
            scores = np.column_stack([1 - scores if kind == "probability" else -scores, scores])
        if scores.shape != (n, len(seen)) or np.isnan(scores).any() or _are_of_pairs(kind, scores, seen, model, X):
            continue  # one score for each pair of classes, or none at all
        return columns_by_class(scores, seen, labels, 0.0 if kind == "probability" else -np.inf), kind
    return None, ""


def _are_of_pairs(kind: str, scores: Array, seen: Array, model: Any, X: Any) -> bool:
    """Whether these are scores of the pairs of three classes, which are three too: then the highest does not decide."""
    if kind != "decision" or len(seen) != 3 or not len(scores):
        return False
    return bool((seen[scores.argmax(1)] != np.asarray(model.predict(X)).reshape(len(scores))).mean() > 0.1)
