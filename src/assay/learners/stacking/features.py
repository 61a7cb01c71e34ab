"""What base learners say about cases: the features of a stack's combiner."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from assay.arrays import Array, IntArray
from assay.data.rows import take
from assay.learners.ensemble.bootstrap_draws import seeded
from assay.learners.ensemble.members import or_constant, shares_of


def filled(mould: Any, seed: np.random.SeedSequence) -> Any:
    """Give a copy with each ``random_state`` set that is not."""
    own = {k: v for k, v in mould.get_params().items() if k.split("__")[-1] == "random_state" and v is not None}
    return seeded(mould, seed).set_params(**own)


def fit_to(mould: Any, X: Any, codes: IntArray, weight: Array | None) -> Any:
    member = or_constant(clone(mould), codes)
    return member.fit(X, codes) if weight is None else member.fit(X, codes, sample_weight=weight)


def ask(member: Any, X: Any, k: int, features: str) -> Array:
    said = shares_of(member, X, k) if features == "probabilities" else np.eye(k)[np.asarray(member.predict(X), np.intp)]
    return said[:, 1:] if k == 2 else said


def fit_and_ask(
    mould: Any,
    X: Any,
    codes: IntArray,
    weight: Array | None,
    train: IntArray | None,
    test: IntArray | None,
    k: int,
    features: str,
) -> tuple[Any, Array]:
    asked = X if test is None else take(X, test)
    if train is not None:
        X, codes, weight = take(X, train), codes[train], None if weight is None else weight[train]
    member = fit_to(mould, X, codes, weight)
    # What was fitted in a fold has said all that it is for, and might be large to keep or send.
    return member if train is None else None, ask(member, asked, k, features)


def put_together(answers: list[tuple[Any, Array]], folds: list[tuple[IntArray, IntArray]], n: int) -> Array:
    whole = np.empty((n, answers[0][1].shape[1]))
    for (_, said), (_, test) in zip(answers, folds, strict=True):
        whole[test] = said
    return whole


def error(said: Array, codes: IntArray, weight: Array | None, k: int) -> float:
    told = (said[:, 0] > 0.5) if k == 2 else said.argmax(axis=1)
    return float(np.average(told != codes, weights=weight))
