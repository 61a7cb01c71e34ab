"""Tests over data sets: independent ones, easy and hard, each with a training and a test set of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from assay.arrays import Array
from assay.lab import tallied
from assay.measured.tests import TestRow
from assay.significance import paired_t, sign_test, wilcoxon

FEATURES = 5
TRAINED, TESTED = 20, 50  # cases of each class
ROUNDS, SEED = 10_000, 20261115
SIZES = (5, 10, 30, 60)


def accuracies(rng: np.random.Generator, shape: tuple[int, int]) -> Iterator[Array]:
    """Accuracy of the nearest mean on either of two blocks of features, without a row being made.

    The means of the training rows are normal; given these, a test row is right with a known chance, and the blocks are
    independent.
    """
    distance = rng.uniform(0.5, 2.5, shape)
    for _ in range(2):
        low, high = rng.standard_normal((2, *shape, FEATURES)) / math.sqrt(TRAINED)
        high[..., 0] += distance  # spherical classes: only the length of the distance matters
        normal, middle = high - low, (high + low) / 2
        length, offset = np.sqrt((normal**2).sum(-1)), (normal * middle).sum(-1)
        right = [ndtr(offset / length), ndtr((normal[..., 0] * distance - offset) / length)]
        yield np.asarray(sum(rng.binomial(TESTED, chance) for chance in right)) / (2 * TESTED)


def rows(rounds: int = ROUNDS, sizes: tuple[int, ...] = SIZES) -> Iterator[TestRow]:
    for n in sizes:
        seed = SEED + n
        pairs = zip(*accuracies(np.random.default_rng(seed), (rounds, n)), strict=True)
        results = ([test(a, b) for test in (wilcoxon, sign_test, paired_t)] for a, b in pairs)
        cell = {"datasets": n, "learner": "nearest mean"}
        yield from tallied(results, "accuracy", "datasets", "exchangeable", cell, seed)
