"""JudgedCases: few cases with a human label, all with that of a judge, counted by what is the same of them.

A row stands for all cases with the same labels, prediction, stratum and cluster, so that a million cases without scores
are a handful of rows. Labelled cases stand for their stratum: each weighs as many cases as there are for each label.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.encode import MISSING, Label
from howsure.data.predictions import Key
from howsure.tables.clusters import Clusters
from howsure.tables.confusion import Confusion, check_classes


@dataclass(frozen=True, eq=False)
class JudgedCases:
    """Labels as positions in ``labels``; ``truth`` is missing where no human labelled a case.

    Without ``predicted`` the cases are to be counted by class, and no classifier is assessed.
    """

    labels: tuple[Label, ...]
    truth: IntArray
    judge: IntArray
    predicted: IntArray | None
    count: Array
    stratum: Key | None = None
    cluster: Key | None = None
    scores: Array | None = None

    def joined(self) -> JudgedCases:
        """Make one row of equal ones; scores hardly ever are, so with them every case stays a row."""
        if self.scores is not None:
            return self
        keys = [key.codes for key in (self.stratum, self.cluster) if key is not None]
        columns = [self.truth, self.judge, *([] if self.predicted is None else [self.predicted]), *keys]
        code = np.zeros(len(self.truth), np.int64)
        for column in columns:  # made small after each column, so that no product of their sizes overflows
            code = code * (int(column.max()) + 2) + column + 1
            code = np.unique(code, return_inverse=True)[1]
        _, first = np.unique(code, return_index=True)
        kept = self.take(first)
        return replace(kept, count=np.bincount(code, self.count).astype(np.int64))

    def take(self, rows: Array) -> JudgedCases:
        """Keep some rows, with the names of all strata and clusters."""

        def kept(column: Array | None) -> Array | None:
            return None if column is None else column[rows]

        def kept_key(key: Key | None) -> Key | None:
            return None if key is None else Key(key.codes[rows], key.values)

        return replace(
            self,
            truth=self.truth[rows],
            judge=self.judge[rows],
            predicted=kept(self.predicted),
            count=self.count[rows],
            stratum=kept_key(self.stratum),
            cluster=kept_key(self.cluster),
            scores=kept(self.scores),
        )

    @cached_property
    def labelled(self) -> Array:
        """Which rows have a human label."""
        return np.asarray(self.truth != MISSING)

    @cached_property
    def n_labelled(self) -> int:
        return int(self.count[self.labelled].sum())

    @property
    def n(self) -> int:
        return int(self.count.sum())

    @property
    def n_judged(self) -> int:
        """Cases that only the judge has labelled."""
        return self.n - self.n_labelled

    @cached_property
    def codes(self) -> IntArray:
        """The stratum of each row."""
        return np.zeros(len(self.truth), np.int64) if self.stratum is None else self.stratum.codes

    @property
    def strata(self) -> int:
        return 1 if self.stratum is None else len(self.stratum.values)

    def by_stratum(self, amount: Array) -> Array:
        """Add up an amount of each case over strata."""
        return np.bincount(self.codes, self.count * amount, minlength=self.strata)

    @cached_property
    def sizes(self) -> tuple[Array, Array]:
        """The labelled and the other cases of each stratum."""
        return self.by_stratum(self.labelled), self.by_stratum(~self.labelled)

    @cached_property
    def shares(self) -> Array:
        """The share of all cases that each stratum has."""
        return np.asarray(sum(self.sizes) / self.n)

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """What a case of each row weighs among the labelled and among the other cases; both add up to 1.

        A stratum that is labelled throughout has no other cases, and its labelled ones stand in for them.
        """
        of_labels, of_others = self.sizes
        other = np.where((of_others == 0)[self.codes], self.labelled, ~self.labelled)
        known = (self.shares / np.maximum(of_labels, 1))[self.codes] * self.labelled
        rest = (self.shares / np.where(of_others == 0, of_labels, of_others))[self.codes] * other
        return known, rest

    @property
    def equal_weights(self) -> bool:
        """Every labelled case stands for as many others."""
        known = self.weights[0][self.labelled]
        return bool(np.ptp(known) <= 1e-12 * known.max())

    def against(self, label: Label) -> JudgedCases:
        """Fold all other classes into one, the second."""
        index = self.labels.index(label)
        truth = np.where(self.labelled, (self.truth != index).astype(np.int64), MISSING)
        predicted = None if self.predicted is None else (self.predicted != index).astype(np.int64)
        names = (label, f"not {label}")
        return replace(
            self, labels=names, truth=truth, judge=(self.judge != index).astype(np.int64), predicted=predicted
        )

    def decided(self, labels: IntArray) -> IntArray:
        """What labels are set against: the predictions, or where there are none, themselves."""
        return labels if self.predicted is None else self.predicted

    def table(self, labels: IntArray, weight: Array) -> Confusion:
        """Count labels and predictions; whole numbers stay whole."""
        k = len(self.labels)
        check_classes(k)
        rows = weight > 0
        cell = labels[rows].astype(np.int64) * k + self.decided(labels)[rows]
        amounts = (self.count * weight)[rows], (self.count * weight**2)[rows]
        counts, squares = (np.bincount(cell, amount, minlength=k * k).reshape(k, k) for amount in amounts)
        whole = np.array_equal(counts, squares)
        return Confusion(counts.astype(np.int64), self.labels) if whole else Confusion(counts, self.labels, squares)

    @cached_property
    def human_table(self) -> Confusion:
        """The table of the human labels alone, of as many cases as have one."""
        weight = self.labelled * 1.0 if self.equal_weights else self.n_labelled * self.weights[0]
        return self.table(self.truth, weight)

    @property
    def clusters(self) -> Clusters | None:
        """Which cases belong together, whatever they are."""
        if self.cluster is None:
            return None
        cell = np.zeros(len(self.truth), np.int64)
        return Clusters.of_rows(self.cluster.codes, self.cluster.values, cell, 1, self.count)

    def by_cluster(self, amount: Array) -> Array:
        """Add up an amount of each case over clusters."""
        assert self.cluster is not None
        return np.bincount(self.cluster.codes, self.count * amount, minlength=len(self.cluster.values))
