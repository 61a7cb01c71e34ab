"""Noise curves: error on clean test labels as a function of the proportion of wrong training labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.data.encode import Label
from howsure.measures.agreement import error_rate
from howsure.present.charts.axes import ValueAxis
from howsure.tuning.choice import check_measure
from howsure.tuning.factor_curve import FactorCurve
from howsure.tuning.noisy_labels import NoisyLabels, check_share
from howsure.tuning.parameters import check_values
from howsure.tuning.run import Folder, Run

SHARES = (0, 0.05, 0.1, 0.2, 0.3, 0.4)


class NoiseCurve(FactorCurve):
    """Error on clean test labels by proportion of wrong training labels.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import noise_curve
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(60)], [i % 2 for i in range(60)]
    >>> curve = noise_curve(GaussianNB(), X, y, shares=[0, 0.4], resampling=KFold(2))
    >>> curve.values, curve.test_error.shape
    ((0.0, 0.4), (2,))
    """

    kind = "noise curve"
    training_title = "error on true training labels"
    training_label = "true training labels"

    @property
    def notes(self) -> tuple[str, ...]:
        memorized = (
            "if a learner memorizes wrong labels, its error on true training labels is the share of wrong labels"
        )
        return (*super().notes, memorized)

    @property
    def axis(self) -> ValueAxis:
        return ValueAxis("share of wrong training labels", self.values, "percent")


def noise_curve(
    learner: Any,
    X: Any,
    y: Any,
    *,
    shares: Sequence[float] = SHARES,
    measure: str = error_rate.name,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    positive: Label | None = None,
    progress: bool = False,
) -> NoiseCurve:
    """Compute test errors for several proportions of wrong training labels.

    Test labels are clean. Training labels are changed by `NoisyLabels`; labels that are wrong at a smaller proportion
    are also wrong at a larger one.

    Parameters
    ----------
    learner, X, y
        As in `Experiment`.
    shares
        Proportions of training labels to change.
    measure, resampling, seed, folder, n_jobs, groups, positive, progress
        As in `learning_curve`.

    Returns
    -------
    NoiseCurve
        Errors for each proportion.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import noise_curve
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = noise_curve(KNeighborsClassifier(1), X, y, shares=[0, 0.2], resampling=KFold(4))
    >>> curve.test_error.round(3).tolist(), curve.training_error.round(3).tolist()
    ([0.047, 0.247], [0.0, 0.2])
    """
    check_measure(measure, learner)
    checked = sorted({check_share("shares", share) for share in check_values("shares", shares)})
    run = Run.of((X, y, groups), seed, folder, n_jobs, progress)
    learners = {repr(share): NoisyLabels(learner, share) for share in checked}
    result = run.results(run.experiment(learners, resampling))
    return NoiseCurve.of(learner, "share", tuple(checked), result.scores(measure, positive=positive), result)
