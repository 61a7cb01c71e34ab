"""Intervals recovered from the bounds of each count: what they are by definition, and where there are none."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay import Confusion
from assay.intervals.mover import reach
from assay.measures import estimate, registry
from assay.tables import BinaryCounts, LabelCounts

COUNTS = [[30, 4], [2, 7]]


def by_definition(value, counts, alpha=0.025):
    """Move each of the four counts alone, and add up the squares: plain Python, one count at a time."""
    z = reach(alpha, np.sum(counts))
    start, down, up = value(np.array(counts, float)), 0.0, 0.0
    for row in (0, 1):
        for column in (0, 1):
            count = counts[row][column]
            ways = []
            for sign in (-1, 1):
                moved = np.array(counts, float)
                moved[row][column] = count + z * z / 2 + sign * z * math.sqrt(count + z * z / 4)
                ways.append(value(moved) - start)
            down += min(*ways, 0) ** 2
            up += max(*ways, 0) ** 2
    return start - math.sqrt(down), start + math.sqrt(up)


@pytest.mark.parametrize("name", ["kappa", "mcc", "balanced_accuracy"])
def test_measures_of_all_classes_by_definition(name):
    interval = estimate(Confusion(COUNTS), name).interval()
    wanted = by_definition(lambda cells: float(registry[name].value(LabelCounts.of(cells))), COUNTS)
    np.testing.assert_allclose(tuple(interval), wanted, rtol=1e-12)
    assert interval.method == "mover"


def test_a_measure_of_one_class_by_definition():
    def f1(cells):
        (tn, fp), (fn, tp) = cells
        return float(registry["f1"].value(BinaryCounts(*map(np.asarray, (tp, fp, fn, tn)))))

    np.testing.assert_allclose(
        tuple(estimate(Confusion(COUNTS), "f1", label=1).interval()), by_definition(f1, COUNTS), rtol=1e-12
    )


def test_many_cases_agree_with_the_delta_method():
    table = Confusion(np.array(COUNTS) * 10_000)
    for name in ("kappa", "mcc", "balanced_accuracy", "geometric_mean"):
        found = estimate(table, name)
        # They differ by terms of the order 1 / n.
        np.testing.assert_allclose(tuple(found.interval()), tuple(found.interval(method="delta")), atol=2e-5)


def test_weights_of_one_size_change_nothing():
    plain, heavy = Confusion(COUNTS), Confusion(np.array(COUNTS) * 2.5, squares=np.array(COUNTS) * 2.5**2)
    for name in ("kappa", "mcc", "balanced_accuracy"):
        np.testing.assert_allclose(
            tuple(estimate(plain, name).interval()), tuple(estimate(heavy, name).interval()), rtol=1e-12
        )


def test_the_order_of_classes_does_not_matter():
    table = Confusion([[40, 3, 2], [5, 11, 0], [1, 1, 6]], labels=list("abc"))
    turned = table.reindex(list("cab"))
    for name in ("kappa", "mcc", "balanced_accuracy", "geometric_mean"):
        np.testing.assert_allclose(
            tuple(estimate(table, name).interval()), tuple(estimate(turned, name).interval()), rtol=1e-12
        )


def test_a_ratio_to_nothing_has_a_lower_bound_and_no_upper_one():
    found = estimate(Confusion([[20, 0], [1, 5]]), "positive_likelihood_ratio", label=1)
    interval = found.interval()
    assert found.undefined
    assert 1 < interval.low < 10
    assert interval.high == math.inf
    assert found.to_dict()["interval"]["high"] == "inf"
    assert "95 % interval" in str(found)


def test_nothing_is_said_of_a_class_without_cases():
    a = assay.assess(["no"] * 10, ["no"] * 9 + ["yes"], positive="yes")
    for name in ("f1", "kappa", "balanced_accuracy"):
        interval = a[name].interval()
        assert math.isnan(interval.low)
        assert interval.notes == ("no case belongs to yes, so nothing is known of it",)
    assert "no interval, because no case belongs to yes" in str(a)
    assert a.estimate("f1", average="micro").interval().width > 0


@pytest.mark.parametrize("k", [2, 3, 12])
def test_perfect_tables_have_width(k):
    for name in ("kappa", "mcc", "balanced_accuracy", "geometric_mean"):
        interval = estimate(Confusion(np.eye(k, dtype=int) * 6), name).interval()
        assert interval.low < 0.97
        assert interval.high == 1
