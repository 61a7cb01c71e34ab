"""What a measure sees of a table: arrays of counts, with any leading shape, and nothing of the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class BinaryCounts:
    """One class against the rest."""

    tp: Array
    fp: Array
    fn: Array
    tn: Array

    @classmethod
    def of(cls, counts: Array) -> BinaryCounts:
        """Read every class of tables of shape (..., k, k) against the rest; the last axis runs over the classes."""
        table = counts.astype(np.float64, copy=False)  # products of large counts overflow whole numbers
        hits = table.diagonal(axis1=-2, axis2=-1)
        missed, alarms = table.sum(-1) - hits, table.sum(-2) - hits
        n = table.sum((-1, -2))[..., None]
        rest = np.maximum(n - hits - missed - alarms, 0)  # real-valued weights may round below 0
        return cls(hits, alarms, missed, rest)

    @property
    def n(self) -> Array:
        total: Array = self.tp + self.fp + self.fn + self.tn
        return total


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """All classes at once; the last axis runs over the classes.

    Nearly every label measure needs only these sums. Those that weigh each cell for itself ask for
    ``weigh``; ``nudge`` is how the derivative with respect to that sum is taken.
    """

    hits: Array
    truth: Array
    predicted: Array
    cells: Array
    nudge: complex | Array = 0

    @classmethod
    def of(cls, counts: Array) -> LabelCounts:
        table = counts.astype(np.float64, copy=False)
        return cls(table.diagonal(axis1=-2, axis2=-1), table.sum(-1), table.sum(-2), table)

    @property
    def n(self) -> Array:
        total: Array = self.truth.sum(-1)
        return total

    def weigh(self, matrix: Array) -> Array:
        """Sum the cells, each times its entry of ``matrix`` (rows truth, columns predicted)."""
        total: Array = np.einsum("...ij,ij->...", self.cells, matrix) + self.nudge
        return total
