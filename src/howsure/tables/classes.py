"""ClassScores: the scores of all classes for each case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from howsure.arrays import Array
from howsure.checks import one_of
from howsure.data.encode import Label
from howsure.data.predictions import Key
from howsure.errors import HowsureError
from howsure.tables.clusters import NOT_ADDED, Clusters, join_names
from howsure.tables.counts import ScoreRows
from howsure.tables.scores import ScoreTable, add_score_tables


@dataclass(frozen=True)
class ClassScores:
    """Scores of all classes for each case, and the one-versus-rest tables.

    Measures of several classes compare scores within each case, so cases cannot be reduced to counts: ``+``
    concatenates rows, and the table grows with the number of cases.
    """

    rows: ScoreRows
    labels: tuple[Label, ...]
    square: Array | None = field(default=None, repr=False)
    cluster: Key | None = field(default=None, repr=False)  # cluster of each row

    @cached_property
    def tables(self) -> tuple[ScoreTable, ...]:
        weight = None if (self.rows.weight == 1).all() else self.rows.weight
        tables = []
        for column in range(len(self.labels)):
            flags, scores = self.rows.truth == column, self.rows.scores[:, column]
            table = ScoreTable.of_columns(flags, scores, weight, self.square)
            tables.append(table if self.cluster is None else table.clustered(self.cluster, flags, scores, weight))
        return tuple(tables)

    def table(self, label: Label) -> ScoreTable:
        """Return the score table of one class against the rest."""
        one_of("label", label, self.labels)
        return self.tables[self.labels.index(label)]

    @cached_property
    def pooled(self) -> ScoreTable:
        """The sum of the one-versus-rest tables of all classes."""
        return add_score_tables(self.tables)

    @property
    def n(self) -> float:
        """Number of cases, or their effective number with real-valued weights."""
        return float(self.rows.weight.sum() ** 2 / self.squares.sum())

    def __add__(self, other: ClassScores) -> ClassScores:
        return add_class_scores([self, other]) if isinstance(other, ClassScores) else NotImplemented

    @cached_property
    def clusters(self) -> Clusters | None:
        """Clusters of the rows; each row is its own cell."""
        if self.cluster is None:
            return None
        weight, n = self.rows.weight, len(self.rows.truth)
        each = weight.astype(np.int64) if self.square is None else weight
        clusters = Clusters.of_rows(self.cluster.codes, self.cluster.values, np.arange(n), n, each)
        return clusters.of_key(self.cluster)

    def deflate(self, design_effect: float) -> ClassScores:
        """Multiply the variances of all cases by the design effect."""
        return ClassScores(self.rows, self.labels, self.squares * design_effect)

    @property
    def squares(self) -> Array:
        """Variance of the weight of each case: its squared weight, or its count."""
        return self.rows.weight if self.square is None else self.square


def add_class_scores(tables: Sequence[ClassScores]) -> ClassScores:
    """Concatenate the rows of tables of the same classes."""
    labels = tables[0].labels
    for table in tables:
        if table.labels != labels:
            raise HowsureError(f"score tables of different classes cannot be added: {labels} and {table.labels}.")
    is_weighted = any(table.square is not None for table in tables)
    squares = np.concatenate([table.squares for table in tables]) if is_weighted else None
    truth, scores, weight = (
        np.concatenate([getattr(table.rows, name) for table in tables]) for name in ("truth", "scores", "weight")
    )
    return ClassScores(ScoreRows(truth, scores, weight), labels, squares, add_keys([table.cluster for table in tables]))


def add_keys(parts: Sequence[Key | None]) -> Key | None:
    """Concatenate the clusters of rows; either all parts have clusters or none."""
    keys = [part for part in parts if part is not None]
    if not keys:
        return None
    if len(keys) < len(parts):
        raise HowsureError(NOT_ADDED)
    values, codes = join_names([key.values for key in keys])
    joined = np.concatenate([code[key.codes] for code, key in zip(codes, keys, strict=True)])
    return Key(joined, values, all(key.shared for key in keys))
