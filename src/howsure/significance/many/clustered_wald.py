"""Wald test of the accuracies of many classifiers on clustered cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.checks import numbers
from howsure.data.encode import encode
from howsure.errors import HowsureError, counted
from howsure.results import TestResult
from howsure.significance.declare import declare_test
from howsure.significance.pvalues import possible
from howsure.significance.scores import read_scores

METHOD = "Wald test of clusters"


@declare_test(
    METHOD,
    designs=("clusters",),
    classifiers="many",
    null="all classifiers have the same accuracy",
    assumes="independent clusters, more of them than classifiers",
    measures="accuracy",
    preference=1,
    apply=lambda _, answers, __: _of_rows(answers.correct.astype(float), answers.cluster),
)
def clustered_wald(correct: Any, *more: Any, cluster: Any, names: Sequence[str] | None = None) -> TestResult:
    """Wald test of equal accuracies of many classifiers on clustered cases.

    The null hypothesis is that all k classifiers have the same accuracy. With d the differences between the other k - 1
    accuracies and the first, and V their covariance matrix, estimated from the sums over the G clusters, Hotelling's
    statistic d' V⁻¹ d (G - k + 1) / ((G - 1)(k - 1)) has an F distribution with k - 1 and G - k + 1 degrees of freedom
    for many independent clusters. For independent cases, use `cochran_q`.

    Parameters
    ----------
    correct, *more, names
        As in `cochran_q`, but graded values from 0 to 1 are allowed.
    cluster
        The cluster of each case.

    Returns
    -------
    TestResult
        The statistic F, the p-value, and the difference between the largest and smallest accuracy.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.significance import clustered_wald
    >>> correct = np.array([[1, 1, 0]] * 9 + [[0, 1, 1]] * 3 + [[1, 1, 1]] * 20)
    >>> print(clustered_wald(correct, cluster=[row // 3 for row in range(32)]))
    Wald test of clusters: difference 0.281, statistic 2.651, df (2, 9), p = 0.124
      note: 32 cases (rows) x 3 classifiers in 11 clusters
    """
    if isinstance(correct, list | tuple) and not more:
        correct = numbers("correct", correct)
    table = read_scores(correct, more, names, argument="correct", rows="cases")
    codes = encode(cluster, "cluster").codes
    if len(codes) != len(table.values):
        rows = f"{counted(len(codes), 'row')} and `correct` has {len(table.values)}"
        raise HowsureError(f"`cluster` has {rows}; they must be of equal length.")
    return _of_rows(table.values, codes)


def _of_rows(values: Any, codes: Any) -> TestResult:
    n, k = values.shape
    clusters = int(codes.max()) + 1
    note = f"{n} cases (rows) x {k} classifiers in {clusters} clusters"
    differences = values[:, 1:] - values[:, :1]
    mean, difference = differences.mean(0), float(np.ptp(values.mean(0)))
    if not differences.any():
        return TestResult(0.0, 1.0, 0.0, METHOD, notes=("all classifiers are correct on the same cases", note))
    sums = np.column_stack([np.bincount(codes, column, clusters) for column in (differences - mean).T]) / n
    df = (k - 1, clusters - k + 1)
    covariance = sums.T @ sums * clusters / max(clusters - 1, 1)
    if df[1] < 1 or np.linalg.matrix_rank(covariance) < k - 1:
        reason = "cannot be tested: too few clusters, or the answers of one classifier are determined by the others"
        return TestResult(np.nan, np.nan, difference, METHOD, df, notes=(reason, note))
    from scipy.special import fdtrc

    squared_distance = float(mean @ np.linalg.solve(covariance, mean))
    statistic = squared_distance * df[1] / ((clusters - 1) * df[0])
    return TestResult(statistic, possible(fdtrc(*df, statistic)), difference, METHOD, df, notes=(note,))
