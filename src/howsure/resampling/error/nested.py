"""The error rate by nested cross-validation, and by cross-validations of halves: estimates that refit to know how sure.

Both serve one learner, or the difference of two. The arithmetic is in functions on arrays of losses: 1 where a case
was predicted wrong and 0 where right, or the difference of two learners' losses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats, IntArray
from howsure.checks import whole_between
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.intervals.cross_validated import CrossValidated
from howsure.measures.agreement import error_rate
from howsure.resampling.error.bootstrap import Refits
from howsure.resampling.schemes import KFold, RepeatedHoldout
from howsure.results import Estimate

Losses = Callable[[IntArray, IntArray], Floats]  # of test cases, from training on others
MOST_FITS = 1_000_000


@shared_texts
def nested_cv_error(
    learner: Any, X: Any, y: Any, *, against: Any = None, folds: int = 10, repeats: int = 10, seed: int = 0
) -> Estimate:
    """Estimate the error rate of a learner by nested cross-validation (Bates, Hastie and Tibshirani 2024).

    Each fold is set aside in turn, and a cross-validation made of the others; how far its mean is from the error in the
    fold tells how far a cross-validation is from the truth. That takes K + K (K - 1) / 2 fits for each of ``repeats``:
    55 for ten folds. The value is corrected for the smaller training sets; the interval is normal.

    Parameters
    ----------
    learner
        A classifier of scikit-learn, or anything with ``fit`` and ``predict``.
    {X_y}
    against
        Another learner: then it is the difference of the error rates, learner minus ``against``, on the same folds.
    folds, repeats
        How many folds, and how often.
    seed
        The same seed gives the same estimate.

    Returns
    -------
    Estimate
        The error rate, or the difference of two, with its interval.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from howsure.resampling import nested_cv_error
    >>> print(nested_cv_error(GaussianNB(), *load_iris(return_X_y=True), folds=5, repeats=4))
    error_rate (nested cross-validation, 4 x 5 folds): 0.047, 95 % interval
      [0.014, 0.081] (nested-cv), n = 150
    """
    if whole_between("folds", folds, 1, MOST_FITS) < 3:
        must("folds", "3 or more, so that there is a cross-validation within the others", given=folds)
    whole_between("repeats", repeats, 1, MOST_FITS)
    losses, codes, n = _losses(learner, against, X, y, seed)
    value, error = nested_by_losses(losses, codes, folds, repeats, seed)
    of = f"nested cross-validation, {repeats} x {folds} folds"
    return _estimate(value, error, "nested-cv", n, of, is_difference=against is not None)


def nested_by_losses(losses: Losses, codes: IntArray, folds: int, repeats: int, seed: int) -> tuple[float, float]:
    """Make all nested cross-validations of cases with these classes; give the mean loss and its standard error."""
    rounds = []
    parts = KFold(folds, repeats).splits(codes, seed=seed).entries
    if min(len(entry.test) for entry in parts) < 2:  # and one case tells nothing of how much the errors vary
        raise HowsureError(
            f"{folds} folds of {len(codes)} cases leave a fold with one case, and nested cross-validation "
            "needs two or more in each; give fewer `folds`."
        )
    for repeat in range(repeats):
        tests = [entry.test for entry in parts[repeat * folds : (repeat + 1) * folds]]
        rounds.append(_nested_round(losses, tests, len(codes)))
    return nested_estimate(rounds)


@dataclass(frozen=True)
class NestedRound:
    """Losses of one nested cross-validation.

    ``outer`` has the loss of each case, ``fold`` its fold; row k of ``inner`` the losses when fold k is set aside too,
    NaN for the cases of fold k.
    """

    fold: IntArray
    outer: Floats
    inner: Array


def nested_estimate(rounds: Sequence[NestedRound]) -> tuple[float, float]:
    """Return the mean loss, corrected for smaller training sets, and its standard error.

    The squared distance of the inner mean from the outer one of a fold, less the variance of the latter, estimates the
    mean squared error of a cross-validation of the other folds: (K - 1) / K of that is taken for all cases. The
    standard error lies between that of independent losses and the root of K times it.
    """
    folds, n = len(rounds[0].inner), len(rounds[0].outer)
    squares, variances = [], []
    for one in rounds:
        for number, inner in enumerate(one.inner):
            outer = one.outer[one.fold == number]
            squares.append((float(np.nanmean(inner)) - float(outer.mean())) ** 2)
            variances.append(float(outer.var(ddof=1)) / len(outer))
    inner_losses = np.concatenate([one.inner[np.isfinite(one.inner)] for one in rounds])
    inner_mean, outer_mean = float(inner_losses.mean()), float(np.mean([one.outer.mean() for one in rounds]))
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
    """Estimate the error rate by repeated holdout, with the conservative z interval (Nadeau and Bengio 2003).

    The mean over the splits is the estimate. To know how sure it is, the cases are cut in halves, and in each half the
    same is done with as large test sets: two means that share no case. Their spread is that of smaller training sets,
    and so rather too large. It takes ``splits`` x (1 + 2 ``halvings``) fits.

    Parameters
    ----------
    learner
        A classifier of scikit-learn, or anything with ``fit`` and ``predict``.
    {X_y}
    against
        Another learner: then it is the difference of the error rates, learner minus ``against``, on the same splits.
    splits
        How many holdouts.
    halvings
        How often the cases are cut in halves.
    test
        The share of cases that is held out.
    seed
        The same seed gives the same estimate.

    Returns
    -------
    Estimate
        The error rate, or the difference of two, with its interval.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from howsure.resampling import conservative_z_error
    >>> print(conservative_z_error(GaussianNB(), *load_iris(return_X_y=True), splits=5, halvings=4))
    error_rate (conservative z, 5 splits, 4 halvings): 0.067, 95 % interval
      [0.010, 0.124] (conservative-z), n = 150
    """
    whole_between("splits", splits, 1, MOST_FITS)
    whole_between("halvings", halvings, 1, MOST_FITS)
    losses, codes, n = _losses(learner, against, X, y, seed)
    value, error = conservative_by_losses(losses, codes, splits, halvings, test, seed)
    of = f"conservative z, {splits} splits, {halvings} halvings"
    return _estimate(value, error, "conservative-z", n, of, is_difference=against is not None)


def conservative_by_losses(
    losses: Losses, codes: IntArray, splits: int, halvings: int, test: float, seed: int
) -> tuple[float, float]:
    """Make all holdouts of cases with these classes and of their halves; give the mean loss and its standard error."""
    value = _holdout_mean(losses, codes, np.arange(len(codes)), splits, test, seed)
    means = np.empty((halvings, 2))
    for number in range(halvings):
        own_seed = (seed + 1) * 1_000_003 + number
        for side, entry in enumerate(KFold(2).splits(codes, seed=own_seed).entries):
            # As many test cases as above, out of half as many cases.
            means[number, side] = _holdout_mean(losses, codes, entry.test, splits, 2 * test, own_seed + side)
    return value, conservative_error(means)


def conservative_error(means: Array) -> float:
    """Return the standard error from the means of two halves, a row for each halving.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.resampling.error.nested import conservative_error
    >>> round(conservative_error(np.array([[0.1, 0.2], [0.15, 0.15]])), 4)
    0.05
    """
    return math.sqrt(float(((means[:, 0] - means[:, 1]) ** 2).mean()) / 2)


def _losses(learner: Any, against: Any, X: Any, y: Any, seed: int) -> tuple[Losses, IntArray, int]:
    """Give a function that refits and returns the losses of test cases, the classes, and their number."""
    every = [Refits.of(one, X, y, seed) for one in (learner, against) if one is not None]
    codes, fits = every[0].codes, iter(range(2**31))

    def losses(train: IntArray, test: IntArray) -> Floats:
        number = next(fits)
        wrong = [one.refit(number, f"in fit {number + 1}", train, test) != codes[test] for one in every]
        return np.asarray(wrong[0].astype(float) - (wrong[1] if len(wrong) > 1 else 0.0))

    return losses, codes, len(codes)


def _nested_round(losses: Losses, tests: Sequence[IntArray], n: int) -> NestedRound:
    fold, every = np.empty(n, np.int64), np.arange(n)
    outer, inner = np.empty(n), np.full((len(tests), n), np.nan)
    for number, test in enumerate(tests):
        fold[test] = number
        outer[test] = losses(np.setdiff1d(every, test), test)
    for i, j in combinations(range(len(tests)), 2):  # one model without both serves both
        both = np.concatenate([tests[i], tests[j]])
        of_both = losses(np.setdiff1d(every, both), both)
        inner[j, tests[i]] = of_both[: len(tests[i])]
        inner[i, tests[j]] = of_both[len(tests[i]) :]
    return NestedRound(fold, outer, inner)


def _holdout_mean(losses: Losses, codes: IntArray, rows: IntArray, splits: int, test: float, seed: int) -> float:
    """Average the losses over splits of some of the rows."""
    if not 0 < test < 1:
        raise HowsureError(
            f"`test` must be a share between 0 and 1/2, not {test:g}: halves are split with twice of it."
        )
    entries = RepeatedHoldout(splits, test).splits(codes[rows], seed=seed)
    return float(np.mean([losses(rows[split.train], rows[split.test]).mean() for split in entries]))


def _estimate(value: float, error: float, method: str, n: int, of: str, *, is_difference: bool) -> Estimate:
    span = (-1.0, 1.0) if is_difference else (0.0, 1.0)
    held = min(max(value, span[0]), span[1])  # the correction for smaller training sets may leave the range
    of = f"difference by {of}" if is_difference else of
    return Estimate(error_rate.name, held, n, of=of, basis=CrossValidated(held, error, method, span))
