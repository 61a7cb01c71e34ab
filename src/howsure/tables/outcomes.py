"""Outcomes: cases of which it is known whether the answer was right, or how good it was, and no truth besides.

A case may be answered several times. How often, and the sums of its scores and of their squares, are all that the
measures and their variances need.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.predictions import Key
from howsure.tables.classes import add_keys
from howsure.tables.clusters import Clusters


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Each case: how often it was answered, and the sums of its scores, from 0 to 1, and of their squares.

    ``names`` are the cases, ``cluster`` says which of them belong together, and ``graded`` that scores are not only
    right and wrong. ``notes`` are what there is to say of answers that had no score.
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
        """Count answers by case; without cases each row is one. Clusters are of cases, and checked to be."""
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
        """Some case was answered more than once."""
        return bool((self.answers > 1).any())

    @property
    def means(self) -> Array:
        """The mean score of each case."""
        return np.asarray(self.total / self.answers)

    @property
    def clusters(self) -> Clusters | None:
        """The clusters of the cases, each of which is a cell; None where each has one case only."""
        if self.cluster is None:
            return None
        n = len(self)
        clusters = Clusters.of_rows(self.cluster.codes, self.cluster.values, np.arange(n), n)
        return None if clusters.are_single else clusters

    def take(self, rows: Array) -> Outcomes:
        """Keep some cases, in the order given."""
        names = tuple(self.names[row] for row in rows.tolist())
        cluster = None if self.cluster is None else self.cluster.take(rows)
        answers, total, squares = (column[rows] for column in (self.answers, self.total, self.squares))
        return Outcomes(names, answers, total, squares, cluster, self.graded, self.notes)

    def __add__(self, other: Outcomes) -> Outcomes:
        """Put the cases of two below one another; the answers to the same case are added up."""
        names = tuple(dict.fromkeys((*self.names, *other.names)))
        place = {name: index for index, name in enumerate(names)}
        rows = np.array([place[name] for one in (self, other) for name in one.names])
        columns = {
            name: np.bincount(rows, np.concatenate([getattr(one, name) for one in (self, other)]), len(names))
            for name in ("answers", "total", "squares")
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
