"""A gate for pipelines: may the candidate replace the baseline?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from howsure.assessment.estimate_table import opening_html
from howsure.checks import check_number, known_arguments, one_of
from howsure.comparison.cases import compare, compare_predictions, default_measure
from howsure.comparison.options import check_difference
from howsure.comparison.outlook import POWER, assumed_gain, needed_cases
from howsure.comparison.pair import NO_TEST
from howsure.comparison.result import Comparison
from howsure.comparison.words import Unit
from howsure.data import Predictions
from howsure.data.read.gather import gather_each
from howsure.errors import HowsureError, must, one_line
from howsure.present import Record, Result, Sheet
from howsure.present.result import check_width
from howsure.present.value_text import jsonable, spoken
from howsure.present.words import Line, wrap

INDENT = len("PASS  ")
HOPELESS = 10  # a gate that needs more than this many times the cases at hand is hardly worth pursuing
READING = ("data", "labels", "positive", "threshold")  # options that concern the columns rather than the comparison


@dataclass(frozen=True)
class Requirement:
    """Requirement of a gate: no loss beyond ``margin``, or a gain."""

    candidate: str
    baseline: str
    margin: float = 0.0
    superior: bool = False

    def __post_init__(self) -> None:
        if not 0 <= check_number(self.margin, "margin") < np.inf:
            must("margin", "a number, 0 or above", given=self.margin)
        if one_of("superior", self.superior, (True, False)) and self.margin:
            raise HowsureError("`margin` and `superior` exclude each other: superiority is a gain above 0.")

    def conclusion(self, passed: bool, unit: Unit | None = None) -> str:
        """Return the conclusion of a gate in words."""
        if self.superior:
            candidate = f"{self.candidate} is" if passed else f"Not shown: {self.candidate} may be no"
            return f"{candidate} better than {self.baseline}"
        candidate = f"{self.candidate} is no" if passed else f"Not shown: {self.candidate} may be"
        margin = f"{self.margin:g}" if unit is None else unit.region(self.margin)
        return f"{candidate} worse than {self.baseline}" + (f" by more than {margin}" if self.margin else "")

    def check(self, comparison: Comparison, group: str = "") -> Check:
        """Decide by the one-sided bound of the gain; fail if there is none."""
        check_difference("margin", self.margin, comparison.measure)
        pair = comparison.pair(self.candidate, self.baseline)
        sign = (1 if pair.a == self.candidate else -1) * (1 if comparison.better == "higher" else -1)
        interval = pair.difference.interval(1 - comparison.alpha, side="lower" if sign > 0 else "upper")
        bound, reason = interval.low if sign > 0 else -interval.high, ""
        values = {name: comparison.values[name] for name in (self.candidate, self.baseline)}
        if math.isnan(bound) or math.isnan(pair.test.pvalue):
            undefined = (f"{name}: {value.undefined}" for name, value in values.items() if value.undefined)
            notes = (*undefined, pair.difference.undefined, *interval.notes, *pair.test.notes, NO_TEST)
            bound, reason = math.nan, next(note for note in notes if note)
        gain, clusters = sign * pair.difference.value + 0.0, pair.difference.clusters  # adding 0.0 turns -0.0 into 0.0
        needed = needed_cases(pair.difference.basis, (gain, bound), self.margin, comparison.alpha)
        return Check(
            comparison.measure,
            group,
            bool(np.isfinite(bound) and bound > (0 if self.superior else -self.margin)),
            {name: estimate.value for name, estimate in values.items()},
            gain,
            float(bound) + 0.0,
            interval.method,
            pair.difference.n,
            comparison.alpha,
            reason,
            needed,
            math.ceil(clusters * needed / pair.difference.n) if needed and clusters else None,
        )


@dataclass(frozen=True)
class Check:
    """Result of a gate for one measure, on all cases or on one group.

    ``bound`` is the lower confidence bound, at the level ``1 - alpha``, of the gain of the candidate over the
    baseline; if it is NaN, ``reason`` says why. If more cases could make the check pass, ``needed`` is their
    approximate number, and ``needed_clusters`` the approximate number of clusters.
    """

    measure: str
    group: str
    passed: bool
    values: dict[str, float]
    gain: float
    bound: float
    method: str
    n: float
    alpha: float
    reason: str = ""
    needed: int | None = None
    needed_clusters: int | None = None

    def evidence(self) -> str:
        """Return the two values, the gain and its bound in words."""
        unit = Unit.of(self.measure)
        new, old = map(unit.value, self.values.values())
        values = f"{spoken(self.measure)} {new} against {old}"
        if self.reason:
            return f"{values}; no interval: {self.reason}"
        bound = f"at least {unit.number(self.bound)} with {100 * (1 - self.alpha):g} % confidence"
        return f"{values}; gain {unit.size(self.gain)}, {bound} ({self.method}, n = {self.n:g})"

    def outlook(self, margin: float) -> str:
        """Return a clause on the number of cases needed to pass, or ""."""
        if self.needed is None:
            return ""
        gain = assumed_gain(self.gain, self.bound, margin)
        size = f"{Unit.of(self.measure).size(gain)}, as observed" if gain == self.gain else "0"
        clusters = f" in {self.needed_clusters:,} clusters" if self.needed_clusters else ""
        purpose = f"to pass with probability {POWER:g} if the true gain is {size}"
        return f"about {self.needed:,} cases{clusters} would be needed {purpose}"


@dataclass(frozen=True)
class Gate(Result):
    """Test of whether a candidate may replace the baseline.

    The gate passes only if all of its checks pass. Since each is tested at the level ``alpha``, a worse candidate
    passes with probability at most ``alpha``, however many checks there are (intersection-union test).

    Attributes
    ----------
    wanted
        The requirement.
    parts
        One check for each measure and group.
    by
        The name of the column of groups.
    passed
        Whether all checks pass.
    candidate, baseline, margin, superior
        The parts of the requirement.
    measure, values, gain, bound
        For the worst check: the measure, the two values, the gain of the candidate and its lower bound.
    answer
        "PASS" or "FAIL".

    Examples
    --------
    >>> import howsure
    >>> truth, old, new = [0, 1] * 200, [0, 1, 1, 1] * 100, [0, 1, 0, 1, 1, 1, 0, 1] * 50
    >>> gate = howsure.gate(truth, baseline=old, candidate=new, margin=0.01)
    >>> gate.answer, round(gate.gain, 3), round(gate.bound, 3)
    ('PASS', 0.125, 0.075)
    >>> print(gate)
    PASS  candidate is no worse than baseline by more than 1 point: accuracy 87.5 %
          against 75.0 %; gain 12.5 points, at least 7.5 with 95 % confidence
          (tango, n = 400).
    """

    wanted: Requirement
    parts: tuple[Check, ...] = field(repr=False)
    by: str = ""

    @property
    def passed(self) -> bool:
        return all(part.passed for part in self.parts)

    @property
    def worst(self) -> Check:
        """The check without a bound, or with the lowest bound."""
        return min(self.parts, key=lambda part: (part.passed, not math.isnan(part.bound), part.bound))

    @property
    def candidate(self) -> str:
        return self.wanted.candidate

    @property
    def baseline(self) -> str:
        return self.wanted.baseline

    @property
    def margin(self) -> float:
        return self.wanted.margin

    @property
    def superior(self) -> bool:
        return self.wanted.superior

    @property
    def measure(self) -> str:
        return self.worst.measure

    @property
    def bound(self) -> float:
        return self.worst.bound

    @property
    def gain(self) -> float:
        return self.worst.gain

    @property
    def values(self) -> dict[str, float]:
        return self.worst.values

    @property
    def verdict(self) -> str:
        """The conclusion, with the evidence of the worst check."""
        worst, several = self.worst, len(self.parts) > 1
        conclusion = self.wanted.conclusion(self.passed, None if several else Unit.of(worst.measure))
        group = f"{self.by} {worst.group}, " if worst.group else ""
        if not several:
            return f"{conclusion}: {group}{worst.evidence()}"
        failed = sum(not part.passed for part in self.parts)
        count = f"in {failed} of {len(self.parts)} checks" if failed else f"in all {len(self.parts)} checks"
        return f"{conclusion} {count}; the worst: {group}{worst.evidence()}"

    @property
    def outlook(self) -> str:
        """A sentence on the number of cases needed to pass, or ""."""
        failed = [part for part in self.parts if not part.passed]
        if not failed or any(part.needed is None for part in failed):
            return ""
        farthest = max(failed, key=lambda part: (part.needed or 0) / part.n)
        outlook = farthest.outlook(self.margin)
        hopeless = "More cases will hardly help: " if (farthest.needed or 0) > HOPELESS * farthest.n else ""
        if len(self.parts) > 1:
            outlook = f"for {self._name(farthest)}, {outlook}"
        sentence = f"{hopeless}{outlook}."
        return sentence[:1].upper() + sentence[1:]

    @property
    def answer(self) -> str:
        return "PASS" if self.passed else "FAIL"

    @property
    def title(self) -> str:
        return f"{self.answer}: {self.verdict}"

    @property
    def notes(self) -> tuple[str, ...]:
        """The reasons why checks have no bound."""
        return tuple(f"{self._name(part)}: {part.reason}" for part in self.parts if part.reason)

    def _name(self, part: Check) -> str:
        return f"{part.measure}, {self.by} {part.group}" if part.group else part.measure

    def records(self) -> list[Record]:
        """Return one record for each check, unrounded."""
        return [
            {
                "passed": part.passed,
                "candidate": self.candidate,
                "baseline": self.baseline,
                "measure": part.measure,
                **({"group": part.group} if self.by else {}),
                "value_candidate": part.values[self.candidate],
                "value_baseline": part.values[self.baseline],
                "gain": part.gain,
                "bound": part.bound,
                "margin": self.margin,
                "confidence": 1 - part.alpha,
                "method": part.method,
                "n": part.n,
                "needed": part.needed,
                "note": part.reason,
            }
            for part in self.parts
        ]

    def sheet(self) -> Sheet:
        """Return the table that is shown."""
        rows = [
            {
                "": "PASS" if part.passed else "FAIL",
                "measure": part.measure,
                **({self.by: part.group} if self.by else {}),
                "candidate": part.values[self.candidate],
                "baseline": part.values[self.baseline],
                "gain": part.gain,
                "at least": part.bound,
                "n": f"{part.n:g}",
            }
            for part in self.parts
        ]
        return Sheet.of(rows, self.title, (*filter(None, [self.outlook]), *self.notes))

    def text_lines(self, width: int | None = None) -> list[Line]:
        """Return the lines of the text."""
        columns = check_width(width)
        sentences = one_line(f"{self.verdict}. {self.outlook}").strip()
        lines = [line.strip() for line in wrap(sentences, columns - INDENT)]
        starts = [self.answer, *[""] * (len(lines) - 1)]
        role = "passed" if self.passed else "failed"
        opening = [Line(f"{start:{INDENT}}{line}", role) for start, line in zip(starts, lines, strict=True)]
        if len(self.parts) == 1:
            return opening
        table = Sheet.of(self.sheet().records(), notes=self.notes)
        return [*opening, Line(""), *table.text_lines(columns)]

    def text(self, width: int | None = None) -> str:
        return "\n".join(line.text for line in self.text_lines(width))

    def to_html(self) -> str:
        return opening_html([one_line(f"{self.answer}: {self.verdict}.")]) + replace(self.sheet(), title="").to_html()

    def to_dict(self) -> dict[str, Any]:
        facts = {
            "passed": self.passed,
            "verdict": self.verdict,
            "outlook": self.outlook,
            **asdict(self.wanted),
            "by": self.by,
        }
        worst = {name: value for name, value in asdict(self.worst).items() if name != "passed"}
        return dict(jsonable({**facts, **worst, "parts": [asdict(part) for part in self.parts]}))


@known_arguments(compare)
def gate(
    truth: Any,
    candidate: Any = None,
    baseline: Any = None,
    *,
    margin: float = 0.0,
    superior: bool = False,
    scores: bool = False,
    measure: str | Sequence[str] | None = None,
    by: Any = None,
    **options: Any,
) -> Gate:
    """Test whether a candidate may replace the baseline.

    The candidate passes if the one-sided confidence bound of its gain is above ``-margin``, which is a test of
    non-inferiority.

    Parameters
    ----------
    truth
        The true labels, or a `Comparison`.
    candidate, baseline
        The predicted labels of the two classifiers, or with ``scores=True`` their scores; with a comparison, their
        names.
    margin
        The largest acceptable loss.
    superior
        Whether to require a gain.
    scores
        Whether ``candidate`` and ``baseline`` are scores.
    measure
        One or several measures; the gate passes only if all of them pass.
    by
        A column of groups; each group must pass.
    **options
        Options of `compare`, such as ``alpha``, ``positive`` and ``data``.

    Returns
    -------
    Gate
        The answer, with the bound on which it is based.

    Examples
    --------
    >>> import howsure
    >>> truth, old, new = [0, 1] * 200, [0, 1, 1, 1] * 100, [0, 1, 0, 1, 1, 1, 0, 1] * 50
    >>> howsure.gate(truth, baseline=old, candidate=new, margin=0.01).passed
    True
    >>> howsure.gate(howsure.compare(truth, {"old": old, "new": new}), "new", "old", margin=0.01).passed
    True
    >>> howsure.gate(truth, baseline=old, candidate=new, margin=0.01, measure=["accuracy", "recall"]).passed
    True
    """
    if isinstance(truth, Comparison):
        excluded = {**options, **({"scores": True} if scores else {}), "measure": measure, "by": by}
        if extra := [name for name, value in excluded.items() if value is not None]:
            raise HowsureError(f"a comparison has its own options; leave out `{extra[0]}`.")
        if candidate is None or baseline is None:
            raise HowsureError("`candidate` and `baseline` must name two classifiers of the comparison.")
        requirement = Requirement(candidate, baseline, margin, superior)
        return Gate(requirement, (requirement.check(truth),))
    named = isinstance(candidate, str) and isinstance(baseline, str) and candidate != baseline  # columns of `data`
    new, old = (candidate, baseline) if named else ("candidate", "baseline")
    requirement, columns = Requirement(new, old, margin, superior), {new: candidate, old: baseline}
    reading: dict[str, Any] = {name: options.pop(name) for name in READING if name in options}
    keys = {"group": by, "cluster": options.pop("cluster", None)}
    reading |= {"file_format": options.pop("format", None), "keys": keys}
    predictions = gather_each(truth, "scores" if scores else "predicted", columns, **reading)
    return gate_predictions(predictions, requirement, measure, by if isinstance(by, str) else "group", **options)


def gate_predictions(
    predictions: Mapping[str, Predictions],
    requirement: Requirement,
    measure: str | Sequence[str] | None = None,
    by: str = "group",
    **options: Any,
) -> Gate:
    """Check each measure of validated predictions, in each group."""
    candidate = predictions[requirement.candidate]
    if measure is None:
        measure = default_measure(candidate)
    measures = list(dict.fromkeys([measure] if isinstance(measure, str) else measure))
    if not measures or not all(isinstance(name, str) for name in measures):
        must("measure", "a name or several names of measures", given=measure)
    groups: dict[str, Mapping[str, Predictions]] = {"": predictions}
    if candidate.group is not None:
        groups = {
            str(value): {name: column.take(rows) for name, column in predictions.items()}
            for value, rows in zip(candidate.group.values, candidate.group.rows(), strict=True)
        }
    parts = tuple(
        requirement.check(compare_predictions(members, name, **options), group)
        for name in measures
        for group, members in groups.items()
    )
    return Gate(requirement, parts, by if candidate.group is not None else "")
