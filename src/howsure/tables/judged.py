"""JudgedCases: labels by a judge, and human labels for a sample.

A row stands for all cases with the same labels, prediction, stratum and cluster, so that a million cases without scores
take only a few rows. The human-labelled cases are a stratified sample: each is weighted by the inverse of the sampling
share of its stratum.
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
    """Labels by the judge and by humans, as positions in ``labels``.

    ``truth`` is missing for cases without a human label.

    Without ``predicted``, the classes of the cases are counted, and no classifier is assessed.
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
        """Merge equal rows, unless there are scores, which are rarely equal."""
        if self.scores is not None:
            return self
        keys = [key.codes for key in (self.stratum, self.cluster) if key is not None]
        columns = [self.truth, self.judge, *([] if self.predicted is None else [self.predicted]), *keys]
        code = np.zeros(len(self.truth), np.int64)
        for column in columns:  # renumber after each column, so that the product of the sizes cannot overflow
            code = code * (int(column.max()) + 2) + column + 1
            code = np.unique(code, return_inverse=True)[1]
        _, first = np.unique(code, return_index=True)
        kept = self.take(first)
        return replace(kept, count=np.bincount(code, self.count).astype(np.int64))

    def take(self, rows: Array) -> JudgedCases:
        """Select rows, keeping the names of all strata and clusters."""

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
        """Whether each row has a human label."""
        return np.asarray(self.truth != MISSING)

    @cached_property
    def n_labelled(self) -> int:
        return int(self.count[self.labelled].sum())

    @property
    def n(self) -> int:
        return int(self.count.sum())

    @property
    def n_judged(self) -> int:
        """Number of cases labelled by the judge only."""
        return self.n - self.n_labelled

    @cached_property
    def codes(self) -> IntArray:
        """The stratum of each row."""
        return np.zeros(len(self.truth), np.int64) if self.stratum is None else self.stratum.codes

    @property
    def strata(self) -> int:
        return 1 if self.stratum is None else len(self.stratum.values)

    def by_stratum(self, amount: Array) -> Array:
        """Sum the amounts of the cases in each stratum."""
        return np.bincount(self.codes, self.count * amount, minlength=self.strata)

    @cached_property
    def sizes(self) -> tuple[Array, Array]:
        """Numbers of labelled and other cases in each stratum."""
        return self.by_stratum(self.labelled), self.by_stratum(~self.labelled)

    @cached_property
    def shares(self) -> Array:
        """Proportion of all cases that each stratum holds."""
        return np.asarray(sum(self.sizes) / self.n)

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """Weight of a case in each row, among labelled and among other cases.

        Both sum to 1.

        The labelled cases of a fully labelled stratum also count as its other cases.
        """
        n_labelled, n_judged = self.sizes
        is_judged = np.where((n_judged == 0)[self.codes], self.labelled, ~self.labelled)
        of_labelled = (self.shares / np.maximum(n_labelled, 1))[self.codes] * self.labelled
        of_judged = (self.shares / np.where(n_judged == 0, n_labelled, n_judged))[self.codes] * is_judged
        return of_labelled, of_judged

    @property
    def equal_weights(self) -> bool:
        """Whether all labelled cases have the same weight."""
        weights = self.weights[0][self.labelled]
        return bool(np.ptp(weights) <= 1e-12 * weights.max())

    def against(self, label: Label) -> JudgedCases:
        """Return the cases of one class, which comes first, against the rest."""
        index = self.labels.index(label)
        truth = np.where(self.labelled, (self.truth != index).astype(np.int64), MISSING)
        predicted = None if self.predicted is None else (self.predicted != index).astype(np.int64)
        names = (label, f"not {label}")
        return replace(
            self, labels=names, truth=truth, judge=(self.judge != index).astype(np.int64), predicted=predicted
        )

    def decided(self, labels: IntArray) -> IntArray:
        """Return the predictions, or the labels if nothing was predicted."""
        return labels if self.predicted is None else self.predicted

    def table(self, labels: IntArray, weight: Array) -> Confusion:
        """Count weighted labels and predictions; integer counts stay integers."""
        k = len(self.labels)
        check_classes(k)
        rows = weight > 0
        cell = labels[rows].astype(np.int64) * k + self.decided(labels)[rows]
        amounts = (self.count * weight)[rows], (self.count * weight**2)[rows]
        counts, squares = (np.bincount(cell, amount, minlength=k * k).reshape(k, k) for amount in amounts)
        is_unweighted = np.array_equal(counts, squares)
        if is_unweighted:
            return Confusion(counts.astype(np.int64), self.labels)
        return Confusion(counts, self.labels, squares)

    @cached_property
    def human_table(self) -> Confusion:
        """Confusion matrix of the cases with human labels."""
        weight = self.labelled * 1.0 if self.equal_weights else self.n_labelled * self.weights[0]
        return self.table(self.truth, weight)

    @property
    def clusters(self) -> Clusters | None:
        """Clusters of the cases, in a single cell."""
        if self.cluster is None:
            return None
        cell = np.zeros(len(self.truth), np.int64)
        return Clusters.of_rows(self.cluster.codes, self.cluster.values, cell, 1, self.count)

    def by_cluster(self, amount: Array) -> Array:
        """Sum the amounts of the cases in each cluster."""
        assert self.cluster is not None
        return np.bincount(self.cluster.codes, self.count * amount, minlength=len(self.cluster.values))
