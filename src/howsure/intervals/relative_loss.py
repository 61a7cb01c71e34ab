"""Interval for a relative loss.

A relative loss is a mean loss divided by that of predicting the class proportions for every case. The value is a
function of three independent estimates: the mean loss of positives, that of negatives, and the share of positives. Each
is moved to the limits of its own interval, and the squared changes of the value are added up (MOVER, Zou and Donner
2008). The constants were chosen by simulation; the coverage is in docs/decisions/2026-11-18-score-intervals.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import modified_bounds, z_value
from howsure.intervals.smoothed import on_cube_roots
from howsure.results import Interval

PSEUDO_CASES = 1.5  # weight of the pseudo-cases whose outcomes follow the probabilities (see `smoothed`)
BEYOND = 0.5  # weight of a pseudo-case with the smallest or largest loss, on the side of the limit
SHOWING = 3.0  # with at least this many cases, the smallest and largest losses are those observed, otherwise 0 and 1
UNIT: Span = (0.0, 1.0)


@dataclass(frozen=True)
class Losses:
    """Losses between 0 and 1, with their numbers of cases and squared weights."""

    losses: Array
    cases: Array
    squares: Array

    @property
    def mean(self) -> float:
        return float((self.cases * self.losses).sum() / self.cases.sum())

    def ends(self, z: float) -> Span:
        """Return the limits of the mean loss."""
        return self._end(0, z), self._end(1, z)

    def _end(self, side: int, z: float) -> float:
        losses = self.losses[self.cases > 0]
        is_observed = float(self.cases.sum()) >= SHOWING
        beyond = float((losses.min(), losses.max())[side]) if is_observed else float(side)
        n = float(self.cases.sum()) + BEYOND
        mean = (float((self.cases * self.losses).sum()) + BEYOND * beyond) / n
        squares = float((self.squares * (self.losses - mean) ** 2).sum()) + BEYOND * (beyond - mean) ** 2
        error = math.sqrt(squares / n / (max(n, 1.5) - 1))  # n - 1 is at least 1/2
        return min(max(on_cube_roots(mean, z * error, UNIT)[side], 0.0), 1.0)


@dataclass(frozen=True)
class RelativeLoss:
    """The losses of both classes, and the measure as a function of them."""

    n: float
    share: float
    positives: Losses
    negatives: Losses
    value: Callable[[float, float, float], float]  # of the share of positives and the mean loss of each class

    def shares(self, alpha: float) -> tuple[float, ...]:
        """Return the limits of the share of positives, and the minimiser of the value."""
        # If the class proportions are the prediction, the value is a / (1 - share) + b / share, or its root, where a
        # and b are the mean losses of the two classes. The share at which the derivative is 0 is also tried.
        low, high = map(float, modified_bounds(np.array(self.share * self.n), np.array(self.n), alpha))
        a, b = math.sqrt(self.positives.mean), math.sqrt(self.negatives.mean)
        turn = b / (a + b) if a + b > 0 else self.share
        return low, min(max(turn, low), high), high


@method(
    "mover-loss", title="variance recovered from the losses of both classes and their shares", needs="relative loss"
)
def _mover_loss(basis: Basis, request: Request) -> Interval:
    """Sum of the squared changes with each estimate at its limits (MOVER)."""
    loss: RelativeLoss = basis.evidence
    z = z_value(request.alpha)
    parts = loss.share, loss.positives.mean, loss.negatives.mean
    limits = loss.shares(request.alpha), loss.positives.ends(z), loss.negatives.ends(z)
    value = loss.value(*parts)
    down = up = 0.0
    for index, ends in enumerate(limits):
        changes = [loss.value(*(*parts[:index], end, *parts[index + 1 :])) - value for end in ends]
        down, up = down + min(*changes, 0.0) ** 2, up + max(*changes, 0.0) ** 2
    return request.close(value - math.sqrt(down), value + math.sqrt(up), "mover-loss", basis.span)
