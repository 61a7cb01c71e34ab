"""Plan labels: how many people must give beside a judge's for an interval of a half-width, and of which strata.

Of n labels among M cases that the judge has labelled, the variance is that of the human labels alone times
1 - r² (M - n) / M, where r is the correlation of human and judged influences; of a rate, of the labels themselves. As
intervals are wary of a gain that few labels tell, so are plans.
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

LEAST = 2  # labels of a stratum, so that its spread is known
PARTS = (0.25, 0.5, 1, 1.5, 2, 4)


class Pilot(Protocol):
    """An assessment of human labels and judged ones, as `howsure.assess` gives it."""

    @property
    def cases(self) -> JudgedCases: ...
    @property
    def labels(self) -> tuple[Label, ...]: ...
    def __getitem__(self, measure: str) -> Any: ...


@dataclass(frozen=True)
class LabelPlan(Result):
    """What an interval needs: with ``n`` human labels it reaches ``half_width`` to each side.

    `howsure.plan.labels` gives it.

    Attributes
    ----------
    measure, value
        What is to be estimated, and what it is taken to be.
    n
        How many human labels.
    half_width
        How far the interval reaches to each side.
    confidence
        Of the interval.
    solved_for
        Which of n and the half-width was asked for.
    judged
        How many cases the judge labels.
    worth
        How many human labels alone would give that.
    alone
        The half-width that n of them would give.
    notes
        What to know of it.
    allocation
        How to spread the labels over strata, where there is a pilot.

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
            f"{self.measure} {number(self.value)}: {self.n:,} human labels beside {self.judged:,} judged cases give a "
            f"{100 * self.confidence:g} % interval of ±{number(self.half_width)}, as {self.worth:,.0f} human labels "
            f"alone would; {self.n:,} alone give ±{number(self.alone)}."
        )
        spread = [f"{row['next']} of {row['stratum']}" for row in self.allocation if row["next"]]
        lines = [f"Label next: {', '.join(spread)}."] if spread else []
        return "\n".join([plan, *lines, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({key: value for key, value in self.__dict__.items() if key != "_width"}))

    def records(self, sizes: Sequence[int] | None = None) -> list[Record]:
        """Give the half-width against n: for ``sizes``, by default from a quarter of the plan's to four times it.

        Parameters
        ----------
        sizes
            Numbers of labels.
        """
        if sizes is None:
            sizes = sorted({min(max(2, math.ceil(self.n * part)), self.judged) for part in PARTS})
        counts = whole_numbers("sizes", sizes, 2, "numbers of labels")
        return [
            {"labels": n, "worth": self._width.worth(n), "half_width": self._width(n), "alone": self._width.of_worth(n)}
            for n in counts
        ]

    def sheet(self, sizes: Sequence[int] | None = None) -> Sheet:
        """Give the table that is shown.

        Parameters
        ----------
        sizes
            Numbers of labels.
        """
        rows = [{**row, "worth": round(row["worth"])} for row in self.records(sizes)]
        return Sheet.of(rows, self.title)


@dataclass(frozen=True)
class LabelWidth:
    """The half-width of n human labels among so many ``judged`` cases.

    ``shared`` is the squared correlation of human and judged influences, and ``telling`` the part of the labels that
    tells what the judge leaves unsure.
    """

    of_worth: Callable[[float], float]
    shared: float
    judged: int
    telling: float

    def worth(self, n: int) -> float:
        """How many human labels alone tell as much."""
        rest = max(self.judged - n, 0) / self.judged
        return n / cautious(1 - self.shared * rest, self.telling * n) if self.shared > 0 and rest > 0 else float(n)

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
    """Plan human labels beside those of a judge: how many for a half-width, or what n of them give.

    Parameters
    ----------
    rate
        The true rate of the positive class, between 0 and 1, where there is no pilot.
    half_width, n
        One of the two.
    judged
        How many cases the judge labels in all; the human labels are of some of them.
    sensitivity, specificity
        Of the judge, from 0 to 1, where there is no pilot.
    pilot
        In place of all these an assessment with some labels, ``howsure.assess(..., judge=...)``: any ``measure`` of it
        can be planned, and the plan says of which strata to label next (Neyman's allocation): of those of the pilot, or
        of the judge's labels where it has none.
    measure
        Of the pilot.
    confidence
        Of the interval.

    Returns
    -------
    LabelPlan
        How many labels, what they give, and what they would give without the judge.

    Examples
    --------
    >>> from howsure import plan
    >>> print(plan.labels(0.3, 0.05, judged=5000, sensitivity=0.9, specificity=0.9))
    rate 0.300: 147 human labels beside 5,000 judged cases give a 95 % interval of
      ±0.050, as 319 human labels alone would; 147 alone give ±0.073.
    """
    level = check_confidence(confidence)
    check_one_is_missing(n, half_width)
    given = {"rate": rate, "judged": judged, "sensitivity": sensitivity, "specificity": specificity}
    if pilot is not None:
        if extra := [name for name, value in given.items() if value is not None]:
            raise HowsureError(f"a pilot tells all about the judge: leave out `{extra[0]}`.")
        return _by_pilot(pilot, measure, half_width, n, level)
    if lacking := [name for name, value in given.items() if value is None]:
        raise HowsureError(f"`{lacking[0]}` must be given, or a `pilot` that tells it.")
    share, cases = check_share("rate", rate), whole("judged", judged or 0, 2)
    shared, telling = shared_by(share, zero_to_one("sensitivity", sensitivity), zero_to_one("specificity", specificity))
    width = LabelWidth(lambda worth: mean_half_width(share, worth, level), shared, cases, telling)
    notes = () if shared > 0 else ("a judge whose sensitivity and specificity add up to 1 or less is worth nothing",)
    return _solved("rate", share, width, half_width, n, level, notes)


def shared_by(rate: float, sensitivity: float, specificity: float) -> tuple[float, float]:
    """Give the squared correlation of human and judged labels, none where the judge is worse than chance.

    The second is the part of the labels that tells what the judge leaves unsure, by the fourth moment.
    """
    called = rate * sensitivity + (1 - rate) * (1 - specificity)
    skill = sensitivity + specificity - 1
    if not (skill > 0 and 0 < called < 1):
        return 0.0, 1.0
    shares = np.array([[(1 - rate) * specificity, (1 - rate) * (1 - specificity)], [rate * (1 - sensitivity), 0.0]])
    shares[1, 1] = rate * sensitivity
    slope = rate * (1 - rate) * skill / (called * (1 - called))
    left = np.array([[0.0], [1.0]]) - rate - slope * (np.array([0.0, 1.0]) - called)
    squares, fourths = (float((shares * left**power).sum()) for power in (2, 4))
    return slope * skill, squares**2 / fourths if fourths > 0 else 0.0


def _solved(
    measure: str,
    value: float,
    width: LabelWidth,
    half_width: float | None,
    n: int | None,
    level: float,
    notes: tuple[str, ...],
) -> LabelPlan:
    """Find the one of half_width and n that is None."""
    labels = _least(width, half_width) if n is None else whole("n", n, 2)
    if labels > width.judged:
        must("n", f"at most the {width.judged} cases that there are", given=n)
    solved = "n" if n is None else "half_width"
    worth, reached, alone = width.worth(labels), width(labels), width.of_worth(labels)
    return LabelPlan(measure, value, labels, reached, level, solved, width.judged, worth, alone, notes, _width=width)


def _least(width: LabelWidth, half_width: float | None) -> int:
    asked = check_half_width(half_width)
    if width(width.judged) > asked:
        reached = number(width(width.judged))
        raise HowsureError(
            f"a half-width of {asked:g} needs more than the {width.judged} cases that there are: labels of all give "
            f"±{reached}."
        )
    return bisect_left(range(width.judged), True, lo=2, key=lambda n: width(n) <= asked)


def _by_pilot(pilot: Pilot, measure: str, half_width: float | None, n: int | None, level: float) -> LabelPlan:
    estimate = pilot[measure]
    if not isinstance(estimate, JudgedEstimate):
        raise HowsureError(f"`measure` must be one of human labels and judged ones, not {measure!r}.")
    interval = estimate.interval(level)
    if estimate.undefined or math.isnan(interval.low):
        reason = estimate.undefined or "; ".join(interval.notes)
        raise HowsureError(f"`{measure}` of the pilot has no interval: {reason}.")
    powered, cases = estimate.powered, estimate.powered.cases
    rest = cases.n_judged / cases.n
    shared = min(max(1 - powered.variance / powered.alone, 0.0) / rest, 1.0) if rest and powered.alone > 0 else 0.0
    half, seen = (interval.high - interval.low) / 2, estimate.worth
    telling = powered.informative / cases.n_labelled
    width = LabelWidth(lambda worth: half * math.sqrt(seen / worth), shared, cases.n, telling)
    plan = _solved(estimate.title, estimate.value, width, half_width, n, level, ())
    return replace(plan, allocation=tuple(allocate(powered, plan.n)))


def allocate(powered: Powered, n: int) -> list[Record]:
    """Spread n labels over strata by Neyman: as their sizes times the spread that the judge leaves in each.

    Strata are those of the cases, or the judge's labels where there are none. A spread that few labels tell is drawn
    towards that of all by as much as one label would count.
    """
    cases = powered.cases
    if cases.stratum is None:
        names = tuple(f"judged {label}" for label in cases.labels)
        cases = replace(cases, stratum=Key(cases.judge, names))
    sizes = np.asarray(sum(cases.sizes))
    known = cases.sizes[0]
    left = np.where(cases.labelled, powered.human - powered.tuning * powered.judged, 0.0)
    means = cases.by_stratum(left) / np.maximum(known, 1)
    squares = cases.by_stratum(np.where(cases.labelled, (left - means[cases.codes]) ** 2, 0.0))
    pooled = float(squares.sum()) / max(float(known.sum()), 1.0)
    spread = np.sqrt((squares + pooled) / (known + 1))
    wanted = _neyman(sizes, spread, known, float(n))
    assert cases.stratum is not None
    return [
        {"stratum": str(name), "cases": int(size), "labelled": int(have), "spread": float(one), "next": int(more)}
        for name, size, have, one, more in zip(cases.stratum.values, sizes, known, spread, wanted, strict=True)
    ]


def _neyman(sizes: Array, spread: Array, known: Array, n: float) -> Array:
    """How many labels more each stratum gets; none is taken back, and none gets more than it has cases."""
    least = np.maximum(known, np.minimum(LEAST, sizes))
    total, fixed = least.copy(), np.zeros(len(sizes), bool)
    for _ in range(2 * len(sizes)):
        free = n - total[fixed].sum()
        share = np.where(fixed, 0.0, sizes * spread)
        if free <= 0 or not share.sum() > 0:
            break
        wish = free * share / share.sum()
        outside = ~fixed & ((wish < least) | (wish > sizes))
        total = np.where(fixed, total, np.clip(wish, least, sizes))
        if not outside.any():
            break
        short = outside & (wish < least)
        fixed |= short if short.any() else outside
    return np.asarray(np.maximum(np.round(total) - known, 0))
