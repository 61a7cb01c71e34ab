"""Two classifiers: a difference and a test that agree."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from howsure.errors import is_one_of, one_line
from howsure.intervals.declare import Basis
from howsure.present.value_text import number
from howsure.results import Basis as AnyBasis
from howsure.results import Estimate, Interval, TestResult
from howsure.significance import BayesianResult

ROUNDING = 1e-9  # relative rounding error of a level, computed as 1 - confidence or alpha / m
SMALLEST = sys.float_info.min  # end of an interval that only just excludes 0
WIDENED = "the test does not reject a difference of 0, so the interval was widened to include it"
CUT = "the test rejects a difference of 0, so the interval was cut to exclude it"
NO_TEST = "the test has no p-value here"
NO_DIRECTION = "the test rejects equality, but the difference is 0, so neither classifier is better"


def is_below(pvalue: float, level: float) -> bool:
    """Return whether a p-value is below a level, apart from rounding."""
    return pvalue < level * (1 - ROUNDING)


@dataclass(frozen=True)
class TestedDifference(Basis):
    """Basis of a difference whose interval agrees with its test.

    At most one end of the interval is moved: to 0 if the test does not reject at the level 1 - confidence, and away
    from 0, to the side of the difference, if it does. One-sided intervals and intervals by a named method are not
    changed. docs/decisions/2026-11-17-tests-of-two-classifiers.md explains why.
    """

    __test__ = False  # tells pytest that this is not a test class

    basis: AnyBasis
    value: float
    test: TestResult

    @property
    def standard_error(self) -> float:
        return self.basis.standard_error

    @property
    def methods(self) -> tuple[str, ...]:
        return self.basis.methods

    @property
    def clusters(self) -> int | None:
        return self.basis.clusters

    @property
    def design_effect(self) -> float | None:
        return self.basis.design_effect

    def interval(
        self,
        confidence: float = 0.95,
        method: str = "auto",
        side: str = "two-sided",
        *,
        replicates: int | None = None,
        seed: int = 0,
    ) -> Interval:
        """Return the interval, moved to agree with the test."""
        interval = self.basis.interval(confidence, method, side, replicates=replicates, seed=seed)
        low, high = interval
        if side != "two-sided" or not is_one_of(method, ("auto",)) or math.isnan(low + high):
            return interval
        if math.isnan(self.test.pvalue):
            return _undefined(interval, (self.test.notes or (NO_TEST,))[0])
        if is_below(self.test.pvalue, 1 - interval.confidence):
            if self.value == 0:
                return _undefined(interval, NO_DIRECTION)
            if self.value > 0 and low <= 0:
                return _moved(interval, SMALLEST, max(high, self.value), CUT)
            if self.value < 0 and high >= 0:
                return _moved(interval, min(low, self.value), -SMALLEST, CUT)
        elif not low <= 0 <= high:
            return _moved(interval, min(low, 0.0), max(high, 0.0), WIDENED)
        return interval


def _undefined(interval: Interval, reason: str) -> Interval:
    return replace(interval, low=math.nan, high=math.nan, notes=(reason,))


def _moved(interval: Interval, low: float, high: float, note: str) -> Interval:
    return replace(interval, low=low, high=high, notes=(*interval.notes, note))


@dataclass(frozen=True, repr=False)
class PairComparison:
    """The difference a - b of two classifiers and its test.

    The interval of the difference agrees with the test.

    Attributes
    ----------
    a, b
        The names of the classifiers.
    difference
        The difference a - b of their values, with its interval.
    test
        The test of the difference.
    adjusted
        The p-value, adjusted for the number of pairs.
    evidence
        The data to which the tests are applied.
    find_effect, find_bayesian
        Functions that compute the effect size and the Bayesian comparison on request.
    effect_is_ratio
        Whether the effect size is a ratio of a to b rather than a difference.
    name
        The names of both classifiers, as "a - b".
    effect, turned_effect
        The effect size of a against b, and of b against a.
    bayesian
        The Bayesian comparison, or None.

    Examples
    --------
    >>> import howsure
    >>> truth = [0, 0, 1, 1] * 10
    >>> pair = howsure.compare(truth, {"a": truth, "b": [0, 1, 1, 1] * 10}).pair("a", "b")
    >>> pair.name, pair.difference.value, round(pair.test.pvalue, 4)
    ('a - b', 0.25, 0.001)
    """

    a: str
    b: str
    difference: Estimate
    test: TestResult
    adjusted: float = float("nan")
    evidence: Any = field(default=None, repr=False)
    find_effect: Callable[[], float] | None = field(default=None, repr=False)
    find_bayesian: Callable[[], BayesianResult | None] | None = field(default=None, repr=False)
    effect_is_ratio: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        basis = self.difference.basis
        if not isinstance(basis, TestedDifference):
            tested = TestedDifference(basis, self.difference.value, self.test)
            object.__setattr__(self, "difference", replace(self.difference, basis=tested))

    @property
    def name(self) -> str:
        return f"{self.a} - {self.b}"

    # Computed on request: with hundreds of classifiers, few of the pairs are ever inspected.

    @cached_property
    def effect(self) -> float:
        return float("nan") if self.find_effect is None else self.find_effect()

    @property
    def reversed_effect(self) -> float:
        if not self.effect_is_ratio:
            return -self.effect
        return 1 / self.effect if self.effect else math.inf

    @cached_property
    def bayesian(self) -> BayesianResult | None:
        return None if self.find_bayesian is None else self.find_bayesian()

    def __repr__(self) -> str:
        value, p = number(self.difference.value), f"{self.adjusted:.3g}"
        return f"PairComparison({one_line(self.name)}: {self.difference.measure} {value}, adjusted p {p})"
