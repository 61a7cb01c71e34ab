"""Large tables take other ways for the sake of memory: the numbers must be the same."""

from __future__ import annotations

import numpy as np
import pytest

import howsure.curves.ranking
import howsure.tables.scores
from howsure import ScoreTable, curves
from howsure.intervals.auc import auc_error
from howsure.measures import estimate_scores


def example():
    rng = np.random.default_rng(0)
    positive = rng.random(5000) < 0.3
    return positive, np.round(rng.random(5000) + 0.2 * positive, 3)


@pytest.mark.parametrize("name", ["roc", "precision_recall", "lift", "lift_ratio", "gain", "det", "ks"])
def test_curves_of_tables_that_are_not_remembered(name, monkeypatch):
    small = getattr(curves, name)(ScoreTable.from_scores(*example()))
    monkeypatch.setattr(howsure.tables.scores, "MOST_KEPT", 1)
    monkeypatch.setattr(howsure.curves.ranking, "MOST_KEPT", 1)
    table = ScoreTable.from_scores(*example())
    for _ in range(2):  # what is written over must not be what the table needs
        large = getattr(curves, name)(table)
        np.testing.assert_array_equal(small.x, large.x)
        np.testing.assert_array_equal(small.y, large.y)
        np.testing.assert_array_equal(small.area, large.area)


def test_too_many_classes_are_refused_before_memory_is_taken() -> None:
    import tracemalloc

    truth = np.arange(50_000)
    sentence = (
        "the labels are of 50000 different classes, and tables of at most 7071 can be counted (50 million cells); "
        "is this a column of names, numbers or scores?"
    )
    tracemalloc.start()
    for call in (
        lambda: howsure.assess(truth, truth),
        lambda: howsure.assess(truth.astype(str), truth.astype(str)),
        lambda: howsure.compare(truth, {"a": truth, "b": truth[::-1]}),
        lambda: howsure.Confusion([[1]], labels=["a"]).reindex(["a", *map(str, range(49_999))]),
    ):
        with pytest.raises(howsure.HowsureError) as error:
            call()
        assert str(error.value) == sentence
    assert tracemalloc.get_traced_memory()[1] < 2e8
    tracemalloc.stop()
    with pytest.raises(
        howsure.HowsureError, match="different classes in each of 40 groups, and tables of at most 1118"
    ):
        howsure.assess(truth[:2000], truth[:2000], by=truth[:2000] % 40)


def test_thousands_of_classes_are_assessed() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 1500, 20_000)
    predicted = np.where(rng.random(20_000) < 0.7, truth, rng.integers(0, 1500, 20_000))
    a = howsure.assess(truth, predicted)
    assert a["accuracy"].value == pytest.approx((truth == predicted).mean())
    assert a["recall"].low < a["recall"].value < a["recall"].high
    assert len(a.per_class().records()) >= 1500
