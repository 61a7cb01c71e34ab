"""Leave-one-out of naive Bayes by recursive halving, against refitting for every row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB, MultinomialNB

from benchmarks.measure import Comparison, peer, rounds_of
from howsure.resampling.halving.tree_cv import tree_predictions


def data(n: int, features: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, features)) + 0.3 * y[:, None], y


def refit(learner: Any, X: Any, y: Any, rows: Any) -> Any:
    """Probabilities of these rows, each by a fit to all others."""
    train = np.ones(len(y), bool)
    found = []
    for row in rows:
        train[row] = False
        found.append(learner.fit(X[train], y[train]).predict_proba(X[row : row + 1])[0])
        train[row] = True
    return np.array(found)


def run() -> list[Comparison]:
    X, y = data(5_000, 20)
    every = np.arange(len(y))
    np.testing.assert_allclose(
        tree_predictions(GaussianNB(), X, y, every)[1][::50], refit(GaussianNB(), X, y, every[::50]), rtol=1e-9
    )
    rows = []
    for learner, n, features, fits in (
        (GaussianNB(), 5_000, 20, 500),
        (GaussianNB(), 20_000, 30, 100),
        (MultinomialNB(), 20_000, 30, 100),
        (GaussianNB(), 20_000, 2_000, 3),
    ):
        X, y = data(n, features)
        X = np.floor(np.abs(X) * 3) if isinstance(learner, MultinomialNB) else X
        works: dict[str, Callable[[], object]] = {
            "ours": partial(tree_predictions, learner, X, y, np.arange(n)),
            "peer": partial(refit, learner, X, y, np.arange(fits)),
        }
        times = rounds_of(works, 3 if features < 100 else 1)
        what = f"leave-one-out of {type(learner).__name__}, n = {n:,}, {features:,} features"
        name = f"{peer('scikit-learn')}, {fits} fits scaled to {n:,}"
        rows.append(Comparison.of(what, times["ours"], times["peer"].scaled(n / fits), name, 100))
    return rows
