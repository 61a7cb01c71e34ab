"""Where the rising line of calibration would lie if the probabilities were right (Dimitriadis, Gneiting, Jordan 2021).

The outcomes are drawn anew by the probabilities themselves, the line is fitted to each draw, and the band holds most of
these lines at each probability. A line that leaves it says that the probabilities are off; it is no interval of the
line, whose error near its jumps follows no bootstrap.
"""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Request
from howsure.tables import ScoreTable

GROUPS = 1024  # of neighbouring probabilities, up to which the line is fitted to the draws
REPLICATES = 500


def consistency_band(table: ScoreTable, at: Array, request: Request) -> tuple[Array, Array]:
    """Give the lower and the upper end of the band at some probabilities."""
    from scipy.optimize import isotonic_regression

    probability, n = _groups(table)
    cases = np.maximum(np.round(n), 1).astype(np.int64)  # of real-valued weights, what they are worth
    rng = np.random.default_rng(request.seed)
    drawn = rng.binomial(cases, probability, (request.replicates, len(cases))) / cases
    lines = np.array([isotonic_regression(shares, weights=cases).x for shares in drawn])
    low, high = np.quantile(lines, [request.alpha, 1 - request.alpha], axis=0)
    return np.interp(at, probability, low), np.interp(at, probability, high)


def _groups(table: ScoreTable) -> tuple[Array, Array]:
    """Give the mean probability and the cases of groups of neighbours, from low to high."""
    whole = table.effective()
    total, scores = (whole.positives + whole.negatives).astype(float), whole.scores.astype(float)
    ends = np.searchsorted(-scores, -whole.thinned(GROUPS).scores.astype(float))
    starts = np.append(0, ends[:-1] + 1)
    n = np.add.reduceat(total, starts)
    used = n > 0
    mean = np.add.reduceat(total * scores, starts)[used] / n[used]
    return np.clip(mean[::-1], 0, 1), n[used][::-1]
