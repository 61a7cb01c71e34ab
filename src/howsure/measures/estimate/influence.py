"""How much one more case in a cell would change a measure: the derivative of a kernel by each cell.

It is taken by the complex step: evaluate the kernel at count + ih and read the derivative off the imaginary
part, which has no rounding error to speak of because nothing is subtracted. Every kernel on counts thus
gives its own exact derivative, and no measure has to declare one. All label measures but those with a
matrix depend on 3 k sums only (hits, truth, predicted), so that is what is differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.measures.declare import Measure
from howsure.tables import BinaryCounts, LabelCounts

STEP = 1e-30
MOST_NUMBERS = 1 << 20  # complex numbers in one array of a batch


def by_class(measure: Measure, c: BinaryCounts, parameters: dict[str, Any]) -> BinaryCounts:
    """Derivatives of each class's value by its own four counts; 0 where the value is undefined."""
    nudge = 1j * STEP * np.eye(4).reshape(4, 4, *(1 for _ in c.tp.shape))
    nudged = BinaryCounts(*(base + nudge[:, index] for index, base in enumerate((c.tp, c.fp, c.fn, c.tn))))
    with np.errstate(all="ignore"):
        slope = measure.value(nudged, **parameters).imag / STEP
        defined = np.isfinite(measure.value(c, **parameters))
    return BinaryCounts(*np.where(defined, slope, 0))


def by_cell(measure: Measure, counts: Array, parameters: dict[str, Any]) -> Array:
    """Derivative of a measure of all classes by each cell of one k x k table."""
    base, k = LabelCounts.of(counts), len(counts)
    slope = np.empty(3 * k + 1)
    block = max(1, MOST_NUMBERS // k)

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
    """Influence of each case on a function of the mean loss and the shares of the classes, times the number of cases.

    ``truth`` is the class of each case, as a position in ``shares``.
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
    """Turn the derivatives of classes, already weighed for an average, into derivatives by cell.

    A case in cell (i, j) is a miss of i, a false alarm of j, and a true negative of all other classes.
    """
    elsewhere = slopes.tn.sum()
    cells: Array = elsewhere + (slopes.fn - slopes.tn)[:, None] + (slopes.fp - slopes.tn)
    np.fill_diagonal(cells, elsewhere + slopes.tp - slopes.tn)
    return cells


def standard_error(cells: Array, counts: Array, variances: Array, fixed_rows: bool = False) -> float:
    """Delta method with the multinomial covariance: the variance of a sum of each case's influence.

    A measure that does not change when all counts are doubled has influences that add up to 0 (Euler), so the
    covariance of the cells needs no term of its own.

    With ``fixed_rows`` the number of cases of each class is not random, so a case's influence counts only as far as
    it differs from the mean of its class.
    """
    spread = within_rows(cells, counts) if fixed_rows else cells
    return float(np.sqrt((spread**2 * variances).sum()))


def within_rows(cells: Array, counts: Array) -> Array:
    """How far each cell's influence is from the mean of its true class."""
    rows = counts.sum(1, keepdims=True)
    mean = np.divide((cells * counts).sum(1, keepdims=True), rows, out=np.zeros(rows.shape), where=rows > 0)
    return np.asarray(cells - mean)
