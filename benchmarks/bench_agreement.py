"""Agreement of raters: all coefficients with intervals, compared with one coefficient of krippendorff without."""

from __future__ import annotations

from functools import partial

import krippendorff
import numpy as np

import howsure
from benchmarks.measure import Comparison, compare, peer
from howsure.arrays import Array

RATERS, CATEGORIES = 5, 5


def ratings(items: int) -> Array:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, CATEGORIES, items)
    recognized = rng.random((items, RATERS)) < 0.8
    return np.where(recognized, truth[:, None], rng.integers(0, CATEGORIES, (items, RATERS)))


def with_gaps(table: Array) -> Array:
    gaps = table.astype(float)
    gaps[np.random.default_rng(1).random(table.shape) < 0.2] = np.nan
    return gaps


def ours(table: Array) -> None:
    for estimate in howsure.agreement(table).estimates():
        estimate.interval()


def theirs(table: Array) -> None:
    krippendorff.alpha(reliability_data=table.T, level_of_measurement="nominal")


def run() -> list[Comparison]:
    name = f"{peer('krippendorff')}, alpha only, without interval"
    rows = []
    for items, wanted in {10_000: 0.7, 100_000: 4, 1_000_000: 6}.items():
        table = ratings(items)
        what = f"six coefficients with intervals, {items:,} items x {RATERS}"
        rows.append(compare(what, partial(ours, table), partial(theirs, table), name, wanted))
    gaps = with_gaps(table)
    rows.append(compare(f"{what}, a fifth missing", partial(ours, gaps), partial(theirs, gaps), name, 2))
    return rows
