"""McNemar's test of cases that come in clusters."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Floats
from howsure.checks import numbers, one_of
from howsure.errors import HowsureError
from howsure.results import TestResult
from howsure.significance.declare import check_alternative, declare_test
from howsure.significance.evidence import PairedAnswers
from howsure.significance.pvalues import studentized

METHODS = {"obuchowski": "each case counts alike", "durkalski": "each cluster counts alike"}


def _apply(test: object, answers: PairedAnswers, method: str | None) -> TestResult:
    losses, gains, sizes = answers.by_cluster
    return clustered_mcnemar(losses, gains, sizes, method or "obuchowski")


@declare_test(
    "McNemar's test of clusters",
    designs=("clusters",),
    classifiers="two",
    null="the classifiers have the same accuracy",
    assumes="independent clusters, 25 or so in which the classifiers differ",
    measures="accuracy",
    preference=3,
    variants=METHODS,
    references=("Obuchowski 1998", "Durkalski, Palesch, Lipsitz and Rust 2003"),
    apply=_apply,
)
def clustered_mcnemar(
    e01: ArrayLike, e10: ArrayLike, n: ArrayLike, method: str = "obuchowski", alternative: str = "two-sided"
) -> TestResult:
    """Test whether two classifiers have the same accuracy, from the cases of each cluster that one only gets wrong.

    Parameters
    ----------
    e01, e10
        For each cluster, cases that the first classifier only gets wrong, and cases that the second only gets wrong.
    n
        All cases of each cluster.
    method
        "obuchowski": each case counts alike. "durkalski": each cluster does, whatever its size.
    alternative
        "greater": the first has the higher accuracy.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import clustered_mcnemar
    >>> print(clustered_mcnemar([0, 1, 0, 2, 0, 1], [3, 2, 0, 4, 1, 2], [10, 8, 5, 12, 6, 9]))
    McNemar's test of clusters (obuchowski): difference 0.160, statistic 1.826,
      p = 0.0679 (two-sided)
    """
    check_alternative(alternative)
    one_of("method", method, METHODS)
    lost, won, sizes = _clusters(e01, e10, n)
    apart = won - lost
    name = f"McNemar's test of clusters ({method})"
    weight = 1 / sizes if method == "durkalski" else np.ones(len(sizes))
    total = float((weight * sizes).sum())
    difference, moved = float((weight * apart).sum()) / total, weight * apart / total
    if not apart.any():
        note = "the classifiers get as many cases of each cluster wrong, so there is no difference to test"
        return TestResult(0.0, 1.0, 0.0, name, None, alternative, (note,), 0.0, variant=method)
    # If both are as good, the difference of each cluster has the mean 0; Obuchowski counts the clusters less one.
    factor = len(sizes) / (len(sizes) - 1) if method == "obuchowski" and len(sizes) > 1 else 1.0
    result = studentized(difference, math.sqrt(factor * float((moved**2).sum())), name, alternative)
    return TestResult(
        result.statistic, result.pvalue, difference, name, None, alternative, result.notes, result.error, variant=method
    )


def _clusters(e01: ArrayLike, e10: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats, Floats]:
    columns = {name: numbers(name, values) for name, values in (("e01", e01), ("e10", e10), ("n", n))}
    lost, won, sizes = columns.values()
    if lost.ndim != 1 or not lost.shape == won.shape == sizes.shape or not len(lost):
        raise HowsureError("`e01`, `e10` and `n` must be columns of equal length, with a row for each cluster.")
    for name, values in columns.items():
        bad = np.flatnonzero((values < 0) | (values != np.round(values)))
        if len(bad):
            raise HowsureError(f"`{name}` must hold counts, not {values[bad[0]]:g} at index {bad[0]}.")
    bad = np.flatnonzero((lost + won > sizes) | (sizes == 0))
    if len(bad):
        row = f"{lost[bad[0]]:g} and {won[bad[0]]:g} of {sizes[bad[0]]:g} at index {bad[0]}"
        raise HowsureError(f"`e01` and `e10` must add up to at most `n`, which is above 0, not {row}.")
    return lost, won, sizes
