"""The interval of a loss that is divided by that of guessing, and so varies with the shares of the classes.

The mean loss of positives, that of negatives and the share of positives are independent of each other. Each is moved to
the ends of its own interval, and the squares of what that does to the value are added up (MOVER, Zou and Donner 2008).
So the long arm is where few cases of a class leave room. `docs/decisions/2026-11-16-score-intervals.md` has the
coverage.
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

BELIEVED = 1.5  # cases added with the outcomes that probabilities say: fewer than to a mean over both classes
BEYOND = 0.5  # case of the smallest or the largest loss, which a class of few cases may not show
SHOWING = 3.0  # cases of a class that show how far its losses go; of fewer they may go from 0 to 1
UNIT: Span = (0.0, 1.0)


@dataclass(frozen=True)
class Losses:
    """Losses from 0 to 1, the cases that have each, and the squares of their weights."""

    losses: Array
    cases: Array
    squares: Array

    @property
    def mean(self) -> float:
        return float((self.cases * self.losses).sum() / self.cases.sum())

    def ends(self, z: float) -> Span:
        """Give the interval of the mean, with a part of a case beyond either end."""
        return self._end(0, z), self._end(1, z)

    def _end(self, side: int, z: float) -> float:
        seen = self.losses[self.cases > 0]  # no score of cases without weight
        shows = float(self.cases.sum()) >= SHOWING
        beyond = float((seen.min(), seen.max())[side]) if shows else float(side)
        n = float(self.cases.sum()) + BEYOND
        mean = (float((self.cases * self.losses).sum()) + BEYOND * beyond) / n
        squares = float((self.squares * (self.losses - mean) ** 2).sum()) + BEYOND * (beyond - mean) ** 2
        error = math.sqrt(squares / n / (max(n, 1.5) - 1))  # half a case more than one at least
        return min(max(on_cube_roots(mean, z * error, UNIT)[side], 0.0), 1.0)


@dataclass(frozen=True)
class RelativeLoss:
    """The losses of both classes, the share of positives, and the value by this share and the mean losses."""

    n: float
    share: float
    positives: Losses
    negatives: Losses
    value: Callable[[float, float, float], float]  # of the share of positives, their mean loss, and that of negatives

    def shares(self, alpha: float) -> tuple[float, ...]:
        """Give the ends of the share of positives, and where between them the value is least.

        Where guessing has the shares of the cases, the value is a / (1 - share) + b / share, or the root of it, with
        the mean losses a and b of both classes. A classifier at chance has its least value, so that both ends of the
        share lead upwards from there, and no first derivative tells how far the value varies.
        """
        low, high = map(float, modified_bounds(np.array(self.share * self.n), np.array(self.n), alpha))
        a, b = math.sqrt(self.positives.mean), math.sqrt(self.negatives.mean)
        turn = b / (a + b) if a + b > 0 else self.share
        return low, min(max(turn, low), high), high


@method("mover-loss", title="variance recovered from each class's loss and share", needs="relative loss")
def _mover_loss(basis: Basis, request: Request) -> Interval:
    """Move the share of positives and the mean loss of either class to its ends, and add up the squares."""
    seen: RelativeLoss = basis.evidence
    z = z_value(request.alpha)
    means = seen.share, seen.positives.mean, seen.negatives.mean
    every = seen.shares(request.alpha), seen.positives.ends(z), seen.negatives.ends(z)
    value = seen.value(*means)
    down = up = 0.0
    for place, ends in enumerate(every):
        moves = [seen.value(*(*means[:place], end, *means[place + 1 :])) - value for end in ends]
        down, up = down + min(*moves, 0.0) ** 2, up + max(*moves, 0.0) ** 2
    return request.close(value - math.sqrt(down), value + math.sqrt(up), "mover-loss", basis.span)
