"""Permutation and bootstrap tests of the difference in any measure."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_replicates
from howsure.data.encode import Label
from howsure.docstrings import shared_texts
from howsure.measures import registry
from howsure.measures.estimate.difference import OF_TESTS, Difference, difference, differences
from howsure.results import TestResult
from howsure.significance.declare import check_alternative, declare_test
from howsure.significance.pvalues import no_spread
from howsure.significance.two.paired_answers import measure_name, paired_table, without_test


@declare_test(
    "Permutation test",
    designs=("cases", "clusters"),
    classifiers="two",
    null="the answers of both classifiers are exchangeable",
    assumes="independent cases, and classifiers that are exchangeable if they have the same value of the measure; for "
    "equal precision with unequal recall it rejects too often, unlike `paired_delta`",
    preference=3,
    aliases=("randomization_test", "approximate_randomization"),
    apply=lambda _, answers, __: permute(answers.difference, None, seed=answers.seed),
)
@shared_texts
def permutation(
    truth: Any,
    a: Any = None,
    b: Any = None,
    measure: str = "accuracy",
    *,
    positive: Label | None = None,
    average: str | None = None,
    labels: Any = None,
    alternative: str = "two-sided",
    replicates: int = OF_TESTS,
    seed: int = 0,
    **parameters: Any,
) -> TestResult:
    """Permutation test of the difference in a measure between two classifiers.

    The null hypothesis is that the two classifiers' answers to each case are exchangeable. The statistic is the
    difference a - b. Each replicate swaps the answers to each case with probability 1/2, and the p-value is the share
    of replicates, including the observed difference, with a difference at least as large. For measures that depend only
    on the order of the scores, the ranks within each classifier are swapped, so that the scores may have different
    scales (Bandos, Rockette and Gur 2005).

    Parameters
    ----------
    truth
        True labels; or a `PairedTable` or `PairedScores` that holds all three columns.
    a, b
        Predicted labels of both classifiers, or scores for a measure of scores.
    measure
        Name or alias of the measure.
    positive
        Class of the measure. Default: the second of two classes.
    average
        For more classes: "macro", "micro" or "weighted".
    labels
        All classes, in order. Default: those that occur, sorted.
    alternative
        "two-sided", "less" or "greater": a has the higher value.
    replicates
        Number of replicates.
    seed
        Seed of the random numbers.
    {measure_parameters}

    Returns
    -------
    TestResult
        The statistic, the p-value, and the difference, a - b.

    Examples
    --------
    >>> from howsure.significance import permutation
    >>> truth = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(permutation(truth, [1, 1, 1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0, 0, 0, 1, 1], "f1"))
    permutation test of f1 (1): difference 0.433, statistic 0.433, p = 0.126
      (two-sided)
    """
    check_alternative(alternative)
    replicates = check_replicates(replicates, seed)
    table, label = paired_table(truth, a, b, registry[measure], labels, positive)
    observed = difference(table, registry[measure], label=label, average=average, parameters=parameters)
    return permute(observed, replicates, alternative, seed)


def permute(observed: Difference, replicates: int | None, alternative: str = "two-sided", seed: int = 0) -> TestResult:
    """Permutation test of a difference."""
    name = f"permutation test of {measure_name(observed.first)}"
    if observed.table.same or observed.reason:
        return without_test(observed, name, alternative)
    drawn = differences(observed.swapped(np.random.default_rng(seed), replicates or observed.test_replicates))
    # Swapping all cases reverses the sign, so that the null distribution is symmetric.
    return _count_extreme(observed, drawn, drawn, name, alternative)


@declare_test(
    "Bootstrap test",
    designs=("cases", "clusters"),
    classifiers="two",
    null="the classifiers have the same value of the measure",
    assumes="independent cases, enough of them to represent the population",
    preference=3,
    apply=lambda test, answers, _: resample(answers.difference, None, seed=answers.seed),
)
def bootstrap_difference(
    truth: Any,
    a: Any = None,
    b: Any = None,
    measure: str = "accuracy",
    *,
    positive: Label | None = None,
    average: str | None = None,
    labels: Any = None,
    alternative: str = "two-sided",
    replicates: int = OF_TESTS,
    seed: int = 0,
    **parameters: Any,
) -> TestResult:
    """Bootstrap test of the difference in a measure between two classifiers.

    The null hypothesis is that both classifiers have the same value of the measure. Each replicate draws the cases with
    replacement. The differences of the replicates, centred at 0, estimate the distribution of the difference under the
    null hypothesis; the p-value is the share of them, including the observed difference, that are at least as large.
    Their standard deviation is the ``error``.

    Parameters
    ----------
    truth, a, b, measure, positive, average, labels, alternative, replicates, seed, **parameters
        As in `permutation`.

    Returns
    -------
    TestResult
        The statistic, the p-value, and the difference, a - b.

    Examples
    --------
    >>> from howsure.significance import bootstrap_difference
    >>> truth = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(bootstrap_difference(truth, [1, 1, 1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0, 0, 0, 1, 1], "f1"))
    bootstrap test of f1 (1): difference 0.433, statistic 0.433, p = 0.0301
      (two-sided)
    """
    check_alternative(alternative)
    replicates = check_replicates(replicates, seed)
    table, label = paired_table(truth, a, b, registry[measure], labels, positive)
    observed = difference(table, registry[measure], label=label, average=average, parameters=parameters)
    return resample(observed, replicates, alternative, seed)


def resample(observed: Difference, replicates: int | None, alternative: str = "two-sided", seed: int = 0) -> TestResult:
    """Bootstrap test of a difference."""
    name = f"bootstrap test of {measure_name(observed.first)}"
    if observed.table.same or observed.reason:
        return without_test(observed, name, alternative)
    drawn = observed.replicates(replicates or observed.test_replicates, seed)
    centred = drawn - observed.value
    if np.nanmax(np.abs(centred), initial=0) < _tolerance(observed):
        value = observed.value if abs(observed.value) > _tolerance(observed) else 0.0
        return no_spread(value, "the replicates", name, None, alternative)
    return _count_extreme(observed, centred, -centred, name, alternative)


def _tolerance(observed: Difference) -> float:
    """Rounding error of the difference."""
    return 1e-12 * max(1.0, abs(observed.first.value), abs(observed.second.value))


def _count_extreme(observed: Difference, drawn: Array, mirrored: Array, name: str, alternative: str) -> TestResult:
    """P-value (1 + extreme replicates) / (1 + replicates).

    A replicate is extreme if it is at least as large as the observed difference; ``mirrored`` holds the replicates for
    "less".
    """
    value = observed.value
    if alternative == "two-sided":
        sizes, least = np.abs(drawn), abs(value)
    else:
        sizes, least = (drawn, value) if alternative == "greater" else (mirrored, -value)
    undefined = int((~np.isfinite(drawn)).sum())
    notes = (*observed.first.notes, *observed.second.notes)
    if len(drawn) < OF_TESTS and len(drawn) == observed.test_replicates:
        notes += (f"only {len(drawn)} replicates, because each draws {observed.n} cases",)
    if undefined:
        notes += (f"undefined in {undefined} of {len(drawn)} replicates, which count as extreme",)
    extreme = int((sizes >= least - _tolerance(observed)).sum()) + undefined
    finite = drawn[np.isfinite(drawn)]
    error = float(finite.std()) if len(finite) else math.nan
    pvalue = (1 + extreme) / (1 + len(drawn))
    return TestResult(value, pvalue, value, name, None, alternative, tuple(dict.fromkeys(notes)), error)
