"""BiasVarianceCurve: noise, bias and variance against the values of a parameter."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.experiment import ExperimentResult
from assay.present.format import jsonable
from assay.present.sheet import Record, Sheet
from assay.theory.bias_variance.result import BiasVariance, counted, shown_columns
from assay.theory.bias_variance.terms import DOMINGOS, NAN, SQUARED
from assay.tuning.settings import cell_of

COLUMNS = ("loss", "noise", "bias", "variance", "net_variance", "noise_effect")
TAKEN = (*COLUMNS, "rounds", "note")  # names that a column for the parameter cannot have


@dataclass(frozen=True, eq=False)
class BiasVarianceCurve:
    """Loss, noise, bias and variance against the values of a parameter, on the same test cases and training sets.

    ``results`` has the whole result of each value; None where the learner failed in all rounds.
    """

    learner: str
    parameter: str
    values: tuple[Any, ...]
    results: tuple[BiasVariance | None, ...] = field(repr=False)
    reasons: tuple[str, ...] = field(repr=False)
    experiment: ExperimentResult = field(repr=False)

    @property
    def _first(self) -> BiasVariance:
        return next(one for one in self.results if one is not None)

    @property
    def loss_function(self) -> str:
        return self._first.loss_function

    @property
    def method(self) -> str:
        return self._first.method

    def by(self, method: str) -> BiasVarianceCurve:
        """Give the same curve with the values of another method."""
        return replace(self, results=tuple(one and one.by(method) for one in self.results))

    def _column(self, name: str) -> NDArray[np.float64]:
        return np.array([NAN if one is None else getattr(one, name) for one in self.results], float)

    @property
    def loss(self) -> NDArray[np.float64]:
        return self._column("loss")

    @property
    def noise(self) -> NDArray[np.float64]:
        return self._column("noise")

    @property
    def bias(self) -> NDArray[np.float64]:
        return self._column("bias")

    @property
    def variance(self) -> NDArray[np.float64]:
        return self._column("variance")

    @property
    def net_variance(self) -> NDArray[np.float64]:
        return self._column("net_variance")

    def records(self) -> list[Record]:
        """Give one record for each value, with every digit."""
        found = []
        for value, one, reason in zip(self.values, self.results, self.reasons, strict=True):
            told = {name: NAN if one is None else getattr(one, name) for name in COLUMNS}
            found.append({self._named: cell_of(value), **told, "rounds": one.rounds if one else 0, "note": reason})
        return found

    @property
    def _named(self) -> str:
        """The parameter as a column; there are learners with a parameter called loss."""
        return f"parameter {self.parameter}" if self.parameter in TAKEN else self.parameter

    @property
    def notes(self) -> tuple[str, ...]:
        pairs = zip(self.values, self.reasons, strict=True)
        shared = (note for note in self._first.notes if note not in self.reasons)
        return (*shared, *(f"{self.parameter}={cell_of(value)}: {told}" for value, told in pairs if told))

    def sheet(self) -> Sheet:
        """Give the table that is shown."""
        first = self._first
        shown = shown_columns(first.terms[first.method].known, squared=first.method != DOMINGOS)
        rows = [
            {self._named: row[self._named], **{title: row[name] for name, title in shown.items()}}
            for row in self.records()
        ]
        by = "" if first.method == SQUARED else f" by {first.method}"
        title = (
            f"bias and variance of {self.learner}, {first.loss_function} loss{by}: {counted(first.rounds, 'round')} of "
            f"{first.n_train} cases ({first.sampling}), {counted(first.n_test, 'test case')}"
        )
        return Sheet.of(rows, title, self.notes)

    def frame(self, like: Any = None) -> Any:
        """Give every digit as a data frame."""
        return Sheet.of(self.records()).frame(like)

    def to_dict(self) -> dict[str, Any]:
        told = {
            "learner": self.learner,
            "parameter": self.parameter,
            "loss_function": self.loss_function,
            "method": self.method,
            "points": self.records(),
            "notes": list(self.notes),
        }
        return dict(jsonable(told))

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().to_html()

    def plot(self, ax: Any = None) -> Any:
        """Draw loss, bias, net variance, and noise where it is known; give the Matplotlib axes back."""
        from assay.present.charts.bias_variance import draw_bias_variance

        return draw_bias_variance(self, ax)
