"""Normal intervals for a cross-validated mean: mean ± z standard errors.

The standard error is that of the losses of the cases in one cross-validation (Bayle, Bayle, Janson and Mackey 2020), or
comes from additional fits of the learner in `howsure.resampling`: nested cross-validation (Bates, Hastie and Tibshirani
2024), and the conservative z of Nadeau and Bengio (2003).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Floats
from howsure.checks import check_groups, numbers
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval

NO_SPREAD = "all losses are equal, so the standard error is unknown"


@shared_texts
def cross_validated_mean(
    losses: ArrayLike, fold: ArrayLike | None = None, confidence: float = 0.95, side: str = "two-sided"
) -> Interval:
    """Normal interval for the mean loss of one cross-validation.

    The interval is valid for stable learners and many cases. It is for the error of these fitted models (Bayle, Bayle,
    Janson and Mackey 2020). For unstable learners it was too narrow in simulations; see
    docs/decisions/2026-11-16-cross-validation-inference.md.

    Parameters
    ----------
    losses
        One value for each case, or the difference between two learners' losses.
    fold
        The fold of each case, to use the variance within folds instead of the overall variance.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the mean loss.

    Examples
    --------
    >>> from howsure.intervals import cross_validated_mean
    >>> print(cross_validated_mean([0, 0, 1, 0, 0, 0, 1, 0, 0, 0]))
    [-0.048, 0.448]
    """
    values = case_losses(losses)
    basis = CrossValidated(float(values.mean()), loss_error(values, fold), "cv-clt")
    return basis.interval(confidence, side=side)


def case_losses(losses: ArrayLike) -> Floats:
    """Validate the losses; return them as an array."""
    values = numbers("losses", losses)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise HowsureError("`losses` must be a sequence of at least two finite numbers, one for each case.")
    return values


def loss_error(losses: Floats, fold: ArrayLike | None = None) -> float:
    """Return the standard error of a mean loss, within folds if given."""
    if fold is None:
        return float(losses.std()) / math.sqrt(len(losses))
    labels = check_groups("fold", fold, len(losses), f"the fold of each of the {len(losses)} cases")
    parts = [losses[labels == label] for label in np.unique(labels)]
    if min(map(len, parts)) < 2:
        raise HowsureError(
            "`fold` must have at least two cases in each fold; omit it to use the variance of all cases."
        )
    return math.sqrt(float(np.mean([part.var(ddof=1) for part in parts])) / len(losses))


@dataclass(frozen=True)
class CrossValidated(Basis):
    """A cross-validated mean with the standard error given by one method."""

    value: float
    error: float
    default: str
    span: Span = (-math.inf, math.inf)

    @property
    def standard_error(self) -> float:
        return self.error

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({self.default})


@method(
    "cv-clt",
    title="normal interval from one cross-validation",
    needs="cv-clt",
    source="Bayle, Bayle, Janson and Mackey 2020",
)
def _cv_clt(basis: Basis, request: Request) -> Interval:
    """Standard error of the losses, as if the cases were independent."""
    return _normal(basis, request, "cv-clt")


@method(
    "nested-cv",
    title="interval from nested cross-validation",
    needs="nested-cv",
    source="Bates, Hastie and Tibshirani 2024",
)
def _nested_cv(basis: Basis, request: Request) -> Interval:
    """Standard error from inner cross-validations compared with outer folds."""
    return _normal(basis, request, "nested-cv")


@method(
    "conservative-z",
    title="conservative z interval",
    needs="conservative-z",
    source="Nadeau and Bengio 2003",
)
def _conservative_z(basis: Basis, request: Request) -> Interval:
    """Standard error from cross-validation in pairs of disjoint halves."""
    return _normal(basis, request, "conservative-z")


def _normal(basis: Basis, request: Request, name: str) -> Interval:
    if not basis.standard_error > 0:
        return request.undefined(NO_SPREAD, name)
    spread = z_value(request.alpha) * basis.standard_error
    return request.close(basis.value - spread, basis.value + spread, name, basis.span)
