"""Intervals whose width is recovered from the bounds of each count (MOVER)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Basis, Request, Span, method, scalar
from howsure.intervals.delta import NO_SPREAD
from howsure.intervals.proportion import few_bound, few_ends, z_value
from howsure.results import Interval


@dataclass(frozen=True)
class Moved:
    """A value, what it becomes with each count at its bounds, and the variance that no count shows.

    The last two axes of ``ends`` are the counts and their two bounds; axes before them are those of a batch of tables.
    """

    value: Array
    ends: Array
    rest: Array


@dataclass(frozen=True)
class Reach:
    """How far counts may lie from their means, leaving ``alpha`` out on each side, with ``n`` cases in all."""

    alpha: float
    n: float

    @cached_property
    def z(self) -> float:
        """How many standard errors to reach: z, a little more with few cases (the first terms of Student's t)."""
        z = z_value(self.alpha)
        return z * (1 + (z * z + 1) / (4 * max(self.n - 1, 1)))

    def ends(self, count: Array) -> tuple[Array, Array]:
        """Wilson's bounds of the mean of a count: of a rare event's proportion, times the number of cases.

        As of proportions, the lower bound of so few that Wilson's is too high is the exact one of a Poisson count.
        """
        z = self.z
        centre, spread = count + z * z / 2, z * np.sqrt(count + z * z / 4)
        low = np.minimum(centre - spread, few_bound(count, few_ends(self.alpha)))
        return np.where(count == 0, 0.0, low), centre + spread


@method(
    "mover",
    title="variance recovered from the bounds of each count",
    needs="counts",
    source="Zou and Donner 2008, with Wilson's bounds of each count, exact ones of few",
)
def _mover(basis: Basis, request: Request) -> Interval:
    """Move each count to its bounds in turn, and add up the squares of what that does to the value.

    Where the delta method takes one slope for both directions, this follows the measure to where the bounds are, so
    that rare classes and values near an end get the long and the short arm that they have.
    """
    if basis.lacking:
        return request.undefined(basis.lacking, "mover")
    low, high = mover_bounds(basis.moved(Reach(request.alpha, basis.cases)), basis.span)
    if high - low < NO_SPREAD:
        return basis.without_spread(request)
    return request.close(scalar(low), scalar(high), "mover", basis.span)


def mover_bounds(moved: Moved, span: Span) -> tuple[Array, Array]:
    """Add up the squares of the ways to the ends, on the log scale for a range from 0 to infinity, as ratios have."""
    if span[0] == 0 and math.isinf(span[1]):
        low, high = _ratio_bounds(moved)
    else:
        ways = np.nan_to_num(moved.ends - moved.value[..., None, None])
        down, up = _arms(ways, moved.rest)
        low, high = moved.value - down, moved.value + up
    return np.clip(low, *span), np.clip(high, *span)


def _ratio_bounds(moved: Moved) -> tuple[Array, Array]:
    with np.errstate(divide="ignore"):
        ways = np.log(moved.ends) - np.log(moved.value)[..., None, None]
    fewer, more = ways[..., 0], ways[..., 1]
    # A ratio to a count that may be 0 has no bound on the side away from where more of that count lead.
    ways = np.stack([np.where(np.isnan(fewer), np.where(more > 0, -math.inf, math.inf), fewer), more], axis=-1)
    down, up = _arms(ways, moved.rest / moved.value**2)
    with np.errstate(over="ignore"):
        return moved.value * np.exp(-down), moved.value * np.exp(up)


def _arms(ways: Array, rest: Array) -> tuple[Array, Array]:
    """How far down and how far up: each count leads one way with its lower bound, and the other with its upper."""
    down, up = np.minimum(ways.min(-1), 0), np.maximum(ways.max(-1), 0)
    return np.sqrt((down**2).sum(-1) + rest), np.sqrt((up**2).sum(-1) + rest)
