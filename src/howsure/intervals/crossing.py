"""Intervals for the Kolmogorov-Smirnov distance and the equal error rate.

Both statistics are optimised over all thresholds, so bootstrap replicates are biased: the largest distance in a sample
is too large on average. Instead, the intervals invert an approximation of the distribution of the statistic. The
coverage is in docs/decisions/2026-11-18-score-intervals.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from howsure.intervals.auc import MIN_OF_A_CLASS, student, too_few
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.intervals.roots import bisect
from howsure.results import Interval

# Bias and standard deviation of the observed distance on the arcsine scale, in standard errors of a difference between
# two proportions. In these units both depend only on the true distance D. Fitted to simulated normal scores:
# bias = 1.68 (1 + 4.28 D)^-0.28, standard deviation = 0.96 - 0.44 exp(-D / 1.9).
EXCESS, EXCESS_RATE, EXCESS_POWER = 1.68, 4.28, -0.28
SPREAD, SPREAD_LOST, SPREAD_RATE = 0.96, 0.44, 1.9
TURN = 0.5  # smallest true distance of the search, below which the lower quantile is not monotone
WINDOW = 0.4  # width of the window in which slopes are estimated, as a difference between the error rates
PRIOR_CASES = 2.0  # number of pseudo-cases in the window, with equal slopes
CAUTION = 0.5  # number of standard errors by which the slope is shifted, so that the rarer class counts more


@dataclass(frozen=True)
class Crossing:
    """The crossing of two error rates, and the cases near it."""

    value: float
    n_positive: float
    n_negative: float
    near_positive: float  # positives with scores near the crossing
    near_negative: float


@dataclass(frozen=True)
class Distance:
    """The largest distance between two distributions, and both values there."""

    value: float
    recall: float
    false_alarms: float
    n_positive: float
    n_negative: float


@method("smirnov", title="inverted distribution of the largest distance", needs="distance", source="Smirnov 1939")
def _smirnov(basis: Basis, request: Request) -> Interval:
    """Distances not rejected; these include 0 unless Smirnov's test rejects it."""
    distance: Distance = basis.evidence
    n_p, n_q = distance.n_positive, distance.n_negative
    if min(n_p, n_q) < MIN_OF_A_CLASS:
        return request.undefined(too_few(n_p, n_q, "the largest distance"), "smirnov")
    from scipy.special import kolmogi

    scale = 2 * math.sqrt(n_p * n_q / (n_p + n_q))
    end, z, step = scale * math.pi / 2, z_value(request.alpha), 0.5 / min(n_p, n_q)
    wider = _spread_beyond(distance)

    def sample(true: float, sign: float) -> float:
        """Return the lower (-1) or upper (1) quantile of the observed distance."""
        excess = EXCESS * math.pow(1 + EXCESS_RATE * true, EXCESS_POWER)
        return true + excess + sign * z * wider * (SPREAD - SPREAD_LOST * math.exp(-true / SPREAD_RATE))

    observed = scale * math.asin(min(distance.value, 1.0 - step if distance.value >= 1 else 1.0))
    above = scale * math.asin(min(distance.value + step, 1.0))
    is_chance = scale * distance.value <= 2 * float(kolmogi(request.alpha))
    low = 0.0 if is_chance else bisect(lambda true: sample(true, 1) < observed, 0.0, end)
    high = bisect(lambda true: sample(true, -1) < above, TURN, max(TURN, end))
    low, high = math.sin(min(low, observed) / scale), math.sin(min(high, end) / scale)
    return request.close(low, max(high, distance.value), "smirnov", basis.span)


def _spread_beyond(distance: Distance) -> float:
    """Return the error relative to that for shares near 1/2; at least 1."""
    n_p, n_q = distance.n_positive, distance.n_negative
    recall = (distance.recall * n_p + 1) / (n_p + 2)
    false_alarms = (distance.false_alarms * n_q + 1) / (n_q + 2)
    variance = recall * (1 - recall) / n_p + false_alarms * (1 - false_alarms) / n_q
    symmetric = (1 - (recall - false_alarms) ** 2) / 4 * (1 / n_p + 1 / n_q)
    return max(1.0, math.sqrt(variance / symmetric))


@method("wilson-crossing", title="Wilson's interval for an effective number of cases", needs="crossing")
def _wilson_crossing(basis: Basis, request: Request) -> Interval:
    """Wilson's interval with an effective number of cases.

    If one error rate changes, the crossing moves by the slope of the other one, divided by the sum of both slopes. The
    slopes are estimated from the cases near the crossing, and determine the variance and the effective number of cases.
    """
    crossing: Crossing = basis.evidence
    n_p, n_q = crossing.n_positive, crossing.n_negative
    least = min(n_p, n_q)
    if least < MIN_OF_A_CLASS:
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
    """Return Wilson's limits for a share; ``n`` can be any positive number."""
    part = quantile / n
    centre = share + quantile * part / 2
    reach = part * math.sqrt(max(share * (1 - share), 0.0) * n + quantile**2 / 4)
    return (centre - reach) / (1 + quantile * part), (centre + reach) / (1 + quantile * part)
