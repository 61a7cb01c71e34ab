"""Bootstrap bands of curves, pointwise or simultaneous."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import MAX_POINTS, check_type, check_whole, one_of
from howsure.curves.curve import BAND_ENDS, Curve
from howsure.errors import HowsureError, must
from howsure.intervals.clustered import assumed_effect
from howsure.intervals.declare import Request
from howsure.intervals.proportion import z_value
from howsure.tables import ScoreTable

KINDS = ("pointwise", "simultaneous")
GROUPS = 1024  # number of groups of neighbouring scores; groups are resampled


def _accepts_a_table(draw: Callable[..., Any]) -> bool:
    """Return whether a function can be called with only a table."""
    try:
        inspect.signature(draw).bind(None)
    except (TypeError, ValueError):
        return False
    return True


def with_band(
    draw: Callable[[ScoreTable], Curve],
    table: ScoreTable,
    kind: str = "pointwise",
    confidence: float = 0.95,
    replicates: int = 500,
    seed: int = 0,
    points: int = 401,
) -> Curve:
    """Add a bootstrap band to a curve, as the columns ``low`` and ``high``.

    A pointwise band covers the true height at a given x with the given confidence. A simultaneous band covers the whole
    curve: its half-width in standard errors is the quantile of the largest deviation within a replicate.

    Parameters
    ----------
    draw
        A curve of `howsure.curves`, such as ``howsure.curves.roc``.
    table
        The scores.
    kind
        "pointwise" or "simultaneous".
    confidence
        The confidence level of the band.
    replicates
        The number of bootstrap replicates.
    seed
        The same seed gives the same band.
    points
        For curves with more values of x, the band is computed at this many and interpolated between them.

    Returns
    -------
    Curve
        The same curve, with the ends of the band in ``extra``.

    Examples
    --------
    >>> from howsure import ScoreTable, curves
    >>> table = ScoreTable.from_scores([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.3])
    >>> curve = curves.with_band(curves.roc, table, replicates=100)
    >>> sorted(curve.extra), curve.band
    (['high', 'low'], '95 % band (pointwise)')
    """
    one_of("kind", kind, KINDS)
    if not callable(draw) or isinstance(draw, type) or not _accepts_a_table(draw):
        must("draw", "a curve, such as howsure.curves.roc", given=draw)
    check_type("table", table, ScoreTable, "a ScoreTable")
    check_whole("points", points, 2, MAX_POINTS)
    request = Request(confidence, replicates=replicates, seed=seed)
    curve = draw(table)
    thin = table.effective().thinned(GROUPS)
    grid = _grid(curve.x, points)
    sample = draw(thin)
    drawn = [draw(resampled) for resampled in _resample(thin, replicates, seed)]
    if not drawn:
        raise HowsureError("there is no band: every bootstrap replicate has only one class; increase `replicates`.")
    extra = dict(curve.extra)
    for name in ("", *curve.extra):  # the curve itself, then its other columns
        middle = height(curve, grid, name)
        shift = middle - height(sample, grid, name)
        heights = np.array([height(replicate, grid, name) for replicate in drawn]) + shift
        least = _least_error(curve, thin, grid, middle, z_value(request.alpha)) if curve.of_shares else None
        unseen = partial(curve.unseen, table, grid) if not name else _nothing_unseen
        for end, column in zip(BAND_ENDS, _ends(kind, heights, middle, request, least, unseen), strict=True):
            extra[f"{name}_{end}" if name else end] = np.interp(curve.x, grid, column)
    of_clusters = "" if table.clusters is None or table.clusters.are_independent else " of whole clusters"
    note = f"{kind} {confidence:.0%} band from {replicates} bootstrap replicates{of_clusters}, seed {seed}"
    band = f"{100 * confidence:g} % band ({kind})"
    return replace(curve, extra=extra, notes=(*curve.notes, note), band=band)


def _grid(x: Array, points: int) -> Array:
    """Return all values of x, or some of them together with an even grid."""
    distinct = np.unique(x)
    if len(distinct) <= points:
        return np.asarray(distinct)
    chosen = distinct[np.linspace(0, len(distinct) - 1, points // 2).astype(int)]
    return np.union1d(chosen, np.linspace(distinct[0], distinct[-1], points - len(chosen)))


Unseen = Callable[[float], tuple[Array, Array] | None]


def _nothing_unseen(z: float) -> None:
    return None


def _ends(
    kind: str, heights: Array, middle: Array, request: Request, least: tuple[Array, Array] | None, unseen: Unseen
) -> tuple[Array, Array]:
    """Return the lower and the upper end of a band.

    For heights that are proportions of cases, ``least`` holds their Agresti-Coull estimates and the standard errors.
    """
    z = z_value(request.alpha)
    share, error = (middle, np.zeros(len(middle))) if least is None else least
    if kind == "pointwise":
        low, high = np.nanquantile(heights, [request.alpha, 1 - request.alpha], axis=0)
        low, high = np.minimum(low, share - z * error), np.maximum(high, share + z * error)
    else:
        deviation = np.maximum(np.nanstd(heights, axis=0), error)
        distance = np.abs(heights - middle)
        largest = np.nanmax(np.divide(distance, deviation, out=np.zeros_like(distance), where=deviation > 0), axis=1)
        z = max(float(np.quantile(largest, request.confidence)), z)
        low, high = np.minimum(middle, share) - z * deviation, np.maximum(middle, share) + z * deviation
    if (reach := unseen(z)) is not None:
        low, high = np.minimum(low, middle + reach[0]), np.maximum(high, middle + reach[1])
    if least is None:
        return low, high
    top = max(1.0, float(np.nanmax(middle)))
    return np.clip(low, 0, top), np.clip(high, 0, top)


def _least_error(curve: Curve, table: ScoreTable, grid: Array, middle: Array, z: float) -> tuple[Array, Array]:
    """Return the Agresti-Coull estimate of each height and its standard error.

    Where a curve reaches 1, all replicates do too, and show no uncertainty. The estimate (x + z^2 / 2) / (n + z^2)
    still has a standard error that depends on the number of cases n behind the height.
    """
    positives = table.n_positive / assumed_effect(table.clusters)
    behind = np.full(len(grid), positives)
    if curve.steps == "next":  # precision is a proportion of the predicted positives
        behind = np.maximum(grid * positives / np.maximum(middle, 1e-9), 1)
    share = (middle * behind + z**2 / 2) / (behind + z**2)
    return share, np.sqrt(share * (1 - share) / (behind + z**2))


def height(curve: Curve, grid: Array, name: str = "") -> Array:
    """Return the height of a curve, or of one of its columns, on a grid of x.

    At a vertical step this is the top; between the points of a step curve it is the height of the next point.
    """
    y = curve.extra[name] if name else curve.y
    if curve.steps == "next":
        first = np.append(True, curve.x[1:] != curve.x[:-1])
        index = np.minimum(np.searchsorted(curve.x[first], grid, side="left"), first.sum() - 1)
        return np.asarray(y[first][index])
    last = np.append(curve.x[1:] != curve.x[:-1], True)
    return np.asarray(np.interp(grid, curve.x[last], y[last]))


def _resample(table: ScoreTable, replicates: int, seed: int) -> Iterator[ScoreTable]:
    """Draw bootstrap replicates of a table, one at a time."""
    for positives, negatives in table.redrawn(np.random.default_rng(seed), replicates):
        if positives.any() and negatives.any():  # a replicate with only one class has no curve
            yield ScoreTable(table.scores, positives, negatives)
