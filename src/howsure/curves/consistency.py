"""Consistency band of isotonic calibration.

Outcomes are simulated from the predicted probabilities, an isotonic regression is fitted to each simulation, and the
band contains most of these lines at each probability (Dimitriadis, Gneiting and Jordan 2021). A calibration curve that
leaves the band shows miscalibration. The band is not a confidence interval for the curve: the bootstrap fails near the
jumps of isotonic regression.
"""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Request
from howsure.tables import ScoreTable

GROUPS = 1024  # number of groups of neighbouring probabilities; outcomes are simulated per group
REPLICATES = 500


def consistency_band(table: ScoreTable, at: Array, request: Request) -> tuple[Array, Array]:
    """Return the ends of the band at the probabilities ``at``."""
    from scipy.optimize import isotonic_regression

    probability, n = _groups(table)
    cases = np.maximum(np.round(n), 1).astype(np.int64)  # effective numbers for real-valued weights
    rng = np.random.default_rng(request.seed)
    drawn = rng.binomial(cases, probability, (request.replicates, len(cases))) / cases
    lines = np.array([isotonic_regression(shares, weights=cases).x for shares in drawn])
    low, high = np.quantile(lines, [request.alpha, 1 - request.alpha], axis=0)
    return np.interp(at, probability, low), np.interp(at, probability, high)


def _groups(table: ScoreTable) -> tuple[Array, Array]:
    """Return the mean probability and number of cases of each group."""
    effective = table.effective()
    total, scores = (effective.positives + effective.negatives).astype(float), effective.scores.astype(float)
    ends = np.searchsorted(-scores, -effective.thinned(GROUPS).scores.astype(float))
    starts = np.append(0, ends[:-1] + 1)
    n = np.add.reduceat(total, starts)
    used = n > 0
    mean = np.add.reduceat(total * scores, starts)[used] / n[used]
    return np.clip(mean[::-1], 0, 1), n[used][::-1]
