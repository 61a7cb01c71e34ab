"""Test the difference of any measure of two classifiers on the same cases, by swapping or resampling the cases."""

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
from howsure.significance.two.paired_answers import measure_name, paired_table, unanswered


@declare_test(
    "Permutation test",
    designs=("cases", "clusters"),
    classifiers="two",
    null="which answer comes from which classifier makes no difference",
    assumes="independent cases, and classifiers that are alike in all if they are in the measure: of two with the same "
    "precision and unlike recall it rejects more often than it says, which `paired_delta` does not",
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
    """Test whether a measure of two classifiers differs, by swapping their answers case by case at random.

    Of measures that depend on the order of scores only, ranks within each classifier are exchanged, so that their
    scales need not be the same (Bandos, Rockette and Gur 2005). The statistic is the difference a - b, and the p-value
    the share of the swaps, and of what was seen, with as large a difference.

    Parameters
    ----------
    truth
        The true labels; or a table of all three, a `PairedTable` or `PairedScores`.
    a, b
        Predicted labels of the two, or scores where it is a measure of scores.
    measure
        A name or alias.
    positive
        The class that the measure is of, by default the second of two.
    average
        Of more classes: "macro", "micro" or "weighted".
    labels
        All classes, in the order to show them; default: those that occur, sorted.
    alternative
        "two-sided", "less" or "greater": a has the higher value.
    replicates
        How many swaps to draw.
    seed
        The same seed gives the same p-value.
    {measure_parameters}

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

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
    seen = difference(table, registry[measure], label=label, average=average, parameters=parameters)
    return permute(seen, replicates, alternative, seed)


def permute(seen: Difference, replicates: int | None, alternative: str = "two-sided", seed: int = 0) -> TestResult:
    """Swap as often as is asked for, or as is usual for so many cases."""
    name = f"permutation test of {measure_name(seen.first)}"
    if seen.table.same or seen.reason:
        return unanswered(seen, name, alternative)
    drawn = differences(seen.swapped(np.random.default_rng(seed), replicates or seen.test_replicates))
    # Swapping all cases turns the sign, so that "less" is "greater" with the classifiers exchanged.
    return _counted(seen, drawn, drawn, name, alternative)


@declare_test(
    "Bootstrap test",
    designs=("cases", "clusters"),
    classifiers="two",
    null="the classifiers have the same value of the measure",
    assumes="independent cases, enough of them for the sample to stand for the population",
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
    """Test whether a measure of two classifiers differs, by drawing the cases again with replacement.

    How far the drawn differences are from the one seen is how far that one may be from 0 if there is none; their
    standard deviation is the ``error``.

    Parameters
    ----------
    truth, a, b, measure, positive, average, labels, alternative, replicates, seed, **parameters
        As `permutation` takes them.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

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
    seen = difference(table, registry[measure], label=label, average=average, parameters=parameters)
    return resample(seen, replicates, alternative, seed)


def resample(seen: Difference, replicates: int | None, alternative: str = "two-sided", seed: int = 0) -> TestResult:
    """Draw the cases again as often as is asked for, or as is usual for so many."""
    name = f"bootstrap test of {measure_name(seen.first)}"
    if seen.table.same or seen.reason:
        return unanswered(seen, name, alternative)
    drawn = seen.replicates(replicates or seen.test_replicates, seed)
    centred = drawn - seen.value
    if np.nanmax(np.abs(centred), initial=0) < _tolerance(seen):
        value = seen.value if abs(seen.value) > _tolerance(seen) else 0.0
        return no_spread(value, "the replicates", name, None, alternative)
    return _counted(seen, centred, -centred, name, alternative)


def _tolerance(seen: Difference) -> float:
    """What two sums of the same numbers may differ by."""
    return 1e-12 * max(1.0, abs(seen.first.value), abs(seen.second.value))


def _counted(seen: Difference, drawn: Array, mirrored: Array, name: str, alternative: str) -> TestResult:
    """Count the drawn differences, centred at 0, that are as large as the one seen; ``mirrored`` serves "less"."""
    value = seen.value
    if alternative == "two-sided":
        sizes, least = np.abs(drawn), abs(value)
    else:
        sizes, least = (drawn, value) if alternative == "greater" else (mirrored, -value)
    lost = int((~np.isfinite(drawn)).sum())
    notes = tuple(note for one in (seen.first, seen.second) for note in one.notes)
    if len(drawn) < OF_TESTS and len(drawn) == seen.test_replicates:
        notes += (f"{len(drawn)} replicates, since each draws {seen.n} cases",)
    if lost:
        notes += (f"undefined in {lost} of {len(drawn)} replicates, which are counted as if they were as large",)
    extreme = int((sizes >= least - _tolerance(seen)).sum()) + lost
    finite = drawn[np.isfinite(drawn)]
    error = float(finite.std()) if len(finite) else math.nan
    pvalue = (1 + extreme) / (1 + len(drawn))
    return TestResult(value, pvalue, value, name, None, alternative, tuple(dict.fromkeys(notes)), error)
