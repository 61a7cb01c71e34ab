"""OutcomeAssessment: how good answers are, where only this is known: whether they were right, or how good."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.advice import Evidence, Finding, findings
from howsure.arrays import Array
from howsure.assessment.headline import percent, percent_interval, worth_in_words
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

USUAL = 5  # answers to ask about, where there are as many


@dataclass(frozen=True, repr=False)
class RepeatNoise(Result):
    """How much of the variance is between cases, and how much between answers to the same case.

    `howsure.plan.repeats` takes both variances.

    Attributes
    ----------
    case_variance
        Between the cases.
    repeat_variance
        Between answers to the same case.
    answers
        How many a case has on average.

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
        """The share of the variance of the mean that more answers to each case would take away."""
        of_repeats = self.repeat_variance / self.answers
        total = self.case_variance + of_repeats
        return of_repeats / total if total > 0 else math.nan

    def records(self) -> list[Record]:
        names = ("case_variance", "repeat_variance", "answers", "repeat_share")
        return [{name: getattr(self, name) for name in names}]

    def __repr__(self) -> str:
        return f"RepeatNoise(case {number(self.case_variance)}, repeat {number(self.repeat_variance)})"


@dataclass(frozen=True, repr=False, eq=False)
class OutcomeAssessment(Headlined):
    """How good answers are, each number with its interval, where there is no column of the truth.

    `howsure.assess` gives it with ``correct``. ``a["accuracy"]`` is the share of right answers, ``a["mean_score"]`` the
    mean of graded ones, and of cases that were answered several times ``a["pass_at(k=5)"]``, ``a["pass_all(k=5)"]`` and
    ``a["majority(k=5)"]``.

    Attributes
    ----------
    outcomes
        The table of right answers by case.
    name
        Of what was assessed, such as a model and a task.

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
    name: str = ""  # of what was assessed, such as a model and a task
    _library: str | None = None
    _repeated: tuple[str, ...] = ()  # columns of the data that look like identifiers, with values that repeat

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
            A name, such as "pass_at".
        **parameters
            Parameters of the measure, such as ``k``.

        Returns
        -------
        Estimate
            The value, and how sure it is.
        """
        return estimate_outcomes(self.outcomes, registry[measure], **parameters)

    def applicable(self) -> list[str]:
        """Name the measures that apply, as they can be asked for."""
        mean = mean_score if self.outcomes.graded else accuracy
        k = min(USUAL, int(self.outcomes.answers.min()))
        of_several = [name for name, one in registry.items() if one.takes_k and k > 1 and name in self]
        return [mean.__name__, *(f"{name}(k={k})" for name in of_several)]

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Give the measures asked for, or all that apply.

        Parameters
        ----------
        measures
            Names of measures, such as "pass_at(k=2)"; default: all that apply.

        Returns
        -------
        list of Estimate
            In the order asked for.

        Examples
        --------
        >>> import howsure
        >>> howsure.assess(correct=[1, 1, 0, 1]).estimates()
        [Estimate(accuracy=0.750 [0.155, 0.994], n=4)]
        """
        return [self[name] for name in (self.applicable() if measures is None else names_of("measures", measures))]

    @cached_property
    def mean(self) -> Estimate:
        """The accuracy, or the mean of graded scores."""
        return self.estimate(mean_score.__name__ if self.outcomes.graded else accuracy.__name__)

    @cached_property
    def noise(self) -> RepeatNoise | None:
        """Tell the variance between cases from that between answers to the same case; None without repeats."""
        outcomes = self.outcomes
        if not outcomes.repeated:
            return None
        within = float((outcomes.squares - outcomes.total**2 / outcomes.answers).sum())
        spare = float((outcomes.answers - 1).sum())
        repeat = max(within / spare, 0.0)
        of_means = float(outcomes.means.var(ddof=1)) if len(outcomes) > 1 else math.nan
        case = of_means - repeat * float((1 / outcomes.answers).mean())
        return RepeatNoise(max(case, 0.0), repeat, float(outcomes.answers.mean()))

    @property
    def title(self) -> str:
        clusters = self.mean.clusters
        within = "" if clusters is None else f" in {counted(clusters, 'cluster')}"
        answers = int(self.outcomes.answers.sum())
        repeats = f", {counted(answers, 'answer')}" if self.outcomes.repeated else ""
        name = f"{self.name}: " if self.name else ""
        return f"{name}{counted(self.n, 'case')}{within}{repeats}"

    def sentences(self, confidence: float = 0.95) -> list[str]:
        """Answer the question in a few sentences.

        Parameters
        ----------
        confidence
            Of the intervals.

        Returns
        -------
        list of str
            The sentences, the answer first.

        Examples
        --------
        >>> import howsure
        >>> howsure.assess(correct=[1, 1, 0, 1]).sentences()
        ['75.0 % of 4 cases are right [15.5, 99.4].']
        """
        mean, outcomes = self.mean, self.outcomes
        interval = mean.interval(confidence)
        within = "" if mean.clusters is None else f" in {counted(mean.clusters, 'cluster', comma=True)}"
        cases = f"{counted(self.n, 'case', comma=True)}{within}"
        answers = f"the answers to {cases}" if outcomes.repeated else cases
        if outcomes.graded:
            value, ends = with_interval(mean.value, *interval)
            first = f"The mean score of {answers} is {value.text} {ends}".rstrip()
        else:
            verb = "is" if self.n == 1 and not outcomes.repeated else "are"
            first = f"{percent(mean.value)} of {answers} {verb} right{percent_interval(interval)}"
        return [f"{first}.", *worth_in_words(mean), *self._repeats(confidence), *outcomes.notes]

    def _repeats(self, confidence: float) -> list[str]:
        """Say how answers to the same case vary, and what the best and the worst of a few would be."""
        noise, answers = self.noise, self.outcomes.answers
        if noise is None:
            return []
        many = f"{answers.min()}" if answers.min() == answers.max() else f"{answers.min()} to {answers.max()}"
        said = [f"Each case was answered {many} times"]
        if not math.isnan(noise.repeat_share):
            said.append(f"answers to the same case make {100 * noise.repeat_share:.0f} % of the mean's variance")
        sentences = [f"{'; '.join(said)}."]
        k = min(USUAL, int(answers.min()))
        if k > 1 and not self.outcomes.graded:
            any_of, all_of = (self.estimate(name, k=k) for name in ("pass_at", "pass_all"))
            shares = [f"{percent(one.value)}{percent_interval(one.interval(confidence))}" for one in (any_of, all_of)]
            sentences.append(f"Of {k} answers to a case one or more are right in {shares[0]}, and all in {shares[1]}.")
        return sentences

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Give coded advice on what to mind in these numbers."""
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
        """Give what a reader must know to get the same numbers: settings by name."""
        answers = int(self.outcomes.answers.sum())
        return {"cases": self.n, "answers": answers, "clusters": self.mean.clusters or "none"}

    def __repr__(self) -> str:
        return f"OutcomeAssessment(n={self.n}, {self.mean.measure}={self.mean.value:.4g})"


def outcomes_of(scores: Array, keys: Mapping[str, Key], notes: tuple[str, ...] = ()) -> Outcomes:
    """Count checked rows by case."""
    check_nested(keys.get("case"), keys.get("cluster"))
    return Outcomes.of_rows(scores, keys.get("case"), keys.get("cluster"), notes)


def assess_outcomes(
    correct: Any, case: Any = None, cluster: Any = None, data: Any = None, file_format: str | None = None
) -> OutcomeAssessment:
    """Assess answers that are right or wrong, or graded from 0 to 1, each row one answer."""
    from howsure.data.read.frames import library_of

    if case is None and not isinstance(correct, str) and np.ndim(correct) == 0:
        raise HowsureError("`correct` must be a column of what was right, or its name in `data`.")
    read = gather_outcomes({"correct": correct}, {"case": case, "cluster": cluster}, data, file_format)
    outcomes = outcomes_of(read.scores["correct"], read.keys)
    return OutcomeAssessment(outcomes, _library=library_of(correct), _repeated=read.repeated)
