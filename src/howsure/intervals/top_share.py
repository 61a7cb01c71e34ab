"""Intervals for the gain and the lift.

The gain is the share of all positives that are among the cases with the highest scores. If a share a of the top cases
and a share b of the rest are positive, the gain at depth d is 1 / (1 + (1 - d) b / (d a)). So its interval follows from
that for the ratio b / a of two independent proportions (MOVER, Donner and Zou 2012). The score at the cutoff is also
estimated, which adds to the variance if cases at the cutoff differ from those above and below.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from howsure.intervals.auc import too_few
from howsure.intervals.crossing import wilson_ends
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval

MINIMUM = 10  # minimum number of cases of each class for an interval
PRIOR_CASES = 2.0  # number of pseudo-cases at the cutoff, half of them like those above and half like those below
CLIFF = 0.25  # if the share of positives drops by more than this at the cutoff, a bend of the gain is assumed


@dataclass(frozen=True)
class TopShare:
    """The gain as a function of depth; the estimate is scale * gain(depth)."""

    gain: Callable[[float], float]
    depth: float
    n_positive: float
    n_negative: float
    scale: float = 1.0

    @property
    def n(self) -> float:
        return self.n_positive + self.n_negative

    @property
    def hits(self) -> float:
        """The number of positives among the top cases."""
        return self.gain(self.depth) * self.n_positive

    def share_between(self, low: float, high: float) -> float:
        """Return the share of positives between two depths."""
        low, high = max(low, 0.0), min(high, 1.0)
        return (self.gain(high) - self.gain(low)) * self.n_positive / max((high - low) * self.n, 1e-12)


@method("mover-top", title="ratio of two shares", needs="top share", source="Donner and Zou 2012")
def _mover_top(basis: Basis, request: Request) -> Interval:
    """Ratio of the shares of positives above and below the cutoff (MOVER)."""
    top: TopShare = basis.evidence
    if min(top.n_positive, top.n_negative) < MINIMUM:
        reason = too_few(top.n_positive, top.n_negative, "the gain or lift", MINIMUM)
        return request.undefined(reason, "mover-top")
    if top.depth >= 1:
        note = "all cases are among the top cases, so the value is exact"
        return request.close(top.scale, top.scale, "mover-top", basis.span, (note,))
    low, high = _gain_interval(top, request)
    window = _window(top)
    above, below = (top.share_between(top.depth + a * window, top.depth + b * window) for a, b in ((-1, 0), (0, 1)))
    if above - below > CLIFF:  # the gain is not linear near the cutoff, so also move the cutoff by z errors
        shift = z_value(request.alpha) * math.sqrt(top.depth * (1 - top.depth) / top.n)
        low, high = min(low, top.gain(max(top.depth - shift, 0.0))), max(high, top.gain(min(top.depth + shift, 1.0)))
    return request.close(top.scale * low, top.scale * high, "mover-top", basis.span)


def _gain_interval(top: TopShare, request: Request) -> Span:
    upper, lower = top.depth * top.n, (1 - top.depth) * top.n
    hits, missed = top.hits, top.n_positive - top.hits
    factor = _variance_factor(top)
    of_top = hits / upper, *share_ends(hits / upper, upper / factor, request)
    of_rest = missed / lower, *share_ends(missed / lower, lower / factor, request)
    odds = (1 - top.depth) / top.depth
    if hits <= 0:
        least, most = ratio_interval(of_top, of_rest)
        return (1 / (1 + odds / least) if least > 0 else 0.0), 1 / (1 + odds / most)
    least, most = ratio_interval(of_rest, of_top)
    return 1 / (1 + odds * most), 1 / (1 + odds * least)


def share_ends(share: float, n: float, request: Request) -> Span:
    """Return Wilson's limits for a share; the lower is at most Clopper-Pearson's."""
    # Wilson's lower limit is too high for a single positive if less than one is expected.
    from scipy.special import betaincinv

    low, high = wilson_ends(share, n, z_value(request.alpha))
    hits = share * n
    return (min(low, float(betaincinv(hits, n - hits + 1, request.alpha))) if hits > 0 else 0.0), high


def _window(top: TopShare) -> float:
    """Return the half-width of the window around the cutoff, as a depth."""
    return max(2.0, round(math.pow(top.n, 0.6) / 2)) / top.n


def _variance_factor(top: TopShare) -> float:
    """Return the variance of log(b / a) relative to that with a fixed cutoff."""
    depth, n, window = top.depth, top.n, _window(top)
    a = (top.hits + 0.5) / (depth * n + 1)
    b = (top.n_positive - top.hits + 0.5) / ((1 - depth) * n + 1)
    cases = (min(depth + window, 1.0) - max(depth - window, 0.0)) * n
    at_cut = top.share_between(depth - window, depth + window) * cases + PRIOR_CASES * (a + b) / 2
    at_cut /= cases + PRIOR_CASES
    odds = math.sqrt((1 - depth) / depth)
    of_cut = (
        (a - at_cut) / a * odds - (at_cut - b) / b / odds
    ) ** 2  # delta method; the variance of the depth is d (1 - d) / n
    return 1 + of_cut / ((1 - a) / a / depth + (1 - b) / b / (1 - depth))


Part = tuple[float, float, float]  # a share and both ends of its interval


def ratio_interval(numerator: Part, denominator: Part) -> Span:
    """Return MOVER limits for a ratio of two shares (Donner and Zou 2012)."""
    (p, low_p, high_p), (q, low_q, high_q) = numerator, denominator
    product = p * q

    def limit(sign: float, of_p: float, of_q: float) -> float:
        under = max(product**2 - of_p * of_q * (2 * p - of_p) * (2 * q - of_q), 0.0)
        bottom = of_q * (2 * q - of_q)
        return (product + sign * math.sqrt(under)) / bottom if abs(bottom) > 1e-15 else math.inf

    low = limit(-1, low_p, high_q)
    return (max(low, 0.0) if math.isfinite(low) else 0.0), (limit(1, high_p, low_q) if low_q > 1e-12 else math.inf)
