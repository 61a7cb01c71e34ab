"""Learning curves: error and time as functions of the number of training cases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np

from howsure.data.encode import Label
from howsure.docstrings import shared_texts
from howsure.errors import must
from howsure.measures.agreement import error_rate
from howsure.present.charts.axes import ValueAxis
from howsure.present.value_text import spoken
from howsure.resampling import FoldTable, KFold, Splits, as_scheme
from howsure.tuning.choice import check_measure, declared_measure
from howsure.tuning.derived_schemes import TrainingSizes
from howsure.tuning.factor_curve import NAN, FactorCurve
from howsure.tuning.parameters import check_values
from howsure.tuning.run import Folder, Run
from howsure.tuning.slope import Slope, log_slope

POINTS = 8  # default number of sizes


class LearningCurve(FactorCurve):
    """Error and time by training set size, with power-law exponents.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import learning_curve
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(60)], [i % 3 > 0 for i in range(60)]
    >>> curve = learning_curve(GaussianNB(), X, y, sizes=[10, 20, 30], resampling=KFold(2))
    >>> curve.error_exponent.points
    3
    """

    kind = "learning curve"

    @cached_property
    def time_exponent(self) -> Slope:
        """Slope of log fit time against log n: 1 if time is proportional to n, 2 if it is proportional to n^2."""
        return log_slope(self.values, self.fit_seconds.tolist(), "fit time")

    @cached_property
    def error_exponent(self) -> Slope:
        """Slope of log error against log n: -0.5 if quadrupling the number of cases halves the error."""
        declared = declared_measure(self.measure)
        if declared.better != "lower":
            return Slope(NAN, undefined=f"`{declared.name}` is not an error")
        return log_slope(self.values, self.test_error.tolist(), declared.title.lower())

    @property
    def notes(self) -> tuple[str, ...]:
        time = f"exponent of n in the fit time: {self.time_exponent}"
        is_error = declared_measure(self.measure).better == "lower"
        error = (f"exponent of n in {spoken(self.measure)}: {self.error_exponent}",) if is_error else ()
        return (*super().notes, time, *error)

    def _summary(self) -> dict[str, Any]:
        return {"time_exponent": self.time_exponent.to_dict(), "error_exponent": self.error_exponent.to_dict()}

    @property
    def axis(self) -> ValueAxis:
        return ValueAxis("training cases", self.values, "log")

    @property
    def fit_label(self) -> str:
        slope = self.time_exponent
        return "fit" if slope.undefined else f"fit, n to the power of {slope.value:.2f}"


@shared_texts
def learning_curve(
    learner: Any,
    X: Any,
    y: Any,
    *,
    sizes: Iterable[int] | None = None,
    measure: str = error_rate.name,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    positive: Label | None = None,
    progress: bool = False,
) -> LearningCurve:
    """Compute error and time for several numbers of training cases.

    In each split, training sets are nested, stratified random samples from the training cases; all test cases are used.

    Parameters
    ----------
    learner, X, y, groups
        As in `Experiment`.
    sizes
        Numbers of training cases; by default, eight numbers evenly spaced on a log scale, from ten cases per class to
        all cases.
    measure
        Name of a measure, with parameters if needed, as in "f_beta(beta=2)".
    resampling, seed, folder, n_jobs, progress
        As in `Experiment`; by default 10-fold cross-validation.
    {positive}

    Returns
    -------
    LearningCurve
        Errors and times for each size, and the exponents of their power laws.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import learning_curve
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = learning_curve(GaussianNB(), X, y, sizes=[15, 45, 112], resampling=KFold(4))
    >>> curve.test_error.round(3).tolist()
    [0.067, 0.047, 0.047]
    """
    check_measure(measure, learner)
    run = Run.of((X, y, groups), seed, folder, n_jobs, progress)
    data = run.data
    scheme = KFold() if resampling is None else as_scheme(resampling)
    whole = scheme.splits(data.y, groups=data.groups, seed=seed)
    values = _check_sizes(sizes, min(len(split.train) for split in whole), len(data.labels))
    result = run.results(run.experiment({"learner": learner}, TrainingSizes(scheme, values)))
    table = _by_size(result.scores(measure, positive=positive), whole, values)
    return LearningCurve.of(learner, "n", values, table, result)


def _check_sizes(sizes: Any, most: int, classes: int) -> tuple[int, ...]:
    if sizes is None:
        least = min(10 * classes, max(most // 2, 1))
        return tuple(np.unique(np.geomspace(least, most, POINTS).round().astype(int)).tolist())
    is_several = isinstance(sizes, Iterable) and not isinstance(sizes, str)
    checked = check_values("sizes", list(sizes) if is_several else sizes)
    for size in checked:
        if isinstance(size, bool) or not isinstance(size, Integral) or int(size) < classes:
            must("sizes", f"whole numbers, at least the number of classes, {classes}", given=size)
        if int(size) > most:
            must("sizes", f"at most the number of training cases, {most}", given=size)
    return tuple(sorted({int(size) for size in checked}))


def _by_size(table: FoldTable, whole: Splits, sizes: tuple[int, ...]) -> FoldTable:
    """Reshape the table of `TrainingSizes` to one row per split of the base scheme and one column per size."""
    names = tuple(str(size) for size in sizes)
    return replace(
        table,
        values=table.values.reshape(len(whole), len(sizes)),
        learners=names,
        fingerprint=whole.fingerprint,
        design=whole.design,
        repeat=np.array([entry.repeat for entry in whole.entries]),
        fold=np.array([entry.fold for entry in whole.entries]),
        undefined={
            (split // len(sizes), names[split % len(sizes)]): reason for (split, _), reason in table.undefined.items()
        },
    )
