"""A plan, and how it is found: power grows with the number of cases and with the difference, so halving serves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from assay.errors import AssayError, must
from assay.present.format import jsonable, number
from assay.present.sheet import Sheet
from assay.significance.declare import check_alternative
from assay.significance.one import finite

MOST = 10_000_000  # cases, splits or data sets; nobody plans for more
AHEAD = 40  # whole counts make exact power rise in small waves, which are shorter than this
PowerOf = Callable[[int, float], float]
Notes = Callable[[int, float, float | None], tuple[str, ...]]


@dataclass(frozen=True)
class Plan:
    """What a comparison needs: with ``n``, a true ``difference`` is shown at the level ``alpha`` with this ``power``.

    ``found`` names which of the three was asked for; where it is "n", the power is what that whole number gives.
    """

    test: str
    n: int
    power: float
    difference: float
    alpha: float
    alternative: str
    found: str
    unit: str
    assumptions: dict[str, float | str]
    notes: tuple[str, ...] = ()
    least: int = field(default=2, repr=False, compare=False, kw_only=True)
    power_of: PowerOf = field(repr=False, compare=False, kw_only=True)

    def __str__(self) -> str:
        given = [f"{name.replace('_', ' ')} {_shown(value)}" for name, value in self.assumptions.items()]
        return (
            f"{self.test}: {self.n} {self.unit} show a difference of {number(self.difference)} with power "
            f"{number(self.power)} at the {100 * self.alpha:g} % level ({', '.join([self.alternative, *given])})."
        )

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({key: value for key, value in self.__dict__.items() if key not in ("power_of", "least")}))

    def sheet(self, sizes: Sequence[int] | None = None) -> Sheet:
        """Give the power against n: for ``sizes``, by default from a quarter of the plan's to twice as many."""
        if sizes is None:
            sizes = sorted({max(self.least, math.ceil(self.n * part)) for part in (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2)})
        rows = [
            (size, self.power_of(size, self.difference))
            for size in (whole("sizes", size, self.least) for size in sizes)
        ]
        return Sheet([self.unit, "power"], rows, f"{self.test}, difference {number(self.difference)}")


def solved(
    test: str,
    unit: str,
    power_of: PowerOf,
    given: tuple[int | None, float | None, float | None],
    bounds: tuple[float, float],
    alpha: float,
    alternative: str,
    assumptions: Mapping[str, float | str],
    notes: Notes | None = None,
    least: int = 2,
) -> Plan:
    """Find the one of n, power and difference that is not given; ``bounds`` say how far a difference can be from 0."""
    check_alternative(alternative)
    n, power, difference = given
    names = ("n", "power", "difference")
    out = [name for name, value in zip(names, given, strict=True) if value is None]
    if len(out) != 1:
        told = " and ".join([", ".join(out[:-1]), out[-1]]) if len(out) > 1 else "none"
        raise AssayError(f"of `n`, `power` and `difference` exactly one must be left out, to be found, not {told}.")
    if difference is not None:
        difference = _within(difference, bounds)
    if power is not None and (not isinstance(power, Real) or not alpha < power < 1):
        must("power", f"a number between `alpha`, {alpha:g}, and 1", given=power)
    if n is not None:
        n = whole("n", n, least)
    asked = power if n is None else None
    if n is None:
        assert power is not None  # for the type checker; two of the three are given
        assert difference is not None
        n = _least_n(power_of, power, difference, alternative, unit, least)
    elif difference is None:
        assert power is not None
        difference = _least_difference(power_of, power, n, bounds, alternative, unit)
    kept = notes(n, difference, asked) if notes else ()
    reached = (n, power_of(n, difference), difference, alpha, alternative)
    return Plan(test, *reached, out[0], unit, dict(assumptions), kept, least=least, power_of=power_of)


def _least_n(power_of: PowerOf, power: float, difference: float, alternative: str, unit: str, least: int) -> int:
    """Give the least n from which on the power is reached."""
    if {"two-sided": abs(difference), "greater": difference, "less": -difference}[alternative] <= 0:
        side = {"two-sided": "other than 0", "greater": "above 0", "less": "below 0"}[alternative]
        raise AssayError(f"`difference` must be {side}, not {difference:g}, or no number of {unit} shows it.")
    low, high = least - 1, least
    while power_of(high, difference) < power:
        low, high = high, 2 * high
        if high > MOST:
            most = number(power_of(low, difference))
            raise AssayError(f"a power of {power:g} is out of reach: {low} {unit} give no more than {most}.")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(middle, difference) >= power else (middle, high)
    short = [size for size in range(high, high + AHEAD) if power_of(size, difference) < power]
    return max(short, default=low) + 1


def _least_difference(
    power_of: PowerOf, power: float, n: int, bounds: tuple[float, float], alternative: str, unit: str
) -> float:
    side, bound = (-1, bounds[0]) if alternative == "less" else (1, bounds[1])
    low, high = 0.0, bound
    if math.isinf(bound):
        high = 1e-6
        while power_of(n, side * high) < power:
            low, high = high, 2 * high
    elif power_of(n, side * high) < power:
        most = f"the largest difference, {number(side * high)}, has {number(power_of(n, side * high))}"
        raise AssayError(f"a power of {power:g} is out of reach with {n} {unit}: {most}.")
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if power_of(n, side * middle) >= power else (middle, high)
    return side * high


def _within(difference: float, bounds: tuple[float, float]) -> float:
    low, high = 0 - bounds[0], bounds[1]
    value = finite("difference", difference)
    if not low - 1e-12 <= value <= high + 1e-12:  # 1 - 0.9 is a little less than 0.1
        must("difference", f"a number from {low:g} to {high:g}", given=difference)
    return min(max(value, low), high)


def whole(name: str, given: float, least: int) -> int:
    if not isinstance(given, Real) or not float(given).is_integer() or given < least:
        must(name, f"a whole number, {least} or more", given=given)
    return int(given)


def _shown(value: float | str) -> str:
    return number(value) if isinstance(value, float) else str(value)
