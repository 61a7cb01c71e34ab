"""Intervals recovered from the bounds of each count: what they are by definition, and where there are none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import howsure
from howsure import Confusion
from howsure.intervals.mover import Reach
from howsure.measures import estimate, registry
from howsure.tables import BinaryCounts, LabelCounts

COUNTS = [[30, 4], [2, 7]]


def by_definition(value, counts, alpha=0.025):
    """Move each of the four counts alone, and add up the squares: plain Python, one count at a time."""
    z = Reach(alpha, np.sum(counts)).z
    start, down, up = value(np.array(counts, float)), 0.0, 0.0
    for row in (0, 1):
        for column in (0, 1):
            count = counts[row][column]
            ways = []
            centre, spread = count + z * z / 2, z * math.sqrt(count + z * z / 4)
            exact = stats.gamma(count).ppf(alpha) if 0 < count <= 3 else math.inf  # of a Poisson count
            for end in (min(centre - spread, exact), centre + spread):
                moved = np.array(counts, float)
                moved[row][column] = end
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
    a = howsure.assess(["no"] * 10, ["no"] * 9 + ["yes"], positive="yes")
    for name in ("f1", "kappa", "balanced_accuracy"):
        interval = a[name].interval()
        assert math.isnan(interval.low)
        assert interval.notes == ("no case belongs to yes",)
    assert "no interval, because no case belongs to yes" in str(a)
    assert a.estimate("f1", average="micro").interval().width > 0


@pytest.mark.parametrize("name", ["balanced_accuracy", "informedness", "geometric_mean", "negative_likelihood_ratio"])
def test_a_single_case_of_a_class_is_too_few(name):
    label = 1 if registry[name].scope == "class" else None
    one, two = (estimate(Confusion([[17, 3], [0, hits]]), name, label=label) for hits in (1, 2))
    assert one.interval().notes == ("only one case belongs to 1; an interval needs at least 2",)
    assert math.isnan(one.interval().low)
    assert math.isfinite(two.interval().low)


def test_weights_make_less_of_two_cases():
    cases = ([1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1])
    light = howsure.assess(*cases, weight=[3, 0.2, 1, 1, 1, 1], positive=1)["balanced_accuracy"]
    assert light.interval().notes == (
        "the effective number of cases that belong to 1 is 1.1; an interval needs at least 2",
    )
    assert howsure.assess(*cases, weight=[0.1] * 6, positive=1)["balanced_accuracy"].interval().width > 0


def test_kappa_and_f1_do_with_a_single_case():
    table = Confusion([[17, 3], [0, 1]])
    for name, label in (("kappa", None), ("mcc", None), ("f1", 1)):
        assert estimate(table, name, label=label).interval().width > 0


def test_markedness_needs_two_predictions_of_each_class_and_no_true_case():
    found = estimate(Confusion([[19, 1], [0, 0]]), "markedness", label=1).interval()
    assert found.notes == ("only one case was predicted as 1; an interval needs at least 2",)
    assert estimate(Confusion([[18, 2], [0, 0]]), "markedness", label=1).interval().width > 0


@pytest.mark.parametrize("name", ["f1", "recall", "precision", "informedness"])
def test_averages_need_two_cases_of_each_class(name):
    few = Confusion([[20, 1, 0], [2, 9, 0], [0, 0, 1]])
    assert math.isnan(estimate(few, name).interval().low)
    assert estimate(few, name, average="weighted").interval().width > 0
    assert estimate(few + few, name).interval().width > 0


def test_an_average_of_unbounded_ratios_has_no_interval():
    found = estimate(Confusion([[20, 4, 3], [2, 19, 5], [3, 4, 21]]), "diagnostic_odds_ratio")
    assert found.value > 1
    assert math.isnan(found.interval().low)
    assert "has no interval" in found.interval().notes[0]


def test_the_geometric_mean_of_few_cases_is_centred_by_half_a_hit():
    """The logarithm of a share is too small on average, of (x + 1/2) / (n + 1/2) hardly."""
    table = Confusion(np.array([[3, 2, 0], [1, 4, 0], [2, 0, 3]]))
    interval = estimate(table, "geometric_mean").interval()
    centre = math.prod((hits + 0.5) / 5.5 for hits in (3, 4, 3)) ** (1 / 3)
    plain = math.prod(hits / 5 for hits in (3, 4, 3)) ** (1 / 3)
    assert plain < centre
    assert interval.low < plain < centre < interval.high
    lost = estimate(Confusion([[5, 0, 0], [0, 5, 0], [3, 2, 0]]), "geometric_mean")  # a class that is never found
    assert lost.value == lost.interval().low == 0
    assert lost.interval().high > 0.5


@pytest.mark.parametrize("k", [2, 3, 12])
def test_perfect_tables_have_width(k):
    for name in ("kappa", "mcc", "balanced_accuracy", "geometric_mean"):
        interval = estimate(Confusion(np.eye(k, dtype=int) * 6), name).interval()
        assert interval.low < 0.97
        assert interval.high == 1
