"""The interval of an odds ratio: the ones that a score test does not reject.

With the margins of the table as they are, one number tells all four counts that an odds ratio would lead to. Their
distance from those that were seen, over its standard error there, is the score (Cornfield 1956). Miettinen and
Nurminen (1985) have the same of two independent shares, with the factor n / (n - 1). Where a kind of error was not
made the odds ratio is infinite and the interval has no upper end. The score of a single error is too sure of itself, as
Wilson's bound of one success is: up to three, an end is no nearer than with that count at its mid-p bound.
`docs/decisions/2026-11-18-narrower-intervals.md` has the coverage.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Basis, Request, method
from howsure.intervals.proportion import FEW, few_bound, z_value
from howsure.intervals.roots import bisect_arrays
from howsure.results import Interval

ALL_ALIKE = "every case was predicted alike, so nothing is known of the odds"


@dataclass(frozen=True)
class Odds:
    """Counts of a table of two classes, or of many such tables; weights count by the cases they are worth."""

    tp: Array
    fn: Array
    fp: Array
    tn: Array

    @property
    def n(self) -> Array:
        return self.tp + self.fn + self.fp + self.tn

    @property
    def is_told(self) -> Array:
        """Tell whether cases were predicted as both classes."""
        return np.asarray((self.tp + self.fp > 0) & (self.fn + self.tn > 0))

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        """Give both ends, NaN where every case was predicted alike."""
        high = _end(self.tp, self.tn, self.fn, self.fp, self.n, alpha)
        with np.errstate(divide="ignore"):  # with hits for errors and errors for hits, the inverse has its upper end
            low = 1 / _end(self.fn, self.fp, self.tp, self.tn, self.n, alpha)
        return np.where(self.is_told, low, np.nan), np.where(self.is_told, high, np.nan)


def _end(a: Array, d: Array, b: Array, c: Array, n: Array, alpha: float) -> Array:
    """Give the upper end of a d / (b c): cases are moved from b and c to a and d until the score is the quantile."""
    room = np.minimum(b, c)
    with np.errstate(divide="ignore", invalid="ignore"):
        target = z_value(alpha) ** 2 * n / np.maximum(n - 1, 1)

        def score(part: Array) -> Array:
            way = part * room
            return np.asarray(way**2 * (1 / (a + way) + 1 / (d + way) + 1 / (b - way) + 1 / (c - way)) / target)

        way = bisect_arrays(lambda part: score(part) < 1, np.zeros(np.shape(room)), np.ones(np.shape(room))) * room
        end = (a + way) * (d + way) / ((b - way) * (c - way))
        few = [np.minimum(count, few_bound(count, few_mid_p_ends(alpha))) for count in (b, c)]
        end = np.maximum(end, a * d / np.minimum(few[0] * c, b * few[1]))
        return np.asarray(np.where(room > 0, end, np.inf))


@lru_cache(maxsize=64)
def few_mid_p_ends(alpha: float) -> tuple[float, ...]:
    """Give the mid-p lower bounds of Poisson counts from 0 to three: half of what was seen counts as more."""
    from scipy.special import pdtrc

    counts = np.arange(1, FEW + 1)

    def is_below(mean: Array) -> Array:
        return np.asarray((pdtrc(counts, mean) + pdtrc(counts - 1, mean)) / 2 < alpha)

    half = bisect_arrays(is_below, np.zeros(FEW), np.full(FEW, float(FEW)))
    return 0.0, *map(float, half)


@method(
    "cornfield",
    title="score interval of an odds ratio, wider where an error is rare",
    needs="odds",
    source="Cornfield 1956, Miettinen and Nurminen 1985",
)
def _cornfield(basis: Basis, request: Request) -> Interval:
    """Take the odds ratios that a score test does not reject, and more where up to three cases decide."""
    if basis.lacking:
        return request.undefined(basis.lacking, "cornfield")
    odds: Odds = basis.evidence
    if not odds.is_told:
        return request.undefined(ALL_ALIKE, "cornfield")
    low, high = odds.bounds(request.alpha)
    return request.close(float(low), float(high), "cornfield", basis.span)
