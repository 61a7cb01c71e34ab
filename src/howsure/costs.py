"""Misclassification costs, in any unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.checks import check_number, numbers, one_of
from howsure.errors import HowsureError, must, must_be_share


class Costs:
    """Costs for each pair of true and predicted class.

    Parameters
    ----------
    matrix
        The costs, with a row for each true class and a column for each predicted class.
    labels
        The classes in the order of the matrix; classes that do not occur are allowed. The default is the names of the
        rows and columns of a data frame, or else the order of the assessment.
    false_negative, false_positive, true_positive, true_negative
        The four costs of a two-class problem, instead of a matrix.
    prior
        The proportion of positives in deployment, or the proportion of each class in the order of ``labels``. By
        default, the proportions in the sample are used.

    Attributes
    ----------
    has_prior
        Whether the class proportions in deployment are known.

    Examples
    --------
    >>> import howsure
    >>> costs = howsure.Costs(false_negative=5, false_positive=1)
    >>> a = howsure.assess(["y", "y", "n", "n"], ["y", "n", "y", "n"], positive="y", costs=costs)
    >>> a["total_cost"].value
    6.0
    >>> costs.matrix(["n", "y"], "y").tolist()
    [[0.0, 1.0], [5.0, 0.0]]
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
        prior: float | Sequence[float] | NDArray[np.float64] | None = None,
    ) -> None:
        self._prior = None if prior is None else np.atleast_1d(numbers("prior", prior))
        if self._prior is not None and not ((self._prior >= 0).all() and (self._prior <= 1).all()):
            must_be_share("prior", "between 0 and 1", given=prior)
        if self._prior is not None and self._prior.ndim > 1:
            raise HowsureError(
                f"`prior` must be a share, or a share for each class, not an array of shape {self._prior.shape}."
            )
        self._binary = matrix is None
        if self._binary == (false_negative is None and false_positive is None):
            raise HowsureError("`Costs` needs either a matrix, or `false_negative` and `false_positive`.")
        if matrix is None:
            if labels is not None:
                raise HowsureError(
                    "`labels` needs a matrix; without one, a false negative is an error on the positive class."
                )
            wrong = [0.0 if cost is None else cost for cost in (false_positive, false_negative)]
            self._table = numbers("costs", [[true_negative, wrong[0]], [wrong[1], true_positive]])
            self._labels = None
        else:
            if numbers("true_positive", true_positive).any() or numbers("true_negative", true_negative).any():
                raise HowsureError("`true_positive` and `true_negative` cannot be combined with a matrix.")
            self._table = numbers("costs", matrix).copy()
            self._labels = _names_of(matrix) if labels is None else _label_list(labels)
        k = len(self._table) if self._table.ndim == 2 else 0
        if self._table.shape != (k, k) or not k:
            raise HowsureError(
                f"`matrix` must be a square table of numbers, not an array of shape {self._table.shape}."
            )
        if not np.isfinite(self._table).all():
            raise HowsureError("`costs` must be finite numbers.")
        if self._labels is not None and len(self._labels) != k:
            raise HowsureError(f"`labels` must name the {k} classes of the matrix, not {self._labels!r}.")
        if self._labels is not None and len(set(map(repr, self._labels))) < k:
            raise HowsureError(f"`labels` must name each class once, not {self._labels!r}.")

    def matrix(self, labels: Sequence[Any], positive: Any = None) -> NDArray[np.float64]:
        """Return the costs in the order of ``labels``.

        Parameters
        ----------
        labels
            The classes in the desired order.
        positive
            The positive one of two classes.
        """
        is_list = labels.ndim > 0 if isinstance(labels, np.ndarray) else isinstance(labels, Sequence)
        if isinstance(labels, str) or not is_list:
            must("labels", "the labels of the classes", given=labels)
        k = len(labels)
        if self._binary:
            if k != 2:
                raise HowsureError(
                    f"`Costs` of false negatives and false positives need two classes, not {k}; give a matrix."
                )
            order = [0, 1] if positive == labels[1] else [1, 0]
            return self._table[np.ix_(order, order)]
        if self._labels is not None:
            order = self._order(labels)
            return self._table[np.ix_(order, order)]
        if len(self._table) != k:
            raise HowsureError(
                f"`Costs` must have a row and a column for each of the {k} classes, not {len(self._table)}."
            )
        return self._table

    def with_labels(self, labels: Sequence[Any]) -> Costs:
        """Return the costs with class names; not all classes need occur.

        Parameters
        ----------
        labels
            The classes in the order of the matrix.

        Examples
        --------
        >>> from howsure import Costs
        >>> Costs([[0, 1], [5, 0]]).with_labels(["n", "y"])
        Costs([[0.0, 1.0], [5.0, 0.0]], labels=['n', 'y'])
        """
        if self._binary or self._labels is not None:
            return self
        return Costs(self.matrix(labels), labels=labels, prior=self._prior)

    def _order(self, labels: Sequence[Any]) -> list[int]:
        """Return the index of each class in the matrix."""
        names = self._labels or []
        for label in labels:
            if label not in names:
                raise HowsureError(f"`Costs` must name every class, but {label!r} is missing.")
        return [names.index(label) for label in labels]

    @property
    def has_prior(self) -> bool:
        """Whether the class proportions in deployment are known."""
        return self._prior is not None

    def priors(self, labels: Sequence[Any], positive: Any = None) -> NDArray[np.float64] | None:
        """Return the class proportions in deployment, or None if not given.

        Parameters
        ----------
        labels
            The classes in the desired order.
        positive
            The positive one of two classes.

        Examples
        --------
        >>> from howsure import Costs
        >>> Costs(false_negative=5, false_positive=1, prior=0.25).priors(["n", "y"], "y").tolist()
        [0.75, 0.25]
        """
        if self._prior is None:
            return None
        if len(self._prior) == 1 and len(labels) == 2:
            share = float(self._prior[0])
            return np.array([1 - share, share] if positive == labels[1] else [share, 1 - share])
        if len(self._prior) != len(labels) or abs(self._prior.sum() - 1) > 1e-9:
            raise HowsureError(
                f"`prior` must have a share for each of the {len(labels)} classes, and these must add up to 1."
            )
        return self._prior if self._labels is None else self._prior[self._order(labels)]

    def trade(self, labels: Sequence[Any], positive: Any, share: float) -> tuple[float, float, float]:
        """Return three summaries of the costs of two classes.

        They are the slope of iso-cost lines in ROC space, the probability cost at which a cost curve is read, and the
        threshold probability at which a decision curve is read. They use the prior if there is one, and otherwise the
        proportion of positives in the sample.

        Parameters
        ----------
        labels
            The two classes.
        positive
            The positive class.
        share
            The proportion of positives in the sample.

        Examples
        --------
        >>> from howsure import Costs
        >>> trade = Costs(false_negative=4, false_positive=1).trade(["n", "y"], "y", 0.5)
        >>> slope, probability_cost, threshold = map(float, trade)
        >>> slope, probability_cost, threshold
        (0.25, 0.8, 0.2)
        """
        matrix = self.matrix(labels, positive)
        if len(labels) != 2:
            raise HowsureError(f"`labels` must be two classes, not {len(labels)}.")
        order = [0, 1] if one_of("positive", positive, labels) == labels[1] else [1, 0]
        matrix = matrix[np.ix_(order, order)]
        check_number(share, "share")
        shares = self.priors(labels, positive)
        in_use = share if shares is None else float(shares[order[1]])
        alarm, miss = matrix[0, 1] - matrix[0, 0], matrix[1, 0] - matrix[1, 1]
        if not (alarm > 0 and miss > 0 and 0 < in_use < 1):
            raise HowsureError("`Costs` must make both errors cost more than the correct decision.")
        cost_of_misses = in_use * miss
        cost_of_alarms = (1 - in_use) * alarm
        probability_cost = cost_of_misses / (cost_of_misses + cost_of_alarms)
        with np.errstate(over="ignore"):  # the slope may overflow if positives are very rare
            return cost_of_alarms / cost_of_misses, probability_cost, alarm / (alarm + miss)

    def __repr__(self) -> str:
        if self._binary:
            (tn, fp), (fn, tp) = self._table.tolist()
            arguments = [f"false_negative={fn}", f"false_positive={fp}"]
            arguments += [f"true_positive={tp}", f"true_negative={tn}"] if tp or tn else []
        else:
            arguments = [f"{self._table.tolist()}"]
        arguments += [] if self._labels is None else [f"labels={self._labels!r}"]
        arguments += [] if self._prior is None else [f"prior={self._prior.tolist()}"]
        return f"Costs({', '.join(arguments)})"


def _label_list(labels: Any) -> list[Any]:
    names = np.asarray(labels, object).tolist()
    if not isinstance(names, list):
        must("labels", "the classes in the order of the matrix", given=labels)
    return names


def _names_of(matrix: Any) -> list[Any] | None:
    """Return a data frame's row and column names, unless they are 0, 1, ..."""
    if not (hasattr(matrix, "columns") and hasattr(matrix, "index")):
        return None
    names = list(matrix.columns)
    return names if names == list(matrix.index) and names != list(range(len(names))) else None
