"""The grid of raters: how often intervals of agreement hold the truth.

Items x raters x how even the categories are x how good the raters are x complete or with 30 % of the ratings missing. A
rater sees an item's true category with some probability, and otherwise names one as often as it occurs; at the ordinal
level one that lies beside it. In one design a rater is worse than the others and prefers the first category. Beside the
default stand what others do on the same samples: Gwet's interval, the value and Student's t times his standard error
(irrCAC), and percentiles of samples drawn again (which authors of alpha recommend).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy.special import stdtrit

from howsure.arrays import Array
from howsure.raters import Agreement
from howsure.raters.coefficients import registry
from howsure.raters.disagreement import disagreement, krippendorff_metric, values_of
from howsure.tables import Ratings
from lab.parts import Part, Row

SEED = 204
ITEMS, RATERS = (20, 50, 200), (2, 3, 5)
SHARES = {
    "even, 2": (0.5, 0.5),
    "skewed, 2": (0.9, 0.1),
    "even, 3": (1 / 3, 1 / 3, 1 / 3),
    "skewed, 4": (0.75, 0.15, 0.07, 0.03),
}
QUALITY = (0.4, 0.75, 0.95)  # probability that a rater sees what an item is
NOMINAL = ("percent_agreement", "cohen_kappa", "fleiss_kappa", "brennan_prediger", "krippendorff_alpha", "gwet_ac1")
ORDINAL = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac2")
DEFAULT, GWET, PERCENTILE = METHODS = ("default", "gwet", "percentiles")
REPLICATES = 300  # of the percentiles, in the first so many samples of a cell
RESAMPLED = 25


@dataclass(frozen=True)
class Raters:
    """A population of items and raters: the shares of the true categories, and what each rater says of each."""

    shares: Array
    says: Array  # rater x true category x category
    level: str

    @classmethod
    def of(cls, shares: str, quality: float, raters: int, level: str, *, unequal: bool) -> Raters:
        pi = np.array(SHARES[shares])
        k = len(pi)
        guess = np.broadcast_to(pi, (k, k))
        if level == "ordinal":
            near = np.exp(-np.abs(np.subtract.outer(np.arange(k), np.arange(k))))
            guess = near / near.sum(1, keepdims=True)
        each = quality * np.eye(k) + (1 - quality) * guess
        says = np.repeat(each[None], raters, axis=0)
        if unequal:
            says[0] = 0.6 * each + 0.4 * np.eye(k)[0]
        return cls(pi, says, level)

    def draw(self, items: int, missing: float, rng: np.random.Generator) -> Ratings:
        k = len(self.shares)
        truth = rng.choice(k, items, p=self.shares)
        codes = {}
        for rater, says in enumerate(self.says):
            code = (rng.random(items)[:, None] > says.cumsum(1)[truth][:, :-1]).sum(1)
            codes[rater] = np.where(rng.random(items) < missing, -1, code)
        return Ratings.of_columns(range(1, k + 1), codes)

    def truth(self, name: str) -> float:
        """The value of a coefficient in the population."""
        k, raters = len(self.shares), len(self.says)
        joint = np.einsum("c,gck,hcl->ghkl", self.shares, self.says, self.says)
        margins = np.einsum("c,gck->gk", self.shares, self.says)
        use = margins.mean(0)
        values = values_of(self.level, range(1, k + 1))
        apart = disagreement(None, self.level, values)
        if name == "krippendorff_alpha":
            apart = krippendorff_metric(self.level, values, use)
        pairs = list(combinations(range(raters), 2))
        observed = np.array([(joint[g, h] * apart).sum() for g, h in pairs])
        if name == "cohen_kappa":
            expected = np.array([margins[g] @ apart @ margins[h] for g, h in pairs])
            return float((1 - observed / expected).mean())
        chance, _ = registry[name].chance(use, 1 - apart)
        return float(1 - observed.mean() / (1 - chance))


def measure(items: list[str], cells: list[dict[str, Any]], rounds: int, seed: int) -> dict[str, list[Row]]:
    """Measure the coverage of each coefficient in each cell; an item is a level and the coefficient."""
    found: dict[str, list[Row]] = {item: [] for item in items}
    for number, cell in enumerate(cells):
        facts = {name: cell[name] for name in ("shares", "quality", "raters", "level", "unequal")}
        population = Raters.of(**facts)
        names = [item.split()[1] for item in items if item.split()[0] == cell["level"]]
        ends: dict[tuple[str, str], list[tuple[float, float]]] = {}
        rng = np.random.default_rng([seed, number, cell["items"]])
        matrix = disagreement(None, cell["level"], values_of(cell["level"], range(1, len(population.shares) + 1)))
        for sample in range(rounds):
            agreement = Agreement(population.draw(cell["items"], cell["missing"], rng), cell["level"], matrix)
            for name in names:
                for method, bounds in _intervals(agreement, name, sample < RESAMPLED).items():
                    ends.setdefault((name, method), []).append(bounds)
        for name in names:
            truth = population.truth(name)
            found[f"{cell['level']} {name}"] += [
                {**cell, "method": method, "truth": round(truth, 4), **_judged(ends[name, method], truth)}
                for method in METHODS
            ]
    return found


def _intervals(agreement: Agreement, name: str, is_resampled: bool) -> dict[str, tuple[float, float]]:
    """Give the default interval and those of others; NaN where there is none."""
    estimate = agreement[name]
    if estimate.undefined:
        none = (np.nan, np.nan)
        return {DEFAULT: none, GWET: none, **({PERCENTILE: none} if is_resampled else {})}
    reach = -float(stdtrit(max(agreement.n - 1, 1), 0.025)) * estimate.standard_error
    found = {DEFAULT: tuple(estimate.interval()), GWET: (estimate.value - reach, min(estimate.value + reach, 1.0))}
    if is_resampled:
        found[PERCENTILE] = tuple(estimate.interval(method="bootstrap", replicates=REPLICATES))
    return found  # type: ignore[return-value]


def _judged(ends: list[tuple[float, float]], truth: float) -> Row:
    low, high = np.array(ends).T
    given = np.isfinite(low)
    n = int(given.sum())
    if not n:
        return {"rounds": len(low), "given": 0.0, "coverage": None, "width": None}
    slack = 1e-9  # a truth at the end of the range is held by an interval that ends there
    held = float(((low <= truth + slack) & (truth - slack <= high))[given].mean())
    width = float(np.median((high - low)[given]))
    return {"rounds": len(low), "given": round(n / len(low), 4), "coverage": round(held, 4), "width": round(width, 4)}


def _cells(items: int) -> list[dict[str, Any]]:
    designs = [
        {"items": items, "raters": raters, "shares": shares, "quality": quality, "missing": missing,
         "level": "nominal", "unequal": False}
        for raters, shares, quality, missing in product(RATERS, SHARES, QUALITY, (0.0, 0.3))
    ]  # fmt: skip
    few = [design for design in designs if design["raters"] == 3]
    designs += [{**design, "unequal": True} for design in few if design["quality"] == 0.75]
    return designs + [{**design, "level": "ordinal"} for design in few if design["shares"] in ("even, 3", "skewed, 4")]


def _parts() -> Iterator[Part]:
    names = tuple(f"nominal {name}" for name in NOMINAL) + tuple(f"ordinal {name}" for name in ORDINAL)
    for items in ITEMS:
        yield Part(f"agreement-{items}", measure, names, {"cells": _cells(items), "rounds": 400, "seed": SEED})


PARTS = tuple(_parts())
