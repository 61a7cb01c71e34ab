"""The coefficients of agreement, each declared once: what chance would give, and no more.

All compare the observed agreement of two ratings of an item, drawn at random, with what is expected by chance:
``1 - (1 - observed) / (1 - expected)``. They differ in what they take for chance, which is a function of how often each
category is used, and in what they average over.
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

    ``chance`` takes the shares of the categories (the last axis) and the matrix of agreement, and gives the agreement
    that is expected and its derivative by each share. ``by_rating`` lets every rating count alike, and only those of
    items that were rated twice; otherwise items count alike, and their shares, whether rated once or more often.
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
    is_share: bool = False  # a share of pairs, with the intervals of a proportion
    weighted: bool = True  # by how far apart categories are
    depends_on_use: bool = False  # rests on a second category being used
    shown: Callable[[int, bool], bool] = field(default=lambda raters, nominal: True, repr=False)

    better = "higher"

    @property
    def formula(self) -> str:
        return "observed" if self.is_share else f"1 - (1 - observed) / (1 - expected), expected = {self.expected}"

    @property
    def range(self) -> tuple[float, float]:
        return (0.0 if self.is_share else -1.0), 1.0


registry: Registry[Coefficient] = Registry("coefficient", "`agreement(...).applicable()` lists them")
ONE_CATEGORY = "all ratings are of one category, so that chance alone agrees fully"


def coefficient(
    title: str, *, expected: str, source: str, aliases: tuple[str, ...] = (), spoken: str = "", **facts: object
) -> Callable[[Chance], Coefficient]:
    """Register what chance gives as a coefficient; ``spoken`` is what sentences call it."""

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
    """Share of the pairs of ratings of an item that agree, on average over the items."""
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
    """Agreement of two raters beyond that of two who use the categories as often as both together."""
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
    """Agreement of any number of raters beyond that of raters who use the categories as often as all together."""
    return _drawn_twice(shares, agreement)


@coefficient(
    "Brennan-Prediger",
    expected="mean(weights)",
    source="Brennan and Prediger 1981",
    aliases=("pabak", "bennett_s", "randolph_kappa", "free_marginal_kappa", "kappa_n"),
    undefined_when="there is only one category, which all raters must choose",
)
def brennan_prediger(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Agreement beyond that of raters who choose every category equally often; of two categories PABAK."""
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
    """Agreement beyond that of ratings dealt to the items at random; corrected for few ratings."""
    return _drawn_twice(shares, agreement)


@coefficient(
    "Gwet's AC1",
    expected="sum(shares * (1 - shares)) / (q - 1)",
    source="Gwet 2008",
    aliases=("ac1",),
    undefined_when="there is only one category, which all raters must choose",
    weighted=False,
    shown=lambda raters, nominal: nominal,
)
def gwet_ac1(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Agreement beyond that of guesses at items that are hard to rate: little affected by rare categories."""
    return _guessed(shares, agreement)


@coefficient(
    "Gwet's AC2",
    expected="sum(weights) / (q * (q - 1)) * sum(shares * (1 - shares))",
    source="Gwet 2014",
    aliases=("ac2",),
    undefined_when="there is only one category, which all raters must choose",
    shown=lambda raters, nominal: not nominal,
)
def gwet_ac2(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """AC1 with disagreements weighed by how far apart the categories are."""
    return _guessed(shares, agreement)


def _drawn_twice(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Two ratings drawn from all of them."""
    each = shares @ agreement
    return (each * shares).sum(-1), 2 * each


def _guessed(shares: Array, agreement: Array) -> tuple[Array, Array]:
    q = shares.shape[-1]
    factor = agreement.sum() / (q * (q - 1)) if q > 1 else np.nan
    return factor * (shares * (1 - shares)).sum(-1), factor * (1 - 2 * shares)


def _of_second(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Let the agreement be taken of those ratings that are of the second of two categories."""
    return 1 - 2 * shares[..., 1], np.broadcast_to([0.0, -2.0], shares.shape)


# Not a coefficient of a whole table, but of one category against the rest.
specific_agreement = Coefficient(
    "specific_agreement",
    "Specific agreement",
    "1 - 2 * share",
    "Of the ratings of a category, how often another rating of the same item agrees.",
    "Cicchetti and Feinstein 1990",
    _of_second,
    undefined_when="nobody chose the category",
    is_share=True,
)
