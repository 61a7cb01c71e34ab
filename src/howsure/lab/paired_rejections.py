"""Type I error rates and power of tests that compare two classifiers on the same cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_whole, names_of
from howsure.errors import HowsureError, must_be_one_of
from howsure.intervals.declare import Request
from howsure.lab.paired_tests import of_samples, of_tables, paired_tests_of
from howsure.lab.pairs import LabelPair, PairCell, ScorePair
from howsure.lab.samples import ParsedMeasure
from howsure.lab.splits import Rate
from howsure.measured.tests import LEVEL, PAIRS, TestRow
from howsure.present.result import Result, check_width
from howsure.present.sheet import Record
from howsure.present.value_text import few_percent, jsonable, number, spoken
from howsure.present.words import wrapped
from howsure.significance.declare import Test, registry
from howsure.significance.evidence import simulated_as
from howsure.tables import PairedScores, PairedTable

ROUNDS, MAX_ROUNDS = 1000, 1_000_000
SLACK = 1e-9  # tolerance when a limit equals the true difference, which is found numerically


@dataclass(frozen=True)
class RejectionRate:
    """Rejection rate of one test in samples from one population.

    ``rate`` is the proportion of rejections at the 5 % level among the samples with a p-value, ``given`` the proportion
    of such samples, and ``coverage`` the coverage of the 95 % interval for the difference.
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
    """Rejection rates of tests that compare two classifiers.

    Attributes
    ----------
    measure
        Measure by which the classifiers are compared.
    about
        Description of the setting.
    seed
        Seed of the random numbers.
    rows
        Rejection rate of each test in each population; the default test of `compare` comes first.

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
    rows: tuple[RejectionRate, ...]

    def __getitem__(self, test: str) -> RejectionRate:
        row = next((row for row in self.rows if row.test == test or (test == "auto" and row.is_default)), None)
        if row is None:
            must_be_one_of("test", list(dict.fromkeys(row.test for row in self.rows)), given=test)
        return row

    @property
    def title(self) -> str:
        return f"{spoken(self.measure)}: {self.about}"

    @property
    def headline(self) -> str:
        """One sentence per population with the rejection rate of the default test."""
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
        header = {"measure": self.measure, "setting": self.about, "level": LEVEL, "seed": self.seed}
        return dict(jsonable({**header, "rows": self.records()}))

    def __repr__(self) -> str:
        return f"Rejections({self.measure}, {self.about}, {len(self.rows)} rows)"


def _sentence(row: RejectionRate, measure: str) -> str:
    title = registry[row.test].title
    if not row.given:
        return f"{title} for {row.population}: no p-value in any sample."
    if row.difference == 0:
        difference, rate = "", "type I error rate"
    else:
        difference, rate = f" with a difference of {number(abs(row.difference))} in {spoken(measure)}", "power"
    undefined = f"; no p-value in {few_percent(1 - row.given)} of samples" if row.given < 1 else ""
    return f"{title} for {row.population}{difference}: {rate} {row.rate} at the {100 * LEVEL:g} % level{undefined}."


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
    """Measure the type I error rate or power of paired tests by simulation.

    Parameters
    ----------
    measure
        Name of a measure of labels or scores.
    n, prevalence, quality
        Number of cases in a sample, proportion of the positive class, and quality of the first classifier.
    pair
        The second classifier: "exchangeable" has the same rates; "equal" has the same value of the measure but makes
        different errors (different recall and specificity, different spread of scores, or overconfident probabilities);
        "apart" has the next lower quality, so that the rejection rate is the power.
    correlation
        Correlation of the predictions given the truth, from 0 to 1.
    tests
        Names of tests, or "all" for all valid tests; by default, the test that `compare` uses.
    rounds, seed
        Number of samples, and seed of the random numbers.
    clusters, icc
        Number of clusters of cases, and correlation within them.

    Returns
    -------
    Rejections
        Proportion of rejections for each test, with its Monte Carlo error.

    Examples
    --------
    >>> from howsure.lab import rejections
    >>> print(rejections("f1", n=60, prevalence=0.2, pair="equal", rounds=500)["auto"].rate)
    2.8 % ± 0.7
    """
    check_whole("rounds", rounds, 1, MAX_ROUNDS)
    check_whole("seed", seed, 0, 2**63 - 1)
    parsed, cell = ParsedMeasure.of(measure), PairCell(n, prevalence, quality, pair, correlation, clusters, icc)
    samples = PairSamples.of_cell(cell, parsed, rounds, seed)
    rows = samples.rejections(parsed, chosen_tests(parsed, tests, samples.design), PAIRS[pair])
    return Rejections(parsed.spec, cell.title, seed, tuple(rows))


def chosen_tests(
    measure: ParsedMeasure, tests: str | Sequence[str] = "auto", design: str = "cases"
) -> tuple[Test, ...]:
    """Look up tests by name; "auto" stands for the default test."""
    if measure.measure.better is None:
        raise HowsureError(f"`{measure.measure.name}` has no better or worse values, so it cannot be compared.")
    valid = paired_tests_of(measure.measure, design)
    if isinstance(tests, str) and tests == "auto":
        return valid[:1]
    names = names_of("tests", tests)
    if names == ["all"]:
        return valid
    by_name = {test.name: test for test in valid}
    for name in names:
        if name not in by_name:
            must_be_one_of("tests", list(by_name), given=name)
    return tuple(by_name[name] for name in names)


class PairSamples:
    """Samples from one population of two classifiers, shared by all tests and measures of one kind."""

    tables: Array | None = None
    samples: Sequence[PairedTable | PairedScores] = ()
    design = "cases"

    def __init__(self, population: LabelPair | ScorePair, n: int, rounds: int, rng: np.random.Generator | None) -> None:
        self.population, self.n, self.rounds = population, n, rounds
        if rng is None:  # `of_cell` sets the samples
            return
        if isinstance(population, LabelPair):
            self.tables = population.draw(rng, n, rounds)
        else:
            self.samples = [population.draw(rng, n) for _ in range(rounds)]

    @classmethod
    def of_cell(cls, cell: PairCell, measure: ParsedMeasure, rounds: int, seed: int) -> PairSamples:
        """Draw the samples of a cell, with independent or clustered cases."""
        population = cell.population(measure)
        if not cell.clusters:
            return cls(population, cell.n, rounds, cell.rng(seed))
        samples = cls(population, cell.n, rounds, None)
        samples.samples, samples.design = cell.clustered(measure, rounds, seed), "clusters"
        return samples

    def rejections(self, measure: ParsedMeasure, tests: Sequence[Test], population: str) -> list[RejectionRate]:
        """Count the rejections of each test."""
        truth, default = self.population.truth(measure), paired_tests_of(measure.measure, self.design)[0]
        rows = []
        for test in tests:
            pvalues, low, high = self._outcomes(measure, test)
            has_pvalue, has_interval = ~np.isnan(pvalues), ~np.isnan(low)
            covered = (low - SLACK <= truth) & (truth <= high + SLACK)
            coverage = float(covered[has_interval].mean()) if has_interval.any() else math.nan
            rate, given = _rate(pvalues[has_pvalue]), float(has_pvalue.mean())
            is_default = test is default
            rows.append(RejectionRate(population, truth, test.name, rate, given, coverage, self.rounds, is_default))
        return rows

    def _outcomes(self, measure: ParsedMeasure, test: Test) -> tuple[Floats, Floats, Floats]:
        if self.tables is not None:
            return of_tables(self.tables, measure, test, Request())
        return of_samples(self.samples, measure, test, Request())


def _rate(pvalues: Floats) -> Rate:
    return Rate.over_rounds((pvalues <= LEVEL)[:, None]) if len(pvalues) else Rate()


def stored_row(row: RejectionRate, measure: ParsedMeasure, cell: PairCell, seed: int) -> TestRow:
    """Return a row in the form that is stored."""
    setting = {name: value for name, value in cell.to_dict().items() if name != "pair"}
    name = measure.spec if measure.parameters else simulated_as(measure.measure)
    variant = "auto" if registry[row.test].variants else ""
    design = "clusters" if cell.clusters else "cases"
    return TestRow(
        row.test,
        variant,
        name,
        design,
        cell.pair,
        setting,
        row.rate.value,
        row.given,
        row.coverage,
        row.rounds,
        seed,
    )
