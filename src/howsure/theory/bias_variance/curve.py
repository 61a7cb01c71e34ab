"""Noise, bias and variance as functions of a parameter."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from howsure.arrays import Floats
from howsure.errors import counted
from howsure.experiment import ExperimentResult
from howsure.present.charts.axes import ValueAxis
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable
from howsure.theory.bias_variance.formulas import DOMINGOS, NAN, SQUARED
from howsure.theory.bias_variance.result import BiasVariance, column_titles
from howsure.tuning.parameters import table_cell

COLUMNS = ("loss", "noise", "bias", "variance", "net_variance", "noise_effect")
RESERVED = (*COLUMNS, "rounds", "note")  # column names that the parameter cannot have


@dataclass(frozen=True, eq=False)
class BiasVarianceCurve(Result):
    """Loss, noise, bias and variance as functions of a parameter.

    All values of the parameter have the same training sets and test cases.

    Attributes
    ----------
    learner, parameter, values
        Names of the learner and the parameter, and the values of the parameter.
    results
        Decomposition for each value; None if the learner failed in all rounds.
    reasons
        Reasons why it failed.
    experiment
        The underlying experiment.
    loss_function, method
        Names of the loss and of the decomposition.
    loss, noise, bias, variance, net_variance
        Arrays with one number per value.
    bias_label, variance_label
        Labels for charts.

    Examples
    --------
    >>> from howsure.selection import bias_variance_curve
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = [[i % 7, i % 3] for i in range(40)], [i % 2 for i in range(40)]
    >>> curve = bias_variance_curve(DecisionTreeClassifier(), X, y, "max_depth", [1, 2], rounds=5)
    >>> curve.values, curve.bias.shape, curve.by("kohavi-wolpert").method
    ((1, 2), (2,), 'kohavi-wolpert')
    """

    learner: str
    parameter: str
    values: tuple[Any, ...]
    results: tuple[BiasVariance | None, ...] = field(repr=False)
    reasons: tuple[str, ...] = field(repr=False)
    experiment: ExperimentResult = field(repr=False)

    @property
    def _first(self) -> BiasVariance:
        return next(result for result in self.results if result is not None)

    @property
    def loss_function(self) -> str:
        return self._first.loss_function

    @property
    def method(self) -> str:
        return self._first.method

    def by(self, method: str) -> BiasVarianceCurve:
        """Return the curve with the terms of another decomposition.

        Parameters
        ----------
        method
            "domingos" or "kohavi-wolpert".
        """
        return replace(self, results=tuple(result and result.by(method) for result in self.results))

    def _column(self, name: str) -> Floats:
        return np.array([NAN if result is None else getattr(result, name) for result in self.results], float)

    @property
    def loss(self) -> Floats:
        return self._column("loss")

    @property
    def noise(self) -> Floats:
        return self._column("noise")

    @property
    def bias(self) -> Floats:
        return self._column("bias")

    @property
    def variance(self) -> Floats:
        return self._column("variance")

    @property
    def net_variance(self) -> Floats:
        return self._column("net_variance")

    def records(self) -> list[Record]:
        """Return one record per value."""
        records = []
        for value, result, reason in zip(self.values, self.results, self.reasons, strict=True):
            terms = {name: NAN if result is None else getattr(result, name) for name in COLUMNS}
            rounds = result.rounds if result else 0
            records.append({self._parameter_column: table_cell(value), **terms, "rounds": rounds, "note": reason})
        return records

    @property
    def _parameter_column(self) -> str:
        """Column name of the parameter, which may itself be called "loss"."""
        return f"parameter {self.parameter}" if self.parameter in RESERVED else self.parameter

    @property
    def title(self) -> str:
        first = self._first
        by = "" if first.method == SQUARED else f" by {first.method}"
        return (
            f"bias and variance of {self.learner}, {first.loss_function} loss{by}: {counted(first.rounds, 'round')} of "
            f"{first.n_train} cases ({first.sampling}), {counted(first.n_test, 'test case')}"
        )

    @property
    def notes(self) -> tuple[str, ...]:
        pairs = zip(self.values, self.reasons, strict=True)
        shared = (note for note in self._first.notes if note not in self.reasons)
        return (*shared, *(f"{self.parameter}={table_cell(value)}: {reason}" for value, reason in pairs if reason))

    def sheet(self) -> Sheet:
        """Return the table to show."""
        first = self._first
        titles = column_titles(first.terms[first.method].has_noise, squared=first.method != DOMINGOS)
        columns = {self._parameter_column: self._parameter_column, **titles}
        rows = [{title: record[name] for name, title in columns.items()} for record in self.records()]
        return Sheet.of(rows, self.title, self.notes)

    def to_dict(self) -> dict[str, Any]:
        values = {
            "learner": self.learner,
            "parameter": self.parameter,
            "loss_function": self.loss_function,
            "method": self.method,
            "points": self.records(),
            "notes": self.notes,
        }
        return dict(jsonable(values))

    @property
    def axis(self) -> ValueAxis:
        """Horizontal axis of the chart."""
        return ValueAxis(self.parameter, self.values)

    @property
    def bias_label(self) -> str:
        return "bias" if self.method == DOMINGOS else "bias²"

    @property
    def variance_label(self) -> str:
        return "net variance" if self.method == DOMINGOS else "variance"
