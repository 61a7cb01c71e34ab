"""Base class of curves that show a measure, training error and times as functions of one factor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from howsure.arrays import Array
from howsure.errors import merge_notes
from howsure.experiment import ExperimentResult
from howsure.measures.agreement import accuracy, error_rate
from howsure.present.charts.axes import ValueAxis
from howsure.present.quantity import show
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable, spoken, with_interval
from howsure.resampling import FoldTable
from howsure.resampling.fit import learner_name
from howsure.tuning.choice import declared_measure
from howsure.tuning.parameters import table_cell

NAN = float("nan")


@dataclass(frozen=True, eq=False)
class FactorCurve(Result):
    """A measure, the training error and times as functions of one factor.

    Attributes
    ----------
    learner, factor, values
        Names of the learner and the factor, and the values of the factor.
    table
        The measure on test cases in each split (rows) for each value (columns).
    experiment
        The underlying experiment.
    training_errors, fit_times, predict_times
        Error rates on the training rows, and times in seconds, with the same shape as the table.
    measure
        Name of the measure.
    training_error, predict_seconds
        Mean training error and median prediction time over the splits, for each value.
    fit_label
        Label for the fit time in charts.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import FactorCurve, learning_curve
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(60)], [i % 3 > 0 for i in range(60)]
    >>> curve = learning_curve(GaussianNB(), X, y, sizes=[10, 30], resampling=KFold(2))
    >>> isinstance(curve, FactorCurve), curve.values, curve.test_error.shape
    (True, (10, 30), (2,))
    """

    kind: ClassVar[str] = "curve"
    training_title: ClassVar[str] = "training error"
    training_label: ClassVar[str] = "training"

    learner: str
    factor: str
    values: tuple[Any, ...]
    table: FoldTable = field(repr=False)
    experiment: ExperimentResult = field(repr=False)
    training_errors: Array = field(repr=False)
    fit_times: Array = field(repr=False)
    predict_times: Array = field(repr=False)

    @classmethod
    def of(
        cls, learner: Any, factor: str, values: tuple[Any, ...], table: FoldTable, experiment: ExperimentResult
    ) -> Self:
        """Build a curve from the tasks of an experiment.

        Parameters
        ----------
        learner
            The learner.
        factor, values
            Name and values of the factor.
        table
            The measure on test cases in each split (rows) for each value (columns).
        experiment
            The experiment, with one learner per value.

        Examples
        --------
        >>> from howsure import Experiment, KFold
        >>> from howsure.selection import FactorCurve
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = [[i % 7, i % 2] for i in range(60)], [i % 3 > 0 for i in range(60)]
        >>> learners = {f"{s:g}": GaussianNB(var_smoothing=s) for s in (1e-9, 1e-3)}
        >>> run = Experiment(learners, {"toy": (X, y)}, KFold(2)).run(progress=False)
        >>> FactorCurve.of(GaussianNB(), "var_smoothing", (1e-9, 1e-3), run.scores("error_rate"), run).test_error.shape
        (2,)
        """
        tasks = experiment.tasks
        columns = [experiment.learners.index(name) for name in tasks["learner"]]
        splits = tasks["split"].astype(int)

        def by_split(name: str) -> Array:
            matrix = np.full((len(experiment.splits()), len(experiment.learners)), NAN)
            matrix[splits, columns] = tasks[name]
            return matrix.reshape(table.values.shape)

        columns_by_split = map(by_split, ("training_error", "fit_seconds", "predict_seconds"))
        return cls(learner_name(learner), factor, values, table, experiment, *columns_by_split)

    @property
    def measure(self) -> str:
        return self.table.measure

    @property
    def test_error(self) -> Array:
        """Mean of the measure over the splits."""
        return np.array([self.table.estimate(name).value for name in self.table.learners])

    @property
    def training_error(self) -> Array:
        return _over_splits(self.training_errors, np.mean)

    @property
    def fit_seconds(self) -> Array:
        """Median fit time over the splits."""
        return _over_splits(self.fit_times, np.median)

    @property
    def predict_seconds(self) -> Array:
        return _over_splits(self.predict_times, np.median)

    @property
    def comparable_training(self) -> Array | None:
        """Training error on the scale of the measure, if the measure is the error rate or the accuracy."""
        declared = declared_measure(self.measure)
        if declared is error_rate:
            return self.training_error
        return 1 - self.training_error if declared is accuracy else None

    def records(self, confidence: float = 0.95) -> list[Record]:
        """Return one record per value of the factor; times are in seconds."""
        records = []
        columns = (self.training_error, self.fit_seconds, self.predict_seconds)
        by_value = zip(*(column.tolist() for column in columns), strict=True)
        for value, name, (training, fit, predict) in zip(self.values, self.table.learners, by_value, strict=True):
            mean = self.table.estimate(name)
            interval = mean.interval(confidence)
            records.append(
                {
                    self.factor: table_cell(value),
                    self.measure: mean.value,
                    "low": interval.low,
                    "high": interval.high,
                    "splits": int(mean.n),
                    "training_error": training,
                    "fit_seconds": fit,
                    "predict_seconds": predict,
                    "note": mean.records(confidence)[0]["note"],
                }
            )
        return records

    def sheet(self, confidence: float = 0.95) -> Sheet:
        """Return the table to show, with times in readable units."""
        headings, records = (spoken(self.measure), f"{confidence * 100:g} % interval"), self.records(confidence)
        rows = [
            {
                self.factor: record[self.factor],
                **dict(zip(headings, with_interval(record[self.measure], record["low"], record["high"]), strict=True)),
                self.training_title: record["training_error"],
                "fit time": show("fit_seconds", record["fit_seconds"]),
                "prediction time": show("predict_seconds", record["predict_seconds"]),
                **self._choice(index),
            }
            for index, record in enumerate(records)
        ]
        row_notes = merge_notes((f"{self.factor} {record[self.factor]}", record["note"]) for record in records)
        return Sheet.of(rows, self.title, (*self.notes, *row_notes))

    def _choice(self, index: int) -> Record:
        """Return the table cell that shows whether the value is marked, such as the chosen one."""
        return {"choice": ", ".join(name for name, row in self.marked.items() if row == index)} if self.marked else {}

    @property
    def title(self) -> str:
        return f"{self.kind} of {self.learner}, {self.table.design.scheme}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes below the table."""
        failures = self.experiment.tasks["failure"]
        failed = failures[failures != ""]
        return (f"{len(failed)} of {self.experiment.done} fits failed; the first: {failed[0]}",) if len(failed) else ()

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        values = {
            "kind": self.kind,
            "learner": self.learner,
            "factor": self.factor,
            "measure": self.measure,
            "design": self.table.design.to_dict(),
            "points": self.records(confidence),
            "notes": self.notes,
        }
        return dict(jsonable({**values, **self._summary()}))

    def _summary(self) -> dict[str, Any]:
        """Return values that describe the whole curve, for JSON."""
        return {}

    @property
    def axis(self) -> ValueAxis:
        """Horizontal axis of charts."""
        return ValueAxis(self.factor, self.values)

    @property
    def marked(self) -> dict[str, int]:
        """Names and indices of marked values."""
        return {}

    @property
    def fit_label(self) -> str:
        return "fit"


def _over_splits(columns: Array, summary: Any) -> Array:
    """Summarize each column over the splits in which it is defined."""
    defined = (column[np.isfinite(column)] for column in columns.T)
    return np.array([float(summary(column)) if len(column) else NAN for column in defined])
