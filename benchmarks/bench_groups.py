"""Assessment of 1,000 groups, compared with the measures of scikit-learn group by group."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics

import howsure
from benchmarks.measure import Comparison, peer, rounds_of
from howsure.arrays import Array

GROUPS = 1000
LIMIT = 1.5  # seconds


def run() -> list[Comparison]:
    rows = []
    for n in (100_000, 1_000_000):
        rng = np.random.default_rng(0)
        truth, group = rng.integers(0, 2, n), rng.integers(0, GROUPS, n)
        predicted = np.where(rng.random(n) < 0.8, truth, 1 - truth)
        scores = np.clip(rng.normal(0.3 + 0.4 * truth, 0.25), 0, 1)
        labels, both = {"predicted": predicted}, {"predicted": predicted, "scores": scores}
        for what, columns in (("labels", labels), ("labels and scores", both)):
            works: dict[str, Callable[[], object]] = {
                "howsure": partial(_printed, truth, group, columns),
                "peer": partial(_by_sklearn, truth, group, columns),
            }
            times = rounds_of(works, 5)
            title = f"print {GROUPS} groups of {n:,} {what}"
            name = f"{peer('scikit-learn')} group by group, no intervals"
            rows.append(Comparison.of(title, times["howsure"], times["peer"], name, 2))
            rows.append(Comparison.of(title, times["howsure"], LIMIT, f"limit {LIMIT} s", 1))
    return rows


def _printed(truth: Array, group: Array, columns: dict[str, Any]) -> str:
    return str(howsure.assess(truth, by=group, **columns))


def _by_sklearn(truth: Array, group: Array, columns: dict[str, Array]) -> list[list[float]]:
    """Return the printed measures of each group; rows are sorted by group once."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order])) + 1
    measures: list[tuple[Callable[..., float], str]] = [
        (metrics.accuracy_score, "predicted"),
        (metrics.recall_score, "predicted"),
        (metrics.precision_score, "predicted"),
    ]
    if "scores" in columns:
        measures.append((metrics.roc_auc_score, "scores"))
    return [
        [measure(truth[rows], columns[column][rows]) for measure, column in measures]
        for rows in np.split(order, starts)
    ]
