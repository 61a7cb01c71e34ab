"""Confusion matrices, with true classes as rows and predicted classes as columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import check_shares, numbers, one_of
from howsure.data import Predictions
from howsure.data.encode import Label
from howsure.data.labels import label_list
from howsure.data.predictions import Key
from howsure.errors import HowsureError
from howsure.kernels.count import count_cells
from howsure.present import Record, Result, Sheet
from howsure.tables.clusters import Clusters, add_clusters
from howsure.tables.counts import BinaryCounts, LabelCounts

MAX_CELLS = 50_000_000  # maximum number of cells: 400 MB for a table, and a few times that for its measures


def check_classes(k: int, tables: int = 1) -> None:
    """Reject too many classes before memory is allocated for their tables."""
    if tables * k * k > MAX_CELLS:
        each = f" in each of {tables} groups" if tables > 1 else ""
        most = math.isqrt(MAX_CELLS // tables)
        raise HowsureError(
            f"there are {k} classes{each}, and a confusion matrix has at most {most} "
            f"({MAX_CELLS // 10**6} million cells); is this a column of names, numbers or scores?"
        )


@dataclass(frozen=True, eq=False)
class Confusion(Result):
    """Confusion matrix, or a batch of them; tables are added with ``+``.

    Parameters
    ----------
    counts
        Number of cases by true class (rows) and predicted class (columns), of shape (..., k, k). Leading axes hold a
        batch of tables.
    labels
        The classes, in the order of the rows and columns. Default: 0, 1, ..., k - 1.
    squares
        Sums of the squared weights, for cases with real-valued weights.
    fixed_rows
        Whether the shares of the true classes are known constants rather than sampled.
    clusters
        The cases of each cluster, for cases that are not independent.

    Attributes
    ----------
    k
        The number of classes.

    Examples
    --------
    >>> from howsure import Confusion
    >>> table = Confusion([[88, 14, 18], [10, 40, 10], [2, 6, 12]], labels=["a", "b", "c"])
    >>> print(table)
    Confusion matrix (rows: true class, columns: predicted class)
    truth    a   b   c  total
    -----  ---  --  --  -----
    a       88  14  18    120
    b       10  40  10     60
    c        2   6  12     20
    total  100  60  40    200
    """

    counts: Array
    labels: tuple[Label, ...] = ()
    squares: Array | None = field(default=None, repr=False)
    fixed_rows: bool = field(default=False, repr=False)
    clusters: Clusters | None = field(default=None, repr=False)

    def __init__(
        self,
        counts: ArrayLike,
        labels: Sequence[Label] | None = None,
        squares: ArrayLike | None = None,
        *,
        fixed_rows: bool = False,
        clusters: Clusters | None = None,
    ) -> None:
        if labels is None and hasattr(counts, "columns") and hasattr(counts, "to_numpy"):
            labels = list(counts.columns)  # columns of a data frame
        try:
            table = np.array(counts)  # a copy: a frozen table must not change with the caller's array
        except ValueError:
            raise HowsureError("`counts` must be a square table, not rows of different lengths.") from None
        if table.ndim < 2 or table.shape[-1] != table.shape[-2] or not table.shape[-1]:
            raise HowsureError(f"`counts` must be a square table, not an array of shape {table.shape}.")
        if table.dtype.kind not in "biuf":
            raise HowsureError(f"`counts` must be numbers, not {table.dtype}.")
        if not np.isfinite(table).all() or (table < 0).any():
            raise HowsureError("`counts` must be finite and non-negative.")
        if table.dtype.kind in "iu" and table.size and table.max() >= 2**53:
            raise HowsureError("`counts` must be below 2**53, beyond which whole numbers are not exact.")
        names = tuple(range(table.shape[-1])) if labels is None else tuple(label_list(labels))
        if (
            len(names) != table.shape[-1]
            or len(set(map(repr, names))) != len(names)
            or any(not isinstance(name, str | int | bool) for name in names)
        ):
            raise HowsureError(f"`labels` must be {table.shape[-1]} different names, not {names!r}.")
        table = table if table.dtype.kind == "f" else table.astype(np.int64)
        table.setflags(write=False)
        object.__setattr__(self, "counts", table)
        object.__setattr__(self, "labels", names)
        square_sums = None if squares is None else numbers("squares", squares).copy()
        if square_sums is not None and square_sums.shape != table.shape:
            raise HowsureError(f"`squares` must have the shape of `counts`, {table.shape}, not {square_sums.shape}.")
        object.__setattr__(self, "squares", square_sums)
        object.__setattr__(self, "fixed_rows", fixed_rows)
        object.__setattr__(self, "clusters", clusters)

    @classmethod
    def from_predictions(cls, predictions: Predictions, per: str | None = None) -> Confusion:
        """Count predictions in one table, or in one table for each group or fold.

        Parameters
        ----------
        predictions
            The predictions. Their clusters are kept in a single table.
        per
            "group" or "fold" for a batch of tables.

        Examples
        --------
        >>> from howsure import Confusion, Predictions
        >>> Confusion.from_predictions(Predictions.of(["y", "n", "y"], ["y", "n", "n"])).counts.tolist()
        [[1, 0], [1, 1]]
        """
        if per is None and predictions.cluster is not None:
            return cls._clustered(predictions, predictions.cluster)
        key = getattr(predictions, per) if per else None
        k = len(predictions.classes.labels)
        check_classes(k, 1 if key is None else len(key.values))
        columns, sizes = [predictions.truth, predictions.decided()], [k, k]
        if key is not None:
            columns, sizes = [key.codes, *columns], [len(key.values), *sizes]

        def table(weight: Array | None) -> Array:
            return count_cells(columns, sizes, weight)

        squares = None if predictions.square is None else table(predictions.square)
        return cls(table(predictions.weight), predictions.classes.labels, squares)

    @classmethod
    def _clustered(cls, predictions: Predictions, key: Key) -> Confusion:
        """Count predictions, and the cases of each cluster in each cell."""
        labels, truth, decided = predictions.classes.labels, predictions.truth, predictions.decided()
        k, parts = len(labels), predictions.parts
        check_classes(k)
        cell = truth.astype(np.int64) * k + decided
        clusters = Clusters.of_rows(key.codes, key.values, cell, k * k, predictions.weight)
        counts = count_cells((truth, decided), (k, k), predictions.weight)
        squares = None
        if predictions.square is not None:
            squares = count_cells((truth, decided), (k, k), predictions.square)
        if parts is not None and squares is not None:  # round sums of thirds, which then do not depend on the order
            counts, squares = (np.rint(table * parts) / parts for table in (counts, squares))
        return cls(counts, labels, squares, clusters=clusters.of_key(key))

    @classmethod
    def from_labels(cls, truth: Any, predicted: Any, *, weight: Any = None, labels: Any = None) -> Confusion:
        """Count two columns of labels of any type.

        Parameters
        ----------
        truth, predicted
            Columns of labels.
        weight
            Case weights.
        labels
            All classes, in the order to show them. Default: the classes that occur, sorted.

        Examples
        --------
        >>> from howsure import Confusion
        >>> Confusion.from_labels(["y", "n", "y"], ["y", "n", "n"], labels=["y", "n"]).counts.tolist()
        [[1, 1], [0, 1]]
        """
        return cls.from_predictions(Predictions.of(truth, predicted, weight=weight, labels=labels))

    @property
    def k(self) -> int:
        return len(self.labels)

    @property
    def n(self) -> Any:
        """Number of cases, or the sum of their weights."""
        return self.counts.sum((-1, -2))

    @cached_property
    def variances(self) -> Array:
        """Variance of each cell: its count, or the sum of its squared weights."""
        return self.counts if self.squares is None else self.squares

    @property
    def effective_n(self) -> float:
        """Effective sample size: (sum of weights)^2 / sum of squares (Kish 1965)."""
        return float(self.counts.sum() ** 2 / self.variances.sum()) if self.counts.any() else 0.0

    def effective_sums(self, side: str) -> Array:
        """Return the effective sample size of each true or predicted class."""
        axis = -1 if side == "truth" else -2
        sums, squares = self.counts.sum(axis) * 1.0, self.variances.sum(axis)
        return np.asarray(np.divide(sums**2, squares, out=np.zeros(sums.shape), where=squares > 0))

    def __add__(self, other: Confusion) -> Confusion:
        return add_confusions([self, other]) if isinstance(other, Confusion) else NotImplemented

    def __radd__(self, other: object) -> Confusion:
        return self if other == 0 else NotImplemented  # sum() starts from 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Confusion):
            return NotImplemented
        has_same_counts = self.labels == other.labels and np.array_equal(self.counts, other.counts)
        return has_same_counts and np.array_equal(self.variances, other.variances)

    def __getitem__(self, item: Any) -> Confusion:
        """Return selected tables of a batch."""
        if self.counts.ndim == 2:
            raise HowsureError("a single table cannot be indexed; its cells are in `.counts`.")
        return Confusion(self.counts[item], self.labels, None if self.squares is None else self.squares[item])

    def single(self) -> list[Confusion]:
        """Return the tables of a batch as a list."""
        squares = [None] * len(self.counts) if self.squares is None else list(self.squares)
        return [self._checked(counts, square) for counts, square in zip(self.counts, squares, strict=True)]

    def _checked(self, counts: Array, squares: Array | None) -> Confusion:
        """Make a table from valid counts without checking each cell again."""
        table = object.__new__(Confusion)
        parts = {"counts": counts, "squares": squares, "labels": self.labels, "fixed_rows": self.fixed_rows}
        for name, part in {**parts, "clusters": None}.items():
            object.__setattr__(table, name, part)
        return table

    def reindex(self, labels: Sequence[Label]) -> Confusion:
        """Reorder the classes; new classes have no cases.

        Parameters
        ----------
        labels
            All classes, in the new order.

        Examples
        --------
        >>> from howsure import Confusion
        >>> table = Confusion([[5, 1], [2, 8]], ["n", "y"])
        >>> table.reindex(["y", "n"]).counts.tolist()
        [[8, 2], [1, 5]]
        """
        labels = tuple(label_list(labels))
        if labels == self.labels:
            return self
        positions = {label: index for index, label in enumerate(labels)}
        for label in self.labels:
            if label not in positions:
                raise HowsureError(f"`labels` must name every class, and {label!r} is missing.")
        rows = np.array([positions[label] for label in self.labels])

        check_classes(len(labels), math.prod(self.counts.shape[:-2]))

        def reindexed(table: Array) -> Array:
            larger = np.zeros((*table.shape[:-2], len(labels), len(labels)), table.dtype)
            larger[..., rows[:, None], rows] = table
            return larger

        squares = None if self.squares is None else reindexed(self.squares)
        clusters = self._moved(_cells(rows, len(labels)), len(labels))
        return Confusion(reindexed(self.counts), labels, squares, clusters=clusters)

    def _moved(self, to: Array, k: int) -> Clusters | None:
        """Move each cell of the clusters to the cell ``to`` of ``k`` classes."""
        return None if self.clusters is None else self.clusters.moved(to.ravel(), k * k)

    def transpose(self) -> Confusion:
        """Swap rows and columns, for textbooks that put predictions in rows.

        Examples
        --------
        >>> from howsure import Confusion
        >>> Confusion([[5, 1], [2, 8]]).transpose().counts.tolist()
        [[5, 2], [1, 8]]
        """
        squares = None if self.squares is None else self.squares.swapaxes(-1, -2)
        clusters = self._moved(np.arange(self.k**2).reshape(self.k, self.k).T, self.k)
        return Confusion(self.counts.swapaxes(-1, -2), self.labels, squares, clusters=clusters)

    def with_shares(self, shares: ArrayLike) -> Confusion:
        """Return the expected table for other proportions of the true classes.

        The predictions within each true class stay as they are. The shares are known constants, so that only the
        predictions within each class are uncertain.

        Parameters
        ----------
        shares
            The proportion of each class, in the order of the labels; they sum to 1.

        Examples
        --------
        >>> from howsure import Confusion
        >>> Confusion([[8, 2], [1, 9]], ["n", "y"]).with_shares([0.9, 0.1]).counts.round(2).tolist()
        [[14.4, 3.6], [0.2, 1.8]]
        """
        target = check_shares("shares", shares, len(self.labels))
        rows = self.counts.sum(-1)
        for label, row, share in zip(self.labels, rows, target, strict=True):
            if share > 0 and row == 0:
                raise HowsureError(f"the share of {label!r} cannot be set, because it has no cases.")
        factor = np.divide(target * rows.sum(), rows, out=np.zeros(len(rows)), where=rows > 0)[:, None]
        clusters = None if self.clusters is None else self.clusters.scaled(np.repeat(factor, self.k, axis=1))
        squares = self.variances * factor**2
        return Confusion(self.counts * factor, self.labels, squares, fixed_rows=True, clusters=clusters)

    def deflate(self, design_effect: float) -> Confusion:
        """Multiply the variances of all counts by the design effect."""
        squares = self.variances * design_effect
        return Confusion(self.counts, self.labels, squares, fixed_rows=self.fixed_rows)

    def divided_by(self, times: float) -> Confusion:
        """Divide all counts."""
        return Confusion(self.counts / times, self.labels, fixed_rows=self.fixed_rows)

    def chance(self) -> Confusion:
        """Return the table expected by chance, with the same margins.

        Examples
        --------
        >>> from howsure import Confusion
        >>> Confusion([[8, 2], [2, 8]]).chance().counts.tolist()
        [[5.0, 5.0], [5.0, 5.0]]
        """
        rows, columns = self.counts.sum(-1, keepdims=True), self.counts.sum(-2, keepdims=True)
        n = np.asarray(self.n, float)[..., None, None]
        shares = np.divide(rows, n, out=np.zeros(rows.shape), where=n > 0)
        return Confusion(shares * columns, self.labels)

    def index(self, label: Label) -> int:
        """Return the position of a class.

        Parameters
        ----------
        label
            A class.

        Examples
        --------
        >>> from howsure import Confusion
        >>> Confusion([[5, 1], [2, 8]], ["n", "y"]).index("y")
        1
        """
        one_of("label", label, self.labels)
        return self.labels.index(label)

    @cached_property
    def sums(self) -> LabelCounts:
        """Sums of rows, columns and the diagonal."""
        return LabelCounts.of(self.counts)

    @cached_property
    def one_versus_rest(self) -> BinaryCounts:
        """Counts of each class against the rest, along the last axis."""
        return BinaryCounts.of(self.counts)

    @cached_property
    def _total(self) -> Array:
        return np.asarray(self.counts.sum((-1, -2)))

    def against(self, label: Label) -> Confusion:
        """Return the 2 x 2 table of one class against the rest.

        Parameters
        ----------
        label
            The class. It comes first.

        Examples
        --------
        >>> from howsure import Confusion
        >>> table = Confusion([[88, 14, 18], [10, 40, 10], [2, 6, 12]], labels=["a", "b", "c"])
        >>> table.against("b").counts.tolist()
        [[40, 20], [20, 120]]
        """
        index = self.index(label)

        def fold(table: Array) -> Array:
            tp = table[..., index, index]
            fn, fp = table[..., index, :].sum(-1) - tp, table[..., :, index].sum(-1) - tp
            if table.dtype.kind == "f":  # real-valued weights do not cancel exactly, so the other cells are summed
                tn = np.delete(np.delete(table, index, -1), index, -2).sum((-1, -2))
            else:
                tn = self._total - tp - fn - fp
            rows = np.stack([tp, fn, fp, tn], axis=-1)
            return rows.reshape(*rows.shape[:-1], 2, 2)

        squares = None if self.squares is None else fold(self.squares)
        clusters = None
        if self.clusters is not None:
            clusters = self._moved(_cells((np.arange(self.k) != index).astype(np.int64), 2), 2)
        names = (label, f"not {label}")
        return Confusion(fold(self.counts), names, squares, fixed_rows=self.fixed_rows, clusters=clusters)

    def _check_single(self) -> None:
        if self.counts.ndim != 2:
            raise HowsureError("a batch of tables cannot be shown; select a table with `[...]`.")

    def columns(self) -> dict[str, Array]:
        """Return the count, share and count expected by chance of each cell.

        The share is the proportion of the true class; it is NaN for a class without cases.

        Examples
        --------
        >>> from howsure import Confusion
        >>> list(Confusion([[5, 1], [2, 8]]).columns())
        ['count', 'share', 'chance']
        """
        self._check_single()
        rows = self.counts.sum(-1, keepdims=True)
        share = np.divide(self.counts, rows, out=np.full(self.counts.shape, np.nan), where=rows > 0)
        return {"count": self.counts, "share": share, "chance": self.chance().counts}

    def records(self) -> list[Record]:
        """Return one record for each cell."""
        cells = {name: column.ravel().tolist() for name, column in self.columns().items()}
        names = [str(label) for label in self.labels]
        keys = [{"truth": truth, "predicted": predicted} for truth in names for predicted in names]
        values = [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]
        return [{**key, **value} for key, value in zip(keys, values, strict=True)]

    def sheet(self) -> Sheet:
        self._check_single()
        names = [str(label) for label in self.labels]
        body = [[name, *row, sum(row)] for name, row in zip(names, self.counts.tolist(), strict=True)]
        sums = self.counts.sum(0).tolist()
        return Sheet(
            ["truth", *names, "total"],
            [*body, ["total", *sums, sum(sums)]],
            title="Confusion matrix (rows: true class, columns: predicted class)",
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "labels": list(self.labels),
            "rows": "truth",
            "columns": "predicted",
            "counts": self.counts.tolist(),
        }

    def __repr__(self) -> str:
        shape = "" if self.counts.ndim == 2 else f", batch {self.counts.shape[:-2]}"
        return f"Confusion(k={self.k}, n={self.counts.sum():g}{shape})"

    @property
    def _fits_a_page(self) -> bool:
        return self.counts.ndim == 2 and self.k <= 30

    def text(self, width: int | None = None) -> str:
        return self.sheet().text(width) if self._fits_a_page else repr(self)

    def to_html(self) -> str:
        return self.sheet().to_html() if self._fits_a_page else f"<p>{escape(repr(self))}</p>"


def _cells(classes: Array, k: int) -> Array:
    """Return the cell of each pair of ``classes`` in a ``k`` x ``k`` table."""
    return np.asarray(classes[:, None] * k + classes)


def add_confusions(tables: Sequence[Confusion]) -> Confusion:
    """Add tables, which may have different classes."""
    labels = tuple(dict.fromkeys(label for table in tables for label in table.labels))
    tables = [table.reindex(labels) for table in tables]
    is_weighted = any(table.squares is not None for table in tables)
    squares = reduce(np.add, [table.variances for table in tables]) if is_weighted else None
    clusters = add_clusters([table.clusters for table in tables])
    return Confusion(reduce(np.add, [table.counts for table in tables]), labels, squares, clusters=clusters)
