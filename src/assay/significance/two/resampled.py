"""Test the difference of any measure of two classifiers on the same cases, by swapping or resampling the cases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.checks import check_replicates
from assay.data.encode import Label
from assay.results import Estimate, TestResult
from assay.significance.declare import check_alternative, declare_test
from assay.significance.one import no_spread
from assay.significance.two.joint import Both, Pair, make_pair

SAME = "the classifiers give the same answer in every case, so there is no difference to test"


@declare_test(
    "Permutation test",
    designs=("cases",),
    classifiers="two",
    null="which answer comes from which classifier makes no difference",
    assumes="independent cases",
    aliases=("randomization_test", "approximate_randomization"),
)
def permutation(
    truth: Any,
    a: Any,
    b: Any,
    measure: str = "accuracy",
    *,
    positive: Label | None = None,
    average: str | None = None,
    labels: Any = None,
    alternative: str = "two-sided",
    replicates: int = 10_000,
    seed: int = 0,
    **parameters: Any,
) -> TestResult:
    """Test whether a measure of two classifiers differs, by swapping their answers case by case at random.

    ``a`` and ``b`` are predicted labels, or scores where it is a measure of scores. The measure is of the class
    ``positive``, by default the second of two; of more classes it is the ``average``, by default "macro". The statistic
    is the difference a - b, and the p-value the share of the swaps, and of what was seen, with as large a difference.

    Examples
    --------
    >>> from assay.significance import permutation
    >>> truth = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(permutation(truth, [1, 1, 1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0, 0, 0, 1, 1], "f1"))
    permutation test of f1 (1): difference 0.433, statistic 0.433, p = 0.126 (two-sided)
    """
    check_alternative(alternative)
    check_replicates(replicates, seed)
    pair = make_pair(truth, a, b, measure, positive, average, labels, parameters)
    name = f"permutation test of {_named(pair.first)}"
    if pair.same or pair.first.undefined or pair.second.undefined:
        return _unanswered(pair, name, alternative)
    drawn = _differences(pair.swapped(np.random.default_rng(seed), replicates))
    # Swapping all cases turns the sign, so that "less" is "greater" with the classifiers exchanged.
    return _counted(pair, drawn, drawn, name, alternative)


@declare_test(
    "Bootstrap test",
    designs=("cases",),
    classifiers="two",
    null="the classifiers have the same value of the measure",
    assumes="independent cases, enough of them for the sample to stand for the population",
)
def bootstrap_difference(
    truth: Any,
    a: Any,
    b: Any,
    measure: str = "accuracy",
    *,
    positive: Label | None = None,
    average: str | None = None,
    labels: Any = None,
    alternative: str = "two-sided",
    replicates: int = 10_000,
    seed: int = 0,
    **parameters: Any,
) -> TestResult:
    """Test whether a measure of two classifiers differs, by drawing the cases again with replacement.

    The arguments are those of `permutation`. How far the drawn differences are from the one seen is how far that one
    may be from 0 if there is none; their standard deviation is the ``error``.

    Examples
    --------
    >>> from assay.significance import bootstrap_difference
    >>> truth = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(bootstrap_difference(truth, [1, 1, 1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0, 0, 0, 1, 1], "f1"))
    bootstrap test of f1 (1): difference 0.433, statistic 0.433, p = 0.0301 (two-sided)
    """
    check_alternative(alternative)
    check_replicates(replicates, seed)
    pair = make_pair(truth, a, b, measure, positive, average, labels, parameters)
    name = f"bootstrap test of {_named(pair.first)}"
    if pair.same or pair.first.undefined or pair.second.undefined:
        return _unanswered(pair, name, alternative)
    drawn = _differences(pair.resampled(np.random.default_rng(seed), replicates))
    difference = pair.first.value - pair.second.value
    centred = drawn - difference
    if np.nanmax(np.abs(centred), initial=0) < _tolerance(pair):
        seen = difference if abs(difference) > _tolerance(pair) else 0.0
        return no_spread(seen, "the replicates", name, None, alternative)
    return _counted(pair, centred, -centred, name, alternative)


def _named(found: Estimate) -> str:
    return f"{found.name} ({found.of})" if found.of else found.name


def _unanswered(pair: Pair, name: str, alternative: str) -> TestResult:
    reason = pair.first.undefined or pair.second.undefined
    if reason:
        whose = "a" if pair.first.undefined else "b"
        return TestResult(
            math.nan, math.nan, math.nan, name, None, alternative, (f"undefined for `{whose}`, because {reason}",)
        )
    return TestResult(0.0, 1.0, 0.0, name, None, alternative, (SAME,), 0.0)


def _differences(drawn: Iterator[Both]) -> Array:
    with np.errstate(all="ignore"):
        return np.concatenate([first - second for first, second in drawn])


def _tolerance(pair: Pair) -> float:
    """What two sums of the same numbers may differ by."""
    return 1e-12 * max(1.0, abs(pair.first.value), abs(pair.second.value))


def _counted(pair: Pair, drawn: Array, mirrored: Array, name: str, alternative: str) -> TestResult:
    """Count the drawn differences, centred at 0, that are as large as the one seen; ``mirrored`` serves "less"."""
    seen = pair.first.value - pair.second.value
    if alternative == "two-sided":
        found, least = np.abs(drawn), abs(seen)
    else:
        found, least = (drawn, seen) if alternative == "greater" else (mirrored, -seen)
    lost = int((~np.isfinite(drawn)).sum())
    notes = tuple(note for one in (pair.first, pair.second) for note in one.notes)
    if lost:
        notes += (f"undefined in {lost} of {len(drawn)} replicates, which are counted as if they were as large",)
    extreme = int((found >= least - _tolerance(pair)).sum()) + lost
    kept = drawn[np.isfinite(drawn)]
    error = float(kept.std()) if len(kept) else math.nan
    pvalue = (1 + extreme) / (1 + len(drawn))
    return TestResult(seen, pvalue, seen, name, None, alternative, tuple(dict.fromkeys(notes)), error)
