"""DeLong's test of the areas under ROC curves of the same cases."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from assay.arrays import Array
from assay.errors import AssayError, must_be_one_of
from assay.kernels.ranking import placements
from assay.results import TestResult
from assay.significance.declare import declare_test

ALTERNATIVES = ("two-sided", "less", "greater")
SMALLEST = 2.2250738585072014e-308  # a p-value is never 0; below this, numbers cannot tell


@declare_test(
    "DeLong's test",
    designs=("cases",),
    classifiers="two or more",
    null="the areas under the ROC curves are equal",
    assumes="independent cases, with many of both classes",
    measures="of_auc",
    preference=1,
    apply=lambda answers, _: delong(answers.flags, *answers.scores),
)
def delong(
    truth: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *more: ArrayLike,
    contrast: ArrayLike | None = None,
    alternative: str = "two-sided",
) -> TestResult:
    """Test whether classifiers have equal AUCs, from their scores of the same cases (DeLong et al. 1988).

    Two classifiers give a normal statistic and the difference a - b; more, or a ``contrast`` of several rows, a
    chi-square statistic. ``truth`` tells which cases are positive.

    Examples
    --------
    >>> from assay.significance import delong
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(delong(truth, [9, 8, 6, 5, 7, 4, 3, 1], [9, 3, 6, 5, 7, 8, 4, 1]))
    DeLong's test: difference 0.312, statistic 1.405, p = 0.16 (two-sided)
    """
    if alternative not in ALTERNATIVES:
        must_be_one_of("alternative", ALTERNATIVES, given=alternative)
    positive = np.asarray(truth).astype(bool)
    columns = [
        _scores(scores, name, len(positive)) for scores, name in zip((a, b, *more), _names(len(more)), strict=True)
    ]
    n_p, n_q = int(positive.sum()), int((~positive).sum())
    if not (n_p and n_q):
        raise AssayError("`truth` must hold positives and negatives; all cases are of one class.")
    placed = np.array([placements(positive, scores) for scores in columns])
    areas = placed[:, positive].mean(1)
    covariance = _covariance(placed[:, positive]) / n_p + _covariance(placed[:, ~positive]) / n_q
    rows = _contrast(contrast, len(columns))
    differences, spread = rows @ areas, rows @ covariance @ rows.T
    if len(rows) == 1:
        return _normal(float(differences[0]), math.sqrt(max(float(spread[0, 0]), 0)), alternative)
    if alternative != "two-sided":
        raise AssayError("a test of several differences at once has no side; leave `alternative` out.")
    return _chi_square(differences, spread)


def _names(more: int) -> list[str]:
    return ["a", "b", *(f"classifier {place + 3}" for place in range(more))]


def _scores(scores: ArrayLike, name: str, n: int) -> Array:
    values = np.asarray(scores, float)
    if values.shape != (n,):
        raise AssayError(f"`{name}` must have a score for each of the {n} cases, not shape {values.shape}.")
    if np.isnan(values).any():
        raise AssayError(f"`{name}` must hold numbers, not nan at index {int(np.isnan(values).argmax())}.")
    return values


def _covariance(placed: Array) -> Array:
    if placed.shape[1] < 2:
        return np.zeros((len(placed), len(placed)))
    centred = placed - placed.mean(1, keepdims=True)
    return np.asarray(centred @ centred.T / (placed.shape[1] - 1))


def _contrast(given: ArrayLike | None, k: int) -> Array:
    """Rows that add up to 0: by default each classifier against the first, as a - b for two."""
    if given is None:
        return np.array([[1.0, -1.0]]) if k == 2 else np.hstack([-np.ones((k - 1, 1)), np.eye(k - 1)])
    rows = np.atleast_2d(np.asarray(given, float))
    if rows.shape[1] != k or not np.allclose(rows.sum(1), 0):
        raise AssayError(f"`contrast` must have a weight for each of the {k} classifiers, adding up to 0.")
    return rows


def _normal(difference: float, error: float, alternative: str) -> TestResult:
    name = "DeLong's test"
    if error < 1e-15:
        note = "the classifiers rank all cases alike, so there is no difference to test"
        if difference:
            note = "the placements have no spread, so the test cannot tell how sure the difference is"
        p = 1.0 if abs(difference) < 1e-15 else math.nan
        return TestResult(0.0 if p == 1 else math.nan, p, difference, name, None, alternative, (note,), error)
    z = difference / error
    distance = {"two-sided": abs(z), "greater": z, "less": -z}[alternative]
    p = math.erfc(distance / math.sqrt(2)) / (1 if alternative == "two-sided" else 2)
    return TestResult(z, max(p, SMALLEST), difference, name, None, alternative, (), error)


def _chi_square(differences: Array, spread: Array) -> TestResult:
    from scipy.special import gammaincc

    name = "DeLong's test"
    rank = int(np.linalg.matrix_rank(spread, hermitian=True)) if spread.any() else 0
    if rank == 0:
        same = not np.abs(differences).max() > 1e-15
        note = "the classifiers rank all cases alike" if same else "the placements have no spread"
        return TestResult(0.0 if same else math.nan, 1.0 if same else math.nan, math.nan, name, 0.0, notes=(note,))
    statistic = float(differences @ np.linalg.pinv(spread, hermitian=True) @ differences)
    pvalue = float(gammaincc(rank / 2, statistic / 2))
    return TestResult(statistic, pvalue, float(np.abs(differences).max()), name, float(rank))
