"""Error rates with intervals that need additional fits: nested cross-validation and conservative z.

Both estimate the error rate of one learner or the difference between two. The formulas work on arrays of 0/1 losses, or
of differences of two learners' losses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.checks import check_whole
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.intervals.cross_validated import CrossValidated
from howsure.measures.agreement import error_rate
from howsure.resampling.error.bootstrap import Refits
from howsure.resampling.schemes import KFold, RepeatedHoldout
from howsure.results import Estimate

Losses = Callable[[IntArray, IntArray], Floats]  # from training rows and test rows to losses of the test rows
MAX_FITS = 1_000_000


@shared_texts
def nested_cv_error(
    learner: Any, X: Any, y: Any, *, against: Any = None, folds: int = 10, repeats: int = 10, seed: int = 0
) -> Estimate:
    """Estimate the error rate of a learner by nested cross-validation.

    The method of Bates, Hastie and Tibshirani (2024) sets each fold aside and cross-validates on the other folds. The
    difference between the cross-validated error and the error in the fold estimates the accuracy of cross-validation.
    Each of the ``repeats`` takes K + K (K - 1) / 2 fits, which is 55 for ten folds. The value is corrected for the
    smaller training sets; the interval is normal.

    Parameters
    ----------
    learner
        A classifier of scikit-learn, or anything with ``fit`` and ``predict``.
    {X_y}
    against
        A second learner, to estimate the difference in error rate, learner minus ``against``, on the same folds.
    folds, repeats
        Number of folds and of repeats.
    seed
        The same seed gives the same estimate.

    Returns
    -------
    Estimate
        The error rate, or the difference between two error rates, with its interval.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from howsure.resampling import nested_cv_error
    >>> print(nested_cv_error(GaussianNB(), *load_iris(return_X_y=True), folds=5, repeats=4))
    error_rate (nested cross-validation, 4 x 5 folds): 0.047, 95 % interval
      [0.014, 0.081] (nested-cv), n = 150
    """
    if check_whole("folds", folds, 1, MAX_FITS) < 3:
        must("folds", "3 or more, so that the other folds can be cross-validated", given=folds)
    check_whole("repeats", repeats, 1, MAX_FITS)
    losses, codes, n = _losses(learner, against, X, y, seed)
    value, error = nested_by_losses(losses, codes, folds, repeats, seed)
    of = f"nested cross-validation, {repeats} x {folds} folds"
    return _estimate(value, error, "nested-cv", n, of, is_difference=against is not None)


def nested_by_losses(losses: Losses, codes: IntArray, folds: int, repeats: int, seed: int) -> tuple[float, float]:
    """Run nested cross-validations; return the mean loss and standard error."""
    rounds = []
    parts = KFold(folds, repeats).splits(codes, seed=seed).entries
    if min(len(entry.test) for entry in parts) < 2:  # the variance within a fold requires two cases
        raise HowsureError(
            f"splitting {len(codes)} cases into {folds} folds leaves a fold with a single case, but nested "
            "cross-validation needs at least two in each; use fewer `folds`."
        )
    for repeat in range(repeats):
        tests = [entry.test for entry in parts[repeat * folds : (repeat + 1) * folds]]
        rounds.append(_nested_round(losses, tests, len(codes)))
    return nested_estimate(rounds)


@dataclass(frozen=True)
class NestedRound:
    """Losses of one nested cross-validation.

    ``outer`` holds the loss of each case and ``fold`` its fold. Row k of ``inner`` holds the losses when fold k is set
    aside as well; they are NaN for the cases of fold k.
    """

    fold: IntArray
    outer: Floats
    inner: Array


def nested_estimate(rounds: Sequence[NestedRound]) -> tuple[float, float]:
    """Return the bias-corrected mean loss and its standard error.

    For each fold, (inner mean - outer mean)^2 minus the variance of the outer mean estimates the mean squared error of
    cross-validation on the other folds; (K - 1) / K times its mean is used for all cases. The standard error is limited
    to [s, sqrt(K) s], where s is the one for independent losses (Bates, Hastie and Tibshirani, 2024).
    """
    folds, n = len(rounds[0].inner), len(rounds[0].outer)
    squares, variances = [], []
    for nested in rounds:
        for number, inner in enumerate(nested.inner):
            outer = nested.outer[nested.fold == number]
            squares.append((float(np.nanmean(inner)) - float(outer.mean())) ** 2)
            variances.append(float(outer.var(ddof=1)) / len(outer))
    inner_losses = np.concatenate([nested.inner[np.isfinite(nested.inner)] for nested in rounds])
    inner_mean, outer_mean = float(inner_losses.mean()), float(np.mean([nested.outer.mean() for nested in rounds]))
    least = float(inner_losses.std(ddof=1)) / math.sqrt(n)
    squared_error = (folds - 1) / folds * (float(np.mean(squares)) - float(np.mean(variances)))
    error = min(max(math.sqrt(max(squared_error, 0.0)), least), least * math.sqrt(folds))
    bias = (1 + (folds - 2) / folds) * (inner_mean - outer_mean)
    return inner_mean - bias, error


@shared_texts
def conservative_z_error(
    learner: Any,
    X: Any,
    y: Any,
    *,
    against: Any = None,
    splits: int = 15,
    halvings: int = 10,
    test: float = 0.1,
    seed: int = 0,
) -> Estimate:
    """Estimate the error rate by repeated holdout with conservative z.

    The method is that of Nadeau and Bengio (2003). The estimate is the mean over the splits. For its standard error,
    the cases are divided into halves, and the same is done in each half with test sets of the same size. The two means
    are independent; their variance is that of smaller training sets, so the standard error tends to be too
    large. This takes ``splits`` x (1 + 2 ``halvings``) fits.

    Parameters
    ----------
    learner
        A classifier of scikit-learn, or anything with ``fit`` and ``predict``.
    {X_y}
    against
        A second learner, to estimate the difference in error rate, learner minus ``against``, on the same splits.
    splits
        Number of holdout splits.
    halvings
        Number of times that the cases are divided into halves.
    test
        Proportion of test cases.
    seed
        The same seed gives the same estimate.

    Returns
    -------
    Estimate
        The error rate, or the difference between two error rates, with its interval.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from howsure.resampling import conservative_z_error
    >>> print(conservative_z_error(GaussianNB(), *load_iris(return_X_y=True), splits=5, halvings=4))
    error_rate (conservative z, 5 splits, 4 halvings): 0.067, 95 % interval
      [0.010, 0.124] (conservative-z), n = 150
    """
    check_whole("splits", splits, 1, MAX_FITS)
    check_whole("halvings", halvings, 1, MAX_FITS)
    losses, codes, n = _losses(learner, against, X, y, seed)
    value, error = conservative_by_losses(losses, codes, splits, halvings, test, seed)
    of = f"conservative z, {splits} splits, {halvings} halvings"
    return _estimate(value, error, "conservative-z", n, of, is_difference=against is not None)


def conservative_by_losses(
    losses: Losses, codes: IntArray, splits: int, halvings: int, test: float, seed: int
) -> tuple[float, float]:
    """Run all holdouts; return the mean loss and its standard error."""
    value = _holdout_mean(losses, codes, np.arange(len(codes)), splits, test, seed)
    means = np.empty((halvings, 2))
    for number in range(halvings):
        own_seed = (seed + 1) * 1_000_003 + number
        for side, entry in enumerate(KFold(2).splits(codes, seed=own_seed).entries):
            # The test set has the same size as in the full sample, but is drawn from half as many cases.
            means[number, side] = _holdout_mean(losses, codes, entry.test, splits, 2 * test, own_seed + side)
    return value, conservative_error(means)


def conservative_error(means: Array) -> float:
    """Return sqrt(mean((a - b)^2) / 2) for means a, b of the halves."""
    return math.sqrt(float(((means[:, 0] - means[:, 1]) ** 2).mean()) / 2)


def _losses(learner: Any, against: Any, X: Any, y: Any, seed: int) -> tuple[Losses, IntArray, int]:
    """Return a function that computes losses, the class codes and sample size."""
    refits = [Refits.of(item, X, y, seed) for item in (learner, against) if item is not None]
    codes, fits = refits[0].codes, iter(range(2**31))

    def losses(train: IntArray, test: IntArray) -> Floats:
        number = next(fits)
        wrong = [item.refit(number, f"in fit {number + 1}", train, test) != codes[test] for item in refits]
        return np.asarray(wrong[0].astype(float) - (wrong[1] if len(wrong) > 1 else 0.0))

    return losses, codes, len(codes)


def _nested_round(losses: Losses, tests: Sequence[IntArray], n: int) -> NestedRound:
    fold, all_rows = np.empty(n, np.int64), np.arange(n)
    outer, inner = np.empty(n), np.full((len(tests), n), np.nan)
    for number, test in enumerate(tests):
        fold[test] = number
        outer[test] = losses(np.setdiff1d(all_rows, test), test)
    for i, j in combinations(range(len(tests)), 2):  # a model fitted without folds i and j is used to predict both
        pair = np.concatenate([tests[i], tests[j]])
        pair_losses = losses(np.setdiff1d(all_rows, pair), pair)
        inner[j, tests[i]] = pair_losses[: len(tests[i])]
        inner[i, tests[j]] = pair_losses[len(tests[i]) :]
    return NestedRound(fold, outer, inner)


def _holdout_mean(losses: Losses, codes: IntArray, rows: IntArray, splits: int, test: float, seed: int) -> float:
    """Return the mean loss over random splits of some rows."""
    if not 0 < test < 1:
        raise HowsureError(
            f"`test` must be a share between 0 and 1/2, not {test:g}, since it is doubled in halves of the cases."
        )
    entries = RepeatedHoldout(splits, test).splits(codes[rows], seed=seed)
    return float(np.mean([losses(rows[split.train], rows[split.test]).mean() for split in entries]))


def _estimate(value: float, error: float, method: str, n: int, of: str, *, is_difference: bool) -> Estimate:
    span = (-1.0, 1.0) if is_difference else (0.0, 1.0)
    value = min(max(value, span[0]), span[1])  # the correction for smaller training sets may leave the range
    of = f"difference by {of}" if is_difference else of
    return Estimate(error_rate.name, value, n, of=of, basis=CrossValidated(value, error, method, span))
