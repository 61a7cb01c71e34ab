"""Bootstrap estimators of the error rate: out of bag, 0.632 and 0.632+ (Efron and Tibshirani, 1997).

The formulas work on arrays of shape (rounds, cases): ``errors`` is 1 for a wrong and 0 for a correct prediction of an
out-of-bag case, and NaN for a case in the bootstrap sample; ``counts`` is the number of times a case was drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array, IntArray
from howsure.checks import check_index, one_of
from howsure.data.encode import Label, encode
from howsure.data.labels import Classes
from howsure.data.rows import count_rows, take
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, counted, must
from howsure.intervals.declare import Basis, Request
from howsure.intervals.delta import delta
from howsure.intervals.proportion import wilson_interval
from howsure.measures.agreement import error_rate
from howsure.resampling.declare import encode_complete
from howsure.resampling.fit import encode_predicted, fit_rows, fresh
from howsure.resampling.schemes import Bootstrap
from howsure.results import Estimate, Interval

METHODS = {"632+": "0.632+ bootstrap", "632": "0.632 bootstrap", "oob": "out-of-bag bootstrap"}
OUT_OF_BAG = 0.632  # 1 - exp(-1), rounded by convention
ROUNDING = 1e-12  # a standard error below this is 0 up to rounding error
WHOLE = 2**32 - 1  # number of the round that fits the whole sample


@shared_texts
def bootstrap_error(
    learner: Any,
    X: Any,
    y: Any,
    *,
    method: str = "632+",
    rounds: int = 200,
    seed: int = 0,
    groups: Any = None,
    n_jobs: int = 1,
) -> Estimate:
    """Estimate the error rate of a learner by the bootstrap.

    Cases, or groups of cases, are assumed to be independent. Each round fits a copy of the learner; a ``random_state``
    of None is set from ``seed``, so the result is the same for any ``n_jobs`` unless the learner uses a global random
    generator.

    The interval is a normal interval with a standard error from the delta method after bootstrap. For "632" and "632+"
    the standard error is scaled by value / out-of-bag error (Efron and Tibshirani, 1997). It does not allow for bias.

    Parameters
    ----------
    learner
        A scikit-learn classifier, or any object with ``fit`` and ``predict``.
    {X_y}
    method
        "oob" is the out-of-bag error, averaged for each case first. It is biased upwards, since a bootstrap sample
        contains only 63.2 % of the cases. "632" is a weighted mean of out-of-bag and training error, and is too low
        for learners that overfit. "632+" adapts the weight to the amount of overfitting, and is recommended.
    rounds
        Number of bootstrap samples.
    seed
        The same seed gives the same estimate.
    groups
        The group of each case. Whole groups are drawn.
    n_jobs
        Number of processes, -1 for all cores.

    Returns
    -------
    Estimate
        The error rate, with its interval.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from howsure.resampling import bootstrap_error
    >>> X, y = load_iris(return_X_y=True)
    >>> print(bootstrap_error(GaussianNB(), X, y, method="632+", rounds=50, seed=0))
    error_rate (0.632+ bootstrap, 50 rounds): 0.044, 95 % interval [0.011, 0.078]
      (delta), n = 150
    """
    one_of("method", method, METHODS)
    if isinstance(learner, type) or not (hasattr(learner, "fit") and hasattr(learner, "predict")):
        must("learner", "an object with `fit` and `predict`", given=learner)
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral) or n_jobs == 0:
        must("n_jobs", "a whole number other than 0", given=n_jobs)
    cases = Refits.of(learner, X, y, seed)
    n, codes = len(cases.codes), cases.codes
    if groups is not None and (length := count_rows(groups, "groups")) != n:
        raise HowsureError(f"`groups` has {counted(length, 'row')} and `y` has {n}; they must be of equal length.")
    check_index({"y": y, "groups": groups})
    splits = Bootstrap(rounds).splits(n, groups=groups, seed=seed)
    predicted = cases.refit(WHOLE, "on the whole sample", np.arange(n), np.arange(n))
    if (predicted < 0).all():
        raise HowsureError(f"{cases.name} predicts no class of `y`; do its labels have a different type?")

    from joblib import Parallel, delayed

    tasks = (
        delayed(cases.refit)(number, f"in round {number + 1} of {rounds}", split.train, split.test)
        for number, split in enumerate(splits)
    )
    errors = np.full((rounds, n), np.nan)
    counts = np.zeros((rounds, n), np.int32)
    for number, (split, test_codes) in enumerate(zip(splits, Parallel(n_jobs=int(n_jobs))(tasks), strict=True)):
        errors[number, split.test] = test_codes != codes[split.test]
        counts[number] = np.bincount(split.train, minlength=n)
    training_error = float((predicted != codes).mean())
    units = None if groups is None else encode(groups, "groups").codes
    value, error = combine(errors, counts, training_error, no_information(codes, predicted), method, units)
    never = int(np.isnan(errors).all(0).sum())
    note = f"{counted(never, 'case', 'was', of=n)} never out of bag and therefore left out; use more rounds"
    size, unit = (n, "cases") if units is None else (len(np.unique(units)), "groups")
    return Estimate(
        error_rate.name,
        value,
        n,
        of=f"{METHODS[method]}, {rounds} rounds",
        notes=(note,) if never else (),
        basis=ErrorBasis(value, error, size, unit),
    )


def combine(
    errors: Array,
    counts: NDArray[Any],
    training_error: float,
    gamma: float,
    method: str = "632+",
    groups: IntArray | None = None,
) -> tuple[float, float]:
    """Return the estimate and its standard error.

    With weight w = 0.632 / (1 - 0.368 R), the estimate is (1 - w) training error + w out-of-bag error. The relative
    overfitting rate R is 0 for "632". For "632+" the out-of-bag error is at most gamma (Efron and Tibshirani, 1997).
    """
    out_of_bag = leave_one_out_error(errors)
    value = out_of_bag
    if method != "oob":
        limited = min(out_of_bag, gamma) if method == "632+" else out_of_bag
        overfit = overfitting(out_of_bag, training_error, gamma) if method == "632+" else 0.0
        weight = OUT_OF_BAG / (1 - (1 - OUT_OF_BAG) * overfit)
        value = (1 - weight) * training_error + weight * limited
    error = standard_error(errors, counts, groups)
    return value, error * value / out_of_bag if out_of_bag else error


def leave_one_out_error(errors: Array) -> float:
    """Return the mean of the mean out-of-bag errors of the cases."""
    by_case = _by_case(errors)
    return float(np.nanmean(by_case)) if np.isfinite(by_case).any() else np.nan


def no_information(truth: IntArray, predicted: IntArray) -> float:
    """Return gamma, the error rate if classes and predictions were independent."""
    k = int(max(truth.max(), predicted.max())) + 1
    true_counts, predicted_counts = np.bincount(truth, minlength=k), np.bincount(predicted[predicted >= 0], minlength=k)
    return float((true_counts / len(truth) * (1 - predicted_counts / len(truth))).sum())


def overfitting(out_of_bag: float, training_error: float, gamma: float) -> float:
    """Return the relative overfitting rate, from 0 to 1 (nothing learned)."""
    if out_of_bag > training_error and gamma > training_error:
        return (min(out_of_bag, gamma) - training_error) / (gamma - training_error)
    return 0.0


def standard_error(errors: Array, counts: NDArray[Any], groups: IntArray | None = None) -> float:
    """Return the standard error by the delta method after bootstrap.

    The influence of a case is the derivative of the estimate with respect to the weight of the case. It has two parts:
    the error of the case itself, and its effect on the models, which is the covariance over rounds of its count with
    the errors of the other cases. With ``groups``, influences are those of groups. The estimate is assumed to be smooth
    in the weights, which averaging over rounds achieves even for learners that are not smooth.

    In the limit of many rounds this is the formula of Efron and Tibshirani (1997), with one change that does not affect
    the limit: errors are centred by case, so that (2 + 1 / (n - 1)) times the case's own error becomes just its own
    error. With few rounds, noise in the covariances inflates the sum of squared influences. Its expectation is
    subtracted, as in Wager, Hastie and Efron (2014) for forests, but the result is at least the sum of squares of the
    cases' own errors.
    """
    by_case = _by_case(errors)
    rounds, n = errors.shape
    usable = np.isfinite(by_case)
    _, first, unit = np.unique(np.arange(n) if groups is None else groups, return_index=True, return_inverse=True)
    m = len(first)
    if m < 2 or not usable.any():
        return np.nan
    own = np.bincount(unit, np.where(usable, by_case - by_case[usable].mean(), 0)) / usable.sum()
    by_round = np.nansum(errors - by_case, axis=1) / usable.sum()
    by_round -= by_round.mean()
    drawn = counts[:, first]
    scale = (1 - 1 / m) ** -m  # inverse of the probability of being out of bag
    influence = own + scale * (by_round @ drawn) / rounds
    noise = scale**2 * drawn.var(0).sum() * by_round.var() / rounds
    error = float(np.sqrt(max((influence**2).sum() - noise, (own**2).sum())))
    return error if error > ROUNDING else 0.0


def _by_case(errors: Array) -> Array:
    out = np.isfinite(errors).sum(0)
    nothing = np.full(errors.shape[1], np.nan)
    return np.asarray(np.divide(np.nansum(errors, axis=0), out, out=nothing, where=out > 0))


@dataclass(frozen=True)
class ErrorBasis(Basis):
    """An error rate and its bootstrap standard error for n cases or groups."""

    value: float
    error: float
    n: int
    unit: str

    default = "delta-scaled"
    offers = frozenset({"error"})
    span = (0.0, 1.0)

    @property
    def standard_error(self) -> float:
        return self.error

    def without_spread(self, request: Request) -> Interval:
        if self.error > 0:
            return delta(self.value, self.error, self.span, request)
        note = f"the standard error is 0, so this is the interval of a proportion of {self.n} {self.unit}"
        return replace(wilson_interval(self.value * self.n, self.n, request), notes=(note,))


@dataclass(frozen=True)
class Refits:
    """Fits of copies of a learner to samples of the same cases."""

    learner: Any
    X: Any
    classes: tuple[Label, ...]
    codes: IntArray
    seed: int

    @classmethod
    def of(cls, learner: Any, X: Any, y: Any, seed: int) -> Refits:
        encoded = encode_complete(y, "y")
        if not len(encoded.codes):
            raise HowsureError("`y` must hold at least one case, but it is empty.")
        if (length := count_rows(X)) != len(encoded.codes):
            rows = counted(length, "row")
            raise HowsureError(f"`X` has {rows} and `y` has {len(encoded.codes)}; they must be of equal length.")
        check_index({"X": X, "y": y})
        classes = Classes.of({"y": encoded}, None, None)
        return cls(learner, X, classes.labels, classes.index(encoded), seed)

    @property
    def name(self) -> str:
        return type(self.learner).__name__

    def refit(self, number: int, where: str, train: IntArray, test: IntArray) -> IntArray:
        """Fit a copy and return the codes of its predictions, -1 if unknown."""
        learner = fresh(self.learner, (self.seed, number))
        try:
            model = fit_rows(learner, self.X, np.array(self.classes)[self.codes], train)
            return encode_predicted(model.predict(take(self.X, test)), self.classes, len(test), strict=False)
        except Exception as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise HowsureError(f"{self.name} fails {where}: {reason}.") from error
