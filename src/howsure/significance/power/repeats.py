"""Optimal number of cases, and of samples per case, for a budget."""

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

MAX_SAMPLES = 100_000  # maximum number of samples per case
MAX_CASES = 10**12
LARGEST = 1e100  # largest variance
SHOWN = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Costs:
    """Budget, and costs per case and per sample."""

    budget: float
    per_case: float
    per_sample: float
    most_cases: int | None = None

    def cases(self, samples: Array) -> Array:
        """Return the affordable number of cases with this number of samples each."""
        cases = np.floor(self.budget / (self.per_case + samples * self.per_sample) * (1 + 1e-12))
        return cases if self.most_cases is None else np.minimum(cases, self.most_cases)


@dataclass(frozen=True)
class RepeatsPlan(Result):
    """Numbers of cases and samples that make a mean most precise.

    Attributes
    ----------
    samples, cases
        Number of samples of each case, and number of cases.
    half_width, standard_error
        Half-width of the confidence interval of the mean, and its standard error.
    cost
        Total cost.
    optimum
        Textbook optimum, not rounded: sqrt(cost of a case / cost of a sample * repeat variance / case variance).
    confidence, case_variance, repeat_variance, budget, cost_per_case, cost_per_sample, most_cases
        Arguments of the plan.
    notes
        Remarks, such as the textbook optimum.
    choices
        Numbers of samples that ``records`` compares.

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
            f"{self.samples} {each} for each of {self.cases} cases: a {100 * self.confidence:g} % interval of "
            f"±{number(self.half_width)} at a cost of {self.cost:g}, within a budget of {self.budget:g}."
        )
        return "\n".join([plan, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.__dict__, "choices": self.records()}))

    def records(self) -> list[Record]:
        """Return the half-widths for the numbers of samples in ``choices``."""
        costs = Costs(self.budget, self.cost_per_case, self.cost_per_sample, self.most_cases)
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
    """Find the number of samples of each case that makes a mean most precise.

    The variance of the mean over n cases with k samples each is (case variance + repeat variance / k) / n, and n is the
    number of cases that the budget allows with k samples each.

    Parameters
    ----------
    case_variance, repeat_variance
        Variance of the expected scores of the cases, and variance of repeated samples of one case. For answers that are
        correct with probability p, they are the variance of p over cases, and the mean of p (1 - p).
    budget
        Available budget, in the same unit as the costs.
    cost_per_case, cost_per_sample
        Cost of each case, for example of writing and judging it, and cost of each sample.
    most_cases
        Number of available cases, if it is limited.
    confidence
        Confidence level of the interval, which uses Student's quantile with the degrees of freedom of the cases.

    Returns
    -------
    RepeatsPlan
        Number of samples and of cases, with the half-width of the interval.

    Examples
    --------
    >>> from howsure.significance import plan_repeats
    >>> print(plan_repeats(0.1, 0.1, budget=1000, cost_per_case=5))
    2 samples for each of 142 cases: a 95 % interval of ±0.064 at a cost of 994,
      within a budget of 1000.
      note: the textbook optimum is 2.236 samples
    """
    between, within = _variance("case_variance", case_variance), _variance("repeat_variance", repeat_variance)
    costs = Costs(
        above_zero("budget", budget),
        zero_or_above("cost_per_case", cost_per_case),
        above_zero("cost_per_sample", cost_per_sample),
        None if most_cases is None else whole("most_cases", most_cases, 2),
    )
    level = check_confidence(confidence)
    if not between + within > 0:
        raise HowsureError("`case_variance` and `repeat_variance` must not both be 0, or nothing varies.")
    if costs.cases(np.array(1.0)) < 2:
        two = 2 * (costs.per_case + costs.per_sample)
        raise HowsureError(f"`budget` must be at least {two:g}, enough for two cases, not {costs.budget:g}.")
    if costs.cases(np.array(1.0)) > MAX_CASES:
        must("budget", f"enough for at most {MAX_CASES:,} cases", given=budget)
    affordable = (costs.budget / 2 - costs.per_case) / costs.per_sample
    samples = np.arange(1.0, min(max(affordable + 1e-9, 1.0), MAX_SAMPLES) + 1)
    samples = samples[costs.cases(samples) >= 2]
    halves = half_widths(samples, costs.cases(samples), (between, within), level)
    best = int(samples[int(halves.argmin())])  # the fewest samples in case of ties
    cases = int(costs.cases(np.array(float(best))))
    optimum = math.sqrt(costs.per_case / costs.per_sample * within / between) if between else math.inf
    notes = (f"the textbook optimum is {number(optimum)} samples",) if between else ()
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
    """Half-widths t sqrt((between + within / samples) / cases) of intervals."""
    between, within = variances
    error = np.sqrt((between + within / samples) / cases)
    return np.asarray(-stdtrit(np.maximum(cases - 1, 1), (1 - confidence) / 2) * error)
