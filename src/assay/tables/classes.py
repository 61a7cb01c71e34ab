"""ClassScores: the scores of every class for every case, and the table of each class against the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import add

import numpy as np

from assay.arrays import Array
from assay.checks import one_of
from assay.data.encode import Label
from assay.errors import AssayError
from assay.tables.counts import ScoreRows
from assay.tables.scores import ScoreTable


@dataclass(frozen=True)
class ClassScores:
    """Scores of every class for every case, and the one-versus-rest table of each class.

    Measures of many classes compare scores within a case, so cases cannot be counted together: ``+`` puts the rows of
    two tables below one another, and the table grows with the number of cases.
    """

    rows: ScoreRows
    labels: tuple[Label, ...]
    square: Array | None = field(default=None, repr=False)

    @cached_property
    def tables(self) -> tuple[ScoreTable, ...]:
        whole = (self.rows.weight == 1).all()
        weight = None if whole else self.rows.weight
        return tuple(
            ScoreTable.of_columns(self.rows.truth == column, self.rows.scores[:, column], weight, self.square)
            for column in range(len(self.labels))
        )

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
            raise AssayError(f"score tables of different classes cannot be added: {self.labels} and {other.labels}.")
        squares = None
        if self.square is not None or other.square is not None:
            squares = np.concatenate([self.squares, other.squares])
        mine, theirs = self.rows, other.rows
        rows = ScoreRows(
            np.concatenate([mine.truth, theirs.truth]),
            np.concatenate([mine.scores, theirs.scores]),
            np.concatenate([mine.weight, theirs.weight]),
        )
        return ClassScores(rows, self.labels, squares)

    @property
    def squares(self) -> Array:
        """What each case adds to the variance of a sum: its squared weight, or its count."""
        return self.rows.weight if self.square is None else self.square
