"""Number of human labels to add to a judge's labels, and their allocation.

With n human labels among M judged cases, the variance is that of the human labels alone times 1 - r² (M - n) / M, where
r is the correlation between the influences of the human labels and those of the judge's labels; for a rate, it is the
correlation between the labels themselves. As in the intervals, the gain is reduced if few labels determine it.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_confidence, check_share, known_arguments
from howsure.data.encode import Label
from howsure.data.predictions import Key
from howsure.errors import HowsureError, must
from howsure.judges.estimate import JudgedEstimate
from howsure.measures.estimate.judged import Powered, cautious
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable, number
from howsure.significance.inputs import whole, whole_numbers, zero_to_one
from howsure.significance.power.half_widths import check_half_width, check_one_is_missing, mean_half_width
from howsure.tables.judged import JudgedCases

MINIMUM = 2  # minimum number of labels of a stratum that gives a standard deviation
PARTS = (0.25, 0.5, 1, 1.5, 2, 4)


class Pilot(Protocol):
    """An assessment with human labels and a judge's labels."""

    @property
    def cases(self) -> JudgedCases: ...
    @property
    def labels(self) -> tuple[Label, ...]: ...
    def __getitem__(self, measure: str) -> Any: ...


@dataclass(frozen=True)
class LabelPlan(Result):
    """Number of human labels to add to a judge's labels, and half-width.

    `howsure.plan.labels` returns it.

    Attributes
    ----------
    measure, value
        The measure, and its assumed value.
    n
        Number of human labels.
    half_width
        Half-width of the interval.
    confidence
        Confidence level of the interval.
    solved_for
        Which of n and the half-width was computed.
    judged
        Number of cases that the judge labels.
    worth
        Number of human labels that would give this half-width without the judge.
    alone
        Half-width that ``n`` human labels would give without the judge.
    notes
        Remarks, such as a judge without skill.
    allocation
        With a pilot, the number of further labels for each stratum.

    Examples
    --------
    >>> from howsure import plan
    >>> labels = plan.labels(0.3, 0.05, judged=5000, sensitivity=0.9, specificity=0.9)
    >>> labels.n, round(labels.worth)
    (147, 319)
    >>> [round(row["half_width"], 3) for row in labels.records(sizes=[100, 200])]
    [0.061, 0.043]
    """

    measure: str
    value: float
    n: int
    half_width: float
    confidence: float
    solved_for: str
    judged: int
    worth: float
    alone: float
    notes: tuple[str, ...] = ()
    allocation: tuple[Record, ...] = ()
    _width: LabelWidth = field(repr=False, compare=False, kw_only=True)

    @property
    def title(self) -> str:
        return f"{self.measure} {number(self.value)}, {100 * self.confidence:g} % interval"

    def text(self) -> str:
        plan = (
            f"{self.measure} {number(self.value)}: {self.n:,} human labels among {self.judged:,} judged cases give a "
            f"{100 * self.confidence:g} % interval of ±{number(self.half_width)}, like {self.worth:,.0f} human labels "
            f"without a judge; {self.n:,} without a judge give ±{number(self.alone)}."
        )
        further = [f"{row['next']} of {row['stratum']}" for row in self.allocation if row["next"]]
        lines = [f"Label next: {', '.join(further)}."] if further else []
        return "\n".join([plan, *lines, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({key: value for key, value in self.__dict__.items() if key != "_width"}))

    def records(self, sizes: Sequence[int] | None = None) -> list[Record]:
        """Return the half-width for several numbers of labels.

        Parameters
        ----------
        sizes
            Numbers of labels. Default: from a quarter of ``n`` to four times ``n``.
        """
        if sizes is None:
            sizes = sorted({min(max(2, math.ceil(self.n * part)), self.judged) for part in PARTS})
        counts = whole_numbers("sizes", sizes, 2, "numbers of labels")
        return [
            {"labels": n, "worth": self._width.worth(n), "half_width": self._width(n), "alone": self._width.of_worth(n)}
            for n in counts
        ]

    def sheet(self, sizes: Sequence[int] | None = None) -> Sheet:
        """Return the table of ``records``.

        Parameters
        ----------
        sizes
            Numbers of labels.
        """
        rows = [{**row, "worth": round(row["worth"])} for row in self.records(sizes)]
        return Sheet.of(rows, self.title)


@dataclass(frozen=True)
class LabelWidth:
    """Half-width as a function of the number of human labels.

    The judge labels ``judged`` cases.

    ``shared`` is the squared correlation between the influences of human and judge labels. ``informative`` is the share
    of the labels that determines the residual variance, based on the fourth moment.
    """

    of_worth: Callable[[float], float]
    shared: float
    judged: int
    informative: float

    def worth(self, n: int) -> float:
        """Return the number of human labels that alone give the same information."""
        rest = max(self.judged - n, 0) / self.judged
        return n / cautious(1 - self.shared * rest, self.informative * n) if self.shared > 0 and rest > 0 else float(n)

    def __call__(self, n: int) -> float:
        return self.of_worth(self.worth(n))


@known_arguments()
def plan_labels(
    rate: float | None = None,
    half_width: float | None = None,
    *,
    n: int | None = None,
    judged: int | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    pilot: Pilot | None = None,
    measure: str = "rate",
    confidence: float = 0.95,
) -> LabelPlan:
    """Plan the number of human labels to add to a judge's labels.

    Parameters
    ----------
    rate
        True rate of the positive class, between 0 and 1, without a pilot.
    half_width, n
        Exactly one of the two.
    judged
        Number of all cases, which the judge labels; some of them get a human label.
    sensitivity, specificity
        Sensitivity and specificity of the judge, from 0 to 1, without a pilot.
    pilot
        Instead of these, an assessment with some human labels, ``howsure.assess(..., judge=...)``. Any of its
        measures can be planned. The plan allocates the next labels to the strata of the pilot, or to the judge's labels
        if there are no strata (Neyman allocation).
    measure
        Measure of the pilot.
    confidence
        Confidence level of the interval.

    Returns
    -------
    LabelPlan
        Number of labels and half-width, with and without the judge.

    Examples
    --------
    >>> from howsure import plan
    >>> print(plan.labels(0.3, 0.05, judged=5000, sensitivity=0.9, specificity=0.9))
    rate 0.300: 147 human labels among 5,000 judged cases give a 95 % interval of
      ±0.050, like 319 human labels without a judge; 147 without a judge give
      ±0.073.
    """
    level = check_confidence(confidence)
    check_one_is_missing(n, half_width)
    assumptions = {"rate": rate, "judged": judged, "sensitivity": sensitivity, "specificity": specificity}
    if pilot is not None:
        if extra := [name for name, value in assumptions.items() if value is not None]:
            raise HowsureError(f"`{extra[0]}` must be left out: it comes from the `pilot`.")
        return _by_pilot(pilot, measure, half_width, n, level)
    if missing := [name for name, value in assumptions.items() if value is None]:
        raise HowsureError(f"`{missing[0]}` must be given if there is no `pilot`.")
    share, cases = check_share("rate", rate), whole("judged", judged or 0, 2)
    shared, informative = shared_by(
        share, zero_to_one("sensitivity", sensitivity), zero_to_one("specificity", specificity)
    )
    width = LabelWidth(lambda worth: mean_half_width(share, worth, level), shared, cases, informative)
    notes = () if shared > 0 else ("a judge whose sensitivity and specificity add up to 1 or less adds no information",)
    return _solve("rate", share, width, half_width, n, level, notes)


def shared_by(rate: float, sensitivity: float, specificity: float) -> tuple[float, float]:
    """Return the squared correlation of labels, and the informative share.

    With y the human label, j the judge's, q = P(j = 1) and J = sensitivity + specificity - 1, the regression of y on j
    has the slope rate (1 - rate) J / (q (1 - q)), and the squared correlation is slope * J. The informative share is
    E(e²)² / E(e⁴) of the residuals e. A judge without skill has a correlation of 0.
    """
    called = rate * sensitivity + (1 - rate) * (1 - specificity)
    skill = sensitivity + specificity - 1
    if not (skill > 0 and 0 < called < 1):
        return 0.0, 1.0
    shares = np.array([[(1 - rate) * specificity, (1 - rate) * (1 - specificity)], [rate * (1 - sensitivity), 0.0]])
    shares[1, 1] = rate * sensitivity
    slope = rate * (1 - rate) * skill / (called * (1 - called))
    residuals = np.array([[0.0], [1.0]]) - rate - slope * (np.array([0.0, 1.0]) - called)
    squares, fourths = (float((shares * residuals**power).sum()) for power in (2, 4))
    return slope * skill, squares**2 / fourths if fourths > 0 else 0.0


def _solve(
    measure: str,
    value: float,
    width: LabelWidth,
    half_width: float | None,
    n: int | None,
    level: float,
    notes: tuple[str, ...],
) -> LabelPlan:
    """Compute half_width or n, whichever is None."""
    labels = _least(width, half_width) if n is None else whole("n", n, 2)
    if labels > width.judged:
        must("n", f"at most {width.judged}, the number of judged cases", given=n)
    solved = "n" if n is None else "half_width"
    worth, reached, alone = width.worth(labels), width(labels), width.of_worth(labels)
    return LabelPlan(measure, value, labels, reached, level, solved, width.judged, worth, alone, notes, _width=width)


def _least(width: LabelWidth, half_width: float | None) -> int:
    target = check_half_width(half_width)
    if width(width.judged) > target:
        reached = number(width(width.judged))
        raise HowsureError(
            f"a half-width of {target:g} is out of reach: human labels for all {width.judged} judged cases "
            f"give ±{reached}."
        )
    return bisect_left(range(width.judged), True, lo=2, key=lambda n: width(n) <= target)


def _by_pilot(pilot: Pilot, measure: str, half_width: float | None, n: int | None, level: float) -> LabelPlan:
    estimate = pilot[measure]
    if not isinstance(estimate, JudgedEstimate):
        raise HowsureError(f"`measure` must be one that combines human and judge labels, not {measure!r}.")
    interval = estimate.interval(level)
    if estimate.undefined or math.isnan(interval.low):
        reason = estimate.undefined or "; ".join(interval.notes)
        raise HowsureError(f"`{measure}` of the pilot has no interval: {reason}.")
    powered, cases = estimate.powered, estimate.powered.cases
    rest = cases.n_judged / cases.n
    shared = min(max(1 - powered.variance / powered.alone, 0.0) / rest, 1.0) if rest and powered.alone > 0 else 0.0
    half, pilot_worth = (interval.high - interval.low) / 2, estimate.worth
    informative = powered.informative / cases.n_labelled
    width = LabelWidth(lambda worth: half * math.sqrt(pilot_worth / worth), shared, cases.n, informative)
    plan = _solve(estimate.title, estimate.value, width, half_width, n, level, ())
    return replace(plan, allocation=tuple(allocate(powered, plan.n)))


def allocate(powered: Powered, n: int) -> list[Record]:
    """Allocate n labels to the strata in proportion to N_h s_h (Neyman 1934).

    N_h is the size of stratum h, and s_h the standard deviation of the human influences minus the tuned influences of
    the judge. Each variance is shrunk towards the pooled one, with the weight of one label. If the cases have no
    strata, the judge's labels are the strata.
    """
    cases = powered.cases
    if cases.stratum is None:
        names = tuple(f"judged {label}" for label in cases.labels)
        cases = replace(cases, stratum=Key(cases.judge, names))
    sizes = np.asarray(sum(cases.sizes))
    labelled = cases.sizes[0]
    residuals = np.where(cases.labelled, powered.human - powered.tuning * powered.judged, 0.0)
    means = cases.by_stratum(residuals) / np.maximum(labelled, 1)
    squares = cases.by_stratum(np.where(cases.labelled, (residuals - means[cases.codes]) ** 2, 0.0))
    pooled = float(squares.sum()) / max(float(labelled.sum()), 1.0)
    spread = np.sqrt((squares + pooled) / (labelled + 1))
    further = _neyman(sizes, spread, labelled, float(n))
    assert cases.stratum is not None
    columns = (cases.stratum.values, sizes, labelled, spread, further)
    return [
        {"stratum": str(name), "cases": int(size), "labelled": int(count), "spread": float(sd), "next": int(more)}
        for name, size, count, sd, more in zip(*columns, strict=True)
    ]


def _neyman(sizes: Array, spread: Array, labelled: Array, n: float) -> Array:
    """Return the number of further labels for each stratum.

    It is at least 0, and at most the number of unlabelled cases.

    Strata whose allocation is outside these limits are set to the limit, and the remaining labels are allocated again.
    """
    least = np.maximum(labelled, np.minimum(MINIMUM, sizes))
    total, fixed = least.copy(), np.zeros(len(sizes), bool)
    for _ in range(2 * len(sizes)):
        free = n - total[fixed].sum()
        share = np.where(fixed, 0.0, sizes * spread)
        if free <= 0 or not share.sum() > 0:
            break
        optimal = free * share / share.sum()
        outside = ~fixed & ((optimal < least) | (optimal > sizes))
        total = np.where(fixed, total, np.clip(optimal, least, sizes))
        if not outside.any():
            break
        short = outside & (optimal < least)
        fixed |= short if short.any() else outside
    return np.asarray(np.maximum(np.round(total) - labelled, 0))
