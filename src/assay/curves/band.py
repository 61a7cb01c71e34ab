"""Bands: how far a curve might be off, at each point or everywhere at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from assay.arrays import Array
from assay.checks import MOST_POINTS, is_a, one_of, whole_between
from assay.curves.curve import Curve
from assay.errors import AssayError, must
from assay.intervals.declare import Request
from assay.intervals.proportion import z_value
from assay.tables import ScoreTable

KINDS = ("pointwise", "simultaneous")
GROUPS = 1024


def with_band(
    draw: Callable[[ScoreTable], Curve],
    table: ScoreTable,
    kind: str = "pointwise",
    confidence: float = 0.95,
    replicates: int = 500,
    seed: int = 0,
    points: int = 101,
) -> Curve:
    """Add a bootstrap band to a curve, on a grid of ``points`` values of x.

    A pointwise band covers the true height at any one x; a simultaneous one covers the whole curve: it is as many
    standard errors wide as the largest deviation of a replicate, in ``confidence`` of the replicates.
    """
    one_of("kind", kind, KINDS)
    if not callable(draw):
        must("draw", "a curve, such as assay.curves.roc", given=draw)
    is_a("table", table, ScoreTable, "a ScoreTable")
    whole_between("points", points, 2, MOST_POINTS)
    request = Request(confidence, replicates=replicates, seed=seed)
    curve = draw(table)
    thin = table.effective().thinned(GROUPS)
    grid = np.linspace(float(curve.x[0]), float(curve.x[-1]), points)
    middle = height(curve, grid)
    shift = middle - height(draw(thin), grid)
    drawn = [height(draw(resampled), grid) for resampled in _resample(thin, replicates, seed)]
    if not drawn:
        raise AssayError("the bootstrap gives no band: every replicate has one class only; ask for more replicates.")
    heights = np.array(drawn) + shift
    z = z_value(request.alpha)
    share, least = _least_error(curve, thin, grid, middle, z)
    if kind == "pointwise":
        low, high = np.nanquantile(heights, [request.alpha, 1 - request.alpha], axis=0)
        low, high = np.minimum(low, share - z * least), np.maximum(high, share + z * least)
    else:
        deviation = np.maximum(np.nanstd(heights, axis=0), least)
        largest = np.nanmax(np.abs(heights - middle) / deviation, axis=1)
        reach = max(float(np.quantile(largest, confidence)), z) * deviation
        low, high = np.minimum(middle, share) - reach, np.maximum(middle, share) + reach
    top = max(1.0, float(np.nanmax(curve.y)))
    extra = {"low": np.clip(low, 0, top), "high": np.clip(high, 0, top)}
    note = f"{kind} {confidence:.0%} band from {replicates} bootstrap replicates, seed {seed}"
    return replace(curve, x=grid, y=middle, thresholds=np.full(points, np.nan), extra=extra, notes=(*curve.notes, note))


def _least_error(curve: Curve, table: ScoreTable, grid: Array, middle: Array, z: float) -> tuple[Array, Array]:
    """Share and standard error of a share of as many cases as are behind the height, at least (Agresti and Coull).

    Where a curve has reached 1, so have all its replicates; the cases behind it say how much that is worth.
    """
    behind = np.full(len(grid), table.n_positive)
    if curve.steps:  # precision: the cases found so far
        behind = np.maximum(grid * table.n_positive / np.maximum(middle, 1e-9), 1)
    share = (middle * behind + z**2 / 2) / (behind + z**2)
    return share, np.sqrt(share * (1 - share) / (behind + z**2))


def height(curve: Curve, grid: Array) -> Array:
    """Height of a curve over a grid of x: at a vertical step its top; of a step curve that of the next point."""
    if curve.steps:
        first = np.append(True, curve.x[1:] != curve.x[:-1])
        index = np.minimum(np.searchsorted(curve.x[first], grid, side="left"), first.sum() - 1)
        return np.asarray(curve.y[first][index])
    last = np.append(curve.x[1:] != curve.x[:-1], True)
    return np.asarray(np.interp(grid, curve.x[last], curve.y[last]))


def _resample(table: ScoreTable, replicates: int, seed: int) -> Iterator[ScoreTable]:
    """Draw tables like this one, one at a time."""
    rng = np.random.default_rng(seed)
    for _ in range(replicates):
        positives, negatives = table.resample(rng, 1)
        if positives.any() and negatives.any():  # a replicate of one class has no curve
            yield ScoreTable(table.scores, positives[0], negatives[0])
