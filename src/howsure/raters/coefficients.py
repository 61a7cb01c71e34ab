"""Chance-corrected coefficients of agreement.

All have the form 1 - (1 - observed) / (1 - expected), where the observed agreement is that of two ratings of a random
item. They differ in the expected agreement, a function of the shares of the categories, and in the weights of the
items.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import getdoc

import numpy as np

from howsure.arrays import Array
from howsure.present.value_text import SPOKEN
from howsure.registry import Registry

Chance = Callable[[Array, Array], tuple[Array, Array]]


@dataclass(frozen=True)
class Coefficient:
    """A declared coefficient.

    ``chance`` takes the shares of the categories (last axis) and the matrix of agreement weights, and returns the
    expected agreement and its derivatives with respect to the shares. With ``by_rating``, all ratings have the
    same weight, and items with one rating are left out; otherwise all items have the same weight.
    """

    name: str
    title: str
    expected: str
    summary: str
    source: str
    chance: Chance = field(repr=False)
    aliases: tuple[str, ...] = ()
    undefined_when: str = ""
    by_rating: bool = False
    two_raters: bool = False
    is_share: bool = False  # whether it is a proportion of pairs, so that intervals for a proportion apply
    weighted: bool = True  # whether it uses the agreement weights of the level
    depends_on_use: bool = False  # whether it is undefined if only one category is used
    shown: Callable[[int, bool], bool] = field(default=lambda raters, nominal: True, repr=False)

    better = "higher"

    @property
    def formula(self) -> str:
        return "observed" if self.is_share else f"1 - (1 - observed) / (1 - expected), expected = {self.expected}"

    @property
    def range(self) -> tuple[float, float]:
        return (0.0 if self.is_share else -1.0), 1.0


registry: Registry[Coefficient] = Registry("coefficient", "`agreement(...).applicable()` lists them")
ONE_CATEGORY = "all ratings are of one category, so that the expected agreement is 1"


def coefficient(
    title: str, *, expected: str, source: str, aliases: tuple[str, ...] = (), spoken: str = "", **facts: object
) -> Callable[[Chance], Coefficient]:
    """Register a function of chance agreement as a coefficient."""

    def declare(chance: Chance) -> Coefficient:
        summary = " ".join((getdoc(chance) or "").split())
        declared = Coefficient(chance.__name__, title, expected, summary, source, chance, aliases, **facts)  # type: ignore[arg-type]
        registry.add(declared.name, declared, aliases)
        SPOKEN[declared.name] = spoken or title
        return declared

    return declare


@coefficient(
    "Percent agreement",
    expected="0",
    source="share of pairs of ratings of an item that agree",
    aliases=("observed_agreement", "raw_agreement"),
    spoken="agreement",
    is_share=True,
)
def percent_agreement(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Mean over the items of the share of pairs of ratings that agree."""
    return np.zeros(shares.shape[:-1]), np.zeros(shares.shape)


@coefficient(
    "Scott's pi",
    expected="sum(weights * outer(shares, shares))",
    source="Scott 1955",
    aliases=("scotts_pi", "pi"),
    undefined_when=ONE_CATEGORY,
    two_raters=True,
    depends_on_use=True,
    shown=lambda raters, nominal: raters == 2,
)
def scott_pi(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Agreement of two raters, corrected for chance.

    Chance means random ratings with the pooled shares of the categories.
    """
    return _drawn_twice(shares, agreement)


@coefficient(
    "Fleiss' kappa",
    expected="sum(weights * outer(shares, shares))",
    source="Fleiss 1971; Gwet 2014 for missing ratings",
    aliases=("fleiss", "multi_pi"),
    undefined_when=ONE_CATEGORY,
    depends_on_use=True,
    shown=lambda raters, nominal: raters > 2,
)
def fleiss_kappa(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Agreement of any number of raters, corrected for chance.

    Chance means random ratings with the pooled shares of the categories.
    """
    return _drawn_twice(shares, agreement)


@coefficient(
    "Brennan-Prediger",
    expected="mean(weights)",
    source="Brennan and Prediger 1981",
    aliases=("pabak", "bennett_s", "randolph_kappa", "free_marginal_kappa", "kappa_n"),
    undefined_when="there is only one category",
)
def brennan_prediger(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Agreement corrected for random ratings with equal shares.

    With two categories it is also called PABAK.
    """
    return np.full(shares.shape[:-1], agreement.mean()), np.zeros(shares.shape)


@coefficient(
    "Krippendorff's alpha",
    expected="sum(weights * outer(shares, shares))",
    source="Krippendorff 2004",
    aliases=("alpha",),
    undefined_when=ONE_CATEGORY,
    by_rating=True,
    depends_on_use=True,
)
def krippendorff_alpha(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Agreement corrected for chance and for small samples.

    Chance means a random assignment of the ratings to the items.
    """
    return _drawn_twice(shares, agreement)


@coefficient(
    "Gwet's AC1",
    expected="sum(shares * (1 - shares)) / (q - 1)",
    source="Gwet 2008",
    aliases=("ac1",),
    undefined_when="there is only one category",
    weighted=False,
    shown=lambda raters, nominal: nominal,
)
def gwet_ac1(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Agreement corrected for guesses on items that are hard to rate.

    It is little affected by rare categories.
    """
    return _guessed(shares, agreement)


@coefficient(
    "Gwet's AC2",
    expected="sum(weights) / (q * (q - 1)) * sum(shares * (1 - shares))",
    source="Gwet 2014",
    aliases=("ac2",),
    undefined_when="there is only one category",
    shown=lambda raters, nominal: not nominal,
)
def gwet_ac2(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """AC1 with disagreements weighted by the distance of the categories."""
    return _guessed(shares, agreement)


def _drawn_twice(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Expected agreement of two random ratings, Σ w_ij p_i p_j."""
    by_category = shares @ agreement
    return (by_category * shares).sum(-1), 2 * by_category


def _guessed(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Expected agreement Σ w_ij / (q (q - 1)) Σ p_i (1 - p_i) of Gwet."""
    q = shares.shape[-1]
    factor = agreement.sum() / (q * (q - 1)) if q > 1 else np.nan
    return factor * (shares * (1 - shares)).sum(-1), factor * (1 - 2 * shares)


def _of_second(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Turn the coefficient into agreement on the second of two categories."""
    return 1 - 2 * shares[..., 1], np.broadcast_to([0.0, -2.0], shares.shape)


# A coefficient of one category against all others, not of the whole table.
specific_agreement = Coefficient(
    "specific_agreement",
    "Specific agreement",
    "1 - 2 * share",
    "Given a rating of this category, the probability that another rating of the same item agrees.",
    "Cicchetti and Feinstein 1990",
    _of_second,
    undefined_when="no rating is of this category",
    is_share=True,
)
