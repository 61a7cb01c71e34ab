"""FactorCurve: error, training error and times against one thing that is varied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array
from assay.checks import check_confidence
from assay.experiment import ExperimentResult
from assay.experiment.result.preference import shown
from assay.measures.agreement import accuracy, error_rate
from assay.present.format import jsonable, number
from assay.present.sheet import Record, Sheet
from assay.resampling import FoldTable
from assay.tuning.settings import UP_TO_ROUNDING, best_place, cell_of, declared_as
from assay.tuning.slope import Slope, log_slope

NAN = float("nan")


@dataclass(frozen=True, eq=False)
class FactorCurve:
    """A measure on test cases, the training error, and times, for each value of one factor.

    ``table`` has the measure in every split, a column for each value; ``training``, ``fitting`` and ``predicting``
    (seconds) have the same shape. The training error is the error rate on the rows trained on, whatever the measure.
    """

    kind: ClassVar[str] = "curve"
    training_name: ClassVar[str] = "training error"

    learner: str
    factor: str
    values: tuple[Any, ...]
    table: FoldTable = field(repr=False)
    training: Array = field(repr=False)
    fitting: Array = field(repr=False)
    predicting: Array = field(repr=False)
    experiment: ExperimentResult = field(repr=False)

    @property
    def measure(self) -> str:
        return self.table.measure

    @property
    def test_error(self) -> Array:
        """The mean of the measure over the splits, for each value."""
        return np.array([self.table.estimate(name).value for name in self.table.learners])

    @property
    def training_error(self) -> Array:
        return _over_splits(self.training, np.mean)

    @property
    def fit_seconds(self) -> Array:
        """The median over the splits, which a hiccup of the machine does not move."""
        return _over_splits(self.fitting, np.median)

    @property
    def predict_seconds(self) -> Array:
        return _over_splits(self.predicting, np.median)

    @property
    def comparable_training(self) -> Array | None:
        """Training error on the scale of the measure; None where only a run of its own would tell."""
        declared = declared_as(self.measure)
        if declared is error_rate:
            return self.training_error
        return 1 - self.training_error if declared is accuracy else None

    def records(self, confidence: float = 0.95) -> list[Record]:
        """Give one record for each value of the factor, with every digit."""
        found = []
        columns = (self.training_error, self.fit_seconds, self.predict_seconds)
        rest = zip(*(column.tolist() for column in columns), strict=True)
        for value, name, (training, fit, predict) in zip(self.values, self.table.learners, rest, strict=True):
            mean = self.table.estimate(name)
            interval = mean.interval(confidence)
            found.append(
                {
                    self.factor: cell_of(value),
                    self.measure: mean.value,
                    "low": interval.low,
                    "high": interval.high,
                    "splits": int(mean.n),
                    "training_error": training,
                    "fit_seconds": fit,
                    "predict_seconds": predict,
                    "note": mean.undefined or "; ".join(mean.notes),
                }
            )
        return found

    def sheet(self, confidence: float = 0.95) -> Sheet:
        """Give the table that is shown, times in readable units."""
        level = f"{check_confidence(confidence) * 100:g} % interval"
        rows = []
        for place, record in enumerate(self.records(confidence)):
            low, high = record["low"], record["high"]
            rows.append(
                {
                    self.factor: record[self.factor],
                    self.measure: record[self.measure],
                    level: "" if np.isnan(low) and np.isnan(high) else f"[{number(low)}, {number(high)}]",
                    self.training_name: record["training_error"],
                    "fit time": shown("fit_seconds", record["fit_seconds"]),
                    "prediction time": shown("predict_seconds", record["predict_seconds"]),
                    **self._mark(place),
                }
            )
        return Sheet.of(rows, self.title, self.notes())

    def _mark(self, place: int) -> Record:
        return {}

    @property
    def title(self) -> str:
        return f"{self.kind} of {self.learner}, {self.table.design.scheme}"

    def notes(self) -> tuple[str, ...]:
        """Say what the table does not: slopes and choices, and splits without a value."""
        failed = int((self.experiment.tasks["failure"] != "").sum())
        if not failed:
            return ()
        first = self.experiment.tasks["failure"][self.experiment.tasks["failure"] != ""][0]
        return (f"{failed} of {self.experiment.done} fits failed; the first: {first}",)

    def frame(self, like: Any = None) -> Any:
        """Give every digit as a data frame, times in seconds."""
        return Sheet.of(self.records()).frame(like)

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        told = {
            "kind": self.kind,
            "learner": self.learner,
            "factor": self.factor,
            "measure": self.measure,
            "design": self.table.design.to_dict(),
            "points": self.records(confidence),
            "notes": list(self.notes()),
        }
        return dict(jsonable({**told, **self._further()}))

    def _further(self) -> dict[str, Any]:
        return {}

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().to_html()

    def plot(self, ax: Any = None) -> Any:
        """Draw the measure on test cases, with its interval, and the training error; give the Matplotlib axes back."""
        from assay.present.charts.factor import draw_errors

        return draw_errors(self, ax)

    def plot_time(self, ax: Any = None) -> Any:
        """Draw the seconds of fitting and predicting; give the Matplotlib axes back."""
        from assay.present.charts.factor import draw_times

        return draw_times(self, ax)


class LearningCurve(FactorCurve):
    """Error against the number of training cases, and with what power of it error and time go."""

    kind = "learning curve"

    @cached_property
    def time_exponent(self) -> Slope:
        """Slope of the logarithm of the fit time: 1 where time grows with n, 2 where with its square."""
        return log_slope(self.values, self.fit_seconds.tolist(), "fit time")

    @cached_property
    def error_exponent(self) -> Slope:
        """Slope of the logarithm of the error: -0.5 where four times the cases halve it."""
        declared = declared_as(self.measure)
        if declared.better != "lower":
            return Slope(NAN, undefined=f"`{declared.name}` is not an error, which falls")
        return log_slope(self.values, self.test_error.tolist(), declared.title.lower())

    def notes(self) -> tuple[str, ...]:
        told = [f"fit time goes with the power of n: {self.time_exponent}"]
        if declared_as(self.measure).better == "lower":
            told.append(f"{self.measure} goes with the power of n: {self.error_exponent}")
        return (*super().notes(), *told)

    def _further(self) -> dict[str, Any]:
        return {"time_exponent": self.time_exponent.to_dict(), "error_exponent": self.error_exponent.to_dict()}


class ComplexityCurve(FactorCurve):
    """Error against the values of a parameter, and which value to take."""

    kind = "complexity curve"

    @cached_property
    def best_place(self) -> int:
        """The place of the best mean among the values, the first of equals; of those with most splits defined."""
        return best_place(self._means, declared_as(self.measure), self.table.undefined)

    @property
    def _means(self) -> Array:
        """The means to choose by: one over fewer splits than another has is not compared, and is NaN."""
        defined = np.isfinite(self.table.values).sum(axis=0)
        return np.where(defined == defined.max(), self.test_error, NAN)

    @cached_property
    def near_place(self) -> int:
        """The place of the simplest value within one standard error of the best."""
        means, training = self._means, self.training_error
        near = np.flatnonzero(abs(means - means[self.best_place]) <= self.standard_error + UP_TO_ROUNDING)
        rank = np.argsort(np.argsort(self.values)) if is_numeric(self.values) else np.arange(len(means))
        known = np.isfinite(training)
        trend = float((rank[known] - rank[known].mean()) @ training[known])
        if abs(trend) <= UP_TO_ROUNDING:
            return self.best_place
        return int(near[(rank[near] * np.sign(trend)).argmax()])

    @property
    def best(self) -> Any:
        return self.values[self.best_place]

    @property
    def one_standard_error(self) -> Any:
        """The simplest value whose mean is within one standard error of the best (Breiman and others, 1984).

        Simpler is towards that end of the range at which the training error is higher; the range is in the order of
        numbers, and of anything else in the order given.
        """
        return self.values[self.near_place]

    @property
    def standard_error(self) -> float:
        """That of the best mean, the splits taken as independent, as the rule has it; 0 where there is one split."""
        column = self.table.values[:, self.best_place]
        found = column[np.isfinite(column)]
        return float(found.std(ddof=1) / np.sqrt(len(found))) if len(found) > 1 else 0.0

    def _mark(self, place: int) -> Record:
        chosen = {"best": self.best_place, "one standard error": self.near_place}
        return {"choice": ", ".join(name for name, where in chosen.items() if where == place)}

    def notes(self) -> tuple[str, ...]:
        told = "one standard error: of the values as near to the best as that, the one furthest towards underfitting"
        return (*super().notes(), told, "the best of several looks better than it is; `nested` and `tune` allow for it")

    def _further(self) -> dict[str, Any]:
        best, near = cell_of(self.best), cell_of(self.one_standard_error)
        return {"best": best, "one_standard_error": near, "standard_error": self.standard_error}


class NoiseCurve(FactorCurve):
    """Error on clean test labels against the share of wrong training labels."""

    kind = "noise curve"
    training_name = "error on true training labels"

    def notes(self) -> tuple[str, ...]:
        told = "a learner that takes every wrong label for true errs on their share of the training cases"
        return (*super().notes(), told)


def is_numeric(values: Sequence[Any]) -> bool:
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in values)


def _over_splits(columns: Array, summary: Any) -> Array:
    """Summarize each column over the splits that have a value."""
    kept = [column[np.isfinite(column)] for column in columns.T]
    return np.array([float(summary(column)) if len(column) else NAN for column in kept])
