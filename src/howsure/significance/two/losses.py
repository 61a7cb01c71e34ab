"""Test of the losses of all cases in one cross-validation."""

from __future__ import annotations

from numpy.typing import ArrayLike

from howsure.intervals.cross_validated import case_losses, loss_error
from howsure.results import TestResult
from howsure.significance.declare import check_alternative, declare_test
from howsure.significance.inputs import pairs
from howsure.significance.pvalues import no_spread, studentized


@declare_test(
    "Cross-validated z test",
    designs=("overlapping",),
    classifiers="two",
    null="the models of the folds have the same expected loss on average",
    assumes="many cases, and stable learners: one more training case changes few predictions",
    measures="values",
    preference=6,
    references=("Bayle, Bayle, Janson and Mackey 2020",),
    interval="cv-clt",
)
def cross_validated_z(
    a: ArrayLike, b: ArrayLike, fold: ArrayLike | None = None, alternative: str = "two-sided"
) -> TestResult:
    """Test the mean difference of losses in one cross-validation.

    The null hypothesis is that the models of the folds have the same expected loss on average. The statistic is the
    mean difference of the losses over sqrt(variance / n). It is approximately standard normal for many cases and stable
    learners, whose predictions hardly depend on a single training case (Bayle, Bayle, Janson and Mackey 2020).

    Parameters
    ----------
    a, b : array_like
        Loss of each case, such as 1 for a wrong prediction, in the same order.
    fold : array_like, optional
        Fold of each case. If given, the variance is that within folds; otherwise, it is that of all cases.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic z, the p-value, and the mean difference, a - b.

    Examples
    --------
    >>> from howsure.significance import cross_validated_z
    >>> print(cross_validated_z([0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 1, 1, 0, 0, 1, 1]))
    Cross-validated z test: difference -0.375, statistic -2.191, p = 0.0285
      (two-sided)
    """
    check_alternative(alternative)
    first, second = pairs(a, b)
    losses = case_losses(first - second)
    difference, error = float(losses.mean()), loss_error(losses, fold)
    if not error:
        return no_spread(difference, "the differences", "Cross-validated z test", None, alternative)
    return studentized(difference, error, "Cross-validated z test", alternative)
