"""Power of tests of one error rate."""

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
from howsure.significance.power.formulas import critical_z, normal

if TYPE_CHECKING:
    from howsure.present.sheet import Record


@dataclass(frozen=True)
class Power(Result):
    """Power and type I error of a test.

    Attributes
    ----------
    power
        Probability of rejecting the null hypothesis under the alternative.
    type_1
        Type I error: probability of rejecting the null hypothesis although it holds.

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
        """Type II error: probability of not rejecting under the alternative."""
        return 1 - self.power

    def __float__(self) -> float:
        return self.power

    def records(self) -> list[Record]:
        return [{"power": self.power, "type_1": self.type_1, "type_2": self.type_2}]

    def text(self) -> str:
        return f"power {number(self.power)}, type I error {number(self.type_1)}, type II error {number(self.type_2)}"


@shared_texts
def power_binomial(p: float, n: int, p0: float, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    """Compute the exact power of `binomial_test`.

    The number of errors is a whole number, so the type I error is usually below ``alpha``.

    Parameters
    ----------
    p
        True probability of an error.
    n
        Number of cases.
    p0
        Probability of an error under the null hypothesis.
    alpha
        Significance level.
    {alternative}

    Returns
    -------
    Power
        Power, type I error and type II error.

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
    """Compute the power of `normal_test` with the normal approximation.

    Parameters
    ----------
    p
        True probability of an error.
    n
        Number of cases.
    p0
        Probability of an error under the null hypothesis.
    alpha
        Significance level.
    {alternative}

    Returns
    -------
    Power
        Power, type I error and type II error.

    Examples
    --------
    >>> from howsure.significance import power_normal
    >>> print(power_normal(0.1, n=100, p0=0.2))
    power 0.764, type I error 0.050, type II error 0.236
    """
    check_alternative(alternative)
    cases, null, true, level = whole("n", n, 1), check_share("p0", p0), check_share("p", p), check_alpha(alpha)
    beyond = critical_z(level, alternative) * math.sqrt(null * (1 - null))
    shift, spread = math.sqrt(cases) * (true - null), math.sqrt(true * (1 - true))
    return Power(normal(shift, beyond, spread, alternative), level)


def _rejected(n: int, p0: float, alpha: float, alternative: str) -> tuple[int, int]:
    """Return few and many: `binomial_test` rejects x <= few and x >= many."""
    middle = {"two-sided": math.floor(n * p0), "less": n, "greater": -1}[alternative]
    few = bisect_right(range(middle + 1), alpha, key=lambda x: binomial_pvalue(x, n, p0, alternative)) - 1
    many = bisect_left(range(middle + 1, n + 1), -alpha, key=lambda x: -binomial_pvalue(x, n, p0, alternative))
    return few, middle + 1 + many
