"""Power of the tests of one classifier against a number."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from howsure.checks import check_alpha, check_share
from howsure.docstrings import shared_texts
from howsure.present.result import Result
from howsure.present.value_text import number
from howsure.significance.binomial import at_least, at_most, binomial_pvalue
from howsure.significance.declare import check_alternative
from howsure.significance.inputs import whole, zero_to_one
from howsure.significance.power.formulas import normal, reach

if TYPE_CHECKING:
    from howsure.present.sheet import Record


@dataclass(frozen=True)
class Power(Result):
    """How often a test rejects.

    Attributes
    ----------
    power
        How often, if the alternative given holds.
    type_1
        How often, if its null hypothesis holds.

    Examples
    --------
    >>> from howsure.significance import power_binomial
    >>> power = power_binomial(0.1, n=100, p0=0.2)
    >>> round(power.power, 3), round(power.type_1, 3), round(power.type_2, 3)
    (0.802, 0.045, 0.198)
    """

    power: float
    type_1: float

    @property
    def type_2(self) -> float:
        """Probability of not rejecting although the alternative holds."""
        return 1 - self.power

    def __float__(self) -> float:
        return self.power

    def records(self) -> list[Record]:
        return [{"power": self.power, "type_1": self.type_1, "type_2": self.type_2}]

    def text(self) -> str:
        return f"power {number(self.power)}, type I error {number(self.type_1)}, type II error {number(self.type_2)}"


@shared_texts
def power_binomial(p: float, n: int, p0: float, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    """Errors and power of `binomial_test` at the level ``alpha`` where the error probability is ``p``, exactly.

    The number of errors is whole, so that the type I error is mostly below ``alpha``.

    Parameters
    ----------
    p
        The true error probability.
    n
        The number of cases.
    p0
        The error probability under the null hypothesis.
    alpha
        The level of the test.
    {alternative}

    Returns
    -------
    Power
        How often it rejects, if the alternative holds and if not.

    Examples
    --------
    >>> from howsure.significance import power_binomial
    >>> print(power_binomial(0.1, n=100, p0=0.2))
    power 0.802, type I error 0.045, type II error 0.198
    """
    check_alternative(alternative)
    cases, null, level = whole("n", n, 1), check_share("p0", p0), check_alpha(alpha)
    few, many = _rejected(cases, null, level, alternative)
    power, size = (at_most(few, cases, true) + at_least(many, cases, true) for true in (zero_to_one("p", p), null))
    return Power(power, size)


@shared_texts
def power_normal(p: float, n: int, p0: float, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    """Errors and power of `normal_test` at the level ``alpha``, also by the normal distribution.

    Parameters
    ----------
    p
        The true error probability.
    n
        The number of cases.
    p0
        The error probability under the null hypothesis.
    alpha
        The level of the test.
    {alternative}

    Returns
    -------
    Power
        How often it rejects, if the alternative holds and if not.

    Examples
    --------
    >>> from howsure.significance import power_normal
    >>> print(power_normal(0.1, n=100, p0=0.2))
    power 0.764, type I error 0.050, type II error 0.236
    """
    check_alternative(alternative)
    cases, null, true, level = whole("n", n, 1), check_share("p0", p0), check_share("p", p), check_alpha(alpha)
    beyond = reach(level, alternative) * math.sqrt(null * (1 - null))
    shift, spread = math.sqrt(cases) * (true - null), math.sqrt(true * (1 - true))
    return Power(normal(shift, beyond, spread, alternative), level)


def _rejected(n: int, p0: float, alpha: float, alternative: str) -> tuple[int, int]:
    """Give the most of the few errors, and the fewest of the many, with which `binomial_test` rejects."""
    turn = {"two-sided": math.floor(n * p0), "less": n, "greater": -1}[alternative]
    few = bisect_right(range(turn + 1), alpha, key=lambda x: binomial_pvalue(x, n, p0, alternative)) - 1
    many = bisect_left(range(turn + 1, n + 1), -alpha, key=lambda x: -binomial_pvalue(x, n, p0, alternative))
    return few, turn + 1 + many
