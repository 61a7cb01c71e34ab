"""Bayesian correlated t test of two classifiers on the same splits."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.significance.bayesian.result import BayesianResult, bayesian_test, check_rho, without_spread
from howsure.significance.declare import CROSS_VALIDATED
from howsure.significance.inputs import pairs, rounded, zero_or_above


@bayesian_test(
    "Bayesian correlated t test",
    designs=("splits", *CROSS_VALIDATED),
    assumes="approximately normal differences, with the correlation rho between any two",
    preference=1,
    apply=lambda test, values, _: test(values.a, values.b, rho=values.correlation, rope=values.rope),
)
def bayesian_correlated_t(a: ArrayLike, b: ArrayLike, *, rho: float, rope: float) -> BayesianResult:
    """Bayesian correlated t test of two classifiers on the same splits.

    The K differences a - b are normal, and any two have the correlation ``rho``, which represents the overlap of the
    training sets. Under a noninformative prior, the posterior of the mean difference is Student's t distribution with
    K - 1 degrees of freedom, centred at the mean of the differences, with the squared scale (1 / K + rho / (1 - rho))
    s², where s² is the variance of the differences (Corani and Benavoli 2015). This is the variance used in the
    corrected t test of Nadeau and Bengio (2003).

    Parameters
    ----------
    a, b : array_like
        One value for each split, in the same order.
    rho : float
        Correlation between the differences on two splits: the share of cases used for testing, 1 / 10 for ten folds.
    rope : float
        Largest difference that does not matter.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that both are practically equivalent, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_correlated_t
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.78], [0.78, 0.77, 0.84, 0.76, 0.77]
    >>> print(bayesian_correlated_t(a, b, rho=1 / 5, rope=0.01))
    Bayesian correlated t test: P(b better) 0.024, P(equivalent) 0.176, P(a
      better) 0.800, rope 0.01
      No outcome has a probability of 0.95 or more.
    """
    from scipy.special import stdtr

    rope = zero_or_above("rope", rope)
    check_rho(rho)
    name = "Bayesian correlated t test"
    first, second = pairs(a, b)
    d = first - second
    n, mean = len(d), float(d.mean())
    decimal = rounded(d, first, second)
    if n < 2 or not np.ptp(decimal):
        return without_spread(name, decimal, rope)
    scale = float(d.std(ddof=1)) * math.sqrt(1 / n + rho / (1 - rho))
    left, right = float(stdtr(n - 1, (-rope - mean) / scale)), float(stdtr(n - 1, (mean - rope) / scale))
    within = max(0.0, 1 - left - right) if rope else 0.0
    quantile = partial(_student_quantile, mean, scale, n - 1)
    return BayesianResult(left, within, right, name, mean, rope, quantile=quantile)


def _student_quantile(mean: float, scale: float, df: int, probability: Array) -> Array:
    from scipy.special import stdtrit

    return np.asarray(mean + scale * stdtrit(df, probability))
