"""DeLong's tests of areas under ROC curves, for paired and unpaired cases."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import check_index, numbers, one_of
from howsure.errors import HowsureError
from howsure.kernels.ranking import placements
from howsure.measures.estimate.paired_error import (
    cautious_covariance,
    covariance_of_areas,
    degrees_of_freedom,
    one_case,
)
from howsure.results import TestResult
from howsure.significance.declare import IN_CLUSTERS, check_alternative, declare_test
from howsure.significance.inputs import flags, row
from howsure.significance.pvalues import no_spread, possible, studentized

NAME = "DeLong's test"
ALIKE = "the classifiers rank all cases in the same order, so there is no difference to test"
NO_SPREAD = 1e-15  # standard errors and differences below this are rounding errors
METHODS = {"student": "Student's t distribution", "normal": "the normal distribution, as published"}
UNPAIRED_METHODS = {"welch": "Welch's t distribution", "normal": "the normal distribution, as published"}


@declare_test(
    NAME,
    designs=("cases",),
    classifiers="two or more",
    null="the areas under the ROC curves are equal",
    assumes="independent cases, at least two of each class; with few cases, scores of both classes with similar spread",
    measures="of_auc",
    preference=1,
    variants=METHODS,
    invalid=IN_CLUSTERS,
    references=("DeLong, DeLong and Clarke-Pearson 1988",),
    apply=lambda _, answers, method: _of_placements(answers.flags, answers.placements, method=method or "student"),
)
def delong(
    truth: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *more: ArrayLike,
    contrast: ArrayLike | None = None,
    alternative: str = "two-sided",
    method: str = "normal",
) -> TestResult:
    """DeLong's test of the AUCs of classifiers on the same cases.

    The null hypothesis is that all classifiers have the same AUC. The covariance matrix S of the AUCs is estimated from
    the placements: the placement of a positive case is the share of negative cases with lower scores, and vice versa.
    Two classifiers are compared using z = (AUC of a - AUC of b) / sqrt(variance of the difference), which is
    approximately standard normal for many independent cases. For more classifiers, or a contrast L of several rows, the
    statistic is (L AUC)' (L S L')⁻¹ (L AUC), which is approximately chi-square (DeLong, DeLong and Clarke-Pearson
    1988).

    Parameters
    ----------
    truth
        Whether each case is positive.
    a, b, *more
        Scores of each classifier.
    contrast
        Weights of the AUCs that add up to 0, one for each classifier, or several rows of such weights. Default: each
        classifier against the first.
    alternative
        "two-sided", "less" or "greater": a has the higher AUC.
    method
        "normal", as published, which rejects too often with few positive or negative cases; or "student", Student's t
        with the degrees of freedom of both classes (Hotelling's F for more classifiers), and variances that allow for
        AUCs near 1. Comparisons use "student".

    Returns
    -------
    TestResult
        The statistic, the p-value, and the difference between the AUCs, a - b.

    Examples
    --------
    >>> from howsure.significance import delong
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(delong(truth, [9, 8, 6, 5, 7, 4, 3, 1], [9, 3, 6, 5, 7, 8, 4, 1]))
    DeLong's test: difference 0.312, statistic 1.405, p = 0.16 (two-sided)
    """
    check_alternative(alternative)
    one_of("method", method, METHODS)
    by_name = dict(zip(_names(len(more)), (a, b, *more), strict=True))
    check_index({"truth": truth, **by_name})
    positive = flags("truth", truth)
    columns = [_scores(scores, name, len(positive)) for name, scores in by_name.items()]
    _check_both_classes("truth", positive)
    placed = np.array([placements(positive, scores) for scores in columns])
    return _of_placements(positive, placed, contrast, alternative, method)


def _of_placements(
    positive: Array,
    placed: Array,
    contrast: ArrayLike | None = None,
    alternative: str = "two-sided",
    method: str = "normal",
) -> TestResult:
    """Test placements of cases (columns) by classifiers (rows)."""
    n_p, n_q = int(positive.sum()), int((~positive).sum())
    if not (n_p and n_q):
        note = "all cases are of one class, so there is no AUC to compare"
        return TestResult(math.nan, math.nan, math.nan, "DeLong's test", None, alternative, (note,))
    areas = placed[:, positive].mean(1)
    reason = one_case(n_p, n_q)
    if reason and method == "student":
        difference = float(areas[0] - areas[1]) if len(areas) == 2 else math.nan
        return TestResult(math.nan, math.nan, difference, NAME, None, alternative, (reason,), variant=method)
    df = degrees_of_freedom(n_p, n_q) if method == "student" else None
    covariance = covariance_of_areas(placed, positive)
    rows = _contrast(contrast, len(placed))
    differences, spread = rows @ areas, rows @ covariance @ rows.T
    if method == "student" and spread.max() > NO_SPREAD**2:
        # For few cases and AUCs near 1, the estimated variances are too small, so larger ones replace them.
        raised = cautious_covariance(areas, covariance, n_p, n_q)
        spread = np.maximum(spread, rows @ raised @ rows.T) if len(rows) == 1 else rows @ raised @ rows.T
    if len(rows) == 1:
        error = math.sqrt(max(float(spread[0, 0]), 0))
        return replace(_of_two(float(differences[0]), error, alternative, df), variant=method)
    if alternative != "two-sided":
        raise HowsureError("a test of several differences is two-sided; leave out `alternative`.")
    return replace(_of_many(differences, spread, df), alternative="", variant=method)


@declare_test(
    "DeLong's test of unpaired AUCs",
    designs=("unpaired",),
    classifiers="two",
    null="the areas under the ROC curves are equal",
    assumes="independent cases, different ones for each classifier, many of each class",
    measures="of_auc",
    preference=1,
    variants=UNPAIRED_METHODS,
    references=("DeLong, DeLong and Clarke-Pearson 1988",),
)
def delong_unpaired(
    truth_a: ArrayLike,
    a: ArrayLike,
    truth_b: ArrayLike,
    b: ArrayLike,
    alternative: str = "two-sided",
    method: str = "welch",
) -> TestResult:
    """DeLong's test of the AUCs of two classifiers on different cases.

    The null hypothesis is that both classifiers have the same AUC. The statistic is the difference between the AUCs
    over the square root of the sum of their DeLong variances, which is approximately normal for many independent cases.
    For classifiers on the same cases, `delong` is more powerful.

    Parameters
    ----------
    truth_a, truth_b
        Whether each case is positive.
    a, b
        Scores of each classifier.
    alternative
        "two-sided", "less" or "greater": a has the higher AUC.
    method
        "welch", Student's t with Welch's degrees of freedom, as in pROC; or "normal".

    Returns
    -------
    TestResult
        The statistic, the p-value, and the difference between the AUCs, a - b.

    Examples
    --------
    >>> from howsure.significance import delong_unpaired
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(delong_unpaired(truth, [9, 8, 6, 5, 7, 4, 3, 1], truth, [9, 3, 6, 5, 7, 8, 4, 1]))
    DeLong's test of unpaired AUCs: difference 0.312, statistic 1.100, df 11.34,
      p = 0.294 (two-sided)
    """
    check_alternative(alternative)
    one_of("method", method, UNPAIRED_METHODS)
    name = "DeLong's test of unpaired AUCs"
    (area_a, variance_a), (area_b, variance_b) = _area("a", truth_a, a), _area("b", truth_b, b)
    difference, error = area_a - area_b, math.sqrt(variance_a + variance_b)
    if math.isnan(error):
        note = "with a single case of a class, the AUC has no variance"
        return TestResult(math.nan, math.nan, difference, name, None, alternative, (note,))
    if error < NO_SPREAD:
        return no_spread(difference if abs(difference) > NO_SPREAD else 0.0, "the placements", name, None, alternative)
    df = None
    if method == "welch":
        parts = variance_a**2 / (np.size(a) - 1) + variance_b**2 / (np.size(b) - 1)
        df = (variance_a + variance_b) ** 2 / parts
    return replace(studentized(difference, error, name, alternative, df), variant=method)


def _check_both_classes(name: str, positive: Array) -> None:
    if positive.all() or not positive.any():
        raise HowsureError(f"`{name}` must hold positives and negatives; all cases are of one class.")


def _names(more: int) -> list[str]:
    return ["a", "b", *(f"classifier {index + 3}" for index in range(more))]


def _scores(scores: ArrayLike, name: str, n: int) -> Array:
    values = numbers(name, scores)
    if values.shape != (n,):
        raise HowsureError(f"`{name}` must have a score for each of the {n} cases, not shape {values.shape}.")
    if np.isnan(values).any():
        raise HowsureError(f"`{name}` must hold numbers, not nan at index {int(np.isnan(values).argmax())}.")
    return values


def _contrast(contrast: ArrayLike | None, k: int) -> Array:
    """Return the rows of a contrast.

    By default, it is a - b, or, for more classifiers, each minus the first.
    """
    if contrast is None:
        return np.array([[1.0, -1.0]]) if k == 2 else np.hstack([-np.ones((k - 1, 1)), np.eye(k - 1)])
    rows = np.atleast_2d(numbers("contrast", contrast))
    if rows.ndim != 2 or rows.shape[1] != k or not np.allclose(rows.sum(1), 0):
        raise HowsureError(f"`contrast` must have a weight for each of the {k} classifiers, adding up to 0.")
    return rows


def _of_two(difference: float, error: float, alternative: str, df: float | None) -> TestResult:
    if error >= NO_SPREAD:
        return studentized(difference, error, NAME, alternative, df)
    if abs(difference) < NO_SPREAD:
        return TestResult(0.0, 1.0, difference, NAME, df, alternative, (ALIKE,), error)
    return no_spread(difference, "the placements", NAME, df, alternative)


def _of_many(differences: Array, spread: Array, df: float | None) -> TestResult:
    """Compare with chi-square, or with Hotelling's F if ``df`` is given."""
    from scipy.special import fdtrc, gammaincc

    rank = int(np.linalg.matrix_rank(spread, hermitian=True)) if spread.any() else 0
    if rank == 0:
        same = not np.abs(differences).max() > NO_SPREAD
        note = "the classifiers rank all cases in the same order" if same else "the placements do not vary"
        return TestResult(0.0 if same else math.nan, 1.0 if same else math.nan, math.nan, NAME, 0.0, notes=(note,))
    statistic = float(differences @ np.linalg.pinv(spread, hermitian=True) @ differences)
    largest = float(np.abs(differences).max())
    if df is None:
        return TestResult(statistic, possible(gammaincc(rank / 2, statistic / 2)), largest, NAME, float(rank))
    residual = df - rank + 1
    if residual <= 0:
        note = "cannot be tested: too few positive or negative cases for this many classifiers"
        return TestResult(math.nan, math.nan, largest, NAME, (rank, residual), notes=(note,))
    statistic *= residual / (df * rank)
    return TestResult(statistic, possible(fdtrc(rank, residual, statistic)), largest, NAME, (rank, residual))


def _area(name: str, truth: ArrayLike, scores: ArrayLike) -> tuple[float, float]:
    """Return the AUC and its DeLong variance (NaN if a class has one case)."""
    check_index({f"truth_{name}": truth, name: scores})
    values, positive = row(name, scores), flags(f"truth_{name}", truth)
    if positive.shape != values.shape:
        raise HowsureError(f"`truth_{name}` must have a class for each of the {len(values)} scores in `{name}`.")
    _check_both_classes(f"truth_{name}", positive)
    placed = placements(positive, values)
    parts = [placed[positive], placed[~positive]]
    variances = [float(part.var(ddof=1)) / len(part) if len(part) > 1 else math.nan for part in parts]
    return float(parts[0].mean()), sum(variances)
