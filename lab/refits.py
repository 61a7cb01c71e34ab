"""Estimates that refit to know how sure they are: nested cross-validation, conservative z.

They take hundreds of fits. Each is made twice by the functions that make it for users: first to hear which training
sets it wants, then, when a learner has learned from all of them at once, with the losses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.intervals.cross_validated import CrossValidated
from howsure.lab.split_rounds import Sample, rng_of
from howsure.lab.splits import Rate
from howsure.resampling.error.nested import Losses, conservative_by_losses, nested_by_losses
from lab.batch_learners import BATCH_LEARNERS
from lab.parts import Row

Estimated = tuple[float, float]  # the mean loss, and its standard error
ESTIMATES: dict[str, Callable[..., Estimated]] = {
    "nested-cv": partial(nested_by_losses, folds=10, repeats=10),
    "conservative-z": partial(conservative_by_losses, splits=15, halvings=10, test=0.1),
}


def training_sets(estimate: Callable[[Losses], Estimated], n: int) -> Array:
    """Give the training sets that an estimate asks for, a row for each fit."""
    asked: list[IntArray] = []

    def listen(train: IntArray, test: IntArray) -> Floats:
        asked.append(train)
        return np.zeros(len(test))

    estimate(listen)
    flags = np.zeros((len(asked), n), bool)
    for row, train in zip(flags, asked, strict=True):
        row[train] = True
    return flags


def replay(estimate: Callable[[Losses], Estimated], losses: Array) -> Estimated:
    """Make an estimate from the losses of its fits, in the order in which it asks for them."""
    rows = iter(losses)
    return estimate(lambda _train, test: np.asarray(next(rows)[test], float))


def rows(learner: str, n: int, difference: float, rounds: int, seed: int) -> list[Row]:
    """Count how often intervals of the difference of error rates leave out 0: of equal learners, and of a worse one."""
    right, rng = BATCH_LEARNERS[learner], rng_of(seed, f"{learner}, refitted", n)
    found: dict[str, list[list[bool]]] = {name: [] for name in ESTIMATES}
    for number in range(rounds):
        sample = Sample.draw(rng, n, 3, difference)
        for name, make in ESTIMATES.items():
            estimate = partial(make, codes=sample.y, seed=number)
            train = training_sets(estimate, n).astype(float)
            first, equal, worse = (~right(block, sample.y, train, rng) for block in sample.blocks)
            differences = [first.astype(int) - other for other in (equal, worse)]
            intervals = [CrossValidated(*replay(estimate, one), name).interval(0.95) for one in differences]
            found[name].append([bool(interval.low > 0 or interval.high < 0) for interval in intervals])
    made = []
    for name, outcome in found.items():
        for column, pair in enumerate(("exchangeable", "apart")):
            rate = Rate.over_rounds(np.array(outcome)[:, column : column + 1])
            about = {"interval": name, "measure": "error_rate", "pair": pair, "cell": {"cases": n, "learner": learner}}
            made.append({**about, "rate": rate.value, "error": rate.error, "rounds": rounds, "seed": seed})
    return made
