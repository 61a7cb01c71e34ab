"""DeLong's tests of the areas under ROC curves, of the same cases or of others for each classifier."""

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
ALIKE = "the classifiers rank all cases alike, so there is no difference to test"
NO_SPREAD = 1e-15  # a standard error, or a difference, that is only rounding
METHODS = {"student": "Student's t distribution", "normal": "the normal distribution, as published"}
UNPAIRED_METHODS = {"welch": "Welch's t distribution", "normal": "the normal distribution, as published"}


@declare_test(
    NAME,
    designs=("cases",),
    classifiers="two or more",
    null="the areas under the ROC curves are equal",
    assumes="independent cases, two of each class or more; with few, scores of the two that spread alike",
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
    """Test whether classifiers have equal AUCs, from their scores of the same cases (DeLong et al. 1988).

    Two classifiers give a normal statistic and the difference a - b; more, or a contrast of several rows, a chi-square
    statistic.

    Parameters
    ----------
    truth
        Which cases are positive.
    a, b, *more
        The scores of each classifier.
    contrast
        Weights of the AUCs that add up to 0, one for each classifier, or rows of them; default: each classifier against
        the first.
    alternative
        "two-sided", "less" or "greater": a has the higher AUC.
    method
        "normal", which rejects too often with few positives or negatives, or "student": Student's t with the degrees of
        freedom of both classes, or Hotelling's F, and variances that allow for areas near 1. It is what a comparison
        uses.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import delong
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(delong(truth, [9, 8, 6, 5, 7, 4, 3, 1], [9, 3, 6, 5, 7, 8, 4, 1]))
    DeLong's test: difference 0.312, statistic 1.405, p = 0.16 (two-sided)
    """
    check_alternative(alternative)
    one_of("method", method, METHODS)
    given = dict(zip(_names(len(more)), (a, b, *more), strict=True))
    check_index({"truth": truth, **given})
    positive = flags("truth", truth)
    columns = [_scores(scores, name, len(positive)) for name, scores in given.items()]
    if positive.all() or not positive.any():
        raise HowsureError("`truth` must hold positives and negatives; all cases are of one class.")
    placed = np.array([placements(positive, scores) for scores in columns])
    return _of_placements(positive, placed, contrast, alternative, method)


def _of_placements(
    positive: Array,
    placed: Array,
    contrast: ArrayLike | None = None,
    alternative: str = "two-sided",
    method: str = "normal",
) -> TestResult:
    """Test from where each classifier (rows) places each case (columns)."""
    n_p, n_q = int(positive.sum()), int((~positive).sum())
    if not (n_p and n_q):
        note = "all cases are of one class, so there is no area to compare"
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
        raised = cautious_covariance(areas, covariance, n_p, n_q)
        spread = np.maximum(spread, rows @ raised @ rows.T) if len(rows) == 1 else rows @ raised @ rows.T
    if len(rows) == 1:
        error = math.sqrt(max(float(spread[0, 0]), 0))
        return replace(_of_two(float(differences[0]), error, alternative, df), variant=method)
    if alternative != "two-sided":
        raise HowsureError("a test of several differences at once has no side; leave `alternative` out.")
    return replace(_of_many(differences, spread, df), alternative="", variant=method)


@declare_test(
    "DeLong's test of different cases",
    designs=("unpaired",),
    classifiers="two",
    null="the areas under the ROC curves are equal",
    assumes="independent cases, others for each classifier, with many of both classes",
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
    """Test whether two classifiers have equal AUCs, each from its scores of cases of its own.

    Where the cases are the same, `delong` is more powerful.

    Parameters
    ----------
    truth_a, truth_b
        Which cases are positive.
    a, b
        The scores of each classifier.
    alternative
        "two-sided", "less" or "greater": a has the higher AUC.
    method
        "welch": the statistic is compared with Welch's t, as pROC does; or "normal".

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import delong_unpaired
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(delong_unpaired(truth, [9, 8, 6, 5, 7, 4, 3, 1], truth, [9, 3, 6, 5, 7, 8, 4, 1]))
    DeLong's test of different cases: difference 0.312, statistic 1.100, df 11.34,
      p = 0.294 (two-sided)
    """
    check_alternative(alternative)
    one_of("method", method, UNPAIRED_METHODS)
    name = "DeLong's test of different cases"
    (area_a, variance_a), (area_b, variance_b) = _area("a", truth_a, a), _area("b", truth_b, b)
    difference, error = area_a - area_b, math.sqrt(variance_a + variance_b)
    if math.isnan(error):
        note = "a single case of a class says nothing about the spread of its scores"
        return TestResult(math.nan, math.nan, difference, name, None, alternative, (note,))
    if error < NO_SPREAD:
        return no_spread(difference if abs(difference) > NO_SPREAD else 0.0, "the placements", name, None, alternative)
    df = None
    if method == "welch":
        parts = variance_a**2 / (np.size(a) - 1) + variance_b**2 / (np.size(b) - 1)
        df = (variance_a + variance_b) ** 2 / parts
    return replace(studentized(difference, error, name, alternative, df), variant=method)


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
    """Rows that add up to 0: by default each classifier against the first, as a - b for two."""
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
    """Chi-square, or with degrees of freedom of the spread Hotelling's F."""
    from scipy.special import fdtrc, gammaincc

    rank = int(np.linalg.matrix_rank(spread, hermitian=True)) if spread.any() else 0
    if rank == 0:
        same = not np.abs(differences).max() > NO_SPREAD
        note = "the classifiers rank all cases alike" if same else "the placements have no spread"
        return TestResult(0.0 if same else math.nan, 1.0 if same else math.nan, math.nan, NAME, 0.0, notes=(note,))
    statistic = float(differences @ np.linalg.pinv(spread, hermitian=True) @ differences)
    largest = float(np.abs(differences).max())
    if df is None:
        return TestResult(statistic, possible(gammaincc(rank / 2, statistic / 2)), largest, NAME, float(rank))
    left = df - rank + 1
    if left <= 0:
        note = "cannot be tested: too few positive or negative cases for as many classifiers"
        return TestResult(math.nan, math.nan, largest, NAME, (rank, left), notes=(note,))
    statistic *= left / (df * rank)
    return TestResult(statistic, possible(fdtrc(rank, left, statistic)), largest, NAME, (rank, left))


def _area(name: str, truth: ArrayLike, scores: ArrayLike) -> tuple[float, float]:
    """Give an AUC and its variance, NaN where a class has one case."""
    check_index({f"truth_{name}": truth, name: scores})
    values, positive = row(name, scores), flags(f"truth_{name}", truth)
    if positive.shape != values.shape:
        raise HowsureError(f"`truth_{name}` must have a class for each of the {len(values)} scores in `{name}`.")
    if positive.all() or not positive.any():
        raise HowsureError(f"`truth_{name}` must hold positives and negatives; all cases are of one class.")
    placed = placements(positive, values)
    parts = [placed[positive], placed[~positive]]
    variances = [float(part.var(ddof=1)) / len(part) if len(part) > 1 else math.nan for part in parts]
    return float(parts[0].mean()), sum(variances)
