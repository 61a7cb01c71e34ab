"""Divide rows into parts with given shares: the one kernel that every random scheme is made of."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Floats, IntArray


def divide_rows(
    strata: IntArray | None, shares: Floats, rng: np.random.Generator, n: int, groups: IntArray | None = None
) -> IntArray:
    """Return the part of each row, at random.

    With ``strata``, each part gets its share of each stratum to within one case. With ``groups``, a group is never
    divided, and the shares are kept as well as whole groups allow.
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
    """Share out whole cases: each part its quota rounded down, the rest to the parts that are most behind."""
    quota = size * shares
    counts = np.floor(quota + 1e-9).astype(np.int64)
    left = size - int(counts.sum())
    behind = np.argsort(surplus + counts - quota, kind="stable")
    counts[behind[:left]] += 1
    return counts


def _divide_groups(strata: IntArray | None, shares: Floats, rng: np.random.Generator, groups: IntArray) -> IntArray:
    """Deal whole groups, the largest first, each to the part that it brings nearest to its share of every stratum."""
    codes = np.zeros(len(groups), np.int64) if strata is None else strata
    k, m = int(codes.max()) + 1, int(groups.max()) + 1
    table = np.bincount(groups.astype(np.int64) * k + codes, minlength=m * k).reshape(m, k).astype(float)
    order = rng.permutation(m)
    order = order[np.argsort(-table[order].sum(1), kind="stable")]
    wanted = shares[:, None] * table.sum(0)
    scale = np.where(wanted > 0, wanted, 1)
    held = np.zeros_like(wanted)
    part_of = np.empty(m, np.int32)
    for group in order:
        # How full each part would be, class by class, against how full it is: the change in squared shortfall.
        before, after = (held - wanted) / scale, (held + table[group] - wanted) / scale
        part = int(((after**2) - (before**2)).sum(1).argmin())
        part_of[group] = part
        held[part] += table[group]
    for empty in np.flatnonzero(~np.isin(np.arange(len(shares)), part_of)):
        # A part without a group takes the smallest group of the part that has most of them.
        richest = np.bincount(part_of, minlength=len(shares)).argmax()
        mine = np.flatnonzero(part_of == richest)
        part_of[mine[table[mine].sum(1).argmin()]] = empty
    return part_of[groups]
