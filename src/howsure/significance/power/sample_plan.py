"""A plan, and how it is found: power grows with the number of cases and with the difference."""

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
from howsure.significance.power.clusters import Clusters, clustered_power
from howsure.significance.power.clusters import as_text as in_clusters
from howsure.significance.power.clusters import given as given_clusters
from howsure.significance.power.search import MOST, least_cases

PowerOf = Callable[[int, float], float]
Notes = Callable[[int, float, float | None], tuple[str, ...]]


@dataclass(frozen=True)
class SamplePlan(Result):
    """What a comparison needs: with ``n``, a true ``difference`` is shown at the level ``alpha`` with this ``power``.

    Attributes
    ----------
    method
        The test.
    n, power, difference
        What goes together.
    alpha, alternative
        Of the test.
    solved_for
        Which of the three was asked for; where it is "n", the power is what that whole number gives.
    unit
        What n counts: cases, splits or data sets.
    assumptions
        What else the plan rests on.
    notes
        What to know of it.
    test
        The declared test.
    margin
        What is shown is that the first is no worse by more than that, where it was given.
    clusters, design_effect
        How many clusters the cases come in, and how many times more cases that takes.
    layout
        How cases lie in clusters.
    least, power_of
        The least n that has power, and what computes the power.

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
        what = f"a difference of {number(self.difference)}"
        if self.margin is not None:
            loss = f"a loss of {number(self.margin)} or more" if self.margin else "any loss"
            what, assumed = f"that there is not {loss}", [f"true difference {number(self.difference)}", *assumed]
        side = self.alternative if self.margin is None else "one-sided"
        plan = (
            f"{self.method}: {self.n} {self.unit}{in_clusters(self.clusters)} show {what} with power "
            f"{number(self.power)} at the {100 * self.alpha:g} % level ({', '.join([side, *assumed])})."
        )
        return "\n".join([plan, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        hidden = {"power_of", "least", "layout", "clusters", "design_effect", *(("margin",) * (self.margin is None))}
        values = {key: value for key, value in self.__dict__.items() if key not in hidden}
        test = self.test and self.test.name
        return dict(jsonable({**values, **given_clusters(self.clusters, self.design_effect), "test": test}))

    def records(self, sizes: Sequence[int] | None = None) -> list[Record]:
        """Give the power against n: for ``sizes``, by default from a quarter of the plan's to twice as many.

        Parameters
        ----------
        sizes
            Numbers of cases, splits or data sets.
        """
        if sizes is None:
            sizes = sorted({max(self.least, math.ceil(self.n * part)) for part in (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2)})
        return [self._record(size) for size in whole_numbers("sizes", sizes, self.least, "numbers of cases")]

    def _record(self, size: int) -> Record:
        clusters = {} if self.layout is None else {"clusters": self.layout.number(size)}
        return {self.unit: size, **clusters, "power": self.power_of(size, self._effect[1])}

    def sheet(self, sizes: Sequence[int] | None = None) -> Sheet:
        """Give the table that is shown.

        Parameters
        ----------
        sizes
            Numbers of cases, splits or data sets.
        """
        return Sheet.of(self.records(sizes), self.title)


@dataclass(frozen=True)
class Question:
    """A test to be planned: its power by n and difference, and how far, down and up, a difference can be from 0.

    Where ``difference`` is given, it is the true one, and the power is by n and the margin of non-inferiority.
    """

    method: str
    unit: str
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
        """Find the one of n, power and the difference, or the margin, that is None."""
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
            *others, last = [f"`{name}`" for name in missing] or ["none"]
            listed = " and ".join([", ".join(others), last] if others else [last])
            raise HowsureError(
                f"of `n`, `power` and `{self.effect}` exactly one must be left out, to be found, not {listed}."
            )
        if effect is not None:
            effect = self._within(effect)
        if power is not None and (not isinstance(power, Real) or not self.alpha < power < 1):
            must_be_share("power", f"a number between `alpha`, {self.alpha:g}, and 1", given=power)
        if n is not None:
            n = whole("n", n, self.least)
        asked = power if n is None else None
        if n is None:
            assert power is not None  # for the type checker; two of the three are given
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
            self._notes(n, effect, asked),
            self.test,
            None if self.difference is None else effect,
            None if self.clusters is None else self.clusters.number(n),
            None if self.clusters is None else self.clusters.design_effect,
            layout=self.clusters,
            least=self.least,
            power_of=self.power_of,
        )

    def _notes(self, n: int, effect: float, asked: float | None) -> tuple[str, ...]:
        notes = self.notes(n, effect, asked) if self.notes else ()
        return (*notes, *(self.clusters.notes(n) if self.clusters else ()))

    def _least_n(self, power: float, effect: float) -> int:
        """Give the least n from which on the power is reached; of clusters, the cases of whole ones."""
        self._can_be_shown(effect)
        fewest = self.least if self.clusters is None else self.clusters.number(self.least)
        n = least_cases(lambda cases: self.power_of(cases, effect) >= power, self.clusters, fewest, MOST)
        if n is None:
            most = MOST if self.clusters is None else self.clusters.cases(max(fewest, int(MOST / self.clusters.size)))
            reached = number(self.power_of(most, effect))
            raise HowsureError(f"a power of {power:g} is out of reach: {most} {self.unit} give no more than {reached}.")
        return n

    def _can_be_shown(self, effect: float) -> None:
        if self.difference is not None:
            if self.difference + effect <= 0:
                above = f"`margin` must be above {0 - self.difference:g}, the true loss,"
                raise HowsureError(f"{above} not {effect:g}, or no number of {self.unit} shows it.")
        elif {"two-sided": abs(effect), "greater": effect, "less": -effect}[self.alternative] <= 0:
            side = {"two-sided": "other than 0", "greater": "above 0", "less": "below 0"}[self.alternative]
            raise HowsureError(f"`difference` must be {side}, not {effect:g}, or no number of {self.unit} shows it.")

    def _least_margin(self, power: float, n: int) -> float:
        """Give the least margin; whole counts make the power rise in steps, of which this is the upper end."""
        low, high = 0.0, self.bounds[1]
        if self.power_of(n, high) < power:
            most = number(self.power_of(n, high))
            raise HowsureError(
                f"a power of {power:g} is out of reach with {n} {self.unit}: the largest margin has {most}."
            )
        if self.power_of(n, low) >= power:
            return low
        for _ in range(50):  # to 1e-15; a root finder may return the lower side of the step
            middle = (low + high) / 2
            low, high = (low, middle) if self.power_of(n, middle) >= power else (middle, high)
        return high

    def _least_difference(self, power: float, n: int) -> float:
        from scipy.optimize import brentq

        side, bound = (-1, self.bounds[0]) if self.alternative == "less" else (1, self.bounds[1])

        def missing(gap: float) -> float:
            return self.power_of(n, side * gap) - power

        high = bound
        if math.isinf(bound):
            high = 1e-6
            while missing(high) < 0:
                high *= 2
        elif missing(high) < 0:
            most = f"the largest difference, {number(side * high)}, has {number(self.power_of(n, side * high))}"
            raise HowsureError(f"a power of {power:g} is out of reach with {n} {self.unit}: {most}.")
        return float(side * brentq(missing, 0.0, high, xtol=1e-300, rtol=1e-14)) if missing(0.0) < 0 else 0.0

    def _within(self, difference: float) -> float:
        low, high = 0 - self.bounds[0], self.bounds[1]
        value = finite(self.effect, difference)
        if not low - 1e-12 <= value <= high + 1e-12:  # 1 - 0.9 is a little less than 0.1
            must(self.effect, f"a number from {low:g} to {high:g}", given=difference)
        return min(max(value, low), high)


def _shown(value: float | str) -> str:
    return number(value) if isinstance(value, float) else str(value)
