"""JudgedAssessment: a few human labels and many labels from a judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.advice import Evidence, Finding, findings
from howsure.assessment.estimate_table import estimate_sheet, remarks
from howsure.assessment.headline import class_name, percent, percent_interval
from howsure.assessment.headlined_result import Headlined
from howsure.assessment.result import Assessment
from howsure.checks import names_of
from howsure.data.encode import MISSING, Label
from howsure.data.labels import Classes
from howsure.data.predictions import Predictions
from howsure.data.read.judged import JudgedColumns, gather_judged
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, counted, one_line
from howsure.intervals.rogan_gladen import Misjudged, Share
from howsure.judges.estimate import RATE, JudgedEstimate, can_be_powered, estimate_judged, estimate_rate, worth_in_words
from howsure.judges.rogan_gladen import NAME as ROGAN_GLADEN
from howsure.judges.rogan_gladen import corrected
from howsure.measures import agreement, probability, ranking, rates, registry
from howsure.measures.spec import read_spec
from howsure.present.sheet import Sheet
from howsure.present.value_text import jsonable, with_interval
from howsure.registry import canonical
from howsure.results import Estimate
from howsure.tables import Confusion
from howsure.tables.judged import JudgedCases

SHOWN = (
    *(agreement.accuracy, agreement.balanced_accuracy, agreement.kappa, agreement.mcc),
    *(rates.precision, rates.recall, rates.specificity, rates.f1),
    *(ranking.auc, probability.brier, probability.log_loss),
)
OF_JUDGE = (agreement.accuracy, agreement.kappa, rates.recall, rates.specificity, rates.precision)
ONE_CLASS = "`{}` needs one class, and there is no positive class; give `label=...`."

INTERVALS = (
    "95 % intervals, computed as for human labels alone, but at the estimate from both kinds of labels, and with the "
    "number of human labels that would be as informative."
)


@dataclass(frozen=True, repr=False, eq=False)
class JudgedAssessment(Headlined):
    """Assessment from human labels for some cases and a judge's for all.

    `howsure.assess` returns it if ``judge`` is given. ``a["recall"]`` is the recall of the positive class, or the
    macro average if no class is positive; with scores there are also ``a["auc"]`` and the mean losses. ``a["rate"]``
    is the proportion of the positive class, and ``a["rogan_gladen"]`` the rate of the judge's labels, corrected for the
    judge's sensitivity and specificity.

    Attributes
    ----------
    cases
        The table of cases with human and judged labels.
    judge
        The assessment of the judge against the human labels.
    threshold
        The lowest score that is called positive, if scores decide.

    Examples
    --------
    >>> import howsure
    >>> human = ["y", "n", "y", "n", "y", "n"] * 5 + [None] * 60
    >>> predicted, judge = ["y", "n", "n", "n"] * 22 + ["y", "n"], ["y", "n", "y", "n", "n", "n"] * 15
    >>> a = howsure.assess(human, predicted, judge=judge, positive="y")
    >>> a.labelled, a.judged
    (30, 60)
    >>> print(a["accuracy"])
    accuracy: 0.773, 95 % interval [0.606, 0.882] (wilson-judged), n = 30
    >>> a.estimate("recall", label="n")
    Estimate(recall=1.000 [0.796, 1.000], of='n', n=15)
    """

    _headings = None

    cases: JudgedCases
    judge: Assessment
    _classes: Classes
    threshold: float | None = None
    _library: str | None = None
    _repeated: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[Label, ...]:
        """All classes, in display order."""
        return self._classes.labels

    @property
    def positive(self) -> Label | None:
        """The class that two-class measures describe, or None."""
        return self._classes.positive

    @property
    def n(self) -> int:
        """The number of cases, with or without a human label."""
        return self.cases.n

    @property
    def labelled(self) -> int:
        """The number of cases with a human label."""
        return self.cases.n_labelled

    @property
    def judged(self) -> int:
        """The number of cases labelled only by the judge."""
        return self.cases.n_judged

    def __getitem__(self, measure: str) -> Estimate:
        name, parameters = read_spec(measure)
        return self.estimate(name, **parameters)

    def __contains__(self, measure: object) -> bool:
        return isinstance(measure, str) and canonical(measure) in map(canonical, self._names())

    def _names(self) -> list[str]:
        """Return the names and aliases of the measures that need no parameter."""
        names = [RATE, ROGAN_GLADEN] if self.positive is not None else []
        if self.cases.predicted is None:
            return names
        has_scores = self.cases.scores is not None and self.cases.scores.ndim == 1
        for name, measure in registry.items():
            applies = measure.scope in ("class", "overall") or (measure.scope == "score" and has_scores)
            if applies and can_be_powered(measure) and not measure.on_request:
                names += [name, *measure.aliases]
        return names

    def _ipython_key_completions_(self) -> list[str]:
        return self.applicable()

    @shared_texts
    def estimate(
        self, measure: str, *, label: Label | None = None, average: str | None = None, **parameters: Any
    ) -> Estimate:
        """Estimate a measure for one class, or an average over the classes.

        Parameters
        ----------
        measure
            A name or alias of a measure, "rate" or "rogan_gladen".
        label
            The class; default: the positive class.
        average
            "macro", "micro" or "weighted", over all classes instead of one.
        {measure_parameters}

        Returns
        -------
        Estimate
            A `JudgedEstimate`, which also holds the estimate from the human labels alone.
        """
        asked = canonical(measure) if isinstance(measure, str) else ""
        if asked in (RATE, ROGAN_GLADEN):
            of = self._one_label(asked, label)
            return estimate_rate(self.cases, of) if asked == RATE else self._corrected(of)
        declared = registry[measure]
        declared.check_names(parameters, also=("label", "average"))
        if self.cases.predicted is None:
            raise HowsureError(
                f"`{declared.name}` needs predictions; give `predicted` or `scores`, or use "
                f"`a.judge[{declared.name!r}]` to assess the judge."
            )
        if declared.scope == "class" and label is None and average is None:
            label = self.positive
        if label is not None and label not in self.labels:
            self.cases.human_table.index(label)  # raise an error for an unknown class
        estimate = estimate_judged(
            self.cases, declared, label=label, average=average, positive=self.positive, **parameters
        )
        return estimate if asked == declared.name else replace(estimate, asked=one_line(measure))

    def _one_label(self, measure: str, label: Label | None) -> Label:
        of = self.positive if label is None else label
        if of is None:
            raise HowsureError(ONE_CLASS.format(measure))
        return self.labels[self.cases.human_table.index(of)]

    def _corrected(self, label: Label) -> Estimate:
        """Correct the rate of the judge's labels (Rogan and Gladen 1978)."""
        cases, judge = self.cases, self.judge
        weights = cases.weights[1] * cases.count
        rate = float(weights[cases.judge == self.labels.index(label)].sum())
        estimates = [judge.estimate(measure.name, label=label) for measure in (rates.recall, rates.specificity)]
        shares = [Share(0.0, 0.0) if estimate.undefined else _share(estimate) for estimate in estimates]
        n = cases.n_judged or cases.n_labelled
        return replace(corrected(Misjudged(Share(rate * n, float(n)), *shares)), of=str(label))

    def applicable(self) -> list[str]:
        """Return the names of the measures that are shown.

        Returns
        -------
        list of str
            The names.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess(["y", "n", "y", "n", None, None], judge=["y", "n", "y", "y", "n", "y"], positive="y")
        >>> a.applicable()
        ['rate', 'rogan_gladen']
        """
        if self.cases.predicted is None:
            return [RATE, ROGAN_GLADEN] if self.positive is not None else []
        names = self._names()
        return [measure.name for measure in SHOWN if measure.name in names]

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Estimate the named measures, or those that are shown by default.

        Without predictions and without a positive class, the default is the rate of each class.

        Parameters
        ----------
        measures
            Names of measures; default: those that are shown.

        Returns
        -------
        list of Estimate
            One estimate per name, in the same order.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess(["y", "n", "y", "n", None, None], judge=["y", "n", "y", "y", "n", "y"], positive="y")
        >>> [estimate.of for estimate in a.estimates()]
        ['y', 'y']
        """
        if measures is None and self.cases.predicted is None and self.positive is None:
            return [self.estimate(RATE, label=label) for label in self.labels]
        return [self[name] for name in (self.applicable() if measures is None else names_of("measures", measures))]

    @cached_property
    def first(self) -> JudgedEstimate:
        """The accuracy; without predictions, the rate of the main class."""
        if self.cases.predicted is not None:
            return estimate_judged(self.cases, agreement.accuracy)
        return estimate_rate(self.cases, self._main_class)

    @property
    def _main_class(self) -> Label:
        """The positive class, or else the most frequent one."""
        frequent = self.labels[int(self.cases.human_table.sums.truth.argmax())]
        return frequent if self.positive is None else self.positive

    @property
    def title(self) -> str:
        clusters = self.first.clusters
        in_clusters = "" if clusters is None else f" in {counted(clusters, 'cluster')}"
        return f"{counted(self.n, 'case')}{in_clusters}, {counted(self.labelled, 'human label')}"

    def sentences(self, confidence: float = 0.95) -> list[str]:
        """Summarise the result in sentences, the most important first.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Returns
        -------
        list of str
            The sentences.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess(["y", "n", "y", "n", None, None], judge=["y", "n", "y", "y", "n", "y"], positive="y")
        >>> print(a.sentences()[0])
        y: 46.1 % of 6 cases [5.2, 92.5]; from the human labels alone 50.0 % [6.1, 93.9].
        """
        first, cases = self.first, counted(self.n, "case", comma=True)
        value, interval = percent(first.value), percent_interval(first.interval(confidence))
        if self.cases.predicted is not None:
            sentence = f"Accuracy {value}{interval} on {cases}"
        else:
            sentence = f"{class_name(self._main_class)}: {value} of {cases}{interval}"
        if self.judged:
            human = f"{percent(first.human.value)}{percent_interval(first.human.interval(confidence))}"
            sentence += f"; from the human labels alone {human}"
        return [f"{sentence}.", worth_in_words(first), self._judge_sentence(confidence)]

    def _judge_sentence(self, confidence: float) -> str:
        """State how well the judge agrees with the human labels."""
        accuracy, kappa = self.judge[agreement.accuracy.name], self.judge[agreement.kappa.name]
        agreed = f"{percent(accuracy.value)} of the labelled cases{percent_interval(accuracy.interval(confidence))}"
        sentence = f"The judge agrees with the human labels on {agreed}"
        if not kappa.undefined:
            value, ends = with_interval(kappa.value, *kappa.interval(confidence))
            sentence += f", kappa {value.text} {ends}".rstrip()
        if self.cases.predicted is None:
            label = self._main_class
            rate = float(self.cases.count[self.cases.judge == self.labels.index(label)].sum()) / self.n
            sentence += f"; it labels {percent(rate)} of all cases {class_name(label)}"
        return f"{sentence}."

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings on these data, such as few clusters."""
        return findings(Evidence(clusters=self.cases.clusters, repeated=self._repeated))

    def judge_sheet(self, confidence: float = 0.95) -> Sheet:
        """Return the measures of the judge against the human labels as a table.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Returns
        -------
        Sheet
            Accuracy, kappa, recall, specificity and precision of the judge.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess(["y", "n", "y", "n", None, None], judge=["y", "n", "y", "y", "n", "y"], positive="y")
        >>> [record["measure"] for record in a.judge_sheet().records()]
        ['accuracy', 'kappa', 'recall', 'specificity', 'precision']
        """
        estimates = self.judge.estimates([measure.name for measure in OF_JUDGE])
        return estimate_sheet(estimates, confidence, "the judge against the human labels", remarks(estimates))

    def further_tables(self, confidence: float) -> list[Sheet]:
        return [self.judge_sheet(confidence)]

    def to_dict(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> dict[str, Any]:
        judge = [self.judge[measure.name].to_dict(confidence) for measure in OF_JUDGE]
        values: dict[str, Any] = {
            "n": self.n,
            "labelled": self.labelled,
            "judged": self.judged,
            "labels": list(self.labels),
            "positive": self.positive,
            "headline": self.sentences(confidence),
            "measures": [estimate.to_dict(confidence) for estimate in self.estimates(measures)],
            "judge": judge,
            "findings": [finding.to_dict() for finding in self.findings],
        }
        return dict(jsonable(values))

    @property
    def report_title(self) -> str:
        return "How good is it, with few human labels and many from a judge?"

    def views(self) -> dict[str, Any]:
        return {"Headline": self, "Judged": self, "Settings": self.report_settings()}

    def report_settings(self) -> dict[str, Any]:
        """Return the settings needed to reproduce the numbers, by name."""
        strata = "none" if self.cases.stratum is None else len(self.cases.stratum.values)
        return {
            "intervals": INTERVALS,
            "cases": self.n,
            "human labels": self.labelled,
            "strata": strata,
            "clusters": self.first.clusters or "none",
        }

    def __repr__(self) -> str:
        first = f"{self.first.measure}={self.first.value:.4g}"
        return f"JudgedAssessment(n={self.n}, labelled={self.labelled}, {first})"


def _share(estimate: Estimate) -> Share:
    """Convert a rate to successes out of the effective number of cases."""
    worth = min(estimate.n, estimate.effective_n) if math.isfinite(estimate.effective_n) else estimate.n
    return Share(estimate.value * worth, worth)


def assess_judged(
    columns: dict[str, Any],
    data: Any = None,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    threshold: float | None = None,
    file_format: str | None = None,
) -> JudgedAssessment:
    """Assess cases with labels from a judge and some human labels."""
    read = gather_judged(columns, data, labels, positive, threshold, file_format)
    cases = judged_cases(read)
    judge = assess_judge(cases, read.classes)
    return JudgedAssessment(cases, judge, read.classes, read.threshold, read.library, read.repeated)


def judged_cases(read: JudgedColumns) -> JudgedCases:
    """Tabulate the validated columns; every stratum must have a human label."""
    ones = np.ones(len(read.truth), np.int64)
    columns = (read.classes.labels, read.truth, read.judge, read.predicted, ones)
    cases = JudgedCases(*columns, read.keys.get("stratum"), read.keys.get("cluster"), read.scores).joined()
    if cases.stratum is not None and (empty := np.flatnonzero(cases.sizes[0] == 0)).size:
        name = cases.stratum.values[empty[0]]
        raise HowsureError(
            f"`stratum` {name!r} has no human label; label some of its cases, or merge it with another stratum."
        )
    return cases


def assess_judge(cases: JudgedCases, classes: Classes) -> Assessment:
    """Assess the judge against the human labels, weighted by stratum."""
    rows = np.flatnonzero(cases.truth != MISSING)
    weight, square = cases.count[rows], None
    if not cases.equal_weights:
        each = cases.n_labelled * cases.weights[0][rows]
        weight, square = weight * each, weight * each**2
    cluster = None if cases.cluster is None else cases.cluster.take(rows)
    predictions = Predictions(cases.truth[rows], cases.judge[rows], classes, weight, square, cluster=cluster)
    return Assessment(Confusion.from_predictions(predictions), classes, cases.n_labelled)
