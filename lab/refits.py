"""Error estimates that need hundreds of fits: nested cross-validation and conservative z.

The functions of the package are called twice: first to record the training sets, then with the losses, after a batch
learner has learned from all training sets together.
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
    """Return the training sets of an estimate, one row per fit."""
    sets: list[IntArray] = []

    def record(train: IntArray, test: IntArray) -> Floats:
        sets.append(train)
        return np.zeros(len(test))

    estimate(record)
    flags = np.zeros((len(sets), n), bool)
    for row, train in zip(flags, sets, strict=True):
        row[train] = True
    return flags


def replay(estimate: Callable[[Losses], Estimated], losses: Array) -> Estimated:
    """Compute an estimate from the losses of its fits, in the order of `training_sets`."""
    rows = iter(losses)
    return estimate(lambda _train, test: np.asarray(next(rows)[test], float))


def rows(learner: str, n: int, difference: float, rounds: int, seed: int) -> list[Row]:
    """Count how often intervals of the difference to an equal and to a worse learner exclude 0."""
    fit_all, rng = BATCH_LEARNERS[learner], rng_of(seed, f"{learner}, refitted", n)
    rejected: dict[str, list[list[bool]]] = {name: [] for name in ESTIMATES}
    for number in range(rounds):
        sample = Sample.draw(rng, n, 3, difference)
        for name, make in ESTIMATES.items():
            estimate = partial(make, codes=sample.y, seed=number)
            train = training_sets(estimate, n).astype(float)
            first, equal, worse = (~fit_all(block, sample.y, train, rng) for block in sample.blocks)
            differences = [first.astype(int) - losses for losses in (equal, worse)]
            intervals = [CrossValidated(*replay(estimate, losses), name).interval(0.95) for losses in differences]
            rejected[name].append([bool(interval.low > 0 or interval.high < 0) for interval in intervals])
    result = []
    for name, flags in rejected.items():
        for column, pair in enumerate(("exchangeable", "apart")):
            rate = Rate.over_rounds(np.array(flags)[:, column : column + 1])
            cell = {"cases": n, "learner": learner}
            setting = {"interval": name, "measure": "error_rate", "pair": pair, "cell": cell}
            result.append({**setting, "rate": rate.value, "error": rate.error, "rounds": rounds, "seed": seed})
    return result
