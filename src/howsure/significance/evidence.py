"""Data that a comparison passes to the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.intervals.mean import cautious_ratio
from howsure.kernels.ranking import placements
from howsure.measures import Measure
from howsure.measures.estimate.difference import Difference, ScoreDifference
from howsure.tables import PairedTable


def simulated_as(measure: Measure) -> str:
    """Return the simulated measure that represents this one.

    Linear functions of the accuracy or the AUC have the same error rates as the accuracy or the AUC itself.
    """
    return "accuracy" if measure.of_accuracy is not None else "auc" if measure.of_auc is not None else measure.name


def _class_sizes(difference: Difference) -> list[float]:
    """Return the number of cases of each class.

    For a measure of one class, that class comes first.
    """
    table = difference.table
    if isinstance(table, PairedTable):
        sizes = np.bincount(table.cells[:, 0], table.counts, table.k)
        return [float(size) for size in sizes]
    if table.positive is None:
        return [float(size) for size in np.bincount(table.truth, minlength=len(table.labels))]
    positive = float(table.flags.sum())
    return [positive, table.n - positive]


@dataclass(frozen=True)
class PairedAnswers:
    """Two classifiers on the same cases, with their difference in a measure."""

    difference: Difference
    rope: float = 0.01
    seed: int = 0

    @property
    def n(self) -> int:
        return self.difference.n

    @cached_property
    def setting(self) -> Mapping[str, Any]:
        """Properties of the data that are used to look up simulated error rates."""
        difference = self.difference
        name = simulated_as(difference.measure)
        if difference.parameters:
            name += "(...)"  # measures with parameters were not simulated
        positive, *negatives = _class_sizes(difference)
        is_symmetric = difference.measure.scope == "overall" or difference.measure.of_auc or difference.measure.loss
        size = min(positive, *negatives) if negatives and (is_symmetric or len(negatives) > 1) else positive
        setting = {"design": self.design, "measure": " ".join(filter(None, (difference.average, name))), "n": self.n}
        clusters = {} if difference.clusters is None else {"clusters": difference.clusters}
        return {**setting, "prevalence": size / max(self.n, 1), "classes": 1 + len(negatives), **clusters}

    @property
    def design(self) -> str:
        return "cases" if self.difference.clusters is None else "clusters"

    @property
    def by_cluster(self) -> tuple[Array, Array, Array]:
        """Counts per cluster: only the first wrong, only the second wrong, all."""
        table = self.difference.table
        truth, first, second = table.cells.T
        first_wrong, second_right = first != truth, second == truth
        masks = (first_wrong & second_right, ~first_wrong & ~second_right)
        return (*(table.clusters.sums(mask) for mask in masks), table.clusters.sizes)

    @property
    def discordant(self) -> tuple[int, int]:
        """Numbers of cases that only the first, and only the second, gets wrong."""
        lost, won = self.difference.table.discordant
        return int(lost), int(won)

    @property
    def gains(self) -> tuple[int, int]:
        """Numbers of cases that raise the measure of the first, and of the second."""
        lost, won, _ = self.difference.discordant
        return int(won), int(lost)

    @property
    def flags(self) -> Array:
        """Whether each case is positive."""
        flags: Array = self.difference.table.flags
        return flags

    @property
    def placements(self) -> Array:
        """Placement of each case (columns) for each classifier (rows)."""
        return np.array(cast("ScoreDifference", self.difference).placements)


@dataclass(frozen=True)
class OutcomeAnswers(PairedAnswers):
    """Paired answers without a truth column; no error rates are simulated."""

    setting = {}  # noqa: RUF012  # it is never modified


@dataclass(frozen=True)
class PairedValues:
    """Values of two classifiers, one for each split or data set.

    ``ratio`` is the number of test cases divided by the number of training cases. ``repeat`` is the repeat of each
    split in a repeated cross-validation. ``setting`` holds the properties that are used to look up simulated error
    rates.
    """

    a: Floats
    b: Floats
    ratio: float = 0.0
    rope: float = 0.01
    seed: int = 0
    repeat: IntArray | None = None
    setting: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def differences(self) -> Floats:
        return self.a - self.b

    @property
    def halves(self) -> Floats:
        """Differences of five repetitions (rows) of two folds (columns)."""
        return self.differences.reshape(5, 2)

    @property
    def correlation(self) -> float:
        """Correlation between the differences on two splits.

        It is the share of test cases, or a larger value estimated from the repeats.
        """
        ratio = self.ratio
        if self.repeat is not None:
            ratio = cautious_ratio(self.differences, ratio, self.repeat)
        return ratio / (1 + ratio)


@dataclass(frozen=True)
class ManyAnswers:
    """Decisions or scores of more than two classifiers on the same cases."""

    truth: Array
    decisions: Sequence[Array]
    flags: Array | None = None
    scores: Sequence[Array] = ()
    cluster: Array | None = None
    setting: Mapping[str, Any] = field(default_factory=dict)

    @property
    def correct(self) -> Array:
        """Whether each classifier (columns) is correct on each case (rows)."""
        return np.column_stack([decision == self.truth for decision in self.decisions])

    @property
    def placements(self) -> Array:
        """Placement of each case (columns) for each classifier (rows)."""
        assert self.flags is not None
        return np.array([placements(self.flags, scores) for scores in self.scores])


@dataclass(frozen=True)
class ManyValues:
    """Values of many classifiers (columns) on several data sets (rows)."""

    values: Floats
    names: Sequence[str]
    better: str = "higher"
    setting: Mapping[str, Any] = field(default_factory=dict)
