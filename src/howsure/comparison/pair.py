"""Two classifiers: their difference, its test, and the one answer that the two give together."""

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

ROUNDING = 1e-9  # of a level, which comes as 1 - confidence, as alpha or as a share of it
BESIDE_0 = sys.float_info.min  # an end at 0 that leaves 0 out: the nearest number
WIDENED = "the test does not exclude 0, so the interval was widened to hold it"
CUT = "the test excludes 0, so the interval was cut there"
NO_TEST = "the test has no answer here"
NO_DIRECTION = "the test finds the classifiers different, but the difference is 0, so neither is better"


def is_below(pvalue: float, level: float) -> bool:
    """Tell whether a p-value is below a level, however either was rounded; NaN is not."""
    return pvalue < level * (1 - ROUNDING)


@dataclass(frozen=True)
class TestedDifference(Basis):
    """A difference whose test decides on which side of 0 its interval lies, at any confidence.

    The interval keeps its own method and moves one end at most: to 0 where the test does not reject at the level
    1 - confidence, and to the side of the difference, leaving out 0, where it does. One-sided intervals, and those
    of a method that was asked for by name, are as that method gives them. The argument is in
    docs/decisions/2026-11-16-interval-and-test.md.
    """

    __test__ = False  # its name is not that of a test for pytest to run

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
        """Give the interval, on the side of 0 that the test decides on."""
        interval = self.basis.interval(confidence, method, side, replicates=replicates, seed=seed)
        low, high = interval
        if side != "two-sided" or not is_one_of(method, ("auto",)) or math.isnan(low + high):
            return interval
        if math.isnan(self.test.pvalue):
            return _none(interval, (self.test.notes or (NO_TEST,))[0])
        if is_below(self.test.pvalue, 1 - interval.confidence):
            if self.value == 0:
                return _none(interval, NO_DIRECTION)
            if self.value > 0 and low <= 0:
                return _moved(interval, BESIDE_0, max(high, self.value), CUT)
            if self.value < 0 and high >= 0:
                return _moved(interval, min(low, self.value), -BESIDE_0, CUT)
        elif not low <= 0 <= high:
            return _moved(interval, min(low, 0.0), max(high, 0.0), WIDENED)
        return interval


def _none(interval: Interval, reason: str) -> Interval:
    return replace(interval, low=math.nan, high=math.nan, notes=(reason,))


def _moved(interval: Interval, low: float, high: float, note: str) -> Interval:
    return replace(interval, low=low, high=high, notes=(*interval.notes, note))


@dataclass(frozen=True, repr=False)
class PairComparison:
    """Two classifiers: the difference a - b, its test, and the p-value adjusted for the number of pairs.

    The interval of the difference and the test agree.

    Attributes
    ----------
    a, b
        The names of the two.
    difference
        Of their values, a - b, with its interval.
    test
        The test of the difference.
    adjusted
        Its p-value, adjusted for the number of pairs.
    evidence
        What the tests are applied to.
    find_effect, find_bayesian
        What finds the effect size and the Bayesian comparison, when they are asked for.
    effect_is_ratio
        Whether the effect size is a ratio of a to b, and no difference.
    name
        The names of both.
    effect, turned_effect
        The effect size, and that of b against a.
    bayesian
        The Bayesian comparison, where there is one.

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

    # Computed when they are asked for: of the pairs of hundreds of classifiers, few are ever looked at.

    @cached_property
    def effect(self) -> float:
        return float("nan") if self.find_effect is None else self.find_effect()

    @property
    def turned_effect(self) -> float:
        if not self.effect_is_ratio:
            return -self.effect
        return 1 / self.effect if self.effect else math.inf

    @cached_property
    def bayesian(self) -> BayesianResult | None:
        return None if self.find_bayesian is None else self.find_bayesian()

    def __repr__(self) -> str:
        value, p = number(self.difference.value), f"{self.adjusted:.3g}"
        return f"PairComparison({one_line(self.name)}: {self.difference.measure} {value}, adjusted p {p})"
