"""Influence of an additional case in a cell of a confusion table.

The influence is the derivative of the measure with respect to the count. It is computed with the complex step,

    f'(x) = imag(f(x + ih)) / h,

which has no rounding error because nothing is subtracted, so a measure needs no derivative of its own. Measures without
a matrix depend only on 3 k sums (hits, true and predicted cases of each class), so the derivatives are taken with
respect to these.

The variance of a measure is the sum over cells of the squared influence times the variance of the count (delta method).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.measures.declare import Measure
from howsure.tables import BinaryCounts, LabelCounts

STEP = 1e-30  # h
MAX_NUMBERS = 1 << 20  # maximum number of complex numbers in an array, to limit memory


def by_class(measure: Measure, c: BinaryCounts, parameters: dict[str, Any]) -> BinaryCounts:
    """Return derivatives with respect to the four counts of each class; 0 if undefined."""
    nudge = 1j * STEP * np.eye(4).reshape(4, 4, *(1 for _ in c.tp.shape))
    nudged = BinaryCounts(*(base + nudge[:, index] for index, base in enumerate((c.tp, c.fp, c.fn, c.tn))))
    with np.errstate(all="ignore"):
        slope = measure.value(nudged, **parameters).imag / STEP
        defined = np.isfinite(measure.value(c, **parameters))
    return BinaryCounts(*np.where(defined, slope, 0))


def by_cell(measure: Measure, counts: Array, parameters: dict[str, Any]) -> Array:
    """Return derivatives of a measure of all classes with respect to the cells of a table."""
    base, k = LabelCounts.of(counts), len(counts)
    slope = np.empty(3 * k + 1)
    block = max(1, MAX_NUMBERS // k)

    def value(sums: list[Array], nudge: Array) -> Array:
        with np.errstate(all="ignore"):
            nudged = LabelCounts(sums[0], sums[1], sums[2], base.cells, nudge)
            return np.asarray(measure.value(nudged, **parameters).imag / STEP)

    for kind in range(3):
        for start in range(0, k, block):
            rows = np.arange(start, min(start + block, k))
            sums = [part[None, :] + 0j for part in (base.hits, base.truth, base.predicted)]
            sums[kind] = np.repeat(sums[kind], len(rows), axis=0)
            sums[kind][np.arange(len(rows)), rows] += 1j * STEP
            slope[kind * k + rows] = value(sums, np.zeros(len(rows), complex))
    slope[-1:] = value([part[None, :] + 0j for part in (base.hits, base.truth, base.predicted)], np.array([1j * STEP]))
    hits, truth, predicted = slope[:-1].reshape(3, k)
    cells: Array = truth[:, None] + predicted + np.diag(hits)
    return cells if measure.matrix is None else cells + slope[-1] * parameters[measure.matrix]


def by_loss(
    measure: Measure, mean: float, shares: Array, losses: Array, truth: Array, parameters: dict[str, Any]
) -> Array:
    """Return n times the influence of each case on a measure of losses.

    The measure is a function of the mean loss and the class proportions. ``truth`` has the index of each case's class.
    """
    if measure.of_mean is None:
        return np.asarray(losses - mean)
    k = len(shares)
    nudge = 1j * STEP * np.eye(k + 1)
    with np.errstate(all="ignore"):
        slopes = measure.of_mean(mean + nudge[:, 0], shares + nudge[:, 1:], **parameters).imag / STEP
    by_share = slopes[1:] - (slopes[1:] * shares).sum()
    return np.asarray(slopes[0] * (losses - mean) + by_share[truth])


def spread(slopes: BinaryCounts) -> Array:
    """Convert weighted derivatives with respect to class counts to derivatives for each cell."""
    # A case in cell (i, j) is a false negative of i, a false positive of j, and a true negative of all other classes.
    elsewhere = slopes.tn.sum()
    cells: Array = elsewhere + (slopes.fn - slopes.tn)[:, None] + (slopes.fp - slopes.tn)
    np.fill_diagonal(cells, elsewhere + slopes.tp - slopes.tn)
    return cells


def standard_error(cells: Array, counts: Array, variances: Array, fixed_rows: bool = False) -> float:
    """Return the standard error computed with the delta method for multinomial counts."""
    # The influences of a measure that depends only on proportions sum to 0 (Euler), so the multinomial covariance needs
    # no term of its own. With `fixed_rows`, class sizes are not random, and influences are centred within classes.
    spread = within_rows(cells, counts) if fixed_rows else cells
    return float(np.sqrt((spread**2 * variances).sum()))


def within_rows(cells: Array, counts: Array) -> Array:
    """Return influences minus the mean of their true class."""
    rows = counts.sum(1, keepdims=True)
    mean = np.divide((cells * counts).sum(1, keepdims=True), rows, out=np.zeros(rows.shape), where=rows > 0)
    return np.asarray(cells - mean)
