"""Grid of five exchangeable classifiers on the same cases: omnibus tests and adjusted pairs, as in `compare`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np
from scipy.special import ndtr

import howsure
from howsure.arrays import Array
from howsure.lab.design import QUALITIES
from howsure.lab.tally import tallied
from howsure.measured.tests import LEVEL, TestRow
from howsure.measures import registry
from howsure.significance.declare import registry as registered
from lab.parts import Part, Row

MANY = 5  # classifiers
SEED, QUALITY = 401, "good"
MEASURES = ("accuracy", "f1", "auc")
PREVALENCES, CORRELATIONS = (0.5, 0.1), (0.0, 0.8)
ROUNDS = {50: 400, 200: 400, 1000: 250}


def answers(rng: np.random.Generator, truth: Array, correlation: float, *, scores: bool) -> dict[str, Array]:
    """Draw the scores or the labels of each classifier."""
    own, shared = rng.standard_normal((MANY, len(truth))), rng.standard_normal(len(truth))
    latent, quality = math.sqrt(1 - correlation) * own + math.sqrt(correlation) * shared, QUALITIES[QUALITY]
    if scores:
        return {str(number): deviates + quality.separation * truth for number, deviates in enumerate(latent)}
    correct = ndtr(latent) < np.where(truth, quality.recall, quality.specificity)
    return {str(number): np.where(flags, truth, ~truth) for number, flags in enumerate(correct)}


def of_cell(measure: str, n: int, prevalence: float, correlation: float, rounds: int, seed: int) -> Iterator[TestRow]:
    """Yield the rejection rates of the omnibus test, and of any pair, over the samples with both classes."""
    rng = np.random.default_rng([seed, n, *f"{measure} {prevalence} {correlation}".encode()])
    option = "scores" if registry[measure].scope == "score" else "predicted"
    comparisons = []
    for _ in range(rounds):
        truth = rng.random(n) < prevalence
        if truth.sum() > 1 and (~truth).sum() > 1:
            predictions: Any = {option: answers(rng, truth, correlation, scores=option == "scores")}
            comparisons.append(howsure.compare(truth, **predictions, measure=measure, positive=True))
    cell = {"n": n, "prevalence": prevalence, "quality": QUALITY, "correlation": correlation, "classifiers": MANY}
    omnibus = [[comparison.omnibus] for comparison in comparisons if comparison.omnibus is not None]
    yield from tallied(omnibus, measure, "cases", "exchangeable", cell, seed)
    test = comparisons[0].pairs[0].test.test
    assert test is not None
    cell = {**cell, "pairs": math.comb(MANY, 2)}
    family = [np.nanmin([pair.adjusted for pair in comparison.pairs]) <= LEVEL for comparison in comparisons]
    variant = "auto" if registered[test.name].variants else ""
    identity = (test.name, variant, measure, "cases", "exchangeable", cell)
    yield TestRow(*identity, float(np.mean(family)), len(comparisons) / rounds, rounds=rounds, seed=seed)


def measure(items: Iterable[str], rounds: dict[str, int], seed: int) -> dict[str, list[Row]]:
    """Return the rows of each measure."""
    return {
        item: [
            asdict(row)
            for n, prevalence, correlation in product(rounds, PREVALENCES, CORRELATIONS)
            for row in of_cell(item, int(n), prevalence, correlation, rounds[n], seed)
        ]
        for item in items
    }


SETTINGS = {"rounds": {str(n): number for n, number in ROUNDS.items()}, "seed": SEED}
PARTS = tuple(Part(f"many-{item}", measure, (item,), SETTINGS) for item in MEASURES)
