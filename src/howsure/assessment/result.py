"""Assessment: measures, curves and findings of one classifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from howsure.advice import Evidence, Finding, findings
from howsure.arrays import Floats
from howsure.assessment.curve_methods import CurveMethods
from howsure.assessment.drawings import drawings
from howsure.assessment.estimate_table import Wording, estimate_sheet, opening, opening_html, remarks
from howsure.assessment.explorer_data import Explored, explore, key_estimates
from howsure.assessment.headline import headline
from howsure.assessment.per_class import MEASURES, ClassEstimates, PerClass
from howsure.assessment.threshold_choice import ThresholdChoice, choose_threshold
from howsure.checks import check_confidence, check_number, check_share, names_of, one_of
from howsure.costs import Costs
from howsure.curves import BrierParts, Curve, CurveSet, brier_parts, by_threshold, with_band
from howsure.curves import registry as curve_registry
from howsure.curves.band import KINDS
from howsure.data.encode import Label
from howsure.data.labels import Classes
from howsure.data.truths import Annotations
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, counted, listing, one_line
from howsure.intervals.declare import NoBasis
from howsure.measures import Measure, estimate, estimate_scores, registry
from howsure.measures.cost import mean_cost
from howsure.measures.declare import Group
from howsure.measures.estimate.classes import estimate_classes
from howsure.measures.probability import brier
from howsure.measures.spec import read_spec
from howsure.present.counts import MAX_CLASSES, count_lines, count_sheets
from howsure.present.report.reported import Reported
from howsure.present.result import Result, check_width
from howsure.present.sheet import Sheet
from howsure.present.value_text import jsonable
from howsure.present.words import Line, joined, side_by_side
from howsure.registry import canonical
from howsure.results import INTERVAL, Estimate
from howsure.tables import ClassScores, Confusion, ScoreTable

if TYPE_CHECKING:
    from howsure.present.sheet import Record

HINTS = {
    "all": "a.all()",
    "per_class": "a.per_class()",
    "confusion": "a.confusion",
    "curves": "a.plot()",
    "page": 'a.report("page.html")',
}


@dataclass(frozen=True, repr=False, eq=False)
class Assessment(CurveMethods, Reported):
    """Assessment of one classifier, each number with its interval.

    `howsure.assess` returns it. ``a["recall"]`` is the recall of the positive class, or the macro average if no class
    is positive; ``a.estimate("recall", label="c")`` and ``a.estimate("recall", average="weighted")`` select others.
    With scores, it also has measures of ranking and of probabilities, curves, and a choice of threshold.

    Every declared curve is also a method, such as ``a.roc()`` and ``a.lift()``: like `curve`, it takes the ``label`` of
    a class, a ``band`` if the curve has one, and the options of the curve.

    Attributes
    ----------
    confusion
        The confusion matrix.
    n
        The number of cases.
    costs
        The costs of errors, if known.
    scores
        The score table of two classes, or the tables of each class.
    threshold
        The lowest score that is called positive, if scores decide.
    prevalence
        The prevalence set by `at_prevalence`.
    annotations
        The agreement between annotators, if cases have several true labels.

    Examples
    --------
    >>> import howsure
    >>> scores = [0.9, 0.8, 0.35, 0.6, 0.4, 0.3, 0.2, 0.1]
    >>> a = howsure.assess(["y", "y", "y", "n", "n", "n", "n", "n"], scores=scores)
    >>> print(a["recall"])
    recall (y): 0.667, 95 % interval [0.081, 0.992] (modified-wilson), n = 3
    >>> a.positive, a.applicable()[:3]
    ('y', ['accuracy', 'error_rate', 'balanced_accuracy'])
    >>> a.estimates(["auc", "brier"])
    [Estimate(auc=0.867 [0.110, 0.997], of='y', n=8), Estimate(brier=0.142 [0.066, 0.342], of='y', n=8)]
    >>> a.at(0.3)["recall"].value, a.roc().area
    (1.0, 0.8666666666666667)
    """

    _last_in_frames = INTERVAL

    confusion: Confusion
    _classes: Classes
    n: int
    costs: Costs | None = None
    scores: ScoreTable | ClassScores | None = None
    threshold: float | None = None
    prevalence: float | None = None
    _library: str | None = None
    _repeated: tuple[str, ...] = ()  # unused columns that look like identifiers and have repeated values
    annotations: Annotations | None = None

    @property
    def labels(self) -> tuple[Label, ...]:
        """All classes, in display order."""
        return self._classes.labels

    @property
    def positive(self) -> Label | None:
        """The class that two-class measures describe, or None."""
        return self._classes.positive

    @property
    def ceiling(self) -> float:
        """The highest possible accuracy: 1, unless annotators disagree."""
        return 1.0 if self.annotations is None else self.annotations.ceiling

    def __getitem__(self, measure: str) -> Estimate:
        name, parameters = read_spec(measure)
        registry[name].check_names(parameters)  # `label` and `average` are arguments of `estimate` only
        return self.estimate(name, **parameters)

    if not TYPE_CHECKING:  # type checkers see the declared attributes

        def __getattr__(self, name: str) -> Any:
            """Raise an AttributeError that shows how to get a measure."""
            if not name.startswith("_") and name in registry:
                raise AttributeError(f"measures are accessed in brackets: a[{name!r}]")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __contains__(self, measure: object) -> bool:
        return isinstance(measure, str) and measure in registry and self._applies(registry[measure])

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
            A name or alias, as listed by `howsure.measures.names`.
        label
            The class; default: the positive class.
        average
            "macro", "micro" or "weighted", over all classes instead of one.
        {measure_parameters}

        Returns
        -------
        Estimate
            The value with its uncertainty.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess(["a", "b", "c", "a", "b", "c"], ["a", "b", "c", "b", "b", "a"])
        >>> print(a.estimate("recall", label="a"))
        recall (a): 0.500, 95 % interval [0.013, 0.987] (modified-wilson), n = 2
        >>> a.estimate("f_beta", average="macro", beta=2)
        Estimate(f_beta(beta=2)=0.655 [0.216, 0.984], of='macro average', n=6)
        """
        declared = registry[measure]
        declared.check_names(parameters, also=("label", "average"))
        if parameters or label is not None or average is not None:
            estimate = self._estimate(declared, label, average, parameters)
        else:  # cached, because the headline, the tables and the notes use the same estimates
            if declared.name not in self._estimates:
                self._estimates[declared.name] = self._estimate(declared, None, None, {})
            estimate = self._estimates[declared.name]
        return estimate if canonical(measure) == declared.name else replace(estimate, asked=one_line(measure))

    @cached_property
    def _estimates(self) -> dict[str, Estimate]:
        return {}

    def _estimate(
        self, declared: Measure, label: Label | None, average: str | None, parameters: dict[str, Any]
    ) -> Estimate:
        if declared.scope in ("score", "rows"):
            return self._estimate_scores(declared, label, average, parameters)
        table = self.confusion
        if "costs" in declared.parameters and "costs" not in parameters and self.costs is not None:
            parameters["costs"] = self.costs.matrix(self.labels, self.positive)
            shares = self.costs.priors(self.labels, self.positive)
            try:
                table = table if shares is None else table.with_shares(shares)
            except HowsureError as error:
                reason = str(error).rstrip(".")
                return Estimate(declared.name, np.nan, float(table.n), reason, basis=NoBasis(reason))
        if declared.scope == "class" and label is None and average is None:
            label = self.positive
        return estimate(table, declared, label=label, average=average, **parameters)

    def _estimate_scores(
        self, declared: Measure, label: Label | None, average: str | None, parameters: dict[str, Any]
    ) -> Estimate:
        if self.scores is None:
            raise HowsureError(
                f"`{declared.name}` is a measure of scores, and there are only labels; give `scores=...`."
            )
        covers_all = declared.scope == "rows" or not self._classes.chosen
        if isinstance(self.scores, ClassScores) and label is None and covers_all:
            return estimate_classes(self.scores, declared, average=average, **parameters)
        if declared.scope == "rows":
            raise HowsureError(f"`{declared.name}` needs a column of scores for each of more than two classes.")
        if average is not None:
            raise HowsureError(f"`{declared.name}` is of one class here, and has no average.")
        of = self.positive if label is None else label
        return estimate_scores(self._score_table(of), declared, of=str(of), **parameters)

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Estimate the named measures, or all that apply.

        Parameters
        ----------
        measures
            Names of measures, such as "recall" or "f_beta(beta=2)"; default: all that apply.

        Returns
        -------
        list of Estimate
            One estimate per name, in the same order.
        """
        return [self[name] for name in (self.applicable() if measures is None else names_of("measures", measures))]

    def applicable(self) -> list[str]:
        """Return the names of the measures that apply to these predictions."""
        return [name for name, declared in registry.items() if self._applies(declared)]

    def _applies(self, declared: Measure) -> bool:
        if declared.scope == "rows":
            return isinstance(self.scores, ClassScores) and not declared.on_request
        if declared.scope == "score":
            return self.scores is not None and not declared.on_request
        if declared.scope == "class" and not declared.averaged and self.positive is None:
            return False
        return not declared.on_request or (set(declared.parameters) == {"costs"} and self.costs is not None)

    def at(self, threshold: float) -> Assessment:
        """Assess the same scores at another threshold.

        If scores were counted in bins, a threshold inside a bin is moved to the start of the next bin, so that the
        result is exact.

        Parameters
        ----------
        threshold
            The lowest score that is called positive.

        Returns
        -------
        Assessment
            The assessment of the same cases and scores with other decisions.
        """
        scores = self._two_class_table()
        threshold = scores.exact_threshold(check_number(threshold, "threshold"))
        table = decisions(scores, threshold, self._classes)
        moved = replace(self, confusion=table, threshold=float(threshold), prevalence=None)
        return moved if self.prevalence is None else moved.at_prevalence(self.prevalence)

    def at_prevalence(self, share: float) -> Assessment:
        """Assess the same decisions at another prevalence.

        Precision, negative predictive value and costs depend on the prevalence; recall and specificity do not. The
        prevalence is treated as known. Measures of scores remain those of the sample.

        Parameters
        ----------
        share
            The proportion of the positive class, between 0 and 1.

        Returns
        -------
        Assessment
            The assessment of the same cases, reweighted to this prevalence.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess(["y"] * 50 + ["n"] * 50, ["y"] * 45 + ["n"] * 50 + ["y"] * 5, positive="y")
        >>> round(a["precision"], 3), round(a.at_prevalence(0.01)["precision"], 3)
        (0.9, 0.083)
        """
        if self.positive is None or len(self.labels) != 2:
            raise HowsureError("a prevalence needs two classes, one of them positive; give `positive=...`.")
        check_share("share", share)
        shares = [share if label == self.positive else 1 - share for label in self.labels]
        return replace(self, confusion=self.confusion.with_shares(shares), prevalence=float(share))

    @shared_texts
    def best_threshold(
        self,
        measure: str | None = None,
        *,
        costs: Any = None,
        confidence: float = 0.95,
        seed: int = 0,
        **parameters: Any,
    ) -> ThresholdChoice:
        """Find the best threshold for a label measure, or for costs.

        Parameters
        ----------
        measure
            The name of a measure of labels, such as "f1".
        costs
            A `Costs` or a matrix, instead of a measure; default: the costs of the assessment.
        confidence
            Confidence level of the interval of the threshold.
        seed
            Seed of the bootstrap for this interval.
        {measure_parameters}

        Returns
        -------
        ThresholdChoice
            The threshold with its interval, and the value of the measure there.

        Examples
        --------
        >>> import howsure
        >>> scores = [0.9, 0.8, 0.35, 0.6, 0.4, 0.3, 0.2, 0.1]
        >>> a = howsure.assess([1, 1, 1, 0, 0, 0, 0, 0], scores=scores)
        >>> a.best_threshold("accuracy").threshold
        0.8
        >>> a.best_threshold(costs=howsure.Costs(false_negative=5, false_positive=1)).threshold
        0.35
        """
        table = self._two_class_table()
        costs = self.costs if costs is None and measure is None else costs
        if (measure is None) == (costs is None):
            raise HowsureError("`best_threshold` needs either a measure or costs.")
        check_confidence(confidence)
        prevalence = self.prevalence
        shares = None if prevalence is None else np.array([1 - prevalence, prevalence])  # negatives first
        if costs is None:
            declared = registry[str(measure)]
            if declared.scope not in ("class", "overall"):
                raise HowsureError(f"`{declared.name}` does not depend on a threshold.")
            declared.check(parameters)
            return choose_threshold(table, declared, parameters, shares, confidence, seed=seed)
        costs = costs if isinstance(costs, Costs) else Costs(costs)
        parameters, priors = self._two_class_costs(costs)
        shares = shares if priors is None else priors
        return choose_threshold(table, mean_cost, parameters, shares, confidence, seed=seed)

    def _two_class_costs(self, costs: Costs) -> tuple[dict[str, Any], Floats | None]:
        """Return the cost matrix and the prior, negatives first."""
        order = [self.labels.index(label) for label in sorted(self.labels, key=lambda label: label == self.positive)]
        matrix, priors = costs.matrix(self.labels, self.positive), costs.priors(self.labels, self.positive)
        return {"costs": matrix[np.ix_(order, order)]}, None if priors is None else priors[order]

    def curve(self, name: str, label: Label | None = None, *, band: str | None = None, **options: Any) -> Curve:
        """Compute a curve by its name or alias.

        Parameters
        ----------
        name
            A name such as "ROC" or "lift chart", as listed by `howsure.curves.names`.
        label
            The class, against the rest; default: the positive class.
        band
            "pointwise" or "simultaneous", for a 95 % bootstrap band.
        **options
            Options of the curve, such as ``bins``.

        Returns
        -------
        Curve
            The points of the curve and its summary.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9])
        >>> print(a.curve("precision-recall"))
        Precision-recall curve of class 1: average precision 1.00, 4 cases, 5 points
        """
        declared = curve_registry[name]
        table = self._curve_table(label)
        options = {**self._from_costs(declared.from_costs, label), **options}
        if band is None:
            return self._about(declared(table, **options), label)
        if not declared.band:
            names = [name for name, curve in curve_registry.items() if curve.band]
            raise HowsureError(f"`{declared.name}` has no `band`; {', '.join(names)} have one.")
        one_of("band", band, KINDS)
        return self._about(with_band(partial(declared, **options), table, band), label)

    def _about(self, curve: Curve, label: Label | None) -> Curve:
        """Add the names of the classes and the threshold to a curve."""
        positive = self.positive if label is None else label
        negatives = [name for name in self.labels if name != positive]
        threshold = self.threshold if positive == self.positive else None
        return curve.about(positive, negatives[0] if len(negatives) == 1 else None, threshold)

    def by_class(self, name: str, *, band: str | None = None, **options: Any) -> CurveSet:
        """Compute a curve of each class against the rest.

        Parameters
        ----------
        name
            The name of the curve.
        band
            "pointwise" or "simultaneous".
        **options
            Options of the curve.

        Returns
        -------
        CurveSet
            The curves by class.

        Examples
        --------
        >>> import howsure
        >>> scores = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.4, 0.5, 0.1]]
        >>> a = howsure.assess(["a", "b", "c", "a"], scores=scores, labels=["a", "b", "c"])
        >>> print(a.by_class("ROC"))
        ROC curve of 3 classes
        a: AUC 1.00
        b: AUC 0.83
        c: AUC 1.00
        """
        return CurveSet({label: self.curve(name, label, band=band, **options) for label in self.labels})

    def curves(self, label: Label | None = None, *, band: str | None = None) -> dict[str, Curve]:
        """Compute every curve that applies.

        Parameters
        ----------
        label
            The class, against the rest; default: the positive class.
        band
            "pointwise" or "simultaneous", for the curves that have a band.

        Returns
        -------
        dict of Curve
            The curves by name.

        Examples
        --------
        >>> import howsure
        >>> list(howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).curves())[:4]
        ['roc', 'precision_recall', 'lift', 'lift_ratio']
        """
        return {
            name: self.curve(name, label, band=band if curve_registry[name].band else None)
            for name in self.curves_that_apply(label)
        }

    def curves_that_apply(self, label: Label | None = None) -> list[str]:
        """Return the names of the curves that apply to these scores."""
        table = self._score_table(label)
        return [name for name, declared in curve_registry.items() if declared.applies(table)]

    @shared_texts
    def by_threshold(self, measure: str, label: Label | None = None, **parameters: Any) -> Curve:
        """Compute a label measure at every threshold.

        Costs and prevalence are those of the assessment.

        Parameters
        ----------
        measure
            The name of a measure of labels.
        label
            The class, against the rest; default: the positive class.
        {measure_parameters}

        Returns
        -------
        Curve
            The measure against the threshold.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9])
        >>> curve = a.by_threshold("accuracy")
        >>> curve.y[curve.at(0.5)].item()
        1.0
        """
        table, shares = self._curve_table(label), None
        if label is None or label == self.positive:
            shares = None if self.prevalence is None else np.array([1 - self.prevalence, self.prevalence])
            if "costs" in registry[measure].parameters and "costs" not in parameters and self.costs is not None:
                parameters, priors = self._two_class_costs(self.costs)
                shares = shares if priors is None else priors
        return self._about(by_threshold(table, measure, shares=shares, **parameters), label)

    def against_rest(self, label: Label) -> Assessment:
        """Assess one class against all others by its own score."""
        table, rest = self._score_table(label), f"not {label}"
        classes = Classes.of_labels((rest, str(label)), str(label))
        limit = 0.5 if table.is_probability else 0.0
        return Assessment(decisions(table, limit, classes), classes, self.n, None, table, limit, None, self._library)

    def explored(self, most: int = 1000) -> Explored | None:
        """Return the data of the explorer, with about ``most`` thresholds."""
        return explore(self, most)

    @cached_property
    def key_estimates(self) -> dict[str, Estimate]:
        """Estimates of the measures of a scoreboard, by name."""
        return key_estimates(self)

    def brier_score(self) -> Estimate:
        """Estimate the Brier score."""
        return self.estimate(brier.name)

    def brier_parts(self, label: Label | None = None, bins: int | None = 10) -> BrierParts:
        """Decompose the Brier score into reliability, resolution and uncertainty.

        Parameters
        ----------
        label
            The class, against the rest; default: the positive class.
        bins
            The number of bins; None for one bin per distinct score.

        Returns
        -------
        BrierParts
            Reliability - resolution + uncertainty + the variation inside bins, which add up to the Brier score.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.8, 0.2, 0.8])
        >>> print(a.brier_parts(bins=None))
        Brier score 0.0400 = 0.0400 - 0.2500 + 0.2500 + 0.0000 within bins
        """
        return brier_parts(self._score_table(label), bins)

    def _score_table(self, label: Label | None = None) -> ScoreTable:
        """Return the score table of one class against the rest."""
        if self.scores is None:
            raise HowsureError("curves need scores, but there are only labels; give `scores=...`.")
        if isinstance(self.scores, ClassScores):
            of = self.positive if label is None else label
            if of is None:
                raise HowsureError(
                    "with more than two classes a curve needs `label=...`; `by_class` draws all classes."
                )
            return self.scores.table(of)
        if label is None or one_of("label", label, self.labels) == self.positive:
            return self.scores
        return self.scores.mirrored()

    def _two_class_table(self) -> ScoreTable:
        if isinstance(self.scores, ClassScores):
            raise HowsureError("a threshold decides between two classes, but there are more.")
        return self._score_table()

    def _curve_table(self, label: Label | None) -> ScoreTable:
        table = self._score_table(label)
        if not (table.n_positive and table.n_negative):
            raise HowsureError("all cases are of one class, so there is no curve to draw.")
        return table

    def _from_costs(self, options: dict[str, str], label: Label | None) -> dict[str, float]:
        """Return the options of a curve that follow from the costs."""
        if self.costs is None or not options or label not in (None, self.positive):
            return {}
        facts: dict[str, float] = {}
        shares = self.costs.priors(self.labels, self.positive)
        if shares is not None and self.positive is not None:
            facts["prior"] = float(shares[self.labels.index(self.positive)])
        if len(self.labels) == 2:
            table = self._score_table()
            with suppress(HowsureError):  # raised if one of the two decisions is always cheaper
                trade = self.costs.trade(self.labels, self.positive, table.n_positive / table.n)
                facts |= zip(("slope", "probability_cost", "threshold"), trade, strict=True)
        return {option: facts[fact] for option, fact in options.items() if fact in facts}

    def per_class(self, confidence: float = 0.95) -> PerClass:
        """Return precision, recall, F1 and specificity of each class.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Returns
        -------
        PerClass
            One row per class.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess(["a", "b", "a", "b"], ["a", "b", "b", "b"])
        >>> [(row["class"], row["precision"], row["recall"]) for row in a.per_class().records()]
        [('a', 1.0, 0.5), ('b', 0.6666666666666666, 1.0)]
        """
        return PerClass(self._class_estimates({}), check_confidence(confidence), self._library)

    def _class_estimates(self, key: Record) -> tuple[ClassEstimates, ...]:
        cases = self.confusion.sums.truth.tolist()
        return tuple(
            ClassEstimates(
                {**key, "class": label},
                int(n) if float(n).is_integer() else n,
                tuple(self.estimate(name, label=label) for name in MEASURES),
            )
            for label, n in zip(self.labels, cases, strict=True)
        )

    def chance(self) -> Confusion:
        """Return the confusion matrix expected by chance.

        It has the same margins, but predictions independent of the truth.

        Returns
        -------
        Confusion
            The expected counts.

        Examples
        --------
        >>> import howsure
        >>> howsure.assess(["y", "y", "n", "n"], ["y", "n", "n", "n"]).chance().counts.tolist()
        [[1.5, 0.5], [1.5, 0.5]]
        """
        return self.confusion.chance()

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Findings on these data, such as small samples or skewed classes."""
        scores = self.scores if isinstance(self.scores, ScoreTable) else None
        evidence = Evidence(
            table=self.confusion,
            scores=scores,
            threshold=self.threshold,
            repeated=self._repeated,
            clusters=self.confusion.clusters,
            annotations=self.annotations,
        )
        return findings(evidence)

    @property
    def title(self) -> str:
        """The number of cases, the classes, the positive class and the threshold."""
        k = len(self.labels)
        names = listing([str(label) for label in self.labels], 8)
        positive = ""
        if self.positive is not None:
            default = "" if self._classes.chosen else ", the second class by default"
            positive = f"; positive: {self.positive}{default}"
        details = f", effective sample size {self.confusion.effective_n:.1f}" if self._is_weighted else ""
        details += "" if self.annotations is None else f", {self.annotations.text()}"
        threshold = "" if self.threshold is None else f"; threshold {self.threshold:g}"
        return f"{counted(self.n, 'case')}{details}, {counted(k, 'class')}: {names}{positive}{threshold}"

    @property
    def _is_weighted(self) -> bool:
        """Whether cases have different weights."""
        table = self.confusion
        return table.squares is not None and (
            self.annotations is None or abs(table.effective_n - self.n) > 1e-6 * self.n
        )

    @property
    def headline(self) -> str:
        """A summary in a few sentences, one per line."""
        return "\n".join(headline(self))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on values and on the threshold with the lowest cost; findings."""
        return self._notes(self.estimates(), 0.95)

    def _notes(self, estimates: list[Estimate], confidence: float) -> tuple[str, ...]:
        choice = [self.best_threshold(confidence=confidence).sentence()] if self._has_costs() else []
        return (*remarks(estimates), *choice, *map(str, self.findings))

    def all(self) -> AllMeasures:
        """Return every measure that applies, and the matrix expected by chance.

        Returns
        -------
        AllMeasures
            A result that can be printed or turned into a frame.

        Examples
        --------
        >>> import howsure
        >>> howsure.assess([1, 1, 0, 0], [1, 0, 0, 0]).all()
        AllMeasures(26 measures of Assessment(n=4, k=2, accuracy=0.75))
        """
        return AllMeasures(self)

    def shown(self) -> list[str]:
        """Return the names of the measures that are shown by default."""
        return [name for name in self.applicable() if not registry[name].follows_from]

    def records(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> list[Record]:
        """Return one record for each measure, unrounded."""
        return [record for estimate in self.estimates(measures) for record in estimate.records(confidence)]

    def sheet(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> Sheet:
        """Return the table that is shown, rounded and in groups of measures."""
        if measures is not None:
            return estimate_sheet(estimates := self.estimates(measures), confidence, self.title, remarks(estimates))
        notes = self._notes(self.estimates(self.shown()), confidence)
        return replace(self._grouped(self.shown(), confidence), notes=notes)

    def _grouped(self, measures: Sequence[str], confidence: float) -> Sheet:
        """Return the table of these measures, in groups such as "ranking"."""
        order = get_args(Group)
        estimates = sorted(self.estimates(measures), key=lambda estimate: order.index(registry[estimate.measure].group))
        groups = [(registry[estimate.measure].group, estimate.of) for estimate in estimates]
        starts = [index for index, group in enumerate(groups) if index == 0 or groups[index - 1] != group]
        headings = {index: self._heading(*groups[index]) for index in starts}
        return estimate_sheet(estimates, confidence, self.title, remarks(estimates), headings)

    def _heading(self, group: Group, of: str) -> str:
        """Return the heading of a group of measures."""
        if group in ("ranking", "probabilities") and len(self.labels) > 2:
            return f"{group}, {of or 'all classes together'}"
        if group != "class":
            return f"{group}, {self._in_bins()}" if group == "ranking" and self._in_bins() else group
        if self.positive is None:
            return of
        default = "" if self._classes.chosen else " (the second class by default)"
        threshold = "" if self.threshold is None else f", threshold {self.threshold:g}"
        return f"{of}{default}{threshold}"

    def _in_bins(self) -> str:
        """Return the precision of binned scores; empty if every score was kept."""
        if not isinstance(self.scores, ScoreTable) or self.scores.tops is None:
            return ""
        return f"scores in {len(self.scores):,} bins: AUC exact to {self['auc'].bound:.0e}"

    def frame(self, like: str | None = None, confidence: float = 0.95, measures: Sequence[str] | None = None) -> Any:
        """Return every measure with its interval as a data frame."""
        return super().frame(like, confidence=confidence, measures=measures)

    def text_lines(
        self,
        width: int | None = None,
        confidence: float = 0.95,
        measures: Sequence[str] | None = None,
        *,
        hints: Mapping[str, str] = HINTS,
        wording: Wording = str,
    ) -> list[Line]:
        """Return the lines of the text.

        ``hints`` say how to get more, in Python or at the terminal; ``wording`` translates findings into command-line
        terms.
        """
        width = check_width(width)
        if measures is not None:
            return replace(self.sheet(confidence, measures), title="").text_lines(width)
        table = self._grouped(self.shown(), confidence)
        return [
            *opening(headline(self, confidence), self.findings, width, wording),
            *count_lines(self.confusion, width),
            *replace(table, title="").text_lines(width),
            Line(""),
            *side_by_side(self._pointers(hints), width),
        ]

    def _pointers(self, hints: Mapping[str, str]) -> list[str]:
        """Return hints about further output."""
        more, k = len(self.applicable()) - len(self.shown()), len(self.labels)
        return [
            *([f"{more} more: {hints['all']}"] if more else []),
            *([f"each class: {hints['per_class']}"] if k > 2 else []),
            *([f"the table of {k} classes: {hints['confusion']}"] if k > MAX_CLASSES else []),
            *([f"curves: {hints['curves']}"] if self.scores is not None else []),
            f"page: {hints['page']}",
        ]

    def text(self, confidence: float = 0.95, measures: Sequence[str] | None = None, width: int | None = None) -> str:
        """Return the text that ``print`` shows."""
        return joined(self.text_lines(width, confidence, measures))

    def to_html(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> str:
        if measures is not None:
            return self.sheet(confidence, measures).to_html()
        table = self._grouped(self.shown(), confidence)
        counts = "".join(sheet.to_html() for sheet in count_sheets(self.confusion))
        return opening_html(headline(self, confidence), self.findings) + counts + replace(table, title="").to_html()

    def to_dict(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        values: dict[str, Any] = {
            "n": self.n,
            "headline": headline(self, confidence),
            "labels": self.labels,
            "positive": self.positive,
            "confusion": self.confusion.to_dict(),
            "chance": self.chance().to_dict(),
            "measures": [estimate.to_dict(confidence) for estimate in self.estimates(measures)],
            "findings": [finding.to_dict() for finding in self.findings],
        }
        if self.annotations is not None:
            values["annotations"] = self.annotations.to_dict()
        if self.threshold is not None:
            values["threshold"] = self.threshold
        if self._has_costs():
            values["best_threshold"] = self.best_threshold().to_dict()
        return dict(jsonable(values))

    def _has_costs(self) -> bool:
        """Whether there are costs and scores, and hence a threshold with the lowest cost."""
        return self.costs is not None and isinstance(self.scores, ScoreTable)

    @property
    def report_title(self) -> str:
        if len(self.labels) == 2 and self.positive is not None:
            (other,) = (label for label in self.labels if label != self.positive)
            return f"{self.positive} or {other}: how good are the predictions?"
        return f"{counted(len(self.labels), 'class')}: how good are the predictions?"

    def views(self) -> dict[str, Any]:
        return {"Headline": self, "Assessment": self, "Assessments": {"": self}, "Settings": self.report_settings()}

    def report_settings(self) -> dict[str, Any]:
        """Return the settings needed to reproduce the numbers, by name."""
        settings: dict[str, Any] = {
            "cases": self.n,
            "truth": None if self.annotations is None else self.annotations.text(),
            "classes": listing([str(label) for label in self.labels], 20),
            "positive class": self.positive,
            "threshold": self.threshold,
            "prevalence in deployment": self.prevalence,
            "costs": self.costs,
            "ranking": self._in_bins() or None,
        }
        return {name: value for name, value in settings.items() if value is not None}

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Return the charts by name, the most informative first."""
        return drawings(self)

    def __repr__(self) -> str:
        return f"Assessment(n={self.n}, k={len(self.labels)}, accuracy={self['accuracy'].value:.4g})"


def decisions(scores: ScoreTable, threshold: float, classes: Classes) -> Confusion:
    """Return the confusion matrix of the decisions at a threshold."""
    counts, squares = scores.at(threshold)  # negatives first
    ordered = sorted(classes.labels, key=lambda label: label == classes.positive)
    return Confusion(counts, ordered, squares, clusters=scores.clusters_at(threshold)).reindex(classes.labels)


@dataclass(frozen=True, repr=False, eq=False)
class AllMeasures(Result):
    """Every measure of an assessment, and the matrix expected by chance.

    Attributes
    ----------
    assessment
        The assessment.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0, 0], [1, 0, 0, 0])
    >>> len(a.all().records()) == len(a.applicable())
    True
    """

    _last_in_frames = INTERVAL

    assessment: Assessment

    @property
    def title(self) -> str:
        return self.assessment.title

    @property
    def notes(self) -> tuple[str, ...]:
        return self.assessment.notes

    @property
    def _library(self) -> str | None:  # type: ignore[override]
        return self.assessment._library

    def records(self, confidence: float = 0.95) -> list[Record]:
        return self.assessment.records(confidence)

    def sheet(self, confidence: float = 0.95) -> Sheet:
        a = self.assessment
        return replace(a._grouped(a.applicable(), confidence), notes=a._notes(a.estimates(), confidence))

    def text_lines(self, width: int | None = None, confidence: float = 0.95, *, wording: Wording = str) -> list[Line]:
        width, a = check_width(width), self.assessment
        return [
            *opening(headline(a, confidence), a.findings, width, wording),
            *count_lines(a.confusion, width, chance=True),
            *replace(a._grouped(a.applicable(), confidence), title="").text_lines(width),
        ]

    def text(self, confidence: float = 0.95, width: int | None = None) -> str:
        return joined(self.text_lines(width, confidence))

    def to_html(self, confidence: float = 0.95) -> str:
        a = self.assessment
        counts = "".join(sheet.to_html() for sheet in count_sheets(a.confusion, chance=True))
        table = a._grouped(a.applicable(), confidence)
        return opening_html(headline(a, confidence), a.findings) + counts + replace(table, title="").to_html()

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        return self.assessment.to_dict(confidence)

    def __repr__(self) -> str:
        return f"AllMeasures({len(self.assessment.applicable())} measures of {self.assessment!r})"
