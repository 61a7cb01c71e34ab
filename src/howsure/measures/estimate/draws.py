"""Bootstrap replicates of scores that several measures share: drawn once, and counted once.

The draws of a table depend on the seed alone, so that the second measure of an assessment would draw, count and add up
the same numbers again. The last draws are remembered for as long as their table is; those of one table only, since a
thousand replicates take some ten megabytes.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.intervals.bootstrap import MOST_NUMBERS
from howsure.kernels.table_bootstrap import draw_counts
from howsure.tables import ClassScores, ScoreCounts, ScoreTable

MOST_SHARED = 1 << 23  # numbers of all classes that are remembered


class LastOne:
    """Remembers what was made last of an object, and forgets it with the object."""

    def __init__(self) -> None:
        self._kept: tuple[Any, Hashable, Any] = (lambda: None, None, None)

    def get(self, owner: Any, key: Hashable, make: Callable[[], Any]) -> Any:
        known, known_key, made = self._kept
        if known() is owner and known_key == key:
            return made
        made = make()
        self._kept = weakref.ref(owner, self._forget), key, made
        return made

    def _forget(self, gone: Any) -> None:
        if self._kept[0] is gone:
            self._kept = (lambda: None, None, None)


_tables, _classes = LastOne(), LastOne()


def drawn_tables(table: ScoreTable, size: int, seed: int, *, stratified: bool = False) -> list[ScoreCounts]:
    """Redraw a table ``size`` times, in blocks; where one block will do, measures share it."""
    block = max(1, MOST_NUMBERS // (2 * len(table)))

    def draw() -> list[ScoreCounts]:
        rng = np.random.default_rng(seed)
        sizes = [min(block, size - start) for start in range(0, size, block)]
        drawn = (table.resample(rng, one, stratified=stratified) for one in sizes)
        return [ScoreCounts(*counts, table.scores) for counts in drawn]

    return draw() if size > block else _tables.get(table, (size, seed, stratified), draw)


def drawn_classes(
    scores: ClassScores, merge: Callable[[ClassScores], ClassScores], groups: int, size: int, seed: int
) -> Iterable[list[ScoreCounts]]:
    """Redraw cases, after equal ones were merged, and count each class against the rest in a thinned table of its own.

    Blocks of replicates, of each class one; before the first replicate are the counts as they are. Where one block will
    do, measures share it.
    """
    numbers = 2 * len(scores.labels) * groups

    def draw() -> Iterator[list[ScoreCounts]]:
        merged = merge(scores)
        truth, base = merged.rows.truth, merged.rows.weight.astype(float)
        thinned = [table.thinned(groups).scores for table in merged.tables]
        cells = []
        for column, own in enumerate(thinned):
            group = np.searchsorted(-own, -merged.rows.scores[:, column], side="left")
            cells.append(np.minimum(group, len(own) - 1) + np.where(truth == column, 0, len(own)))
        rng, block = np.random.default_rng(seed), max(1, MOST_SHARED // numbers)
        for start in range(0, size + 1, block):
            rows = range(start, min(start + block, size + 1))
            counts = [np.empty((len(rows), 2 * len(own))) for own in thinned]
            for place, row in enumerate(rows):
                weight: Array = draw_counts(base, merged.square, rng, 1)[0] if row else base
                for table, cell in zip(counts, cells, strict=True):
                    table[place] = np.bincount(cell, weight, table.shape[1])
            parts = zip(counts, thinned, strict=True)
            yield [ScoreCounts(table[:, : len(own)], table[:, len(own) :], own) for table, own in parts]

    if (size + 1) * numbers > MOST_SHARED:
        return draw()
    made: list[list[ScoreCounts]] = _classes.get(scores, (groups, size, seed), lambda: list(draw()))
    return made
