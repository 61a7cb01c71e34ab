"""Complexity curves: error as a function of a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.data.encode import Label
from howsure.errors import HowsureError
from howsure.measures.agreement import error_rate
from howsure.present.charts.axes import is_numeric
from howsure.tuning.choice import ROUNDING, best_index, check_measure, declared_measure
from howsure.tuning.factor_curve import NAN, FactorCurve
from howsure.tuning.parameters import learners_by_value, table_cell
from howsure.tuning.run import Folder, Run


class ComplexityCurve(FactorCurve):
    """Test and training error as functions of a parameter.

    Attributes
    ----------
    marked
        Indices of the best value and of the value chosen by the one-standard-error rule.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import complexity_curve
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = [[i % 7, i % 2] for i in range(60)], [i % 3 > 0 for i in range(60)]
    >>> curve = complexity_curve(KNeighborsClassifier(), X, y, "n_neighbors", [1, 9], resampling=KFold(2))
    >>> curve.values, curve.best_value in curve.values, curve.one_standard_error in curve.values
    ((1, 9), True, True)
    """

    kind = "complexity curve"

    @cached_property
    def _best(self) -> int:
        return best_index(self._means, declared_measure(self.measure), self.table.undefined)

    @property
    def _means(self) -> Array:
        """Mean for each value; NaN if the measure is defined in fewer splits than for another value."""
        defined = np.isfinite(self.table.values).sum(axis=0)
        return np.where(defined == defined.max(), self.test_error, NAN)

    @cached_property
    def _simplest(self) -> int:
        """Index of the simplest value within one standard error of the best."""
        means, training = self._means, self.training_error
        near = np.flatnonzero(abs(means - means[self._best]) <= self.standard_error + ROUNDING)
        rank = np.argsort(np.argsort(self.values)) if is_numeric(self.values) else np.arange(len(means))
        defined = np.isfinite(training)
        trend = float((rank[defined] - rank[defined].mean()) @ training[defined])
        if abs(trend) <= ROUNDING:
            return self._best
        return int(near[(rank[near] * np.sign(trend)).argmax()])

    @property
    def best_value(self) -> Any:
        """Value with the best mean, or the first one among ties."""
        return self.values[self._best]

    @property
    def one_standard_error(self) -> Any:
        """Simplest value whose mean is within one standard error of the best (Breiman et al., 1984).

        Numeric values are sorted; others are in the order passed. The end of this order with the higher training error
        is taken to be the simpler one.
        """
        return self.values[self._simplest]

    @property
    def standard_error(self) -> float:
        """Standard error of the best mean, with splits treated as independent; 0 for a single split."""
        column = self.table.values[:, self._best]
        values = column[np.isfinite(column)]
        return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0

    @property
    def marked(self) -> dict[str, int]:
        return {"best": self._best, "one standard error": self._simplest}

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            *super().notes,
            "one standard error: the simplest value within one standard error of the best",
            "the error of the best value is optimistic because it was selected; `nested` and `tune` correct for this",
        )

    def _summary(self) -> dict[str, Any]:
        values = {"best_value": self.best_value, "one_standard_error": self.one_standard_error}
        return {
            **{name: table_cell(value) for name, value in values.items()},
            "standard_error": self.standard_error,
        }


def complexity_curve(
    learner: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Sequence[Any],
    *,
    measure: str = error_rate.name,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    positive: Label | None = None,
    progress: bool = False,
) -> ComplexityCurve:
    """Compute test and training errors for several parameter values.

    Parameters
    ----------
    learner, X, y
        As in `Experiment`.
    parameter
        Name of a parameter of the learner, or of a step of a pipeline, such as "svc__C".
    values
        Values of the parameter.
    measure, resampling, seed, folder, n_jobs, groups, positive, progress
        As in `learning_curve`.

    Returns
    -------
    ComplexityCurve
        Errors for each value, and the best value.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import complexity_curve
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> curve = complexity_curve(DecisionTreeClassifier(), X, y, "max_depth", [1, 2, 4, 8], resampling=KFold(4))
    >>> curve.best_value, curve.one_standard_error
    (4, 4)
    """
    check_measure(measure, learner, to_choose=True)
    checked, learners = learners_by_value(learner, parameter, values)
    run = Run.of((X, y, groups), seed, folder, n_jobs, progress)
    result = run.results(run.experiment(learners, resampling))
    table = result.scores(measure, positive=positive)
    if np.isnan(table.values).all():
        reason = next(iter(table.undefined.values()), "no split has a value")
        raise HowsureError(f"`{measure}` is undefined for every value of {parameter!r}: {reason.rstrip('.')}.")
    return ComplexityCurve.of(learner, parameter, checked, table, result)
