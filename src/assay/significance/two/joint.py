"""Two classifiers on the same cases: any measure of both, of the cases at hand, swapped at random, or drawn again.

A measure is computed from a table: how many cases of each class got each label, or each score. A case stands in one
cell of the first classifier's table and in one of the second's, and nothing else about it matters. So counts are drawn
instead of cases: of the m cases that stand in the cells i and j, in either order, a random swap leaves a binomial
number in i for the first classifier, and the rest for the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.data import Predictions
from assay.data.encode import encode
from assay.data.labels import Classes
from assay.data.predictions import check_lengths, check_present
from assay.errors import AssayError
from assay.intervals.resampling import MOST_NUMBERS
from assay.measures import Measure, estimate, estimate_scores, registry
from assay.measures.estimate.classes import estimate_classes
from assay.measures.estimate.labels import Target, prepared
from assay.results import Estimate
from assay.tables import ClassScores, Confusion, ScoreCounts, ScoreRows, ScoreTable

Both = tuple[Array, Array]  # values of the first and of the second classifier


@dataclass(frozen=True)
class Cells:
    """Cases in the cells of two tables; ``values`` evaluates tables of ``size`` cells, one in each row."""

    first: Estimate
    second: Estimate
    a: Array  # the cell of each case
    b: Array
    size: int
    values: Callable[[Array], Array]

    @property
    def same(self) -> bool:
        return bool((self.a == self.b).all())

    def swapped(self, rng: np.random.Generator, replicates: int) -> Iterator[Both]:
        both = np.bincount(self.a, minlength=self.size) + np.bincount(self.b, minlength=self.size)
        apart = self.a != self.b
        ends = np.sort(np.column_stack([self.a, self.b])[apart], axis=1)
        (low, high), m = _distinct(ends, self.size)
        agreeing = np.bincount(self.a[~apart], minlength=self.size).astype(float)
        for size in _blocks(replicates, self.size + len(m)):
            kept = rng.binomial(m, 0.5, (size, len(m)))
            table = agreeing + _scatter(np.hstack([kept, m - kept]), np.concatenate([low, high]), self.size)
            yield self.values(table), self.values(both - table)

    def resampled(self, rng: np.random.Generator, replicates: int) -> Iterator[Both]:
        (first, second), m = _distinct(np.column_stack([self.a, self.b]), self.size)
        for size in _blocks(replicates, self.size + len(m)):
            drawn = rng.multinomial(m.sum(), m / m.sum(), size)
            yield self.values(_scatter(drawn, first, self.size)), self.values(_scatter(drawn, second, self.size))


def _distinct(cells: Array, size: int) -> tuple[Array, Array]:
    """Give the distinct pairs of cells, and how often each occurs."""
    codes, counts = np.unique(cells[:, 0].astype(np.int64) * size + cells[:, 1], return_counts=True)
    return np.array(np.divmod(codes, size)), counts


def _scatter(counts: Array, cells: Array, size: int) -> Array:
    """Add up columns of counts that belong to one cell."""
    order = np.argsort(cells, kind="stable")
    there, starts = np.unique(cells[order], return_index=True)
    tables = np.zeros((len(counts), size))
    tables[:, there] = np.add.reduceat(counts[:, order], starts, axis=1)
    return tables


def _blocks(replicates: int, numbers: int) -> list[int]:
    block = max(1, MOST_NUMBERS // numbers)
    return [min(block, replicates - start) for start in range(0, replicates, block)]


@dataclass(frozen=True)
class Rows:
    """Scores of more than two classes, which are compared case by case, so that nothing can be counted."""

    first: Estimate
    second: Estimate
    truth: Array
    a: Array
    b: Array
    value: Callable[[Array, Array], float]

    @property
    def same(self) -> bool:
        return bool((self.a == self.b).all())

    def swapped(self, rng: np.random.Generator, replicates: int) -> Iterator[Both]:
        rows = np.arange(len(self.truth))
        place = (self.a != self.b).argmax(1)
        turned = self.a[rows, place] < self.b[rows, place]  # so that the draws do not depend on which comes first
        for _ in range(replicates):
            keep = ((rng.random(len(rows)) < 0.5) ^ turned)[:, None]
            yield self._both(self.truth, np.where(keep, self.a, self.b), np.where(keep, self.b, self.a))

    def resampled(self, rng: np.random.Generator, replicates: int) -> Iterator[Both]:
        for _ in range(replicates):
            rows = rng.integers(0, len(self.truth), len(self.truth))
            yield self._both(self.truth[rows], self.a[rows], self.b[rows])

    def _both(self, truth: Array, a: Array, b: Array) -> Both:
        return np.array([self.value(truth, a)]), np.array([self.value(truth, b)])


Pair = Cells | Rows


def make_pair(
    truth: Any, a: Any, b: Any, name: str, positive: Any, average: str | None, labels: Any, parameters: dict[str, Any]
) -> Pair:
    """Check and encode two classifiers' labels, or scores where the measure is of scores.

    The measure is of the positive class where there is one, else averaged, as in an assessment.
    """
    declared = registry[name]
    if declared.scope in ("score", "rows"):
        made = [
            Predictions.of(truth, scores=given, labels=labels, positive=positive, names={"scores": key})
            for key, given in (("a", a), ("b", b))
        ]
        return _of_scores(declared, made[0], made[1], average, parameters)
    columns = {key: encode(column, key) for key, column in (("truth", truth), ("a", a), ("b", b))}
    check_lengths({key: len(encoded.codes) for key, encoded in columns.items()})
    for key, encoded in columns.items():
        check_present(encoded, key)
    classes = Classes.of(columns, labels, positive)
    codes, names = [classes.index(encoded).astype(np.int64) for encoded in columns.values()], classes.labels
    if declared.scope == "class" and classes.positive is not None and average is None:
        # Only this class against the rest matters, so the table is made that small before anything is drawn.
        place = names.index(classes.positive)
        codes, names = [(code != place).astype(np.int64) for code in codes], (classes.positive, "the rest")
    label = None if average is not None or declared.scope != "class" or classes.positive is None else names[0]
    k = len(names)
    cells = [codes[0] * k + code for code in codes[1:]]
    tables = [Confusion(np.bincount(cell, minlength=k * k).reshape(k, k), names) for cell in cells]
    first, second = (estimate(table, declared, label=label, average=average, **parameters) for table in tables)
    default = "macro" if declared.scope == "class" and label is None else None
    target = Target(declared, tables[0], average or default, prepared(declared, parameters, tables[0]))
    return Cells(first, second, cells[0], cells[1], k * k, lambda drawn: target.values(drawn.reshape(-1, k, k)))


def _of_scores(
    declared: Measure, a: Predictions, b: Predictions, average: str | None, parameters: dict[str, Any]
) -> Pair:
    truth, classes = a.truth, a.classes
    columns = [np.asarray(one.scores, float) for one in (a, b)]
    if columns[0].shape != columns[1].shape:
        raise AssayError("`a` and `b` must both be one column of scores, or both have a column for each class.")
    if columns[0].ndim == 2 and (declared.scope == "rows" or not classes.chosen):

        def classified(truth: Array, scores: Array) -> Estimate:
            rows = ScoreRows(truth, scores, np.ones(len(truth)))
            return estimate_classes(ClassScores(rows, classes.labels), declared, average=average, **parameters)

        first, second = (classified(truth, scores) for scores in columns)
        return Rows(first, second, truth, columns[0], columns[1], lambda t, scores: classified(t, scores).value)
    if declared.scope == "rows":
        raise AssayError(f"`{declared.name}` needs a column of scores for each of more than two classes.")
    if average is not None:
        raise AssayError(f"`{declared.name}` is of one class here, and has no average.")
    place = classes.labels.index(classes.positive)
    columns = [scores if scores.ndim == 1 else scores[:, place] for scores in columns]
    flags, of = truth == place, str(classes.positive)
    first, second = (
        estimate_scores(ScoreTable.from_scores(flags, scores), declared, of=of, **parameters) for scores in columns
    )
    falling, ranks = np.unique(-np.concatenate(columns), return_inverse=True)
    size = len(falling)
    cells = [np.where(flags, 0, size) + rank for rank in np.split(ranks, 2)]

    def values(drawn: Array) -> Array:
        return declared.value(ScoreCounts(drawn[:, :size], drawn[:, size:], -falling), **parameters)

    return Cells(first, second, cells[0], cells[1], 2 * size, values)
