"""Rounds of a simulation of splits: samples are drawn, learners fitted on every split, tests and intervals made.

Each learner sees a block of features of its own. The blocks have the same distribution and are independent, so the same
learner on each of them is expected to be equally good, and whatever a test finds is not there. In the last block the
class means may be nearer to each other: its learner is worse, and a test ought to find that.
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
from howsure.lab.split_learners import Right
from howsure.resampling.declare import Scheme
from howsure.resampling.index_sets import Splits
from howsure.significance import valid_tests
from howsure.significance.declare import Test, registry
from howsure.significance.evidence import PairedValues
from howsure.tables import Design

FEATURES, DISTANCE = 5, 1.7  # of a block, and between its class means: an accuracy of about 0.8
Pair = tuple[int, int]
NAIVE = "paired_t"  # shown beside the valid tests: it takes splits for independent


@dataclass(frozen=True)
class Sample:
    """Classes and blocks of features; the cases after the first ``n`` are fresh ones."""

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
    """What learners did on the splits of one scheme: their losses, of shape (learners, splits, cases)."""

    design: Design
    repeat: IntArray
    test: Array  # which cases are tested, a row for each split
    losses: Array

    @cached_property
    def kind(self) -> str:
        return design_of(self.design)

    @cached_property
    def accuracies(self) -> Floats:
        """Of each learner (rows) in each split (columns)."""
        return 1 - np.asarray((self.losses * self.test).sum(2) / self.test.sum(1))

    def case_losses(self, learner: int) -> Floats:
        """Give the loss of each case, where every case is tested once."""
        return np.asarray((self.losses[learner] * self.test).sum(0), float)

    @property
    def fold(self) -> IntArray:
        """Of each case, where every case is tested once."""
        return np.asarray(self.test.argmax(0))


def outcomes(
    right: Right, sample: Sample, schemes: Sequence[Scheme], rng: np.random.Generator
) -> tuple[list[Outcome], Floats]:
    """Fit every learner on every split of the schemes, and on all cases; give the accuracy of these on fresh cases.

    A training set that several schemes have, such as the folds of a first repeat, is learned from once.
    """
    n, y = sample.n, sample.y[: sample.n]
    seed = int(rng.integers(2**31))
    every = [_complete(scheme.splits(y, seed=seed)) for scheme in schemes]
    tests = [_test_rows(splits) for splits in every]
    different, place = np.unique(np.concatenate(tests), axis=0, return_inverse=True)
    wrong = np.array([~right(block[:n], y, (~different).astype(float), rng) for block in sample.blocks])
    ends = np.cumsum([len(test) for test in tests])[:-1]
    found = [
        Outcome(splits.design, np.array([entry.repeat for entry in splits.entries]), test, wrong[:, places])
        for splits, test, places in zip(every, tests, np.split(place.ravel(), ends), strict=True)
    ]
    whole = np.arange(len(sample.y))[None] < n
    if whole.all():
        return found, np.full(len(sample.blocks), np.nan)
    fresh = [right(block, sample.y, whole.astype(float), rng)[0, n:].mean() for block in sample.blocks]
    return found, np.array(fresh)


def _complete(splits: Splits) -> Splits:
    """Refuse splits that leave cases out, or take some twice: then the cases to train on are not all the others."""
    if any(entry.train is not None or entry.validation is not None for entry in splits.entries):
        raise HowsureError(f"`scheme` must train on every case that it does not test, which {splits.scheme} does not.")
    return splits


def _test_rows(splits: Splits) -> Array:
    test = np.zeros((len(splits.entries), splits.n), bool)
    for row, entry in zip(test, splits.entries, strict=True):
        row[entry.test] = True
    return test


@dataclass(frozen=True)
class Plan:
    """What is made of the splits of a scheme: which tests, by default all, and the intervals of how many learners."""

    scheme: Scheme
    tests: Sequence[str] = ()
    intervals: int = 0

    def chosen(self, kind: str) -> tuple[Test, ...]:
        """Give the tests: those that are valid for splits of this kind, the default first, and the naive one."""
        every = (*valid_tests("any", kind).valid, registry[NAIVE])
        return tuple(registry[name] for name in self.tests) or every


def pvalues(outcome: Outcome, tests: Sequence[Test], pairs: Sequence[Pair]) -> Floats:
    """Give the p-value of each test (rows) for each pair of learners (columns)."""
    values, design = outcome.accuracies, outcome.design
    repeat = outcome.repeat if outcome.kind in ("repeated", "five_by_two") else None
    found = []
    for a, b in pairs:
        evidence = PairedValues(values[a], values[b], design.ratio, repeat=repeat)
        found.append([_pvalue(test, evidence, outcome, a, b) for test in tests])
    return np.array(found).T


def _pvalue(test: Test, evidence: PairedValues, outcome: Outcome, a: int, b: int) -> float:
    if test.apply is not None:
        return float(test.apply(evidence, None).pvalue)
    return float(test.function(outcome.case_losses(a), outcome.case_losses(b), outcome.fold).pvalue)


def accuracy_bases(outcome: Outcome, learner: int) -> Iterator[Basis]:
    """Give what intervals of the accuracy of one learner can rest on: the values of splits, and the losses of cases."""
    design = outcome.design
    repeat = outcome.repeat if design.is_repeated else None
    yield MeanOfValues(outcome.accuracies[learner], design.overlap > 0, design.ratio, (0.0, 1.0), repeat=repeat)
    if design.tested == 1:
        losses = outcome.case_losses(learner)
        yield CrossValidated(1 - float(losses.mean()), loss_error(losses, outcome.fold), "cv-clt", (0.0, 1.0))


def bounds(outcome: Outcome, learner: int) -> dict[str, tuple[float, float]]:
    """Give the 95 % interval of a learner's accuracy by every method, the default first."""
    found: dict[str, tuple[float, float]] = {}
    for basis in accuracy_bases(outcome, learner):
        for method in basis.methods:
            interval = basis.interval(0.95, method)
            found[method] = (interval.low, interval.high)
    return found


def pairs_to_test(classifiers: int, difference: float) -> list[Pair]:
    """List all pairs of equally good learners and, where the last one is worse, that of the first and the last."""
    equal = list(combinations(range(classifiers - bool(difference)), 2))
    return [*equal, (0, classifiers - 1)] if difference else equal


@dataclass(frozen=True)
class Simulated:
    """What was found on the splits of one scheme, round by round.

    ``pvalues`` has for each test an array of rounds and pairs, ``bounds`` for each interval method one of rounds,
    learners and (low, high). ``values`` are the accuracies over splits, and ``fresh`` those on cases of which none was
    trained on, after training on all cases of the sample: both of rounds and learners.
    """

    scheme: Scheme
    pvalues: dict[str, Floats]
    bounds: dict[str, Floats]
    values: Floats
    fresh: Floats


def simulate(
    right: Right,
    n: int,
    plans: Sequence[Plan],
    rng: np.random.Generator,
    *,
    classifiers: int,
    difference: float,
    rounds: int,
    fresh: int = 0,
) -> list[Simulated]:
    """Draw samples, and make of the splits of each what is planned."""
    schemes, pairs = [plan.scheme for plan in plans], pairs_to_test(classifiers, difference)
    found: list[dict[str, Any]] = [{"pvalues": [], "bounds": [], "values": []} for _ in plans]
    of_fresh = []
    for _round in range(rounds):
        sample = Sample.draw(rng, n, classifiers, difference, fresh)
        of_schemes, truth = outcomes(right, sample, schemes, rng)
        of_fresh.append(truth)
        for kept, plan, outcome in zip(found, plans, of_schemes, strict=True):
            tests = kept.setdefault("tests", plan.chosen(outcome.kind))
            kept["pvalues"].append(pvalues(outcome, tests, pairs))
            kept["values"].append(outcome.accuracies.mean(1))
            kept["bounds"].append([bounds(outcome, learner) for learner in range(plan.intervals)])
    return [
        Simulated(
            plan.scheme,
            dict(zip((test.name for test in kept["tests"]), np.array(kept["pvalues"]).transpose(1, 0, 2), strict=True)),
            _by_method(kept["bounds"]) if plan.intervals else {},
            np.array(kept["values"]),
            np.array(of_fresh),
        )
        for plan, kept in zip(plans, found, strict=True)
    ]


def _by_method(rounds: list[list[dict[str, tuple[float, float]]]]) -> dict[str, Floats]:
    return {method: np.array([[one[method] for one in learners] for learners in rounds]) for method in rounds[0][0]}


def rng_of(seed: int, learner: str, n: int) -> np.random.Generator:
    """Random numbers of this learner and number of cases alone, so that a part of a grid gives the same anywhere."""
    return np.random.default_rng([seed, n, *learner.encode()])
