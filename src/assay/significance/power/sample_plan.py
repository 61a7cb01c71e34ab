"""A plan, and how it is found: power grows with the number of cases and with the difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from assay.errors import AssayError, must, must_be_share
from assay.present.result import Result
from assay.present.sheet import Record, Sheet
from assay.present.value_text import jsonable, number
from assay.results import DeclaredTest
from assay.significance.declare import check_alternative
from assay.significance.inputs import finite, whole

MOST = 10_000_000  # cases, splits or data sets; nobody plans for more
AHEAD = 40  # whole counts make exact power rise in small waves, which are shorter than this
PowerOf = Callable[[int, float], float]
Notes = Callable[[int, float, float | None], tuple[str, ...]]


@dataclass(frozen=True)
class SamplePlan(Result):
    """What a comparison needs: with ``n``, a true ``difference`` is shown at the level ``alpha`` with this ``power``.

    ``solved_for`` names which of the three was asked for; where it is "n", the power is what that whole number gives.
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
    least: int = field(default=2, repr=False, compare=False, kw_only=True)
    power_of: PowerOf = field(repr=False, compare=False, kw_only=True)

    @property
    def title(self) -> str:
        return f"{self.method}, difference {number(self.difference)}"

    def text(self) -> str:
        assumed = [f"{name.replace('_', ' ')} {_shown(value)}" for name, value in self.assumptions.items()]
        plan = (
            f"{self.method}: {self.n} {self.unit} show a difference of {number(self.difference)} with power "
            f"{number(self.power)} at the {100 * self.alpha:g} % level ({', '.join([self.alternative, *assumed])})."
        )
        return "\n".join([plan, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        values = {key: value for key, value in self.__dict__.items() if key not in ("power_of", "least")}
        return dict(jsonable({**values, "test": self.test and self.test.name}))

    def records(self, sizes: Sequence[int] | None = None) -> list[Record]:
        """Give the power against n: for ``sizes``, by default from a quarter of the plan's to twice as many."""
        if sizes is None:
            sizes = sorted({max(self.least, math.ceil(self.n * part)) for part in (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2)})
        if isinstance(sizes, str) or not isinstance(sizes, Iterable):
            must("sizes", "numbers of cases", given=sizes)
        checked = [whole("sizes", size, self.least) for size in sizes]
        return [{self.unit: size, "power": self.power_of(size, self.difference)} for size in checked]

    def sheet(self, sizes: Sequence[int] | None = None) -> Sheet:
        return Sheet.of(self.records(sizes), self.title)


@dataclass(frozen=True)
class Question:
    """A test to be planned: its power by n and difference, and how far, down and up, a difference can be from 0."""

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

    def solve(self, n: int | None, power: float | None, difference: float | None) -> SamplePlan:
        """Find the one of n, power and difference that is None."""
        check_alternative(self.alternative)
        values = {"n": n, "power": power, "difference": difference}
        missing = [name for name, value in values.items() if value is None]
        if len(missing) != 1:
            *others, last = [f"`{name}`" for name in missing] or ["none"]
            listed = " and ".join([", ".join(others), last] if others else [last])
            raise AssayError(
                f"of `n`, `power` and `difference` exactly one must be left out, to be found, not {listed}."
            )
        if difference is not None:
            difference = self._within(difference)
        if power is not None and (not isinstance(power, Real) or not self.alpha < power < 1):
            must_be_share("power", f"a number between `alpha`, {self.alpha:g}, and 1", given=power)
        if n is not None:
            n = whole("n", n, self.least)
        asked = power if n is None else None
        if n is None:
            assert power is not None  # for the type checker; two of the three are given
            assert difference is not None
            n = self._least_n(power, difference)
        elif difference is None:
            assert power is not None
            difference = self._least_difference(power, n)
        return SamplePlan(
            self.method,
            n,
            self.power_of(n, difference),
            difference,
            self.alpha,
            self.alternative,
            missing[0],
            self.unit,
            dict(self.assumptions),
            self.notes(n, difference, asked) if self.notes else (),
            self.test,
            least=self.least,
            power_of=self.power_of,
        )

    def _least_n(self, power: float, difference: float) -> int:
        """Give the least n from which on the power is reached."""
        if {"two-sided": abs(difference), "greater": difference, "less": -difference}[self.alternative] <= 0:
            side = {"two-sided": "other than 0", "greater": "above 0", "less": "below 0"}[self.alternative]
            raise AssayError(f"`difference` must be {side}, not {difference:g}, or no number of {self.unit} shows it.")
        low, high = self.least - 1, self.least
        while self.power_of(high, difference) < power:
            low, high = high, 2 * high
            if high > MOST:
                most = number(self.power_of(low, difference))
                raise AssayError(f"a power of {power:g} is out of reach: {low} {self.unit} give no more than {most}.")
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.power_of(middle, difference) >= power else (middle, high)
        short = [size for size in range(high, high + AHEAD) if self.power_of(size, difference) < power]
        return max(short, default=low) + 1

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
            raise AssayError(f"a power of {power:g} is out of reach with {n} {self.unit}: {most}.")
        return float(side * brentq(missing, 0.0, high, xtol=1e-300, rtol=1e-14)) if missing(0.0) < 0 else 0.0

    def _within(self, difference: float) -> float:
        low, high = 0 - self.bounds[0], self.bounds[1]
        value = finite("difference", difference)
        if not low - 1e-12 <= value <= high + 1e-12:  # 1 - 0.9 is a little less than 0.1
            must("difference", f"a number from {low:g} to {high:g}", given=difference)
        return min(max(value, low), high)


def _shown(value: float | str) -> str:
    return number(value) if isinstance(value, float) else str(value)
