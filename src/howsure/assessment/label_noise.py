"""Noise in the truth: what errors of the labels do to an accuracy and to other measures of one classifier."""

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
    tells,
    way_back,
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
SUM = 1e-6  # by which the chances of a row may miss 1


def read_errors(error: Any, labels: Sequence[Label]) -> LabelErrors:
    """Read what is known of label errors: a rate, errors among checked labels, rates of classes, or a matrix."""
    k = len(labels)
    if isinstance(error, Mapping):
        names = {str(label): index for index, label in enumerate(labels)}
        given = {names.get(str(name), -1): rate for name, rate in error.items()}
        if set(given) != set(range(k)) or len(error) != k:
            wanted = ", ".join(map(repr, labels))
            raise HowsureError(f"`error` must have a rate for each of the classes {wanted}, not {list(error)!r}.")
        return LabelErrors(tuple(_rate(given[index]) for index in range(k)), lambda rates: _of_rates(rates, k))
    if isinstance(error, Real) or _is_counted(error):
        return LabelErrors((_rate(error),), lambda rates: _of_rates([rates[0]] * k, k), symmetric=True)
    return _of_matrix(error, labels)


def _is_counted(error: Any) -> bool:
    return isinstance(error, tuple | list) and len(error) == 2 and all(isinstance(one, Real) for one in error)


def _rate(error: Any) -> Rate:
    if _is_counted(error):
        wrong, checked = error
        if not all(isinstance(one, Integral) for one in (wrong, checked)) or not 0 <= wrong <= checked or checked < 1:
            must("error", "the number of wrong labels and of labels checked, as (6, 120)", given=tuple(error))
        return Rate(int(wrong) / int(checked), int(checked))
    if not isinstance(error, Real) or isinstance(error, bool):
        must("error", "a share of labels, as 0.05, or wrong ones among those checked, as (6, 120)", given=error)
    if not 0 <= float(error) <= 1:
        must_be_share("error", given=error)
    return Rate(float(error))


def _of_rates(rates: Sequence[float], k: int) -> Floats:
    """A matrix of classes that are wrong so often, each other class as likely."""
    matrix = np.repeat(np.asarray(rates, float)[:, None] / max(k - 1, 1), k, axis=1)
    np.fill_diagonal(matrix, 1 - np.asarray(rates, float))
    return matrix


def _of_matrix(error: Any, labels: Sequence[Label]) -> LabelErrors:
    """Take chances, or numbers of checked labels, by true (rows) and recorded class (columns)."""
    k = len(labels)
    try:
        matrix = np.asarray(error, float)
    except (TypeError, ValueError):
        matrix = np.zeros(0)
    if matrix.shape != (k, k) or not np.isfinite(matrix).all() or (matrix < 0).any():
        raise HowsureError(
            f"`error` must be a share, (wrong, checked), a rate for each class, or a table of {k} x {k} chances or "
            f"checked labels by true and recorded class, not {error!r}."
        )
    sums = matrix.sum(1)
    if np.abs(sums - 1).max() <= SUM:
        return LabelErrors((), partial(_given, np.asarray(matrix / sums[:, None])))
    if (matrix != np.rint(matrix)).any() or not sums.all():
        bad = int(np.abs(sums - 1).argmax())
        raise HowsureError(
            f"`error` must have chances that add up to 1 for each true class, or numbers of checked labels, and those "
            f"of {labels[bad]!r} add up to {sums[bad]:g}."
        )
    wrong = [(row, column) for row in range(k) for column in range(k) if row != column]
    rates = tuple(Rate(float(matrix[cell] / sums[cell[0]]), int(sums[cell[0]])) for cell in wrong)

    def build(values: Sequence[float]) -> Floats:
        built = np.zeros((k, k))
        for cell, value in zip(wrong, values, strict=True):
            built[cell] = value
        np.fill_diagonal(built, np.maximum(1 - built.sum(1), 0.0))
        return np.asarray(built / built.sum(1, keepdims=True))

    return LabelErrors(rates, build)


def line_of(matrix: Floats) -> tuple[float, float]:
    """Slope and offset of the true accuracy as a line of the recorded one, where every error is as likely."""
    wrong = float(matrix[0, 1])  # the chance of each wrong class
    clear = float(matrix[0, 0]) - wrong
    return 1 / clear, -wrong / clear


@dataclass(frozen=True, repr=False, eq=False)
class LabelNoise(Result):
    """What a classifier would be found to be with labels that are right, if some of these are wrong.

    `howsure.label_noise` gives it. ``n["recall"]`` is the corrected estimate of any measure of labels, where errors are
    at random: they depend on the true class, and not on what was predicted. ``worst`` are the bounds of the accuracy
    where they may depend on it. ``share`` is that of wrong labels, and ``table`` the corrected confusion table.

    Attributes
    ----------
    assessment
        What was seen, with labels of which some are wrong.
    errors
        How often the label of each class is wrong.
    confidence
        Of the intervals.

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
        """The chance of each recorded class (columns) given the true one (rows)."""
        return self.errors.matrix

    @property
    def undefined(self) -> str | None:
        """Why nothing can be corrected; None where something can."""
        return None if tells(self.matrix) else AS_CHANCE

    @cached_property
    def counts(self) -> Array:
        """The corrected table as it follows, in which a cell may be below 0; NaN where nothing can be corrected."""
        seen = self.assessment.confusion.counts
        return np.full(seen.shape, np.nan) if self.undefined else np.asarray(way_back(self.matrix) @ seen)

    @property
    def table(self) -> Confusion | None:
        """The corrected confusion table, without what is below 0; None where nothing can be corrected."""
        return None if self.undefined else Confusion(np.maximum(self.counts, 0.0), self.assessment.labels)

    @property
    def share(self) -> float:
        """The share of all labels that are wrong."""
        if self.errors.symmetric or self.undefined:
            return float(self.errors.rates[0].value) if self.errors.symmetric else math.nan
        true = np.maximum(self.counts.sum(1), 0.0)
        return float((true * (1 - self.matrix.diagonal())).sum() / true.sum())

    def _share_ends(self, alpha: float) -> tuple[float, float]:
        """Bounds of the share of wrong labels."""
        if self.errors.symmetric:
            return self.errors.rates[0].ends(alpha)
        every = [matrix for both in self.errors.moved(alpha) for matrix in both]
        ends = [replace(self, errors=LabelErrors((), partial(_given, matrix))).share for matrix in every]
        return min([self.share, *ends]), max([self.share, *ends])

    @property
    def worst(self) -> tuple[float, float]:
        """Bounds of the accuracy on these cases whatever the errors depend on: as seen, less and more their share."""
        seen = self.assessment["accuracy"].value
        return max(seen - self.share, 0.0), min(seen + self.share, 1.0)

    def worst_interval(self, confidence: float | None = None) -> tuple[float, float]:
        """Bounds of the same that also allow for few cases, and few checked labels.

        Parameters
        ----------
        confidence
            Default: the one of the result.

        Returns
        -------
        tuple of float
            The lower and the upper bound.
        """
        request = Request(self.confidence if confidence is None else check_confidence(confidence))
        accuracy, share = self.assessment["accuracy"], self.share
        low, high = accuracy.interval(request.confidence)
        off = self._share_ends(request.alpha)[1] - share
        value = accuracy.value
        return (
            max(value - share - math.hypot(value - low, off), 0.0),
            min(value + share + math.hypot(high - value, off), 1.0),
        )

    def __getitem__(self, measure: str) -> Estimate:
        name, parameters = read_spec(measure)
        return self.estimate(name, **parameters)

    @shared_texts
    def estimate(
        self, measure: str, *, label: Label | None = None, average: str | None = None, **parameters: Any
    ) -> Estimate:
        """Estimate a measure of labels as it would be with labels that are right.

        Parameters
        ----------
        measure
            The name of a measure of labels.
        label
            The class it is of; default: the positive one.
        average
            "macro", "micro" or "weighted", over all classes instead of one.
        {measure_parameters}

        Returns
        -------
        Estimate
            The corrected value, and how sure it is.
        """
        seen = self.assessment.estimate(measure, label=label, average=average, **parameters)
        declared = registry[measure]
        if declared.scope not in ("class", "overall") or declared.total_of is not None:
            raise HowsureError(f"`{declared.name}` cannot be corrected for label errors; measures of labels can.")
        basis = self._basis(declared, seen, label, average, parameters)
        note = (AT_END,) if basis.reason is None and basis.raw != basis.value else ()
        return Estimate(declared.name, basis.value, seen.n, basis.reason, seen.of, note, basis=basis)

    def _basis(
        self, declared: Measure, seen: Estimate, label: Label | None, average: str | None, parameters: dict[str, Any]
    ) -> CorrectedBasis:
        if self.errors.symmetric and declared.of_accuracy is not None:
            slope, offset = declared.of_accuracy

            def on_line(matrix: Floats) -> Basis:
                steeper, moved = line_of(matrix)
                return OnLine(seen.basis, steeper, offset + slope * moved - steeper * offset, seen.value)

            return CorrectedBasis(on_line, self.errors, declared.range)
        table, errors = self.assessment.confusion, self.errors
        if declared.scope == "class" and average is None:
            label = self.assessment.positive if label is None else label
        if label is not None:
            order = sorted(range(table.k), key=lambda index: table.labels[index] != label)
            table, errors = table.reindex([table.labels[index] for index in order]), errors.in_order(order)
        elif declared.scope == "class":
            average = average or "macro"
        prepared = label_basis(table, declared, None if label is None else table.labels[0], average, parameters)[0]

        def noisy(matrix: Floats) -> Basis:
            plain = NoisyBasis(declared, table, average, prepared.parameters, way_back(matrix))
            return by_cluster(plain, table.clusters)

        return CorrectedBasis(noisy, errors, declared.span(float(table.n), prepared.parameters))

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that are shown."""
        return OF_TWO if self.assessment.positive is not None else OF_MANY

    @property
    def sentences(self) -> tuple[str, ...]:
        """What it means, in words."""
        return self._sentences(self.confidence)

    def _sentences(self, confidence: float) -> tuple[str, ...]:
        how = if_wrong(self)
        seen = self.assessment["accuracy"]
        if self.undefined:
            return (f"{how}, they say no more of the true class than chance does, and nothing can be corrected.",)
        low, high = (number(end) for end in self.worst)
        favour = f"if the errors favour one side, it lies between {low} and {high}"
        true = self["accuracy"]
        if true.undefined:
            return (
                f"{how}, more errors would be seen than there are: fewer labels are wrong, or their errors favour the "
                f"classifier; whichever it is, the accuracy lies between {low} and {high}.",
            )
        value, ends = with_interval(true.value, *true.interval(confidence))
        return (f"{how}, the true accuracy is about {value.text} {ends}, not {number(seen.value)}; {favour}.",)

    @property
    def title(self) -> str:
        return " ".join(self.sentences)

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to know about single values."""
        found: dict[str, list[str]] = {}
        for name in self.measures:
            one = self[name]
            for note in (*((one.undefined,) if one.undefined else ()), *one.notes):
                found.setdefault(note, []).append(one.title)
        return (AT_RANDOM, *(f"{', '.join(names)}: {note}" for note, names in found.items()))

    def records(self, confidence: float | None = None) -> list[Record]:
        """Give each measure as it was seen and as it is corrected, with every digit."""
        confidence = self.confidence if confidence is None else check_confidence(confidence)
        rows = []
        for name in self.measures:
            seen, true = self.assessment[name], self[name]
            low, high = true.interval(confidence)
            values = {"seen": seen.value, "value": true.value, "low": low, "high": high, "confidence": confidence}
            rows.append({"measure": name, "of": true.of, **values, "method": true.interval(confidence).method})
        return rows

    def sheet(self, confidence: float | None = None) -> Sheet:
        confidence = self.confidence if confidence is None else check_confidence(confidence)
        rows = []
        for name in self.measures:
            seen, true = self.assessment[name], self[name]
            value, ends = with_interval(true.value, *true.interval(confidence))
            row = {"measure": name, "of": true.of, "seen": seen.value, "corrected": value}
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


AT_END = "the correction leads beyond the end of the range, and stops there"
AT_RANDOM = (
    "at random: whether a label is wrong depends on the true class, and not on what was predicted; where it does "
    "depend on that, only the bounds hold"
)


def _given(matrix: Floats, _: Sequence[float]) -> Floats:
    return matrix


def if_wrong(noise: LabelNoise) -> str:
    """Begin a sentence: "If 5 % of the labels are wrong at random (6 of 120 checked)"."""
    share = noise.share
    how_many = "as many of the labels as given" if math.isnan(share) else f"{100 * share:.3g} % of the labels"
    rate = noise.errors.rates[0] if noise.errors.symmetric else Rate(share)
    checked = "" if rate.checked is None else f" ({round(rate.value * rate.checked)} of {rate.checked} checked)"
    return f"If {how_many} are wrong at random{checked}"


def noise_of(assessment: Assessment, error: Any, confidence: float = 0.95) -> LabelNoise:
    """Say what label errors do to an assessment."""
    check_confidence(confidence)
    if assessment.annotations is not None:
        raise HowsureError(
            "label errors are those of one truth for each case, and some cases have several; assess one of them, or "
            "read the `ceiling` of all."
        )
    if assessment.confusion.fixed_rows:
        raise HowsureError("label errors are those of the sample; give the assessment without another prevalence.")
    return LabelNoise(assessment, read_errors(error, assessment.labels), confidence)
