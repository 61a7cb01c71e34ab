"""Bayesian comparison of two classifiers on the same cases, from counts or from a difference with its error."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_number, check_seed, real
from howsure.errors import HowsureError
from howsure.significance.bayesian.result import BayesianResult, bayesian_test
from howsure.significance.inputs import whole, zero_or_above

REPLICATES = 50_000


@bayesian_test(
    "Bayesian comparison of paired proportions",
    designs=("cases",),
    assumes="independent cases; half a case of each kind was seen before",
    measures="accuracy",
    preference=1,
    apply=lambda test, answers, _: test(*answers.gains, answers.n, rope=answers.rope, seed=answers.seed),
)
def bayesian_proportions(won: int, lost: int, n: int, *, rope: float = 0.01, seed: int = 0) -> BayesianResult:
    """Give the posterior of the difference of two shares of the same cases, with half a case added to each kind.

    Parameters
    ----------
    won, lost
        How many cases count for the first only, and how many for the second only.
    n
        The number of all cases.
    rope
        The largest difference that does not matter.
    seed
        Of the draws.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that the two are alike, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_proportions
    >>> bayesian_proportions(30, 10, 200).right > 0.9
    True
    """
    won, lost, n = whole("won", won), whole("lost", lost), whole("n", n)
    if won + lost > n:
        raise HowsureError(f"`won` and `lost` must add up to at most `n`, not {won} and {lost} of {n}.")
    rope = zero_or_above("rope", rope)
    check_seed(seed)
    shares = (won + 0.5, lost + 0.5, n - won - lost + 0.5)
    gain = _gains(shares, seed)
    left, right = float((gain < -rope).mean()), float((gain > rope).mean())
    method, mean = "Dirichlet posterior of paired proportions", float(gain.mean())
    quantile = partial(_gain_quantile, shares, seed)
    return BayesianResult(left, 1 - left - right, right, method, mean, rope, REPLICATES, seed, quantile=quantile)


@bayesian_test(
    "Bayesian comparison of a difference with its error",
    designs=("cases", "clusters"),
    assumes="a difference that is about normal around the true one, with this standard error, and a flat prior",
    measures="any",
    preference=2,
    apply=lambda test, answers, _: test(answers.difference.value, answers.difference.standard_error, rope=answers.rope),
)
def bayesian_normal(difference: float, error: float, *, rope: float = 0.01) -> BayesianResult:
    """Give the posterior of a difference of any measure with a known standard error, under a flat prior.

    Parameters
    ----------
    difference, error
        The difference a - b, and its standard error.
    rope
        The largest difference that does not matter.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that the two are alike, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_normal
    >>> round(bayesian_normal(0.03, error=0.01).right, 3)
    0.977
    """
    from scipy.special import ndtr

    difference, error, rope = check_number(difference, "difference"), real(error), zero_or_above("rope", rope)
    left = right = math.nan
    notes: tuple[str, ...] = ("the difference has no standard error above 0",)
    if 0 < error < math.inf:
        left, right = float(ndtr((-rope - difference) / error)), float(ndtr((difference - rope) / error))
        notes = ()
    spread = error if error > 0 else math.nan
    method, quantile = "normal posterior, flat prior", partial(_normal_quantile, difference, spread)
    return BayesianResult(left, 1 - left - right, right, method, difference, rope, notes=notes, quantile=quantile)


def _gains(shares: tuple[float, ...], seed: int) -> Array:
    drawn = np.random.default_rng(seed).dirichlet(shares, size=REPLICATES)
    return np.asarray(drawn[:, 0] - drawn[:, 1])


def _gain_quantile(shares: tuple[float, ...], seed: int, probability: Array) -> Array:
    """Draw once more, the same numbers: kept for thousands of pairs they would fill the memory."""
    return np.asarray(np.quantile(_gains(shares, seed), probability))


def _normal_quantile(mean: float, error: float, probability: Array) -> Array:
    from scipy.special import ndtri

    with np.errstate(over="ignore"):  # an error so large that a quantile is beyond all numbers
        return np.asarray(mean + error * ndtri(probability))
