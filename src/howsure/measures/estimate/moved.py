"""Confusion tables with some counts at their confidence limits, for MOVER."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array
from howsure.intervals.mover import Reach
from howsure.tables import Confusion


def groups_of(k: int, error_axis: str | None) -> Array:
    """Return masks of the cells that are moved together."""
    # With two classes, each cell is moved alone. With more, the errors are too sparse: hits are moved alone, and errors
    # together, either all of them or those of each true or predicted class (`error_axis`).
    cells = np.eye(k * k, dtype=bool).reshape(-1, k, k)
    if k <= 2:
        return cells
    hit = np.eye(k, dtype=bool)
    if error_axis is None:
        return np.concatenate([cells[:: k + 1], ~hit[None]])
    rows = np.repeat(hit[:, :, None], k, axis=2)
    return np.concatenate([cells[:: k + 1], (rows if error_axis == "truth" else rows.swapaxes(1, 2)) & ~hit])


def smoothed_errors(table: Confusion, groups: Array, z: float) -> Array:
    """Return the variances of counts, with z² / 2 added to groups of cells."""
    sizes = groups.sum((-1, -2))
    added = (groups / sizes[:, None, None])[sizes > 1].sum(0) * (z * z / 2)
    return np.asarray(table.variances + added)


def moved_tables(table: Confusion, start: Array, groups: Array, reach: Reach) -> Array:
    """Return tables with each group of counts at its lower and upper limits."""
    # All other counts are as in `start`. Counts that are raised together keep their pattern, smoothed by z² / 2 cases.
    # Real-valued weights count as effective cases with the mean weight of their group.
    counts = table.counts[..., None, :, :] * groups
    total, variance = counts.sum((-1, -2)), (table.variances[..., None, :, :] * groups).sum((-1, -2))
    overall = (table.variances.sum((-1, -2)) / table.counts.sum((-1, -2)))[..., None]
    weight = np.divide(variance, total, out=np.broadcast_to(overall, total.shape).copy(), where=total > 0)
    low, high = (weight * end for end in reach.ends(total / weight))
    shrunk = counts * np.divide(low, total, out=np.zeros(total.shape), where=total > 0)[..., None, None]
    pattern = counts + groups * (weight * reach.z**2 / 2 / groups.sum((-1, -2)))[..., None, None]
    grown = counts + pattern * ((high - total) / pattern.sum((-1, -2)))[..., None, None]
    rest = start[..., None, :, :] * ~groups
    tables = np.stack([rest + shrunk, rest + grown], axis=-3)
    if not table.fixed_rows:
        return tables
    rows = tables.sum(-1, keepdims=True)
    sizes = table.counts.sum(-1, keepdims=True)[..., None, None, :, :]
    return np.asarray(tables * np.divide(sizes, rows, out=np.ones(rows.shape), where=rows > 0))
