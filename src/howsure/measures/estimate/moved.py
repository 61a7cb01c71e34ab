"""Tables with some of their counts moved to the ends of where they may be, one group of counts at a time."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array
from howsure.intervals.mover import Reach
from howsure.tables import Confusion


def groups_of(k: int, error_axis: str | None) -> Array:
    """Give the cells that are moved together, as masks: of two classes each cell alone; of more, hits alone.

    The errors of many classes are spread so thin over their cells that each alone would tell nothing: they are moved
    together, those of a true or of a predicted class where the measure counts them so (``error_axis``).
    """
    cells = np.eye(k * k, dtype=bool).reshape(-1, k, k)
    if k <= 2:
        return cells
    hit = np.eye(k, dtype=bool)
    if error_axis is None:
        return np.concatenate([cells[:: k + 1], ~hit[None]])
    rows = np.repeat(hit[:, :, None], k, axis=2)
    return np.concatenate([cells[:: k + 1], (rows if error_axis == "truth" else rows.swapaxes(1, 2)) & ~hit])


def smoothed_errors(table: Confusion, groups: Array, z: float) -> Array:
    """Give the variances of the counts, with z² / 2 errors more in each group of several cells."""
    sizes = groups.sum((-1, -2))
    added = (groups / sizes[:, None, None])[sizes > 1].sum(0) * (z * z / 2)
    return np.asarray(table.variances + added)


def moved_tables(table: Confusion, start: Array, groups: Array, reach: Reach) -> Array:
    """Give the tables with each group of counts at its lower and at its upper bound, and all others at the start.

    Counts that are moved up together keep their pattern, smoothed by z² / 2 cases. Real-valued weights stand for as
    many cases as they are worth, each with the mean weight of its group.
    """
    counts = table.counts[..., None, :, :] * groups
    total, variance = counts.sum((-1, -2)), (table.variances[..., None, :, :] * groups).sum((-1, -2))
    overall = (table.variances.sum((-1, -2)) / table.counts.sum((-1, -2)))[..., None]
    weight = np.divide(variance, total, out=np.broadcast_to(overall, total.shape).copy(), where=total > 0)
    low, high = (weight * end for end in reach.ends(total / weight))
    shrunk = counts * np.divide(low, total, out=np.zeros(total.shape), where=total > 0)[..., None, None]
    pattern = counts + groups * (weight * reach.z**2 / 2 / groups.sum((-1, -2)))[..., None, None]
    grown = counts + pattern * ((high - total) / pattern.sum((-1, -2)))[..., None, None]
    others = start[..., None, :, :] * ~groups
    tables = np.stack([others + shrunk, others + grown], axis=-3)
    if not table.fixed_rows:
        return tables
    rows = tables.sum(-1, keepdims=True)
    wanted = table.counts.sum(-1, keepdims=True)[..., None, None, :, :]
    return np.asarray(tables * np.divide(wanted, rows, out=np.ones(rows.shape), where=rows > 0))
