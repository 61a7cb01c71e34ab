"""Data of the threshold explorer: counts by threshold, and formulas.

A page holds no predictions, only the numbers of positives and negatives at or above each threshold. If there are too
many thresholds for a page, some are left out, but every vertex of the convex hull of the ROC curve is kept: for any
costs and prevalence, the lowest cost, the highest F1 and the highest Youden index are reached at a vertex.
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
# The measures in display order; measures over all classes are written for two classes.
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
HIGH_SPECIFICITY = 0.95  # the last threshold with at least this specificity is kept


@dataclass(frozen=True)
class ExploredMeasure:
    """A two-class measure as a formula of the four counts."""

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
            measure.name,
            measure.title,
            formula or measure.formula,
            measure.is_ratio,
            measure.range,
            measure.undefined_when,
            measure.cases_of_each,
        )
        for measure, formula in MEASURES
    ]


@dataclass(frozen=True)
class ThresholdTable:
    """Numbers of positives and negatives at or above each threshold."""

    thresholds: Array
    tp: Array
    fp: Array
    squares: tuple[Array, Array] | None
    total: int
    single: bool  # whether scores and thresholds have single precision
    is_thinned: bool

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, without the threshold above all scores."""
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
    """Data of the explorer; costs are in the form [[tn, fp], [fn, tp]]."""

    start: Any
    keys: dict[str, Estimate]
    table: ThresholdTable
    costs: Array
    share: float  # proportion of positives in the sample
    prevalence: float | None  # prevalence in deployment, if it differs
    positive: Any
    negative: Any
    probabilities: bool
    usual: float  # the default threshold

    @property
    def measures(self) -> list[ExploredMeasure]:
        return explored_measures()

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The initial values of the measures, by name."""
        return {measure.name: self.start.estimate(measure.name) for measure in self.measures}

    @property
    def effects(self) -> dict[str, float]:
        """Initial design effects of the measures, if there are clusters.

        The page has no clusters, so it divides the number of cases by these effects at all thresholds.
        """
        estimates = {**self.estimates, **self.cost_estimates}
        if self.start["accuracy"].clusters is None:
            return {}
        return {name: estimate.basis.effect_of_width for name, estimate in estimates.items() if not estimate.undefined}

    @property
    def cost_estimates(self) -> dict[str, Estimate]:
        """The initial mean and total cost, by name."""
        costs = self.costs if self.start.labels[1] == self.positive else self.costs[::-1, ::-1]
        start = replace(self.start, costs=None)  # drop the costs, since their prior would be applied twice
        return {
            measure.name: start.estimate(measure.name, costs=costs) for measure in (cost.mean_cost, cost.total_cost)
        }

    @property
    def total_cost(self) -> Estimate:
        return self.cost_estimates[cost.total_cost.name]

    @property
    def counts(self) -> dict[str, float]:
        """The four initial counts."""
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
        return low, high + ((high - low) or 1.0) / 1000  # at the upper limit, no case is called positive


def key_estimates(assessment: Any) -> dict[str, Estimate]:
    """Estimate the measures of the scoreboard that compares classifiers."""
    measures = [ranking.auc, agreement.accuracy, ranking.average_precision, probability.brier]
    if assessment.scores is None or len(assessment.labels) != 2:
        measures = [agreement.accuracy, agreement.balanced_accuracy, agreement.kappa, ranking.auc]
    return {measure.name: assessment.estimate(measure.name) for measure in measures if measure.name in assessment}


def explore(assessment: Any, most: int) -> Explored | None:
    """Return the data of the explorer; None if no threshold can be chosen."""
    table, labels, positive = assessment.scores, assessment.labels, assessment.positive
    if not isinstance(table, ScoreTable) or len(labels) != 2 or not (table.n_positive and table.n_negative):
        return None
    probabilities = table.is_probability
    default = 0.5 if probabilities else 0.0
    threshold = default if assessment.threshold is None else assessment.threshold
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
    kept = threshold_table(table, most, (threshold, default))
    share = table.n_positive / table.n
    negative = labels[order[0]]
    return Explored(
        start, assessment.key_estimates, kept, costs, share, prevalence, positive, negative, probabilities, default
    )


def threshold_table(table: ScoreTable, most: int, required: Sequence[float] = ()) -> ThresholdTable:
    """Select about ``most`` thresholds, including the ``required`` ones."""
    single = table.scores.dtype == np.float32
    tp, fp = table.cumulated
    squares = None if table.squares is None else tuple(np.append(0.0, np.cumsum(column)) for column in table.squares)
    thresholds, rows = table.thresholds, np.arange(len(table) + 1)
    if len(table) > most:
        rows = _kept(table, tp, fp, most)
        limits = np.array([table.scores.dtype.type(value) for value in required])
        required_rows = len(table) - np.searchsorted(table.scores[::-1], limits, side="left")
        thresholds = np.append(thresholds[rows], np.asarray(limits, float))
        rows = np.append(rows, required_rows)
        order = np.lexsort((rows, -thresholds))
        thresholds, rows = thresholds[order], rows[order]
        first = np.append(True, thresholds[1:] != thresholds[:-1])
        thresholds, rows = thresholds[first], rows[first]
    kept = None if squares is None else (squares[0][rows], squares[1][rows])
    return ThresholdTable(thresholds, tp[rows], fp[rows], kept, len(table), single, len(table) > most)


def _kept(table: ScoreTable, tp: Array, fp: Array, most: int) -> Array:
    """Choose thresholds by weight, on the convex hull, and by specificity."""
    hull = upper_hull(fp / fp[-1], tp / tp[-1])
    even = np.searchsorted(-table.scores, -table.thinned(most).scores) + 1
    specific = np.searchsorted(fp, (1 - HIGH_SPECIFICITY + 1e-9) * fp[-1], side="right") - 1
    return np.unique(np.concatenate([[0], even, hull, [specific, len(table)]]))


def _plain(column: Array) -> list[float]:
    """Convert to a list; sums of real-valued weights are rounded to 12 digits."""
    return [int(value) if value.is_integer() else float(f"{value:.12g}") for value in column.astype(float).tolist()]
