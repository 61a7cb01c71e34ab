"""Schemes derived from other schemes: smaller training sets, or testing on one part of a three-way split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.resampling import Scheme
from howsure.resampling.index_sets import Entry, Split, Splits


@dataclass(frozen=True)
class TrainingSizes(Scheme, listed=False):
    """Each split of ``base`` with nested training sets of several sizes and the same test rows."""

    base: Scheme
    sizes: tuple[int, ...]

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        whole = self.base.splits(truth, groups=groups, seed=seed)
        codes = np.unique(np.asarray(truth), return_inverse=True)[1]
        entries = []
        for index, split in enumerate(whole):
            rng = np.random.default_rng(np.random.SeedSequence((seed, index)))
            rows = split.train[stratified_order(codes[split.train], rng)]
            entries += [Entry(split.repeat, split.fold, split.test, np.sort(rows[:size])) for size in self.sizes]
        return Splits(whole.n, tuple(entries), self)


@dataclass(frozen=True)
class OnePart(Scheme, listed=False):
    """Scheme that tests on the validation or test part of a three-way split.

    "validation" trains on the training part and leaves out the test part; "test" trains on both other parts.
    """

    base: Scheme
    part: str

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        whole = self.base.splits(truth, groups=groups, seed=seed)
        return Splits(whole.n, tuple(map(self._entry, whole)), self)

    def _entry(self, split: Split) -> Entry:
        validation = np.asarray(split.validation)
        if self.part == "validation":
            return Entry(split.repeat, split.fold, validation, split.train)
        return Entry(split.repeat, split.fold, split.test, np.sort(np.concatenate([split.train, validation])))


def stratified_order(codes: IntArray, rng: np.random.Generator) -> IntArray:
    """Return a random order in which every prefix is stratified to within one case per class."""
    order = rng.permutation(len(codes))
    shuffled = codes[order]
    by_class = np.argsort(shuffled, kind="stable")
    sizes = np.bincount(shuffled)
    starts = np.cumsum(sizes) - sizes
    rank = np.empty(len(codes))
    rank[by_class] = np.arange(len(codes)) - np.repeat(starts, sizes)
    # The j-th of m cases of a class is placed at the fraction (j - 1/2) / m of the order.
    return np.asarray(order[np.argsort((rank + 0.5) / sizes[shuffled], kind="stable")])
