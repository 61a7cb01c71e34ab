"""Draw very many paired scores again: groups of neighbouring scores, and cases one by one.

A table of every distinct score is as long as the sample, and so is a draw of how often each of its cells is taken; both
a thousand times over take minutes from a hundred thousand cases on. Here neighbouring scores of a classifier are joined
into groups, narrow beside how far the two classifiers place a case apart, and a replicate draws the cases themselves.
Blocks of replicates have streams of random numbers of their own, so that a seed gives the same replicates on any number
of cores, and the first thousand of ten thousand are those of a thousand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.kernels.buckets import cores
from howsure.kernels.case_draws import MOST_CELLS, pack_cells, redraw_cases, swap_cases
from howsure.kernels.ranking import compiled, mean_ranks
from howsure.tables.counts import ScoreCounts

LEAST_GROUPS, MOST_GROUPS = 1 << 10, MOST_CELLS // 2
NARROW = 4  # groups at least by which the classifiers place half of the cases apart
BLOCK = 1 << 17  # counts of the replicates that are drawn and evaluated together
MANY = 50_000_000  # drawn cases, from which on compiled loops pay

Pair = tuple[ScoreCounts, ScoreCounts]
Values = tuple[Array, Array]
Draw = Callable[[Any, int, Any], tuple[Array, Array]]  # of a random generator, how many, and the compiled loops


@dataclass(frozen=True)
class JoinedPair:
    """Each case's cell in the table of the first and of the second classifier: positives by group, then negatives.

    The cases are in the order of their cells: no draw depends on the order of the rows.
    """

    first: IntArray
    second: IntArray
    scores: tuple[Array, Array]  # of the groups of each, from high to low

    @classmethod
    def of(cls, flags: Array, groups: tuple[IntArray, IntArray], scores: tuple[Array, Array]) -> JoinedPair:
        """Put cases into the order of their cells."""
        first, second = (np.where(flags, own, own + len(of)) for own, of in zip(groups, scores, strict=True))
        cells = 2 * len(scores[1])
        codes = np.sort(first * cells + second)
        return cls(codes // cells, codes % cells, scores)

    @property
    def sizes(self) -> tuple[int, int]:
        return 2 * len(self.scores[0]), 2 * len(self.scores[1])

    @property
    def seen(self) -> Pair:
        """The tables of the cases as they are."""
        cells = zip((self.first, self.second), self.sizes, strict=True)
        first, second = (np.bincount(own, minlength=size).astype(float) for own, size in cells)
        return self._counts((first, second))

    def resampled(self, rng: np.random.Generator, size: int, value: Callable[[ScoreCounts], Array]) -> list[Values]:
        """Evaluate both tables of cases that are drawn again with replacement."""
        pairs = pack_cells(self.first, self.second)
        return self._values(lambda *how: redraw_cases(pairs, self.sizes, *how), rng, size, value)

    def swapped(self, rng: np.random.Generator, size: int, value: Callable[[ScoreCounts], Array]) -> list[Values]:
        """Evaluate both tables where each case's cells may have changed places; both have the same groups."""
        apart = self.first != self.second
        pairs = pack_cells(np.minimum(self.first, self.second)[apart], np.maximum(self.first, self.second)[apart])
        agreeing = np.bincount(self.first[~apart], minlength=self.sizes[0])

        def draw(*how: Any) -> tuple[Array, Array]:
            first, second = swap_cases(pairs, self.sizes[0], *how)
            return first + agreeing, second + agreeing

        return self._values(draw, rng, size, value)

    def _values(
        self, draw: Draw, rng: np.random.Generator, size: int, value: Callable[[ScoreCounts], Array]
    ) -> list[Values]:
        block = max(1, BLOCK // max(self.sizes))
        sizes = [min(block, size - start) for start in range(0, size, block)]
        loops = compiled() if size * len(self.first) >= MANY else None

        def work(stream: np.random.Generator, replicates: int) -> Values:
            first, second = self._counts(draw(stream, replicates, loops))
            with np.errstate(all="ignore"):
                return value(first), value(second)

        from concurrent.futures import ThreadPoolExecutor  # which takes its time, and only large tables need it

        with ThreadPoolExecutor(cores()) as pool:
            return list(pool.map(work, rng.spawn(len(sizes)), sizes))

    def _counts(self, tables: tuple[Array, Array]) -> Pair:
        first, second = (
            ScoreCounts(table[..., : len(scores)], table[..., len(scores) :], scores)
            for table, scores in zip(tables, self.scores, strict=True)
        )
        return first, second


def join_apart(flags: Array, first: Array, second: Array) -> JoinedPair:
    """Join the scores of each classifier by themselves."""
    ranks = mean_ranks(first), mean_ranks(second)
    groups = groups_for(*ranks)
    (one, scores), (other, beside) = (
        _join(rank, own, groups) for rank, own in zip(ranks, (first, second), strict=True)
    )
    return JoinedPair.of(flags, (one, other), (scores, beside))


def join_together(flags: Array, first: Array, second: Array) -> JoinedPair:
    """Join scores of both, which may change places, into the same groups."""
    groups, n = groups_for(mean_ranks(first), mean_ranks(second)), len(first)
    both = np.concatenate([first, second])
    group, scores = _join(mean_ranks(both), both, groups)
    return JoinedPair.of(flags, (group[:n], group[n:]), (scores, scores))


def groups_for(first: Array, second: Array) -> int:
    """How many groups are narrow beside the distance of two ranks of a case: more where classifiers are more alike."""
    apart = np.abs(first - second)
    apart = apart[apart > 0]
    wanted = NARROW * len(first) / float(np.median(apart)) if len(apart) else 0.0
    return int(np.clip(wanted, LEAST_GROUPS, MOST_GROUPS))


def _join(ranks: Array, scores: Array, groups: int) -> tuple[IntArray, Array]:
    """The group of each score, from the highest on, and the mean score of each group; equal scores stay together."""
    group = ((len(ranks) + 0.5 - ranks) * (groups / len(ranks))).astype(np.int64)
    sizes = np.bincount(group, minlength=groups + 1)
    used = sizes > 0
    with np.errstate(all="ignore"):  # of infinite scores, whose mean no measure of ranks looks at
        means = np.bincount(group, scores, groups + 1)[used] / sizes[used]
    return (np.cumsum(used) - 1)[group], means
