"""Costs: what each kind of error costs, in the user's own unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import AssayError


class Costs:
    """A cost for each pair of true and predicted class.

    Parameters
    ----------
    matrix
        One cost for each true class (rows) and predicted class (columns).
    labels
        The classes in the order of the matrix; default: the order of the assessment.
    false_negative, false_positive, true_positive, true_negative
        The four costs of a two-class problem, instead of a matrix.

    Examples
    --------
    >>> import assay
    >>> costs = assay.Costs(false_negative=5, false_positive=1)
    >>> a = assay.assess(["y", "y", "n", "n"], ["y", "n", "y", "n"], positive="y", costs=costs)
    >>> a["total_cost"].value
    6.0
    """

    def __init__(
        self,
        matrix: ArrayLike | None = None,
        *,
        labels: Sequence[Any] | None = None,
        false_negative: float | None = None,
        false_positive: float | None = None,
        true_positive: float = 0.0,
        true_negative: float = 0.0,
    ) -> None:
        if (matrix is None) == (false_negative is None and false_positive is None):
            raise AssayError("`Costs` must be given a matrix, or `false_negative` and `false_positive`, not both.")
        if matrix is None:
            named = [[true_negative, false_positive or 0.0], [false_negative or 0.0, true_positive]]
            self._table, self._labels, self._binary = np.array(named, float), None, True
        else:
            self._table, self._labels, self._binary = np.array(matrix, float), labels, False
        k = len(self._table) if self._table.ndim == 2 else 0
        if self._table.shape != (k, k) or not k or not np.isfinite(self._table).all():
            raise AssayError(f"`matrix` must be a square table of numbers, not of shape {self._table.shape}.")
        if self._labels is not None and len(self._labels) != k:
            raise AssayError(f"`labels` must name the {k} classes of the matrix, not {list(self._labels)!r}.")

    def matrix(self, labels: Sequence[Any], positive: Any = None) -> NDArray[np.float64]:
        """Give the costs in the order of ``labels``."""
        k = len(labels)
        if self._binary:
            if k != 2:
                raise AssayError(f"`Costs` of false negatives and positives need two classes, not {k}; give a matrix.")
            order = [0, 1] if positive == labels[1] else [1, 0]
            return self._table[np.ix_(order, order)]
        if len(self._table) != k:
            raise AssayError(
                f"`Costs` must have a row and a column for each of the {k} classes, not {len(self._table)}."
            )
        if self._labels is None:
            return self._table
        for label in labels:
            if label not in self._labels:
                raise AssayError(f"`Costs` must name every class, and {label!r} is missing.")
        order = [list(self._labels).index(label) for label in labels]
        return self._table[np.ix_(order, order)]

    def __repr__(self) -> str:
        return f"Costs({self._table.tolist()})"
