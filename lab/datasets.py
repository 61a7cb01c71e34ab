"""Grid of tests over independent data sets of different difficulty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import combinations

import numpy as np
from scipy.special import ndtr

from howsure.arrays import Array, Floats
from howsure.lab import tallied
from howsure.measured.tests import LEVEL, TestRow
from howsure.results import TestResult
from howsure.significance import adjust, paired_t, sign_test, valid_tests, wilcoxon
from howsure.significance.evidence import ManyValues
from lab.parts import Part, Row

FEATURES = 5
TRAINED, TESTED = 20, 50  # training and test cases of each class
PAIR_ROUNDS, MANY_ROUNDS, SEED = 4000, 2000, 20261115
SIZES = (5, 10, 30, 60)
MANY = 5  # number of learners


def accuracies(rng: np.random.Generator, shape: tuple[int, int], learners: int = 2) -> Iterator[Array]:
    """Yield the accuracies of nearest-mean learners on independent blocks of features.

    Rows need not be drawn: the means of the training rows are normal, and given these, the number of correct test rows
    is binomial.
    """
    distance = rng.uniform(0.5, 2.5, shape)
    for _ in range(learners):
        low, high = rng.standard_normal((2, *shape, FEATURES)) / math.sqrt(TRAINED)
        high[..., 0] += distance  # classes are spherical, so the direction does not matter
        normal, midpoint = high - low, (high + low) / 2
        length, offset = np.sqrt((normal**2).sum(-1)), (normal * midpoint).sum(-1)
        accuracy = [ndtr(offset / length), ndtr((normal[..., 0] * distance - offset) / length)]
        yield np.asarray(sum(rng.binomial(TESTED, rate) for rate in accuracy)) / (2 * TESTED)


def of_pairs(n: int, rounds: int, seed: int) -> Iterator[TestRow]:
    """Yield rejection rates for two learners on ``n`` data sets."""
    pairs = zip(*accuracies(np.random.default_rng(seed), (rounds, n)), strict=True)
    results = ([test(a, b) for test in (wilcoxon, sign_test, paired_t)] for a, b in pairs)
    yield from tallied(results, "accuracy", "datasets", "exchangeable", _cell(n), seed)


def of_many(n: int, rounds: int, seed: int) -> Iterator[TestRow]:
    """Yield rejection rates for five learners on ``n`` data sets: omnibus tests, and any adjusted pair."""
    samples = np.stack(list(accuracies(np.random.default_rng([seed, MANY]), (rounds, n), MANY)), axis=-1)
    cell = {**_cell(n), "classifiers": MANY}
    yield from tallied(map(_omnibus, samples), "accuracy", "datasets", "exchangeable", cell, seed)
    rejected = [_any_pair(values) for values in samples]
    rate = float(np.mean(rejected))
    yield TestRow("wilcoxon", "auto", "accuracy", "datasets", "exchangeable", cell, rate, rounds=rounds, seed=seed)


def _omnibus(values: Floats) -> list[TestResult]:
    evidence = ManyValues(values, tuple(map(str, range(MANY))))
    tests = valid_tests("any", "datasets", "many").valid
    return [test.apply(evidence, None) for test in tests if test.apply is not None]


def _any_pair(values: Floats) -> bool:
    pvalues = [wilcoxon(values[:, a], values[:, b]).pvalue for a, b in combinations(range(MANY), 2)]
    return min(adjust(pvalues, method="bonferroni").pvalues) <= LEVEL


def _cell(n: int) -> dict[str, float | str]:
    return {"datasets": n, "learner": "nearest_mean"}


def measure(items: Iterable[str], rounds: int, many_rounds: int, seed: int) -> dict[str, list[Row]]:
    """Return the rows of each number of data sets."""
    return {
        item: [
            asdict(row) for rows in (of_pairs(n, rounds, seed + n), of_many(n, many_rounds, seed + n)) for row in rows
        ]
        for item, n in ((item, int(item)) for item in items)
    }


SETTINGS = {"rounds": PAIR_ROUNDS, "many_rounds": MANY_ROUNDS, "seed": SEED}
PARTS = (Part("datasets", measure, tuple(map(str, SIZES)), SETTINGS),)
