"""What a comparison hands to the tests: the answers or the values of two classifiers, or of many."""

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
    """The name under which a measure was simulated: straight lines of the accuracy or the AUC count as these."""
    return "accuracy" if measure.of_accuracy is not None else "auc" if measure.of_auc is not None else measure.name


def _class_sizes(difference: Difference) -> list[float]:
    """Cases of each class; of a measure of one class, those of that class first."""
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
    """Two classifiers on the same cases: the difference of a measure, and the paired table that it is of."""

    difference: Difference
    rope: float = 0.01
    seed: int = 0

    @property
    def n(self) -> int:
        return self.difference.n

    @cached_property
    def setting(self) -> Mapping[str, Any]:
        """What the lab has to know to say how often a test is wrong here."""
        difference = self.difference
        name = simulated_as(difference.measure)
        if difference.parameters:
            name += "(...)"  # of which nothing was simulated
        positive, *others = _class_sizes(difference)
        turns = difference.measure.scope == "overall" or difference.measure.of_auc or difference.measure.loss
        size = min(positive, *others) if others and (turns or len(others) > 1) else positive
        facts = {"design": self.design, "measure": " ".join(filter(None, (difference.average, name))), "n": self.n}
        clusters = {} if difference.clusters is None else {"clusters": difference.clusters}
        return {**facts, "prevalence": size / max(self.n, 1), "classes": 1 + len(others), **clusters}

    @property
    def design(self) -> str:
        return "cases" if self.difference.clusters is None else "clusters"

    @property
    def by_cluster(self) -> tuple[Array, Array, Array]:
        """Of each cluster, cases that only the first gets wrong, that only the second does, and all."""
        table = self.difference.table
        truth, first, second = table.cells.T
        wrong, right = first != truth, second == truth
        masks = (wrong & right, ~wrong & ~right)
        return (*(table.clusters.sums(mask) for mask in masks), table.clusters.sizes)

    @property
    def discordant(self) -> tuple[int, int]:
        """Cases that only the first gets wrong, and that only the second does."""
        lost, won = self.difference.table.discordant
        return int(lost), int(won)

    @property
    def gains(self) -> tuple[int, int]:
        """Cases that speak for a higher value of the first classifier, and of the second."""
        lost, won, _ = self.difference.discordant
        return int(won), int(lost)

    @property
    def flags(self) -> Array:
        """Which cases are positive."""
        flags: Array = self.difference.table.flags
        return flags

    @property
    def placements(self) -> Array:
        """Where each classifier (rows) places each case (columns)."""
        return np.array(cast("ScoreDifference", self.difference).placements)


@dataclass(frozen=True)
class OutcomeAnswers(PairedAnswers):
    """The same, of outcomes without a truth, of which the lab measured nothing."""

    setting = {}  # noqa: RUF012  # it is read only


@dataclass(frozen=True)
class PairedValues:
    """A value of each of two classifiers for every split or data set; ``ratio`` is that of test to training cases.

    ``repeat`` tells of which repeat each split is, where cases are tested more than once, and ``setting`` what the lab
    has to know.
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
        """The differences of five repetitions of two folds, a row for each repetition."""
        return self.differences.reshape(5, 2)

    @property
    def correlation(self) -> float:
        """Correlation of the differences of two splits: the share of test cases, or what repeats say beyond it."""
        ratio = self.ratio
        if self.repeat is not None:
            ratio = cautious_ratio(self.differences, ratio, self.repeat)
        return ratio / (1 + ratio)


@dataclass(frozen=True)
class ManyAnswers:
    """The decisions or the scores of more than two classifiers on the same cases."""

    truth: Array
    decisions: Sequence[Array]
    flags: Array | None = None
    scores: Sequence[Array] = ()
    cluster: Array | None = None
    setting: Mapping[str, Any] = field(default_factory=dict)

    @property
    def correct(self) -> Array:
        """Whether each classifier (columns) is right on each case (rows)."""
        return np.column_stack([decided == self.truth for decided in self.decisions])

    @property
    def placements(self) -> Array:
        """Where each classifier (rows) places each case (columns)."""
        assert self.flags is not None
        return np.array([placements(self.flags, scores) for scores in self.scores])


@dataclass(frozen=True)
class ManyValues:
    """A value of each of many classifiers (columns) for every data set (rows)."""

    values: Floats
    names: Sequence[str]
    better: str = "higher"
    setting: Mapping[str, Any] = field(default_factory=dict)
