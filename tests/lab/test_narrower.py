"""Where intervals hold more often than they say, it is told why, and whether narrower ones would do."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from howsure.lab import Cell, coverage
from howsure.lab.interval_coverage import factors_needed, method_coverage
from howsure.lab.samples import Samples
from howsure.measured.intervals import Held
from lab.intervals import SHOWING
from lab.narrower import (
    AT_END,
    CERTAIN,
    NEEDED,
    SEEN_THERE,
    WIDE,
    at_an_end,
    factors,
    is_certain,
    is_over,
    over,
    whole_or_none,
)
from lab.shipped import content
from lab.summary import Measured, read, where

CELL = {"prevalence": 0.5, "quality": "fair", "spread": 1.0, "slope": 1.0, "classes": 2, "weighted": False}
KNOWN: set[tuple[str, str]] = set()  # cells in which a default is known to be wider than need be


@cache
def kept():
    result = read(content(seed=SHOWING))
    if not result:
        pytest.skip("nothing of the grid is kept in lab/results")
    return over({name: one for name, one in result.items() if one.default}, factors())


def test_every_default_that_holds_almost_always_has_a_reason():
    assert {(one.measure, where(one.held.cell)) for one in kept() if one.why == WIDE} == KNOWN


# What the reasons are, and that they can fail.


def test_arms_are_measured_by_the_way_to_the_truth():
    values, low, high = np.array([0.4, 0.6, 0.5, 0.2]), np.array([0.3, 0.4, 0.4, 0.1]), np.array([0.6, 0.7, 0.6, 0.3])
    np.testing.assert_allclose(factors_needed(0.5, (values, low, high), (0, 1)), [0.5, 0.5, 0, 3])


def test_arms_of_a_ratio_are_taken_as_shares():
    ratio = np.array([3.0]), np.array([1.0]), np.array([math.inf])
    assert factors_needed(9.0, ratio, (0, math.inf)) == pytest.approx((0.9 - 0.75) / (1 - 0.75))
    nothing = np.array([math.nan]), np.array([4.0]), np.array([math.inf])  # the ratio to nothing is infinite
    assert factors_needed(9.0, nothing, (0, math.inf)) == pytest.approx((1 - 0.9) / (1 - 0.8))


def test_factors_tell_how_much_narrower_intervals_may_be():
    values = np.linspace(-1, 1, 4001)
    held = method_coverage("some", 0.0, (values, values - 2, values + 2))
    share = 0.925 - 2 * math.sqrt(0.925 * 0.075 / 4001)
    assert held.least_factor == pytest.approx(share / 2, abs=1e-3)
    assert held.sure_factor == pytest.approx((0.99 + 2 * math.sqrt(0.99 * 0.01 / 4001)) / 2, abs=1e-3)
    halved = method_coverage("half", 0.0, (values, values - 2 * held.least_factor, values + 2 * held.least_factor))
    assert halved.coverage == pytest.approx(share, abs=1e-3)


def grid(truth=0.6, misses=0, **factor):
    """Give two sizes of one measure, each with its two factors."""
    cells = {
        tuple(cell.items()): Held(cell, truth, 4000, 4000, misses, 0, 0.2) for cell in ({"n": n, **CELL} for n in SIZES)
    }
    expected = {facts: factor[f"n{dict(facts)['n']}"] for facts in cells}
    return over({"kappa": Measured("kappa", "mover", {"mover": cells})}, {"kappa": expected})


SIZES = (50, 100)


@pytest.mark.parametrize(("near", "own", "why"), [((0.7, 0.9), 0.8, WIDE), ((0.85, 0.9), 0.8, NEEDED)])
def test_a_factor_that_is_needed_one_step_away_is_a_reason(near, own, why):
    result = {one.held.cell["n"]: one for one in grid(n50=(0.6, own), n100=near)}
    assert result[50].why == why
    assert result[50].factor == max(0.6, near[0])


def test_few_samples_do_not_show_more_than_99_percent():
    cell = {"n": 100, **CELL}
    none, few, one = (Held(cell, 0.6, n, n, missed, 0, 0.2) for n, missed in ((500, 0), (280, 0), (500, 1)))
    assert [is_over(held) for held in (none, few, one)] == [True, False, False]


def test_what_misses_often_enough_is_no_such_cell():
    assert grid(n50=(0.5, 0.9), n100=(0.5, 0.9), misses=100) == []


def test_unmeasured_factors_are_no_excuse():
    assert [one.why for one in over({"kappa": single("kappa", {"n": 50, **CELL})}, {})] == [WIDE]


@pytest.mark.parametrize(
    ("name", "truth", "is_there"),
    [
        ("kappa", 0.89, False),
        ("kappa", 0.91, True),
        ("positive_likelihood_ratio", 18.0, False),
        ("positive_likelihood_ratio", 20.0, True),
        ("lift(depth=0.1)", 9.4, False),
        ("lift(depth=0.1)", 9.6, True),
    ],
)
def test_ends_are_those_of_the_range(name, truth, is_there):
    assert at_an_end(name, Held({"n": 100, **CELL}, truth, 1, 1, 0, 0, 0.1)) == is_there


def test_how_often_a_class_is_found_whole_or_not_at_all():
    cell = {**CELL, "n": 100, "prevalence": 0.05}
    samples = Samples(Cell(100, 0.05, "fair"), "labels", 20_000, 1)
    result, missed = samples.counts[:, 1, 1], samples.counts[:, 1, 0]
    observed = (result == 0).mean() + (missed == 0).mean()  # a sample without a case of the class is both
    assert whole_or_none(cell) == pytest.approx(observed, abs=0.01)
    assert [one.why for one in over({"kappa": single("kappa", cell)}, {})] == [SEEN_THERE]


def single(name, cell):
    """Give a measure of which one cell was measured, in which every interval holds."""
    return Measured(name, "some", {"some": {tuple(cell.items()): Held(cell, 0.6, 4000, 4000, 0, 0, 0.2)}})


@pytest.mark.parametrize("name", ["brier", "log_loss", "mean_absolute_error", "root_mean_squared_error"])
def test_a_loss_that_is_the_same_of_all_cases_is_certain(name):
    even, uneven = ({**CELL, "n": 100, "quality": "chance", "prevalence": share} for share in (0.5, 0.2))
    assert is_certain(name, even)
    assert not is_certain(name, uneven)
    assert not is_certain(name, {**even, "quality": "poor"})
    assert coverage(name, 100, 0.5, "chance", rounds=50)["auto"].sure_factor == 0  # every sample has the truth
    assert [one.why for one in over({name: single(name, even)}, {})] == [CERTAIN]


def test_what_varies_with_the_shares_of_the_classes_is_not_certain():
    even = {**CELL, "n": 100, "quality": "chance"}
    assert not is_certain("root_relative_squared_error", even)
    assert not is_certain("auc", even)


def test_the_end_of_a_range_is_a_reason():
    assert {one.why for one in grid(truth=0.95, n50=(0.5, 0.9), n100=(0.5, 0.9))} == {AT_END}
