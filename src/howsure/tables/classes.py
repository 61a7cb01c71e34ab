"""ClassScores: the scores of every class for every case, and the table of each class against the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import add

import numpy as np

from howsure.arrays import Array
from howsure.checks import one_of
from howsure.data.encode import Label
from howsure.data.predictions import Key
from howsure.errors import HowsureError
from howsure.tables.clusters import NOT_ADDED, Clusters
from howsure.tables.counts import ScoreRows
from howsure.tables.scores import ScoreTable


@dataclass(frozen=True)
class ClassScores:
    """Scores of every class for every case, and the one-versus-rest table of each class.

    Measures of many classes compare scores within a case, so cases cannot be counted together: ``+`` puts the rows of
    two tables below one another, and the table grows with the number of cases.
    """

    rows: ScoreRows
    labels: tuple[Label, ...]
    square: Array | None = field(default=None, repr=False)
    cluster: Key | None = field(default=None, repr=False)  # that each row belongs to

    @cached_property
    def tables(self) -> tuple[ScoreTable, ...]:
        whole = (self.rows.weight == 1).all()
        weight = None if whole else self.rows.weight
        tables = []
        for column in range(len(self.labels)):
            flags, scores = self.rows.truth == column, self.rows.scores[:, column]
            table = ScoreTable.of_columns(flags, scores, weight, self.square)
            tables.append(table if self.cluster is None else table.clustered(self.cluster, flags, scores, weight))
        return tuple(tables)

    def table(self, label: Label) -> ScoreTable:
        """Give the table of one class against the rest."""
        one_of("label", label, self.labels)
        return self.tables[self.labels.index(label)]

    @cached_property
    def pooled(self) -> ScoreTable:
        """All classes in one table: each case once as its class, and once against each other class."""
        return reduce(add, self.tables)

    @property
    def n(self) -> float:
        """Cases, or their effective number where weights are real."""
        return float(self.rows.weight.sum() ** 2 / self.squares.sum())

    def __add__(self, other: ClassScores) -> ClassScores:
        if not isinstance(other, ClassScores):
            return NotImplemented
        if self.labels != other.labels:
            raise HowsureError(f"score tables of different classes cannot be added: {self.labels} and {other.labels}.")
        squares = None
        if self.square is not None or other.square is not None:
            squares = np.concatenate([self.squares, other.squares])
        mine, theirs = self.rows, other.rows
        rows = ScoreRows(
            np.concatenate([mine.truth, theirs.truth]),
            np.concatenate([mine.scores, theirs.scores]),
            np.concatenate([mine.weight, theirs.weight]),
        )
        return ClassScores(rows, self.labels, squares, add_keys(self.cluster, other.cluster))

    @cached_property
    def clusters(self) -> Clusters | None:
        """The clusters of the rows, each of which is a cell."""
        if self.cluster is None:
            return None
        weight, n = self.rows.weight, len(self.rows.truth)
        whole = self.square is None
        each = weight.astype(np.int64) if whole else weight
        clusters = Clusters.of_rows(self.cluster.codes, self.cluster.values, np.arange(n), n, each)
        return clusters.of_key(self.cluster)

    def worth(self, design_effect: float) -> ClassScores:
        """Give the same cases as so many times fewer independent ones: the variances are so many times larger."""
        return ClassScores(self.rows, self.labels, self.squares * design_effect)

    @property
    def squares(self) -> Array:
        """What each case adds to the variance of a sum: its squared weight, or its count."""
        return self.rows.weight if self.square is None else self.square


def add_keys(one: Key | None, other: Key | None) -> Key | None:
    """Give the clusters of rows that were put below others; both have some, or neither."""
    if one is None and other is None:
        return None
    if one is None or other is None:
        raise HowsureError(NOT_ADDED)
    values = tuple(dict.fromkeys((*one.values, *other.values)))
    place = {value: index for index, value in enumerate(values)}
    codes = [np.array([place[value] for value in key.values])[key.codes] for key in (one, other)]
    return Key(np.concatenate(codes), values, one.shared and other.shared)
