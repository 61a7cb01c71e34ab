"""Intervals of how much better a classifier is than always predicting the most frequent class.

With one class as the baseline, what counts are cases of other classes that are found (the baseline gets them wrong) and
cases of that class that are missed (it gets them right): two shares of the same cases. The baseline of the most
frequent class is the best one, so the improvement over it is the least of the improvements over all classes, and both
ends are the least of theirs: where two classes are about equally frequent, either may be the majority of the
population. `docs/decisions/2026-11-16-label-intervals.md` has the coverage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Basis, Request, method
from howsure.intervals.proportion import exact_bounds, score_bounds, z_value
from howsure.results import Interval

Ends = tuple[Array, Array]
# Cases that a sample of few others holds more than expected: there is a value only because one of them was drawn.
DRAWN, WORTH = 1.0, 3.0  # at most so many; and this over the number of others, so that it fades
PAIR = 2  # of classes about equally frequent, for which the least of two upper ends was measured to hold as it is


@dataclass(frozen=True)
class Baselines:
    """Each class as the baseline: cases of others that are found, cases of it that are missed, and all of others.

    The estimate is the difference of the first two as a share of the cases, or of those of others (``of_others``).
    """

    found: Array
    missed: Array
    others: Array
    n: float
    of_others: bool


@method("mover-majority", title="least improvement over each class", needs="baselines", source="Newcombe 1998")
def _mover_majority(basis: Basis, request: Request) -> Interval:
    """Combine the bounds of both shares with each class as the baseline, and take the least ends."""
    seen: Baselines = basis.evidence
    low, high = least_ends(seen, request.alpha)
    few = "one case of all other classes does not tell how rare they are, so there is no lower bound"
    return request.close(float(low), float(high), "mover-majority", basis.span, () if np.isfinite(low) else (few,))


def least_ends(seen: Baselines, alpha: float) -> Ends:
    """Give the least ends over the classes. The more of these may be the majority, the more upper ends may fail."""
    ends, rivals = (_of_others if seen.of_others else _of_all), _rivals(seen, alpha)
    with np.errstate(divide="ignore", invalid="ignore"):
        low = ends(seen, alpha)[0]
        high = ends(seen, alpha if rivals <= PAIR else alpha / rivals)[1]
    return np.nanmin(low, axis=0), np.nanmin(high, axis=0)


def _rivals(seen: Baselines, alpha: float) -> int:
    """How many classes are about as frequent as the most frequent one."""
    cases = seen.n - seen.others
    behind = cases.max() - cases
    return int((behind <= z_value(alpha) * np.sqrt(cases.max() + cases)).sum())


def _of_all(seen: Baselines, alpha: float) -> Ends:
    """Newcombe's interval of the difference of two shares of the same cases, which exclude each other."""
    found, missed = seen.found / seen.n, seen.missed / seen.n
    odds = found * missed / np.maximum((1 - found) * (1 - missed), np.finfo(float).tiny)
    of_found, of_missed = (score_bounds(count, np.asarray(seen.n), alpha) for count in (seen.found, seen.missed))
    return _difference(found, missed, of_found, of_missed, 2 * np.sqrt(odds))


def _of_others(seen: Baselines, alpha: float) -> Ends:
    """Subtract from the share of others that is found the number that is missed for each of them.

    Others and missed cases are counts of one sample, so that the share of one in both is a binomial one. The lower
    ends are Wilson's and allow for that others had to be drawn at all: one of them tells nothing of how rare they are.
    The upper ends are exact, as few errors decide them.
    """
    others, both = seen.others, seen.others + seen.missed
    drawn = np.minimum(DRAWN, WORTH / others)
    rarer = score_bounds(seen.missed, both - drawn, alpha)[1]
    exact = exact_bounds(seen.missed, both, alpha)[0]
    of_found = score_bounds(seen.found, others, alpha)[0], exact_bounds(seen.found, others, alpha)[1]
    of_missed = exact / (1 - exact), np.where(others <= drawn, np.inf, rarer / (1 - rarer))
    return _difference(seen.found / others, seen.missed / others, of_found, of_missed)


def _difference(one: Array, two: Array, of_one: Ends, of_two: Ends, against: Array | None = None) -> Ends:
    """Recover the variance of a difference from the bounds of both parts; ``against`` is twice how they exclude."""

    def arm(a: Array, b: Array) -> Array:
        return np.asarray(np.sqrt(a**2 + b**2 + (0 if against is None else against * a * b)))

    low = one - two - arm(one - of_one[0], of_two[1] - two)
    return low, one - two + arm(of_one[1] - one, two - of_two[0])
