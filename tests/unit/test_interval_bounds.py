"""Every interval is in order and holds the estimate, or says that there is none; extreme counts have exact bounds."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

import howsure
from howsure import intervals
from howsure.intervals.declare import Request, Scaled
from howsure.results import INVERTED, Interval

PROPORTIONS = ("wilson", "modified_wilson", "wald", "wald_n_1", "clopper_pearson", "agresti_coull", "jeffreys", "mid_p")
SIZES = [1, 2, 3, 7, *(10**power for power in range(1, 16))]
CONFIDENCES = [0.5, 0.8, 0.95, 0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12]
SHARES = [1e-9, 1e-6, 1e-3, 0.1, 0.3, 0.5, 0.9, 0.999, 1 - 1e-6, 1 - 1e-9]


def counts(n: int) -> list[int]:
    every = {0, 1, 2, 10, 1000, n // 2, n - 2, n - 1, n} | {round(n * share) for share in SHARES}
    return sorted(k for k in every if 0 <= k <= n)


@pytest.mark.parametrize("name", PROPORTIONS)
@pytest.mark.parametrize("side", ["two-sided", "lower", "upper"])
def test_every_proportion_is_held_from_one_case_to_1e15(name: str, side: str) -> None:
    method = getattr(intervals, name)
    for n in SIZES:
        k = np.array(counts(n))
        for confidence in CONFIDENCES:
            low, high = method(k, n, confidence, side)
            if name == "wald_n_1" and n == 1:
                assert np.isnan(low).all()
                continue
            assert ((low >= 0) & (low <= k / n) & (k / n <= high) & (high <= 1)).all(), (n, confidence)


def tail_below(k: int, n: int, p: float) -> Decimal:
    """Probability of fewer than k successes, to fifty digits."""
    with localcontext() as context:
        context.prec = 50
        share, total = Decimal(p), Decimal(0)
        term = ((1 - share).ln() * n).exp()
        for i in range(k):
            total += term
            term *= Decimal(n - i) / (i + 1) * share / (1 - share)
        return total


@pytest.mark.parametrize("n", [10, 10**4, 10**6, 10**7, 10**9, 10**12, 10**15])
@pytest.mark.parametrize("k", [1, 2, 10, 1000])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 1 - 1e-6, 1 - 1e-12])
def test_exact_bounds_leave_out_what_they_say(n: int, k: int, confidence: float) -> None:
    if k >= n:
        return
    alpha = (1 - confidence) / 2
    low, high = intervals.clopper_pearson(k, n, confidence)
    # A bound moved by 1e-10 of itself to each side must have the exact probability between: P(k or more) at the lower
    # bound, P(k or fewer) at the upper one.
    for move in (-1e-10, 1e-10):
        left_out = 1 - tail_below(k, n, low * (1 + move))
        assert (left_out > alpha) == (move > 0)
    for move in (-1e-10, 1e-10):
        left_out = tail_below(k + 1, n, min(high * (1 + move), 1 - 1e-17))
        assert (left_out < alpha) == (move > 0)
    mid_low, mid_high = intervals.mid_p(k, n, confidence)
    for move in (-1e-10, 1e-10):
        left_out = 1 - (tail_below(k, n, mid_low * (1 + move)) + tail_below(k + 1, n, mid_low * (1 + move))) / 2
        assert (left_out > alpha) == (move > 0)
        left_out = (tail_below(k, n, mid_high * (1 + move)) + tail_below(k + 1, n, mid_high * (1 + move))) / 2
        assert (left_out < alpha) == (move > 0)


@pytest.mark.parametrize("name", ["clopper_pearson", "jeffreys", "mid_p", "wilson", "agresti_coull"])
def test_all_methods_agree_where_cases_abound(name: str) -> None:
    n = 10**14
    low, high = getattr(intervals, name)(n // 2, n)
    error = 1.959963984540054 * 0.5 / math.sqrt(n)
    assert low == pytest.approx(0.5 - error, rel=1e-13)  # the methods differ by 1 / n
    assert high == pytest.approx(0.5 + error, rel=1e-13)


def test_the_bounds_by_moments_continue_the_others() -> None:
    from scipy.special import betainc, betaincc

    from howsure.intervals.proportion import MANY, beta_quantile

    for share in (0.5, 0.1, 0.001, 1e-6):
        a, b = np.array(MANY), np.array(MANY * (1 - share) / share)
        for alpha in (0.25, 0.025, 1e-6, 5e-13):
            low, high = beta_quantile(alpha, a, b), beta_quantile(alpha, a, b, upper=True)
            # An error of 1e-7 in alpha is one of at most 1e-7 standard deviations, 1e-11 of the bound. The functions
            # that it is checked by are good to 2e-10 in SciPy 1.17, and to 2e-8 in 1.16.
            assert betainc(a, b, low) == pytest.approx(alpha, rel=1e-7)
            assert betaincc(a, b, high) == pytest.approx(alpha, rel=1e-7)


def test_counts_at_the_other_end_mirror_the_bounds() -> None:
    for name in PROPORTIONS:
        few, many = (getattr(intervals, name)(k, 10**6) for k in (3, 10**6 - 3))
        assert few.low == pytest.approx(1 - many.high, abs=1e-15)
        assert few.high == pytest.approx(1 - many.low, abs=1e-15)


def test_small_counts_of_many_cases_are_the_poisson_bounds() -> None:
    # Garwood 1936: 3 events have the bounds 0.61867 and 8.76727.
    low, high = intervals.clopper_pearson(3, 10**15)
    assert (low * 1e15, high * 1e15) == (pytest.approx(0.61867, rel=1e-5), pytest.approx(8.76727, rel=1e-5))


def test_differences_of_many_cases_hold_the_difference() -> None:
    for n in (10**3, 10**9, 10**12, 10**15):
        for e01, e10 in ((1, 0), (0, 1), (3, 500), (500, 3), (n // 3, n // 3), (n // 2, n // 4)):
            for confidence in (0.5, 0.95, 1 - 1e-12):
                low, high = intervals.tango(e01, e10, n, confidence)
                assert low <= (e10 - e01) / n <= high
                low, high = intervals.newcombe(e01, n, e10, n, confidence)
                assert low <= (e01 - e10) / n <= high
                low, high = intervals.newcombe_paired(n - e01 - e10, e01, e10, 0, confidence)
                assert low <= (e01 - e10) / n <= high


def test_tango_of_few_discordant_cases_scales_with_their_number() -> None:
    # For a small difference the score equation is that of 14 discordant cases, whatever n is.
    low, high = (end * 10**6 for end in intervals.tango(12, 2, 10**6))
    for n in (10**9, 10**12, 10**15):
        ends = [end * n for end in intervals.tango(12, 2, n)]
        assert ends == [pytest.approx(low, rel=1e-4), pytest.approx(high, rel=1e-4)]
    assert ends == pytest.approx([end * 10**12 for end in intervals.tango(12, 2, 10**12)], rel=1e-9)


def test_an_inverted_interval_is_none_and_says_so() -> None:
    interval = Interval(2.0, 1.0, 0.95, "odd")
    assert np.isnan([*interval]).all()
    assert interval.notes == (INVERTED,)
    several = Interval(np.array([0.0, 2.0]), np.array([1.0, 1.0]), 0.95, "odd")  # type: ignore[arg-type]
    assert np.isnan([*several]).tolist() == [[False, True], [False, True]]
    assert several.notes == (INVERTED,)
    extended = Request().include(interval, 1.5)
    assert np.isnan([*extended]).all()


def test_an_interval_without_an_answer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.special

    monkeypatch.setattr(scipy.special, "betainc", lambda a, b, p: np.full(np.shape(p), 0.5))
    interval = intervals.jeffreys(3, 10)
    assert math.isnan(interval.low)
    assert interval.notes[0].startswith("this interval cannot be computed for counts of this size")


def test_bootstrap_of_plain_numbers_holds_the_statistic() -> None:
    values = np.random.default_rng(1).lognormal(size=30)
    for method in ("percentile", "basic", "bca"):
        for statistic in (np.mean, np.var, np.max):
            interval = intervals.bootstrap(values, statistic, 0.5, method=method, replicates=200)
            assert interval.low <= statistic(values) <= interval.high


def test_a_negative_multiple_turns_the_interval() -> None:
    estimate = howsure.assess([0, 1, 1, 0, 1], [0, 1, 0, 0, 1])["accuracy"]
    turned = Scaled(estimate.basis, -2.0)  # type: ignore[arg-type]
    low, high = estimate.interval(side="lower")
    assert tuple(turned.interval(side="upper")) == (-2 * high, -2 * low)
    assert turned.interval(side="upper").side == "upper"
    assert turned.standard_error > 0


@pytest.mark.parametrize("confidence", [1e-300, 1e-17, 1 - 1e-17])
def test_a_confidence_that_cannot_be_told_from_0_or_1_is_refused(confidence: float) -> None:
    with pytest.raises(howsure.HowsureError, match="`confidence` must be a number between"):
        intervals.wilson(3, 10, confidence=confidence)


def test_student_bounds_stay_finite_at_the_highest_confidence() -> None:
    low, high = intervals.mean_t([0.81, 0.79, 0.84, 0.80, 0.78], confidence=1 - 2**-53)
    assert -1e4 < low < high < 1e4


@pytest.mark.parametrize("root", [1e-40, 1e-9, 0.3, 0.5, 1 - 1e-12])
def test_bisection_ends_at_the_last_digit(root: float) -> None:
    from howsure.intervals.roots import bisect, bisect_arrays

    assert bisect(lambda x: x < root, 0.0, 1.0) == pytest.approx(root, rel=1e-15)
    several = bisect_arrays(lambda x: x < np.array([root, 0.25]), np.zeros(2), np.ones(2))
    assert several.tolist() == pytest.approx([root, 0.25], rel=1e-15)
