"""Label noise: correct measures for errors in the true labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.assessment.result import Assessment
from howsure.checks import check_confidence
from howsure.data.encode import Label
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must, must_be_share
from howsure.intervals.declare import Basis, Request
from howsure.measures import Measure, registry
from howsure.measures.agreement import kappa
from howsure.measures.estimate.by_cluster import by_cluster
from howsure.measures.estimate.labels import label_basis
from howsure.measures.estimate.noisy import (
    AS_CHANCE,
    CorrectedBasis,
    LabelErrors,
    NoisyBasis,
    OnLine,
    Rate,
    inverse_errors,
    is_informative,
)
from howsure.measures.spec import read_spec
from howsure.present.result import Result
from howsure.present.sheet import Sheet
from howsure.present.value_text import jsonable, number, with_interval
from howsure.results import INTERVAL, Estimate
from howsure.tables import Confusion

if TYPE_CHECKING:
    from howsure.present.sheet import Record

OF_TWO = ("accuracy", "recall", "specificity", "precision", "f1", kappa.name)
OF_MANY = ("accuracy", "recall", "precision", "f1", kappa.name)
ROW_SUM_TOLERANCE = 1e-6  # largest deviation of a row sum of probabilities from 1


def read_errors(error: Any, labels: Sequence[Label]) -> LabelErrors:
    """Read label errors: rates, counts of checked labels, or a matrix."""
    k = len(labels)
    if isinstance(error, Mapping):
        names = {str(label): index for index, label in enumerate(labels)}
        by_class = {names.get(str(name), -1): rate for name, rate in error.items()}
        if set(by_class) != set(range(k)) or len(error) != k:
            classes = ", ".join(map(repr, labels))
            raise HowsureError(f"`error` must have a rate for each of the classes {classes}, not {list(error)!r}.")
        return LabelErrors(tuple(_rate(by_class[index]) for index in range(k)), lambda rates: _rate_matrix(rates, k))
    if isinstance(error, Real) or _is_counted(error):
        return LabelErrors((_rate(error),), lambda rates: _rate_matrix([rates[0]] * k, k), symmetric=True)
    return _read_matrix(error, labels)


def _is_counted(error: Any) -> bool:
    return isinstance(error, tuple | list) and len(error) == 2 and all(isinstance(number, Real) for number in error)


def _rate(error: Any) -> Rate:
    if _is_counted(error):
        wrong, checked = error
        are_whole = isinstance(wrong, Integral) and isinstance(checked, Integral)
        if not are_whole or not 0 <= wrong <= checked or checked < 1:
            must("error", "the numbers of wrong and of checked labels, such as (6, 120)", given=tuple(error))
        return Rate(int(wrong) / int(checked), int(checked))
    if not isinstance(error, Real) or isinstance(error, bool):
        must(
            "error",
            "the share of wrong labels, such as 0.05, or numbers of wrong and checked labels, such as (6, 120)",
            given=error,
        )
    if not 0 <= float(error) <= 1:
        must_be_share("error", given=error)
    return Rate(float(error))


def _rate_matrix(rates: Sequence[float], k: int) -> Floats:
    """Return the error matrix for rates by class; wrong classes are equally likely."""
    matrix = np.repeat(np.asarray(rates, float)[:, None] / max(k - 1, 1), k, axis=1)
    np.fill_diagonal(matrix, 1 - np.asarray(rates, float))
    return matrix


def _read_matrix(error: Any, labels: Sequence[Label]) -> LabelErrors:
    """Read probabilities or counts by true (rows) and recorded class."""
    k = len(labels)
    try:
        matrix = np.asarray(error, float)
    except (TypeError, ValueError):
        matrix = np.zeros(0)
    if matrix.shape != (k, k) or not np.isfinite(matrix).all() or (matrix < 0).any():
        raise HowsureError(
            f"`error` must be a share, (wrong, checked), a rate for each class, or a table of {k} x {k} probabilities "
            f"or checked labels by true and recorded class, not {error!r}."
        )
    sums = matrix.sum(1)
    if np.abs(sums - 1).max() <= ROW_SUM_TOLERANCE:
        return LabelErrors((), partial(_fixed, np.asarray(matrix / sums[:, None])))
    if (matrix != np.rint(matrix)).any() or not sums.all():
        bad = int(np.abs(sums - 1).argmax())
        raise HowsureError(
            "`error` must have probabilities that add up to 1 for each true class, or numbers of checked labels; those "
            f"of {labels[bad]!r} add up to {sums[bad]:g}."
        )
    wrong = [(row, column) for row in range(k) for column in range(k) if row != column]
    rates = tuple(Rate(float(matrix[cell] / sums[cell[0]]), int(sums[cell[0]])) for cell in wrong)

    def build(values: Sequence[float]) -> Floats:
        matrix = np.zeros((k, k))
        for cell, value in zip(wrong, values, strict=True):
            matrix[cell] = value
        np.fill_diagonal(matrix, np.maximum(1 - matrix.sum(1), 0.0))
        return np.asarray(matrix / matrix.sum(1, keepdims=True))

    return LabelErrors(rates, build)


def line_of(matrix: Floats) -> tuple[float, float]:
    """Return the slope and offset of true accuracy given observed accuracy.

    If the true class is recorded with probability r and each other class with w, then observed = w + (r - w) * true.
    """
    wrong = float(matrix[0, 1])
    slope = float(matrix[0, 0]) - wrong
    return 1 / slope, -wrong / slope


@dataclass(frozen=True, repr=False, eq=False)
class LabelNoise(Result):
    """Measures of a classifier, corrected for errors in the true labels.

    `howsure.label_noise` returns it. ``n["recall"]`` is the corrected estimate of any measure of labels, if errors are
    random: they depend on the true class, but not on the prediction. ``worst`` bounds the accuracy if they may depend
    on the prediction. ``share`` is the proportion of wrong labels, and ``table`` the corrected confusion matrix.

    Attributes
    ----------
    assessment
        The observed assessment, with some wrong labels.
    errors
        The rates of label errors by class.
    confidence
        Confidence level of the intervals.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(["y"] * 50 + ["n"] * 50, ["y"] * 45 + ["n"] * 50 + ["y"] * 5)
    >>> noise = howsure.label_noise(a, 0.05)
    >>> round(a["accuracy"], 3), round(noise["accuracy"], 3)
    (0.9, 0.944)
    >>> [round(end, 3) for end in noise.worst_interval()]
    [0.776, 0.995]
    >>> noise.estimate("recall", label="y")
    Estimate(recall=0.944 [0.824, 1.000], of='y', n=50)
    """

    _last_in_frames = INTERVAL

    assessment: Assessment
    errors: LabelErrors
    confidence: float = 0.95

    @property
    def matrix(self) -> Floats:
        """Probabilities of recorded classes (columns) given true ones (rows)."""
        return self.errors.matrix

    @property
    def undefined(self) -> str | None:
        """The reason why no correction is possible; None if it is possible."""
        return None if is_informative(self.matrix) else AS_CHANCE

    @cached_property
    def counts(self) -> Array:
        """Corrected counts, possibly negative; NaN if no correction is possible."""
        observed = self.assessment.confusion.counts
        return np.full(observed.shape, np.nan) if self.undefined else np.asarray(inverse_errors(self.matrix) @ observed)

    @property
    def table(self) -> Confusion | None:
        """The corrected confusion matrix, without negative counts, or None."""
        return None if self.undefined else Confusion(np.maximum(self.counts, 0.0), self.assessment.labels)

    @property
    def share(self) -> float:
        """The proportion of wrong labels."""
        if self.errors.symmetric or self.undefined:
            return float(self.errors.rates[0].value) if self.errors.symmetric else math.nan
        true = np.maximum(self.counts.sum(1), 0.0)
        return float((true * (1 - self.matrix.diagonal())).sum() / true.sum())

    def _share_ends(self, alpha: float) -> tuple[float, float]:
        """Return confidence limits for the proportion of wrong labels."""
        if self.errors.symmetric:
            return self.errors.rates[0].ends(alpha)
        matrices = [matrix for pair in self.errors.moved(alpha) for matrix in pair]
        ends = [replace(self, errors=LabelErrors((), partial(_fixed, matrix))).share for matrix in matrices]
        return min([self.share, *ends]), max([self.share, *ends])

    @property
    def worst(self) -> tuple[float, float]:
        """Bounds on the accuracy that hold even if errors depend on predictions."""
        observed = self.assessment["accuracy"].value
        return max(observed - self.share, 0.0), min(observed + self.share, 1.0)

    def worst_interval(self, confidence: float | None = None) -> tuple[float, float]:
        """Return bounds like ``worst`` that include the sampling error.

        Parameters
        ----------
        confidence
            Default: the confidence level of the result.

        Returns
        -------
        tuple of float
            The lower and the upper bound.
        """
        request = Request(self.confidence if confidence is None else check_confidence(confidence))
        accuracy, share = self.assessment["accuracy"], self.share
        low, high = accuracy.interval(request.confidence)
        share_error = self._share_ends(request.alpha)[1] - share
        value = accuracy.value
        return (
            max(value - share - math.hypot(value - low, share_error), 0.0),
            min(value + share + math.hypot(high - value, share_error), 1.0),
        )

    def __getitem__(self, measure: str) -> Estimate:
        name, parameters = read_spec(measure)
        return self.estimate(name, **parameters)

    @shared_texts
    def estimate(
        self, measure: str, *, label: Label | None = None, average: str | None = None, **parameters: Any
    ) -> Estimate:
        """Estimate a measure of labels, corrected for label errors.

        Parameters
        ----------
        measure
            The name of a measure of labels.
        label
            The class; default: the positive class.
        average
            "macro", "micro" or "weighted", over all classes instead of one.
        {measure_parameters}

        Returns
        -------
        Estimate
            The corrected value with its uncertainty.
        """
        observed = self.assessment.estimate(measure, label=label, average=average, **parameters)
        declared = registry[measure]
        if declared.scope not in ("class", "overall") or declared.total_of is not None:
            raise HowsureError(f"`{declared.name}` cannot be corrected for label errors; measures of labels can.")
        basis = self._basis(declared, observed, label, average, parameters)
        note = (CUT_AT_END,) if basis.reason is None and basis.raw != basis.value else ()
        return Estimate(declared.name, basis.value, observed.n, basis.reason, observed.of, note, basis=basis)

    def _basis(
        self,
        declared: Measure,
        observed: Estimate,
        label: Label | None,
        average: str | None,
        parameters: dict[str, Any],
    ) -> CorrectedBasis:
        if self.errors.symmetric and declared.of_accuracy is not None:
            slope, offset = declared.of_accuracy

            def linear(matrix: Floats) -> Basis:
                # The measure is offset + slope * accuracy, so it has a linear correction too.
                accuracy_slope, accuracy_offset = line_of(matrix)
                shift = offset + slope * accuracy_offset - accuracy_slope * offset
                return OnLine(observed.basis, accuracy_slope, shift, observed.value)

            return CorrectedBasis(linear, self.errors, declared.range)
        table, errors = self.assessment.confusion, self.errors
        if declared.scope == "class" and average is None:
            label = self.assessment.positive if label is None else label
        if label is not None:
            order = sorted(range(table.k), key=lambda index: table.labels[index] != label)
            table, errors = table.reindex([table.labels[index] for index in order]), errors.in_order(order)
        elif declared.scope == "class":
            average = average or "macro"
        prepared = label_basis(table, declared, None if label is None else table.labels[0], average, parameters)[0]

        def corrected(matrix: Floats) -> Basis:
            independent = NoisyBasis(declared, table, average, prepared.parameters, inverse_errors(matrix))
            return by_cluster(independent, table.clusters)

        return CorrectedBasis(corrected, errors, declared.span(float(table.n), prepared.parameters))

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures that are shown."""
        return OF_TWO if self.assessment.positive is not None else OF_MANY

    @property
    def sentences(self) -> tuple[str, ...]:
        """A summary in sentences."""
        return self._sentences(self.confidence)

    def _sentences(self, confidence: float) -> tuple[str, ...]:
        condition = error_condition(self)
        if self.undefined:
            return (f"{condition}, {UNINFORMATIVE}.",)
        low, high = (number(end) for end in self.worst)
        corrected = self["accuracy"]
        if corrected.undefined:
            return (
                f"{condition}, more errors would be observed than there are: either fewer labels are wrong, or the "
                f"errors favour the classifier; in both cases the accuracy is between {low} and {high}.",
            )
        value, ends = with_interval(corrected.value, *corrected.interval(confidence))
        observed = number(self.assessment["accuracy"].value)
        return (
            f"{condition}, the true accuracy is about {value.text} {ends} instead of {observed}; if the errors favour "
            f"one side, it is between {low} and {high}.",
        )

    @property
    def title(self) -> str:
        return " ".join(self.sentences)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the corrected values."""
        titles: dict[str, list[str]] = {}
        for name in self.measures:
            estimate = self[name]
            for note in filter(None, (estimate.undefined, *estimate.notes)):
                titles.setdefault(note, []).append(estimate.title)
        return (RANDOM_ERRORS, *(f"{', '.join(names)}: {note}" for note, names in titles.items()))

    def records(self, confidence: float | None = None) -> list[Record]:
        """Return the observed and the corrected value of each measure, unrounded."""
        confidence = self.confidence if confidence is None else check_confidence(confidence)
        rows = []
        for name in self.measures:
            observed, corrected = self.assessment[name], self[name]
            interval = corrected.interval(confidence)
            rows.append(
                {
                    "measure": name,
                    "of": corrected.of,
                    "seen": observed.value,
                    "value": corrected.value,
                    "low": interval.low,
                    "high": interval.high,
                    "confidence": confidence,
                    "method": interval.method,
                }
            )
        return rows

    def sheet(self, confidence: float | None = None) -> Sheet:
        confidence = self.confidence if confidence is None else check_confidence(confidence)
        rows = []
        for name in self.measures:
            observed, corrected = self.assessment[name], self[name]
            value, ends = with_interval(corrected.value, *corrected.interval(confidence))
            row = {"measure": name, "of": corrected.of, "seen": observed.value, "corrected": value}
            rows.append({**row, f"{100 * confidence:g} % interval": ends})
        return Sheet.of(rows, " ".join(self._sentences(confidence)), self.notes)

    def to_dict(self, confidence: float | None = None) -> dict[str, Any]:
        confidence = self.confidence if confidence is None else check_confidence(confidence)
        values = {
            "sentences": list(self._sentences(confidence)),
            "share": self.share,
            "undefined": self.undefined,
            "errors": self.matrix.tolist(),
            "labels": list(self.assessment.labels),
            "corrected": self.counts.tolist(),
            "measures": self.records(confidence),
            "worst": list(self.worst),
            "worst_interval": list(self.worst_interval(confidence)),
            "notes": list(self.notes),
        }
        return dict(jsonable(values))

    def __repr__(self) -> str:
        accuracy = self["accuracy"]
        return f"LabelNoise({100 * self.share:.3g} % of the labels wrong, accuracy {number(accuracy.value)})"


CUT_AT_END = "the correction exceeds the range of the measure, so the value was set to the end of the range"
RANDOM_ERRORS = (
    "at random means that label errors depend on the true class but not on the prediction; if they depend on the "
    "prediction, only the bounds hold"
)
UNINFORMATIVE = "they carry no information on the true class, so no correction is possible"


def _fixed(matrix: Floats, _: Sequence[float]) -> Floats:
    return matrix


def error_condition(noise: LabelNoise) -> str:
    """Return a clause: "If 5 % of the labels are wrong at random"."""
    if math.isnan(noise.share):
        return "If the labels are wrong at random at these rates"
    rate = noise.errors.rates[0] if noise.errors.symmetric else Rate(noise.share)
    checked = "" if rate.checked is None else f" ({round(rate.value * rate.checked)} of {rate.checked} checked)"
    return f"If {100 * noise.share:.3g} % of the labels are wrong at random{checked}"


def noise_of(assessment: Assessment, error: Any, confidence: float = 0.95) -> LabelNoise:
    """Correct an assessment for label errors."""
    check_confidence(confidence)
    if assessment.annotations is not None:
        raise HowsureError(
            "label errors need one true label for each case, and some cases have several; assess one annotator, or use "
            "`ceiling`, the highest possible accuracy."
        )
    if assessment.confusion.fixed_rows:
        raise HowsureError("label errors are those of the sample; give the assessment at the prevalence of the sample.")
    return LabelNoise(assessment, read_errors(error, assessment.labels), confidence)
