"""Two classifiers, by the losses of each case in one cross-validation."""

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
    null="the models of the folds are equally good on average",
    assumes="many cases, and stable learners: one case more or less to train on changes few predictions",
    measures="values",
    preference=6,
    references=("Bayle, Bayle, Janson and Mackey 2020",),
    interval="cv-clt",
)
def cross_validated_z(
    a: ArrayLike, b: ArrayLike, fold: ArrayLike | None = None, alternative: str = "two-sided"
) -> TestResult:
    """Test the mean difference of losses of the same cases in one cross-validation (Bayle et al. 2020).

    Parameters
    ----------
    a, b : array_like
        The loss of each case, such as 1 where it was predicted wrong, in the same order.
    fold : array_like, optional
        The fold of each case: then the variance is that within folds, else that of all cases.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

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
