"""Intervals for a mean over folds or runs.

They are Student's t interval and its corrections for cross-validation. For the values x_1, ..., x_K of K splits, with
standard deviation s, all intervals are

    mean ± t(K - 1) s sqrt(1 / K + ratio).

For independent values the ratio is 0. For overlapping training sets it is the number of test cases divided by that of
training cases (Nadeau and Bengio 2003). The cautious t interval estimates it from the repeats (`cautious_ratio`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Floats, IntArray
from howsure.checks import as_float, check_groups, check_size, numbers
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval

ONE_VALUE = "one value says nothing about its spread"
NO_SPREAD = "all values are equal, so the standard error is unknown"
ROUNDING = 1e-12  # a smaller spread, relative to the largest value, is rounding error
# Chosen by simulation: docs/decisions/2026-11-16-cross-validation-inference.md
MAX_INFLATION = 2.0  # largest ratio of the variance of the mean to that for independent folds
ENOUGH_REPEATS = 5  # minimum number of repeats for estimating the variance between repeats


@shared_texts
def mean_t(values: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """Student's t interval for the mean of K independent values.

    The standard deviation has the divisor K - 1, and t has K - 1 degrees of freedom. The interval is too narrow for the
    folds of one cross-validation, since they share training cases.

    Parameters
    ----------
    values
        Independent numbers.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the mean.

    Examples
    --------
    >>> from howsure.intervals import mean_t
    >>> print(mean_t([0.81, 0.79, 0.84, 0.80, 0.78]))
    [0.775, 0.833]
    """
    return _student(finite_values(values), 0.0, "t", Request(confidence, side))


@shared_texts
def corrected_t(values: ArrayLike, ratio: float, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """Corrected t interval for overlapping training sets.

    The variance of the mean is (1 / K + ratio) times that of the values (Nadeau and Bengio 2003). This is a heuristic
    that works in simulations.

    Parameters
    ----------
    values
        A value for each split.
    ratio
        The number of test cases divided by the number of training cases: 1 / 9 for ten folds.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the mean.

    Examples
    --------
    >>> from howsure.intervals import corrected_t
    >>> print(corrected_t([0.81, 0.79, 0.84, 0.80, 0.78], ratio=1 / 4))
    [0.761, 0.847]
    """
    return _student(finite_values(values), _ratio(ratio), "corrected-t", Request(confidence, side))


@shared_texts
def cautious_t(
    values: ArrayLike, ratio: float, repeat: ArrayLike, confidence: float = 0.95, side: str = "two-sided"
) -> Interval:
    """Cautious t interval for repeated splits and unstable learners.

    Each further repeat of a cross-validation makes the corrected t interval narrower. For unstable learners, such as
    nearest neighbours, it becomes too narrow. The cautious interval uses the repeats to estimate the variance due to
    the training sets.

    Parameters
    ----------
    values
        A value for each split.
    ratio
        The number of test cases divided by the number of training cases: 1 / 9 for ten folds.
    repeat
        The repeat that each value belongs to.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the mean.

    Examples
    --------
    >>> from howsure.intervals import cautious_t
    >>> print(cautious_t([0.81, 0.79, 0.84, 0.80, 0.80, 0.85], ratio=1 / 2, repeat=[1, 1, 1, 2, 2, 2]))
    [0.764, 0.866]
    """
    data, ratio = finite_values(values), _ratio(ratio)
    overlap = cautious_ratio(data, ratio, repeat_numbers(repeat, len(data)))
    return _student(data, overlap, "cautious-t", Request(confidence, side))


def cautious_ratio(values: Floats, ratio: float, repeat: IntArray) -> float:
    """Return the ratio for a corrected t interval, estimated from the repeats."""
    # The mean over splits varies with the test cases and with the training cases. The first variance is s² / K for K
    # folds. The second can be estimated from the means of the repeats, which differ only in their training sets: the
    # variance of these means, times training over test cases, is its delete-a-group jackknife estimate. The jackknife
    # is too large for unstable learners, so the sum is at most MAX_INFLATION times s² / K. It is at least that of
    # Nadeau and Bengio (2003). With fewer than ENOUGH_REPEATS repeats, or one split per repeat, the largest value is
    # used.
    variance = float(values.var(ddof=1)) if len(values) > 1 else 0.0
    numbers, index = np.unique(repeat, return_inverse=True)
    if len(numbers) < 2 or not variance or not ratio:
        return ratio
    tested = ratio / (1 + ratio)  # the share of the cases in the test set of a split: 1 / K
    most = MAX_INFLATION * tested
    if len(numbers) == len(values):
        return max(ratio, most)
    if len(numbers) >= ENOUGH_REPEATS:
        means = np.bincount(index, values) / np.bincount(index)
        most = min(most, tested + float(means.var(ddof=1)) / variance / ratio)
    return max(ratio, most - 1 / len(values))


def first_repeat(values: Floats, repeat: IntArray) -> Floats:
    """Return the values of the first repeat."""
    return values[repeat == repeat[0]] if len(values) else values


def repeat_numbers(repeat: ArrayLike, n: int) -> IntArray:
    """Return the repeat number of each of the ``n`` values."""
    return check_groups("repeat", repeat, n, f"the repeat of each of the {n} values")


@method("t", title="Student's interval for a mean", needs="values", source="Student 1908")
def _t(basis: Basis, request: Request) -> Interval:
    """Student's t interval, which treats the values as independent."""
    return _student(basis.values, 0.0, "t", request, basis.span)


@method("corrected-t", title="corrected t interval", needs="values", source="Nadeau and Bengio 2003")
def _corrected_t(basis: Basis, request: Request) -> Interval:
    """Corrected t interval, which accounts for overlapping training sets."""
    return _student(basis.values, basis.ratio_of_sizes, "corrected-t", request, basis.span)


@method("cautious-t", title="cautious corrected t interval", needs="repeats", source="Howsure 2026")
def _cautious_t(basis: Basis, request: Request) -> Interval:
    """Corrected t interval whose variance is estimated from the repeats."""
    overlap = cautious_ratio(basis.values, basis.ratio_of_sizes, basis.repeat)
    return _student(basis.values, overlap, "cautious-t", request, basis.span)


@method(
    "corrected-t-folds",
    title="corrected t interval with the degrees of freedom of one repeat",
    needs="repeats",
    source="Nadeau and Bengio 2003",
)
def _corrected_t_folds(basis: Basis, request: Request) -> Interval:
    """Corrected t interval with the degrees of freedom of one repeat."""
    df = len(first_repeat(basis.values, basis.repeat)) - 1
    return _student(basis.values, basis.ratio_of_sizes, "corrected-t-folds", request, basis.span, df)


@method(
    "corrected-t-once",
    title="corrected t interval for the first repeat",
    needs="repeats",
    source="Nadeau and Bengio 2003",
)
def _corrected_t_once(basis: Basis, request: Request) -> Interval:
    """Corrected t interval for the first repeat alone."""
    values = first_repeat(basis.values, basis.repeat)
    return _student(values, basis.ratio_of_sizes, "corrected-t-once", request, basis.span)


@dataclass(frozen=True)
class MeanOfValues(Basis):
    """The mean of one value per split.

    ``overlap`` says whether training sets share cases, and ``repeat`` is the repeat of each value. ``chosen`` is the
    default method; if this is empty, the default depends on the splits.
    """

    values: Floats
    overlap: bool = False
    ratio_of_sizes: float = 0.0
    span: Span = (-math.inf, math.inf)
    is_five_by_two: bool = False
    missing: str = "there is no value"  # reason for an undefined mean
    repeat: IntArray | None = None
    chosen: str = ""

    @property
    def value(self) -> float:
        return float(self.values.mean()) if len(self.values) else math.nan

    @property
    def reason(self) -> str | None:
        return None if len(self.values) else self.missing

    @property
    def offers(self) -> frozenset[str]:
        more = {"halves": self.is_five_by_two, "repeats": self.repeat is not None}
        return frozenset({"values", *(kind for kind, is_there in more.items() if is_there)})

    @property
    def default(self) -> str:
        if self.chosen:
            return self.chosen
        return "t" if not self.overlap else "corrected-t" if self.repeat is None else "cautious-t"

    @property
    def halves(self) -> Floats:
        return self.values.reshape(5, 2)

    @property
    def standard_error(self) -> float:
        if len(self.values) < 2:
            return math.nan
        if self.repeat is not None:
            return _error(self.values, cautious_ratio(self.values, self.ratio_of_sizes, self.repeat))
        return _error(self.values, self.ratio_of_sizes if self.overlap else 0.0)


def _error(values: Floats, ratio: float) -> float:
    return float(values.std(ddof=1)) * float(np.sqrt(1 / len(values) + ratio))


def _do_not_vary(values: Floats) -> bool:
    """Return whether values differ only by rounding errors."""
    return bool(np.ptp(values) <= ROUNDING * np.abs(values).max())


def _ratio(ratio: float) -> float:
    if not 0 <= as_float(ratio) < np.inf:
        must("ratio", "a number, 0 or above", given=ratio)
    return float(ratio)


def _student(
    values: Floats,
    ratio: float,
    name: str,
    request: Request,
    span: Span = (-math.inf, math.inf),
    df: int | None = None,
) -> Interval:
    df = len(values) - 1 if df is None else df
    if df < 1:
        return request.undefined(ONE_VALUE, name)
    if _do_not_vary(values):
        return request.undefined(NO_SPREAD, name)
    from scipy.special import stdtrit

    spread = -float(stdtrit(df, request.alpha)) * _error(values, ratio)
    return request.close(float(values.mean()) - spread, float(values.mean()) + spread, name, span)


@shared_texts
def mean_z(
    values: ArrayLike, sigma: float | None = None, confidence: float = 0.95, side: str = "two-sided"
) -> Interval:
    """Normal interval for a mean.

    Parameters
    ----------
    values
        Independent numbers.
    sigma
        Their known standard deviation. The default is the sample standard deviation, suitable for large samples.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the mean.

    Examples
    --------
    >>> from howsure.intervals import mean_z
    >>> print(mean_z([0.81, 0.79, 0.84, 0.80, 0.78], sigma=0.02))
    [0.786, 0.822]
    """
    data, request = finite_values(values), Request(confidence, side)
    if sigma is not None and not 0 < as_float(sigma) < np.inf:
        must("sigma", "a number above 0", given=sigma)
    if sigma is None and len(data) < 2:
        return request.undefined(ONE_VALUE, "z")
    if sigma is None and _do_not_vary(data):
        return request.undefined(NO_SPREAD, "z")
    deviation = float(data.std(ddof=1)) if sigma is None else float(sigma)
    spread = z_value(request.alpha) * deviation / float(np.sqrt(len(data)))
    return request.close(float(data.mean()) - spread, float(data.mean()) + spread, "z")


def finite_values(values: ArrayLike) -> Floats:
    data = numbers("values", values)
    if data.ndim != 1 or not len(data):
        raise HowsureError(f"`values` must be a sequence of numbers, not an array of shape {data.shape}.")
    if not np.isfinite(data).all():
        raise HowsureError(f"`values` must be finite, not {data[~np.isfinite(data)][0]}.")
    check_size("values", data)
    return data
