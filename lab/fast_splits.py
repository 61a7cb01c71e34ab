"""Splits of one data set: two exchangeable blocks of features, and one learner for each.

By symmetry the expected errors are equal. The learners are those that can be computed for all splits at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from assay import FiveByTwo, KFold, RepeatedHoldout
from assay.arrays import Array
from assay.lab import tallied
from assay.measured.tests import TestRow
from assay.resampling.declare import Scheme
from assay.results import TestResult
from assay.significance import cautious_paired_t, corrected_paired_t, five_by_two_f, five_by_two_t, paired_t

SEED, ROUNDS = 20261115, 3000

FEATURES, DISTANCE = 5, 1.7  # the distance of the class means in a block, for an accuracy of about 0.8
NEIGHBOURS = 40  # with half of the rows for training, none of the 40 nearest is there with a chance below 1e-12


def nearest_mean(x: Array, y: Array, train: Array) -> Array:
    """Is each row right, in each split? The class of the nearest mean of the training rows."""
    of_class = [train * (y == label) for label in (0, 1)]
    low, high = (rows @ x / rows.sum(1, keepdims=True) for rows in of_class)
    return y == (x @ (high - low).T > ((high**2).sum(1) - (low**2).sum(1)) / 2).T


def naive_bayes(x: Array, y: Array, train: Array) -> Array:
    """The same, by the more likely of two normal classes, each feature with a mean and a variance in each class."""
    likely = []
    for label in (0, 1):
        rows = train * (y == label)
        sizes = rows.sum(1, keepdims=True)
        mean = rows @ x / sizes
        variance = rows @ x**2 / sizes - mean**2
        constant = np.log(sizes) - (np.log(variance) + mean**2 / variance).sum(1, keepdims=True) / 2
        likely.append(constant + (mean / variance) @ x.T - (1 / variance) @ (x**2).T / 2)
    return (likely[1] > likely[0]) == y


def nearest_neighbour(x: Array, y: Array, train: Array) -> Array:
    """The same, by the class of the nearest training row: a learner that changes more with its training rows."""
    squares = (x**2).sum(1)
    distances = squares - 2 * x @ x.T  # + squares[:, None], which does not change the order
    np.fill_diagonal(distances, np.inf)
    order = np.argsort(distances, axis=1)[:, :NEIGHBOURS]
    first = train.astype(bool)[:, order].argmax(2)
    return y[order[np.arange(len(y)), first]] == y


LEARNERS = {"nearest mean": nearest_mean, "naive Bayes": naive_bayes, "nearest neighbour": nearest_neighbour}


def accuracies(scheme, learner, x, y, seed: int) -> tuple[Array, Array, float]:
    """Accuracy of both learners in each split, and the ratio of test to training rows."""
    entries = scheme.splits(y, seed=seed).entries
    test = np.zeros((len(entries), len(y)))
    for index, entry in enumerate(entries):
        test[index, entry.test] = 1
    sizes = test.sum(1)
    a, b = ((learner(block, y, 1 - test) * test).sum(1) / sizes for block in x)
    return a, b, float(sizes.mean() / (len(y) - sizes.mean()))


REPEAT = np.repeat(np.arange(10), 10)
Simulated = tuple[TestResult, Scheme]  # the result, and the scheme that it is of


def folds(learner, x, y, seed: int) -> Iterator[Simulated]:
    a, b, ratio = accuracies(KFold(10, 10), learner, x, y, seed)
    yield paired_t(a[:10], b[:10]), KFold(10)
    yield corrected_paired_t(a[:10], b[:10], ratio), KFold(10)
    yield paired_t(a, b), KFold(10, 10)
    yield corrected_paired_t(a, b, ratio), KFold(10, 10)
    yield cautious_paired_t(a, b, ratio, REPEAT), KFold(10, 10)
    few = slice(0, 30)
    yield cautious_paired_t(a[few], b[few], ratio, REPEAT[few]), KFold(10, 3)


def holdouts(learner, x, y, seed: int) -> Iterator[Simulated]:
    scheme = RepeatedHoldout(30)
    a, b, ratio = accuracies(scheme, learner, x, y, seed)
    yield paired_t(a, b), scheme
    yield corrected_paired_t(a, b, ratio), scheme
    yield cautious_paired_t(a, b, ratio, np.arange(30)), scheme


def halves(learner, x, y, seed: int) -> Iterator[Simulated]:
    scheme = FiveByTwo()
    a, b, ratio = accuracies(scheme, learner, x, y, seed)
    yield cautious_paired_t(a, b, ratio, np.repeat(np.arange(5), 2)), scheme
    d = (a - b).reshape(5, 2)
    yield five_by_two_t(d), scheme
    yield five_by_two_f(d), scheme


def facts_of(scheme: Scheme) -> dict[str, Any]:
    """What makes the scheme of a comparison one like this; whether it is stratified is left open."""
    return {name: value for name, value in scheme.to_dict().items() if name != "stratified"}


Design = Callable[..., Iterator[Simulated]]


def rows(
    n: int, learner: str, rounds: int = ROUNDS, designs: tuple[Design, ...] = (folds, holdouts, halves)
) -> Iterator[TestRow]:
    seed = SEED + n
    rng = np.random.default_rng(seed)
    results: dict[Scheme, list[list[TestResult]]] = {}
    for number in range(rounds):
        y = (rng.random(n) < 0.5).astype(int)
        x = rng.standard_normal((2, n, FEATURES)) + DISTANCE / math.sqrt(FEATURES) * y[:, None]
        for design in designs:
            for result, scheme in design(LEARNERS[learner], x, y, number):
                results.setdefault(scheme, []).append([result])
    for scheme, samples in results.items():
        cell = {"cases": n, "learner": learner, "scheme": facts_of(scheme)}
        yield from tallied(samples, "accuracy", "splits", "exchangeable", cell, seed)
