"""Intervals of one measure of labels on many tables at once, by the functions that make those of one table."""

from __future__ import annotations

import numpy as np

from assay.arrays import Array
from assay.intervals.declare import Request, registry
from assay.intervals.delta import NO_SPREAD
from assay.intervals.mover import mover_bounds, reach
from assay.intervals.proportion import Shares
from assay.measures import estimate
from assay.measures.declare import Measure, Ratio
from assay.measures.estimate.labels import LabelBasis, label_basis
from assay.tables import BinaryCounts, Confusion, LabelCounts

Bounds = tuple[Array, Array, Array]  # values, low ends, high ends


def label_intervals(tables: Array, measure: Measure, method: str, request: Request) -> Bounds:
    """Give values and intervals on tables of one size; each different table is computed once."""
    different, place = np.unique(tables.reshape(len(tables), -1), axis=0, return_inverse=True)
    found = _on_different(different.reshape(-1, *tables.shape[1:]), measure, method, request)
    values, low, high = (column[place.ravel()] for column in found)
    return values, low, high


def _on_different(tables: Array, measure: Measure, method: str, request: Request) -> Bounds:
    names = tuple(range(tables.shape[-1]))
    basis, _ = label_basis(Confusion(tables[0], names), measure, label_of(measure, len(names)), None, {})
    wanted = basis.default if method == "auto" else method
    if tables.shape[-1] == 2 and basis.is_ratio and registry[wanted].needs == "ratio":
        return _of_ratios(tables, measure, wanted, request)
    if tables.shape[-1] == 2 and wanted == "mover":
        return _moved(tables, measure, request)
    return _one_by_one(tables, names, measure, method, request)


def label_of(measure: Measure, k: int) -> int | None:
    """Give the class that a measure is of: the second of two, where it is of one; of more classes it is averaged."""
    return 1 if measure.scope == "class" and k == 2 else None


def _counts(tables: Array, measure: Measure) -> BinaryCounts | LabelCounts:
    if measure.scope == "overall":
        return LabelCounts.of(tables)
    return BinaryCounts(tables[:, 1, 1], tables[:, 0, 1], tables[:, 1, 0], tables[:, 0, 0])


def _of_ratios(tables: Array, measure: Measure, method: str, request: Request) -> Bounds:
    ratio = measure.kernel(_counts(tables, measure))
    assert isinstance(ratio, Ratio)
    interval = registry[method].make(Shares((ratio.numerator, ratio.denominator)), request)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(ratio.denominator > 0, ratio.numerator / ratio.denominator, np.nan)
    return values, np.asarray(interval.low), np.asarray(interval.high)


def _moved(tables: Array, measure: Measure, request: Request) -> Bounds:
    batch = Confusion(tables, (0, 1))
    batch = batch if measure.scope == "overall" else batch.against(1)
    basis = LabelBasis(measure, batch, None, {})
    n = float(tables[0].sum())
    with np.errstate(all="ignore"):
        values = basis.evaluate(batch.counts)
    low, high = mover_bounds(basis.moved(reach(request.alpha, n)), basis.span)
    low, high = np.fmin(low, values), np.fmax(high, values)
    unseen = (tables.sum(-1) == 0).any(-1) & (measure.matrix is None)
    none = unseen | (np.isnan(values) & ~basis.is_unbounded)
    alone = ~none & (high - low < NO_SPREAD)  # where no count tells, another method stands in
    if alone.any():
        low[alone], high[alone] = _one_by_one(tables[alone], (0, 1), measure, "mover", request)[1:]
    return values, np.where(none, np.nan, low), np.where(none, np.nan, high)


def _one_by_one(tables: Array, names: tuple[int, ...], measure: Measure, method: str, request: Request) -> Bounds:
    rows = []
    for counts in tables:
        found = estimate(Confusion(counts, names), measure, label=label_of(measure, len(names)))
        interval = found.interval(request.confidence, method, replicates=request.replicates, seed=request.seed)
        rows.append((found.value, interval.low, interval.high))
    values, low, high = np.array(rows, float).T
    return values, low, high
