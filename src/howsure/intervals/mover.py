"""MOVER: the method of variance estimates recovery (Zou and Donner 2008).

A measure f of independent counts c_1, ..., c_m, with confidence limits l_i and u_i, has the limits

    f - sqrt(sum min(f(l_i) - f, f(u_i) - f, 0)²)   and   f + sqrt(sum max(f(l_i) - f, f(u_i) - f, 0)²),

where f(l_i) is the measure with count i at its lower limit and all others as observed. Unlike the delta method, MOVER
evaluates the measure at the limits, so intervals are asymmetric for rare classes and near the ends of the range.
"""

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
    """A value, and its values with each count at its limits.

    The last two axes of ``ends`` are the counts and their two limits; leading axes index a batch of tables.
    ``rest`` is added to the squares of both distances.
    """

    value: Array
    ends: Array
    rest: Array


@dataclass(frozen=True)
class Reach:
    """Confidence limits for counts out of ``n`` cases, with error ``alpha``."""

    alpha: float
    n: float

    @cached_property
    def z(self) -> float:
        """The normal quantile, with the first term of Student's t for few cases."""
        z = z_value(self.alpha)
        return z * (1 + (z * z + 1) / (4 * max(self.n - 1, 1)))

    def ends(self, count: Array) -> tuple[Array, Array]:
        """Return Wilson's limits for the mean of a count; exact for small counts."""
        # Wilson's limits for the proportion of a rare event, times n: c + z²/2 ± z sqrt(c + z²/4). As for proportions
        # (`modified_wilson`), the lower limit for counts up to 3 is the exact one for a Poisson variable.
        z = self.z
        centre, spread = count + z * z / 2, z * np.sqrt(count + z * z / 4)
        low = np.minimum(centre - spread, few_bound(count, few_ends(self.alpha)))
        return np.where(count == 0, 0.0, low), centre + spread


@method(
    "mover",
    title="variance recovered from the bounds for each count",
    needs="counts",
    source="Zou and Donner 2008, with Wilson's bounds for each count, exact if it is small",
)
def _mover(basis: Basis, request: Request) -> Interval:
    """Sum of the squared changes in the value with each count at its limits.

    Unlike the delta method, this gives asymmetric intervals for rare classes and near the ends of the range.
    """
    if basis.lacking:
        return request.undefined(basis.lacking, "mover")
    low, high = mover_bounds(basis.moved(Reach(request.alpha, basis.cases)), basis.span)
    if high - low < NO_SPREAD:
        return basis.without_spread(request)
    return request.close(scalar(low), scalar(high), "mover", basis.span)


def mover_bounds(moved: Moved, span: Span) -> tuple[Array, Array]:
    """Return both limits, on the log scale for ratios (0 to infinity)."""
    if span[0] == 0 and math.isinf(span[1]):
        low, high = _ratio_bounds(moved)
    else:
        changes = np.nan_to_num(moved.ends - moved.value[..., None, None])
        down, up = _distances(changes, moved.rest)
        low, high = moved.value - down, moved.value + up
    return np.clip(low, *span), np.clip(high, *span)


def _ratio_bounds(moved: Moved) -> tuple[Array, Array]:
    with np.errstate(divide="ignore"):
        changes = np.log(moved.ends) - np.log(moved.value)[..., None, None]
    fewer, more = changes[..., 0], changes[..., 1]
    # If a count of 0 leads to 0 / 0, the change is infinite, in the direction opposite to that of a larger count.
    changes = np.stack([np.where(np.isnan(fewer), np.where(more > 0, -math.inf, math.inf), fewer), more], axis=-1)
    down, up = _distances(changes, moved.rest / moved.value**2)
    with np.errstate(over="ignore"):
        return moved.value * np.exp(-down), moved.value * np.exp(up)


def _distances(changes: Array, rest: Array) -> tuple[Array, Array]:
    """Return the distances from the value to its limits."""
    down, up = np.minimum(changes.min(-1), 0), np.maximum(changes.max(-1), 0)
    return np.sqrt((down**2).sum(-1) + rest), np.sqrt((up**2).sum(-1) + rest)
