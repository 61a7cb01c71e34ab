"""Results of Bayesian comparisons.

``rope`` is the largest difference that does not matter, on the scale of the values: the region of practical equivalence
extends from -rope to rope, including both bounds. "left" is the region below, where b is better, and "right" is the
region above, where a is better. Benavoli et al. (2017) and their programs use b - a, so their left is our right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_replicates, tail_probability
from howsure.docstrings import shared_texts
from howsure.errors import must
from howsure.present.result import Result
from howsure.present.sheet import Record
from howsure.present.value_text import jsonable, number
from howsure.results import DeclaredTest, Interval
from howsure.significance.declare import declare_test
from howsure.significance.inputs import zero_or_above

SURE = 0.95  # smallest probability at which an outcome is stated as the verdict

bayesian_test = partial(
    declare_test,
    classifiers="two",
    null="the probability that one classifier is better by more than the rope",
    kind="bayesian",
    measures="values",
)


@dataclass(frozen=True)
class BayesianResult(Result):
    """Posterior probabilities that one of two classifiers is better.

    Attributes
    ----------
    left, rope, right
        Probabilities that b is better, that both are practically equivalent, and that a is better.
    method
        Name of the comparison.
    mean
        Posterior mean of the mean difference a - b.
    width
        Half-width of the region of practical equivalence.
    replicates, seed
        Number and seed of the posterior draws, if the posterior was simulated.
    notes
        Remarks, such as the convergence of the simulation.
    test, variant
        The declared comparison, and its variant.
    quantile
        Quantile function of the mean difference.

    Examples
    --------
    >>> from howsure.significance import bayesian_normal
    >>> result = bayesian_normal(0.03, error=0.01, rope=0.01)
    >>> round(result.left, 3), round(result.rope, 3), round(result.right, 3)
    (0.0, 0.023, 0.977)
    >>> print(result.interval(0.9))
    [0.014, 0.046]
    >>> result.verdict
    'With a probability of 0.977, a is better by more than 0.01.'
    """

    left: float
    rope: float
    right: float
    method: str
    mean: float
    width: float
    replicates: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()
    test: DeclaredTest | None = field(default=None, repr=False, kw_only=True)
    variant: str = field(default="", kw_only=True)
    quantile: Callable[[Array], Array] = field(repr=False, compare=False, kw_only=True)

    @shared_texts
    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the equal-tailed credible interval of the mean difference.

        For the symmetric posterior of `bayesian_correlated_t`, it is also the highest-density interval.

        Parameters
        ----------
        {confidence}
        """
        outside = tail_probability(confidence, "two-sided")
        low, high = self.quantile(np.array([outside, 1 - outside])).tolist()
        return Interval(low, high, confidence, "equal-tailed credible", replicates=self.replicates, seed=self.seed)

    @property
    def verdict(self) -> str:
        """Sentence that states the most probable outcome."""
        if math.isnan(self.left):
            return "The probabilities are undefined."
        outcomes = {
            "b is better": self.left,
            "a and b are practically equivalent": self.rope,
            "a is better": self.right,
        }
        best = max(outcomes, key=lambda outcome: outcomes[outcome])
        if outcomes[best] < SURE:
            return f"No outcome has a probability of {SURE} or more."
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

    def text(self, confidence: float = 0.95) -> str:  # the text does not depend on the confidence
        within = f"P(equivalent) {number(self.rope)}, " if self.width else ""
        head = f"{self.method}: P(b better) {number(self.left)}, {within}P(a better) {number(self.right)}"
        return "\n".join([f"{head}, rope {self.width:g}", f"  {self.verdict}", *(f"  note: {n}" for n in self.notes)])

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        values = {key: value for key, value in self.__dict__.items() if key != "quantile"}
        values |= {"test": self.test and self.test.name, "interval": self.interval(confidence).to_dict()}
        return dict(jsonable({**values, "verdict": self.verdict}))


def likeliest(left: Array, right: Array, rope: float) -> tuple[float, float, float]:
    """Shares of draws in which left, rope and right are most probable."""
    chances = np.array([left, 1 - left - right if rope else np.full_like(left, -1), right])
    is_largest = chances >= chances.max(0) - 1e-12  # ties within rounding error are divided evenly
    below, within, above = (is_largest / is_largest.sum(0)).mean(1).tolist()
    return below, within, above


def without_spread(name: str, differences: Array, rope: float) -> BayesianResult:
    """Return the result for constant differences: NaN, unless all are 0."""
    mean = float(differences.mean())
    if differences.size < 2 or differences.any():
        undefined = partial(np.full_like, fill_value=math.nan)
        note = "the differences do not vary, so the uncertainty of their mean cannot be estimated"
        if differences.size < 2:
            note = "one difference has no standard deviation"
        return BayesianResult(math.nan, math.nan, math.nan, name, mean, rope, notes=(note,), quantile=undefined)
    left, within = (0.0, 1.0) if rope else (0.5, 0.0)
    note = "all differences are 0"
    return BayesianResult(left, within, left, name, 0.0, rope, notes=(note,), quantile=np.zeros_like)


def check_rho(rho: float) -> None:
    if not isinstance(rho, Real) or not 0 <= rho < 1:
        must("rho", "at least 0 and below 1", given=rho)


def check_simulation(rope: float, replicates: int, seed: int) -> tuple[float, int]:
    return zero_or_above("rope", rope), check_replicates(replicates, seed)
