"""Intervals of what is read off two cumulative shares: the largest distance between them, and where they cross.

Both are chosen by looking at all thresholds, so that a resampled value is not spread about the true one: the largest
distance in a sample is too large on average. The intervals here invert how the statistic itself is distributed.
`docs/decisions/2026-11-16-score-intervals.md` has the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from howsure.intervals.auc import LEAST_OF_A_CLASS, student, too_few
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.intervals.roots import bisect
from howsure.results import Interval

# How far the distance in a sample lies above the true one, and its spread, in units of the standard error of two shares
# on the arcsine scale, where both depend on the true distance in these units alone (fitted to simulated normal scores).
EXCESS, EXCESS_RATE, EXCESS_POWER = 1.68, 4.28, -0.28
SPREAD, SPREAD_LOST, SPREAD_RATE = 0.96, 0.44, 1.9
TURN = 0.5  # below, the expected distance in a sample no longer falls with the true one
WINDOW = 0.4  # of the difference of both error rates, in which the slopes at their crossing are taken
PRIOR_CASES = 2.0  # that say that both slopes are equal
CAUTION = 0.5  # standard errors by which the slope is moved to where the rarer class counts for more


@dataclass(frozen=True)
class Crossing:
    """Where two error rates cross: their common value, the cases of both classes, and those passed about it."""

    value: float
    n_positive: float
    n_negative: float
    near_positive: float  # positives at the thresholds about the crossing
    near_negative: float


@dataclass(frozen=True)
class Distance:
    """The largest distance of two cumulative shares: its value, both shares there, and the cases of both classes."""

    value: float
    recall: float
    false_alarms: float
    n_positive: float
    n_negative: float


@method("smirnov", title="inverted distribution of the largest distance", needs="distance", source="Smirnov 1939")
def _smirnov(basis: Basis, request: Request) -> Interval:
    """Take the distances of which this one is no unusual sample; 0 is in it unless Smirnov's test rejects it."""
    distance: Distance = basis.evidence
    n_p, n_q = distance.n_positive, distance.n_negative
    if min(n_p, n_q) < LEAST_OF_A_CLASS:
        return request.undefined(too_few(n_p, n_q, "the largest distance"), "smirnov")
    from scipy.special import kolmogi

    scale = 2 * math.sqrt(n_p * n_q / (n_p + n_q))
    end, z, step = scale * math.pi / 2, z_value(request.alpha), 0.5 / min(n_p, n_q)
    wider = _spread_beyond(distance)

    def sample(true: float, sign: float) -> float:
        """A low or high distance in a sample, where the true one is this."""
        excess = EXCESS * math.pow(1 + EXCESS_RATE * true, EXCESS_POWER)
        return true + excess + sign * z * wider * (SPREAD - SPREAD_LOST * math.exp(-true / SPREAD_RATE))

    seen = scale * math.asin(min(distance.value, 1.0 - step if distance.value >= 1 else 1.0))
    above = scale * math.asin(min(distance.value + step, 1.0))
    is_chance = scale * distance.value <= 2 * float(kolmogi(request.alpha))
    low = 0.0 if is_chance else bisect(lambda true: sample(true, 1) < seen, 0.0, end)
    high = bisect(lambda true: sample(true, -1) < above, TURN, max(TURN, end))
    low, high = math.sin(min(low, seen) / scale), math.sin(min(high, end) / scale)
    return request.close(low, max(high, distance.value), "smirnov", basis.span)


def _spread_beyond(distance: Distance) -> float:
    """How much larger the error of two shares is than where they lie alike about one half, but not smaller."""
    n_p, n_q = distance.n_positive, distance.n_negative
    recall = (distance.recall * n_p + 1) / (n_p + 2)
    false_alarms = (distance.false_alarms * n_q + 1) / (n_q + 2)
    variance = recall * (1 - recall) / n_p + false_alarms * (1 - false_alarms) / n_q
    alike = (1 - (recall - false_alarms) ** 2) / 4 * (1 / n_p + 1 / n_q)
    return max(1.0, math.sqrt(variance / alike))


@method("wilson-crossing", title="Wilson's interval of an effective number of cases", needs="crossing")
def _wilson_crossing(basis: Basis, request: Request) -> Interval:
    """Take Wilson's interval of the cases that both error rates at the crossing are worth, with Student's quantile.

    An error of one rate moves the crossing by the other's share of both slopes, which is taken from the cases nearby.
    """
    crossing: Crossing = basis.evidence
    n_p, n_q = crossing.n_positive, crossing.n_negative
    least = min(n_p, n_q)
    if least < LEAST_OF_A_CLASS:
        return request.undefined(too_few(n_p, n_q, "the equal error rate"), "wilson-crossing")
    near = 1 / (1 / max(crossing.near_positive, 0.5) + 1 / max(crossing.near_negative, 0.5))
    falls, rises = crossing.near_positive / n_p, crossing.near_negative / n_q
    slope = (near * falls / max(falls + rises, 1e-12) + PRIOR_CASES / 2) / (near + PRIOR_CASES)
    error = CAUTION * math.sqrt(slope * (1 - slope) / (near + PRIOR_CASES + 1))
    slope = min(max(slope - error if n_p < n_q else slope + error, 0.0), 1.0)
    effective = 1 / (slope**2 / n_q + (1 - slope) ** 2 / n_p)
    ends = wilson_ends(crossing.value, effective, student(2 * (least - 1), request))
    return request.close(*ends, "wilson-crossing", basis.span)


def wilson_ends(share: float, n: float, quantile: float) -> Span:
    """Give both ends of Wilson's interval of a share of any number of cases, with any quantile."""
    part = quantile / n
    centre = share + quantile * part / 2
    reach = part * math.sqrt(max(share * (1 - share), 0.0) * n + quantile**2 / 4)
    return (centre - reach) / (1 + quantile * part), (centre + reach) / (1 + quantile * part)
