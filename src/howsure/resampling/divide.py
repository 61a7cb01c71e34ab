"""Divide rows at random into parts of given sizes, for all random schemes."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Floats, IntArray


def divide_rows(
    strata: IntArray | None, shares: Floats, rng: np.random.Generator, n: int, groups: IntArray | None = None
) -> IntArray:
    """Return a random part number for each row.

    With ``strata``, each part gets its share of each stratum to within one case. With ``groups``, groups are kept
    together, and the shares are met as closely as whole groups allow.
    """
    if groups is not None:
        return _divide_groups(strata, shares, rng, groups)
    codes = np.zeros(n, np.int64) if strata is None else strata
    order = rng.permutation(n)
    order = order[np.argsort(codes[order], kind="stable")]
    parts = np.empty(n, np.int32)
    surplus = np.zeros(len(shares))
    start = 0
    for size in np.bincount(codes):
        counts = _apportion(int(size), shares, surplus)
        parts[order[start : start + size]] = np.repeat(np.arange(len(shares), dtype=np.int32), counts)
        surplus += counts - size * shares
        start += size
    return parts


def _apportion(size: int, shares: Floats, surplus: Floats) -> IntArray:
    """Round quotas to whole cases; the largest deficits are rounded up."""
    quota = size * shares
    counts = np.floor(quota + 1e-9).astype(np.int64)
    remainder = size - int(counts.sum())
    by_deficit = np.argsort(surplus + counts - quota, kind="stable")
    counts[by_deficit[:remainder]] += 1
    return counts


def _divide_groups(strata: IntArray | None, shares: Floats, rng: np.random.Generator, groups: IntArray) -> IntArray:
    """Assign whole groups greedily, the largest first."""
    codes = np.zeros(len(groups), np.int64) if strata is None else strata
    k, m = int(codes.max()) + 1, int(groups.max()) + 1
    table = np.bincount(groups.astype(np.int64) * k + codes, minlength=m * k).reshape(m, k).astype(float)
    order = rng.permutation(m)
    order = order[np.argsort(-table[order].sum(1), kind="stable")]
    wanted = shares[:, None] * table.sum(0)
    scale = np.where(wanted > 0, wanted, 1)
    assigned = np.zeros_like(wanted)
    part_of = np.empty(m, np.int32)
    for group in order:
        # Choose the part that most reduces the sum of squared relative deviations from the target counts.
        before, after = (assigned - wanted) / scale, (assigned + table[group] - wanted) / scale
        part = int(((after**2) - (before**2)).sum(1).argmin())
        part_of[group] = part
        assigned[part] += table[group]
    for empty in np.flatnonzero(~np.isin(np.arange(len(shares)), part_of)):
        # An empty part gets the smallest group of the part that has the most groups.
        fullest = np.bincount(part_of, minlength=len(shares)).argmax()
        members = np.flatnonzero(part_of == fullest)
        part_of[members[table[members].sum(1).argmin()]] = empty
    return part_of[groups]
