"""What a page's threshold explorer needs of an assessment: counts at each threshold, and measures as formulas.

A page holds no predictions, only how many positives and negatives lie at or above each threshold. Where there are too
many thresholds for a page some are left out, and none that could be best: every vertex of the convex hull of the ROC
curve stays, and the lowest cost, the highest F1 and Youden's index lie on one of them, at any costs and shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.curves.decision import upper_hull
from howsure.measures import Measure, agreement, cost, probability, ranking, rates
from howsure.results import Estimate
from howsure.tables import ScoreTable

_CHANCE = "((tp + fn) * (tp + fp) + (tn + fp) * (tn + fn))"
# In the order in which they are shown. A measure of all classes has another formula where there are two.
MEASURES: tuple[tuple[Measure, str], ...] = (
    (rates.recall, ""),
    (rates.specificity, ""),
    (rates.precision, ""),
    (rates.negative_predictive_value, ""),
    (agreement.accuracy, "(tp + tn) / n"),
    (agreement.balanced_accuracy, "(tp / (tp + fn) + tn / (tn + fp)) / 2"),
    (rates.f1, ""),
    (rates.informedness, ""),
    (agreement.mcc, "(tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))"),
    (agreement.kappa, f"((tp + tn) * n - {_CHANCE}) / (n * n - {_CHANCE})"),
    (rates.positive_likelihood_ratio, ""),
    (rates.negative_likelihood_ratio, ""),
    (rates.predicted_prevalence, ""),
)
SPECIFIC = 0.95


@dataclass(frozen=True)
class ExploredMeasure:
    """A measure of two classes by its formula of the four counts."""

    name: str
    title: str
    formula: str
    ratio: bool
    span: tuple[float, float]
    undefined_when: str
    cases_of_each: tuple[str, int]


def explored_measures() -> list[ExploredMeasure]:
    return [
        ExploredMeasure(
            one.name,
            one.title,
            formula or one.formula,
            one.is_ratio,
            one.range,
            one.undefined_when,
            one.cases_of_each,
        )
        for one, formula in MEASURES
    ]


@dataclass(frozen=True)
class ThresholdTable:
    """Positives and negatives at or above each threshold, from none on; of all thresholds, or some of ``total``."""

    thresholds: Array
    tp: Array
    fp: Array
    squares: tuple[Array, Array] | None
    total: int
    single: bool  # the scores are of single precision, and so are thresholds
    is_thinned: bool

    def to_dict(self) -> dict[str, Any]:
        """Give plain values; the first threshold, above all scores, is left out."""
        values: dict[str, Any] = {
            "thresholds": self.thresholds[1:].tolist(),
            "tp": _plain(self.tp),
            "fp": _plain(self.fp),
            "total": self.total,
        }
        if self.squares is not None:
            values |= {"tp2": _plain(self.squares[0]), "fp2": _plain(self.squares[1])}
        return {**values, "thinned": self.is_thinned, "single": self.single}


@dataclass(frozen=True)
class Explored:
    """An assessment to be explored from ``start`` on; costs are of [[tn, fp], [fn, tp]]."""

    start: Any
    keys: dict[str, Estimate]
    table: ThresholdTable
    costs: Array
    share: float  # of positives in the sample
    prevalence: float | None  # another one, that is asked for
    positive: Any
    negative: Any
    probabilities: bool
    usual: float  # the threshold that decides where none is asked for

    @property
    def measures(self) -> list[ExploredMeasure]:
        return explored_measures()

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The measures at the start, by name."""
        return {one.name: self.start.estimate(one.name) for one in self.measures}

    @property
    def effects(self) -> dict[str, float]:
        """How many times fewer independent cases each measure is worth at the start, where cases come in clusters.

        A page knows no clusters: at other thresholds its intervals are those of as many cases.
        """
        estimates = {**self.estimates, **self.cost_estimates}
        if self.start["accuracy"].clusters is None:
            return {}
        return {name: one.basis.effect_of_width for name, one in estimates.items() if not one.undefined}

    @property
    def cost_estimates(self) -> dict[str, Estimate]:
        """The cost of a case and of all cases at the start, by name."""
        costs = self.costs if self.start.labels[1] == self.positive else self.costs[::-1, ::-1]
        start = replace(self.start, costs=None)  # or their prior would be used twice
        return {one.name: start.estimate(one.name, costs=costs) for one in (cost.mean_cost, cost.total_cost)}

    @property
    def total_cost(self) -> Estimate:
        return self.cost_estimates[cost.total_cost.name]

    @property
    def counts(self) -> dict[str, float]:
        """The four counts at the start."""
        (tp, fn), (fp, tn) = self.start.confusion.against(self.positive).counts.astype(float).tolist()
        return {"tp": tp, "fp": fp, "fn": fn, "tn": tn}

    @property
    def area(self) -> Estimate:
        """The area under the ROC curve."""
        return self.keys[ranking.auc.name]

    @property
    def average_precision(self) -> Estimate:
        return self.keys[ranking.average_precision.name]

    @property
    def limits(self) -> tuple[float, float]:
        """The range of thresholds."""
        if self.probabilities:
            return 0.0, 1.0
        finite = self.table.thresholds[np.isfinite(self.table.thresholds)]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        return low, high + ((high - low) or 1.0) / 1000  # where no case is called positive


def key_estimates(assessment: Any) -> dict[str, Estimate]:
    """Give the few measures that classifiers are put side by side by."""
    wanted = [ranking.auc, agreement.accuracy, ranking.average_precision, probability.brier]
    if assessment.scores is None or len(assessment.labels) != 2:
        wanted = [agreement.accuracy, agreement.balanced_accuracy, agreement.kappa, ranking.auc]
    return {one.name: assessment.estimate(one.name) for one in wanted if one.name in assessment}


def explore(assessment: Any, most: int) -> Explored | None:
    """Give what the explorer needs; None where there is no threshold to choose."""
    table, labels, positive = assessment.scores, assessment.labels, assessment.positive
    if not isinstance(table, ScoreTable) or len(labels) != 2 or not (table.n_positive and table.n_negative):
        return None
    probabilities = table.is_probability
    usual = 0.5 if probabilities else 0.0
    threshold = usual if assessment.threshold is None else assessment.threshold
    order = [index for _, index in sorted((label == positive, index) for index, label in enumerate(labels))]
    costs, prevalence = np.array([[0.0, 1.0], [1.0, 0.0]]), assessment.prevalence
    if assessment.costs is not None:
        costs = assessment.costs.matrix(labels, positive)[np.ix_(order, order)]
        priors = assessment.costs.priors(labels, positive)
        share = None if priors is None else float(priors[order[1]])
        if prevalence is None and share is not None and 0 < share < 1:
            prevalence = share
    start = assessment.at(threshold)
    start = start if prevalence is None else start.at_prevalence(prevalence)
    kept = threshold_table(table, most, (threshold, usual))
    share = table.n_positive / table.n
    negative = labels[order[0]]
    return Explored(
        start, assessment.key_estimates, kept, costs, share, prevalence, positive, negative, probabilities, usual
    )


def threshold_table(table: ScoreTable, most: int, wanted: Sequence[float] = ()) -> ThresholdTable:
    """Give at most about ``most`` thresholds of a score table; ``wanted`` are among them as they are."""
    single = table.scores.dtype == np.float32
    tp, fp = table.cumulated
    squares = None if table.squares is None else tuple(np.append(0.0, np.cumsum(column)) for column in table.squares)
    thresholds, rows = table.thresholds, np.arange(len(table) + 1)
    if len(table) > most:
        rows = _kept(table, tp, fp, most)
        limits = np.array([table.scores.dtype.type(value) for value in wanted])
        places = len(table) - np.searchsorted(table.scores[::-1], limits, side="left")
        thresholds = np.append(thresholds[rows], np.asarray(limits, float))
        rows = np.append(rows, places)
        order = np.lexsort((rows, -thresholds))
        thresholds, rows = thresholds[order], rows[order]
        first = np.append(True, thresholds[1:] != thresholds[:-1])
        thresholds, rows = thresholds[first], rows[first]
    kept = None if squares is None else (squares[0][rows], squares[1][rows])
    return ThresholdTable(thresholds, tp[rows], fp[rows], kept, len(table), single, len(table) > most)


def _kept(table: ScoreTable, tp: Array, fp: Array, most: int) -> Array:
    """Choose thresholds: evenly by weight, those on the hull, and the last of high specificity."""
    hull = upper_hull(fp / fp[-1], tp / tp[-1])
    even = np.searchsorted(-table.scores, -table.thinned(most).scores) + 1
    specific = np.searchsorted(fp, (1 - SPECIFIC + 1e-9) * fp[-1], side="right") - 1
    return np.unique(np.concatenate([[0], even, hull, [specific, len(table)]]))


def _plain(column: Array) -> list[float]:
    """Write counts as they are, and sums of real-valued weights without the rounding of their last digits."""
    return [int(value) if value.is_integer() else float(f"{value:.12g}") for value in column.astype(float).tolist()]
