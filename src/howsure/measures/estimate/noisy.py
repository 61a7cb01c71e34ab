"""A measure of the true classes, from a table of recorded ones that were wrong at random.

Where the label recorded for a case depends on its true class alone, and not on what was predicted, the expected table
of recorded classes is that of the true ones times the chances of each error. Its inverse leads back. The value that
follows is a function of the table that was seen, with a slope by each of its cells: whatever gives an interval of a
measure of that table gives one of this too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.intervals.declare import Basis, Request, Span
from howsure.intervals.proportion import score_bounds
from howsure.measures.estimate.difference import LabelDifference
from howsure.measures.estimate.labels import LabelBasis
from howsure.results import Interval

AS_CHANCE = "such labels say no more of the true class than chance does"
TOO_MANY = "labels with so many errors at random would leave more errors than there are"
ROUNDING = 1e-9


@dataclass(frozen=True)
class Rate:
    """The chance of an error, and out of how many checked labels it comes; None where it is taken as known."""

    value: float
    checked: int | None = None

    def ends(self, alpha: float) -> tuple[float, float]:
        """Wilson's bounds, of labels that were checked."""
        if self.checked is None:
            return self.value, self.value
        low, high = score_bounds(np.asarray(round(self.value * self.checked)), np.asarray(float(self.checked)), alpha)
        return float(low), float(high)


@dataclass(frozen=True)
class LabelErrors:
    """How labels are wrong: ``rates`` of errors, and how a matrix follows from them.

    A matrix has a row for each true class and a column for each recorded one, with the chance of that record.
    ``symmetric`` says that one rate is that of all classes, and every wrong class as likely.
    """

    rates: tuple[Rate, ...]
    build: Callable[[Sequence[float]], Floats]
    symmetric: bool = False

    @property
    def matrix(self) -> Floats:
        return self.build([rate.value for rate in self.rates])

    def moved(self, alpha: float) -> list[tuple[Floats, Floats]]:
        """The matrices with each rate that is not known at its bounds, in turn."""
        found = []
        for place, rate in enumerate(self.rates):
            if rate.checked is not None:
                ends = [[*self._values[:place], end, *self._values[place + 1 :]] for end in rate.ends(alpha)]
                found.append((self.build(ends[0]), self.build(ends[1])))
        return found

    @property
    def _values(self) -> list[float]:
        return [rate.value for rate in self.rates]

    def in_order(self, order: Sequence[int]) -> LabelErrors:
        """Give the same with the classes in another order."""
        build = self.build
        return replace(self, build=lambda rates: build(rates)[np.ix_(order, order)])


def tells(matrix: Floats) -> bool:
    """Whether recorded classes tell of the true ones: each is recorded more often where it is true than elsewhere."""
    k = len(matrix)
    others = np.where(np.eye(k, dtype=bool), -np.inf, matrix).max(0)
    return bool(k > 1 and (matrix.diagonal() > others + ROUNDING).all() and np.linalg.det(matrix) > ROUNDING)


def way_back(matrix: Floats) -> Floats:
    """The matrix that makes a table of true classes of one of recorded classes."""
    return np.asarray(np.linalg.inv(matrix.T))


@dataclass(frozen=True)
class NoisyBasis(LabelBasis):
    """A measure of the true classes; ``table`` is of the recorded ones, and a class asked for is its first."""

    back: Floats

    @property
    def is_ratio(self) -> bool:
        """No true case was counted."""
        return False

    @property
    def own_method(self) -> str | None:
        return None

    @property
    def span(self) -> Span:
        """By chance a correction may lead beyond the range; who shows it cuts it there."""
        low, high = super().span
        return (low, high) if np.isinf(high) else (-np.inf, np.inf)

    def evaluate(self, counts: Array) -> Array:
        with np.errstate(all="ignore"):
            return super().evaluate(self.back @ counts)

    def cells(self, counts: Array) -> Array:
        return np.asarray(self.back.T @ super().cells(self.back @ counts))

    @property
    def notes(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class NoisyDifference(LabelDifference):
    """The difference of a measure of the true classes; both bases are noisy."""

    @property
    def is_counted(self) -> bool:
        return False

    @property
    def span(self) -> Span:
        return (-np.inf, np.inf)


@dataclass(frozen=True)
class OnLine(Basis):
    """A straight line of another estimate, as the true accuracy is of the recorded one."""

    basis: Any
    slope: float
    offset: float
    of: float  # the value of the other

    @property
    def value(self) -> float:
        return self.slope * self.of + self.offset

    @property
    def standard_error(self) -> float:
        return abs(self.slope) * float(self.basis.standard_error)

    def make_default(self, request: Request) -> Interval:
        interval: Interval = self.basis.interval(request.confidence, "auto", request.side, replicates=None, seed=0)
        low, high = (self.slope * end + self.offset for end in interval)
        return replace(interval, low=low, high=high)


@dataclass(frozen=True)
class CorrectedBasis(Basis):
    """An estimate of the true classes, that allows for both: few cases, and few labels that were checked.

    ``at`` gives what the estimate rests on where errors have the chances of a matrix. What a rate of errors may be off
    by is added by its bounds, as MOVER adds those of counts.
    """

    at: Callable[[Floats], Basis]
    errors: LabelErrors
    limits: Span

    default = "auto"

    @cached_property
    def known(self) -> Basis:
        """The estimate with the rates as they are."""
        return self.at(self.errors.matrix)

    @cached_property
    def raw(self) -> float:
        return self.known.value if tells(self.errors.matrix) else math.nan

    @cached_property
    def value(self) -> float:
        return math.nan if self.reason is not None else float(np.clip(self.raw, *self.limits))

    @cached_property
    def reason(self) -> str | None:
        if not tells(self.errors.matrix):
            return AS_CHANCE
        if math.isnan(self.raw):
            return self.known.reason or "the corrected table has no case of the class"
        low, high = self._ends(self.known.make_default(Request()), Request())
        outside = low > self.limits[1] + ROUNDING or high < self.limits[0] - ROUNDING
        return TOO_MANY if outside else None

    @cached_property
    def standard_error(self) -> float:
        if self.reason is not None:
            return math.nan
        variance = float(self.known.standard_error) ** 2
        for place, rate in enumerate(self.errors.rates):
            if rate.checked is not None:
                step = 1e-5
                near = [[*(one.value for one in self.errors.rates)] for _ in range(2)]
                near[0][place], near[1][place] = max(rate.value - step, 0.0), rate.value + step
                ends = [self.at(self.errors.build(rates)).value for rates in near]
                slope = (ends[1] - ends[0]) / (near[1][place] - near[0][place])
                variance += slope**2 * rate.value * (1 - rate.value) / rate.checked
        return math.sqrt(variance)

    @property
    def methods(self) -> tuple[str, ...]:
        return ("auto",)

    def make_default(self, request: Request) -> Interval:
        interval = self.known.make_default(request)
        if math.isnan(interval.low + interval.high):
            return interval
        low, high = self._ends(interval, request)
        return request.close(low, high, f"{interval.method}-corrected", self.limits, interval.notes)

    def _ends(self, interval: Interval, request: Request) -> tuple[float, float]:
        """Where the interval ends before it is cut at the range; errors that leave nothing to be told reach to it."""
        value = self.known.value
        down, up = (value - interval.low) ** 2, (interval.high - value) ** 2
        for ends in self.errors.moved(request.alpha):
            values = [self.at(end).value if tells(end) else math.nan for end in ends]
            if any(map(math.isnan, values)):
                down = up = math.inf
                continue
            down += max(value - min(values), 0.0) ** 2
            up += max(max(values) - value, 0.0) ** 2
        return value - math.sqrt(down), value + math.sqrt(up)
