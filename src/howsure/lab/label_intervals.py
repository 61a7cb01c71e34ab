"""Intervals of one measure of labels on many tables at once, by the functions that make those of one table."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array
from howsure.intervals.declare import Request, registry
from howsure.intervals.delta import NO_SPREAD
from howsure.intervals.mover import Reach, mover_bounds
from howsure.intervals.proportion import Shares
from howsure.lab.samples import Asked, label_of
from howsure.measures.declare import Measure, Ratio
from howsure.measures.estimate.labels import LabelBasis, label_basis
from howsure.tables import BinaryCounts, Confusion, LabelCounts

Bounds = tuple[Array, Array, Array]  # values, low ends, high ends


def label_intervals(tables: Array, asked: Asked, method: str, request: Request) -> Bounds:
    """Give values and intervals on tables of one size; each different table is computed once."""
    different, place = np.unique(tables.reshape(len(tables), -1), axis=0, return_inverse=True)
    found = _on_different(different.reshape(-1, *tables.shape[1:]), asked, method, request)
    values, low, high = (column[place.ravel()] for column in found)
    return values, low, high


def _on_different(tables: Array, asked: Asked, method: str, request: Request) -> Bounds:
    k = tables.shape[-1]
    first = Confusion(tables[0], tuple(range(k)))
    basis, _ = label_basis(first, asked.measure, label_of(asked.measure, k), None, asked.parameters)
    wanted = basis.default if method == "auto" else method
    if k == 2 and basis.is_ratio and registry[wanted].needs == "ratio":
        return _of_ratios(tables, asked, wanted, request)
    if k == 2 and wanted == "mover":
        return _moved(tables, asked, request)
    if k == 2 and wanted == "cornfield":
        return _of_odds(tables, asked, request)
    return _one_by_one(tables, asked, method, request)


def counts_of(tables: Array, measure: Measure) -> BinaryCounts | LabelCounts:
    if measure.scope == "overall":
        return LabelCounts.of(tables)
    return BinaryCounts(tables[:, 1, 1], tables[:, 0, 1], tables[:, 1, 0], tables[:, 0, 0])


def _of_ratios(tables: Array, asked: Asked, method: str, request: Request) -> Bounds:
    ratio = asked.measure.kernel(counts_of(tables, asked.measure), **asked.parameters)
    assert isinstance(ratio, Ratio)
    shares = np.stack([ratio.numerator, ratio.denominator], axis=-1)
    (x, n), place = (column.T for column in np.unique(shares, axis=0, return_inverse=True))
    interval = registry[method].make(Shares((x, n)), request)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(n > 0, x / n, np.nan)
    return values[place], np.asarray(interval.low)[place], np.asarray(interval.high)[place]


def _moved(tables: Array, asked: Asked, request: Request) -> Bounds:
    batch = Confusion(tables, (0, 1))
    measure = asked.measure
    batch = batch if measure.scope == "overall" else batch.against(1)
    basis = LabelBasis(measure, batch, None, asked.parameters)
    n = float(tables[0].sum())
    with np.errstate(all="ignore"):
        values = basis.evaluate(batch.counts)
    low, high = mover_bounds(basis.moved(Reach(request.alpha, n)), basis.span)
    low, high = np.fmin(low, values), np.fmax(high, values)
    none = basis.too_few.any(-1) | (np.isnan(values) & ~basis.is_unbounded)
    alone = ~none & (high - low < NO_SPREAD)  # where no count tells, another method stands in
    if alone.any():
        low[alone], high[alone] = _one_by_one(tables[alone], asked, "mover", request)[1:]
    return values, np.where(none, np.nan, low), np.where(none, np.nan, high)


def _of_odds(tables: Array, asked: Asked, request: Request) -> Bounds:
    basis = LabelBasis(asked.measure, Confusion(tables, (0, 1)).against(1), None, asked.parameters)
    with np.errstate(all="ignore"):
        values = basis.evaluate(basis.table.counts)
        low, high = basis.evidence.bounds(request.alpha)
    none = basis.too_few.any(-1) | np.isnan(low)
    return values, np.where(none, np.nan, np.fmin(low, values)), np.where(none, np.nan, np.fmax(high, values))


def _one_by_one(tables: Array, asked: Asked, method: str, request: Request) -> Bounds:
    rows = []
    for counts in tables:
        found = asked.estimate(Confusion(counts, tuple(range(len(counts)))))
        interval = found.interval(request.confidence, method, replicates=request.replicates, seed=request.seed)
        rows.append((found.value, interval.low, interval.high))
    values, low, high = np.array(rows, float).T
    return values, low, high
