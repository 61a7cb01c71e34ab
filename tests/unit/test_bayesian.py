"""Bayesian comparisons: what holds for any values, what is degenerate, what is refused."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc

from howsure import HowsureError
from howsure.significance import (
    bayesian_correlated_t,
    bayesian_hierarchical,
    bayesian_sign,
    bayesian_signed_rank,
    corrected_paired_t,
)

thousandths = st.integers(0, 1000).map(lambda n: n / 1000)
rows = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[st.lists(thousandths, min_size=n, max_size=n).map(np.array)] * 2)
)
TESTS = {
    "correlated t": lambda a, b, rope: bayesian_correlated_t(a, b, rho=0.1, rope=rope),
    "sign": lambda a, b, rope: bayesian_sign(a, b, rope=rope, replicates=500),
    "signed rank": lambda a, b, rope: bayesian_signed_rank(a, b, rope=rope, replicates=500),
}
A, B = [0.81, 0.79, 0.84, 0.80, 0.78], [0.78, 0.77, 0.84, 0.76, 0.79]


def probabilities(result):
    return result.left, result.rope, result.right


@pytest.mark.parametrize("rope", [0, 0.01, 0.2])
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
@settings(max_examples=30, deadline=None)
@given(rows)
def test_any_values(test, rope, pair):
    a, b = pair
    result = test(a, b, rope)
    if math.isnan(result.left):
        assert result.notes
        return
    assert sum(probabilities(result)) == pytest.approx(1, rel=1e-12)
    assert min(probabilities(result)) >= 0
    assert rope or not result.rope
    mirrored = test(b, a, rope)
    assert probabilities(mirrored)[::-1] == pytest.approx(probabilities(result), rel=1e-9, abs=1e-12)
    assert mirrored.mean == pytest.approx(-result.mean, rel=1e-9, abs=1e-12)
    moved = test(a + 0.25, b + 0.25, rope)
    assert probabilities(moved) == pytest.approx(probabilities(result), rel=1e-9, abs=1e-9)
    interval, wide = result.interval(0.9), result.interval(0.99)
    assert wide.low <= interval.low <= interval.high <= wide.high


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_identical_values_favour_neither(test):
    """baycomp gives 0.709 and 0.291 without a rope: there rounding decides between equals."""
    assert probabilities(test(A, A, 0)) == (0.5, 0, 0.5)
    assert probabilities(test(A, A, 0.01)) == (0, 1, 0)
    assert test(A, A, 0).interval().width == 0


def test_identical_data_sets_favour_neither():
    for rope, expected in ((0, (0.5, 0, 0.5)), (0.01, (0, 1, 0))):
        result = bayesian_hierarchical(np.zeros((4, 10)), rho=0.1, rope=rope)
        assert probabilities(result) == expected
        assert result.notes == ("all differences are 0",)


@settings(max_examples=50, deadline=None)
@given(rows)
def test_without_a_rope_it_is_the_corrected_t_test(pair):
    """The probability that b is better is the one-sided p-value of a over b."""
    posterior = bayesian_correlated_t(*pair, rho=0.2, rope=0)
    test = corrected_paired_t(*pair, ratio=0.25, alternative="greater")
    if test.statistic:
        assert posterior.left == pytest.approx(test.pvalue, rel=1e-9, nan_ok=True)


def test_ends_of_the_rope_are_within():
    """0.3 - 0.2 is above 0.1 in binary only."""
    result = bayesian_sign([0.3, 0.9, 0.2], [0.2, 0.8, 0.3], rope=0.1)
    assert probabilities(result) == (0, 1, 0)
    assert probabilities(bayesian_signed_rank([0.3, 0.9, 0.2], [0.2, 0.8, 0.3], rope=0.1)) == (0, 1, 0)


def test_the_sign_test_by_its_beta_distribution():
    """Without a rope and a prior, the share of the right is beta(7, 3): it is above a half with a known chance."""
    result = bayesian_sign(np.arange(1, 11), np.array([0] * 7 + [99] * 3), rope=0, prior_strength=0)
    # 7 above, 3 below; 0.008 is 4 standard errors of 50 000 draws
    assert result.right == pytest.approx(betainc(3, 7, 0.5), abs=0.008)


def test_seeds_and_replicates():
    first = bayesian_signed_rank(A, B, rope=0.01, replicates=1000, seed=1)
    assert first == bayesian_signed_rank(A, B, rope=0.01, replicates=1000, seed=1)
    assert first != bayesian_signed_rank(A, B, rope=0.01, replicates=1000, seed=2)
    assert (first.replicates, first.seed) == (1000, 1)
    assert (first.interval().replicates, first.interval().seed) == (1000, 1)
    d = np.random.default_rng(0).normal(0.02, 0.02, (4, 6))
    once = bayesian_hierarchical(d, rho=0.1, rope=0.01, replicates=200, seed=3)
    assert once == bayesian_hierarchical(d.tolist(), rho=0.1, rope=0.01, replicates=200, seed=3)
    assert once != bayesian_hierarchical(d, rho=0.1, rope=0.01, replicates=200, seed=4)


def test_many_data_sets_in_batches():
    a = np.random.default_rng(0).normal(0, 1, 1500)
    result = bayesian_sign(a, 0 * a, rope=0.1, replicates=3000)
    assert sum(probabilities(result)) == pytest.approx(1)


def test_no_spread():
    result = bayesian_correlated_t([0.3, 0.9, 0.7], [0.2, 0.8, 0.6], rho=0.1, rope=0.01)
    assert result.notes == ("the differences do not vary, so the uncertainty of their mean cannot be estimated",)
    assert all(map(math.isnan, probabilities(result)))
    assert math.isnan(result.interval().low)
    assert result.verdict == "The probabilities are undefined."
    result = bayesian_correlated_t([0.3], [0.2], rho=0.1, rope=0.01)
    assert result.notes == ("one difference has no standard deviation",)
    assert bayesian_sign([0.3], [0.2], rope=0).right > 0.5  # signs have an answer
    result = bayesian_hierarchical([[0.1, 0.1], [0.2, 0.2], [0, 0]], rho=0.1, rope=0.01)
    assert math.isnan(result.right)


def test_some_data_sets_without_spread():
    d = np.random.default_rng(1).normal(0.05, 0.02, (5, 6))
    d[0] = 0
    result = bayesian_hierarchical(d, rho=0.1, rope=0.01, replicates=800)
    note = "1 data set has differences that do not vary; the smallest standard deviation of the others is used"
    assert result.notes[-1] == note
    d[1] = 0.1
    result = bayesian_hierarchical(d, rho=0.1, rope=0.01, replicates=800)
    note = "2 data sets have differences that do not vary; the smallest standard deviation of the others is used"
    assert result.notes[-1] == note


def test_hierarchical_mirrors():
    """To the error of simulation: 16 000 draws worth at least 1000, five standard errors."""
    rng = np.random.default_rng(2)
    d = [rng.normal(0.01 + shift, 0.03, n) for shift, n in ((0, 5), (0.02, 10), (-0.01, 8), (0.01, 10))]
    result = bayesian_hierarchical(d, rho=0.1, rope=0.01)
    mirrored = bayesian_hierarchical([-values for values in d], rho=0.1, rope=0.01)
    assert sum(probabilities(result)) == pytest.approx(1)
    assert probabilities(mirrored)[::-1] == pytest.approx(probabilities(result), abs=5 * math.sqrt(0.5 / 1000))
    assert result.notes[0].startswith("R-hat 1.00")
    scaled = bayesian_hierarchical([100 * values for values in d], rho=0.1, rope=1)
    assert probabilities(scaled) == pytest.approx(probabilities(result), abs=1e-3)  # the scale does not matter


def test_values_and_words():
    outcome = bayesian_correlated_t(A, B, rho=1 / 5, rope=0.01)
    values = outcome.to_dict()
    assert json.loads(json.dumps(values)) == values
    assert list(values) == [
        *("left", "rope", "right", "method", "mean", "width", "replicates", "seed", "notes"),
        *("test", "variant", "interval", "verdict"),
    ]
    assert values["interval"]["method"] == "equal-tailed credible"
    assert outcome.verdict == "No outcome has a probability of 0.95 or more."
    sure = bayesian_correlated_t(np.add(A, 0.2), B, rho=1 / 5, rope=0.01)
    assert sure.verdict == "With a probability of 1.000, a is better by more than 0.01."
    alike = bayesian_correlated_t(A, B, rho=1 / 5, rope=0.5)
    assert alike.verdict == "With a probability of 1.000, a and b are practically equivalent."
    assert "P(alike)" not in str(bayesian_correlated_t(A, B, rho=1 / 5, rope=0))
    for result in (outcome, bayesian_signed_rank(A, B, rope=0.01, replicates=100)):
        again = pickle.loads(pickle.dumps(result))
        assert again == result
        assert again.interval() == result.interval()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: bayesian_correlated_t(A, B, rho=1, rope=0.01),
            "`rho` must be at least 0 and below 1, not 1.",
        ),
        (
            lambda: bayesian_correlated_t(A, B, rho=0.1, rope=-1),
            "`rope` must be a number, 0 or above, not -1.",
        ),
        (
            lambda: bayesian_sign(A, B, rope=0.1, replicates=0),
            "`replicates` must be a whole number above 0, not 0.",
        ),
        (
            lambda: bayesian_sign(A, B, rope=0.1, seed="x"),  # type: ignore[arg-type]
            "`seed` must be a whole number, 0 or above, not 'x'.",
        ),
        (
            lambda: bayesian_signed_rank(A, B, rope=0.1, prior_strength=-1),
            "`prior_strength` must be a number, 0 or above, not -1.",
        ),
        (
            lambda: bayesian_hierarchical([A, B], rho=0.1, rope=0.1),
            "`differences` must have a row for each of at least 3 data sets, not 2; for one data set use "
            "`bayesian_correlated_t`.",
        ),
        (
            lambda: bayesian_hierarchical([A, B, [1]], rho=0.1, rope=0.1),  # type: ignore[arg-type]
            "`differences[2]` must be a one-dimensional array of at least 2 numbers, not an array of shape (1,).",
        ),
    ],
)
def test_refusals(call, words):
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == words
