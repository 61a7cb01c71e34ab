"""Simulation of tests and intervals over the splits of a resampling scheme.

Each round draws a sample, fits the learners on every split, and computes the tests and intervals. Every learner has its
own block of features. The blocks are independent and identically distributed, so a learner has the same expected
accuracy on each of them, and a test that rejects makes a type I error. In the last block, the class means may be closer
together: this learner is worse, and the rejection rate is the power.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.comparison.folds import design_of
from howsure.errors import HowsureError
from howsure.intervals.cross_validated import CrossValidated, loss_error
from howsure.intervals.declare import Basis
from howsure.intervals.mean import MeanOfValues
from howsure.lab.split_learners import SplitLearner
from howsure.resampling.declare import Scheme
from howsure.resampling.index_sets import Splits
from howsure.significance import valid_tests
from howsure.significance.declare import Test, registry
from howsure.significance.evidence import PairedValues
from howsure.tables import Design

FEATURES, DISTANCE = 5, 1.7  # features per block and distance between the class means; accuracy is about 0.8
Pair = tuple[int, int]
NAIVE = "paired_t"  # shown along with the valid tests, although it treats splits as independent


@dataclass(frozen=True)
class Sample:
    """Classes and blocks of features; the cases after the first ``n`` are never used for training."""

    n: int
    y: IntArray
    blocks: Floats

    @classmethod
    def draw(cls, rng: np.random.Generator, n: int, classifiers: int, difference: float, fresh: int = 0) -> Sample:
        y = (rng.random(n + fresh) < 0.5).astype(np.int64)
        apart = np.full(classifiers, DISTANCE)
        apart[-1] -= difference
        blocks = rng.standard_normal((classifiers, n + fresh, FEATURES))
        blocks += (apart / math.sqrt(FEATURES))[:, None, None] * y[:, None]
        return cls(n, y, blocks)


@dataclass(frozen=True)
class Outcome:
    """Losses of learners on the splits of one scheme."""

    design: Design
    repeat: IntArray
    test: Array  # flags with shape (splits, cases)
    losses: Array  # shape (learners, splits, cases)

    @cached_property
    def kind(self) -> str:
        return design_of(self.design)

    @cached_property
    def accuracies(self) -> Floats:
        """Accuracy of each learner (rows) in each split (columns)."""
        return 1 - np.asarray((self.losses * self.test).sum(2) / self.test.sum(1))

    def case_losses(self, learner: int) -> Floats:
        """Return the loss of each case; every case is tested once."""
        return np.asarray((self.losses[learner] * self.test).sum(0), float)

    @property
    def fold(self) -> IntArray:
        """Fold of each case; every case is tested once."""
        return np.asarray(self.test.argmax(0))


def outcomes(
    learner: SplitLearner, sample: Sample, schemes: Sequence[Scheme], rng: np.random.Generator
) -> tuple[list[Outcome], Floats]:
    """Fit a learner to each block on every split and on all cases.

    Return the outcome of each scheme, and the accuracies on the fresh cases after training on all others. Training
    sets that several schemes share, such as the folds of the first repeat, are fitted only once.
    """
    n, y = sample.n, sample.y[: sample.n]
    seed = int(rng.integers(2**31))
    all_splits = [_complete(scheme.splits(y, seed=seed)) for scheme in schemes]
    tests = [_test_rows(splits) for splits in all_splits]
    distinct, index = np.unique(np.concatenate(tests), axis=0, return_inverse=True)
    losses = np.array([~learner(block[:n], y, (~distinct).astype(float), rng) for block in sample.blocks])
    ends = np.cumsum([len(test) for test in tests])[:-1]
    results = [
        Outcome(splits.design, np.array([entry.repeat for entry in splits.entries]), test, losses[:, rows])
        for splits, test, rows in zip(all_splits, tests, np.split(index.ravel(), ends), strict=True)
    ]
    train = np.arange(len(sample.y))[None] < n
    if train.all():
        return results, np.full(len(sample.blocks), np.nan)
    fresh = [learner(block, sample.y, train.astype(float), rng)[0, n:].mean() for block in sample.blocks]
    return results, np.array(fresh)


def _complete(splits: Splits) -> Splits:
    """Raise an error for splits whose training set is not the complement of the test set."""
    if any(entry.train is not None or entry.validation is not None for entry in splits.entries):
        raise HowsureError(f"`scheme` must train on every case that it does not test, but {splits.scheme} does not.")
    return splits


def _test_rows(splits: Splits) -> Array:
    test = np.zeros((len(splits.entries), splits.n), bool)
    for row, entry in zip(test, splits.entries, strict=True):
        row[entry.test] = True
    return test


@dataclass(frozen=True)
class Plan:
    """The tests of a scheme (by default, all valid tests) and the number of learners that get intervals."""

    scheme: Scheme
    tests: Sequence[str] = ()
    intervals: int = 0

    def chosen(self, kind: str) -> tuple[Test, ...]:
        """Return the planned tests or, if there are none, this design's valid tests (the default first) and `NAIVE`."""
        valid = (*valid_tests("any", kind).valid, registry[NAIVE])
        return tuple(registry[name] for name in self.tests) or valid


def pvalues(outcome: Outcome, tests: Sequence[Test], pairs: Sequence[Pair]) -> Floats:
    """Return the p-values of tests (rows) for pairs of learners (columns)."""
    values, design = outcome.accuracies, outcome.design
    repeat = outcome.repeat if outcome.kind in ("repeated", "five_by_two") else None
    columns = []
    for a, b in pairs:
        evidence = PairedValues(values[a], values[b], design.ratio, repeat=repeat)
        columns.append([_pvalue(test, evidence, outcome, a, b) for test in tests])
    return np.array(columns).T


def _pvalue(test: Test, evidence: PairedValues, outcome: Outcome, a: int, b: int) -> float:
    if test.apply is not None:
        return float(test.apply(evidence, None).pvalue)
    return float(test.function(outcome.case_losses(a), outcome.case_losses(b), outcome.fold).pvalue)


def accuracy_bases(outcome: Outcome, learner: int) -> Iterator[Basis]:
    """Yield the data for intervals of a learner's accuracy: values per split and, if possible, losses per case."""
    design = outcome.design
    repeat = outcome.repeat if design.is_repeated else None
    yield MeanOfValues(outcome.accuracies[learner], design.overlap > 0, design.ratio, (0.0, 1.0), repeat=repeat)
    if design.tested == 1:
        losses = outcome.case_losses(learner)
        yield CrossValidated(1 - float(losses.mean()), loss_error(losses, outcome.fold), "cv-clt", (0.0, 1.0))


def bounds(outcome: Outcome, learner: int) -> dict[str, tuple[float, float]]:
    """Return the 95 % interval of a learner's accuracy for each method, the default first."""
    intervals: dict[str, tuple[float, float]] = {}
    for basis in accuracy_bases(outcome, learner):
        for method in basis.methods:
            interval = basis.interval(0.95, method)
            intervals[method] = (interval.low, interval.high)
    return intervals


def pairs_to_test(classifiers: int, difference: float) -> list[Pair]:
    """List all pairs of equally good learners, then the first learner paired with the worse one, if any."""
    equal = list(combinations(range(classifiers - bool(difference)), 2))
    return [*equal, (0, classifiers - 1)] if difference else equal


@dataclass(frozen=True)
class Simulated:
    """Results of all rounds for the splits of one scheme."""

    scheme: Scheme
    pvalues: dict[str, Floats]  # by test, with shape (rounds, pairs)
    bounds: dict[str, Floats]  # by interval method, with shape (rounds, learners, 2)
    values: Floats  # mean accuracy over the splits, with shape (rounds, learners)
    fresh: Floats  # accuracy on fresh cases after training on the whole sample, with shape (rounds, learners)


def simulate(
    learner: SplitLearner,
    n: int,
    plans: Sequence[Plan],
    rng: np.random.Generator,
    *,
    classifiers: int,
    difference: float,
    rounds: int,
    fresh: int = 0,
) -> list[Simulated]:
    """Simulate samples and compute the planned tests and intervals for each scheme."""
    schemes, pairs = [plan.scheme for plan in plans], pairs_to_test(classifiers, difference)
    results: list[dict[str, Any]] = [{"pvalues": [], "bounds": [], "values": []} for _ in plans]
    fresh_accuracies = []
    for _round in range(rounds):
        sample = Sample.draw(rng, n, classifiers, difference, fresh)
        by_scheme, accuracies = outcomes(learner, sample, schemes, rng)
        fresh_accuracies.append(accuracies)
        for result, plan, outcome in zip(results, plans, by_scheme, strict=True):
            tests = result.setdefault("tests", plan.chosen(outcome.kind))
            result["pvalues"].append(pvalues(outcome, tests, pairs))
            result["values"].append(outcome.accuracies.mean(1))
            result["bounds"].append([bounds(outcome, number) for number in range(plan.intervals)])
    return [
        Simulated(
            plan.scheme,
            {test.name: column for test, column in zip(result["tests"], _tests_first(result["pvalues"]), strict=True)},
            _by_method(result["bounds"]) if plan.intervals else {},
            np.array(result["values"]),
            np.array(fresh_accuracies),
        )
        for plan, result in zip(plans, results, strict=True)
    ]


def _tests_first(rounds: list[Floats]) -> Floats:
    return np.array(rounds).transpose(1, 0, 2)


def _by_method(rounds: list[list[dict[str, tuple[float, float]]]]) -> dict[str, Floats]:
    return {
        method: np.array([[intervals[method] for intervals in learners] for learners in rounds])
        for method in rounds[0][0]
    }


def rng_of(seed: int, learner: str, n: int) -> np.random.Generator:
    """Return a generator seeded by the learner and the number of cases, so that each part of a grid is reproducible."""
    return np.random.default_rng([seed, n, *learner.encode()])
