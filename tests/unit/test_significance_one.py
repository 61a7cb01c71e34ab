"""One classifier against a number: degenerate cases, mistakes, power, and agreement with the intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from howsure import HowsureError
from howsure.intervals import mean_t, mean_z, wilson
from howsure.results import TestResult
from howsure.significance import (
    binomial_test,
    decide,
    normal_test,
    power_binomial,
    power_normal,
    t_test,
    z_test,
)
from howsure.significance.declare import registry

SIDES = ("two-sided", "less", "greater")
NEAR = 1e-9  # bounds and p-values are computed differently, so that at the very edge either may say yes
FOLDS = st.lists(st.integers(0, 1000).map(lambda value: value / 1000), min_size=2, max_size=12)
SHARES = st.floats(0.01, 0.99)


@st.composite
def counted(draw):
    n = draw(st.integers(1, 200))
    return draw(st.integers(0, n)), n


def test_they_are_declared():
    for name in ("z_test", "t_test", "binomial_test", "normal_test"):
        assert registry[name].designs == ("one",)
        assert registry[name].classifiers == "one"
        assert registry[name].null


@given(FOLDS, SHARES, st.floats(0.01, 1))
def test_z_test_rejects_what_its_interval_leaves_out(values, mean, sigma):
    result = z_test(values, mean, sigma)
    assert 0 < result.pvalue <= 1
    assume(abs(result.pvalue - 0.05) > NEAR)
    assert (mean not in mean_z(values, sigma)) == (result.pvalue < 0.05)


@given(FOLDS, SHARES)
def test_t_test_rejects_what_its_interval_leaves_out(values, mean):
    assume(np.ptp(values) > 0)
    result = t_test(values, mean)
    assert result.df == len(values) - 1
    assert 0 < result.pvalue <= 1
    assume(abs(result.pvalue - 0.05) > NEAR)
    assert (mean not in mean_t(values)) == (result.pvalue < 0.05)


@given(counted(), SHARES)
def test_normal_test_rejects_what_wilson_leaves_out(errors_n, p0):
    result = normal_test(*errors_n, p0)
    assert 0 < result.pvalue <= 1
    assume(abs(result.pvalue - 0.05) > NEAR)
    assert (p0 not in wilson(*errors_n)) == (result.pvalue < 0.05)


@given(counted(), SHARES)
def test_right_answers_mirror_errors(errors_n, p0):
    """Counting right answers against 1 - p0 is the same question from the other side."""
    errors, n = errors_n
    for test in (binomial_test, normal_test):
        for side, second in (("two-sided", "two-sided"), ("less", "greater"), ("greater", "less")):
            first, mirrored = test(errors, n, p0, side), test(n - errors, n, 1 - p0, second)
            assert mirrored.pvalue == pytest.approx(first.pvalue, rel=1e-6)  # 1 - p0 loses up to 1e-14 of p0
            assert mirrored.difference == pytest.approx(-first.difference, abs=1e-12)


@given(counted(), SHARES)
def test_the_two_sides_of_the_exact_test_share_what_was_seen(errors_n, p0):
    less, greater = (binomial_test(*errors_n, p0, side).pvalue for side in ("less", "greater"))
    assert less + greater >= 1 - 1e-12
    both = binomial_test(*errors_n, p0).pvalue
    assert min(less, greater) <= both + 1e-12
    assert 0 < both <= 1


@pytest.mark.parametrize("side", SIDES)
def test_values_without_spread(side):
    same = t_test([0.1 + 0.2, 0.3, 0.3], 0.3, side)  # 0.1 + 0.2 is not 0.3 in binary
    assert (same.statistic, same.pvalue, same.difference, same.df) == (0.0, 1.0, 0.0, 2.0)
    assert same.notes == ("the values do not vary, and there is no difference to test",)
    apart = t_test([0.7] * 5, 0.6, side)
    assert math.isnan(apart.statistic)
    assert math.isnan(apart.pvalue)
    assert apart.difference == pytest.approx(0.1)
    assert apart.notes == ("the values do not vary, so the uncertainty of the difference cannot be estimated",)


def test_one_value():
    result = t_test([0.7], 0.6)
    assert math.isnan(result.pvalue)
    assert result.notes == ("one value has no standard deviation",)
    assert decide(result) == "not decided at the 5 % level: one value has no standard deviation"
    assert z_test([0.7], 0.7, 0.1).pvalue == 1


def test_no_p_value_is_0():
    for result in (
        z_test([1e6], 0, 1),
        z_test([-1e6], 0, 1, "less"),
        normal_test(10**9, 10**9, 0.1),
        binomial_test(10**6, 10**6, 0.1),
        binomial_test(0, 10**6, 0.5, "less"),
    ):
        assert 0 < result.pvalue < 1e-300
        assert result.notes == ("the p-value is below 2.2e-308, the smallest positive number that can be represented",)
        assert decide(result) == "rejected at the 5 % level: p = 2.23e-308"


def test_the_normal_test_says_where_it_is_poor():
    note = "only {} are expected, fewer than 5: the approximation is poor; use `binomial_test`"
    assert normal_test(2, 20, 0.1).notes == (note.format("2 errors"),)
    assert normal_test(19, 20, 0.9).notes == (note.format("2 correct answers"),)
    assert normal_test(2, 50, 0.1).notes == ()


def test_decisions_in_words():
    assert decide(binomial_test(1, 40, 0.2), 0.01) == "rejected at the 1 % level: p = 0.00245"
    assert decide(binomial_test(5, 40, 0.2), 0.1) == "not rejected at the 10 % level: p = 0.322"
    assert decide(TestResult(0, 0.05, 0, "a test")) == "rejected at the 5 % level: p = 0.05"
    nothing = TestResult(math.nan, math.nan, 0, "a test")
    assert decide(nothing) == "not decided at the 5 % level: the test has no p-value"


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("n", "p0", "alpha"), [(1, 0.5, 0.05), (20, 0.3, 0.05), (57, 0.11, 0.2), (40, 0.5, 0.7)])
def test_exact_power_by_adding_up_all_outcomes(n, p0, alpha, side):
    rejected = [x for x in range(n + 1) if binomial_test(x, n, p0, side).pvalue <= alpha]
    for p in (0.0, 0.07, p0, 0.6, 1.0):
        result = power_binomial(p, n, p0, alpha, side)

        def added(share):
            return sum(math.comb(n, x) * share**x * (1 - share) ** (n - x) for x in rejected)

        assert result.power == pytest.approx(added(p), rel=1e-10, abs=1e-14)
        assert result.type_1 == pytest.approx(added(p0), rel=1e-10, abs=1e-14)
        assert result.type_1 <= alpha
        assert result.type_2 == 1 - result.power == 1 - float(result)


@pytest.mark.parametrize("side", SIDES)
def test_normal_power_against_the_exact_one(side):
    """With 4000 cases both agree to 3 %; at p0 the power is the level."""
    for p in (0.18, 0.195, 0.22):
        normal, exact = power_normal(p, 4000, 0.2, 0.05, side), power_binomial(p, 4000, 0.2, 0.05, side)
        assert normal.power == pytest.approx(exact.power, abs=0.03)
    assert power_normal(0.2, 4000, 0.2, 0.05, side).power == pytest.approx(0.05, rel=1e-12)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: z_test([1, 2], 0, 0), "`sigma` must be a number above 0, not 0."),
        (lambda: z_test([1, math.nan], 0, 1), "`values` must hold finite numbers, not nan at index 1."),
        (
            lambda: z_test([], 0, 1),
            "`values` must be a one-dimensional array of at least 1 number, not an array of shape (0,).",
        ),
        (lambda: t_test([1, 2], math.inf), "`mean` must be a number, not inf."),
        (lambda: t_test([1, 2], "0.5"), "`mean` must be a number, not '0.5'."),  # type: ignore[arg-type]
        (
            lambda: t_test([1, 2], 0, "bigger"),
            "`alternative` must be one of 'two-sided', 'less', 'greater', not 'bigger'.",
        ),
        (lambda: binomial_test(3, 2, 0.5), "`errors` must be at most `n`, but 3 is more than 2."),
        (lambda: binomial_test(1.5, 2, 0.5), "`errors` must be a whole number, 0 or above, not 1.5."),  # type: ignore[arg-type]
        (lambda: binomial_test(-1, 2, 0.5), "`errors` must be a whole number, 0 or above, not -1."),
        (lambda: binomial_test(0, 0, 0.5), "`n` must be a whole number above 0, not 0."),
        (lambda: normal_test(1, 2, 0), "`p0` must be a number between 0 and 1, not 0."),
        (lambda: normal_test(1, math.nan, 0.5), "`n` must be a whole number above 0, not nan."),  # type: ignore[arg-type]
        (lambda: decide(z_test([1], 0, 1), 5), "`alpha` must be a number between 0 and 1, not 5; did you mean 0.05?"),
        (lambda: power_binomial(1.2, 10, 0.5), "`p` must be a number from 0 to 1, not 1.2."),
        (lambda: power_normal(0, 10, 0.5), "`p` must be a number between 0 and 1, not 0."),
    ],
)
def test_mistakes(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask()
    assert str(caught.value) == sentence
