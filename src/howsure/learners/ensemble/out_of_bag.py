"""Out-of-bag estimates: each case is predicted by the members whose samples do not contain it."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data import Predictions
from howsure.errors import HowsureError
from howsure.learners.ensemble.bootstrap_draws import is_copies
from howsure.present.result import Result
from howsure.present.sheet import Record
from howsure.present.value_text import number


class OutOfBag(Result):
    """Out-of-bag votes of the members of an ensemble.

    Cases that are in every sample have no votes and are left out.

    Parameters
    ----------
    codes
        Class of each case, as an index into ``classes``.
    classes
        The class labels.
    weight
        Case weights, or None.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.learners import OutOfBag
    >>> votes = OutOfBag(np.array([0, 1, 1]), np.array(["n", "y"]), None)
    >>> votes.add(np.array([0, 1]), np.array([0, 0]))
    >>> votes.add(np.array([1]), np.array([1]))
    >>> votes.error, votes.missing
    (0.5, 1)
    >>> votes.member_error(np.array([0, 1]), np.array([0, 0])), votes.cases_in(np.array([0, 1]))
    (0.5, 2)
    >>> votes.predictions()
    Predictions(2 rows, 2 classes, scores)
    """

    title = "out-of-bag error"

    def __init__(self, codes: IntArray, classes: Array, weight: Array | None) -> None:
        self.codes, self.classes, self.weight = codes, classes, weight
        self.votes = np.zeros((len(codes), len(classes)))
        self._wrong = np.zeros(len(codes), bool)
        self._voted = np.zeros(len(codes), bool)

    def add(self, rows: IntArray, votes: Array) -> None:
        """Add the votes of a member.

        Parameters
        ----------
        rows
            Rows outside the member's sample.
        votes
            Predicted class indices or class probabilities of these rows.
        """
        if votes.ndim == 1:
            self.votes[rows, votes] += 1
        else:
            self.votes[rows] += votes
        self._voted[rows] = True
        self._wrong[rows] = self.votes[rows].argmax(axis=1) != self.codes[rows]

    def member_error(self, rows: IntArray, votes: Array) -> float:
        """Return the error rate of one member.

        Parameters
        ----------
        rows
            Rows outside the member's sample.
        votes
            Predicted class indices or class probabilities of these rows.
        """
        predicted = votes if votes.ndim == 1 else votes.argmax(axis=1)
        return self._mean(predicted != self.codes[rows], rows)

    @property
    def error(self) -> float:
        """Error rate for the cases with votes; NaN if there are none."""
        rows = self.rows
        return self._mean(self._wrong[rows], rows)

    @property
    def rows(self) -> IntArray:
        """Rows of the cases with votes."""
        return np.flatnonzero(self._voted if self.weight is None else self._voted & (self.weight > 0))

    @property
    def missing(self) -> int:
        """Number of cases without votes."""
        cases = len(self.codes) if self.weight is None else np.count_nonzero(self.weight)
        return int(cases) - len(self.rows)

    def cases_in(self, rows: IntArray) -> int:
        """Count the rows with positive weight.

        Parameters
        ----------
        rows
            Row numbers.
        """
        return len(rows) if self.weight is None else int(np.count_nonzero(self.weight[rows]))

    def predictions(self) -> Predictions:
        """Return the out-of-bag predictions, with proportions of votes as scores."""
        rows = self.rows
        if not len(rows):
            raise HowsureError("no case is out of bag; use more members.")
        votes = self.votes[rows]
        shares = votes / votes.sum(axis=1, keepdims=True)
        labels = [label.item() if hasattr(label, "item") else label for label in self.classes]
        if all(isinstance(label, float) and label.is_integer() for label in labels):
            # `Predictions` does not accept floats as labels.
            labels = [int(label) for label in labels]
        label_of = np.array(labels, dtype=object)
        weight = None if self.weight is None else self.weight[rows]
        if weight is not None and is_copies(weight):
            weight = weight.astype(np.int64)
        return Predictions.of(
            label_of[self.codes[rows]],
            label_of[votes.argmax(axis=1)],
            scores=None if len(labels) < 2 else shares[:, 1] if len(labels) == 2 else shares,
            labels=labels,
            weight=weight,
        )

    def _mean(self, wrong: Array, rows: IntArray) -> float:
        if self.weight is None:
            return float(wrong.mean()) if len(wrong) else float("nan")
        weight = self.weight[rows]
        return float(np.average(wrong, weights=weight)) if weight.sum() > 0 else float("nan")

    def records(self) -> list[Record]:
        return [{"error": self.error, "cases": len(self.rows), "without_vote": self.missing}]

    def __repr__(self) -> str:
        return f"OutOfBag(error {number(self.error)} over {len(self.rows)} cases, {self.missing} without a vote)"
