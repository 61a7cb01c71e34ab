"""Cochran's Q test of many classifiers on the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import chdtrc

from howsure.checks import numbers
from howsure.errors import HowsureError, counted
from howsure.results import TestResult
from howsure.significance.declare import IN_CLUSTERS, declare_test
from howsure.significance.pvalues import possible
from howsure.significance.scores import read_scores

METHOD = "Cochran's Q test"


@declare_test(
    "Cochran's Q test",
    designs=("cases",),
    classifiers="many",
    null="all classifiers have the same accuracy",
    assumes="independent cases, at least 24 / k of which some of the k classifiers get right and some wrong",
    measures="accuracy",
    preference=1,
    invalid=IN_CLUSTERS,
    apply=lambda test, answers, _: test(answers.correct),
    references=("Cochran 1950",),
)
def cochran_q(correct: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """Cochran's Q test of equal accuracies of many classifiers.

    The null hypothesis is that all k classifiers have the same accuracy. With w_j the number of correct answers of
    classifier j, w their mean, and v_i the number of classifiers that are correct on case i, the statistic is
    Q = k (k - 1) Σ (w_j - w)² / Σ v_i (k - v_i). It is approximately chi-square with k - 1 degrees of freedom under the
    null hypothesis, for independent cases (Cochran 1950). With two classifiers, it is McNemar's test without continuity
    correction.

    Parameters
    ----------
    correct, *more
        A matrix or data frame with a row for each case and a column for each classifier, 1 for correct and 0 for wrong,
        a mapping from names to values, or one argument for each classifier.
    names
        Names of the classifiers, if the values have none.

    Returns
    -------
    TestResult
        The statistic Q, the p-value, and the difference between the largest and smallest accuracy.

    Examples
    --------
    >>> from howsure.significance import cochran_q
    >>> print(cochran_q([[1, 1, 0]] * 9 + [[0, 1, 1]] * 3 + [[1, 1, 1]] * 20))
    Cochran's Q test: difference 0.281, statistic 10.500, df 2, p = 0.00525
      note: 32 cases (rows) x 3 classifiers
    """
    if isinstance(correct, list | tuple) and not more:
        correct = numbers("correct", correct)
    table = read_scores(correct, more, names, argument="correct", rows="cases")
    values = table.values
    invalid = np.argwhere((values != 0) & (values != 1))
    if len(invalid):
        raise HowsureError(f"`correct` must hold 0 and 1, not {values[tuple(invalid[0])]:g} in row {invalid[0][0]}.")
    k = values.shape[1]
    difference = float(np.ptp(values.mean(0)))
    wins, votes = values.sum(0), values.sum(1)
    spread = float((votes * (k - votes)).sum())
    if not spread:
        notes = ("all classifiers are correct on the same cases", table.note)
        return TestResult(0.0, 1.0, 0.0, METHOD, k - 1, notes=notes)
    statistic = (k - 1) * k * float(((wins - wins.mean()) ** 2).sum()) / spread
    discordant = int(((votes > 0) & (votes < k)).sum())
    few = f"the classifiers differ on only {counted(discordant, 'case')}, too few for the chi-square approximation"
    doubts = (few,) if discordant * k < 24 or discordant < 4 else ()  # Tate and Brown (1970)
    pvalue = possible(chdtrc(k - 1, statistic))
    return TestResult(statistic, pvalue, difference, METHOD, k - 1, notes=(*doubts, table.note))
