"""How often tests of two classifiers on the same cases find a difference: where there is none, and where there is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import names_of, whole_between
from howsure.errors import HowsureError, must_be_one_of
from howsure.intervals.declare import Request
from howsure.lab.paired_tests import of_samples, of_tables, paired_tests_of
from howsure.lab.pairs import LabelPair, PairCell, ScorePair
from howsure.lab.samples import Asked
from howsure.lab.splits import Rate
from howsure.measured.tests import LEVEL, PAIRS, TestRow
from howsure.present.result import Result, check_width
from howsure.present.sheet import Record
from howsure.present.value_text import few_percent, jsonable, number, spoken
from howsure.present.words import wrapped
from howsure.significance.declare import Test, registry
from howsure.significance.evidence import simulated_as
from howsure.tables import PairedScores, PairedTable

ROUNDS, MOST_ROUNDS = 1000, 1_000_000
SLACK = 1e-9  # by which the truth may miss the end of an interval that it equals: equal classifiers were solved for


@dataclass(frozen=True)
class Found:
    """How often one test found a difference, in samples of one population.

    ``rate`` is the share of rejections at the 5 % level among the samples in which the test has an answer, ``given``
    the share of such samples, and ``coverage`` how often the 95 % interval of the difference held the true one.
    """

    population: str
    difference: float
    test: str
    rate: Rate
    given: float
    coverage: float
    rounds: int
    is_default: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Rejections(Result):
    """How often tests find a difference of two classifiers; the first row is that of `compare` where there is none.

    Attributes
    ----------
    measure
        What classifiers are compared by.
    about
        The setting, in words.
    seed
        Of the samples.
    rows
        How often each test found a difference, by population.

    Examples
    --------
    >>> from howsure.lab import rejections
    >>> result = rejections("accuracy", n=60, rounds=200)
    >>> result.rows[0].test, result["auto"].rate.value < 0.1
    ('mcnemar', True)
    """

    measure: str
    about: str
    seed: int
    rows: tuple[Found, ...]

    def __getitem__(self, test: str) -> Found:
        row = next((row for row in self.rows if row.test == test or (test == "auto" and row.is_default)), None)
        if row is None:
            must_be_one_of("test", list(dict.fromkeys(row.test for row in self.rows)), given=test)
        return row

    @property
    def title(self) -> str:
        return f"{spoken(self.measure)}: {self.about}"

    @property
    def headline(self) -> str:
        """The answer in a sentence or two."""
        return " ".join(_sentence(row, self.measure) for row in self.rows if row.is_default)

    def records(self) -> list[Record]:
        return [
            {
                "population": row.population,
                "difference": row.difference,
                "test": row.test,
                "rejected": row.rate.value,
                "error": row.rate.error,
                "coverage": row.coverage,
                "given": row.given,
                "rounds": row.rounds,
            }
            for row in self.rows
        ]

    def text(self, width: int | None = None) -> str:
        width = check_width(width)
        return f"{wrapped(self.headline, width)}\n\n{self.sheet().text(width)}"

    def to_dict(self) -> dict[str, Any]:
        about = {"measure": self.measure, "setting": self.about, "level": LEVEL, "seed": self.seed}
        return dict(jsonable({**about, "rows": self.records()}))

    def __repr__(self) -> str:
        return f"Rejections({self.measure}, {self.about}, {len(self.rows)} rows)"


def _sentence(row: Found, measure: str) -> str:
    title = registry[row.test].title
    if not row.given:
        return f"{title} has no answer in any sample of {row.population}."
    is_null = row.difference == 0
    apart = "" if is_null else f", which are {number(abs(row.difference))} apart in {spoken(measure)}"
    what = "finds a difference that is not there in" if is_null else "finds the difference in"
    rest = f"; in {few_percent(1 - row.given)} of the samples it has no answer" if row.given < 1 else ""
    return f"{title} of {row.population}{apart}: at the {100 * LEVEL:g} % level it {what} {row.rate} of samples{rest}."


def rejections(
    measure: str,
    n: int = 100,
    prevalence: float = 0.5,
    quality: str | float = "good",
    *,
    pair: str = "exchangeable",
    correlation: float = 0.0,
    tests: str | Sequence[str] = "auto",
    rounds: int = ROUNDS,
    seed: int = 0,
    clusters: int | None = None,
    icc: float = 0.0,
) -> Rejections:
    """Measure how often a test of two classifiers rejects, in samples from a population where they are equal, or not.

    Parameters
    ----------
    measure
        Any measure by which two classifiers can be compared, of labels or of scores.
    n, prevalence, quality
        Cases in a sample, share of the positive class, and how good the first classifier is.
    pair
        What the second one is: "exchangeable", alike in all; "equal", with the same value by other errors (another
        recall and specificity, another spread of its scores, overconfident probabilities); "apart", of the next lower
        quality, so that the rate is the power.
    correlation
        How alike the answers of the two are, beyond what the truth makes alike: 0 to 1.
    tests
        Names, or "all" that are valid; the default is that of `compare`.
    rounds, seed
        Samples drawn, and the seed of the random numbers.
    clusters, icc
        So many clusters that the cases come in, and the correlation within them.

    Returns
    -------
    Rejections
        The share of rejections of each test, with its error by simulation.

    Examples
    --------
    >>> from howsure.lab import rejections
    >>> print(rejections("f1", n=60, prevalence=0.2, pair="equal", rounds=500)["auto"].rate)
    2.8 % ± 0.7
    """
    whole_between("rounds", rounds, 1, MOST_ROUNDS)
    whole_between("seed", seed, 0, 2**63 - 1)
    asked, cell = Asked.of(measure), PairCell(n, prevalence, quality, pair, correlation, clusters, icc)
    drawn = Drawn.of_cell(cell, asked, rounds, seed)
    rows = drawn.found(asked, chosen_tests(asked, tests, drawn.design), PAIRS[pair])
    return Rejections(asked.spec, cell.title, seed, tuple(rows))


def chosen_tests(asked: Asked, tests: str | Sequence[str] = "auto", design: str = "cases") -> tuple[Test, ...]:
    """Give the tests of these names, the default where none is named."""
    if asked.measure.better is None:
        raise HowsureError(f"`{asked.measure.name}` has no better or worse, so nothing can be compared by it.")
    every = paired_tests_of(asked.measure, design)
    if isinstance(tests, str) and tests == "auto":
        return every[:1]
    names = names_of("tests", tests)
    if names == ["all"]:
        return every
    by_name = {test.name: test for test in every}
    for name in names:
        if name not in by_name:
            must_be_one_of("tests", list(by_name), given=name)
    return tuple(by_name[name] for name in names)


class Drawn:
    """Samples of one population, the same for every test and measure of one kind."""

    tables: Array | None = None
    samples: Sequence[PairedTable | PairedScores] = ()
    design = "cases"

    def __init__(self, population: LabelPair | ScorePair, n: int, rounds: int, rng: np.random.Generator | None) -> None:
        self.population, self.n, self.rounds = population, n, rounds
        if rng is None:  # the samples are given later
            return
        if isinstance(population, LabelPair):
            self.tables = population.draw(rng, n, rounds)
        else:
            self.samples = [population.draw(rng, n) for _ in range(rounds)]

    @classmethod
    def of_cell(cls, cell: PairCell, asked: Asked, rounds: int, seed: int) -> Drawn:
        """Draw the samples of a cell: of independent cases, or of clusters of them."""
        population = cell.population(asked)
        if not cell.clusters:
            return cls(population, cell.n, rounds, cell.rng(seed))
        made = cls(population, cell.n, rounds, None)
        made.samples, made.design = cell.clustered(asked, rounds, seed), "clusters"
        return made

    def found(self, asked: Asked, tests: Sequence[Test], name: str) -> list[Found]:
        """Count the rejections of each test."""
        truth, default = self.population.truth(asked), paired_tests_of(asked.measure, self.design)[0]
        rows = []
        for test in tests:
            pvalues, low, high = self._outcomes(asked, test)
            given = ~np.isnan(pvalues)
            has_interval = ~np.isnan(low)
            held = (low - SLACK <= truth) & (truth <= high + SLACK)
            coverage = float(held[has_interval].mean()) if has_interval.any() else math.nan
            rate = _rate(pvalues[given])
            rows.append(
                Found(name, truth, test.name, rate, float(given.mean()), coverage, self.rounds, test is default)
            )
        return rows

    def _outcomes(self, asked: Asked, test: Test) -> tuple[Floats, Floats, Floats]:
        if self.tables is not None:
            return of_tables(self.tables, asked, test, Request())
        return of_samples(self.samples, asked, test, Request())


def _rate(pvalues: Floats) -> Rate:
    return Rate.over_rounds((pvalues <= LEVEL)[:, None]) if len(pvalues) else Rate()


def stored_row(found: Found, asked: Asked, cell: PairCell, seed: int) -> TestRow:
    """Give a row as it is stored."""
    facts = {name: value for name, value in cell.to_dict().items() if name != "pair"}
    measure = asked.spec if asked.parameters else simulated_as(asked.measure)
    variant = "auto" if registry[found.test].variants else ""
    rate, given, coverage = found.rate.value, found.given, found.coverage
    design = "clusters" if cell.clusters else "cases"
    return TestRow(found.test, variant, measure, design, cell.pair, facts, rate, given, coverage, found.rounds, seed)
