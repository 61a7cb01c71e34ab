"""Two classifiers on the same cases: the difference of any measure, with its standard error.

A measure's influence tells how much one more case in a cell of the table would change it. The difference of two
classifiers changes by the difference of their influences on that case, so its variance is a sum over cases, which keeps
the pairing: cases on which both err alike add nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.data import Predictions
from assay.measures import Measure
from assay.measures.agreement import accuracy, error_rate
from assay.measures.estimate.labels import Target, prepared
from assay.tables import Confusion


@dataclass(frozen=True)
class Joint:
    """Two sets of decisions on the same cases, and a label measure to compare them by."""

    a: Predictions
    b: Predictions
    measure: Measure
    parameters: dict[str, Any]

    @property
    def n(self) -> int:
        return len(self.a.truth)

    @cached_property
    def right(self) -> tuple[int, int, int, int]:
        """Cases that both got right, only the first, only the second, and neither."""
        first, second = (one.decided() == one.truth for one in (self.a, self.b))
        counts = np.bincount(2 * first.astype(np.int64) + second, minlength=4)
        return int(counts[3]), int(counts[2]), int(counts[1]), int(counts[0])

    @property
    def is_accuracy(self) -> bool:
        return self.measure in (accuracy, error_rate)

    @property
    def sign(self) -> int:
        """1 where the measure rises with the right cases, -1 where it counts the wrong ones."""
        return -1 if self.measure is error_rate else 1

    @cached_property
    def difference(self) -> float:
        return self._target(self.a)[0].value - self._target(self.b)[0].value

    @cached_property
    def error(self) -> float:
        """Standard error of the difference by the delta method."""
        influences = []
        for one in (self.a, self.b):
            target, place = self._target(one)
            cells = target.cells(target.table.counts)
            influences.append(cells[place[one.truth], place[one.decided()]])
        apart = influences[0] - influences[1]
        return float(np.sqrt(max(float((apart**2).sum() - apart.sum() ** 2 / self.n), 0.0)))

    def _target(self, predictions: Predictions) -> tuple[Target, Array]:
        """What is estimated, and the place of each class in its table: of one class and the rest, or of all."""
        table, labels = Confusion.from_predictions(predictions), predictions.classes.labels
        parameters = prepared(self.measure, self.parameters, table)
        every = np.arange(len(labels))
        if self.measure.scope == "overall":
            return Target(self.measure, table, None, parameters), every
        positive = predictions.classes.positive
        if positive is None:
            return Target(self.measure, table, "macro", parameters), every
        place = (every != labels.index(positive)).astype(np.int64)  # the class itself comes first in its table
        return Target(self.measure, table.against(positive), None, parameters), place
