"""Assessment: everything that follows from one table, computed when asked for."""

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
from howsure.present.counts import MOST_CLASSES, count_lines, count_sheets
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
    """How good a classifier is on these cases, each number with its interval.

    `howsure.assess` gives it. ``a["recall"]`` is the recall of the positive class where there is one, and the macro
    average otherwise; ``a.estimate("recall", label="c")`` or ``average="weighted"`` says it exactly. With scores there
    are also the measures of ranking and of probabilities, the curves, and the choice of a threshold.

    Every declared curve is a method too, such as ``a.roc()`` and ``a.lift()``: it takes the ``label`` of a class, a
    ``band`` where it has one, and the curve's own options, as `curve` does.

    Attributes
    ----------
    confusion
        The table of true and predicted classes.
    n
        The number of cases.
    costs
        What errors cost, where that was given.
    scores
        The table of scores, or those of each class where there are more than two.
    threshold
        The score from which on a case was called positive, where scores decided.
    prevalence
        The share of positives that was asked for by `at_prevalence`.
    annotations
        What annotators say of the cases, where they have several truths.

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
    _repeated: tuple[str, ...] = ()  # columns of the data that look like identifiers, with values that repeat
    annotations: Annotations | None = None  # where cases have several truths

    @property
    def labels(self) -> tuple[Label, ...]:
        """All classes, in the order in which they are shown."""
        return self._classes.labels

    @property
    def positive(self) -> Label | None:
        """The class that two-class measures are about, or None."""
        return self._classes.positive

    @property
    def ceiling(self) -> float:
        """The highest accuracy that any classifier can reach: 1, unless annotators disagree on some cases."""
        return 1.0 if self.annotations is None else self.annotations.ceiling

    def __getitem__(self, measure: str) -> Estimate:
        name, parameters = read_spec(measure)
        registry[name].check_names(parameters)  # before they could be taken for arguments of `estimate`
        return self.estimate(name, **parameters)

    if not TYPE_CHECKING:  # which knows the attributes there are

        def __getattr__(self, name: str) -> Any:
            """Tell those who look for a measure among the attributes where it is."""
            if not name.startswith("_") and name in registry:
                raise AttributeError(f"measures are in brackets: a[{name!r}]")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __contains__(self, measure: object) -> bool:
        return isinstance(measure, str) and measure in registry and self._applies(registry[measure])

    def _ipython_key_completions_(self) -> list[str]:
        return self.applicable()

    @shared_texts
    def estimate(
        self, measure: str, *, label: Label | None = None, average: str | None = None, **parameters: Any
    ) -> Estimate:
        """Estimate a measure: of one class, or of a "macro", "micro" or "weighted" average.

        Parameters
        ----------
        measure
            A name or alias, as `howsure.measures.names` lists them.
        label
            The class it is of; default: the positive one.
        average
            "macro", "micro" or "weighted", over all classes instead of one.
        {measure_parameters}

        Returns
        -------
        Estimate
            The value, and how sure it is.

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
        found = self._estimate(declared, label, average, parameters)
        return found if canonical(measure) == declared.name else replace(found, asked=one_line(measure))

    def _estimate(
        self, declared: Measure, label: Label | None, average: str | None, parameters: dict[str, Any]
    ) -> Estimate:
        if declared.scope in ("score", "rows"):
            if parameters or label is not None or average is not None:
                return self._estimate_scores(declared, label, average, parameters)
            if declared.name not in self._of_scores:
                self._of_scores[declared.name] = self._estimate_scores(declared, None, None, {})
            return self._of_scores[declared.name]
        table = self.confusion
        if "costs" in declared.parameters and "costs" not in parameters and self.costs is not None:
            parameters["costs"] = self.costs.matrix(self.labels, self.positive)
            shares = self.costs.priors(self.labels, self.positive)
            try:
                table = table if shares is None else table.with_shares(shares)
            except HowsureError as impossible:
                reason = str(impossible).rstrip(".")
                return Estimate(declared.name, np.nan, float(table.n), reason, basis=NoBasis(reason))
        if declared.scope == "class" and label is None and average is None:
            label = self.positive
        return estimate(table, declared, label=label, average=average, **parameters)

    @cached_property
    def _of_scores(self) -> dict[str, Estimate]:
        """Estimates of scores that were asked for: the headline, the table and the findings speak of the same ones."""
        return {}

    def _estimate_scores(
        self, declared: Measure, label: Label | None, average: str | None, parameters: dict[str, Any]
    ) -> Estimate:
        if self.scores is None:
            raise HowsureError(
                f"`{declared.name}` is a measure of scores, and there are only labels; give `scores=...`."
            )
        of_all = declared.scope == "rows" or not self._classes.chosen
        if isinstance(self.scores, ClassScores) and label is None and of_all:
            return estimate_classes(self.scores, declared, average=average, **parameters)
        if declared.scope == "rows":
            raise HowsureError(f"`{declared.name}` needs a column of scores for each of more than two classes.")
        if average is not None:
            raise HowsureError(f"`{declared.name}` is of one class here, and has no average.")
        of = self.positive if label is None else label
        return estimate_scores(self._score_table(of), declared, of=str(of), **parameters)

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Estimate all measures that apply, or the ones named.

        Parameters
        ----------
        measures
            Names of measures, such as "recall" or "f_beta(beta=2)"; default: all that apply.

        Returns
        -------
        list of Estimate
            In the order asked for.
        """
        return [self[name] for name in (self.applicable() if measures is None else names_of("measures", measures))]

    def applicable(self) -> list[str]:
        """Name the measures that apply to these predictions as they are."""
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
        """Assess the decision of calling scores at or above ``threshold`` positive.

        Where scores were counted in bins, a threshold within one is that at which the next begins, and all is exact.

        Parameters
        ----------
        threshold
            The score from which on a case is called positive.

        Returns
        -------
        Assessment
            Of the same cases and scores, with other decisions.
        """
        scores = self._two_class_table()
        threshold = scores.exact_threshold(check_number(threshold, "threshold"))
        table = decisions(scores, threshold, self._classes)
        moved = replace(self, confusion=table, threshold=float(threshold), prevalence=None)
        return moved if self.prevalence is None else moved.at_prevalence(self.prevalence)

    def at_prevalence(self, share: float) -> Assessment:
        """Assess the same decisions where the positive class has another share, as in deployment.

        Precision, negative predictive value and costs change with it; recall and specificity do not. The share is
        taken as known. The measures of scores stay those of the sample.

        Parameters
        ----------
        share
            That of the positive class, between 0 and 1.

        Returns
        -------
        Assessment
            Of the same cases, weighed to have this share.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess(["y"] * 50 + ["n"] * 50, ["y"] * 45 + ["n"] * 50 + ["y"] * 5, positive="y")
        >>> round(a["precision"], 3), round(a.at_prevalence(0.01)["precision"], 3)
        (0.9, 0.083)
        """
        if self.positive is None or len(self.labels) != 2:
            raise HowsureError("a prevalence is of the positive one of two classes; give `positive=...`.")
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
        """Find the threshold at which a label measure is best, or the mean cost lowest.

        Parameters
        ----------
        measure
            The name of a measure of labels, such as "f1".
        costs
            A `Costs` or a matrix, instead of a measure; default: those of the assessment.
        confidence
            Of the interval of the choice.
        seed
            Of the bootstrap that tells where the best threshold of other samples would lie.
        {measure_parameters}

        Returns
        -------
        ThresholdChoice
            The threshold, what the measure is there, and the interval of the choice.

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
            raise HowsureError("`best_threshold` must be given a measure or costs, and not both.")
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
        """Give the matrix of costs, and the shares of the classes in use if they are known, negatives first."""
        order = [self.labels.index(label) for label in sorted(self.labels, key=lambda label: label == self.positive)]
        matrix, priors = costs.matrix(self.labels, self.positive), costs.priors(self.labels, self.positive)
        return {"costs": matrix[np.ix_(order, order)]}, None if priors is None else priors[order]

    def curve(self, name: str, label: Label | None = None, *, band: str | None = None, **options: Any) -> Curve:
        """Give a curve by its name or alias, as `howsure.curves.names` lists them.

        Parameters
        ----------
        name
            Such as "ROC", or "lift chart".
        label
            The class, against the rest; default: the positive one.
        band
            "pointwise" or "simultaneous", for a bootstrap band of 95 %.
        **options
            Options of the curve, such as ``bins``.

        Returns
        -------
        Curve
            Its points, with what sums it up.

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
            names = [name for name, other in curve_registry.items() if other.band]
            raise HowsureError(f"`{declared.name}` has no `band`; {', '.join(names)} have one.")
        one_of("band", band, KINDS)
        return self._about(with_band(partial(declared, **options), table, band), label)

    def _about(self, curve: Curve, label: Label | None) -> Curve:
        """Say which class a curve is of, and where its threshold lies."""
        of = self.positive if label is None else label
        others = [other for other in self.labels if other != of]
        threshold = self.threshold if of == self.positive else None
        return curve.about(of, others[0] if len(others) == 1 else None, threshold)

    def by_class(self, name: str, *, band: str | None = None, **options: Any) -> CurveSet:
        """Give a curve of each class against the rest, to be drawn together.

        Parameters
        ----------
        name
            Of the curve.
        band
            "pointwise" or "simultaneous".
        **options
            Options of the curve.

        Returns
        -------
        CurveSet
            A curve for each class, by its label.

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
        """Give every curve that applies, by name, with a ``band`` where it makes sense.

        Parameters
        ----------
        label
            The class, against the rest; default: the positive one.
        band
            "pointwise" or "simultaneous".

        Returns
        -------
        dict of Curve
            By the name of the curve.

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
        """Name the curves that these scores have."""
        table = self._score_table(label)
        return [name for name, declared in curve_registry.items() if declared.applies(table)]

    @shared_texts
    def by_threshold(self, measure: str, label: Label | None = None, **parameters: Any) -> Curve:
        """Give any label measure against the threshold; costs and prevalence are those of the assessment.

        Parameters
        ----------
        measure
            The name of a measure of labels.
        label
            The class, against the rest; default: the positive one.
        {measure_parameters}

        Returns
        -------
        Curve
            With the measure at every threshold.

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
        """Assess one class against all others, by its own score: from one half on, or above 0 where it is no share."""
        table, rest = self._score_table(label), f"not {label}"
        classes = Classes.of_labels((rest, str(label)), str(label))
        limit = 0.5 if table.is_probability else 0.0
        return Assessment(decisions(table, limit, classes), classes, self.n, None, table, limit, None, self._library)

    def explored(self, most: int = 1000) -> Explored | None:
        """Give what the threshold explorer of a page needs, with at most about ``most`` thresholds."""
        return explore(self, most)

    @cached_property
    def key_estimates(self) -> dict[str, Estimate]:
        """The few measures that classifiers are put side by side by."""
        return key_estimates(self)

    def brier_score(self) -> Estimate:
        """The mean squared error of the probabilities."""
        return self.estimate(brier.name)

    def brier_parts(self, label: Label | None = None, bins: int | None = 10) -> BrierParts:
        """Give the parts of the Brier score: reliability, resolution and uncertainty.

        Parameters
        ----------
        label
            The class, against the rest; default: the positive one.
        bins
            How many bins of scores; None for the distinct scores themselves.

        Returns
        -------
        BrierParts
            Reliability - resolution + uncertainty, and what is left inside bins: together the Brier score.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.8, 0.2, 0.8])
        >>> print(a.brier_parts(bins=None))
        Brier score 0.0400 = 0.0400 - 0.2500 + 0.2500 + 0.0000 within bins
        """
        return brier_parts(self._score_table(label), bins)

    def _score_table(self, label: Label | None = None) -> ScoreTable:
        """Give the score table of the positive class, or of ``label`` against the rest."""
        if self.scores is None:
            raise HowsureError("there are only labels here, and curves need scores; give `scores=...`.")
        if isinstance(self.scores, ClassScores):
            of = self.positive if label is None else label
            if of is None:
                raise HowsureError(
                    "with more than two classes a curve is of one of them; give `label=...`, or draw all by `by_class`."
                )
            return self.scores.table(of)
        if label is None or one_of("label", label, self.labels) == self.positive:
            return self.scores
        return self.scores.mirrored()

    def _two_class_table(self) -> ScoreTable:
        if isinstance(self.scores, ClassScores):
            raise HowsureError("a threshold decides between two classes, and there are more.")
        return self._score_table()

    def _curve_table(self, label: Label | None) -> ScoreTable:
        table = self._score_table(label)
        if not (table.n_positive and table.n_negative):
            raise HowsureError("all cases are of one class, so there is no curve to draw.")
        return table

    def _from_costs(self, options: dict[str, str], label: Label | None) -> dict[str, float]:
        """Give the options of a curve that follow from the costs of deciding on the positive class."""
        if self.costs is None or not options or label not in (None, self.positive):
            return {}
        facts: dict[str, float] = {}
        shares = self.costs.priors(self.labels, self.positive)
        if shares is not None and self.positive is not None:
            facts["prior"] = float(shares[self.labels.index(self.positive)])
        if len(self.labels) == 2:
            table = self._score_table()
            with suppress(HowsureError):  # costs under which one of the two decisions is always right trade nothing
                trade = self.costs.trade(self.labels, self.positive, table.n_positive / table.n)
                facts |= zip(("slope", "probability_cost", "threshold"), trade, strict=True)
        return {option: facts[fact] for option, fact in options.items() if fact in facts}

    def per_class(self, confidence: float = 0.95) -> PerClass:
        """Give precision, recall, F1 and specificity of each class, with intervals.

        Parameters
        ----------
        confidence
            Of the intervals.

        Returns
        -------
        PerClass
            A row for each class.

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
        """Give the table expected by chance: the same margins, prediction independent of truth.

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
        """Give coded advice on what to mind in these numbers."""
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
        """Say what was assessed: cases, classes, and the positive one."""
        k = len(self.labels)
        names = listing([str(label) for label in self.labels], 8)
        positive = ""
        if self.positive is not None:
            how = "" if self._classes.chosen else ", the second class by default"
            positive = f"; positive: {self.positive}{how}"
        weighted = f", effectively {self.confusion.effective_n:.1f}" if self._is_weighted else ""
        weighted += "" if self.annotations is None else f", {self.annotations.text()}"
        limit = "" if self.threshold is None else f" from a score of {self.threshold:g} on"
        return f"{self.n} cases{weighted}, {k} {'class' if k == 1 else 'classes'}: {names}{positive}{limit}"

    @property
    def _is_weighted(self) -> bool:
        """Cases count for more or less; what labels of one case have of it is no such weight."""
        table = self.confusion
        return table.squares is not None and (
            self.annotations is None or abs(table.effective_n - self.n) > 1e-6 * self.n
        )

    @property
    def headline(self) -> str:
        """The answer in a few sentences, one a line: how good is it, and how sure are we?"""
        return "\n".join(headline(self))

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to know about single values, the threshold of lowest cost, and the findings."""
        return self._notes(self.estimates(), 0.95)

    def _notes(self, estimates: list[Estimate], confidence: float) -> tuple[str, ...]:
        choice = [self.best_threshold(confidence=confidence).sentence()] if self._has_costs() else []
        return (*remarks(estimates), *choice, *map(str, self.findings))

    def all(self) -> AllMeasures:
        """Give every measure that applies, and the table expected by chance: also what follows from what is shown.

        Returns
        -------
        AllMeasures
            To be printed, or given as a frame.

        Examples
        --------
        >>> import howsure
        >>> howsure.assess([1, 1, 0, 0], [1, 0, 0, 0]).all()
        AllMeasures(26 measures of Assessment(n=4, k=2, accuracy=0.75))
        """
        return AllMeasures(self)

    def shown(self) -> list[str]:
        """Name the measures that are shown unless others are asked for: those that do not follow from others."""
        return [name for name in self.applicable() if not registry[name].follows_from]

    def records(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> list[Record]:
        """Give one record for each measure, with every digit."""
        return [record for estimate in self.estimates(measures) for record in estimate.records(confidence)]

    def sheet(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> Sheet:
        """Give the table that is shown: rounded, each interval in one cell, and in groups unless measures are named."""
        if measures is not None:
            return estimate_sheet(estimates := self.estimates(measures), confidence, self.title, remarks(estimates))
        notes = self._notes(self.estimates(self.shown()), confidence)
        return replace(self._grouped(self.shown(), confidence), notes=notes)

    def _grouped(self, measures: Sequence[str], confidence: float) -> Sheet:
        """Give the table of these measures in the groups to which they belong."""
        order = get_args(Group)
        estimates = sorted(self.estimates(measures), key=lambda one: order.index(registry[one.measure].group))
        groups = [(registry[one.measure].group, one.of) for one in estimates]
        starts = [index for index, group in enumerate(groups) if index == 0 or groups[index - 1] != group]
        headings = {index: self._heading(*groups[index]) for index in starts}
        return estimate_sheet(estimates, confidence, self.title, remarks(estimates), headings)

    def _heading(self, group: Group, of: str) -> str:
        """Name a group of measures: what they are of, and from which score on a case counts as positive."""
        if group in ("ranking", "probabilities") and len(self.labels) > 2:
            return f"{group}, {of or 'all classes together'}"
        if group != "class":
            return f"{group}, {self._in_bins()}" if group == "ranking" and self._in_bins() else group
        if self.positive is None:
            return of
        default = "" if self._classes.chosen else " (the second class by default)"
        limit = "" if self.threshold is None else f", from a score of {self.threshold:g} on"
        return f"{of}{default}{limit}"

    def _in_bins(self) -> str:
        """Say that scores were counted in bins, and what that costs; nothing where every score was kept."""
        if not isinstance(self.scores, ScoreTable) or self.scores.tops is None:
            return ""
        return f"of scores in {len(self.scores):,} bins: AUC exact to {self['auc'].bound:.0e}"

    def frame(self, like: str | None = None, confidence: float = 0.95, measures: Sequence[str] | None = None) -> Any:
        """Give every measure with its interval as a data frame: of the library ``like``, else the one of the data."""
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
        """Give the text line by line; ``hints`` say how to ask for more, in Python or at the terminal.

        ``wording`` says the findings, which name arguments, in the words of a command line.
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
        """Say what more there is, and how to ask for it."""
        more, k = len(self.applicable()) - len(self.shown()), len(self.labels)
        return [
            *([f"{more} more: {hints['all']}"] if more else []),
            *([f"each class: {hints['per_class']}"] if k > 2 else []),
            *([f"the table of {k} classes: {hints['confusion']}"] if k > MOST_CLASSES else []),
            *([f"curves: {hints['curves']}"] if self.scores is not None else []),
            f"page: {hints['page']}",
        ]

    def text(self, confidence: float = 0.95, measures: Sequence[str] | None = None, width: int | None = None) -> str:
        """Give what ``print`` shows: the headline, findings, the confusion table, and the measures in groups."""
        return joined(self.text_lines(width, confidence, measures))

    def to_html(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> str:
        if measures is not None:
            return self.sheet(confidence, measures).to_html()
        table = self._grouped(self.shown(), confidence)
        counts = "".join(sheet.to_html() for sheet in count_sheets(self.confusion))
        return opening_html(headline(self, confidence), self.findings) + counts + replace(table, title="").to_html()

    def to_dict(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> dict[str, Any]:
        """Give everything as plain values, ready for JSON."""
        values: dict[str, Any] = {
            "n": self.n,
            "rows": self.n,  # the name it had first
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
        """Costs and scores: there is a threshold of lowest cost."""
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
        """Give what a reader must know to get the same numbers: settings by name."""
        settings: dict[str, Any] = {
            "cases": self.n,
            "truth": None if self.annotations is None else self.annotations.text(),
            "classes": listing([str(label) for label in self.labels], 20),
            "positive class": self.positive,
            "decided from a score of": self.threshold,
            "share of positives in use": self.prevalence,
            "costs": self.costs,
            "measures of ranking": self._in_bins() or None,
        }
        return {name: value for name, value in settings.items() if value is not None}

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Name what can be drawn, what says most first: the ROC curve of two classes, otherwise the confusion table."""
        return drawings(self)

    def __repr__(self) -> str:
        return f"Assessment(n={self.n}, k={len(self.labels)}, accuracy={self['accuracy'].value:.4g})"


def decisions(scores: ScoreTable, threshold: float, classes: Classes) -> Confusion:
    """Count the decisions of calling scores at or above a threshold positive."""
    counts, squares = scores.at(threshold)
    # The positive class is the second, as the table has it.
    ordered = sorted(classes.labels, key=lambda label: label == classes.positive)
    return Confusion(counts, ordered, squares, clusters=scores.clusters_at(threshold)).reindex(classes.labels)


@dataclass(frozen=True, repr=False, eq=False)
class AllMeasures(Result):
    """Every measure of an assessment, also those that follow from others, and the table expected by chance.

    Attributes
    ----------
    assessment
        What they are of.

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
