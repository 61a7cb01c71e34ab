"""What Bayesian comparisons give back: how probable it is that one is better by more than matters.

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

from howsure.arrays import Array
from howsure.checks import check_replicates, tail
from howsure.docstrings import shared_texts
from howsure.errors import must
from howsure.present.result import Result
from howsure.present.sheet import Record
from howsure.present.value_text import jsonable, number
from howsure.results import DeclaredTest, Interval
from howsure.significance.declare import declare_test
from howsure.significance.inputs import zero_or_above

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
    """How probable it is that one of two classifiers is better by more than matters.

    Attributes
    ----------
    left, rope, right
        The probabilities that b is better, that the two are alike, and that a is better.
    method
        The comparison.
    mean
        The posterior mean of the mean difference a - b.
    width
        Of the region of practical equivalence, to each side.
    replicates, seed
        Of the simulation, where there is one.
    notes
        What to know of it.
    test, variant
        The declared comparison, and the form in which it was computed.
    quantile
        The quantiles of the mean difference.

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
    width: float  # of the rope, to each side
    replicates: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()
    test: DeclaredTest | None = field(default=None, repr=False, kw_only=True)
    variant: str = field(default="", kw_only=True)
    quantile: Callable[[Array], Array] = field(repr=False, compare=False, kw_only=True)

    @shared_texts
    def interval(self, confidence: float = 0.95) -> Interval:
        """Give the equal-tailed credible interval of the mean difference.

        For `bayesian_correlated_t` the posterior is symmetric, so it is the interval of highest density as well.

        Parameters
        ----------
        {confidence}
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

    def text(self, confidence: float = 0.95) -> str:  # the same words at every level
        alike = f"P(alike) {number(self.rope)}, " if self.width else ""
        head = f"{self.method}: P(b better) {number(self.left)}, {alike}P(a better) {number(self.right)}"
        return "\n".join([f"{head}, rope {self.width:g}", f"  {self.verdict}", *(f"  note: {n}" for n in self.notes)])

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        values = {key: value for key, value in self.__dict__.items() if key != "quantile"}
        values |= {"test": self.test and self.test.name, "interval": self.interval(confidence).to_dict()}
        return dict(jsonable({**values, "verdict": self.verdict}))


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


def check_rho(rho: float) -> None:
    if not isinstance(rho, Real) or not 0 <= rho < 1:
        must("rho", "a number from 0 to below 1", given=rho)


def check_simulation(rope: float, replicates: int, seed: int) -> tuple[float, int]:
    return zero_or_above("rope", rope), check_replicates(replicates, seed)
