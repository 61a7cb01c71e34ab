"""Tests that compare two classifiers on many samples.

The delta test, the default for most measures, is vectorized over the tables, so that 1,000 samples take a few
milliseconds instead of 0.5 s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.arrays import Array, Floats
from howsure.comparison.declared import tested_as
from howsure.intervals.declare import Request
from howsure.lab.label_intervals import counts_of
from howsure.lab.samples import ParsedMeasure, label_of
from howsure.measures.declare import Measure
from howsure.measures.estimate.difference import Difference, difference
from howsure.measures.estimate.influence import STEP
from howsure.measures.estimate.paired_error import HALF, freedom_of_ratio
from howsure.significance import valid_tests
from howsure.significance.declare import Test
from howsure.significance.evidence import PairedAnswers
from howsure.significance.two.delta import NO_SPREAD
from howsure.tables import PairedScores, PairedTable

Outcomes = tuple[Floats, Floats, Floats]  # p-values, lower and upper limits of the difference


def paired_tests_of(measure: Measure, design: str = "cases") -> tuple[Test, ...]:
    """Return the valid tests for comparing two classifiers on the same cases by a measure, the default first."""
    return tuple(test for test in valid_tests(tested_as(measure), design).valid if test.apply is not None)


def of_samples(
    samples: Sequence[PairedScores | PairedTable], measure: ParsedMeasure, test: Test, request: Request
) -> Outcomes:
    """Test each sample, with default intervals."""
    return _columns([_outcome(_difference(sample, measure), test, request) for sample in samples])


def _difference(sample: PairedScores | PairedTable, measure: ParsedMeasure) -> Difference:
    label = label_of(measure.measure, len(sample.labels)) if isinstance(sample, PairedTable) else None
    return difference(sample, measure.measure, label=label, parameters=measure.parameters)


def of_tables(tables: Array, measure: ParsedMeasure, test: Test, request: Request) -> Outcomes:
    """Test each sample in an array of shape (samples, truth, first, second); duplicate tables are tested only once."""
    k = tables.shape[-1]
    distinct, index = np.unique(tables.reshape(len(tables), -1), axis=0, return_inverse=True)
    distinct = distinct.reshape(-1, k, k, k)
    compute = _by_delta if test.name == "paired_delta" and k == 2 else _one_by_one
    outcomes = compute(distinct, measure, test, request)
    pvalues, low, high = (column[index.ravel()] for column in outcomes)
    return pvalues, low, high


def paired_table(counts: Array) -> PairedTable:
    """Build a `PairedTable` from counts by truth, first prediction and second prediction."""
    cells = np.argwhere(counts > 0)
    return PairedTable(cells, counts[tuple(cells.T)], tuple(range(len(counts))))


def _one_by_one(tables: Array, measure: ParsedMeasure, test: Test, request: Request) -> Outcomes:
    return of_samples([paired_table(counts) for counts in tables], measure, test, request)


def _outcome(observed: Difference, test: Test, request: Request) -> tuple[float, float, float]:
    assert test.apply is not None
    result = test.apply(PairedAnswers(observed), None)
    if np.isnan(observed.value):
        return result.pvalue, np.nan, np.nan
    low, high = observed.interval(request.confidence, "auto", request.side, replicates=None, seed=0)
    return result.pvalue, low, high


def _columns(rows: list[tuple[float, float, float]]) -> Outcomes:
    pvalues, low, high = np.array(rows, float).reshape(-1, 3).T
    return pvalues, low, high


def _by_delta(tables: Array, measure: ParsedMeasure, test: Test, request: Request) -> Outcomes:
    """Apply the delta test to all tables at once; the few with a standard error of 0 are tested one by one."""
    from scipy.special import ndtri, stdtr

    declared, n = measure.measure, float(tables[0].sum())
    on_log = declared.range == (0, np.inf)  # ratios are compared by their logarithms
    each = tables.sum(3), tables.sum(2)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = _value(each[0], measure) - _value(each[1], measure)
        value, error = _with_half_cases(tables, each, measure, on_log=on_log)
        of_a_count, halves = declared.df_per_count, (counts + HALF for counts in each)
        freedom = freedom_of_ratio(of_a_count, *halves) if of_a_count else np.inf
        pvalues = 2 * stdtr(freedom, -np.abs(value / error))
    pvalues[(value * observed <= 0) & (observed != 0)] = 1.0  # adding half cases reverses the sign of the difference
    pvalues[(tables * (1 - np.eye(2))).sum((1, 2, 3)) == 0] = 1.0  # all predictions agree
    reach = -ndtri(request.alpha) * error
    lowest, highest = declared.span(n, measure.parameters)
    low, high = (np.clip(end, lowest - highest, highest - lowest) for end in (value - reach, value + reach))
    low, high = np.fmin(low, observed), np.fmax(high, observed)
    if on_log:  # an interval for the difference of logarithms is not an interval for the difference
        low, high = np.full((2, len(tables)), np.nan)
    pvalues[np.isnan(observed) & ~(on_log & _has_cases(tables, declared))] = np.nan
    low[np.isnan(observed)] = high[np.isnan(observed)] = np.nan
    degenerate = ~np.isnan(observed) & ~(error > NO_SPREAD)
    if degenerate.any():
        outcomes = _one_by_one(tables[degenerate], measure, test, request)
        pvalues[degenerate], low[degenerate], high[degenerate] = outcomes
    return pvalues, low, high


def _has_cases(tables: Array, measure: Measure) -> Array:
    """Flag the tables that have the minimum number of cases of each true class."""
    return np.asarray((tables.sum((2, 3)) >= measure.cases_of_each[1]).all(-1))


def _value(counts: Array, measure: ParsedMeasure) -> Array:
    return np.asarray(measure.measure.value(counts_of(counts, measure.measure), **measure.parameters))


def _with_half_cases(
    tables: Array, each: tuple[Array, Array], measure: ParsedMeasure, *, on_log: bool
) -> tuple[Array, Array]:
    """Return differences and standard errors after adding half a case to each cell where one classifier is correct.

    The standard error is computed with the delta method: the influence of a cell on the difference is the derivative of
    the first value minus the derivative of the second.
    """
    with_halves = [counts + HALF for counts in each]
    values = [_value(counts, measure) for counts in with_halves]
    slopes = [_derivatives(counts, measure) for counts in with_halves]
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


def _derivatives(counts: Array, measure: ParsedMeasure) -> Array:
    """Return a measure's derivative with respect to each cell, f'(x) = Im f(x + ih) / h (Squire and Trapp, 1998)."""
    slopes = np.empty(counts.shape)
    for cell in np.ndindex(2, 2):
        shifted = counts.astype(complex)
        shifted[(..., *cell)] += 1j * STEP
        slopes[(..., *cell)] = _value(shifted, measure).imag / STEP
    return slopes
