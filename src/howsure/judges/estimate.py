"""Prediction-powered estimates from human labels and a judge's labels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.encode import Label
from howsure.errors import HowsureError, counted
from howsure.intervals.declare import Basis, NoBasis
from howsure.measures import registry
from howsure.measures.declare import Measure
from howsure.measures.estimate.by_cluster import by_cluster
from howsure.measures.estimate.judged import JudgedBasis, Powered
from howsure.measures.estimate.labels import label_basis, shown_parameters
from howsure.measures.estimate.scores import ScoreBasis
from howsure.measures.rates import prevalence
from howsure.results import Estimate
from howsure.tables import Confusion, ScoreTable
from howsure.tables.judged import JudgedCases

if TYPE_CHECKING:
    from howsure.present.sheet import Record

RATE = "rate"
NOT_POWERED = "`{}` {} cannot be combined with a judge's labels; assess the human labels alone."


@dataclass(frozen=True, repr=False, eq=False)
class JudgedEstimate(Estimate):
    """Estimate from human labels and a judge's labels.

    In addition to the attributes of an `Estimate`, ``human`` is the estimate from the human labels alone, ``tuning``
    the weight of the judge's correction, from 0 to 1, and ``worth`` the number of human labels with the same
    information.

    Attributes
    ----------
    measure, value, n, undefined, of, notes, parameters, basis, asked
        As in `Estimate`.
    powered
        Influences of the cases on the human and on the judge's estimate, which determine the variance.
    alone
        Basis of the estimate from the human labels alone.

    Examples
    --------
    >>> from howsure.judges import prediction_powered_mean
    >>> mean = prediction_powered_mean([1, 0, 1, 1, 0, 1], [1, 0, 1, 0, 0, 1], [1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1])
    >>> mean.labelled, mean.judged, round(mean.human.value, 4)
    (6, 12, 0.6667)
    >>> round(mean.worth, 2)
    6.0
    """

    powered: Powered = field(kw_only=True)
    alone: Basis = field(kw_only=True)

    @property
    def labelled(self) -> int:
        """Number of cases with a human label."""
        return self.powered.cases.n_labelled

    @property
    def judged(self) -> int:
        """Number of cases labelled only by the judge."""
        return self.powered.cases.n_judged

    @property
    def tuning(self) -> float:
        """Weight of the judge's correction (lambda in PPI++)."""
        return self.powered.tuning

    @property
    def worth(self) -> float:
        """Number of human labels with the same information."""
        return math.nan if self.undefined else self.powered.worth

    @cached_property
    def human(self) -> Estimate:
        """Estimate from the human labels alone."""
        values = (self.measure, self.alone.value, self.n, self.undefined, self.of)
        return Estimate(*values, parameters=self.parameters, basis=self.alone)

    def records(self, confidence: float = 0.95) -> list[Record]:
        (record,) = super().records(confidence)
        note = record.pop("note")
        return [{**record, **self._of_labels(), "note": note}]

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        return {**super().to_dict(confidence), **self._of_labels()}

    def _of_labels(self) -> dict[str, Any]:
        worth = None if math.isnan(self.worth) else self.worth
        return {"labelled": self.labelled, "judged": self.judged, "worth": worth, "tuning": self.tuning}


def estimate_judged(
    cases: JudgedCases,
    measure: str | Measure,
    *,
    label: Label | None = None,
    average: str | None = None,
    positive: Label | None = None,
    **parameters: Any,
) -> JudgedEstimate:
    """Estimate a measure of labels or of scores."""
    declared = measure if isinstance(measure, Measure) else registry[measure]
    declared.check(parameters)
    if declared.scope in ("score", "rows"):
        return _of_scores(cases, declared, positive, parameters)
    return _of_labels(cases, declared, label, average, parameters)


def can_be_powered(measure: Measure) -> bool:
    """Return whether a measure can be combined with a judge's labels."""
    if measure.scope in ("class", "overall"):
        return measure.total_of is None
    return measure.of_auc is not None or (measure.loss is not None and measure.interval is None)


def estimate_rate(cases: JudgedCases, label: Label) -> JudgedEstimate:
    """Estimate the proportion of a class."""
    estimate = _of_labels(replace(cases, predicted=None), prevalence, label, None, {})
    return replace(estimate, measure=RATE)


def _of_labels(
    cases: JudgedCases, measure: Measure, label: Label | None, average: str | None, parameters: dict[str, Any]
) -> JudgedEstimate:
    if measure.total_of is not None:
        raise HowsureError(f"`{measure.name}` is a sum over the cases; use its mean, `{measure.total_of.name}`.")
    plain, of = label_basis(cases.human_table, measure, label, average, parameters)
    cases = cases if label is None else cases.against(label)
    # The judge's value for the cases with a human label, for the other cases, and for all cases.
    with_human, without_human = cases.weights
    tables = [cases.table(cases.judge, weight) for weight in (with_human, without_human, _ones(cases))]
    judge = [replace(plain, table=table) for table in tables]

    def influence(slopes: Array, table: Confusion, labels: IntArray) -> Array:
        # A missing label indexes the last cell; its influence is not used.
        return np.asarray(slopes[labels, cases.decided(labels)] * float(table.n))

    human = np.where(cases.labelled, influence(plain.slopes, plain.table, cases.truth), 0.0)
    judged = influence(judge[2].slopes, tables[2], cases.judge)
    powered = Powered(cases, human, judged, judge[1].value - judge[0].value)
    return _estimate(measure, JudgedBasis(plain, powered), of, plain.n, plain.notes, parameters)


def _of_scores(
    cases: JudgedCases, measure: Measure, positive: Label | None, parameters: dict[str, Any]
) -> JudgedEstimate:
    if cases.scores is None:
        raise HowsureError(f"`{measure.name}` is a measure of scores, but there are only labels; pass `scores=...`.")
    if not can_be_powered(measure):
        raise HowsureError(NOT_POWERED.format(measure.name, "has its own interval method and"))
    if cases.scores.ndim > 1:
        raise HowsureError(NOT_POWERED.format(measure.name, "of more than two classes"))
    scores, index = cases.scores, cases.labels.index(positive)
    if measure.probability and not (scores.min() >= 0 and scores.max() <= 1):
        reason = "the scores are not probabilities: they are not all between 0 and 1"
        powered = Powered(cases, np.zeros(len(scores)), np.zeros(len(scores)), 0.0)
        values = (measure.name, math.nan, cases.n_labelled, reason, str(positive))
        return JudgedEstimate(*values, basis=NoBasis(reason), powered=powered, alone=NoBasis(reason))
    with_human, without_human = cases.weights

    def basis(labels: IntArray, weight: Array | None, rows: Array) -> ScoreBasis:
        own_weight = None if weight is None else weight[rows]
        table = ScoreTable.of_columns(labels[rows] == index, scores[rows], own_weight)
        return ScoreBasis(measure, table.effective(), parameters, table)

    labelled, every = cases.labelled, np.ones(len(scores), bool)
    weight = None if cases.equal_weights else cases.n_labelled * with_human
    plain = basis(cases.truth, weight, labelled)
    judge = [
        basis(cases.judge, with_human, with_human > 0),
        basis(cases.judge, without_human, without_human > 0),
    ]
    pooled = basis(cases.judge, _ones(cases), every)
    human = np.zeros(len(scores))
    if plain.reason is None:
        human[labelled] = _by_row(plain, cases.truth[labelled] == index, scores[labelled])
    judged = _by_row(pooled, cases.judge == index, scores) if pooled.reason is None else np.zeros(len(scores))
    powered = Powered(cases, human, judged, judge[1].value - judge[0].value)
    return _estimate(measure, JudgedBasis(plain, powered), str(positive), cases.n_labelled, (), parameters)


def _by_row(basis: ScoreBasis, flags: Array, scores: Array) -> Array:
    """Influence of the case of each row, times the number of cases."""
    return np.asarray(basis.influence[basis.table.cells(flags, scores)] * basis.table.n)


def _ones(cases: JudgedCases) -> Array:
    return np.ones(len(cases.truth))


def _estimate(
    measure: Measure, basis: JudgedBasis, of: str, n: float, notes: tuple[str, ...], parameters: dict[str, Any]
) -> JudgedEstimate:
    powered, cases = basis.powered, basis.powered.cases
    if basis.is_clipped:
        notes = (*notes, "the combined estimate is outside the range of the measure and was clipped to it")
    if basis.reason is None and cases.n_judged and not math.isfinite(powered.apart):
        notes = (*notes, "the measure is undefined for the judge's labels, so that only the human labels are used")
    return JudgedEstimate(
        measure.name,
        basis.value,
        round(n, 9),
        basis.reason,
        of,
        notes,
        parameters=shown_parameters(parameters),
        basis=by_cluster(basis, cases.clusters),
        powered=powered,
        alone=by_cluster(replace(basis, powered=powered.without_judge()), cases.clusters),
    )


def worth_in_words(estimate: JudgedEstimate) -> str:
    """Return a sentence that states ``worth`` in relation to the labels."""
    labels = counted(estimate.labelled, "human label", comma=True)
    if not estimate.judged:
        return f"All cases have human labels ({labels}), to which the judge's labels add no information."
    both = f"{labels} and {counted(estimate.judged, 'judge label', comma=True)} carry"
    if not estimate.tuning or estimate.worth < estimate.labelled + 0.5:
        return f"{both} no more information than the human labels alone."
    return f"{both} as much information as {estimate.worth:,.0f} human labels."
