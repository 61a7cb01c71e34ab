"""PairedTable and PairedScores: two classifiers on the same cases."""

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

MAX_NUMBERS = 1 << 22  # maximum number of random numbers in memory at once
EXACT_UP_TO = 2000  # with more cases, replicates may join neighbouring scores into groups
CASES_PER_PAIR = 16  # with at least this many cases per distinct pair of scores, replicates stay exact
Both = tuple[Array, Array]  # a batch of tables for the first classifier, and one for the second


@dataclass(frozen=True, eq=False)
class PairedTable:
    """Cases by true label, first prediction and second prediction.

    ``cells`` has one row for each combination that occurs, as positions in ``labels``. ``counts`` has their numbers of
    cases on its last axis; leading axes hold a batch. Tables of the same labels are added with ``+``.
    """

    cells: IntArray  # (m, 3): truth, first, second
    counts: Array  # (..., m)
    labels: tuple[Label, ...]
    clusters: Clusters | None = None  # number of cases of each cluster in each cell
    shared: bool = False  # whether any case has several true labels, so that a prediction may be partly correct

    @classmethod
    def from_codes(
        cls, truth: Array, first: Array, second: Array, labels: Sequence[Label], weight: Array | None = None,
        cluster: Key | None = None, *, shared: bool = False,
    ) -> PairedTable:  # fmt: skip
        """Count three columns of positions in ``labels``.

        Whole-number weights repeat a case.

        With ``shared``, the weights are the shares of the several true labels of a case.
        """
        k, columns = len(labels), [np.asarray(column) for column in (truth, first, second)]
        if any(column.size and not 0 <= column.min() <= column.max() < k for column in columns):
            raise HowsureError(f"codes must be positions in the {k} labels, from 0 to {k - 1}.")
        if weight is not None and not shared and not np.array_equal(weight, np.rint(weight)):
            raise HowsureError("weights of paired cases must be whole numbers, which repeat a case.")
        return cls.of_checked(columns, labels, weight, cluster, shared=shared)

    @classmethod
    def of_checked(
        cls, columns: Sequence[Array], labels: Sequence[Label], weight: Array | None, cluster: Key | None, *,
        shared: bool,
    ) -> PairedTable:  # fmt: skip
        """Count valid columns as `from_codes` does."""
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
        """Count the predictions of two classifiers for the same cases."""
        check_paired(first, second)
        columns = first.truth, first.decided(), second.decided()
        shared = first.case is not None
        return cls.of_checked(columns, first.classes.labels, first.weight, first.cluster, shared=shared)

    @property
    def k(self) -> int:
        return len(self.labels)

    @property
    def n(self) -> Array:
        """Number of cases."""
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
            None if table.clusters is None else table.clusters.moved(cell, len(cells))
            for table, cell in zip((self, other), to, strict=True)
        ]
        return PairedTable(cells, counts, self.labels, add_clusters(moved), self.shared or other.shared)

    @cached_property
    def positions(self) -> tuple[IntArray, IntArray]:
        """The cell of each combination in the two confusion matrices."""
        truth, first, second = self.cells.T
        return truth * self.k + first, truth * self.k + second

    def confusions(self) -> tuple[Confusion, Confusion]:
        """Return the confusion matrices of the two classifiers."""
        first, second = (self._spread(self.counts, cells).astype(self.counts.dtype) for cells in self.positions)
        return Confusion(first, self.labels), Confusion(second, self.labels)

    def _spread(self, counts: Array, positions: IntArray) -> Array:
        """Sum the counts of combinations in the cells of a confusion matrix."""
        return scatter(counts, positions, self.k**2).reshape(*counts.shape[:-1], self.k, self.k)

    @cached_property
    def right(self) -> tuple[Array, Array, Array, Array]:
        """Cases that both, only the first, only the second, or neither get right."""
        truth, first, second = self.cells.T
        a, b = first == truth, second == truth
        both, only_a, only_b, neither = (self.counts[..., rows].sum(-1) for rows in (a & b, a & ~b, ~a & b, ~a & ~b))
        return both, only_a, only_b, neither

    @property
    def discordant(self) -> tuple[int, int]:
        """Cases that only the first or only the second misclassifies.

        McNemar's test compares these two numbers.
        """
        self._check_single()
        if self.shared:
            raise HowsureError("with several true labels, a prediction may be partly correct, not right or wrong.")
        return int(self.right[2]), int(self.right[1])

    def _check_single(self) -> None:
        if self.counts.ndim != 1:
            raise HowsureError("a test needs a single paired table, but this is a batch.")

    @property
    def same(self) -> bool:
        """Whether the two predictions are the same in every case."""
        return bool((self.cells[:, 1] == self.cells[:, 2]).all())

    def against(self, label: Label) -> PairedTable:
        """Return the table of one class, which comes first, against the rest."""
        one_of("label", label, self.labels)
        codes = (self.cells != self.labels.index(label)).astype(np.int64)
        cells, inverse = np.unique(codes, axis=0, return_inverse=True)
        counts = scatter(self.counts, inverse.ravel(), len(cells)).astype(self.counts.dtype)
        clusters = None if self.clusters is None else self.clusters.moved(inverse.ravel(), len(cells))
        return PairedTable(cells, counts, (label, f"not {label}"), clusters, self.shared)

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Both]:
        """Draw permutation replicates of the two confusion matrices.

        The two predictions of each case are exchanged with probability one half.

        Of the m cases with the predictions i and j, in either order, a binomial number B(m, 1/2) then has i as the
        first prediction, and the rest have j.
        """
        self._check_single()
        (a, b), cells = self.positions, self.k**2
        if self.by_cluster is not None:
            yield from swap_clusters(self.by_cluster, a, b, cells, rng, size, (self.k, self.k))
        else:
            yield from swap(a, b, self.counts, cells, rng, size, (self.k, self.k))

    def resampled(self, rng: np.random.Generator, size: int, *, by_truth: bool = False) -> Iterator[Both]:
        """Draw bootstrap replicates of the cases, overall or within true classes."""
        self._check_single()
        (a, b), cells = self.positions, self.k**2
        if self.by_cluster is not None:
            yield from redraw_clusters(self.by_cluster, a, b, cells, rng, size, (self.k, self.k))
        else:
            yield from redraw(a, b, self.counts, cells, rng, size, (self.k, self.k), self.k if by_truth else cells)

    @property
    def by_cluster(self) -> Clusters | None:
        """Clusters if cases are dependent or have several true labels."""
        if self.clusters is None or (self.clusters.are_independent and not self.clusters.shared):
            return None
        return self.clusters

    def deflate(self, design_effect: float) -> PairedTable:
        """Divide the counts by the design effect."""
        return PairedTable(self.cells, self.counts / design_effect, self.labels)


@dataclass(frozen=True, eq=False)
class PairedScores:
    """Scores of two classifiers for the same cases.

    Each has one column of scores, or one for each class.

    Both scores of a case are kept, so the table grows with the number of cases; ``+`` concatenates cases. ``truth`` has
    positions in ``labels``. With one column, ``positive`` is the position of the class that is scored.
    """

    truth: IntArray
    first: Array
    second: Array
    labels: tuple[Label, ...]
    positive: int | None = None
    cluster: Key | None = None  # cluster of each case

    @classmethod
    def from_predictions(cls, first: Predictions, second: Predictions, *, all_classes: bool = False) -> PairedScores:
        """Take the scores of the positive class, or of each of several classes."""
        if first.scores is None or second.scores is None:
            raise HowsureError("both classifiers must have scores here; give `scores=...`.")
        _check_weights(first, second)
        if first.case is not None:
            raise HowsureError(
                "measures of scores need one true label for each case, but some cases have several; compare by a "
                "measure of labels, or give one label for each case."
            )
        if first.scores.shape != second.scores.shape:
            raise HowsureError("`a` and `b` must both be one column of scores, or both have a column for each class.")
        classes = first.classes
        of_all = first.scores.ndim == 2 and (all_classes or not classes.chosen)
        positive = None if of_all else classes.labels.index(classes.positive)

        def repeated(column: Array) -> Array:
            return column if first.weight is None else np.repeat(column, first.weight, axis=0)

        def scores_of(predictions: Predictions) -> Array:
            scores = repeated(np.asarray(predictions.scores, float))
            return scores if positive is None or scores.ndim == 1 else scores[:, positive]

        cluster = None if first.cluster is None else replace(first.cluster, codes=repeated(first.cluster.codes))
        a = scores_of(first)
        b = a if second is first else scores_of(second)
        return cls(repeated(first.truth), a, b, classes.labels, positive, cluster)

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
            raise HowsureError("scores for different classes cannot be added.")
        truth = np.concatenate([self.truth, other.truth])
        first, second = (np.concatenate(pair) for pair in zip(self.scores, other.scores, strict=True))
        cluster = add_keys([self.cluster, other.cluster])
        return PairedScores(truth, first, second, self.labels, self.positive, cluster)

    @cached_property
    def clusters(self) -> Clusters | None:
        """Clusters of the cases; each case is its own cell."""
        if self.cluster is None:
            return None
        return Clusters.of_rows(self.cluster.codes, self.cluster.values, np.arange(self.n), self.n)

    @property
    def flags(self) -> Array:
        """Whether each case is positive."""
        flags: Array = self.truth == self.positive
        return flags

    @property
    def same(self) -> bool:
        return bool((self.first == self.second).all())

    def ranked(self) -> PairedScores:
        """Replace scores by their midranks within each classifier.

        Measures of ranking do not depend on the scale of the scores. Exchanging scores between two classifiers does, so
        ranks are exchanged instead (Bandos, Rockette and Gur 2005).
        """
        return replace(self, first=_column_ranks(self.first), second=_column_ranks(self.second))

    @cached_property
    def grid(self) -> tuple[Array, IntArray, IntArray]:
        """Distinct scores of both, from high to low, and each case's two cells.

        Cells are the positives by score, then the negatives.
        """
        falling, position = np.unique(-np.concatenate([self.first, self.second]), return_inverse=True)
        start = np.where(self.flags, 0, len(falling))
        first, second = (start + part for part in np.split(position, 2))
        return -falling, first, second

    @cached_property
    def is_long(self) -> bool:
        """Whether there are so many scores that replicates join neighbours."""
        if self.n <= EXACT_UP_TO or self.first.ndim == 2 or self.by_cluster is not None:
            return False
        if max(len(np.unique(scores)) for scores in self.scores) * CASES_PER_PAIR > self.n:
            return True  # there are at least as many pairs as scores, and pairs take longer to count
        scores, a, b = self.grid
        return bool(len(np.unique(a * (2 * len(scores)) + b)) * CASES_PER_PAIR > self.n)

    @cached_property
    def joined_apart(self) -> JoinedPair:
        """Cases with each classifier's scores in groups, for the bootstrap."""
        return join_apart(self.flags, self.first, self.second)

    @cached_property
    def joined_together(self) -> JoinedPair:
        """Cases with both scores in the same groups, for permutations."""
        return join_together(self.flags, self.first, self.second)

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[tuple[ScoreCounts, ScoreCounts]]:
        """Draw permutation replicates of the two score tables.

        The two scores of each case are exchanged with probability one half.
        """
        scores, a, b = self.grid
        if self.by_cluster is not None:
            tables = swap_clusters(self.by_cluster, a, b, 2 * len(scores), rng, size)
        else:
            tables = swap(a, b, np.ones(self.n, int), 2 * len(scores), rng, size)
        yield from map(self._counts, tables)

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[tuple[ScoreCounts, ScoreCounts]]:
        """Draw bootstrap replicates of the cases."""
        scores, a, b = self.grid
        if self.by_cluster is not None:
            tables = redraw_clusters(self.by_cluster, a, b, 2 * len(scores), rng, size)
        else:
            tables = redraw(a, b, np.ones(self.n, int), 2 * len(scores), rng, size)
        yield from map(self._counts, tables)

    @property
    def by_cluster(self) -> Clusters | None:
        """Clusters if any cluster has several cases, so that cases are dependent."""
        return None if self.clusters is None or self.clusters.are_independent else self.clusters

    def _counts(self, tables: Both) -> tuple[ScoreCounts, ScoreCounts]:
        scores = self.grid[0]
        m = len(scores)
        first, second = (ScoreCounts(table[:, :m], table[:, m:], scores) for table in tables)
        return first, second

    def swapped_rows(self, rng: np.random.Generator, size: int) -> Iterator[PairedScores]:
        """Draw permutation replicates of scores of several classes, row by row."""
        rows = np.arange(self.n)
        column = (self.first != self.second).argmax(1)
        is_reversed = self.first[rows, column] < self.second[rows, column]  # draws must not depend on which comes first
        if self.cluster is not None:
            codes, clusters = self.cluster.codes, len(self.cluster.values)
            for _ in range(size):
                keep = (rng.random(clusters) < 0.5)[codes][:, None]
                first, second = np.where(keep, self.first, self.second), np.where(keep, self.second, self.first)
                yield replace(self, first=first, second=second)
            return
        for _ in range(size):
            keep = ((rng.random(self.n) < 0.5) ^ is_reversed)[:, None]
            first, second = np.where(keep, self.first, self.second), np.where(keep, self.second, self.first)
            yield replace(self, first=first, second=second)

    def resampled_rows(self, rng: np.random.Generator, size: int) -> Iterator[PairedScores]:
        """Draw bootstrap replicates of the rows of scores of several classes."""
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
    """Combine three positions into one number."""
    truth, first, second = columns
    return (truth.astype(np.int64) * k + first) * k + second


def check_paired(first: Predictions, second: Predictions) -> None:
    """Reject predictions for different cases or classes."""
    if first.classes.labels != second.classes.labels or len(first.truth) != len(second.truth):
        raise HowsureError("two classifiers must be compared on the same cases and classes.")
    _check_weights(first, second)


def _check_weights(first: Predictions, second: Predictions) -> None:
    """Reject weights that are not whole or that differ between classifiers."""
    if first.case is not None and np.array_equal(np.asarray(first.square), np.asarray(first.weight)):
        if second.case is None or not np.array_equal(np.asarray(first.weight), np.asarray(second.weight)):
            raise HowsureError("two classifiers must be compared with the same true labels for each case.")
        return
    weights = [np.ones(1) if predictions.weight is None else predictions.weight for predictions in (first, second)]
    if first.square is not None or second.square is not None or not np.array_equal(weights[0], weights[1]):
        raise HowsureError("two classifiers must be compared with whole-number weights, the same for both.")


def swap(
    a: IntArray, b: IntArray, counts: Array, cells: int, rng: np.random.Generator, size: int,
    shape: tuple[int, ...] | None = None,
) -> Iterator[Both]:  # fmt: skip
    """Exchange the two cells of each case at random in blocks of replicates."""
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
    """Draw cases with replacement, in blocks of replicates.

    Each run of ``stratum`` cells, such as those of a true class, keeps its number of cases. Default: one stratum.
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
    """Exchange the two predictions of whole clusters at random in blocks."""
    first, second = clusters.moved(a, cells), clusters.moved(b, cells)
    for block in first.blocks(size):
        keep = rng.random((block, len(clusters))) < 0.5
        tables = first.times(keep) + second.times(~keep), second.times(keep) + first.times(~keep)
        yield _shaped(tables[0], shape), _shaped(tables[1], shape)


def redraw_clusters(
    clusters: Clusters, a: IntArray, b: IntArray, cells: int, rng: np.random.Generator, size: int,
    shape: tuple[int, ...] | None = None,
) -> Iterator[Both]:  # fmt: skip
    """Draw whole clusters with replacement, in blocks of replicates."""
    first, second = clusters.moved(a, cells), clusters.moved(b, cells)
    for taken in first.drawn(rng, size):
        yield _shaped(first.times(taken), shape), _shaped(second.times(taken), shape)


def scatter(counts: Array, positions: IntArray, cells: int) -> Array:
    """Sum the columns of counts that belong to the same cell."""
    tables = np.zeros((*counts.shape[:-1], cells))
    if not len(positions):
        return tables
    order = np.argsort(positions, kind="stable")
    distinct, starts = np.unique(positions[order], return_index=True)
    tables[..., distinct] = np.add.reduceat(counts[..., order], starts, axis=-1)
    return tables


def _distinct(a: IntArray, b: IntArray, counts: Array, cells: int) -> tuple[Array, Array]:
    """Return the distinct pairs of cells, and the number of cases of each."""
    codes, sizes = count_distinct(a.astype(np.int64) * cells + b, cells * cells, counts)
    return np.array(np.divmod(codes, cells)), sizes.astype(np.int64)


def _blocks(size: int, numbers: int) -> list[int]:
    block = max(1, MAX_NUMBERS // numbers)
    return [min(block, size - start) for start in range(0, size, block)]


def _shaped(tables: Array, shape: tuple[int, ...] | None) -> Array:
    return tables if shape is None else tables.reshape(-1, *shape)


def _column_ranks(scores: Array) -> Array:
    return np.column_stack([mean_ranks(column) for column in scores.T]) if scores.ndim == 2 else mean_ranks(scores)
