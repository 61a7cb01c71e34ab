"""Scales for the distance between settings: log sizes and log odds."""

from __future__ import annotations

import math
from collections.abc import Callable

REACH = 1.2  # largest distance to a nearby setting: a little more than half the widest step of the grid


def log_odds(share: float) -> float:
    """Return the log odds, infinite at 0 and 1."""
    return math.log(share / (1 - share)) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)


SCALES: dict[str, Callable[[float], float]] = {
    "n": math.log,
    "cases": math.log,
    "datasets": math.log,
    "clusters": math.log,
    "prevalence": log_odds,
}
