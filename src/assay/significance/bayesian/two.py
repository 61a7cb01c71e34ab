"""Bayesian comparisons of two classifiers: how probable it is that one is better by more than matters.

``rope`` is the largest difference that does not matter, on the scale of the values (the region of practical
equivalence is from -rope to rope, its ends included). "left" is below it, where b is better, "right" above it, where a
is better. Benavoli et al. (2017) and their programs take b - a: their left is our right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.arrays import Array
from assay.checks import check_replicates, tail
from assay.errors import must
from assay.present.format import jsonable, number
from assay.present.result import Result
from assay.present.sheet import Record
from assay.results import DeclaredTest, Interval
from assay.significance.declare import CROSS_VALIDATED, declare_test
from assay.significance.inputs import pairs, rounded, zero_or_above

SURE = 0.95  # the probability from which there is a verdict

bayesian_test = partial(
    declare_test,
    classifiers="two",
    null="the probability that one is better by more than matters",
    kind="bayesian",
    measures="values",
)


@dataclass(frozen=True)
class BayesianResult(Result):
    """Probabilities that b is better (``left``), that the two are alike (``rope``), that a is better (``right``).

    ``mean`` is the posterior mean of the mean difference a - b. ``replicates`` and ``seed`` are those of the
    simulation, where there is one.
    """

    left: float
    rope: float
    right: float
    method: str
    mean: float
    width: float  # of the rope, to each side
    replicates: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()
    test: DeclaredTest | None = field(default=None, repr=False, kw_only=True)
    variant: str = field(default="", kw_only=True)
    quantile: Callable[[Array], Array] = field(repr=False, compare=False, kw_only=True)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Give the equal-tailed credible interval of the mean difference.

        For `bayesian_correlated_t` the posterior is symmetric, so it is the interval of highest density as well.
        """
        out = tail(confidence, "two-sided")
        low, high = self.quantile(np.array([out, 1 - out])).tolist()
        return Interval(low, high, confidence, "equal-tailed credible", replicates=self.replicates, seed=self.seed)

    @property
    def verdict(self) -> str:
        """What the probabilities say, in a sentence."""
        if math.isnan(self.left):
            return "There is no answer."
        outcomes = {
            "b is better": self.left,
            "a and b are practically equivalent": self.rope,
            "a is better": self.right,
        }
        best = max(outcomes, key=lambda outcome: outcomes[outcome])
        if outcomes[best] < SURE:
            return f"No outcome has a probability of {SURE}."
        by = f" by more than {self.width:g}" if self.width and outcomes[best] != self.rope else ""
        return f"With a probability of {number(outcomes[best])}, {best}{by}."

    def records(self, confidence: float = 0.95) -> list[Record]:
        interval = self.interval(confidence)
        return [
            {
                "method": self.method,
                "b_better": self.left,
                "equivalent": self.rope,
                "a_better": self.right,
                "rope": self.width,
                "mean": self.mean,
                "low": interval.low,
                "high": interval.high,
                "confidence": confidence,
            }
        ]

    def text(self) -> str:
        alike = f"P(alike) {number(self.rope)}, " if self.width else ""
        head = f"{self.method}: P(b better) {number(self.left)}, {alike}P(a better) {number(self.right)}"
        return "\n".join([f"{head}, rope {self.width:g}", f"  {self.verdict}", *(f"  note: {n}" for n in self.notes)])

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        values = {key: value for key, value in self.__dict__.items() if key != "quantile"}
        values |= {"test": self.test and self.test.name, "interval": self.interval(confidence).to_dict()}
        return dict(jsonable({**values, "verdict": self.verdict}))


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

    Examples
    --------
    >>> from assay.significance import bayesian_correlated_t
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.78], [0.78, 0.77, 0.84, 0.76, 0.77]
    >>> print(bayesian_correlated_t(a, b, rho=1 / 5, rope=0.01))
    Bayesian correlated t test: P(b better) 0.024, P(alike) 0.176, P(a better) 0.800, rope 0.01
      No outcome has a probability of 0.95.
    """
    from scipy.special import stdtr

    zero_or_above("rope", rope)
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


@bayesian_test(
    "Bayesian sign test",
    designs=("datasets",),
    assumes="independent data sets",
    preference=3,
)
def bayesian_sign(
    a: ArrayLike, b: ArrayLike, *, rope: float, prior_strength: float = 1.0, replicates: int = 50_000, seed: int = 0
) -> BayesianResult:
    """Compare two classifiers over several data sets by the signs of their differences (Benavoli et al. 2014).

    The next data set has a difference to the left, within or to the right of the rope, with chances that have a
    Dirichlet posterior. Given is the probability that each of the three is the likeliest.

    Parameters
    ----------
    a, b : array_like
        One value for each data set, in the same order.
    rope : float
        The largest difference that does not matter. With 0, a difference of 0 counts half for each side.
    prior_strength : float
        Weight of one more difference, of 0, that stands for what is believed beforehand.
    replicates, seed : int
        Draws from the posterior; ten times as many give about a third of the error of simulation.

    Examples
    --------
    >>> from assay.significance import bayesian_sign
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.78, 0.9], [0.77, 0.78, 0.84, 0.75, 0.72, 0.8]
    >>> print(bayesian_sign(a, b, rope=0.01))
    Bayesian sign test: P(b better) 0.000, P(alike) 0.344, P(a better) 0.656, rope 0.01
      No outcome has a probability of 0.95.
    """
    check_simulation(rope, replicates, seed)
    z = _with_prior(a, b)
    below, above = _sides(z, rope)
    shares = partial(_shares_of_one, below, above)
    return _simulate("Bayesian sign test", z, shares, rope, prior_strength, replicates, seed)


@bayesian_test(
    "Bayesian signed-rank test",
    designs=("datasets",),
    assumes="independent data sets, differences that can be compared in size",
    preference=1,
    apply=lambda test, values, _: test(values.a, values.b, rope=values.rope, seed=values.seed),
)
def bayesian_signed_rank(
    a: ArrayLike, b: ArrayLike, *, rope: float, prior_strength: float = 0.5, replicates: int = 50_000, seed: int = 0
) -> BayesianResult:
    """Compare two classifiers over several data sets, by the size of differences as well (Benavoli et al. 2014, 2017).

    The distribution of the differences has a Dirichlet process as prior. What is to the left, within or to the right of
    the rope is the mean of two of them; given is the probability that each of the three is the likeliest.

    The arguments are those of `bayesian_sign`; without a rope, a mean of 0 counts half for each side.

    Examples
    --------
    >>> from assay.significance import bayesian_signed_rank
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.78, 0.9], [0.77, 0.78, 0.84, 0.75, 0.72, 0.8]
    >>> print(bayesian_signed_rank(a, b, rope=0.01))
    Bayesian signed-rank test: P(b better) 0.000, P(alike) 0.047, P(a better) 0.953, rope 0.01
      With a probability of 0.953, a is better by more than 0.01.
    """
    check_simulation(rope, replicates, seed)
    z = _with_prior(a, b)
    # rounded as well, for (0.01 + 0.03) / 2 to be 0.02
    below, above = _sides(rounded((z[:, None] + z) / 2, z), rope)
    shares = partial(_shares_of_two, below, above)
    return _simulate("Bayesian signed-rank test", z, shares, rope, prior_strength, replicates, seed)


def _with_prior(a: ArrayLike, b: ArrayLike) -> Array:
    """Differences, and after them the one of 0 that is the prior."""
    first, second = pairs(a, b)
    return np.append(rounded(first - second, first, second), 0.0)


def _sides(values: Array, rope: float) -> tuple[Array, Array]:
    """What is below and above the rope; without a rope, 0 is half on each side."""
    below, above = (values < -rope).astype(float), (values > rope).astype(float)
    half = (values == 0) / 2 if not rope else 0.0
    return below + half, above + half


def _shares_of_one(below: Array, above: Array, weights: Array) -> tuple[Array, Array]:
    return weights @ below, weights @ above


def _shares_of_two(below: Array, above: Array, weights: Array) -> tuple[Array, Array]:
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
    """Draw weights of the differences from their Dirichlet posterior, in batches that fit into memory."""
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
    drawn = partial(np.quantile, means)
    return BayesianResult(*likeliest(left, right, rope), name, mean, rope, replicates, seed, quantile=drawn)


def likeliest(left: Array, right: Array, rope: float) -> tuple[float, float, float]:
    """Share of the draws in which left, the rope and right is the likeliest, those of equals divided among them."""
    chances = np.array([left, 1 - left - right if rope else np.full_like(left, -1), right])
    won = chances >= chances.max(0) - 1e-12  # rounding does not decide between equals
    below, within, above = (won / won.sum(0)).mean(1).tolist()
    return below, within, above


def without_spread(name: str, differences: Array, rope: float) -> BayesianResult:
    """Answer for differences that do not vary: known where all are 0, else none."""
    unknown = partial(np.full_like, fill_value=math.nan)
    mean = float(differences.mean())
    if differences.size < 2:
        note = "one difference says nothing about its spread"
    elif differences.any():
        note = "the differences do not vary, so they cannot tell how sure their mean is"
    if differences.size < 2 or differences.any():
        return BayesianResult(math.nan, math.nan, math.nan, name, mean, rope, notes=(note,), quantile=unknown)
    left, within = (0.0, 1.0) if rope else (0.5, 0.0)
    note = "all differences are 0"
    return BayesianResult(left, within, left, name, 0.0, rope, notes=(note,), quantile=np.zeros_like)


def _student_quantile(mean: float, scale: float, df: int, probability: Array) -> Array:
    from scipy.special import stdtrit

    return np.asarray(mean + scale * stdtrit(df, probability))


def check_rho(rho: float) -> None:
    if not isinstance(rho, Real) or not 0 <= rho < 1:
        must("rho", "a number from 0 to below 1", given=rho)


def check_simulation(rope: float, replicates: int, seed: int) -> None:
    zero_or_above("rope", rope)
    check_replicates(replicates, seed)
