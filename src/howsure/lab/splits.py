"""Type I error rates and power of tests over the splits of a resampling scheme."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_number, check_type, check_whole
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
MIN_CASES, MAX_CASES, MAX_CLASSIFIERS, MAX_ROUNDS = 20, 100_000, 20, 1_000_000
TEN_BY_TEN = KFold(10, 10)


@dataclass(frozen=True)
class Rate:
    """A rate over simulation rounds, and its Monte Carlo error."""

    value: float = math.nan
    error: float = math.nan

    @classmethod
    def over_rounds(cls, events: Array) -> Rate:
        """Average flags by round (rows) and pair; the error treats rounds, but not pairs in a round, as independent."""
        rounds, rates = len(events), events.mean(1)
        least = math.sqrt(0.5) / rounds  # keeps the error positive even without any rejections
        error = float(rates.std(ddof=1)) / math.sqrt(rounds) if rounds > 1 else math.nan
        return cls(float(rates.mean()), max(error, least))

    def __str__(self) -> str:
        return "" if math.isnan(self.value) else f"{100 * self.value:.1f} % ± {100 * self.error:.1f}"


@dataclass(frozen=True)
class SplitTest:
    """Rejection rates of one test at the 5 % level.

    ``pair`` is the type I error rate for a pair of equal learners, ``family`` is the family-wise error rate among all
    equal learners, with p-values adjusted as in `compare`, and ``power`` is the rejection rate for the worse learner.
    """

    test: str
    pair: Rate
    family: Rate
    power: Rate
    is_default: bool = False


def rates_of(simulated: Simulated, difference: float) -> Iterator[SplitTest]:
    """Yield the rejection rates of each test that has a p-value in any round."""
    for number, (name, pvalues) in enumerate(simulated.pvalues.items()):
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
    """Return whether each round has a significant adjusted p-value; missing p-values are not significant."""
    smallest = [min(adjust(row, method="bonferroni").pvalues) for row in np.where(np.isnan(pvalues), 1.0, pvalues)]
    return np.array(smallest)[:, None] <= LEVEL


@dataclass(frozen=True, eq=False, repr=False)
class SplitRejections(Result):
    """Rejection rates of tests over splits; the test of `compare` is first.

    Attributes
    ----------
    learner
        Name of the learner.
    n
        Number of cases in a sample.
    scheme
        Resampling scheme.
    classifiers
        Number of learners.
    difference
        Reduction of the distance between the class means for the last learner's features.
    rounds, seed
        Number of samples, and seed of the random numbers.
    tests
        Rates of each test: type I errors in pairs and in the family of all equal learners, and power.

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
        for row in self.tests:
            if row.test == test or (test == "auto" and row.is_default):
                return row
        raise HowsureError(f"`test` must be one of {', '.join(row.test for row in self.tests)}, not {test!r}.")

    @property
    def title(self) -> str:
        return f"{self.learner.replace('_', ' ')}, {self.n} cases, {self.scheme}"

    @property
    def headline(self) -> str:
        """Sentence that states the rates of the first test."""
        first = self.tests[0]
        rates = []
        if not math.isnan(first.pair.value):
            rates.append(f"type I error rate {first.pair} for two equal learners")
        if not math.isnan(first.family.value):
            rates.append(f"family-wise error rate {first.family} for {self.classifiers - bool(self.difference)}")
        if not math.isnan(first.power.value):
            rates.append(f"power {first.power} for the worse learner")
        return f"{registry[first.test].title} at the {100 * LEVEL:g} % level: {', '.join(rates)}."

    def records(self) -> list[Record]:
        return [
            {
                "test": row.test,
                "pair": row.pair.value,
                "pair_error": row.pair.error,
                "family": row.family.value,
                "family_error": row.family.error,
                "power": row.power.value,
                "power_error": row.power.error,
                "rounds": self.rounds,
            }
            for row in self.tests
        ]

    def text(self, width: int | None = None) -> str:
        width = check_width(width)
        return f"{wrapped(self.headline, width)}\n\n{self.sheet().text(width)}"

    def to_dict(self) -> dict[str, Any]:
        header: Mapping[str, Any] = {
            "learner": self.learner,
            "n": self.n,
            "scheme": self.scheme.to_dict(),
            "classifiers": self.classifiers,
            "difference": self.difference,
            "level": LEVEL,
            "seed": self.seed,
        }
        return dict(jsonable({**header, "tests": self.records()}))

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
    """Measure the type I error rate or power of split tests by simulation.

    Every learner has its own features, which are independent of those of the other learners but identically
    distributed.

    Parameters
    ----------
    learner
        A name in `howsure.lab.LEARNERS`, or any scikit-learn estimator. Nearest mean and nearest neighbour are the
        fastest, since they are vectorized over the splits.
    n
        Number of cases in a sample, which has two normal classes whose means are at a distance of 1.7.
    scheme
        Resampling scheme; by default, 10-fold cross-validation repeated 10 times.
    classifiers
        Number of learners to compare.
    difference
        Reduction of the distance between the class means for the last learner's features, from 0 to 1.7. Above 0, that
        learner is worse, and the rejection rate is the power.
    rounds, seed
        Number of samples, and seed of the random numbers.

    Returns
    -------
    SplitRejections
        Proportion of rejections for each test, with its Monte Carlo error.

    Examples
    --------
    >>> from howsure.lab import split_rejections
    >>> print(split_rejections("nearest_mean", n=60, rounds=20).headline)
    Cautious corrected t test at the 5 % level: type I error rate 0.0 % ± 3.5 for two equal learners.
    """
    name, split_learner = learner_of(learner)
    check_type("scheme", scheme, Scheme, "a resampling scheme, such as KFold(10, 10)")
    check_whole("n", n, MIN_CASES, MAX_CASES)
    check_whole("classifiers", classifiers, 2, MAX_CLASSIFIERS)
    check_whole("rounds", rounds, 1, MAX_ROUNDS)
    check_whole("seed", seed, 0, 2**63 - 1)
    if not 0 <= check_number(difference, "difference") <= DISTANCE:
        must("difference", f"a number from 0 to {DISTANCE}", given=difference)
    (simulated,) = simulate(
        split_learner,
        n,
        [Plan(scheme)],
        rng_of(seed, name, n),
        classifiers=classifiers,
        difference=float(difference),
        rounds=rounds,
    )
    tests = tuple(rates_of(simulated, difference))
    return SplitRejections(name, n, scheme, classifiers, float(difference), rounds, seed, tests)
