"""How often tests over the splits of a cross-validation find a difference: of equal learners, and of a worse one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_number, is_a, whole_between
from howsure.errors import HowsureError, must
from howsure.lab.split_learners import learner_of
from howsure.lab.split_rounds import DISTANCE, Plan, Simulated, rng_of, simulate
from howsure.measured.tests import LEVEL
from howsure.present.result import Result, check_width
from howsure.present.sheet import Record
from howsure.present.value_text import jsonable
from howsure.present.words import wrapped
from howsure.resampling.declare import Scheme
from howsure.resampling.schemes import KFold
from howsure.significance import adjust
from howsure.significance.declare import registry

ROUNDS = 200
LEAST_CASES, MOST_CASES, MOST_CLASSIFIERS, MOST_ROUNDS = 20, 100_000, 20, 1_000_000
TEN_BY_TEN = KFold(10, 10)


@dataclass(frozen=True)
class Rate:
    """A share over rounds, and its standard error by simulation."""

    value: float = math.nan
    error: float = math.nan

    @classmethod
    def over_rounds(cls, happened: Array) -> Rate:
        """Average over rounds (rows); pairs of one round are not independent, so only rounds count for the error."""
        rounds, of_rounds = len(happened), happened.mean(1)
        least = math.sqrt(0.5) / rounds  # so that no rejection at all has an error, too
        error = float(of_rounds.std(ddof=1)) / math.sqrt(rounds) if rounds > 1 else math.nan
        return cls(float(of_rounds.mean()), max(error, least))

    def __str__(self) -> str:
        return "" if math.isnan(self.value) else f"{100 * self.value:.1f} % ± {100 * self.error:.1f}"


@dataclass(frozen=True)
class SplitTest:
    """What became of one test: how often it rejects at the 5 % level.

    ``pair`` is the rate in pairs of equal learners; ``family`` that of any difference among all equal learners, where
    p-values are adjusted as `compare` does; ``power`` the rate at which the worse learner is found.
    """

    test: str
    pair: Rate
    family: Rate
    power: Rate
    is_default: bool = False


def rates_of(found: Simulated, difference: float) -> Iterator[SplitTest]:
    """Count the rejections of each test; one without an answer in any round is left out."""
    for number, (name, pvalues) in enumerate(found.pvalues.items()):
        if np.isnan(pvalues).all():
            continue
        equal = pvalues[:, : pvalues.shape[1] - bool(difference)]
        yield SplitTest(
            name,
            Rate.over_rounds(equal <= LEVEL) if equal.size else Rate(),
            Rate.over_rounds(_any_adjusted(equal)) if equal.shape[1] > 1 else Rate(),
            Rate.over_rounds(pvalues[:, -1:] <= LEVEL) if difference else Rate(),
            number == 0,
        )


def _any_adjusted(pvalues: Floats) -> Array:
    """Tell of each round whether any of its p-values is small when they are adjusted; no answer is no rejection."""
    smallest = [min(adjust(row, method="bonferroni").pvalues) for row in np.where(np.isnan(pvalues), 1.0, pvalues)]
    return np.array(smallest)[:, None] <= LEVEL


@dataclass(frozen=True, eq=False, repr=False)
class SplitRejections(Result):
    """How often each test over splits rejects; the first is the one that `compare` takes.

    Attributes
    ----------
    learner
        What was trained.
    n
        Cases in a sample.
    scheme
        The resampling.
    classifiers
        How many equal learners there were.
    difference
        By how much the last one was worse.
    rounds, seed
        Samples drawn, and the seed of the random numbers.
    tests
        How often each test rejects, in pairs and among all, and how often it finds the worse learner.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.lab import split_rejections
    >>> result = split_rejections("nearest_mean", n=40, scheme=KFold(5), rounds=20)
    >>> result.tests[0].test, result.tests[0].is_default
    ('corrected_paired_t', True)
    """

    learner: str
    n: int
    scheme: Scheme
    classifiers: int
    difference: float
    rounds: int
    seed: int
    tests: tuple[SplitTest, ...]

    def __getitem__(self, test: str) -> SplitTest:
        for one in self.tests:
            if one.test == test or (test == "auto" and one.is_default):
                return one
        raise HowsureError(f"`test` must be one of {', '.join(one.test for one in self.tests)}, not {test!r}.")

    @property
    def title(self) -> str:
        return f"{self.learner.replace('_', ' ')}, {self.n} cases, {self.scheme}"

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        first = self.tests[0]
        said = []
        if not math.isnan(first.pair.value):
            said.append(f"a difference of two equal learners in {first.pair}")
        if not math.isnan(first.family.value):
            said.append(f"any among {self.classifiers - bool(self.difference)} of them in {first.family}")
        if not math.isnan(first.power.value):
            said.append(f"that of the worse learner in {first.power}")
        return f"{registry[first.test].title} at the {100 * LEVEL:g} % level: it finds {', '.join(said)}."

    def records(self) -> list[Record]:
        return [
            {
                "test": one.test,
                "pair": one.pair.value,
                "pair_error": one.pair.error,
                "family": one.family.value,
                "family_error": one.family.error,
                "power": one.power.value,
                "power_error": one.power.error,
                "rounds": self.rounds,
            }
            for one in self.tests
        ]

    def text(self, width: int | None = None) -> str:
        width = check_width(width)
        return f"{wrapped(self.headline, width)}\n\n{self.sheet().text(width)}"

    def to_dict(self) -> dict[str, Any]:
        about: Mapping[str, Any] = {
            "learner": self.learner,
            "n": self.n,
            "scheme": self.scheme.to_dict(),
            "classifiers": self.classifiers,
            "difference": self.difference,
            "level": LEVEL,
            "seed": self.seed,
        }
        return dict(jsonable({**about, "tests": self.records()}))

    def __repr__(self) -> str:
        return f"SplitRejections({self.title}, {len(self.tests)} tests)"


def split_rejections(
    learner: Any = "nearest_neighbour",
    n: int = 100,
    scheme: Scheme = TEN_BY_TEN,
    *,
    classifiers: int = 2,
    difference: float = 0.0,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> SplitRejections:
    """Measure how often tests over the splits of a sample find a difference between equally good learners.

    Parameters
    ----------
    learner
        A name of `howsure.lab.LEARNERS`, which learns from all splits at once, or any estimator of scikit-learn.
    n
        Cases in a sample: two normal classes, as many features for each of the ``classifiers`` as for the others.
    scheme
        The resampling. By default ten times ten folds.
    classifiers
        How often the learner is there, each time with features of its own, independent and alike in distribution.
    difference
        By how much the class means of the last one's features are nearer to each other, 1.7 being the distance of the
        others. Above 0 it is worse, and the rate at which it is found is the power.
    rounds, seed
        Samples drawn, and the seed of the random numbers.

    Returns
    -------
    SplitRejections
        The share of rejections of each test, with its error by simulation.

    Examples
    --------
    >>> from howsure.lab import split_rejections
    >>> print(split_rejections("nearest_mean", n=60, rounds=20).headline)
    Cautious corrected t test at the 5 % level: it finds a difference of two equal learners in 0.0 % ± 3.5.
    """
    name, split_learner = learner_of(learner)
    is_a("scheme", scheme, Scheme, "a resampling scheme, such as KFold(10, 10)")
    whole_between("n", n, LEAST_CASES, MOST_CASES)
    whole_between("classifiers", classifiers, 2, MOST_CLASSIFIERS)
    whole_between("rounds", rounds, 1, MOST_ROUNDS)
    whole_between("seed", seed, 0, 2**63 - 1)
    if not 0 <= check_number(difference, "difference") <= DISTANCE:
        must("difference", f"a number from 0 to {DISTANCE}", given=difference)
    found = simulate(
        split_learner,
        n,
        [Plan(scheme)],
        rng_of(seed, name, n),
        classifiers=classifiers,
        difference=float(difference),
        rounds=rounds,
    )
    tests = tuple(rates_of(found[0], difference))
    return SplitRejections(name, n, scheme, classifiers, float(difference), rounds, seed, tests)
