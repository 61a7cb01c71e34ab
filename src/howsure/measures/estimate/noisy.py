"""Measures of the true classes, estimated from labels with random errors.

If the recorded label of a case depends only on its true class, not on the prediction, the expected confusion table of
recorded labels is T' C, where C is the confusion table of true classes and T is the matrix of the probabilities of a
recorded label (columns) given the true class (rows). So C is estimated by the inverse of T' times the observed table,
and a measure of C is a function of the observed table, with influences and intervals like any other.
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

AS_CHANCE = "with these error rates, the labels are no better than chance"
TOO_MANY = "with these label error rates, more misclassified cases would be expected than were observed"
ROUNDING = 1e-9


@dataclass(frozen=True)
class Rate:
    """An error rate, and the number of checked labels; None if it is exact."""

    value: float
    checked: int | None = None

    def ends(self, alpha: float) -> tuple[float, float]:
        """Return Wilson's limits; if the rate is exact, both are the rate."""
        if self.checked is None:
            return self.value, self.value
        low, high = score_bounds(np.asarray(round(self.value * self.checked)), np.asarray(float(self.checked)), alpha)
        return float(low), float(high)


@dataclass(frozen=True)
class LabelErrors:
    """Error rates of labels, and the matrix of label probabilities.

    The matrix has a row for each true class and a column for each recorded one. If ``symmetric``, all classes have the
    same rate and all wrong classes are equally likely.
    """

    rates: tuple[Rate, ...]
    build: Callable[[Sequence[float]], Floats]
    symmetric: bool = False

    @property
    def matrix(self) -> Floats:
        return self.build([rate.value for rate in self.rates])

    def moved(self, alpha: float) -> list[tuple[Floats, Floats]]:
        """Return the matrices with each uncertain rate at its limits, in turn."""
        matrices = []
        for index, rate in enumerate(self.rates):
            if rate.checked is not None:
                ends = [[*self._values[:index], end, *self._values[index + 1 :]] for end in rate.ends(alpha)]
                matrices.append((self.build(ends[0]), self.build(ends[1])))
        return matrices

    @property
    def _values(self) -> list[float]:
        return [rate.value for rate in self.rates]

    def in_order(self, order: Sequence[int]) -> LabelErrors:
        """Return the errors with the classes in another order."""
        build = self.build
        return replace(self, build=lambda rates: build(rates)[np.ix_(order, order)])


def is_informative(matrix: Floats) -> bool:
    """Return whether each label is most probable for its own class."""
    k = len(matrix)
    elsewhere = np.where(np.eye(k, dtype=bool), -np.inf, matrix).max(0)
    return bool(k > 1 and (matrix.diagonal() > elsewhere + ROUNDING).all() and np.linalg.det(matrix) > ROUNDING)


def inverse_errors(matrix: Floats) -> Floats:
    """Return the matrix that converts tables from recorded to true classes."""
    return np.asarray(np.linalg.inv(matrix.T))


@dataclass(frozen=True)
class NoisyBasis(LabelBasis):
    """A measure of the true classes; ``table`` has the recorded ones."""

    back: Floats

    @property
    def is_ratio(self) -> bool:
        """False, since corrected counts are not counts of cases."""
        return False

    @property
    def own_method(self) -> str | None:
        return None

    @property
    def span(self) -> Span:
        """Unbounded, since corrected values may be outside the range."""
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
    """The difference in a measure of the true classes."""

    @property
    def is_counted(self) -> bool:
        return False

    @property
    def span(self) -> Span:
        return (-np.inf, np.inf)


@dataclass(frozen=True)
class OnLine(Basis):
    """A linear function of another estimate, such as the true accuracy."""

    basis: Any
    slope: float
    offset: float
    of: float  # the value of the other estimate

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
    """An estimate for the true classes, with uncertain cases and error rates.

    ``at`` returns the basis for a matrix of label probabilities. Each error rate is moved to its limits, and the
    squared changes of the value are added to those of the interval with fixed rates (MOVER, Zou and Donner 2008).
    """

    at: Callable[[Floats], Basis]
    errors: LabelErrors
    limits: Span

    default = "auto"

    @cached_property
    def known(self) -> Basis:
        """The basis with the estimated rates."""
        return self.at(self.errors.matrix)

    @cached_property
    def raw(self) -> float:
        return self.known.value if is_informative(self.errors.matrix) else math.nan

    @cached_property
    def value(self) -> float:
        return math.nan if self.reason is not None else float(np.clip(self.raw, *self.limits))

    @cached_property
    def reason(self) -> str | None:
        if not is_informative(self.errors.matrix):
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
        for index, rate in enumerate(self.errors.rates):  # delta method with numerical derivatives
            if rate.checked is not None:
                step = 1e-5
                near = [[*(other.value for other in self.errors.rates)] for _ in range(2)]
                near[0][index], near[1][index] = max(rate.value - step, 0.0), rate.value + step
                ends = [self.at(self.errors.build(rates)).value for rates in near]
                slope = (ends[1] - ends[0]) / (near[1][index] - near[0][index])
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
        """Return the limits before clipping to the range."""
        value = self.known.value
        down, up = (value - interval.low) ** 2, (interval.high - value) ** 2
        for ends in self.errors.moved(request.alpha):
            values = [self.at(end).value if is_informative(end) else math.nan for end in ends]
            if any(map(math.isnan, values)):
                down = up = math.inf
                continue
            down += max(value - min(values), 0.0) ** 2
            up += max(max(values) - value, 0.0) ** 2
        return value - math.sqrt(down), value + math.sqrt(up)
