"""McNemar's test for clustered cases."""

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

METHODS = {"obuchowski": "equal weight for each case", "durkalski": "equal weight for each cluster"}


def _apply(test: object, answers: PairedAnswers, method: str | None) -> TestResult:
    losses, gains, sizes = answers.by_cluster
    return clustered_mcnemar(losses, gains, sizes, method or "obuchowski")


@declare_test(
    "McNemar's test of clusters",
    designs=("clusters",),
    classifiers="two",
    null="the classifiers have the same accuracy",
    assumes="independent clusters, about 25 or more of them with discordant cases",
    measures="accuracy",
    preference=3,
    variants=METHODS,
    references=("Obuchowski 1998", "Durkalski, Palesch, Lipsitz and Rust 2003"),
    apply=_apply,
)
def clustered_mcnemar(
    e01: ArrayLike, e10: ArrayLike, n: ArrayLike, method: str = "obuchowski", alternative: str = "two-sided"
) -> TestResult:
    """McNemar's test of two accuracies on clustered cases.

    The null hypothesis is that both classifiers have the same accuracy. With b_i and c_i the numbers of discordant
    cases of both kinds in cluster i, the statistic is z = Σ w_i (c_i - b_i) / sqrt(f Σ w_i² (c_i - b_i)²), which is
    approximately standard normal under the null hypothesis for many independent clusters. Obuchowski (1998) gives all
    cases the same weight (w_i = 1), and f = G / (G - 1) for G clusters. Durkalski et al. (2003) give all clusters the
    same weight (w_i = 1 / n_i), and f = 1.

    Parameters
    ----------
    e01, e10
        For each cluster, number of cases that only the first classifier gets wrong, and number that only the second
        gets wrong.
    n
        Total number of cases in each cluster.
    method
        "obuchowski" (cases have equal weight) or "durkalski" (clusters have equal weight).
    alternative
        "two-sided", "less" or "greater": the first classifier has the higher accuracy.

    Returns
    -------
    TestResult
        The statistic z, the p-value, and the difference in accuracy, first - second.

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
    gains = won - lost
    name = f"McNemar's test of clusters ({method})"
    weight = 1 / sizes if method == "durkalski" else np.ones(len(sizes))
    total = float((weight * sizes).sum())
    shares = weight * gains / total
    difference = float((weight * gains).sum()) / total
    if not gains.any():
        note = "the classifiers get the same number of cases wrong in each cluster, so there is no difference to test"
        return TestResult(0.0, 1.0, 0.0, name, None, alternative, (note,), 0.0, variant=method)
    # Under the null hypothesis, the gain in each cluster has mean 0, so its square estimates its variance.
    factor = len(sizes) / (len(sizes) - 1) if method == "obuchowski" and len(sizes) > 1 else 1.0
    result = studentized(difference, math.sqrt(factor * float((shares**2).sum())), name, alternative)
    return TestResult(
        result.statistic, result.pvalue, difference, name, None, alternative, result.notes, result.error, variant=method
    )


def _clusters(e01: ArrayLike, e10: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats, Floats]:
    columns = {name: numbers(name, values) for name, values in (("e01", e01), ("e10", e10), ("n", n))}
    lost, won, sizes = columns.values()
    if lost.ndim != 1 or not lost.shape == won.shape == sizes.shape or not len(lost):
        raise HowsureError("`e01`, `e10` and `n` must be columns of equal length, with a row for each cluster.")
    for name, values in columns.items():
        invalid = np.flatnonzero((values < 0) | (values != np.round(values)))
        if len(invalid):
            raise HowsureError(f"`{name}` must hold counts, not {values[invalid[0]]:g} at index {invalid[0]}.")
    invalid = np.flatnonzero((lost + won > sizes) | (sizes == 0))
    if len(invalid):
        index = invalid[0]
        row = f"{lost[index]:g} and {won[index]:g} of {sizes[index]:g} at index {index}"
        raise HowsureError(f"`e01` and `e10` must add up to at most `n`, which is above 0, not {row}.")
    return lost, won, sizes
