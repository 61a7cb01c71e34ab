"""The Hodges-Lehmann estimate and its interval: by definition, by R, and where there are too few values."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest

from howsure import HowsureError
from howsure.intervals import hodges_lehmann, hodges_lehmann_estimate
from howsure.significance import wilcoxon

# R, ?wilcox.test: the depression scale of Hollander and Wolfe (1973, p. 29), first visit - second visit
DEPRESSION = np.subtract(
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)


def test_estimate():
    for n in (1, 2, 5, 8):
        values = np.random.default_rng(n).normal(size=n)
        means = [(a + b) / 2 for a, b in combinations_with_replacement(values.tolist(), 2)]
        assert hodges_lehmann_estimate(values) == pytest.approx(np.median(means), rel=1e-12)


def test_ends_are_the_walsh_averages_of_the_table():
    """Nine values at 95 %: Hollander and Wolfe's t is 40, so the ends are averages 6 and 40 of 45.

    It is what R's wilcox.test(x, y, paired = TRUE, conf.int = TRUE) takes: qsignrank(0.025, 9) is 6.
    """
    averages = sorted((a + b) / 2 for a, b in combinations_with_replacement(DEPRESSION.tolist(), 2))
    interval = hodges_lehmann(DEPRESSION)
    assert (interval.low, interval.high) == pytest.approx((averages[5], averages[39]), rel=1e-12)
    assert interval.method == "hodges-lehmann"
    assert not interval.notes


@pytest.mark.parametrize(("n", "rank"), [(6, 1), (7, 3), (8, 4), (9, 6), (10, 9), (20, 53), (25, 90), (50, 435)])
def test_ranks_of_the_ends(n, rank):
    """R: qsignrank(0.025, n) is the rank of the lower end; 9, 53, 90 and 435 are in printed tables, less 1."""
    values = np.sort(np.random.default_rng(n).normal(size=n))
    averages = np.sort([(a + b) / 2 for a, b in combinations_with_replacement(values.tolist(), 2)])
    assert tuple(hodges_lehmann(values)) == pytest.approx((averages[rank - 1], averages[-rank]), rel=1e-12)


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("n", [1, 2, 4, 6, 9, 13])
def test_it_holds_what_the_test_does_not_reject(n, confidence):
    """By definition: between neighbouring Walsh averages, each centre is tested as it is."""
    values = np.random.default_rng(n).normal(size=n)
    averages = np.sort([(a + b) / 2 for a, b in combinations_with_replacement(values.tolist(), 2)])
    centres = np.concatenate([[averages[0] - 1], (averages[1:] + averages[:-1]) / 2, [averages[-1] + 1]])
    sides = {"two-sided": "two-sided", "lower": "greater", "upper": "less"}
    for side, alternative in sides.items():
        interval = hodges_lehmann(values, confidence, side)
        for centre in centres:
            pvalue = wilcoxon(values, np.full(n, centre), alternative=alternative).pvalue
            assert (centre in interval) == (pvalue > 1 - confidence + 1e-12)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_too_few_values(n):
    interval = hodges_lehmann(np.arange(1.0, n + 1))
    assert tuple(interval) == (-math.inf, math.inf)
    assert interval.notes == (f"{n} values are too few: the signed-rank test cannot reject any centre at this level",)
    assert tuple(hodges_lehmann(np.arange(5.0), confidence=0.9)) == (0, 4)


def test_normal_beyond_50_values():
    """The rank of the end is at most one off that of the exact distribution."""
    for n in (51, 80, 200):
        values = np.sort(np.random.default_rng(n).normal(size=n))
        averages = np.sort([(a + b) / 2 for a, b in combinations_with_replacement(values.tolist(), 2)])
        low = int(np.searchsorted(averages, hodges_lehmann(values).low)) + 1
        weights = np.ones(1)
        for rank in range(1, n + 1):
            weights = np.convolve(weights, np.r_[0.5, np.zeros(rank - 1), 0.5])
        exact = int(np.searchsorted(np.cumsum(weights), 0.025, side="right"))
        assert abs(low - exact) <= 1


def test_order_shift_and_scale():
    values = np.random.default_rng(1).normal(size=12)
    low, high = hodges_lehmann(values)
    assert tuple(hodges_lehmann(values[::-1])) == (low, high)
    assert tuple(hodges_lehmann(3 - 2 * values)) == pytest.approx((3 - 2 * high, 3 - 2 * low), rel=1e-12)
    wide, narrow = hodges_lehmann(values, 0.99), hodges_lehmann(values, 0.8)
    assert wide.low <= low <= narrow.low <= hodges_lehmann_estimate(values) <= narrow.high <= high <= wide.high


@pytest.mark.parametrize("values", [[], [1.0, math.nan], [[1.0, 2.0]]])
def test_refusals(values):
    with pytest.raises(HowsureError) as refused:
        hodges_lehmann(values)
    assert str(refused.value) == "`values` must be a sequence of at least one finite number."
