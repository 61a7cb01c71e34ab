"""Bias-variance decomposition of given predictions."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.checks import numbers, one_of
from howsure.data.encode import Label, encode
from howsure.data.labels import Classes
from howsure.errors import HowsureError, counted, is_one_of, must_be_one_of
from howsure.measures.probability import brier
from howsure.theory.bias_variance.formulas import (
    DOMINGOS,
    KOHAVI_WOLPERT,
    SQUARED,
    Terms,
    domingos,
    kohavi_wolpert,
    squares_of_numbers,
    squares_of_probabilities,
)
from howsure.theory.bias_variance.result import BiasVariance

ZERO_ONE, BRIER = "zero-one", brier.name
LOSSES = {ZERO_ONE: (DOMINGOS, KOHAVI_WOLPERT), SQUARED: (SQUARED,), BRIER: (SQUARED,)}  # decompositions by loss
TOLERANCE = 1e-3  # tolerance for the sum of probabilities
WITHOUT_NOISE = "noise cannot be estimated without P(y|x), and is part of bias"
WITH_NOISE = "loss is the expected loss under P(y|x), not that on the observed labels"
AS_NUMBERS = "squared differences of the labels as numbers"
AS_INDICATORS = "half the sum over classes of squared differences of indicators: a wrong class costs 1"
AS_PROBABILITIES = "half the sum over classes of squared differences of probabilities: (p - y)^2 with two classes"


@dataclass(frozen=True)
class Loss:
    """A loss function and its decomposition."""

    name: str
    method: str

    @classmethod
    def of(cls, name: str, method: str | None) -> Loss:
        one_of("loss", name, LOSSES)
        if method is not None and not is_one_of(method, LOSSES[name]):
            if name != ZERO_ONE:
                raise HowsureError(f"`method` must be left out for the loss {name!r}, which has one decomposition.")
            must_be_one_of("method", LOSSES[name], given=method)
        return cls(name, method or LOSSES[name][0])


@dataclass(frozen=True, eq=False)
class Rounds:
    """Predictions for the same cases by learners trained on different sets."""

    predicted: Array  # label codes or numbers (rounds x cases), or probabilities (rounds x cases x classes)
    truth: Array  # label codes, or numbers
    labels: tuple[Any, ...]
    conditional: Array | None = None  # P(y|x), cases x labels

    def decomposed(self, loss: Loss) -> BiasVariance:
        """Compute all decompositions of a loss."""
        terms, notes = self._terms(loss.name)
        notes = (*notes, WITHOUT_NOISE if self.conditional is None else WITH_NOISE)
        is_coded = self.truth.dtype.kind in "iu"
        truth = tuple(self.labels[code] for code in self.truth) if is_coded else tuple(self.truth.tolist())
        return BiasVariance(loss.name, loss.method, terms, truth, self.labels, notes=notes)

    def _terms(self, loss: str) -> tuple[dict[str, Terms], tuple[str, ...]]:
        has_noise = self.conditional is not None
        if self.truth.dtype.kind == "f":
            return {SQUARED: self._squares(self.predicted, self.truth)}, (AS_NUMBERS,)
        if loss == SQUARED and are_numbers(self.labels):
            values = _exact(self.labels)
            return {SQUARED: self._squares(values[self.predicted], values[self.truth])}, (AS_NUMBERS,)
        conditional = np.eye(len(self.labels))[self.truth] if self.conditional is None else self.conditional
        if loss == BRIER:
            return {SQUARED: squares_of_probabilities(self.predicted, conditional, has_noise)}, (AS_PROBABILITIES,)
        if loss == ZERO_ONE:
            both = (method(self.predicted, conditional, has_noise) for method in (domingos, kohavi_wolpert))
            return {terms.method: terms for terms in both}, ()
        return {SQUARED: kohavi_wolpert(self.predicted, conditional, has_noise, SQUARED)}, (AS_INDICATORS,)

    def _squares(self, values: Array, truth: Array) -> Terms:
        if self.conditional is None:
            return squares_of_numbers(values, truth[:, None], np.ones((len(truth), 1)), has_noise=False)
        support = np.broadcast_to(np.array(self.labels, float), self.conditional.shape)
        return squares_of_numbers(values, support, self.conditional, has_noise=True)


def decompose(
    predicted: Any,
    truth: Any,
    loss: str = ZERO_ONE,
    *,
    method: str | None = None,
    probabilities: Any = None,
    labels: Sequence[Label] | None = None,
) -> BiasVariance:
    """Decompose the loss of given predictions into noise, bias and variance.

    Parameters
    ----------
    predicted
        Predictions by training set (rows) and case (columns): labels, or real numbers for the loss "squared". For the
        loss ``brier``, probabilities with shape (training sets, cases, classes).
    truth
        Observed label of each case.
    loss
        "zero-one"; "squared", for numeric labels or otherwise class indicators; or ``brier``, for probabilities.
    method
        Decomposition of the zero-one loss to show, "domingos" or "kohavi-wolpert"; the result has both.
    probabilities
        P(y|x) by case (rows) and class (columns), or with two classes only the column of the second. Required for
        estimating the noise; ``loss`` is then the expected loss under P(y|x).
    labels
        All classes; required if some do not occur or they are not in sorted order.

    Returns
    -------
    BiasVariance
        The loss and its decompositions.

    Examples
    --------
    Four training sets, four cases:

    >>> from howsure.selection import decompose
    >>> result = decompose([[0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0]], [0, 0, 1, 1])
    >>> result.loss, result.bias, result.variance, result.net_variance
    (0.4375, 0.5, 0.1875, -0.0625)
    >>> result.by("kohavi-wolpert").identity
    'kohavi-wolpert: loss = bias^2 + variance: 0.4375 = 0.296875 + 0.140625'
    """
    checked = Loss.of(loss, method)
    read = _read_probabilities if loss == BRIER else _read_labels
    table, column = _array(predicted), _array(truth)
    kinds = {table.dtype.kind, column.dtype.kind}
    if loss == SQUARED and "f" in kinds and kinds <= set("iuf"):
        read = _read_numbers
    rounds = read(table, column, labels)
    conditional = read_conditional(probabilities, len(rounds.truth), rounds.labels)
    return replace(rounds, conditional=conditional).decomposed(checked)


def read_conditional(probabilities: Any, n: int, labels: Sequence[Label]) -> Array | None:
    """Validate P(y|x) and normalize its rows."""
    if probabilities is None:
        return None
    table = numbers("probabilities", probabilities)
    if table.ndim == 1 and len(labels) == 2:
        table = np.column_stack([1 - table, table])
    if table.ndim != 2 or table.shape[1] != len(labels):
        names = ", ".join(map(repr, labels[:8])) + (" and others" if len(labels) > 8 else "")
        expected = f"a table of cases by classes with {len(labels)} columns ({names})"
        raise HowsureError(f"`probabilities` must be {expected}, not of shape {table.shape}.")
    if len(table) != n:
        rows, cases = counted(len(table), "row"), counted(n, "case")
        raise HowsureError(f"`probabilities` must have one row per case, not {rows} for {cases}.")
    _check_probabilities("probabilities", table)
    return np.asarray(table / table.sum(1, keepdims=True))


def are_numbers(labels: Sequence[Label]) -> bool:
    return not any(isinstance(label, bool | str) for label in labels)


def _exact(labels: Sequence[Any]) -> Array:
    """Convert labels to floats; reject integers that would be rounded, since they could become equal."""
    for label in labels:
        if isinstance(label, int) and (abs(label) > sys.float_info.max or int(float(label)) != label):
            raise HowsureError(
                f"the loss {SQUARED!r} needs labels that are exact as floats, but {label} is not; use a smaller number "
                "for this class, or the loss 'zero-one'."
            )
    return np.array(labels, float)


def _array(values: Any) -> Array:
    """Convert to an array; mixed types become objects so that strings and numbers stay distinct."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        return np.asarray(None)
    return array if array.dtype.kind in "biuf" or hasattr(values, "__array__") else np.array(values, dtype=object)


def _check_shape(predicted: Array, n: int, ndim: int = 2) -> None:
    if predicted.ndim != ndim:
        shape = "(rounds, cases)" if ndim == 2 else "(rounds, cases, classes)"
        raise HowsureError(f"`predicted` must be an array of shape {shape}, not {predicted.shape}.")
    if not len(predicted):
        raise HowsureError("`predicted` must have at least one round; it is empty.")
    if not n:
        raise HowsureError("`truth` must have at least one case; it is empty.")
    if predicted.shape[1] != n:
        raise HowsureError(
            f"`predicted` and `truth` must have the same number of cases, not {predicted.shape[1]} and {n}."
        )


def _read_labels(predicted: Array, truth: Array, labels: Sequence[Label] | None) -> Rounds:
    true = encode(truth, "truth")
    _check_shape(predicted, len(true.codes))
    answers = encode(predicted.ravel(), "predicted")
    classes = Classes.of({"truth": true, "predicted": answers}, labels, None)
    codes = _present(answers.codes, "predicted").reshape(predicted.shape)
    _present(true.codes, "truth")
    code_of = np.array([classes.labels.index(value) for value in answers.values], np.int64)
    return Rounds(code_of[codes], classes.index(true).astype(np.int64), classes.labels)


def _read_numbers(predicted: Array, truth: Array, labels: Sequence[Label] | None) -> Rounds:
    if truth.ndim != 1:
        raise HowsureError(f"`truth` must be one column, not an array of shape {truth.shape}.")
    _check_shape(predicted, len(truth))
    for name, column in (("predicted", predicted), ("truth", truth)):
        if not np.isfinite(column).all():
            raise HowsureError(f"`{name}` must have finite numbers only.")
    support = np.unique(np.concatenate([truth, predicted.ravel()])) if labels is None else numbers("labels", labels)
    return Rounds(predicted.astype(float), truth.astype(float), tuple(support.tolist()))


def _read_probabilities(predicted: Array, truth: Array, labels: Sequence[Label] | None) -> Rounds:
    true = encode(truth, "truth")
    classes = Classes.of({"truth": true}, labels, None)
    codes = _present(true.codes, "truth")
    values = numbers("predicted", predicted)
    _check_shape(values, len(codes), 3)
    if values.shape[2] != len(classes.labels):
        raise HowsureError(
            f"`predicted` must have one probability for each of {len(classes.labels)} classes, not {values.shape[2]}; "
            "name all classes in this order with `labels`."
        )
    _check_probabilities("predicted", values)
    return Rounds(values, classes.index(true).astype(np.int64), classes.labels)


def _check_probabilities(name: str, values: Array) -> None:
    if not (values >= 0).all() or not (values <= 1).all() or not (abs(values.sum(-1) - 1) <= TOLERANCE).all():
        raise HowsureError(f"`{name}` must be probabilities from 0 to 1 that sum to 1 over the classes.")


def _present(codes: IntArray, name: str) -> IntArray:
    if len(codes) and codes.min() < 0:
        raise HowsureError(f"`{name}` has no label at index {int((codes < 0).argmax())}; drop such cases.")
    return codes
