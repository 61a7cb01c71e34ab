"""Large tables take other ways for the sake of memory: the numbers must be the same."""

from __future__ import annotations

import numpy as np
import pytest

import assay.curves.ranking
import assay.tables.scores
from assay import ScoreTable, curves
from assay.intervals.auc import auc_error
from assay.measures import estimate_scores


def example():
    rng = np.random.default_rng(0)
    positive = rng.random(5000) < 0.3
    return positive, np.round(rng.random(5000) + 0.2 * positive, 3)


@pytest.mark.parametrize("name", ["roc", "precision_recall", "lift", "lift_ratio", "gain", "det", "ks"])
def test_curves_of_tables_that_are_not_remembered(name, monkeypatch):
    small = getattr(curves, name)(ScoreTable.from_scores(*example()))
    monkeypatch.setattr(assay.tables.scores, "MOST_KEPT", 1)
    monkeypatch.setattr(assay.curves.ranking, "MOST_KEPT", 1)
    table = ScoreTable.from_scores(*example())
    for _ in range(2):  # what is written over must not be what the table needs
        large = getattr(curves, name)(table)
        np.testing.assert_array_equal(small.x, large.x)
        np.testing.assert_array_equal(small.y, large.y)
        np.testing.assert_array_equal(small.area, large.area)


def test_compiled_and_plain_measures_agree_to_the_last_bit(monkeypatch):
    from assay.kernels import ranking

    table = ScoreTable.from_scores(*example())
    plain = (
        [estimate_scores(table, name).value for name in ("auc", "gini", "average_precision")],
        auc_error(table.positives, table.negatives),
    )
    monkeypatch.setattr(ranking, "LARGE", 1)
    again = ScoreTable.from_scores(*example())
    assert ranking.concordant(again.positives, again.negatives) is not None
    fast = (
        [estimate_scores(again, name).value for name in ("auc", "gini", "average_precision")],
        auc_error(again.positives, again.negatives),
    )
    assert plain == fast
