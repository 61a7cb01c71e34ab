"""OutcomeAssessment: answers that are right or wrong, or scored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.advice import Evidence, Finding, findings
from howsure.arrays import Array
from howsure.assessment.headline import cluster_information, percent, percent_interval
from howsure.assessment.headlined_result import Headlined
from howsure.checks import names_of
from howsure.data.predictions import Key
from howsure.data.read.outcomes import check_nested, gather_outcomes
from howsure.errors import HowsureError, counted
from howsure.measures.estimate.outcomes import estimate_outcomes
from howsure.measures.outcomes import accuracy, mean_score, registry
from howsure.measures.spec import read_spec
from howsure.present.result import Result
from howsure.present.value_text import jsonable, number, with_interval
from howsure.results import Estimate
from howsure.tables.outcomes import Outcomes

if TYPE_CHECKING:
    from howsure.present.sheet import Record

DEFAULT_K = 5  # default number of answers per case that measures consider, if there are enough


@dataclass(frozen=True, repr=False)
class RepeatNoise(Result):
    """Variance between cases, and between answers to the same case.

    `howsure.plan.repeats` takes both variances.

    Attributes
    ----------
    case_variance
        Variance between cases.
    repeat_variance
        Variance between answers to the same case.
    answers
        Mean number of answers per case.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(correct=[1, 1, 1, 0, 0, 0, 1, 0], case=["a", "a", "b", "b", "c", "c", "d", "d"])
    >>> noise = a.noise
    >>> noise.repeat_variance, noise.answers
    (0.25, 2.0)
    >>> round(noise.repeat_share, 3)
    0.75
    """

    case_variance: float
    repeat_variance: float
    answers: float

    @property
    def repeat_share(self) -> float:
        """The proportion of the variance of the mean due to repeats."""
        repeats = self.repeat_variance / self.answers
        total = self.case_variance + repeats
        return repeats / total if total > 0 else math.nan

    def records(self) -> list[Record]:
        names = ("case_variance", "repeat_variance", "answers", "repeat_share")
        return [{name: getattr(self, name) for name in names}]

    def __repr__(self) -> str:
        return f"RepeatNoise(case {number(self.case_variance)}, repeat {number(self.repeat_variance)})"


@dataclass(frozen=True, repr=False, eq=False)
class OutcomeAssessment(Headlined):
    """Assessment of answers that are right or wrong, or scored from 0 to 1.

    `howsure.assess` returns it if ``correct`` is given. ``a["accuracy"]`` is the proportion of right answers and
    ``a["mean_score"]`` the mean of scores. If cases were answered several times, there are also
    ``a["pass_at(k=5)"]``, ``a["pass_all(k=5)"]`` and ``a["majority(k=5)"]``.

    Attributes
    ----------
    outcomes
        The table of outcomes by case.
    name
        A name, such as that of a model and a task.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(correct=[1, 1, 1, 0, 0, 0, 1, 0], case=["a", "a", "b", "b", "c", "c", "d", "d"])
    >>> a.applicable()
    ['accuracy', 'pass_at(k=2)', 'pass_all(k=2)', 'majority(k=2)']
    >>> print(a["pass_at(k=2)"])
    pass_at(k=2): 0.750, 95 % interval [0.155, 0.994] (modified-wilson), n = 4
    >>> a.estimate("pass_all", k=2).value
    0.25
    """

    outcomes: Outcomes
    name: str = ""
    _library: str | None = None
    _repeated: tuple[str, ...] = ()  # unused columns that look like identifiers and have repeated values

    @property
    def n(self) -> int:
        """The number of cases."""
        return len(self.outcomes)

    def __getitem__(self, measure: str) -> Estimate:
        name, parameters = read_spec(measure, registry)
        return self.estimate(name, **parameters)

    def __contains__(self, measure: object) -> bool:
        return (
            isinstance(measure, str) and measure in registry and not (registry[measure].binary and self.outcomes.graded)
        )

    def estimate(self, measure: str, **parameters: Any) -> Estimate:
        """Estimate a measure of outcomes.

        Parameters
        ----------
        measure
            The name of a measure, such as "pass_at".
        **parameters
            Parameters of the measure, such as ``k``.

        Returns
        -------
        Estimate
            The value with its uncertainty.
        """
        return estimate_outcomes(self.outcomes, registry[measure], **parameters)

    def applicable(self) -> list[str]:
        """Return the names of the measures that apply."""
        mean = mean_score if self.outcomes.graded else accuracy
        k = min(DEFAULT_K, int(self.outcomes.answers.min()))
        repeated = [name for name, measure in registry.items() if measure.takes_k and k > 1 and name in self]
        return [mean.__name__, *(f"{name}(k={k})" for name in repeated)]

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Estimate the named measures, or all that apply.

        Parameters
        ----------
        measures
            Names of measures, such as "pass_at(k=2)"; default: all that apply.

        Returns
        -------
        list of Estimate
            One estimate per name, in the same order.

        Examples
        --------
        >>> import howsure
        >>> howsure.assess(correct=[1, 1, 0, 1]).estimates()
        [Estimate(accuracy=0.750 [0.155, 0.994], n=4)]
        """
        return [self[name] for name in (self.applicable() if measures is None else names_of("measures", measures))]

    @cached_property
    def mean(self) -> Estimate:
        """The accuracy, or the mean score."""
        return self.estimate(mean_score.__name__ if self.outcomes.graded else accuracy.__name__)

    @cached_property
    def noise(self) -> RepeatNoise | None:
        """The variance components; None if there are no repeats."""
        outcomes = self.outcomes
        if not outcomes.repeated:
            return None
        # One-way random-effects analysis of variance: E[var(means)] = case variance + repeat variance * mean(1 / k).
        within = float((outcomes.squares - outcomes.total**2 / outcomes.answers).sum())
        freedom = float((outcomes.answers - 1).sum())
        repeat = max(within / freedom, 0.0)
        variance_of_means = float(outcomes.means.var(ddof=1)) if len(outcomes) > 1 else math.nan
        case = variance_of_means - repeat * float((1 / outcomes.answers).mean())
        return RepeatNoise(max(case, 0.0), repeat, float(outcomes.answers.mean()))

    @property
    def title(self) -> str:
        clusters = self.mean.clusters
        in_clusters = "" if clusters is None else f" in {counted(clusters, 'cluster')}"
        answers = int(self.outcomes.answers.sum())
        repeats = f", {counted(answers, 'answer')}" if self.outcomes.repeated else ""
        name = f"{self.name}: " if self.name else ""
        return f"{name}{counted(self.n, 'case')}{in_clusters}{repeats}"

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
        >>> howsure.assess(correct=[1, 1, 0, 1]).sentences()
        ['Accuracy 75.0 % [15.5, 99.4] on 4 cases.']
        """
        mean, outcomes = self.mean, self.outcomes
        interval = mean.interval(confidence)
        in_clusters = "" if mean.clusters is None else f" in {counted(mean.clusters, 'cluster', comma=True)}"
        cases = f"{counted(self.n, 'case', comma=True)}{in_clusters}"
        if outcomes.graded:
            value, ends = with_interval(mean.value, *interval)
            result = f"Mean score {value.text} {ends}".rstrip()
        else:
            result = f"Accuracy {percent(mean.value)}{percent_interval(interval)}"
        return [f"{result} on {cases}.", *cluster_information(mean), *self._repeats(confidence), *outcomes.notes]

    def _repeats(self, confidence: float) -> list[str]:
        """State how answers to the same case vary."""
        noise, answers = self.noise, self.outcomes.answers
        if noise is None:
            return []
        times = f"{answers.min()}" if answers.min() == answers.max() else f"{answers.min()} to {answers.max()}"
        sentence = f"Each case was answered {times} times"
        if not math.isnan(noise.repeat_share):
            share = f"{100 * noise.repeat_share:.0f} % of the variance of the mean"
            sentence += f"; variation between answers to the same case causes {share}"
        sentences = [f"{sentence}."]
        k = min(DEFAULT_K, int(answers.min()))
        if k > 1 and not self.outcomes.graded:
            estimates = (self.estimate(name, k=k) for name in ("pass_at", "pass_all"))
            at_least_one, every = (f"{percent(e.value)}{percent_interval(e.interval(confidence))}" for e in estimates)
            sentences.append(
                f"At least one of {k} answers is correct for {at_least_one} of the cases, all of them for {every}."
            )
        return sentences

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings on these data, such as few clusters."""
        return findings(Evidence(clusters=self.outcomes.clusters, repeated=self._repeated))

    def to_dict(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> dict[str, Any]:
        values: dict[str, Any] = {
            "n": self.n,
            "answers": int(self.outcomes.answers.sum()),
            "headline": self.sentences(confidence),
            "measures": [estimate.to_dict(confidence) for estimate in self.estimates(measures)],
            "noise": None if self.noise is None else self.noise.records()[0],
            "findings": [finding.to_dict() for finding in self.findings],
        }
        return dict(jsonable(values))

    @property
    def report_title(self) -> str:
        return f"{self.name}: how good are the answers?" if self.name else "How good are the answers?"

    def views(self) -> dict[str, Any]:
        return {"Headline": self, "Outcomes": self, "Settings": self.report_settings()}

    def report_settings(self) -> dict[str, Any]:
        """Return the settings needed to reproduce the numbers, by name."""
        answers = int(self.outcomes.answers.sum())
        return {"cases": self.n, "answers": answers, "clusters": self.mean.clusters or "none"}

    def __repr__(self) -> str:
        return f"OutcomeAssessment(n={self.n}, {self.mean.measure}={self.mean.value:.4g})"


def outcomes_of(scores: Array, keys: Mapping[str, Key], notes: tuple[str, ...] = ()) -> Outcomes:
    """Tabulate the validated outcomes by case."""
    check_nested(keys.get("case"), keys.get("cluster"))
    return Outcomes.of_rows(scores, keys.get("case"), keys.get("cluster"), notes)


def assess_outcomes(
    correct: Any, case: Any = None, cluster: Any = None, data: Any = None, file_format: str | None = None
) -> OutcomeAssessment:
    """Assess answers that are right or wrong, or scored from 0 to 1."""
    from howsure.data.read.frames import library_of

    if case is None and not isinstance(correct, str) and np.ndim(correct) == 0:
        raise HowsureError("`correct` must be a column of 1 (right) and 0 (wrong) or of scores, or its name in `data`.")
    read = gather_outcomes({"correct": correct}, {"case": case, "cluster": cluster}, data, file_format)
    outcomes = outcomes_of(read.scores["correct"], read.keys)
    return OutcomeAssessment(outcomes, _library=library_of(correct), _repeated=read.repeated)
