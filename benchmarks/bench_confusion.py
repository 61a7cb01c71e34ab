"""Confusion matrices of 10 million labels, and all measures of a matrix."""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn import metrics

from benchmarks.measure import Comparison, compare, peer, within
from howsure import Confusion, measures

N = 10_000_000


def run() -> list[Comparison]:
    rng = np.random.default_rng(0)
    rows = []
    for k in (2, 10, 1000):
        truth = rng.integers(0, k, N)
        predicted = np.where(rng.random(N) < 0.8, truth, rng.integers(0, k, N))
        table = Confusion.from_labels(truth, predicted)
        assert (table.counts == metrics.confusion_matrix(truth, predicted)).all()
        what = f"confusion matrix of 10 million whole numbers, k = {k}"
        theirs = partial(metrics.confusion_matrix, truth, predicted)
        rows.append(
            compare(what, partial(Confusion.from_labels, truth, predicted), theirs, peer("scikit-learn"), 10, repeats=3)
        )
    truth = rng.integers(0, 2, N)
    table = Confusion.from_labels(truth, np.where(rng.random(N) < 0.8, truth, 1 - truth))
    for k, counted in ((2, table), (10, Confusion(rng.integers(1, 1000, (10, 10))))):
        what = f"all {len(measures.values(counted))} label measures, k = {k}"
        rows.append(within(what, partial(_all_measures, counted), 1e-3, 20))
    return rows


def _all_measures(table: Confusion) -> object:
    return measures.values(Confusion(table.counts))  # a new table without cached values
