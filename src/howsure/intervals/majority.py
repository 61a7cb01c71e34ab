"""Intervals for the improvement over always predicting the majority class.

Compared with the baseline that always predicts class c, a classifier gains the cases of other classes that it
classifies correctly, and loses the cases of class c that it misclassifies. Both are proportions of the same cases, so
Newcombe's (1998) interval applies to their difference. The majority class is the best baseline, so the improvement over
it is the smallest of the improvements over all classes, and its limits are the smallest limits: if two classes are
about equally frequent, either may be the majority class of the population. The coverage is in
docs/decisions/2026-11-17-label-intervals.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Basis, Request, method
from howsure.intervals.proportion import exact_bounds, score_bounds, z_value
from howsure.results import Interval

Limits = tuple[Array, Array]
# The relative improvement is defined only if the sample contains minority cases, which biases their number upwards.
# For the lower limits, this number n is reduced by min(1, 3 / n).
MAX_EXCESS, EXCESS_TIMES_N = 1.0, 3.0
PAIR = 2  # maximum number of frequent classes for which the least upper limit needs no Bonferroni correction


@dataclass(frozen=True)
class Baselines:
    """Gained, lost and minority cases, with each class as the baseline.

    The estimate is (gained - lost) as a share of all cases, or of the minority cases (``relative``).
    """

    gained: Array
    lost: Array
    minority: Array
    n: float
    relative: bool


@method("mover-majority", title="least improvement over any class", needs="baselines", source="Newcombe 1998")
def _mover_majority(basis: Basis, request: Request) -> Interval:
    """Smallest limits of the improvements over every class (MOVER)."""
    low, high = least_limits(basis.evidence, request.alpha)
    few = "only one case is not of the majority class, so there is no lower bound"
    return request.close(float(low), float(high), "mover-majority", basis.span, () if np.isfinite(low) else (few,))


def least_limits(counts: Baselines, alpha: float) -> Limits:
    """Return the smallest limits over all classes as the baseline."""
    limits, candidates = (_of_minority if counts.relative else _of_all), _majority_candidates(counts, alpha)
    with np.errstate(divide="ignore", invalid="ignore"):
        low = limits(counts, alpha)[0]
        high = limits(counts, alpha if candidates <= PAIR else alpha / candidates)[1]
    return np.nanmin(low, axis=0), np.nanmin(high, axis=0)


def _majority_candidates(counts: Baselines, alpha: float) -> int:
    """Return the number of classes not significantly rarer than the majority."""
    cases = counts.n - counts.minority
    behind = cases.max() - cases
    return int((behind <= z_value(alpha) * np.sqrt(cases.max() + cases)).sum())


def _of_all(counts: Baselines, alpha: float) -> Limits:
    """Return Newcombe's limits for a difference of exclusive proportions."""
    gained, lost = counts.gained / counts.n, counts.lost / counts.n
    odds = gained * lost / np.maximum((1 - gained) * (1 - lost), np.finfo(float).tiny)
    of_gained, of_lost = (score_bounds(count, np.asarray(counts.n), alpha) for count in (counts.gained, counts.lost))
    return _difference(gained, lost, of_gained, of_lost, 2 * np.sqrt(odds))


def _of_minority(counts: Baselines, alpha: float) -> Limits:
    """Return limits for gained / minority - lost / minority."""
    # Minority and lost cases are counts from the same sample, so lost / (lost + minority) is a binomial proportion p,
    # and lost / minority is p / (1 - p). The lower limits are Wilson's; the upper limits are exact, since they depend
    # on few errors.
    minority, both = counts.minority, counts.minority + counts.lost
    excess = np.minimum(MAX_EXCESS, EXCESS_TIMES_N / minority)
    high_p = score_bounds(counts.lost, both - excess, alpha)[1]
    low_p = exact_bounds(counts.lost, both, alpha)[0]
    of_gained = score_bounds(counts.gained, minority, alpha)[0], exact_bounds(counts.gained, minority, alpha)[1]
    of_lost = low_p / (1 - low_p), np.where(minority <= excess, np.inf, high_p / (1 - high_p))
    return _difference(counts.gained / minority, counts.lost / minority, of_gained, of_lost)


def _difference(
    first: Array, second: Array, of_first: Limits, of_second: Limits, twice_r: Array | None = None
) -> Limits:
    """Return the MOVER limits for a difference, with a correlation of -r."""

    def distance(a: Array, b: Array) -> Array:
        return np.asarray(np.sqrt(a**2 + b**2 + (0 if twice_r is None else twice_r * a * b)))

    low = first - second - distance(first - of_first[0], of_second[1] - second)
    return low, first - second + distance(of_first[1] - first, second - of_second[0])
