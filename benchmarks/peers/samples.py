"""Samples for all programs, written to a folder.

Each cell has predictions of two equal classifiers with independent errors, as counts by truth and both predicted
labels, and the scores of two equal classifiers case by case. There are also equal learners on the same folds, and equal
learners over several data sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from howsure import KFold
from howsure.arrays import Array
from howsure.lab import Cell
from howsure.lab.design import quality_of

SIZES, PREVALENCES, GRADES = (20, 50, 200, 1000), (0.5, 0.1, 0.02), ("poor", "good")
CELLS = [Cell(n, prevalence, quality) for n, prevalence, quality in product(SIZES, PREVALENCES, GRADES)]
FEATURES, DISTANCE, CASES = 5, 1.7, 100  # each learner has its own features, with the same distribution
DATA_SETS, LEARNERS = 15, 5


@dataclass(frozen=True)
class Rounds:
    """Numbers of samples; bootstraps use only the first ``slow``, and tests that fit learners the first ``fitted``."""

    cases: int = 400
    slow: int = 100
    folds: int = 150
    fitted: int = 60
    data_sets: int = 150


def write_samples(folder: Path, rounds: Rounds, seed: int) -> None:
    for index, cell in enumerate(CELLS):
        drawn = sample(cell, rounds.cases, seed)
        write_arrays(folder / f"cell-{index}.npz", drawn)
        for name in ("truth", "first", "second", "discordant"):  # for R, one sample after the other
            drawn[name].astype("<f8").tofile(folder / f"cell-{index}.{name}")
    for name, learner in LEARNER_KINDS.items():
        write_arrays(folder / f"folds-{name}.npz", fold_values(learner, rounds.folds, seed))
    rng = np.random.default_rng([seed, DATA_SETS])
    hardness = rng.normal(0.8, 0.1, (rounds.data_sets, DATA_SETS, 1))
    values = hardness + rng.normal(0, 0.02, (rounds.data_sets, DATA_SETS, LEARNERS))
    write_arrays(folder / "data-sets.npz", {"values": values})


def write_arrays(path: Path, arrays: dict[str, Any]) -> None:
    np.savez(path, **arrays)


def sample(cell: Cell, rounds: int, seed: int) -> dict[str, Array]:
    rng, quality, population = cell.rng(seed), quality_of(cell.quality), cell.scores(probabilities=False)
    both = [np.array([q, 1 - q]) for q in (quality.specificity, 1 - quality.recall)]  # shares of the two labels
    shares = [share * np.outer(p, p) for share, p in zip((1 - cell.prevalence, cell.prevalence), both, strict=True)]
    pairs = rng.multinomial(cell.n, np.ravel(shares), rounds).reshape(rounds, 2, 2, 2)
    cases = [population.cases(rng, cell.n) for _ in range(rounds)]
    truth, first = (np.array(column) for column in zip(*cases, strict=True))
    second = rng.normal(quality.separation * truth)
    return {"pairs": pairs, "discordant": discordant(pairs), "truth": truth, "first": first, "second": second}


def discordant(pairs: Array) -> Array:
    """Count the cases that only the first, and only the second classifier predicts correctly."""
    only_first = pairs[:, 0, 0, 1] + pairs[:, 1, 1, 0]
    only_second = pairs[:, 0, 1, 0] + pairs[:, 1, 0, 1]
    return np.stack([only_first, only_second], 1)


def nearest_mean(x: Array, y: Array, train: Array) -> Array:
    """Return whether the nearest mean classifies each row correctly, in each split."""
    low, high = ((train * (y == label)) @ x / (train * (y == label)).sum(1, keepdims=True) for label in (0, 1))
    return np.asarray(y == (x @ (high - low).T > ((high**2).sum(1) - (low**2).sum(1)) / 2).T)


def nearest_neighbour(x: Array, y: Array, train: Array) -> Array:
    """Return whether the nearest neighbour classifies each row correctly, in each split."""
    squares = (x**2).sum(1)
    order = np.argsort(squares - 2 * x @ x.T, axis=1)  # a row is nearest to itself, but not a training row when tested
    return np.asarray(y[order[np.arange(len(y)), train.astype(bool)[:, order].argmax(2)]] == y)


LEARNER_KINDS: dict[str, Any] = {"nearest-mean": nearest_mean, "nearest-neighbour": nearest_neighbour}


def fold_values(learner: Any, rounds: int, seed: int) -> dict[str, Array]:
    """Return cases, and the accuracies of two equal learners in 10 x 10 folds; the first 10 are one repeat."""
    rng = np.random.default_rng([seed, CASES])
    y = np.arange(CASES) % 2
    x = rng.normal(size=(rounds, 2, CASES, FEATURES)) + DISTANCE / np.sqrt(FEATURES) * y[:, None]
    values = np.empty((rounds, 2, 100))
    for number in range(rounds):
        test = np.zeros((100, CASES))
        for index, entry in enumerate(KFold(10, 10).splits(y, seed=number).entries):
            test[index, entry.test] = 1
        for block in (0, 1):
            values[number, block] = (learner(x[number, block], y, 1 - test) * test).sum(1) / test.sum(1)
    return {"x": x, "y": y, "values": values}
