"""Test two classifiers in many samples at once, by the functions that test them in one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.arrays import Array, Floats
from howsure.comparison.declared import tested_as
from howsure.intervals.declare import Request
from howsure.lab.label_intervals import counts_of
from howsure.lab.samples import Asked, label_of
from howsure.measures.declare import Measure
from howsure.measures.estimate.difference import Difference, difference
from howsure.measures.estimate.influence import STEP
from howsure.measures.estimate.paired_error import HALF, freedom_of_ratio
from howsure.significance import valid_tests
from howsure.significance.declare import Test
from howsure.significance.evidence import PairedAnswers
from howsure.significance.two.delta import NO_SPREAD
from howsure.tables import PairedScores, PairedTable

Outcomes = tuple[Floats, Floats, Floats]  # p-values, and the ends of the intervals of the difference


def paired_tests_of(measure: Measure, design: str = "cases") -> tuple[Test, ...]:
    """Give the tests of two classifiers on the same cases that are valid for a measure, the default first."""
    return tuple(test for test in valid_tests(tested_as(measure), design).valid if test.apply is not None)


def of_samples(samples: Sequence[PairedScores | PairedTable], asked: Asked, test: Test, request: Request) -> Outcomes:
    """Test one sample after the other; the interval is the default one."""
    return _columns([_outcome(_difference(each, asked), test, request) for each in samples])


def _difference(sample: PairedScores | PairedTable, asked: Asked) -> Difference:
    label = label_of(asked.measure, len(sample.labels)) if isinstance(sample, PairedTable) else None
    return difference(sample, asked.measure, label=label, parameters=asked.parameters)


def of_tables(tables: Array, asked: Asked, test: Test, request: Request) -> Outcomes:
    """Test all tables of labels, of shape (samples, truth, first, second); each different one once."""
    k = tables.shape[-1]
    if asked.measure.of_accuracy is not None:
        tables = _right_and_wrong(tables)
    different, place = np.unique(tables.reshape(len(tables), -1), axis=0, return_inverse=True)
    different = different.reshape(-1, k, k, k)
    by_delta = test.name == "paired_delta" and k == 2
    outcomes = _by_delta(different, asked, test, request) if by_delta else _one_by_one(different, asked, test, request)
    pvalues, low, high = (column[place.ravel()] for column in outcomes)
    return pvalues, low, high


def _right_and_wrong(tables: Array) -> Array:
    """Count only who is right, in the first class: nothing else matters to accuracy, and fewer tables differ."""
    k = tables.shape[-1]
    truth, first, second = np.indices((k, k, k))
    counted = np.zeros_like(tables)
    for wrong in np.ndindex(2, 2):
        those = ((first != truth) == wrong[0]) & ((second != truth) == wrong[1])
        counted[(..., 0, *wrong)] = tables[..., those].sum(-1)
    return counted


def paired_table(counts: Array) -> PairedTable:
    """Make the table of counts by truth, first and second prediction."""
    cells = np.argwhere(counts > 0)
    return PairedTable(cells, counts[tuple(cells.T)], tuple(range(len(counts))))


def _one_by_one(tables: Array, asked: Asked, test: Test, request: Request) -> Outcomes:
    label = label_of(asked.measure, tables.shape[-1])
    pairs = (difference(paired_table(one), asked.measure, label=label, parameters=asked.parameters) for one in tables)
    return _columns([_outcome(one, test, request) for one in pairs])


def _outcome(seen: Difference, test: Test, request: Request) -> tuple[float, float, float]:
    assert test.apply is not None
    result = test.apply(PairedAnswers(seen), None)
    if np.isnan(seen.value):
        return result.pvalue, np.nan, np.nan
    low, high = seen.interval(request.confidence, "auto", request.side, replicates=None, seed=0)
    return result.pvalue, low, high


def _columns(rows: list[tuple[float, float, float]]) -> Outcomes:
    pvalues, low, high = np.array(rows, float).reshape(-1, 3).T
    return pvalues, low, high


def _by_delta(tables: Array, asked: Asked, test: Test, request: Request) -> Outcomes:
    """Divide the differences of all tables by their errors; the few without an error are tested one by one."""
    from scipy.special import ndtri, stdtr

    measure, n = asked.measure, float(tables[0].sum())
    on_log = measure.range == (0, np.inf)
    each = tables.sum(3), tables.sum(2)
    with np.errstate(all="ignore"):
        seen = _value(each[0], asked) - _value(each[1], asked)
        value, error = _halves_added(tables, each, asked, on_log=on_log)
        of_a_count, halves = measure.freedom_of_a_count, (one + HALF for one in each)
        freedom = freedom_of_ratio(of_a_count, *halves) if of_a_count else np.inf
        pvalues = 2 * stdtr(freedom, -np.abs(value / error))
    pvalues[(value * seen <= 0) & (seen != 0)] = 1.0  # with the cases that were added nothing is left of the difference
    pvalues[(tables * (1 - np.eye(2))).sum((1, 2, 3)) == 0] = 1.0  # the same answer in every case
    reach = -ndtri(request.alpha) * error
    lowest, highest = measure.span(n, asked.parameters)
    low, high = (np.clip(end, lowest - highest, highest - lowest) for end in (value - reach, value + reach))
    low, high = np.fmin(low, seen), np.fmax(high, seen)
    if on_log:  # the interval of a difference of ratios is not that of their logarithms, and not made here
        low, high = np.full((2, len(tables)), np.nan)
    pvalues[np.isnan(seen) & ~(on_log & _has_cases(tables, measure))] = np.nan
    low[np.isnan(seen)] = high[np.isnan(seen)] = np.nan
    alone = ~np.isnan(seen) & ~(error > NO_SPREAD)
    if alone.any():
        pvalues[alone], low[alone], high[alone] = _one_by_one(tables[alone], asked, test, request)
    return pvalues, low, high


def _has_cases(tables: Array, measure: Measure) -> Array:
    """Tell in which tables each true class has the cases that a measure needs of each."""
    return np.asarray((tables.sum((2, 3)) >= measure.cases_of_each[1]).all(-1))


def _value(counts: Array, asked: Asked) -> Array:
    return np.asarray(asked.measure.value(counts_of(counts, asked.measure), **asked.parameters))


def _halves_added(tables: Array, each: tuple[Array, Array], asked: Asked, *, on_log: bool) -> tuple[Array, Array]:
    """Give differences and their errors with half a case more in each class that only one of the two gets right."""
    with_halves = [counts + HALF for counts in each]
    values = [_value(counts, asked) for counts in with_halves]
    slopes = [_slopes(counts, asked) for counts in with_halves]
    if on_log:
        slopes = [slope / value[:, None, None] for slope, value in zip(slopes, values, strict=True)]
        values = [np.log(value) for value in values]
    influence = slopes[0][:, :, :, None] - slopes[1][:, :, None, :]
    truth, first, second = np.indices((2, 2, 2))
    weight = tables + HALF * ((first == truth) != (second == truth))
    axes = (1, 2, 3)
    mean = (weight * influence).sum(axes) / weight.sum(axes)
    variance = (weight * (influence - mean[:, None, None, None]) ** 2).sum(axes)
    return values[0] - values[1], np.sqrt(variance)


def _slopes(counts: Array, asked: Asked) -> Array:
    """Give the derivative of a measure by each cell of each table, by the complex step."""
    slopes = np.empty(counts.shape)
    for cell in np.ndindex(2, 2):
        nudged = counts.astype(complex)
        nudged[(..., *cell)] += 1j * STEP
        slopes[(..., *cell)] = _value(nudged, asked).imag / STEP
    return slopes
