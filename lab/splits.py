"""Grid of cross-validation: tests of learners on the same splits, and intervals of a learner's accuracy.

A learner is trained on five independent blocks of features with the same distribution (three for a forest with 1,000
cases), and on one whose class means are closer, for the power. Family-wise error rates are those of all equal learners,
adjusted as in `compare`. The seed differs from that on which the bounds of the cautious t test were chosen
(docs/decisions/2026-11-16-cross-validation-inference.md). In fewer cells, there are the estimates of `lab.refits`.
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
EQUAL = 5  # number of equal learners
DIFFERENCE = 8.0  # divided by sqrt(n): by how much closer the class means of the worse learner are
FRESH = 500  # cases of each round that are not used for training, for the true accuracy
ROUNDS = {
    "nearest_mean": {60: 300, 100: 300, 300: 250, 1000: 150},
    "naive_bayes": {60: 300, 100: 300, 300: 250, 1000: 150},
    "logistic_regression": {60: 300, 100: 300, 300: 250, 1000: 150},
    "tree": {60: 400, 100: 400, 300: 250, 1000: 150},
    "forest": {60: 150, 100: 150, 300: 100, 1000: 50},
    "nearest_neighbour": {60: 500, 100: 500, 300: 300, 1000: 200},
}


REFITTED = {"nearest_mean": 150, "tree": 100, "nearest_neighbour": 150}  # rounds by learner, with 100 cases


def measure(items: Iterable[str], learner: str, rounds: dict[str, int], seed: int) -> dict[str, list[Row]]:
    """Return the rows of each number of cases."""
    return {item: _of_cases(learner, int(item), rounds[item], seed) for item in items}


def measure_refits(items: Iterable[str], n: int, rounds: dict[str, int], seed: int) -> dict[str, list[Row]]:
    """Return the rows of each learner."""
    return {item: refits.rows(item, n, DIFFERENCE / math.sqrt(n), rounds[item], seed) for item in items}


def _part(learner: str, rounds: dict[int, int]) -> Part:
    by_item = {str(n): number for n, number in rounds.items()}
    return Part(f"splits-{learner}", measure, tuple(by_item), {"learner": learner, "rounds": by_item, "seed": SEED})


PARTS = (
    *(_part(learner, rounds) for learner, rounds in ROUNDS.items()),
    Part("splits-refits", measure_refits, tuple(REFITTED), {"n": 100, "rounds": REFITTED, "seed": SEED}),
)


def _of_cases(learner: str, n: int, rounds: int, seed: int) -> list[Row]:
    is_long = (learner, n) == ("forest", 1000)
    plans, equal, difference = FOLDS if is_long else PLANS, 3 if is_long else EQUAL, DIFFERENCE / math.sqrt(n)
    results = simulate(
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
    for simulated in results:
        cell = {"cases": n, "learner": learner, "scheme": facts_of(simulated.scheme)}
        rows += [*_test_rows(simulated, cell, equal, difference), *_interval_rows(simulated, cell)]
    return [{**row, "rounds": rounds, "seed": seed} for row in rows]


def _test_rows(simulated: Simulated, cell: Mapping[str, Any], equal: int, difference: float) -> Iterator[Row]:
    """Yield the rejection rates for pairs of equal learners, for all of them, and for the worse learner."""
    for test in rates_of(simulated, difference):
        header = {"test": test.test, "variant": "", "measure": "accuracy", "design": "splits"}
        rates = (
            ("exchangeable", {**cell, "classifiers": 2}, test.pair),
            ("exchangeable", {**cell, "classifiers": equal}, test.family),
            ("apart", {**cell, "classifiers": 2, "difference": round(difference, 4)}, test.power),
        )
        for pair, setting, rate in rates:
            yield {**header, "pair": pair, "cell": setting, **_rounded(rate)}


def _interval_rows(simulated: Simulated, cell: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the coverage of the expected accuracy after training on all cases, and after training on a split."""
    truths = {"all cases": simulated.fresh[:, :-1], "a split": simulated.values[:, :-1]}  # without the worse learner
    for name, limits in simulated.bounds.items():
        low, high = limits[..., 0], limits[..., 1]
        defined = ~np.isnan(low)
        for trained_on, values in truths.items():
            truth = float(values.mean())
            yield {
                "interval": name,
                "measure": "accuracy",
                "design": "splits",
                "cell": {**cell, "trained_on": trained_on},
                "truth": round(truth, 5),
                "below": round(float((high < truth)[defined].mean()), 5),
                "above": round(float((low > truth)[defined].mean()), 5),
                "width": round(float(np.median((high - low)[defined])), 5),
                "given": round(float(defined.mean()), 5),
                **_rounded(Rate.over_rounds(defined & (low <= truth) & (truth <= high))),
            }


def _rounded(rate: Rate) -> Row:
    return {"rate": round(rate.value, 6), "error": round(rate.error, 6)}


def facts_of(scheme: Scheme) -> Row:
    """Return the parameters of a scheme, except whether it is stratified."""
    return {name: value for name, value in scheme.to_dict().items() if name != "stratified"}
