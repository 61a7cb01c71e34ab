"""How wide an interval would be with more or fewer cases, and how many cases a width needs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from howsure.checks import check_confidence, check_number, whole_between
from howsure.errors import HowsureError, is_one_of, must
from howsure.intervals.declare import Basis
from howsure.present.result import Result
from howsure.present.sheet import Record
from howsure.present.value_text import number, spoken
from howsure.results import Estimate, Interval

MOST = 10**12  # cases
SIZES = 41


@dataclass(frozen=True)
class Share(Basis):
    """A share of ``n`` cases, of which no whole number need be successes."""

    value: float
    n: float
    default: str = "wilson"
    offers: frozenset[str] = frozenset({"ratio"})

    @property
    def ratio(self) -> tuple[float, float]:
        return self.value * self.n, self.n


@dataclass(frozen=True)
class Rescaled:
    """An estimate whose interval keeps its shape, and shrinks with the square root of the number of cases."""

    value: float
    at_hand: Interval
    n_at_hand: float
    n: float

    def interval(self, *_: Any) -> Interval:
        wider = np.sqrt(self.n_at_hand / self.n)
        low, high = (self.value + (end - self.value) * wider for end in self.at_hand)
        return replace(self.at_hand, low=float(low), high=float(high))


@dataclass(frozen=True, eq=False)
class IntervalWidths(Result):
    """The interval of one value for several numbers of cases.

    `widths` gives it.

    Attributes
    ----------
    what
        What the value is of.
    value
        The value, which is taken not to change.
    sizes
        Numbers of cases.
    confidence, method
        Of the intervals.
    n
        The number of cases at hand, where there is one.
    basis
        What intervals are made of.
    label
        The value and what it is of, for a chart.

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
        """Give the interval with ``n`` cases.

        Parameters
        ----------
        n
            A number of cases.
        """
        interval: Interval = self.basis(n).interval(self.confidence, self.method)
        return interval

    def half(self, n: float) -> float:
        """Give half the width of the interval with ``n`` cases.

        Parameters
        ----------
        n
            A number of cases.
        """
        low, high = self.interval(n)
        return (high - low) / 2

    @property
    def half_width(self) -> float:
        """Half the width at hand."""
        return float("nan") if self.n is None else self.half(self.n)

    def needed(self, half_width: float) -> int:
        """Give the least number of cases with which the interval is no wider than twice ``half_width``.

        Parameters
        ----------
        half_width
            What the interval may reach to each side.
        """
        if check_number(half_width, "half_width") <= 0:
            must("half_width", "a number above 0", given=half_width)
        low, high = 0, 1
        while self.half(high) > half_width:
            low, high = high, 2 * high
            if high > MOST:
                raise HowsureError(f"a half-width of {half_width:g} needs more than {MOST:.0e} cases.")
        return bisect_left(range(high), True, low + 1, key=lambda n: self.half(n) <= half_width)

    @property
    def title(self) -> str:
        return f"{self.label}: {100 * self.confidence:g} % interval ({self.method}) by the number of cases"

    @property
    def label(self) -> str:
        return f"{self.what} {number(self.value)}"

    @property
    def at_hand(self) -> str:
        """What there is now."""
        return "" if self.n is None else f"{self.n:g} cases: ±{number(self.half_width)}"

    def records(self) -> list[Record]:
        intervals = {n: self.interval(n) for n in self.sizes}
        return [
            {"n": n, "half_width": (one.high - one.low) / 2, "low": one.low, "high": one.high}
            for n, one in intervals.items()
        ]


def widths(
    value: Any,
    n: float | None = None,
    *,
    sizes: Iterable[int] | None = None,
    confidence: float = 0.95,
    method: str = "auto",
) -> IntervalWidths:
    """Give the width of an interval for several numbers of cases: of a share, or of an estimate as it is.

    The interval of a rate is computed anew for each number; that of any other estimate is taken to shrink with the
    square root of the number of cases.

    Parameters
    ----------
    value
        A share from 0 to 1, or an `Estimate`.
    n
        Number of cases at hand; an estimate has its own.
    sizes
        Numbers of cases; by default from a twentieth of those at hand to twenty times as many, or 10 to 100,000.
    confidence, method
        As in ``Estimate.interval``.

    Returns
    -------
    IntervalWidths
        The interval for each number of cases, and how many a width needs.

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
        at_hand = value.interval(confidence, method)
        what, n = spoken(value.name), value.n
        is_share = "ratio" in getattr(value.basis, "offers", ()) and at_hand.method in _of_shares()
        if not is_share and not np.isfinite(at_hand.low + at_hand.high):
            raise HowsureError(f"`value` must have an interval, and {value.name} has none.")
        share, how = value.value, at_hand.method
        basis = partial(Share, share) if is_share else partial(Rescaled, share, at_hand, float(value.n))
    else:
        share, how = check_number(value, "value"), "wilson" if is_one_of(method, ("auto",)) else method
        if not 0 <= share <= 1:
            must("value", "a share from 0 to 1, or an Estimate", given=value)
        basis = partial(Share, float(share))
        if n is not None and not 1 <= check_number(n, "n") <= MOST:
            must("n", f"a number of cases from 1 to {MOST:,}", given=n)
    low, high = (10.0, 1e5) if n is None else (max(n / 20, 2.0), n * 20)
    chosen: Any = np.geomspace(low, min(high, MOST), SIZES).round().astype(int) if sizes is None else sizes
    try:
        chosen = list(chosen)
    except TypeError:
        must("sizes", "numbers of cases, such as [100, 1000]", given=sizes)
    if not chosen:
        must("sizes", "numbers of cases, at least one", given=sizes)
    checked = tuple(dict.fromkeys(int(whole_between("sizes", size, 1, MOST)) for size in chosen))
    result = IntervalWidths(what, float(share), checked, confidence, how, n, basis)
    result.interval(checked[0])  # which refuses a method that does not apply
    return result


def _of_shares() -> tuple[str, ...]:
    return Share(0.5, 1).methods
