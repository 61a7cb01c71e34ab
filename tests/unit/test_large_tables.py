"""Large tables, and many classes."""

from __future__ import annotations

import numpy as np
import pytest

import howsure
from howsure import ScoreTable, curves


def example():
    rng = np.random.default_rng(0)
    positive = rng.random(5000) < 0.3
    return positive, np.round(rng.random(5000) + 0.2 * positive, 3)


@pytest.mark.parametrize("name", ["roc", "precision_recall", "lift", "lift_ratio", "gain", "det", "ks"])
def test_a_curve_leaves_the_table_as_it_was(name):
    table = ScoreTable.from_scores(*example())
    first, again = (getattr(curves, name)(table) for _ in range(2))
    np.testing.assert_array_equal(first.x, again.x)
    np.testing.assert_array_equal(first.y, again.y)
    assert table == ScoreTable.from_scores(*example())


def test_too_many_classes_are_refused_before_memory_is_taken() -> None:
    import tracemalloc

    truth = np.arange(50_000)
    sentence = (
        "there are 50000 classes, and a confusion matrix has at most 7071 (50 million cells); "
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
        howsure.HowsureError,
        match=r"there are .* classes in each of 40 groups, and a confusion matrix has at most 1118",
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
