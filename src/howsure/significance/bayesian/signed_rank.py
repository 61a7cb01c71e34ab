"""Bayesian sign and signed-rank tests on several data sets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.errors import must
from howsure.significance.bayesian.result import BayesianResult, bayesian_test, check_simulation, likeliest
from howsure.significance.inputs import pairs, rounded, zero_or_above

MAX_WORK = 100_000_000_000  # maximum number of products over all draws, which takes a few seconds


@bayesian_test(
    "Bayesian sign test",
    designs=("datasets",),
    assumes="independent data sets",
    preference=3,
)
def bayesian_sign(
    a: ArrayLike, b: ArrayLike, *, rope: float, prior_strength: float = 1.0, replicates: int = 50_000, seed: int = 0
) -> BayesianResult:
    """Bayesian sign test of two classifiers on several data sets.

    On a new data set, the difference a - b is below, within or above the region of practical equivalence. The three
    probabilities have a Dirichlet posterior, based on the counts of data sets plus a prior difference of 0 with the
    weight ``prior_strength``. For each of the three outcomes, the result holds the posterior probability that it is the
    most probable one (Benavoli et al. 2014).

    Parameters
    ----------
    a, b : array_like
        One value for each data set, in the same order.
    rope : float
        Largest difference that does not matter. With a rope of 0, a difference of 0 counts half towards each side.
    prior_strength : float
        Weight of the prior difference of 0.
    replicates, seed : int
        Number of posterior draws, and random seed. Ten times as many draws divide the simulation error by about 3.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that both are practically equivalent, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_sign
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.78, 0.9], [0.77, 0.78, 0.84, 0.75, 0.72, 0.8]
    >>> print(bayesian_sign(a, b, rope=0.01))
    Bayesian sign test: P(b better) 0.000, P(equivalent) 0.344, P(a better) 0.656,
      rope 0.01
      No outcome has a probability of 0.95 or more.
    """
    rope, replicates = check_simulation(rope, replicates, seed)
    z = _with_prior(a, b)
    _check_work(100 * len(z) * replicates, len(z), replicates)
    below, above = _sides(z, rope)
    shares = partial(_shares_of_values, below, above)
    return _simulate("Bayesian sign test", z, shares, rope, prior_strength, replicates, seed)


@bayesian_test(
    "Bayesian signed-rank test",
    designs=("datasets",),
    assumes="independent data sets, with differences of comparable size",
    preference=1,
    apply=lambda test, values, _: test(values.a, values.b, rope=values.rope, seed=values.seed),
)
def bayesian_signed_rank(
    a: ArrayLike, b: ArrayLike, *, rope: float, prior_strength: float = 0.5, replicates: int = 50_000, seed: int = 0
) -> BayesianResult:
    """Bayesian signed-rank test of two classifiers on several data sets.

    The distribution of the differences a - b has a Dirichlet process prior. The mean of two differences drawn from it
    is below, within or above the region of practical equivalence. For each of the three outcomes, the result holds the
    posterior probability that it is the most probable one (Benavoli et al. 2014, 2017). Unlike `bayesian_sign`, it
    accounts for the size of the differences.

    Parameters
    ----------
    a, b, rope, prior_strength, replicates, seed
        As in `bayesian_sign`. Without a rope, a mean of 0 counts half towards each side.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that both are practically equivalent, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_signed_rank
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.78, 0.9], [0.77, 0.78, 0.84, 0.75, 0.72, 0.8]
    >>> print(bayesian_signed_rank(a, b, rope=0.01))
    Bayesian signed-rank test: P(b better) 0.000, P(equivalent) 0.047, P(a
      better) 0.953, rope 0.01
      With a probability of 0.953, a is better by more than 0.01.
    """
    rope, replicates = check_simulation(rope, replicates, seed)
    z = _with_prior(a, b)
    _check_work(len(z) ** 2 * replicates, len(z), replicates)
    # Round the means too, so that (0.01 + 0.03) / 2 equals 0.02.
    below, above = _sides(rounded((z[:, None] + z) / 2, z), rope)
    shares = partial(_shares_of_means, below, above)
    return _simulate("Bayesian signed-rank test", z, shares, rope, prior_strength, replicates, seed)


def _check_work(work: int, n: int, replicates: int) -> None:
    """Raise an error for a simulation that would take minutes."""
    if work > MAX_WORK:
        most = f"{replicates * MAX_WORK // work} or fewer for {n - 1} data sets"
        must("replicates", most, given=replicates)


def _with_prior(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the differences, followed by the prior difference of 0."""
    first, second = pairs(a, b)
    return np.append(rounded(first - second, first, second), 0.0)


def _sides(values: Array, rope: float) -> tuple[Array, Array]:
    """Return the weights of values below and above the rope.

    Without a rope, 0 counts half towards each side.
    """
    below, above = (values < -rope).astype(float), (values > rope).astype(float)
    half = (values == 0) / 2 if not rope else 0.0
    return below + half, above + half


def _shares_of_values(below: Array, above: Array, weights: Array) -> tuple[Array, Array]:
    return weights @ below, weights @ above


def _shares_of_means(below: Array, above: Array, weights: Array) -> tuple[Array, Array]:
    return ((weights @ below) * weights).sum(1), ((weights @ above) * weights).sum(1)


def _simulate(
    name: str,
    z: Array,
    shares: Callable[[Array], tuple[Array, Array]],
    rope: float,
    prior_strength: float,
    replicates: int,
    seed: int,
) -> BayesianResult:
    """Draw Dirichlet weights for the differences, in batches."""
    rng = np.random.default_rng(seed)
    alpha = np.append(np.ones(len(z) - 1), zero_or_above("prior_strength", prior_strength))
    left, right, means = np.empty(replicates), np.empty(replicates), np.empty(replicates)
    batch = max(1, 2_000_000 // len(z))
    for start in range(0, replicates, batch):
        part = slice(start, min(start + batch, replicates))
        weights = rng.standard_gamma(alpha, (part.stop - start, len(z)))
        weights /= weights.sum(1, keepdims=True)
        left[part], right[part] = shares(weights)
        means[part] = weights @ z
    mean = float(z @ alpha / alpha.sum())
    quantile = partial(np.quantile, means)
    return BayesianResult(*likeliest(left, right, rope), name, mean, rope, replicates, seed, quantile=quantile)
