"""The Bayesian correlated t test: two classifiers on the same splits of one data set."""

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
    assumes="differences close to normal, of which each two are correlated by rho",
    preference=1,
    apply=lambda test, values, _: test(values.a, values.b, rho=values.correlation, rope=values.rope),
)
def bayesian_correlated_t(a: ArrayLike, b: ArrayLike, *, rho: float, rope: float) -> BayesianResult:
    """Compare two classifiers on the same splits of one data set (Corani and Benavoli 2015).

    The posterior of the mean difference is Student's, with K - 1 degrees of freedom, around the mean of the
    differences, with the variance of the corrected t test: 1 / K + rho / (1 - rho) times that of the differences.

    Parameters
    ----------
    a, b : array_like
        One value for each split, in the same order.
    rho : float
        Correlation of the differences of two splits, the share of the cases that is tested: 1 / 10 for ten folds.
    rope : float
        The largest difference that does not matter.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that the two are alike, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_correlated_t
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.78], [0.78, 0.77, 0.84, 0.76, 0.77]
    >>> print(bayesian_correlated_t(a, b, rho=1 / 5, rope=0.01))
    Bayesian correlated t test: P(b better) 0.024, P(alike) 0.176, P(a
      better) 0.800, rope 0.01
      No outcome has a probability of 0.95.
    """
    from scipy.special import stdtr

    rope = zero_or_above("rope", rope)
    check_rho(rho)
    name = "Bayesian correlated t test"
    first, second = pairs(a, b)
    d = first - second
    n, mean = len(d), float(d.mean())
    even = rounded(d, first, second)
    if n < 2 or not np.ptp(even):
        return without_spread(name, even, rope)
    scale = float(d.std(ddof=1)) * math.sqrt(1 / n + rho / (1 - rho))
    left, right = float(stdtr(n - 1, (-rope - mean) / scale)), float(stdtr(n - 1, (mean - rope) / scale))
    within = max(0.0, 1 - left - right) if rope else 0.0
    student = partial(_student_quantile, mean, scale, n - 1)
    return BayesianResult(left, within, right, name, mean, rope, quantile=student)


def _student_quantile(mean: float, scale: float, df: int, probability: Array) -> Array:
    from scipy.special import stdtrit

    return np.asarray(mean + scale * stdtrit(df, probability))
