"""Score interval for an odds ratio.

It is due to Cornfield (1956) and Miettinen and Nurminen (1985). Given the margins of the table, an odds ratio
determines all four expected counts. If each of them differs from the observed one by w cases, the score statistic is

    w² (1 / (a + w) + 1 / (d + w) + 1 / (b - w) + 1 / (c - w)) (n - 1) / n,

and the interval contains the odds ratios for which it is at most z². If there are no errors of one kind, the odds ratio
is infinite and the interval has no upper limit. Like Wilson's interval for one success, the score interval is too
narrow if an error occurs once: for counts up to 3, a limit is at least as far away as the value with this count
at its mid-p bound. The coverage is in docs/decisions/2026-11-17-label-intervals.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Basis, Request, method
from howsure.intervals.proportion import FEW, few_bound, z_value
from howsure.intervals.roots import bisect_arrays
from howsure.results import Interval

ALL_ALIKE = "all cases were predicted as the same class, so the odds are unknown"


@dataclass(frozen=True)
class Odds:
    """Counts of two-class tables; for weights, effective numbers of cases."""

    tp: Array
    fn: Array
    fp: Array
    tn: Array

    @property
    def n(self) -> Array:
        return self.tp + self.fn + self.fp + self.tn

    @property
    def is_defined(self) -> Array:
        """Whether both classes were predicted."""
        return np.asarray((self.tp + self.fp > 0) & (self.fn + self.tn > 0))

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        """Return both limits; NaN where all predictions are equal."""
        high = _end(self.tp, self.tn, self.fn, self.fp, self.n, alpha)
        with np.errstate(divide="ignore"):  # exchange hits and errors for the inverse of the lower limit
            low = 1 / _end(self.fn, self.fp, self.tp, self.tn, self.n, alpha)
        return np.where(self.is_defined, low, np.nan), np.where(self.is_defined, high, np.nan)


def _end(a: Array, d: Array, b: Array, c: Array, n: Array, alpha: float) -> Array:
    """Return the upper limit of a d / (b c)."""
    room = np.minimum(b, c)
    with np.errstate(divide="ignore", invalid="ignore"):
        target = z_value(alpha) ** 2 * n / np.maximum(n - 1, 1)

        def score(part: Array) -> Array:
            w = part * room
            return np.asarray(w**2 * (1 / (a + w) + 1 / (d + w) + 1 / (b - w) + 1 / (c - w)) / target)

        w = bisect_arrays(lambda part: score(part) < 1, np.zeros(np.shape(room)), np.ones(np.shape(room))) * room
        end = (a + w) * (d + w) / ((b - w) * (c - w))
        ends = few_mid_p_ends(alpha)
        few = [np.minimum(count, few_bound(count, ends)) for count in (b, c)]
        end = np.maximum(end, a * d / np.minimum(few[0] * c, b * few[1]))
        return np.asarray(np.where(room > 0, end, np.inf))


def few_mid_p_ends(alpha: float) -> tuple[float, ...]:
    """Return mid-p lower bounds for a Poisson mean, for counts 0 to 3."""
    from scipy.special import pdtrc

    counts = np.arange(1, FEW + 1)

    def is_below(mean: Array) -> Array:
        return np.asarray((pdtrc(counts, mean) + pdtrc(counts - 1, mean)) / 2 < alpha)

    half = bisect_arrays(is_below, np.zeros(FEW), np.full(FEW, float(FEW)))
    return 0.0, *map(float, half)


@method(
    "cornfield",
    title="score interval for an odds ratio, wider if an error is rare",
    needs="odds",
    source="Cornfield 1956, Miettinen and Nurminen 1985",
)
def _cornfield(basis: Basis, request: Request) -> Interval:
    """Odds ratios that the score test does not reject, wider for rare errors."""
    if basis.lacking:
        return request.undefined(basis.lacking, "cornfield")
    odds: Odds = basis.evidence
    if not odds.is_defined:
        return request.undefined(ALL_ALIKE, "cornfield")
    low, high = odds.bounds(request.alpha)
    return request.close(float(low), float(high), "cornfield", basis.span)
