"""Intervals for a mean over folds or runs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.arrays import Floats
from assay.checks import check_size, numbers, real
from assay.errors import AssayError, must
from assay.intervals.declare import Basis, Request, Span, method
from assay.intervals.proportion import z_value
from assay.results import Interval

ONE_VALUE = "one value says nothing about its spread"


def mean_t(values: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """Student's interval: the standard deviation is estimated with K - 1, and so are the degrees of freedom.

    It assumes independent values. Folds of one cross-validation share training cases, so there it is too narrow.

    Examples
    --------
    >>> from assay.intervals import mean_t
    >>> print(mean_t([0.81, 0.79, 0.84, 0.80, 0.78]))
    [0.775, 0.833]
    """
    return _student(_values(values), 0.0, "t", Request(confidence, side))


def corrected_t(values: ArrayLike, ratio: float, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """Student's interval for values of overlapping training sets, with the variance of Nadeau and Bengio (2003).

    The variance of the mean is taken as (1 / K + ratio) times that of the values, where ``ratio`` is that of test to
    training cases: 1 / 9 for ten folds. It is a correction that works, not a theorem.

    Examples
    --------
    >>> from assay.intervals import corrected_t
    >>> print(corrected_t([0.81, 0.79, 0.84, 0.80, 0.78], ratio=1 / 4))
    [0.761, 0.847]
    """
    if not 0 <= real(ratio) < np.inf:
        must("ratio", "a number, 0 or above", given=ratio)
    return _student(_values(values), float(ratio), "corrected-t", Request(confidence, side))


@method("t", title="Student's interval of a mean", needs="values", source="Student 1908")
def _t(basis: Basis, request: Request) -> Interval:
    """Take the values as independent."""
    return _student(basis.values, 0.0, "t", request, basis.span)


@method("corrected-t", title="corrected t interval", needs="values", source="Nadeau and Bengio 2003")
def _corrected_t(basis: Basis, request: Request) -> Interval:
    """Allow for training sets that overlap."""
    return _student(basis.values, basis.ratio_of_sizes, "corrected-t", request, basis.span)


@dataclass(frozen=True)
class MeanOfValues(Basis):
    """The mean of a value for each split; ``overlap`` says that their training sets have cases in common.

    Five repetitions of two folds have an interval of their own, which belongs to their test.
    """

    values: Floats
    overlap: bool = False
    ratio_of_sizes: float = 0.0
    span: Span = (-math.inf, math.inf)
    is_five_by_two: bool = False
    missing: str = "there is no value"  # why, where there is none

    @property
    def value(self) -> float:
        return float(self.values.mean()) if len(self.values) else math.nan

    @property
    def reason(self) -> str | None:
        return None if len(self.values) else self.missing

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({"values", "halves"} if self.is_five_by_two else {"values"})

    @property
    def default(self) -> str:
        return "5x2-f" if self.is_five_by_two else "corrected-t" if self.overlap else "t"

    @property
    def halves(self) -> Floats:
        return self.values.reshape(5, 2)

    @property
    def standard_error(self) -> float:
        if len(self.values) < 2:
            return math.nan
        return _error(self.values, self.ratio_of_sizes if self.overlap else 0.0)


def _error(values: Floats, ratio: float) -> float:
    return float(values.std(ddof=1)) * float(np.sqrt(1 / len(values) + ratio))


def _student(values: Floats, ratio: float, name: str, request: Request, span: Span = (-math.inf, math.inf)) -> Interval:
    if len(values) < 2:
        return request.undefined(ONE_VALUE, name)
    from scipy.special import stdtrit

    spread = -float(stdtrit(len(values) - 1, request.alpha)) * _error(values, ratio)
    return request.close(float(values.mean()) - spread, float(values.mean()) + spread, name, span)


def mean_z(
    values: ArrayLike, sigma: float | None = None, confidence: float = 0.95, side: str = "two-sided"
) -> Interval:
    """Give the normal interval, with a known standard deviation ``sigma`` or, for many values, their own."""
    data, request = _values(values), Request(confidence, side)
    if sigma is not None and not 0 < real(sigma) < np.inf:
        must("sigma", "a number above 0", given=sigma)
    if sigma is None and len(data) < 2:
        return request.undefined(ONE_VALUE, "z")
    deviation = float(data.std(ddof=1)) if sigma is None else float(sigma)
    spread = z_value(request.alpha) * deviation / float(np.sqrt(len(data)))
    return request.close(float(data.mean()) - spread, float(data.mean()) + spread, "z")


def _values(values: ArrayLike) -> Floats:
    data = numbers("values", values)
    if data.ndim != 1 or not len(data):
        raise AssayError(f"`values` must be a row of numbers, not an array of shape {data.shape}.")
    if not np.isfinite(data).all():
        raise AssayError(f"`values` must be finite, not {data[~np.isfinite(data)][0]}.")
    check_size("values", data)
    return data
