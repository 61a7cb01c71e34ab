"""Curves of error against the number of cases, a parameter, or wrong labels, each an experiment of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.data.encode import Label
from assay.errors import AssayError, must
from assay.experiment import Dataset, Experiment, ExperimentResult
from assay.measures.agreement import error_rate
from assay.resampling import FoldTable, KFold, Splits, as_scheme
from assay.tuning.factor import ComplexityCurve, LearningCurve, NoiseCurve
from assay.tuning.noise import NoisyLabels, check_share
from assay.tuning.running import Folder, run
from assay.tuning.settings import check_measure, check_values, name_of, spell_value, with_setting
from assay.tuning.splits import Sized

ERROR = error_rate.name
POINTS = 8  # of a learning curve, unless told
SHARES = (0, 0.05, 0.1, 0.2, 0.3, 0.4)


def learning_curve(
    learner: Any,
    X: Any,
    y: Any,
    *,
    sizes: Iterable[int] | None = None,
    measure: str = ERROR,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    positive: Label | None = None,
    progress: bool = False,
) -> LearningCurve:
    """Find how error and time depend on the number of training cases.

    In each split the training cases are put in a random order, of which every beginning has its share of each class;
    the first ``sizes`` of them train, and all test cases test.

    Parameters
    ----------
    learner, X, y, groups
        As `Experiment` takes them.
    sizes
        Numbers of training cases. Default: eight, evenly spaced on the log scale, from ten for each class to all.
    measure
        Any measure, with its parameters where it has some: "f_beta(beta=2)".
    resampling, seed, folder, n_jobs, progress
        As `Experiment` takes them; ten folds by default.
    positive
        The class that two-class measures are about.

    Examples
    --------
    >>> from assay.selection import learning_curve
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> curve = learning_curve(GaussianNB(), *load_iris(return_X_y=True), sizes=[15, 45, 135])
    >>> curve.test_error.round(3).tolist()
    [0.113, 0.04, 0.047]
    """
    check_measure(measure, learner)
    data = Dataset.of((X, y, groups), "data")
    scheme = KFold() if resampling is None else as_scheme(resampling)
    whole = scheme.splits(data.y, groups=data.groups, seed=seed)
    chosen = _sizes(sizes, min(len(split.train) for split in whole), len(data.labels))
    experiment = Experiment({"learner": learner}, {"data": data}, Sized(scheme, chosen), seed)
    result = run(experiment, folder, n_jobs=n_jobs, progress=progress)
    table = _by_size(result.scores(measure, positive=positive), whole, chosen)
    return LearningCurve(name_of(learner), "n", chosen, table, *_costs(result, len(chosen)), result)


def complexity_curve(
    learner: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Sequence[Any],
    *,
    measure: str = ERROR,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    positive: Label | None = None,
    progress: bool = False,
) -> ComplexityCurve:
    """Find how test and training error depend on a parameter of the learner, and which value to take.

    ``parameter`` is a name that ``set_params`` takes, also of a step of a pipeline: "svc__C". The others are those of
    `learning_curve`.

    Examples
    --------
    >>> from assay.selection import complexity_curve
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = complexity_curve(KNeighborsClassifier(), X, y, "n_neighbors", [1, 3, 9, 15, 45])
    >>> curve.best, curve.one_standard_error
    (9, 15)
    """
    check_measure(measure, learner, to_choose=True)
    chosen = check_values("values", values)
    learners = {spell_value(value): with_setting(learner, {parameter: value}) for value in chosen}
    if len(learners) < len(chosen):
        must("values", "different from each other", given=values)
    data = Dataset.of((X, y, groups), "data")
    experiment = Experiment(learners, {"data": data}, resampling, seed)
    result = run(experiment, folder, n_jobs=n_jobs, progress=progress)
    table = result.scores(measure, positive=positive)
    if np.isnan(table.values).all():
        reason = next(iter(table.undefined.values()), "no split has a value")
        raise AssayError(f"no value of {parameter!r} can be chosen: {reason.rstrip('.')}.")
    return ComplexityCurve(name_of(learner), parameter, tuple(chosen), table, *_costs(result, len(chosen)), result)


def noise_curve(
    learner: Any,
    X: Any,
    y: Any,
    *,
    shares: Sequence[float] = SHARES,
    measure: str = ERROR,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    positive: Label | None = None,
    progress: bool = False,
) -> NoiseCurve:
    """Find how the error on clean test labels depends on the share of training labels that are wrong.

    Labels are changed by `NoisyLabels`: what is wrong at a smaller share is wrong at a larger one too. The others are
    those of `learning_curve`.

    Examples
    --------
    >>> from assay.selection import noise_curve
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> curve = noise_curve(KNeighborsClassifier(1), *load_iris(return_X_y=True), shares=[0, 0.2])
    >>> curve.test_error.round(3).tolist(), curve.training_error.round(3).tolist()
    ([0.04, 0.24], [0.0, 0.199])
    """
    check_measure(measure, learner)
    chosen = sorted({check_share("shares", share) for share in check_values("shares", shares)})
    data = Dataset.of((X, y, groups), "data")
    learners = {repr(share): NoisyLabels(learner, share) for share in chosen}
    experiment = Experiment(learners, {"data": data}, resampling, seed)
    result = run(experiment, folder, n_jobs=n_jobs, progress=progress)
    table = result.scores(measure, positive=positive)
    return NoiseCurve(name_of(learner), "share", tuple(chosen), table, *_costs(result, len(chosen)), result)


def _sizes(given: Iterable[int] | None, most: int, classes: int) -> tuple[int, ...]:
    if given is None:
        least = min(10 * classes, max(most // 2, 1))
        return tuple(np.unique(np.geomspace(least, most, POINTS).round().astype(int)).tolist())
    sizes = check_values("sizes", list(given) if isinstance(given, Iterable) and not isinstance(given, str) else given)
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, Integral) or int(size) < classes:
            must("sizes", f"whole numbers, at least the number of classes, {classes}", given=size)
        if int(size) > most:
            must("sizes", f"at most the number of training cases, {most}", given=size)
    return tuple(sorted({int(size) for size in sizes}))


def _by_size(table: FoldTable, whole: Splits, sizes: tuple[int, ...]) -> FoldTable:
    """Give a table of splits and sizes from one of splits that come once for each size.

    Its design is that of the whole splits: what their tests have in common does not depend on how many cases train.
    """
    names = tuple(str(size) for size in sizes)
    return FoldTable(
        table.values.reshape(len(whole), len(sizes)),
        names,
        whole.fingerprint,
        table.measure,
        whole.design,
        np.array([entry.repeat for entry in whole.entries]),
        np.array([entry.fold for entry in whole.entries]),
        {(split // len(sizes), names[split % len(sizes)]): why for (split, _), why in table.undefined.items()},
        table.dataset,
        table.span,
    )


def _costs(result: ExperimentResult, points: int) -> tuple[Array, Array, Array]:
    """Training error, and seconds of fitting and predicting, by split and point of the curve."""
    learner = [result.learners.index(name) for name in result.tasks["learner"]]
    splits = result.tasks["split"].astype(int)

    def column(name: str) -> Array:
        found = np.full((len(result.splits()), len(result.learners)), np.nan)
        found[splits, learner] = result.tasks[name]
        return found.reshape(-1, points)

    return column("training_error"), column("fit_seconds"), column("predict_seconds")
