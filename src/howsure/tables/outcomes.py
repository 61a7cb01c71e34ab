"""Outcomes: scores of answers, which are right, wrong or partly right.

No true labels are needed.

A case may be answered several times. The measures and their variances need only the number of answers to each case,
the sum of their scores and the sum of the squared scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.predictions import Key
from howsure.tables.classes import add_keys
from howsure.tables.clusters import Clusters, join_names


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Number of answers and sums of scores and squared scores, by case.

    Scores lie between 0 and 1.

    ``names`` are the cases and ``cluster`` their clusters. ``graded`` means that some scores lie between 0 and 1.
    ``notes`` describe answers without a score.
    """

    names: tuple[Any, ...]
    answers: IntArray
    total: Array
    squares: Array
    cluster: Key | None = None
    graded: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def of_rows(cls, scores: Array, case: Key | None, cluster: Key | None, notes: tuple[str, ...] = ()) -> Outcomes:
        """Sum the scores of answers by case; without ``case`` each row is a case."""
        scores = np.asarray(scores, float)
        graded = bool(((scores != 0) & (scores != 1)).any())
        if case is None:
            n = len(scores)
            return cls(tuple(range(n)), np.ones(n, np.int64), scores, scores**2, cluster, graded, notes)
        n = len(case.values)
        answers, total, squares = (np.bincount(case.codes, each, n) for each in (None, scores, scores**2))
        if cluster is not None:
            of_case = np.zeros(n, np.int64)
            of_case[case.codes] = cluster.codes
            cluster = Key(of_case, cluster.values)
        return cls(case.values, answers.astype(np.int64), total, squares, cluster, graded, notes)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def repeated(self) -> bool:
        """Whether any case has more than one answer."""
        return bool((self.answers > 1).any())

    @property
    def means(self) -> Array:
        """Mean score of each case."""
        return np.asarray(self.total / self.answers)

    @property
    def clusters(self) -> Clusters | None:
        """Clusters of the cases, or None if no cluster has two cases."""
        if self.cluster is None:
            return None
        n = len(self)
        clusters = Clusters.of_rows(self.cluster.codes, self.cluster.values, np.arange(n), n)
        return None if clusters.are_independent else clusters

    def take(self, rows: Array) -> Outcomes:
        """Select cases by row number."""
        names = tuple(self.names[row] for row in rows.tolist())
        cluster = None if self.cluster is None else self.cluster.take(rows)
        answers, total, squares = (column[rows] for column in (self.answers, self.total, self.squares))
        return Outcomes(names, answers, total, squares, cluster, self.graded, self.notes)

    def __add__(self, other: Outcomes) -> Outcomes:
        """Combine the cases of two tables; answers to the same case are summed."""
        names, codes = join_names([self.names, other.names])
        rows = np.concatenate(codes)
        columns = {
            column: np.bincount(rows, np.concatenate([getattr(self, column), getattr(other, column)]), len(names))
            for column in ("answers", "total", "squares")
        }
        joined = add_keys([self.cluster, other.cluster])
        cluster = None
        if joined is not None:
            of_case = np.zeros(len(names), np.int64)
            of_case[rows] = joined.codes
            cluster = Key(of_case, joined.values)
        answers = columns.pop("answers").astype(np.int64)
        notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        return Outcomes(names, answers, **columns, cluster=cluster, graded=self.graded or other.graded, notes=notes)
