"""Plan of a comparison, solved for its missing quantity."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Real
from typing import Any

from howsure.errors import HowsureError, must, must_be_share
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable, number
from howsure.results import DeclaredTest
from howsure.significance.declare import check_alternative
from howsure.significance.inputs import finite, whole, whole_numbers
from howsure.significance.power.clusters import Clusters, cluster_entries, clustered_power, in_clusters
from howsure.significance.power.search import MAXIMUM, least_cases

PowerOf = Callable[[int, float], float]
Notes = Callable[[int, float, float | None], tuple[str, ...]]


@dataclass(frozen=True)
class SamplePlan(Result):
    """Sample size, power and difference of a comparison.

    With ``n`` cases, a true ``difference`` is significant at the level ``alpha`` with probability ``power``.

    Attributes
    ----------
    method
        Name of the test.
    n, power, difference
        Sample size, power and true difference.
    alpha, alternative
        Significance level and alternative of the test.
    solved_for
        Which of n, power and difference was computed. If it is "n", the power is that with n rounded up.
    unit
        The units that n counts: cases, splits or data sets.
    assumptions
        Further assumptions of the plan.
    notes
        Remarks, such as the result of a simpler formula.
    test
        The declared test.
    margin
        For non-inferiority, the margin.
    clusters, design_effect
        Number of clusters, and the factor by which clustering multiplies the variance.
    layout
        Sizes and correlation of the clusters.
    least, power_of
        Smallest n for which the power is defined, and the power as a function of n and the difference.

    Examples
    --------
    >>> from howsure import plan
    >>> sample = plan.mcnemar(power=0.8, difference=0.02, discordant=0.1)
    >>> sample.n, sample.solved_for, sample.unit
    (1945, 'n', 'cases')
    >>> [round(row["power"], 3) for row in sample.records(sizes=[500, 1000, 2000])]
    [0.291, 0.519, 0.811]
    """

    method: str
    n: int
    power: float
    difference: float
    alpha: float
    alternative: str
    solved_for: str
    unit: str
    assumptions: dict[str, float | str]
    notes: tuple[str, ...] = ()
    test: DeclaredTest | None = field(default=None, repr=False)
    margin: float | None = None
    clusters: int | None = None
    design_effect: float | None = None
    layout: Clusters | None = field(default=None, repr=False, compare=False, kw_only=True)
    least: int = field(default=2, repr=False, compare=False, kw_only=True)
    power_of: PowerOf = field(repr=False, compare=False, kw_only=True)

    @property
    def title(self) -> str:
        return f"{self.method}, {self._effect[0]} {number(self._effect[1])}"

    @property
    def _effect(self) -> tuple[str, float]:
        return ("difference", self.difference) if self.margin is None else ("margin", self.margin)

    def text(self) -> str:
        assumed = [f"{name.replace('_', ' ')} {_shown(value)}" for name, value in self.assumptions.items()]
        goal, side = f"detect a difference of {number(self.difference)}", self.alternative
        if self.margin is not None:
            goal = f"rule out a loss of {number(self.margin)} or more" if self.margin else "rule out any loss"
            assumed, side = [f"true difference {number(self.difference)}", *assumed], "one-sided"
        plan = (
            f"{self.method}: {self.n} {self.unit}{in_clusters(self.clusters)} {goal} with power "
            f"{number(self.power)} at the {100 * self.alpha:g} % level ({', '.join([side, *assumed])})."
        )
        return "\n".join([plan, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        hidden = {"power_of", "least", "layout", "clusters", "design_effect", *(("margin",) * (self.margin is None))}
        values = {key: value for key, value in self.__dict__.items() if key not in hidden}
        test = self.test and self.test.name
        return dict(jsonable({**values, **cluster_entries(self.clusters, self.design_effect), "test": test}))

    def records(self, sizes: Sequence[int] | None = None) -> list[Record]:
        """Return the power for several sample sizes.

        Parameters
        ----------
        sizes
            Numbers of cases, splits or data sets. Default: from a quarter of ``n`` to twice ``n``.
        """
        if sizes is None:
            sizes = sorted({max(self.least, math.ceil(self.n * part)) for part in (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2)})
        return [self._record(size) for size in whole_numbers("sizes", sizes, self.least, "numbers of cases")]

    def _record(self, size: int) -> Record:
        clusters = {} if self.layout is None else {"clusters": self.layout.number(size)}
        return {self.unit: size, **clusters, "power": self.power_of(size, self._effect[1])}

    def sheet(self, sizes: Sequence[int] | None = None) -> Sheet:
        """Return the table of ``records``.

        Parameters
        ----------
        sizes
            Numbers of cases, splits or data sets.
        """
        return Sheet.of(self.records(sizes), self.title)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A test to be planned.

    Its power is a function of n and the difference.

    ``bounds`` are the largest differences below and above 0. If ``difference``, the true difference, is given, the
    power is a function of n and the non-inferiority margin instead.
    """

    method: str
    unit: str = "cases"
    power_of: PowerOf
    bounds: tuple[float, float]
    alpha: float
    alternative: str
    assumptions: Mapping[str, float | str]
    notes: Notes | None = None
    least: int = 2
    test: DeclaredTest | None = None
    clusters: Clusters | None = None
    difference: float | None = None

    @property
    def effect(self) -> str:
        return "difference" if self.difference is None else "margin"

    def solve(self, n: int | None, power: float | None, effect: float | None) -> SamplePlan:
        """Compute whichever of n, power and the difference (or margin) is None."""
        check_alternative(self.alternative)
        question = self if self.clusters is None else self._by_clusters(self.clusters)
        return question._solve(n, power, effect)

    def _by_clusters(self, clusters: Clusters) -> Question:
        sides = 2 if self.alternative == "two-sided" else 1
        power_of = partial(clustered_power, self.power_of, clusters, self.least, (self.alpha, sides))
        return replace(self, power_of=power_of, least=clusters.fewest(self.least))

    def _solve(self, n: int | None, power: float | None, effect: float | None) -> SamplePlan:
        values = {"n": n, "power": power, self.effect: effect}
        missing = [name for name, value in values.items() if value is None]
        if len(missing) != 1:
            *first, last = [f"`{name}`" for name in missing] or ["none"]
            listed = " and ".join([", ".join(first), last] if first else [last])
            raise HowsureError(f"exactly one of `n`, `power` and `{self.effect}` must be left out, not {listed}.")
        if effect is not None:
            effect = self._check_effect(effect)
        if power is not None and (not isinstance(power, Real) or not self.alpha < power < 1):
            must_be_share("power", f"a number between `alpha`, {self.alpha:g}, and 1", given=power)
        if n is not None:
            n = whole("n", n, self.least)
        target = power if n is None else None
        if n is None:
            assert power is not None  # for the type checker: exactly one of the three is None
            assert effect is not None
            n = self._least_n(power, effect)
        elif effect is None:
            assert power is not None
            effect = self._least_difference(power, n) if self.difference is None else self._least_margin(power, n)
        return SamplePlan(
            self.method,
            n,
            self.power_of(n, effect),
            effect if self.difference is None else self.difference,
            self.alpha,
            self.alternative,
            missing[0],
            self.unit,
            {**self.assumptions, **(self.clusters.assumptions if self.clusters else {})},
            self._notes(n, effect, target),
            self.test,
            None if self.difference is None else effect,
            None if self.clusters is None else self.clusters.number(n),
            None if self.clusters is None else self.clusters.design_effect,
            layout=self.clusters,
            least=self.least,
            power_of=self.power_of,
        )

    def _notes(self, n: int, effect: float, target: float | None) -> tuple[str, ...]:
        notes = self.notes(n, effect, target) if self.notes else ()
        return (*notes, *(self.clusters.notes(n) if self.clusters else ()))

    def _least_n(self, power: float, effect: float) -> int:
        """Return the least n for the power, in whole clusters."""
        self._check_detectable(effect)
        fewest = self.least if self.clusters is None else self.clusters.number(self.least)
        n = least_cases(lambda cases: self.power_of(cases, effect) >= power, self.clusters, fewest, MAXIMUM)
        if n is None:
            most = (
                MAXIMUM
                if self.clusters is None
                else self.clusters.cases(max(fewest, int(MAXIMUM / self.clusters.size)))
            )
            reached = number(self.power_of(most, effect))
            raise HowsureError(f"a power of {power:g} is out of reach: {most} {self.unit} give no more than {reached}.")
        return n

    def _check_detectable(self, effect: float) -> None:
        if self.difference is not None:
            if self.difference + effect <= 0:
                limit = f"`margin` must be above {0 - self.difference:g}, the true loss,"
                raise HowsureError(f"{limit} not {effect:g}, or no number of {self.unit} is enough.")
        elif {"two-sided": abs(effect), "greater": effect, "less": -effect}[self.alternative] <= 0:
            side = {"two-sided": "other than 0", "greater": "above 0", "less": "below 0"}[self.alternative]
            raise HowsureError(f"`difference` must be {side}, not {effect:g}, or no number of {self.unit} is enough.")

    def _least_margin(self, power: float, n: int) -> float:
        """Return the least margin with this power.

        Counts are whole numbers, so the power rises in steps with the margin. A root finder might return the lower side
        of a step; bisection keeps the upper side.
        """
        low, high = 0.0, self.bounds[1]
        if self.power_of(n, high) < power:
            most = number(self.power_of(n, high))
            raise HowsureError(
                f"a power of {power:g} is out of reach with {n} {self.unit}: the largest margin has power {most}."
            )
        if self.power_of(n, low) >= power:
            return low
        for _ in range(50):  # accurate to 1e-15
            middle = (low + high) / 2
            low, high = (low, middle) if self.power_of(n, middle) >= power else (middle, high)
        return high

    def _least_difference(self, power: float, n: int) -> float:
        from scipy.optimize import brentq

        side, bound = (-1, self.bounds[0]) if self.alternative == "less" else (1, self.bounds[1])

        def excess(gap: float) -> float:
            return self.power_of(n, side * gap) - power

        high = bound
        if math.isinf(bound):
            high = 1e-6
            while excess(high) < 0:
                high *= 2
        elif excess(high) < 0:
            most = f"the largest difference, {number(side * high)}, has power {number(self.power_of(n, side * high))}"
            raise HowsureError(f"a power of {power:g} is out of reach with {n} {self.unit}: {most}.")
        return float(side * brentq(excess, 0.0, high, xtol=1e-300, rtol=1e-14)) if excess(0.0) < 0 else 0.0

    def _check_effect(self, effect: float) -> float:
        low, high = 0 - self.bounds[0], self.bounds[1]
        value = finite(self.effect, effect)
        if not low - 1e-12 <= value <= high + 1e-12:  # in floating point, 1 - 0.9 is a little less than 0.1
            must(self.effect, f"a number from {low:g} to {high:g}", given=effect)
        return min(max(value, low), high)


def _shown(value: float | str) -> str:
    return number(value) if isinstance(value, float) else str(value)
