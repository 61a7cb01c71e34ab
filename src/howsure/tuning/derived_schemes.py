"""Schemes derived from another: smaller training sets, or the validation or the test part alone to test on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.resampling import Scheme
from howsure.resampling.index_sets import Entry, Split, Splits


@dataclass(frozen=True)
class TrainingSizes(Scheme, listed=False):
    """Every split of ``base`` once for each size: the same test rows, and a smaller training set within a larger one.

    The training rows are left out by the split, not by a wrapper of the learner, so that the training error is that of
    the rows trained on, and the time that of the learner alone.
    """

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
    """Test on one part of ``base``, a scheme with three.

    For "validation" the training part trains, and the test part is not touched; for "test" both others train.
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
    """Put rows in a random order of which every beginning has its share of each class, to within one case."""
    order = rng.permutation(len(codes))
    mixed = codes[order]
    by_class = np.argsort(mixed, kind="stable")
    sizes = np.bincount(mixed)
    starts = np.cumsum(sizes) - sizes
    rank = np.empty(len(codes))
    rank[by_class] = np.arange(len(codes)) - np.repeat(starts, sizes)
    # The j-th case of a class stands where a share of (j - 1/2) / size of all cases has come; equals stay as drawn.
    return np.asarray(order[np.argsort((rank + 0.5) / sizes[mixed], kind="stable")])
