"""Equations that tie measures, averages and intervals to one another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import howsure
from howsure import Confusion
from howsure.intervals import wilson
from howsure.measures import estimate
from howsure.measures.declare import registry
from howsure.measures.estimate.labels import LabelBasis

POSITIVE = st.integers(2, 4).flatmap(lambda k: hnp.arrays(np.int64, (k, k), elements=st.integers(1, 40)))
RTOL = 1e-12  # the same quantity by another formula


def value(table, name, **kwargs):
    return estimate(table, name, **kwargs).value


@given(POSITIVE)
@settings(max_examples=60)
def test_identities(counts):
    table = Confusion(counts)
    for label in table.labels:
        p, r = value(table, "precision", label=label), value(table, "recall", label=label)
        np.testing.assert_allclose(value(table, "f1", label=label), 2 * p * r / (p + r), rtol=RTOL)
        j = value(table, "jaccard", label=label)
        np.testing.assert_allclose(value(table, "f1", label=label), 2 * j / (1 + j), rtol=RTOL)
        np.testing.assert_allclose(
            value(table, "f_beta", label=label, beta=1), value(table, "f1", label=label), rtol=RTOL
        )
        np.testing.assert_allclose(value(table, "false_negative_rate", label=label), 1 - r, rtol=1e-10)
        plus, minus = (value(table, f"{side}_likelihood_ratio", label=label) for side in ("positive", "negative"))
        np.testing.assert_allclose(value(table, "diagnostic_odds_ratio", label=label), plus / minus, rtol=RTOL)
    accuracy = value(table, "accuracy")
    np.testing.assert_allclose(value(table, "recall", average="micro"), accuracy, rtol=RTOL)
    np.testing.assert_allclose(value(table, "precision", average="micro"), accuracy, rtol=RTOL)
    np.testing.assert_allclose(value(table, "recall", average="weighted"), accuracy, rtol=RTOL)
    np.testing.assert_allclose(value(table, "recall", average="macro"), value(table, "balanced_accuracy"), rtol=RTOL)
    np.testing.assert_allclose(
        value(table, "weighted_kappa", weights=1 - np.eye(table.k)), value(table, "kappa"), rtol=1e-10, atol=1e-14
    )
    np.testing.assert_allclose(
        value(table, "mean_cost", costs=1 - np.eye(table.k)), value(table, "error_rate"), rtol=RTOL
    )
    chance = table.chance()
    np.testing.assert_allclose(value(chance, "kappa"), 0, atol=1e-12)
    np.testing.assert_allclose(value(chance, "mcc"), 0, atol=1e-12)
    if table.k == 2:
        product = value(table, "informedness", label=0) * value(table, "markedness", label=0)
        np.testing.assert_allclose(value(table, "mcc") ** 2, product, rtol=1e-9, atol=1e-14)
        sides = value(table, "recall", label=0) * value(table, "specificity", label=0)
        np.testing.assert_allclose(value(table, "geometric_mean") ** 2, sides, rtol=RTOL)


@given(POSITIVE, st.sampled_from(["kappa", "mcc", "balanced_accuracy", "geometric_mean", "f1", "informedness"]))
@settings(max_examples=60)
def test_derivative_against_differences(counts, name):
    """The complex step against a central difference of two evaluations."""
    declared = registry[name]
    averages = [None] if declared.scope == "overall" else ["macro", "micro", "weighted"]
    for average in averages:
        basis = LabelBasis(declared, Confusion(counts), average, {})
        table, step = counts.astype(float), 1e-4
        slopes = basis.cells(table)
        for place in np.ndindex(*counts.shape):
            up, down = table.copy(), table.copy()
            up[place] += step
            down[place] -= step
            difference = (float(basis.evaluate(up)) - float(basis.evaluate(down))) / (2 * step)
            np.testing.assert_allclose(slopes[place], difference, rtol=1e-5, atol=1e-8)  # error of the difference


def test_derivative_of_matrix_measures_against_differences():
    counts, matrix = np.array([[9.0, 3, 1], [2, 8, 4], [0, 5, 7]]), np.array([[0.0, 1, 3], [1, 0, 6], [3, 6, 0]])
    for name, parameter in (("weighted_kappa", "weights"), ("mean_cost", "costs"), ("total_cost", "costs")):
        basis = LabelBasis(registry[name], Confusion(counts), None, {parameter: matrix})
        slopes = basis.cells(counts)
        for place in np.ndindex(3, 3):
            up, down = counts.copy(), counts.copy()
            up[place] += 1e-4
            down[place] -= 1e-4
            difference = (float(basis.evaluate(up)) - float(basis.evaluate(down))) / 2e-4
            np.testing.assert_allclose(slopes[place], difference, rtol=1e-6, atol=1e-8)  # error of the difference


def test_delta_of_a_proportion_is_wald():
    table = Confusion([[30, 12], [7, 51]])
    for name in ("accuracy", "error_rate"):
        found = estimate(table, name)
        delta, wald = found.interval(method="delta"), found.interval(method="wald")
        np.testing.assert_allclose([delta.low, delta.high], [wald.low, wald.high], rtol=RTOL)
    found = estimate(table, "recall", label=0)
    delta, wald = found.interval(method="delta"), found.interval(method="wald")
    np.testing.assert_allclose([delta.low, delta.high], [wald.low, wald.high], rtol=RTOL)


def test_upper_wilson_is_the_pessimistic_error():
    """The bound that C4.5's pruning idea takes: z of one side."""
    f, n, z = 5 / 14, 14, 0.6744897501960817
    seed = (f + z**2 / (2 * n) + z * np.sqrt(f * (1 - f) / n + z**2 / (4 * n**2))) / (1 + z**2 / n)
    np.testing.assert_allclose(wilson(5, 14, confidence=0.75, side="upper").high, seed, rtol=RTOL)
    assert wilson(5, 14, confidence=0.75, side="upper").low == 0


def test_bootstrap_of_cells_is_the_bootstrap_of_rows():
    """Same distribution: compare quantiles of 20,000 replicates of each kind."""
    counts = np.array([[40, 10, 5], [8, 30, 6], [3, 9, 20]])
    truth, predicted = (np.repeat(index.ravel(), counts.ravel()) for index in np.indices(counts.shape))
    rng, n, b = np.random.default_rng(1), counts.sum(), 20_000
    rows = rng.integers(0, n, (b, n))
    tables = np.zeros((b, 9))
    np.add.at(tables, (np.arange(b)[:, None], (truth * 3 + predicted)[rows]), 1)
    basis = LabelBasis(registry["kappa"], Confusion(counts), None, {})
    by_rows = basis.evaluate(tables.reshape(b, 3, 3))
    by_cells = basis.replicates(b, seed=2)
    probabilities = [0.025, 0.25, 0.5, 0.75, 0.975]
    # Monte Carlo error of such a quantile: below 0.006 sd each side at 2.5 %, so 4 of those.
    error = 4 * by_rows.std() * np.sqrt(0.025 * 0.975 / b) / 0.0584 * np.sqrt(2)
    np.testing.assert_allclose(np.quantile(by_rows, probabilities), np.quantile(by_cells, probabilities), atol=error)


def test_bootstrap_is_the_same_however_the_work_is_divided(monkeypatch):
    basis = LabelBasis(registry["kappa"], Confusion([[40, 10], [8, 30]]), None, {})
    whole = basis.replicates(1000, seed=3)
    from howsure.measures.estimate import labels as estimates

    monkeypatch.setattr(estimates, "MAX_NUMBERS", 40)
    assert (basis.replicates(1000, seed=3) == whole).all()


def test_real_weights_and_uncertainty():
    """Halving what a case weighs tells nothing new; uneven weights tell less than even ones."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 400)
    predicted = np.where(rng.random(400) < 0.8, truth, 1 - truth)
    plain = howsure.assess(truth, predicted)
    halved = howsure.assess(truth, predicted, weight=np.full(400, 0.5))
    uneven = howsure.assess(truth, predicted, weight=rng.lognormal(0, 1.5, 400))
    for name in ("accuracy", "recall", "f1", "kappa"):
        a, b, c = (x[name].interval() for x in (plain, halved, uneven))
        np.testing.assert_allclose([a.low, a.high], [b.low, b.high], rtol=1e-9)
        assert c.width > 1.3 * a.width
        resampled = uneven[name].interval(method="bootstrap", replicates=4000)
        assert 0.6 * c.width < resampled.width < 1.6 * c.width
    assert uneven.confusion.effective_n < 200


def test_degenerate_bootstrap_says_what_stands_in():
    found = howsure.assess(["a", "b"] * 20, ["a", "b"] * 20)["kappa"]
    interval = found.interval(method="bca")
    assert interval.method == "mover"
    assert interval.width > 0
    assert interval.notes[0].startswith("all replicates are equal, so")
    assert howsure.assess(["a", "b"] * 20, ["a", "b"] * 20)["accuracy"].interval(method="bca").method == "wilson"


def test_replicates_without_a_value_are_counted():
    interval = (
        howsure.assess(["a"] * 9 + ["b"], ["a"] * 10, labels=["a", "b"], positive="b")
        .estimate("recall", label="b")
        .interval(method="bootstrap", replicates=1000)
    )
    assert interval.method == "modified-wilson"  # every replicate that has a value has the same
    interval = howsure.assess(list("aaaaaaaabb"), list("aaaaaaaaba"), positive="b")["recall"].interval(
        method="bootstrap", replicates=1000
    )
    assert "are ignored" in interval.notes[0]


def test_costs():
    truth, predicted = ["y", "y", "n", "n", "n"], ["y", "n", "y", "n", "n"]
    costs = howsure.Costs(false_negative=5, false_positive=1, true_positive=-2)
    a = howsure.assess(truth, predicted, positive="y", costs=costs)
    assert a["total_cost"].value == 5 + 1 - 2
    assert a["mean_cost"].value == pytest.approx(4 / 5)
    assert a.estimate("total_cost", costs=[[0, 1], [5, -2]]).value == 4
    turned = howsure.assess(truth, predicted, positive="n", costs=howsure.Costs(false_negative=1, false_positive=5))
    assert turned["total_cost"].value == 6
    named = howsure.Costs([[-2, 5], [1, 0]], labels=["y", "n"])
    assert howsure.assess(truth, predicted, costs=named)["total_cost"].value == 4
    assert a["mean_cost"].interval().low >= -2
    assert "mean_cost" in a.applicable()
    assert "mean_cost" not in howsure.assess(truth, predicted).applicable()


def test_weighted_kappa_names():
    table = Confusion([[11, 3, 1], [2, 9, 4], [0, 3, 12]])
    linear = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    assert value(table, "weighted_kappa", weights="linear") == value(table, "weighted_kappa", weights=linear)
    assert value(table, "weighted_kappa", weights="quadratic") == value(table, "weighted_kappa", weights=linear**2)


def test_average_says_what_it_leaves_out():
    a = howsure.assess(["a", "a", "b", "c"], ["a", "b", "b", "b"], labels=["a", "b", "c", "d"])
    assert a["precision"].value == pytest.approx((1 + 1 / 3) / 2)
    assert a["precision"].notes == (
        "averaged over 2 of 4 classes; left out: 'c', 'd' (no case was predicted as this class)",
    )
    assert a["recall"].notes == ("averaged over 3 of 4 classes; left out: 'd' (no case belongs to this class)",)
