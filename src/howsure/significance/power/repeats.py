"""Plan repeats: more cases, or more answers to each, for what they cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import stdtrit

from howsure.arrays import Array
from howsure.checks import check_confidence
from howsure.errors import HowsureError, must
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable, number
from howsure.significance.inputs import above_zero, whole, zero_or_above

MOST_SAMPLES = 100_000  # of a case; nobody draws more
MOST_CASES = 10**12
LARGEST = 1e100  # variance
SHOWN = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Spending:
    """What there is to spend, and what a case and each sample of it cost."""

    budget: float
    per_case: float
    per_sample: float
    most_cases: int | None = None

    def cases(self, samples: Array) -> Array:
        """Give the cases that can be paid for, where each has so many samples."""
        paid = np.floor(self.budget / (self.per_case + samples * self.per_sample) * (1 + 1e-12))
        return paid if self.most_cases is None else np.minimum(paid, self.most_cases)


@dataclass(frozen=True)
class RepeatsPlan(Result):
    """The best number of samples of each case: with as many cases as can be paid for, the mean is surest.

    Attributes
    ----------
    samples, cases
        How many samples of each of how many cases.
    half_width, standard_error
        Of the mean.
    cost
        Of all.
    optimum
        The textbook's, sqrt(cost of a case / of a sample * variance of repeats / of cases), not yet whole.
    confidence, case_variance, repeat_variance, budget, cost_per_case, cost_per_sample, most_cases
        What was given.
    notes
        What to know of it.
    choices
        Other numbers of samples to show.

    Examples
    --------
    >>> from howsure import plan
    >>> repeats = plan.repeats(0.1, 0.1, budget=1000, cost_per_case=5)
    >>> repeats.samples, repeats.cases, round(repeats.half_width, 3), round(repeats.optimum, 3)
    (2, 142, 0.064, 2.236)
    """

    samples: int
    cases: int
    half_width: float
    standard_error: float
    cost: float
    optimum: float
    confidence: float
    case_variance: float
    repeat_variance: float
    budget: float
    cost_per_case: float
    cost_per_sample: float
    most_cases: int | None = None
    notes: tuple[str, ...] = ()
    choices: tuple[int, ...] = field(default=(), repr=False)

    @property
    def title(self) -> str:
        return f"samples per case, budget {self.budget:g}"

    def text(self) -> str:
        each = "sample" if self.samples == 1 else "samples"
        plan = (
            f"{self.samples} {each} of each of {self.cases} cases: a {100 * self.confidence:g} % interval of "
            f"±{number(self.half_width)} for {self.cost:g} of a budget of {self.budget:g}."
        )
        return "\n".join([plan, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.__dict__, "choices": self.records()}))

    def records(self) -> list[Record]:
        """Give the half-width of this and of some other numbers of samples."""
        costs = Spending(self.budget, self.cost_per_case, self.cost_per_sample, self.most_cases)
        samples = np.array(self.choices, float)
        cases = costs.cases(samples)
        halves = half_widths(samples, cases, (self.case_variance, self.repeat_variance), self.confidence)
        return [
            {
                "samples": int(k),
                "cases": int(c),
                "half_width": float(half),
                "cost": float(c * (costs.per_case + k * costs.per_sample)),
            }
            for k, c, half in zip(samples, cases, halves, strict=True)
        ]

    def sheet(self) -> Sheet:
        return Sheet.of(self.records(), self.title)


def plan_repeats(
    case_variance: float,
    repeat_variance: float,
    *,
    budget: float,
    cost_per_case: float = 0.0,
    cost_per_sample: float = 1.0,
    most_cases: int | None = None,
    confidence: float = 0.95,
) -> RepeatsPlan:
    """Find how many samples of each case make the mean of a score surest, for what may be spent.

    Parameters
    ----------
    case_variance, repeat_variance
        Variance between cases (of what each would have on average), and of repeats of one case. For right and wrong,
        that of repeats is the mean of p (1 - p) over cases, and that between cases the variance of p.
    budget
        What may be spent, in the unit of the costs.
    cost_per_case, cost_per_sample
        Of each case, as to write and to judge it, and of each sample of it.
    most_cases
        Number of cases that there are, where no more can be had.
    confidence
        Of the interval, by Student's quantile over cases.

    Returns
    -------
    RepeatsPlan
        How many samples of how many cases, and how sure the mean is then.

    Examples
    --------
    >>> from howsure.significance import plan_repeats
    >>> print(plan_repeats(0.1, 0.1, budget=1000, cost_per_case=5))
    2 samples of each of 142 cases: a 95 % interval of ±0.064 for 994 of a budget
      of 1000.
      note: the textbook's optimum is 2.236 samples
    """
    between, within = _variance("case_variance", case_variance), _variance("repeat_variance", repeat_variance)
    costs = Spending(
        above_zero("budget", budget),
        zero_or_above("cost_per_case", cost_per_case),
        above_zero("cost_per_sample", cost_per_sample),
        None if most_cases is None else whole("most_cases", most_cases, 2),
    )
    level = check_confidence(confidence)
    if not between + within > 0:
        raise HowsureError("`case_variance` and `repeat_variance` must not both be 0: nothing varies then.")
    if costs.cases(np.array(1.0)) < 2:
        two = 2 * (costs.per_case + costs.per_sample)
        raise HowsureError(f"`budget` must pay for two cases, {two:g}, not {costs.budget:g}.")
    if costs.cases(np.array(1.0)) > MOST_CASES:
        must("budget", f"one that pays for {MOST_CASES:,} cases at most", given=budget)
    affordable = (costs.budget / 2 - costs.per_case) / costs.per_sample
    samples = np.arange(1.0, min(max(affordable + 1e-9, 1.0), MOST_SAMPLES) + 1)
    samples = samples[costs.cases(samples) >= 2]
    halves = half_widths(samples, costs.cases(samples), (between, within), level)
    best = int(samples[int(halves.argmin())])  # of equal ones the first, that is the fewest samples
    cases = int(costs.cases(np.array(float(best))))
    optimum = math.sqrt(costs.per_case / costs.per_sample * within / between) if between else math.inf
    notes = (f"the textbook's optimum is {number(optimum)} samples",) if between else ()
    shown = sorted({best, *(k for k in (*SHOWN, best - 1, best + 1) if 1 <= k <= samples[-1])})
    return RepeatsPlan(
        best,
        cases,
        float(halves.min()),
        math.sqrt((between + within / best) / cases),
        cases * (costs.per_case + best * costs.per_sample),
        optimum,
        level,
        between,
        within,
        costs.budget,
        costs.per_case,
        costs.per_sample,
        costs.most_cases,
        notes,
        tuple(shown),
    )


def _variance(name: str, value: float) -> float:
    number = zero_or_above(name, value)
    if number > LARGEST:
        must(name, f"a number from 0 to {LARGEST:g}", given=value)
    return number


def half_widths(samples: Array, cases: Array, variances: tuple[float, float], confidence: float) -> Array:
    """Give the half-width of the interval of a mean over cases, each with so many samples."""
    between, within = variances
    error = np.sqrt((between + within / samples) / cases)
    return np.asarray(-stdtrit(np.maximum(cases - 1, 1), (1 - confidence) / 2) * error)
