"""The default interval of a share, enumerated: how often it holds at every true share, and that it is not too wide."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import howsure
from howsure.intervals import mid_p, modified_wilson, wilson

SHARES = np.linspace(0.005, 0.995, 199)
NEIGHBOURS = 21  # shares that are averaged: a tenth of the range


def coverage(method, n, shares=SHARES):
    """Add up the chances of all counts whose interval holds the share."""
    counts = np.arange(n + 1)
    interval = method(counts, np.full(n + 1, n))
    chances = binom.pmf(counts[:, None], n, shares)
    holds = (interval.low[:, None] <= shares) & (shares <= interval.high[:, None])
    return (chances * holds).sum(0), float((chances * (interval.high - interval.low)[:, None]).sum(0).mean())


@pytest.mark.parametrize("n", [*range(1, 11), 15, 20, 30, 50, 100, 1000])
def test_the_default_holds_for_every_share_and_number_of_cases(n):
    held, width = coverage(modified_wilson, n)
    assert np.convolve(held, np.ones(NEIGHBOURS) / NEIGHBOURS, "valid").min() >= 0.94 - 1e-3
    near_end = np.geomspace(0.02 / n, 0.1, 300)
    everywhere = coverage(modified_wilson, n, np.concatenate([SHARES, near_end, 1 - near_end]))[0].min()
    assert everywhere >= (0.89 if n == 7 else 0.90)  # 89.4 % at a share of 0.36, of seven cases
    assert width < 1.16 * coverage(mid_p, n)[1]  # at three cases; below 1.03 from five on
    assert n < 5 or width < 1.03 * coverage(mid_p, n)[1]


def test_wilson_s_own_falls_short_near_the_ends_however_many_the_cases():
    for n in (10, 1000):
        assert coverage(wilson, n, np.array([0.1765 / n]))[0][0] < 0.85


def test_it_is_wilson_s_where_neither_successes_nor_failures_are_few():
    for successes, n in ((4, 20), (16, 20), (75, 100), (500, 10_000)):
        assert tuple(modified_wilson(successes, n)) == tuple(wilson(successes, n))
    for successes in (1, 2, 3):
        few, plain = modified_wilson(successes, 40), wilson(successes, 40)
        assert few.low < plain.low
        assert few.high == plain.high
        assert few.method == "modified-wilson"
        np.testing.assert_allclose(modified_wilson(40 - successes, 40).high, 1 - few.low, rtol=1e-12)


def test_estimates_take_it():
    right = howsure.assess([1] * 30 + [0] * 30, [1] * 29 + [0] * 31)
    assert right["recall"].interval().method == "modified-wilson"
    assert tuple(right["recall"].interval()) == tuple(modified_wilson(29, 30))
    assert right["recall"].methods[0] == "modified-wilson"
    assert howsure.assess([1, 0] * 40, [1, 1] * 40)["accuracy"].interval().method == "wilson"
