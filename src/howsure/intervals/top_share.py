"""The interval of the share of positives that is among the cases with the highest scores.

With positives a share a of the top cases and b of the rest, the gain at depth d is 1 / (1 + (1 - d) b / (d a)): it has
the interval of a ratio of two independent shares (MOVER on the intervals of both, Donner and Zou 2012). Where the cut
lies is itself an estimate, which adds to the variance as far as cases at the cut differ from those above and below.
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

LEAST = 10  # cases of each class
PRIOR_CASES = 2.0  # at the cut, half like those above and half like those below
CLIFF = 0.25  # by which the share of positives just above the cut exceeds that just below where the gain has a bend


@dataclass(frozen=True)
class TopShare:
    """The gain at a depth; ``gain`` gives it at any depth, and the estimate is ``scale`` times it."""

    gain: Callable[[float], float]
    depth: float
    n_positive: float
    n_negative: float
    scale: float = 1.0

    @property
    def n(self) -> float:
        return self.n_positive + self.n_negative

    @property
    def found(self) -> float:
        """Positives among the top cases."""
        return self.gain(self.depth) * self.n_positive

    def share_between(self, low: float, high: float) -> float:
        """Share of positives among the cases between two depths."""
        low, high = max(low, 0.0), min(high, 1.0)
        return (self.gain(high) - self.gain(low)) * self.n_positive / max((high - low) * self.n, 1e-12)


@method("mover-top", title="ratio of two shares", needs="top share", source="Donner and Zou 2012")
def _mover_top(basis: Basis, request: Request) -> Interval:
    """Combine the intervals of the shares of positives above and below the cut: Wilson's, with exact lower ends."""
    top: TopShare = basis.evidence
    if min(top.n_positive, top.n_negative) < LEAST:
        reason = too_few(top.n_positive, top.n_negative, "a share found at a depth", LEAST)
        return request.undefined(reason, "mover-top")
    if top.depth >= 1:
        note = "every case is among them, so there is nothing to estimate"
        return request.close(top.scale, top.scale, "mover-top", basis.span, (note,))
    low, high = _gain_interval(top, request)
    window = _window(top)
    above, below = (top.share_between(top.depth + a * window, top.depth + b * window) for a, b in ((-1, 0), (0, 1)))
    if above - below > CLIFF:  # a cut a little lower or higher finds much more or less, and no straight line tells
        shift = z_value(request.alpha) * math.sqrt(top.depth * (1 - top.depth) / top.n)
        low, high = min(low, top.gain(max(top.depth - shift, 0.0))), max(high, top.gain(min(top.depth + shift, 1.0)))
    return request.close(top.scale * low, top.scale * high, "mover-top", basis.span)


def _gain_interval(top: TopShare, request: Request) -> Span:
    upper, lower = top.depth * top.n, (1 - top.depth) * top.n
    found, missed = top.found, top.n_positive - top.found
    factor = _variance_factor(top)
    of_top = found / upper, *share_ends(found / upper, upper / factor, request)
    of_rest = missed / lower, *share_ends(missed / lower, lower / factor, request)
    odds = (1 - top.depth) / top.depth
    if found <= 0:
        least, most = ratio_interval(of_top, of_rest)
        return (1 / (1 + odds / least) if least > 0 else 0.0), 1 / (1 + odds / most)
    least, most = ratio_interval(of_rest, of_top)
    return 1 / (1 + odds * most), 1 / (1 + odds * least)


def share_ends(share: float, n: float, request: Request) -> Span:
    """Give both ends of Wilson's interval of a share, the lower no higher than Clopper and Pearson's.

    Where less than one positive is expected, Wilson's lower end is too high for the one that is seen now and then.
    """
    from scipy.special import betaincinv

    low, high = wilson_ends(share, n, z_value(request.alpha))
    found = share * n
    return (min(low, float(betaincinv(found, n - found + 1, request.alpha))) if found > 0 else 0.0), high


def _window(top: TopShare) -> float:
    """How much depth to either side of the cut tells what cases are like there."""
    return max(2.0, round(math.pow(top.n, 0.6) / 2)) / top.n


def _variance_factor(top: TopShare) -> float:
    """How many times larger the variance of the logarithm of the ratio is because the cut is an estimate too."""
    depth, n, window = top.depth, top.n, _window(top)
    a = (top.found + 0.5) / (depth * n + 1)
    b = (top.n_positive - top.found + 0.5) / ((1 - depth) * n + 1)
    cases = (min(depth + window, 1.0) - max(depth - window, 0.0)) * n
    at_cut = top.share_between(depth - window, depth + window) * cases + PRIOR_CASES * (a + b) / 2
    at_cut /= cases + PRIOR_CASES
    odds = math.sqrt((1 - depth) / depth)
    of_cut = ((a - at_cut) / a * odds - (at_cut - b) / b / odds) ** 2
    return 1 + of_cut / ((1 - a) / a / depth + (1 - b) / b / (1 - depth))


Part = tuple[float, float, float]  # a share and both ends of its interval


def ratio_interval(numerator: Part, denominator: Part) -> Span:
    """Combine the intervals of two independent shares into one of their ratio (Donner and Zou 2012)."""
    (one, low_one, high_one), (two, low_two, high_two) = numerator, denominator
    product = one * two

    def end(sign: float, ours: float, theirs: float) -> float:
        under = max(product**2 - ours * theirs * (2 * one - ours) * (2 * two - theirs), 0.0)
        bottom = theirs * (2 * two - theirs)
        return (product + sign * math.sqrt(under)) / bottom if abs(bottom) > 1e-15 else math.inf

    low = end(-1, low_one, high_two)
    return (max(low, 0.0) if math.isfinite(low) else 0.0), (end(1, high_one, low_two) if low_two > 1e-12 else math.inf)
