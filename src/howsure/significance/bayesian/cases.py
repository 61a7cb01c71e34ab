"""Bayesian comparison of two classifiers on the same cases."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from howsure.arrays import Array
from howsure.checks import as_float, check_number, check_seed
from howsure.errors import HowsureError
from howsure.significance.bayesian.result import BayesianResult, bayesian_test
from howsure.significance.inputs import whole, zero_or_above

REPLICATES = 50_000


@bayesian_test(
    "Bayesian comparison of paired proportions",
    designs=("cases",),
    assumes="independent cases; a Dirichlet prior of half a case of each kind",
    measures="accuracy",
    preference=1,
    apply=lambda test, answers, _: test(*answers.gains, answers.n, rope=answers.rope, seed=answers.seed),
)
def bayesian_proportions(won: int, lost: int, n: int, *, rope: float = 0.01, seed: int = 0) -> BayesianResult:
    """Compute the posterior of the difference between two paired proportions.

    There are three kinds of cases: only the first classifier is correct, only the second is, or both or neither.
    Their proportions have a Dirichlet(1/2, 1/2, 1/2) prior (Jeffreys), and hence a Dirichlet posterior with half a case
    added to each count. The difference is the proportion of the first kind minus that of the second.

    Parameters
    ----------
    won, lost
        Number of cases in which only the first classifier is correct, and in which only the second is.
    n
        Total number of cases.
    rope
        Largest difference that does not matter.
    seed
        Seed of the draws.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that both are practically equivalent, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_proportions
    >>> bayesian_proportions(30, 10, 200).right > 0.9
    True
    """
    won, lost, n = whole("won", won), whole("lost", lost), whole("n", n)
    if won + lost > n:
        raise HowsureError(f"`won` and `lost` must add up to at most `n`, but {won} + {lost} is more than {n}.")
    rope = zero_or_above("rope", rope)
    check_seed(seed)
    counts = (won + 0.5, lost + 0.5, n - won - lost + 0.5)
    gain = _draw_gains(counts, seed)
    left, right = float((gain < -rope).mean()), float((gain > rope).mean())
    method, mean = "Dirichlet posterior of paired proportions", float(gain.mean())
    quantile = partial(_gain_quantile, counts, seed)
    return BayesianResult(left, 1 - left - right, right, method, mean, rope, REPLICATES, seed, quantile=quantile)


@bayesian_test(
    "Bayesian comparison based on a difference and its standard error",
    designs=("cases", "clusters"),
    assumes="a difference that is approximately normal around the true one, the given standard error, and a flat prior",
    measures="any",
    preference=2,
    apply=lambda test, answers, _: test(answers.difference.value, answers.difference.standard_error, rope=answers.rope),
)
def bayesian_normal(difference: float, error: float, *, rope: float = 0.01) -> BayesianResult:
    """Compute the normal posterior of a difference from its standard error.

    Under a flat prior, the posterior of the true difference is normal with mean ``difference`` and standard deviation
    ``error``. This applies to any measure whose estimate is approximately normal.

    Parameters
    ----------
    difference, error
        Difference a - b, and its standard error.
    rope
        Largest difference that does not matter.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that both are practically equivalent, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_normal
    >>> round(bayesian_normal(0.03, error=0.01).right, 3)
    0.977
    """
    from scipy.special import ndtr

    difference, error, rope = check_number(difference, "difference"), as_float(error), zero_or_above("rope", rope)
    left = right = math.nan
    notes: tuple[str, ...] = ("the standard error of the difference is not positive",)
    if 0 < error < math.inf:
        left, right = float(ndtr((-rope - difference) / error)), float(ndtr((difference - rope) / error))
        notes = ()
    spread = error if error > 0 else math.nan
    method, quantile = "normal posterior, flat prior", partial(_normal_quantile, difference, spread)
    return BayesianResult(left, 1 - left - right, right, method, difference, rope, notes=notes, quantile=quantile)


def _draw_gains(counts: tuple[float, ...], seed: int) -> Array:
    draws = np.random.default_rng(seed).dirichlet(counts, size=REPLICATES)
    return np.asarray(draws[:, 0] - draws[:, 1])


def _gain_quantile(counts: tuple[float, ...], seed: int, probability: Array) -> Array:
    # Draw again with the same seed: stored draws for thousands of pairs of classifiers would not fit in memory.
    return np.asarray(np.quantile(_draw_gains(counts, seed), probability))


def _normal_quantile(mean: float, error: float, probability: Array) -> Array:
    from scipy.special import ndtri

    with np.errstate(over="ignore"):  # the quantile may be infinite if the error is very large
        return np.asarray(mean + error * ndtri(probability))
