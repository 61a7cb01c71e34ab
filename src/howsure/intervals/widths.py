"""Width of an interval as a function of the number of cases."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from howsure.checks import check_confidence, check_number, check_whole
from howsure.errors import HowsureError, is_one_of, must
from howsure.intervals.declare import Basis
from howsure.present.result import Result
from howsure.present.sheet import Record
from howsure.present.value_text import number, spoken
from howsure.results import Estimate, Interval

MAXIMUM = 10**12  # maximum number of cases
SIZES = 41  # default number of sizes, on a logarithmic scale


@dataclass(frozen=True)
class Share(Basis):
    """A share of ``n`` cases, with a real-valued number of successes."""

    value: float
    n: float
    default: str = "wilson"
    offers: frozenset[str] = frozenset({"ratio"})

    @property
    def ratio(self) -> tuple[float, float]:
        return self.value * self.n, self.n


@dataclass(frozen=True)
class Rescaled:
    """An interval with a width proportional to 1 / sqrt(number of cases)."""

    value: float
    observed: Interval
    n_observed: float
    n: float

    def interval(self, *_: Any) -> Interval:
        factor = np.sqrt(self.n_observed / self.n)
        low, high = (self.value + (end - self.value) * factor for end in self.observed)
        return replace(self.observed, low=float(low), high=float(high))


@dataclass(frozen=True, eq=False)
class IntervalWidths(Result):
    """The interval for a value with different numbers of cases.

    This is the result of `widths`.

    Attributes
    ----------
    what
        The name of the quantity.
    value
        The value, which is assumed not to change.
    sizes
        Numbers of cases.
    confidence, method
        The confidence and the method of the intervals.
    n
        The current number of cases, or None.
    basis
        A function that returns the basis of the interval for a number of cases.
    label
        The quantity and its value, for charts.

    Examples
    --------
    >>> from howsure.intervals import widths
    >>> several = widths(0.9, 100, sizes=[100, 400])
    >>> print(several.interval(400), round(several.half(400), 3))
    [0.867, 0.926] 0.03
    >>> several.needed(0.01)
    3461
    """

    what: str
    value: float
    sizes: tuple[int, ...]
    confidence: float
    method: str
    n: float | None
    basis: Any = field(repr=False)

    def interval(self, n: float) -> Interval:
        """Return the interval for ``n`` cases.

        Parameters
        ----------
        n
            A number of cases.
        """
        interval: Interval = self.basis(n).interval(self.confidence, self.method)
        return interval

    def half(self, n: float) -> float:
        """Return half the width of the interval for ``n`` cases.

        Parameters
        ----------
        n
            A number of cases.
        """
        low, high = self.interval(n)
        return (high - low) / 2

    @property
    def half_width(self) -> float:
        """Half the current width."""
        return float("nan") if self.n is None else self.half(self.n)

    def needed(self, half_width: float) -> int:
        """Return the smallest number of cases for a given half-width.

        Parameters
        ----------
        half_width
            Half the largest acceptable width of the interval.
        """
        if check_number(half_width, "half_width") <= 0:
            must("half_width", "a number above 0", given=half_width)
        low, high = 0, 1
        while self.half(high) > half_width:
            low, high = high, 2 * high
            if high > MAXIMUM:
                raise HowsureError(f"a half-width of {half_width:g} needs more than {MAXIMUM:.0e} cases.")
        return bisect_left(range(high), True, low + 1, key=lambda n: self.half(n) <= half_width)

    @property
    def title(self) -> str:
        return f"{self.label}: {100 * self.confidence:g} % interval ({self.method}) by the number of cases"

    @property
    def label(self) -> str:
        return f"{self.what} {number(self.value)}"

    @property
    def at_hand(self) -> str:
        """The current number of cases and half-width."""
        return "" if self.n is None else f"{self.n:g} cases: ±{number(self.half_width)}"

    def records(self) -> list[Record]:
        intervals = {n: self.interval(n) for n in self.sizes}
        return [
            {"n": n, "half_width": (interval.high - interval.low) / 2, "low": interval.low, "high": interval.high}
            for n, interval in intervals.items()
        ]


def widths(
    value: Any,
    n: float | None = None,
    *,
    sizes: Iterable[int] | None = None,
    confidence: float = 0.95,
    method: str = "auto",
) -> IntervalWidths:
    """Return the width of an interval for different numbers of cases.

    The interval for a proportion is computed for each number of cases. The width of intervals for other estimates is
    assumed to be proportional to 1 / sqrt(number of cases).

    Parameters
    ----------
    value
        A share from 0 to 1, or an `Estimate`.
    n
        The current number of cases; not needed for an estimate, which has its own.
    sizes
        Numbers of cases. By default they range from ``n / 20`` to ``20 * n``, or from 10 to 100,000 without ``n``.
    confidence, method
        As in ``Estimate.interval``.

    Returns
    -------
    IntervalWidths
        The intervals, and the number of cases needed for a width.

    Examples
    --------
    >>> from howsure.intervals import widths
    >>> planned = widths(0.9)
    >>> planned.needed(0.02)
    868
    >>> [round(record["half_width"], 3) for record in widths(0.9, sizes=[100, 1000]).records()]
    [0.06, 0.019]
    """
    confidence = check_confidence(confidence)
    what = "share"
    if isinstance(value, Estimate):
        if value.undefined or not value.n:
            raise HowsureError(f"`value` must have a value, and {value.name} is undefined: {value.undefined}.")
        observed = value.interval(confidence, method)
        what, n = spoken(value.name), value.n
        is_share = "ratio" in getattr(value.basis, "offers", ()) and observed.method in _of_shares()
        if not is_share and not np.isfinite(observed.low + observed.high):
            raise HowsureError(f"`value` must have an interval, and {value.name} has none.")
        share, how = value.value, observed.method
        basis = partial(Share, share) if is_share else partial(Rescaled, share, observed, float(value.n))
    else:
        share, how = check_number(value, "value"), "wilson" if is_one_of(method, ("auto",)) else method
        if not 0 <= share <= 1:
            must("value", "a share from 0 to 1, or an Estimate", given=value)
        basis = partial(Share, float(share))
        if n is not None and not 1 <= check_number(n, "n") <= MAXIMUM:
            must("n", f"a number of cases from 1 to {MAXIMUM:,}", given=n)
    low, high = (10.0, 1e5) if n is None else (max(n / 20, 2.0), n * 20)
    chosen: Any = np.geomspace(low, min(high, MAXIMUM), SIZES).round().astype(int) if sizes is None else sizes
    try:
        chosen = list(chosen)
    except TypeError:
        must("sizes", "numbers of cases, such as [100, 1000]", given=sizes)
    if not chosen:
        must("sizes", "at least one number of cases", given=sizes)
    checked = tuple(dict.fromkeys(int(check_whole("sizes", size, 1, MAXIMUM)) for size in chosen))
    result = IntervalWidths(what, float(share), checked, confidence, how, n, basis)
    result.interval(checked[0])  # raises an error if the method does not apply
    return result


def _of_shares() -> tuple[str, ...]:
    return Share(0.5, 1).methods
