"""Cross-validation: tests of learners on the same splits, and intervals of one learner's accuracy.

The same learner on independent blocks of features of the same distribution, five times (a forest of 1,000 cases three
times), and once on a block whose class means are nearer, for the power. Tests are also made as `compare` makes them of
all the equal ones together, adjusted for their number. Seeds are not those on which the bounds of the cautious t were
chosen (docs/decisions/2026-11-16-cross-validation-inference.md). Beside them, on fewer cells, the estimates that refit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from howsure import FiveByTwo, KFold, RepeatedHoldout
from howsure.lab.split_rounds import Plan, Simulated, rng_of, simulate
from howsure.lab.splits import Rate, rates_of
from howsure.resampling.declare import Scheme
from lab import refits
from lab.batch_learners import BATCH_LEARNERS
from lab.parts import Part, Row

SEED = 14
CORRECTED = ("cautious_paired_t", "corrected_paired_t")
FOLDS = (Plan(KFold(10, 10), intervals=2), Plan(KFold(10), intervals=2), Plan(KFold(10, 3), CORRECTED))
PLANS = (
    *FOLDS,
    Plan(FiveByTwo(), (*CORRECTED, "five_by_two_t", "five_by_two_f")),
    Plan(RepeatedHoldout(30), (*CORRECTED, "paired_t")),
)
EQUAL = 5  # learners that are equally good
REACH = 8.0  # over the root of the number of cases: by how much the class means of the worse learner are nearer
FRESH = 500  # cases of each round that no learner trains on, to know how good it is
ROUNDS = {
    "nearest_mean": {60: 300, 100: 300, 300: 250, 1000: 150},
    "naive_bayes": {60: 300, 100: 300, 300: 250, 1000: 150},
    "logistic_regression": {60: 300, 100: 300, 300: 250, 1000: 150},
    "tree": {60: 400, 100: 400, 300: 250, 1000: 150},
    "forest": {60: 150, 100: 150, 300: 100, 1000: 50},
    "nearest_neighbour": {60: 500, 100: 500, 300: 300, 1000: 200},
}


REFITTED = {"nearest_mean": 150, "tree": 100, "nearest_neighbour": 150}  # learners and rounds, of 100 cases


def measure(items: Iterable[str], learner: str, rounds: dict[str, int], seed: int) -> dict[str, list[Row]]:
    """Give the rows of each number of cases."""
    return {item: _of_cases(learner, int(item), rounds[item], seed) for item in items}


def measure_refits(items: Iterable[str], n: int, rounds: dict[str, int], seed: int) -> dict[str, list[Row]]:
    """Give the rows of each learner."""
    return {item: refits.rows(item, n, REACH / math.sqrt(n), rounds[item], seed) for item in items}


def _part(learner: str, rounds: dict[int, int]) -> Part:
    by_item = {str(n): number for n, number in rounds.items()}
    return Part(f"splits-{learner}", measure, tuple(by_item), {"learner": learner, "rounds": by_item, "seed": SEED})


PARTS = (
    *(_part(learner, rounds) for learner, rounds in ROUNDS.items()),
    Part("splits-refits", measure_refits, tuple(REFITTED), {"n": 100, "rounds": REFITTED, "seed": SEED}),
)


def _of_cases(learner: str, n: int, rounds: int, seed: int) -> list[Row]:
    is_long = (learner, n) == ("forest", 1000)
    plans, equal, difference = FOLDS if is_long else PLANS, 3 if is_long else EQUAL, REACH / math.sqrt(n)
    found = simulate(
        BATCH_LEARNERS[learner],
        n,
        plans,
        rng_of(seed, learner, n),
        classifiers=equal + 1,
        difference=difference,
        rounds=rounds,
        fresh=FRESH,
    )
    rows = []
    for one in found:
        cell = {"cases": n, "learner": learner, "scheme": facts_of(one.scheme)}
        rows += [*_test_rows(one, cell, equal, difference), *_interval_rows(one, cell)]
    return [{**row, "rounds": rounds, "seed": seed} for row in rows]


def _test_rows(found: Simulated, cell: Mapping[str, Any], equal: int, difference: float) -> Iterator[Row]:
    """Give the rejections in each pair of equal learners, among all of them together, and of the worse learner."""
    for one in rates_of(found, difference):
        about = {"test": one.test, "variant": "", "measure": "accuracy", "design": "splits"}
        rates = (
            ("exchangeable", {**cell, "classifiers": 2}, one.pair),
            ("exchangeable", {**cell, "classifiers": equal}, one.family),
            ("apart", {**cell, "classifiers": 2, "difference": round(difference, 4)}, one.power),
        )
        for pair, setting, rate in rates:
            yield {**about, "pair": pair, "cell": setting, **_rounded(rate)}


def _interval_rows(found: Simulated, cell: Mapping[str, Any]) -> Iterator[Row]:
    """Count how often intervals hold the expected accuracy: as trained on all cases, and as trained in a split."""
    truths = {"all cases": found.fresh[:, :-1], "a split": found.values[:, :-1]}  # the last learner is worse
    for name, limits in found.bounds.items():
        low, high = limits[..., 0], limits[..., 1]
        given = ~np.isnan(low)
        for trained_on, values in truths.items():
            truth = float(values.mean())
            yield {
                "interval": name,
                "measure": "accuracy",
                "design": "splits",
                "cell": {**cell, "trained_on": trained_on},
                "truth": round(truth, 5),
                "below": round(float((high < truth)[given].mean()), 5),
                "above": round(float((low > truth)[given].mean()), 5),
                "width": round(float(np.median((high - low)[given])), 5),
                "given": round(float(given.mean()), 5),
                **_rounded(Rate.over_rounds(given & (low <= truth) & (truth <= high))),
            }


def _rounded(rate: Rate) -> Row:
    return {"rate": round(rate.value, 6), "error": round(rate.error, 6)}


def facts_of(scheme: Scheme) -> Row:
    """What makes the scheme of a comparison one like this; whether it is stratified is left open."""
    return {name: value for name, value in scheme.to_dict().items() if name != "stratified"}
