"""PairedTable and PairedScores: two classifiers on the same cases. Who erred, and who erred alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.checks import one_of
from howsure.data import Predictions
from howsure.data.encode import Label
from howsure.data.predictions import Key
from howsure.errors import HowsureError
from howsure.kernels.count import count_distinct
from howsure.kernels.ranking import mean_ranks
from howsure.tables.classes import add_keys
from howsure.tables.clusters import Clusters, add_clusters
from howsure.tables.confusion import Confusion, check_classes
from howsure.tables.counts import ScoreCounts
from howsure.tables.joined_pairs import JoinedPair, join_apart, join_together

MOST_NUMBERS = 1 << 22  # drawn at a time, whatever the number of replicates
FEW_CASES = 2000  # of which every distinct score has a cell of its own where they are drawn again
FEW_PAIRS = 16  # times fewer distinct pairs of scores than cases: then drawing how often each is taken is quicker
Both = tuple[Array, Array]  # tables of the first and of the second classifier, a batch of each


@dataclass(frozen=True, eq=False)
class PairedTable:
    """How many cases have each truth, first and second prediction: what a group-by of the three columns gives.

    ``cells`` are the combinations that occur, as positions in ``labels``, one in each row; ``counts`` has a count for
    each of them on its last axis, with any leading shape. Tables of the same labels are added with ``+``.
    """

    cells: IntArray  # (m, 3): truth, first, second
    counts: Array  # (..., m)
    labels: tuple[Label, ...]
    clusters: Clusters | None = None  # whose cells are those of the table
    shared: bool = False  # some cases have several truths, and are right in part

    @classmethod
    def from_codes(
        cls, truth: Array, first: Array, second: Array, labels: Sequence[Label], weight: Array | None = None,
        cluster: Key | None = None, *, shared: bool = False,
    ) -> PairedTable:  # fmt: skip
        """Count three columns of positions in ``labels``; whole-number weights repeat a case.

        Where labels ``shared`` a case, weights are their shares in it.
        """
        k, columns = len(labels), [np.asarray(column) for column in (truth, first, second)]
        if any(column.size and not 0 <= column.min() <= column.max() < k for column in columns):
            raise HowsureError(f"codes must be positions in the {k} labels, from 0 to {k - 1}.")
        if weight is not None and not shared and not np.array_equal(weight, np.rint(weight)):
            raise HowsureError("weights of paired cases must be whole numbers: they say how often a case is there.")
        return cls.of_checked(columns, labels, weight, cluster, shared=shared)

    @classmethod
    def of_checked(
        cls, columns: Sequence[Array], labels: Sequence[Label], weight: Array | None, cluster: Key | None, *,
        shared: bool,
    ) -> PairedTable:  # fmt: skip
        """Count columns as `from_codes` does, which are known to be right."""
        k = len(labels)
        check_classes(k)
        code = _numbers_of(columns, k)
        codes, counts = count_distinct(code, k**3, weight)
        cells = np.column_stack([codes // (k * k), codes // k % k, codes % k])
        clusters = None
        if cluster is not None:
            cell = np.searchsorted(codes, code)
            clusters = Clusters.of_rows(cluster.codes, cluster.values, cell, len(codes), weight).of_key(cluster)
        return cls(cells, counts, tuple(labels), clusters, shared)

    @classmethod
    def from_predictions(cls, first: Predictions, second: Predictions) -> PairedTable:
        """Count the decisions of two classifiers, which must be of the same cases and classes."""
        check_paired(first, second)
        columns = first.truth, first.decided(), second.decided()
        shared = first.case is not None
        return cls.of_checked(columns, first.classes.labels, first.weight, first.cluster, shared=shared)

    @property
    def k(self) -> int:
        return len(self.labels)

    @property
    def n(self) -> Array:
        """Cases in the table."""
        total: Array = self.counts.sum(-1)
        return total

    def __add__(self, other: PairedTable) -> PairedTable:
        if not isinstance(other, PairedTable):
            return NotImplemented
        if self.labels != other.labels:
            raise HowsureError(f"paired tables of different classes cannot be added: {self.labels} and {other.labels}.")
        cells, inverse = np.unique(np.vstack([self.cells, other.cells]), axis=0, return_inverse=True)
        m, shape = len(self.cells), np.broadcast_shapes(self.counts.shape[:-1], other.counts.shape[:-1])
        counts = np.zeros((*shape, len(cells)), np.result_type(self.counts, other.counts))
        counts[..., inverse.ravel()[:m]] += self.counts
        counts[..., inverse.ravel()[m:]] += other.counts
        to = inverse.ravel()[:m], inverse.ravel()[m:]
        moved = [
            None if one.clusters is None else one.clusters.moved(place, len(cells))
            for one, place in zip((self, other), to, strict=True)
        ]
        return PairedTable(cells, counts, self.labels, add_clusters(moved), self.shared or other.shared)

    @cached_property
    def positions(self) -> tuple[IntArray, IntArray]:
        """The cell of the first and of the second confusion table that each combination stands in."""
        truth, first, second = self.cells.T
        return truth * self.k + first, truth * self.k + second

    def confusions(self) -> tuple[Confusion, Confusion]:
        """The confusion tables of the two."""
        first, second = (self._spread(self.counts, cells).astype(self.counts.dtype) for cells in self.positions)
        return Confusion(first, self.labels), Confusion(second, self.labels)

    def _spread(self, counts: Array, positions: IntArray) -> Array:
        """Add counts of combinations up in the cells of a confusion table."""
        return scatter(counts, positions, self.k**2).reshape(*counts.shape[:-1], self.k, self.k)

    @cached_property
    def right(self) -> tuple[Array, Array, Array, Array]:
        """Cases that both get right, only the first, only the second, and neither."""
        truth, first, second = self.cells.T
        a, b = first == truth, second == truth
        both, one, other, neither = (self.counts[..., rows].sum(-1) for rows in (a & b, a & ~b, ~a & b, ~a & ~b))
        return both, one, other, neither

    @property
    def discordant(self) -> tuple[int, int]:
        """Cases that only the first gets wrong, and that only the second does: what McNemar's test is of."""
        self._check_single()
        if self.shared:
            raise HowsureError("cases of several truths are right in part, and cannot be counted as right or wrong.")
        return int(self.right[2]), int(self.right[1])

    def _check_single(self) -> None:
        if self.counts.ndim != 1:
            raise HowsureError("this is a batch of paired tables, and a test is of one of them.")

    @property
    def same(self) -> bool:
        """The two give the same answer in every case."""
        return bool((self.cells[:, 1] == self.cells[:, 2]).all())

    def against(self, label: Label) -> PairedTable:
        """Fold all other classes into one, the class first: nothing else matters to a measure of it."""
        one_of("label", label, self.labels)
        codes = (self.cells != self.labels.index(label)).astype(np.int64)
        cells, inverse = np.unique(codes, axis=0, return_inverse=True)
        counts = scatter(self.counts, inverse.ravel(), len(cells)).astype(self.counts.dtype)
        clusters = None if self.clusters is None else self.clusters.moved(inverse.ravel(), len(cells))
        return PairedTable(cells, counts, (label, f"not {label}"), clusters, self.shared)

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Both]:
        """Draw pairs of confusion tables of which each case's answers may have changed places.

        Of the m cases that stand in the cells i and j, in either order, a random swap leaves a binomial number in i for
        the first classifier, and the rest for the second.
        """
        self._check_single()
        (a, b), cells = self.positions, self.k**2
        if self.by_cluster is not None:
            yield from swap_clusters(self.by_cluster, a, b, cells, rng, size, (self.k, self.k))
        else:
            yield from swap(a, b, self.counts, cells, rng, size, (self.k, self.k))

    def resampled(self, rng: np.random.Generator, size: int, *, by_truth: bool = False) -> Iterator[Both]:
        """Draw pairs of confusion tables of cases drawn again with replacement, or within each true class."""
        self._check_single()
        (a, b), cells = self.positions, self.k**2
        if self.by_cluster is not None:
            yield from redraw_clusters(self.by_cluster, a, b, cells, rng, size, (self.k, self.k))
        else:
            yield from redraw(a, b, self.counts, cells, rng, size, (self.k, self.k), self.k if by_truth else cells)

    @property
    def by_cluster(self) -> Clusters | None:
        """The clusters, where some have several cases, so that cases are not independent, or cases several truths."""
        if self.clusters is None or (self.clusters.are_single and not self.clusters.shared):
            return None
        return self.clusters

    def worth(self, design_effect: float) -> PairedTable:
        """Give the table of so many times fewer cases."""
        return PairedTable(self.cells, self.counts / design_effect, self.labels)


@dataclass(frozen=True, eq=False)
class PairedScores:
    """Two classifiers' scores of the same cases: one column each, or one for each class.

    Scores are compared across cases, so nothing can be counted together; ``+`` puts the cases of two tables below one
    another, and the table grows with the number of cases. ``truth`` holds positions in ``labels``; with one column,
    ``positive`` is the position of the class that it scores.
    """

    truth: IntArray
    first: Array
    second: Array
    labels: tuple[Label, ...]
    positive: int | None = None
    cluster: Key | None = None  # that each case belongs to

    @classmethod
    def from_predictions(cls, first: Predictions, second: Predictions, *, all_classes: bool = False) -> PairedScores:
        """Take the scores of two classifiers: of the positive class, or of all classes where there are more."""
        if first.scores is None or second.scores is None:
            raise HowsureError("both classifiers must have scores here; give `scores=...`.")
        _check_weights(first, second)
        if first.case is not None:
            raise HowsureError(
                "measures of scores are compared with one truth for each case, and some cases have several; compare "
                "by a measure of labels, or give one label for each case."
            )
        if first.scores.shape != second.scores.shape:
            raise HowsureError("`a` and `b` must both be one column of scores, or both have a column for each class.")
        classes = first.classes
        of_all = first.scores.ndim == 2 and (all_classes or not classes.chosen)
        positive = None if of_all else classes.labels.index(classes.positive)

        def repeated(column: Array) -> Array:
            return column if first.weight is None else np.repeat(column, first.weight, axis=0)

        def scores_of(one: Predictions) -> Array:
            scores = repeated(np.asarray(one.scores, float))
            return scores if positive is None or scores.ndim == 1 else scores[:, positive]

        cluster = None if first.cluster is None else replace(first.cluster, codes=repeated(first.cluster.codes))
        one = scores_of(first)
        other = one if second is first else scores_of(second)  # what is of one classifier is then computed once
        return cls(repeated(first.truth), one, other, classes.labels, positive, cluster)

    @property
    def n(self) -> int:
        return len(self.truth)

    @property
    def scores(self) -> tuple[Array, Array]:
        return self.first, self.second

    def __add__(self, other: PairedScores) -> PairedScores:
        if not isinstance(other, PairedScores):
            return NotImplemented
        if (self.labels, self.positive) != (other.labels, other.positive) or self.first.ndim != other.first.ndim:
            raise HowsureError("scores of different classes cannot be added.")
        truth = np.concatenate([self.truth, other.truth])
        first, second = (np.concatenate(pair) for pair in zip(self.scores, other.scores, strict=True))
        cluster = add_keys([self.cluster, other.cluster])
        return PairedScores(truth, first, second, self.labels, self.positive, cluster)

    @cached_property
    def clusters(self) -> Clusters | None:
        """The clusters of the cases, each of which is a cell."""
        if self.cluster is None:
            return None
        return Clusters.of_rows(self.cluster.codes, self.cluster.values, np.arange(self.n), self.n)

    @property
    def flags(self) -> Array:
        """Which cases are positive."""
        flags: Array = self.truth == self.positive
        return flags

    @property
    def same(self) -> bool:
        return bool((self.first == self.second).all())

    def ranked(self) -> PairedScores:
        """Replace scores by their ranks within each classifier, ties sharing the mean rank.

        What ranks cases does not depend on the scale of the scores; what exchanges them between classifiers does.
        """
        return replace(self, first=_column_ranks(self.first), second=_column_ranks(self.second))

    @cached_property
    def grid(self) -> tuple[Array, IntArray, IntArray]:
        """The distinct scores of both from high to low, and each case's cell: positives first, then negatives."""
        falling, position = np.unique(-np.concatenate([self.first, self.second]), return_inverse=True)
        start = np.where(self.flags, 0, len(falling))
        first, second = (start + part for part in np.split(position, 2))
        return -falling, first, second

    @cached_property
    def is_long(self) -> bool:
        """There are so many cases, few of them alike, that they are drawn one by one, with scores joined."""
        if self.n <= FEW_CASES or self.first.ndim == 2 or self.by_cluster is not None:
            return False
        if max(len(np.unique(scores)) for scores in self.scores) * FEW_PAIRS > self.n:
            return True  # there are at least as many pairs, which take longer to count
        scores, a, b = self.grid
        return bool(len(np.unique(a * (2 * len(scores)) + b)) * FEW_PAIRS > self.n)

    @cached_property
    def joined_apart(self) -> JoinedPair:
        """The pair with each classifier's scores joined into groups, to be drawn again."""
        return join_apart(self.flags, self.first, self.second)

    @cached_property
    def joined_together(self) -> JoinedPair:
        """The pair with the scores of both joined into the same groups, to be exchanged."""
        return join_together(self.flags, self.first, self.second)

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[tuple[ScoreCounts, ScoreCounts]]:
        """Draw pairs of score tables of which each case's scores may have changed places."""
        scores, a, b = self.grid
        if self.by_cluster is not None:
            tables = swap_clusters(self.by_cluster, a, b, 2 * len(scores), rng, size)
        else:
            tables = swap(a, b, np.ones(self.n, int), 2 * len(scores), rng, size)
        yield from map(self._counts, tables)

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[tuple[ScoreCounts, ScoreCounts]]:
        """Draw pairs of score tables of cases drawn again with replacement."""
        scores, a, b = self.grid
        if self.by_cluster is not None:
            tables = redraw_clusters(self.by_cluster, a, b, 2 * len(scores), rng, size)
        else:
            tables = redraw(a, b, np.ones(self.n, int), 2 * len(scores), rng, size)
        yield from map(self._counts, tables)

    @property
    def by_cluster(self) -> Clusters | None:
        """The clusters, where some have several cases, so that cases are not independent."""
        return None if self.clusters is None or self.clusters.are_single else self.clusters

    def _counts(self, tables: Both) -> tuple[ScoreCounts, ScoreCounts]:
        scores = self.grid[0]
        m = len(scores)
        first, second = (ScoreCounts(table[:, :m], table[:, m:], scores) for table in tables)
        return first, second

    def swapped_rows(self, rng: np.random.Generator, size: int) -> Iterator[PairedScores]:
        """Draw whole rows of scores of many classes that may have changed places."""
        rows = np.arange(self.n)
        column = (self.first != self.second).argmax(1)
        turned = self.first[rows, column] < self.second[rows, column]  # the draws do not depend on which comes first
        if self.cluster is not None:
            codes, clusters = self.cluster.codes, len(self.cluster.values)
            for _ in range(size):
                keep = (rng.random(clusters) < 0.5)[codes][:, None]
                first, second = np.where(keep, self.first, self.second), np.where(keep, self.second, self.first)
                yield replace(self, first=first, second=second)
            return
        for _ in range(size):
            keep = ((rng.random(self.n) < 0.5) ^ turned)[:, None]
            first, second = np.where(keep, self.first, self.second), np.where(keep, self.second, self.first)
            yield replace(self, first=first, second=second)

    def resampled_rows(self, rng: np.random.Generator, size: int) -> Iterator[PairedScores]:
        """Draw cases again with replacement, with their rows of scores."""
        for _ in range(size):
            if self.cluster is None:
                rows = rng.integers(0, self.n, self.n)
            else:
                clusters = len(self.cluster.values)
                taken = np.bincount(rng.integers(0, clusters, clusters), minlength=clusters)
                rows = np.repeat(np.arange(self.n), taken[self.cluster.codes])
            columns = self.truth[rows], self.first[rows], self.second[rows]
            yield PairedScores(*columns, self.labels, self.positive)


def _numbers_of(columns: Sequence[Array], k: int) -> Array:
    """Number the combinations of three positions."""
    truth, first, second = columns
    return (truth.astype(np.int64) * k + first) * k + second


def check_paired(first: Predictions, second: Predictions) -> None:
    """Refuse predictions of other cases or classes."""
    if first.classes.labels != second.classes.labels or len(first.truth) != len(second.truth):
        raise HowsureError("two classifiers are compared on the same cases and classes, and these have others.")
    _check_weights(first, second)


def _check_weights(first: Predictions, second: Predictions) -> None:
    """Refuse weights that do not say how often a case is there, the same for both classifiers."""
    if first.case is not None and np.array_equal(np.asarray(first.square), np.asarray(first.weight)):
        if second.case is None or not np.array_equal(np.asarray(first.weight), np.asarray(second.weight)):
            raise HowsureError("two classifiers are compared with the same truths of each case, and these have others.")
        return
    one, other = (np.ones(1) if each.weight is None else each.weight for each in (first, second))
    if first.square is not None or second.square is not None or not np.array_equal(one, other):
        raise HowsureError("two classifiers are compared with whole-number weights, the same for both.")


def swap(
    a: IntArray, b: IntArray, counts: Array, cells: int, rng: np.random.Generator, size: int,
    shape: tuple[int, ...] | None = None,
) -> Iterator[Both]:  # fmt: skip
    """Exchange the cells of cases at random, a block of replicates at a time."""
    both = scatter(counts, a, cells) + scatter(counts, b, cells)
    apart = a != b
    agreeing = scatter(counts[~apart], a[~apart], cells)
    ends = np.sort(np.column_stack([a, b])[apart], axis=1)
    (low, high), m = _distinct(ends[:, 0], ends[:, 1], counts[apart], cells)
    for block in _blocks(size, cells + len(m)):
        stay = rng.binomial(m, 0.5, (block, len(m)))
        first = agreeing + scatter(np.hstack([stay, m - stay]), np.concatenate([low, high]), cells)
        yield _shaped(first, shape), _shaped(both - first, shape)


def redraw(
    a: IntArray, b: IntArray, counts: Array, cells: int, rng: np.random.Generator, size: int,
    shape: tuple[int, ...] | None = None, stratum: int | None = None,
) -> Iterator[Both]:  # fmt: skip
    """Draw cases again with replacement, a block of replicates at a time.

    Each run of ``stratum`` cells, as those of a true class are, keeps its number of cases; by default all are one.
    """
    (first, second), m = _distinct(a, b, counts, cells)
    starts = np.unique(first // (stratum or cells), return_index=True)[1]
    for block in _blocks(size, cells + len(m)):
        parts = [rng.multinomial(part.sum(), part / part.sum(), block) for part in np.split(m, starts[1:])]
        drawn = np.hstack(parts)
        yield _shaped(scatter(drawn, first, cells), shape), _shaped(scatter(drawn, second, cells), shape)


def swap_clusters(
    clusters: Clusters, a: IntArray, b: IntArray, cells: int, rng: np.random.Generator, size: int,
    shape: tuple[int, ...] | None = None,
) -> Iterator[Both]:  # fmt: skip
    """Exchange the answers of whole clusters at random, a block of replicates at a time."""
    first, second = clusters.moved(a, cells), clusters.moved(b, cells)
    for block in first.blocks(size):
        keep = rng.random((block, len(clusters))) < 0.5
        tables = first.times(keep) + second.times(~keep), second.times(keep) + first.times(~keep)
        yield _shaped(tables[0], shape), _shaped(tables[1], shape)


def redraw_clusters(
    clusters: Clusters, a: IntArray, b: IntArray, cells: int, rng: np.random.Generator, size: int,
    shape: tuple[int, ...] | None = None,
) -> Iterator[Both]:  # fmt: skip
    """Draw whole clusters again with replacement, a block of replicates at a time."""
    first, second = clusters.moved(a, cells), clusters.moved(b, cells)
    for taken in first.drawn(rng, size):
        yield _shaped(first.times(taken), shape), _shaped(second.times(taken), shape)


def scatter(counts: Array, positions: IntArray, cells: int) -> Array:
    """Add up columns of counts that belong to one cell."""
    tables = np.zeros((*counts.shape[:-1], cells))
    if not len(positions):
        return tables
    order = np.argsort(positions, kind="stable")
    distinct, starts = np.unique(positions[order], return_index=True)
    tables[..., distinct] = np.add.reduceat(counts[..., order], starts, axis=-1)
    return tables


def _distinct(a: IntArray, b: IntArray, counts: Array, cells: int) -> tuple[Array, Array]:
    """Give the distinct pairs of cells, and how many cases are in each."""
    codes, sizes = count_distinct(a.astype(np.int64) * cells + b, cells * cells, counts)
    return np.array(np.divmod(codes, cells)), sizes.astype(np.int64)


def _blocks(size: int, numbers: int) -> list[int]:
    block = max(1, MOST_NUMBERS // numbers)
    return [min(block, size - start) for start in range(0, size, block)]


def _shaped(tables: Array, shape: tuple[int, ...] | None) -> Array:
    return tables if shape is None else tables.reshape(-1, *shape)


def _column_ranks(scores: Array) -> Array:
    return np.column_stack([mean_ranks(column) for column in scores.T]) if scores.ndim == 2 else mean_ranks(scores)
