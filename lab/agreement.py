"""Grid of raters: coverage of intervals of agreement coefficients.

Factors are the numbers of items and raters, the balance of the categories, the quality of the raters, and missing
ratings (none or 30 %). A rater recognizes the true category of an item with some probability, and otherwise guesses in
proportion to the frequencies; at the ordinal level the guesses are near the true category. In one design, one rater is
worse than the others and prefers the first category. The default is compared, on the same samples, with the interval of
Gwet, Student's t times his standard error (irrCAC), and with bootstrap percentiles, which authors of alpha recommend.
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
QUALITY = (0.4, 0.75, 0.95)  # probability that a rater recognizes the category of an item
NOMINAL = ("percent_agreement", "cohen_kappa", "fleiss_kappa", "brennan_prediger", "krippendorff_alpha", "gwet_ac1")
ORDINAL = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac2")
DEFAULT, GWET, PERCENTILE = METHODS = ("default", "gwet", "percentiles")
REPLICATES = 300  # bootstrap replicates for the percentiles
RESAMPLED = 25  # samples of a cell with percentiles


@dataclass(frozen=True)
class Raters:
    """A population of items and raters."""

    shares: Array  # of the true categories
    rates: Array  # rater x true category x category
    level: str

    @classmethod
    def of(cls, shares: str, quality: float, raters: int, level: str, *, unequal: bool) -> Raters:
        pi = np.array(SHARES[shares])
        k = len(pi)
        guess = np.broadcast_to(pi, (k, k))
        if level == "ordinal":
            nearby = np.exp(-np.abs(np.subtract.outer(np.arange(k), np.arange(k))))
            guess = nearby / nearby.sum(1, keepdims=True)
        each = quality * np.eye(k) + (1 - quality) * guess
        rates = np.repeat(each[None], raters, axis=0)
        if unequal:
            rates[0] = 0.6 * each + 0.4 * np.eye(k)[0]
        return cls(pi, rates, level)

    def draw(self, items: int, missing: float, rng: np.random.Generator) -> Ratings:
        k = len(self.shares)
        truth = rng.choice(k, items, p=self.shares)
        codes = {}
        for rater, rates in enumerate(self.rates):
            code = (rng.random(items)[:, None] > rates.cumsum(1)[truth][:, :-1]).sum(1)
            codes[rater] = np.where(rng.random(items) < missing, -1, code)
        return Ratings.of_columns(range(1, k + 1), codes)

    def truth(self, name: str) -> float:
        """Return the value of a coefficient in the population."""
        k, raters = len(self.shares), len(self.rates)
        joint = np.einsum("c,gck,hcl->ghkl", self.shares, self.rates, self.rates)
        margins = np.einsum("c,gck->gk", self.shares, self.rates)
        mean_margins = margins.mean(0)
        values = values_of(self.level, range(1, k + 1))
        weights = disagreement(None, self.level, values)
        if name == "krippendorff_alpha":
            weights = krippendorff_metric(self.level, values, mean_margins)
        pairs = list(combinations(range(raters), 2))
        observed = np.array([(joint[g, h] * weights).sum() for g, h in pairs])
        if name == "cohen_kappa":
            expected = np.array([margins[g] @ weights @ margins[h] for g, h in pairs])
            return float((1 - observed / expected).mean())
        chance, _ = registry[name].chance(mean_margins, 1 - weights)
        return float(1 - observed.mean() / (1 - chance))


def measure(items: list[str], cells: list[dict[str, Any]], rounds: int, seed: int) -> dict[str, list[Row]]:
    """Measure the coverage of each coefficient in each cell; an item is a level and a coefficient."""
    result: dict[str, list[Row]] = {item: [] for item in items}
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
            result[f"{cell['level']} {name}"] += [
                {**cell, "method": method, "truth": round(truth, 4), **_coverage(ends[name, method], truth)}
                for method in METHODS
            ]
    return result


def _intervals(agreement: Agreement, name: str, is_resampled: bool) -> dict[str, tuple[float, float]]:
    """Return the intervals of all methods, NaN if undefined."""
    estimate = agreement[name]
    if estimate.undefined:
        undefined = (np.nan, np.nan)
        return {DEFAULT: undefined, GWET: undefined, **({PERCENTILE: undefined} if is_resampled else {})}
    reach = -float(stdtrit(max(agreement.n - 1, 1), 0.025)) * estimate.standard_error
    intervals = {DEFAULT: tuple(estimate.interval()), GWET: (estimate.value - reach, min(estimate.value + reach, 1.0))}
    if is_resampled:
        intervals[PERCENTILE] = tuple(estimate.interval(method="bootstrap", replicates=REPLICATES))
    return intervals  # type: ignore[return-value]


def _coverage(ends: list[tuple[float, float]], truth: float) -> Row:
    low, high = np.array(ends).T
    defined = np.isfinite(low)
    n = int(defined.sum())
    if not n:
        return {"rounds": len(low), "given": 0.0, "coverage": None, "width": None}
    tolerance = 1e-9  # for a true value at the end of the range
    covered = float(((low <= truth + tolerance) & (truth - tolerance <= high))[defined].mean())
    width = float(np.median((high - low)[defined]))
    result = {"rounds": len(low), "given": round(n / len(low), 4)}
    return {**result, "coverage": round(covered, 4), "width": round(width, 4)}


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
