"""Replicates of two classifiers' scores, for very many cases.

The exact table has a row for each distinct score. With a hundred thousand cases or more, a thousand replicates of it
take minutes. Here neighbouring scores of a classifier are joined into groups that are narrow compared with the distance
between the ranks that the two classifiers give a case, and each replicate draws the cases themselves.

Each block of replicates has its own stream of random numbers, so that the first thousand of ten thousand replicates are
the same as if only a thousand were drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.kernels.case_draws import draw_rows, toss_coins
from howsure.kernels.ranking import mean_ranks
from howsure.tables.counts import ScoreCounts

MIN_GROUPS, MAX_GROUPS = 1 << 10, 1 << 15  # limits for the number of groups; the upper limit keeps cells within 16 bits
GROUPS_APART = 4  # number of groups between the two classifiers' scores for a case, in at least half of the cases
NUMBERS_OF_BLOCK = 1 << 17  # number of counts in the replicates that are drawn and evaluated together

Pair = tuple[ScoreCounts, ScoreCounts]
Values = tuple[Array, Array]
Draw = Callable[[Any], tuple[Array, Array]]  # draws the counts by cell of both classifiers


@dataclass(frozen=True)
class JoinedPair:
    """The cell of each case in the tables of both classifiers.

    Cells are the positives by group of neighbouring scores, then the negatives.

    The cases are sorted by their cells, so that no draw depends on the order of the rows.
    """

    first: Array  # 16-bit numbers, which keep more cases in the cache
    second: Array
    scores: tuple[Array, Array]  # scores of each classifier's groups, from high to low

    @classmethod
    def of(cls, flags: Array, groups: tuple[IntArray, IntArray], scores: tuple[Array, Array]) -> JoinedPair:
        first, second = (np.where(flags, own, own + len(of)) for own, of in zip(groups, scores, strict=True))
        cells = 2 * len(scores[1])
        codes = np.sort(first * cells + second)
        return cls((codes // cells).astype(np.uint16), (codes % cells).astype(np.uint16), scores)

    @property
    def sizes(self) -> tuple[int, int]:
        return 2 * len(self.scores[0]), 2 * len(self.scores[1])

    @property
    def seen(self) -> Pair:
        """The tables of the observed sample."""
        return self._tables(*self._count(self.first, self.second))

    def resampled(self, rng: np.random.Generator, size: int, value: Callable[[ScoreCounts], Array]) -> list[Values]:
        """Evaluate both tables for bootstrap samples of the cases."""

        def draw(stream: np.random.Generator) -> tuple[Array, Array]:
            first, second = (np.zeros(size, np.int64) for size in self.sizes)
            for part, rows in draw_rows(len(self.first), stream):
                index = rows.astype(np.intp)
                first += np.bincount(self.first[part][index], minlength=len(first))
                second += np.bincount(self.second[part][index], minlength=len(second))
            return first, second

        return self._values(draw, rng, size, value)

    def swapped(self, rng: np.random.Generator, size: int, value: Callable[[ScoreCounts], Array]) -> list[Values]:
        """Evaluate both tables after exchanging each case's scores at random."""
        differ = self.first != self.second
        low, high = (end(self.first, self.second)[differ] for end in (np.minimum, np.maximum))
        apart = high - low
        total = np.add(*self._count(self.first, self.second))
        equal, _ = self._count(self.first[~differ], self.second[~differ])

        def draw(stream: np.random.Generator) -> tuple[Array, Array]:
            cells = high - apart * toss_coins(len(low), stream)
            first = equal + np.bincount(cells, minlength=len(equal))
            return first, total - first

        return self._values(draw, rng, size, value)

    def _count(self, first: Array, second: Array) -> tuple[Array, Array]:
        sizes = self.sizes
        return np.bincount(first, minlength=sizes[0]), np.bincount(second, minlength=sizes[1])

    def _values(
        self, draw: Draw, rng: np.random.Generator, size: int, value: Callable[[ScoreCounts], Array]
    ) -> list[Values]:
        block = max(1, NUMBERS_OF_BLOCK // max(self.sizes))
        sizes = [min(block, size - start) for start in range(0, size, block)]
        values = []
        for stream, replicates in zip(rng.spawn(len(sizes)), sizes, strict=True):
            counts = zip(*(draw(stream) for _ in range(replicates)), strict=True)
            first, second = self._tables(*map(np.array, counts))
            with np.errstate(all="ignore"):
                values.append((value(first), value(second)))
        return values

    def _tables(self, *counts: Array) -> Pair:
        first, second = (
            ScoreCounts(cells[..., : len(scores)].astype(float), cells[..., len(scores) :].astype(float), scores)
            for cells, scores in zip(counts, self.scores, strict=True)
        )
        return first, second


def join_apart(flags: Array, first: Array, second: Array) -> JoinedPair:
    """Join the scores of each classifier separately."""
    ranks = mean_ranks(first), mean_ranks(second)
    n_groups = groups_for(*ranks)
    first_group, first_scores = _join(ranks[0], first, n_groups)
    second_group, second_scores = _join(ranks[1], second, n_groups)
    return JoinedPair.of(flags, (first_group, second_group), (first_scores, second_scores))


def join_together(flags: Array, first: Array, second: Array) -> JoinedPair:
    """Join the scores of both classifiers into common groups, for exchanges."""
    groups, n = groups_for(mean_ranks(first), mean_ranks(second)), len(first)
    both = np.concatenate([first, second])
    group, scores = _join(mean_ranks(both), both, groups)
    return JoinedPair.of(flags, (group[:n], group[n:]), (scores, scores))


def groups_for(first: Array, second: Array) -> int:
    """Choose the number of groups: more if the classifiers are more similar."""
    apart = np.abs(first - second)
    apart = apart[apart > 0]
    wanted = GROUPS_APART * len(first) / float(np.median(apart)) if len(apart) else 0.0
    return int(np.clip(wanted, MIN_GROUPS, MAX_GROUPS))


def _join(ranks: Array, scores: Array, groups: int) -> tuple[IntArray, Array]:
    """Return the group of each score, and the mean score of each group.

    Groups run from high to low scores, and ties share a group.
    """
    group = ((len(ranks) + 0.5 - ranks) * (groups / len(ranks))).astype(np.int64)
    sizes = np.bincount(group, minlength=groups + 1)
    used = sizes > 0
    with np.errstate(all="ignore"):  # infinite scores may have no mean, but measures of ranking do not need one
        means = np.bincount(group, scores, groups + 1)[used] / sizes[used]
    return (np.cumsum(used) - 1)[group], means
