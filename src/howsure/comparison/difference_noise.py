"""What label errors do to a result: `label_noise` of an assessment, or of a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from howsure.arrays import Floats
from howsure.assessment import Assessment
from howsure.assessment.label_noise import LabelNoise, if_wrong, line_of, noise_of
from howsure.checks import check_confidence, known_arguments
from howsure.comparison.pair import PairComparison
from howsure.comparison.result import Comparison
from howsure.errors import HowsureError, must
from howsure.intervals.declare import Basis
from howsure.measures.estimate.difference import LabelDifference
from howsure.measures.estimate.noisy import CorrectedBasis, NoisyBasis, NoisyDifference, OnLine, tells, way_back
from howsure.present.result import Result
from howsure.present.sheet import Sheet
from howsure.present.value_text import jsonable, number, spoken, with_interval
from howsure.results import INTERVAL, Estimate

if TYPE_CHECKING:
    from howsure.present.sheet import Record

VALID = "errors at random leave equal accuracies equal, so that the test of equality holds as it is"
ALIKE = "errors at random leave classifiers that are alike in all alike; others may differ through them alone"


@dataclass(frozen=True)
class NoisyPair:
    """Two classifiers whose labels are wrong in part: their difference, corrected, and what errors may make of it.

    ``bounds`` are those of the true difference on these cases whatever the errors depend on, and ``most`` the largest
    difference that label errors alone can make; NaN where the measure is not one of accuracy.
    """

    pair: PairComparison
    corrected: Estimate
    bounds: tuple[float, float]
    most: float

    @property
    def may_be_noise(self) -> bool | None:
        """Whether label errors that favour one of the two can have made all of the difference; None if unknown."""
        return None if math.isnan(self.most) else bool(abs(self.pair.difference.value) <= self.most + 1e-12)


@dataclass(frozen=True, repr=False, eq=False)
class DifferenceNoise(Result):
    """What differences of classifiers would be found to be with labels that are right, if some of these are wrong.

    `howsure.label_noise` gives it of a comparison.

    Attributes
    ----------
    comparison
        What was seen, with labels of which some are wrong.
    noise
        What the errors do to the first classifier, whose labels are those of all.
    pairs
        Each pair with its corrected difference, and what errors that favour one of the two may make of it.
    undefined
        Why nothing can be corrected; None where something can.

    Examples
    --------
    >>> import howsure
    >>> truth, one, other = [0, 1] * 100, [0, 1, 0, 1, 0, 1, 0, 0] * 25, [0, 1, 0, 0] * 50
    >>> noise = howsure.label_noise(howsure.compare(truth, {"one": one, "other": other}), 0.05)
    >>> round(noise.factor, 3)
    0.9
    >>> [(pair.pair.name, round(pair.corrected, 3), pair.may_be_noise) for pair in noise.pairs]
    [('one - other', 0.139, False)]
    """

    _last_in_frames = INTERVAL

    comparison: Comparison
    noise: LabelNoise  # of the first classifier, whose labels are those of all

    @property
    def undefined(self) -> str | None:
        return self.noise.undefined

    @property
    def factor(self) -> float:
        """What errors at random leave of a difference of accuracies; NaN where that depends on the classes."""
        errors = self.noise.errors
        return math.nan if self.undefined or not errors.symmetric else 1 / line_of(errors.matrix)[0]

    @property
    def pairs(self) -> tuple[NoisyPair, ...]:
        return tuple(map(self._pair, self.comparison.pairs))

    @property
    def values(self) -> dict[str, Estimate]:
        """The corrected value of each classifier."""
        noises = {name: replace(self.noise, assessment=a) for name, a in self.comparison.assessments.items()}
        return {name: noise[self.comparison.measure] for name, noise in noises.items()}

    def _pair(self, pair: PairComparison) -> NoisyPair:
        seen = pair.evidence.difference
        basis = self._basis(pair, seen)
        estimate = Estimate(seen.measure.name, basis.value, seen.n, basis.reason, f"{pair.a} - {pair.b}", basis=basis)
        if seen.measure.of_accuracy is None:
            return NoisyPair(pair, estimate, (math.nan, math.nan), math.nan)
        apart = float(seen.table.counts[seen.table.cells[:, 1] != seen.table.cells[:, 2]].sum() / seen.table.n)
        change, value = 2 * self.noise.share, pair.difference.value
        bounds = max(value - change, -apart), min(value + change, apart)
        return NoisyPair(pair, estimate, bounds, min(change, apart))

    def _basis(self, pair: PairComparison, seen: LabelDifference) -> CorrectedBasis:
        errors, labels = self.noise.errors, self.noise.assessment.labels
        if errors.symmetric and seen.measure.of_accuracy is not None:

            def on_line(matrix: Floats) -> Basis:
                return OnLine(pair.difference.basis, line_of(matrix)[0], 0.0, pair.difference.value)

            return CorrectedBasis(on_line, errors, seen.span)
        table = seen.table
        if table.labels != labels:
            order = sorted(range(len(labels)), key=lambda index: labels[index] != table.labels[0])
            errors = errors.in_order(order)

        def noisy(matrix: Floats) -> Basis:
            bases = [
                NoisyBasis(basis.measure, basis.table, basis.average, basis.parameters, way_back(matrix))
                for basis in seen.bases
            ]
            first, second = (
                replace(one, value=basis.value, undefined=basis.reason, basis=basis)
                for one, basis in zip((seen.first, seen.second), bases, strict=True)
            )
            return NoisyDifference(
                seen.measure, seen.parameters, table, first, second, seen.seed, seen.average,
                bases=(bases[0], bases[1]), fixed_classes=seen.fixed_classes,
            )  # fmt: skip

        return CorrectedBasis(noisy, errors, seen.span)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What it means, in words."""
        measure, how = spoken(self.comparison.measure), if_wrong(self.noise)
        if self.undefined:
            return (f"{how}, they say no more of the true class than chance does, and nothing can be corrected.",)
        one = self._pair(self.comparison.pair())
        name, true, seen = one.corrected.of, one.corrected, number(one.pair.difference.value)
        if true.undefined:
            return (f"{how}, the true difference of {measure} ({name}) is not known: {true.undefined}.",)
        value, ends = with_interval(true.value, *true.interval(1 - self.comparison.family.level))
        about = f"the true difference of {measure} ({name}) is about {value.text} {ends}, not {seen}"
        return (f"{how}, {about}{self._at_worst(one)}",)

    def _at_worst(self, one: NoisyPair) -> str:
        if one.may_be_noise is None:
            return "."
        low, high = (number(end) for end in one.bounds)
        verb = "may be due to them" if one.may_be_noise else "is not due to them alone"
        most = number(one.most)
        return (
            f"; if the errors favour one of the two, it lies between {low} and {high}, and the difference {verb}: "
            f"they can make one of {most} at most."
        )

    @property
    def title(self) -> str:
        return " ".join(self.sentences)

    @property
    def notes(self) -> tuple[str, ...]:
        exact = self.noise.errors.symmetric and self.pairs[0].pair.evidence.difference.measure.of_accuracy is not None
        left = f"errors at random leave {100 * self.factor:.3g} % of a difference of accuracies" if exact else ""
        return tuple(filter(None, (left, VALID if exact else ALIKE, *self.noise.notes[:1])))

    def records(self, confidence: float | None = None) -> list[Record]:
        """Give each pair with its difference as it was seen and as it is corrected, with every digit."""
        level = 1 - self.comparison.family.level if confidence is None else check_confidence(confidence)
        rows = []
        for one in self.pairs:
            low, high = one.corrected.interval(level)
            rows.append(
                {
                    "a": one.pair.a,
                    "b": one.pair.b,
                    "measure": self.comparison.measure,
                    "seen": one.pair.difference.value,
                    "pvalue": one.pair.test.pvalue,
                    "value": one.corrected.value,
                    "worst_low": one.bounds[0],
                    "worst_high": one.bounds[1],
                    "most_by_errors": one.most,
                    "low": low,
                    "high": high,
                    "confidence": level,
                }
            )
        return rows

    def sheet(self, confidence: float | None = None) -> Sheet:
        level = 1 - self.comparison.family.level if confidence is None else check_confidence(confidence)
        rows = []
        for one in self.pairs:
            value, ends = with_interval(one.corrected.value, *one.corrected.interval(level))
            row = {"difference": f"{one.pair.a} - {one.pair.b}", "seen": one.pair.difference.value, "corrected": value}
            low, high = one.bounds
            worst = "" if math.isnan(low) else f"[{number(low)}, {number(high)}]"
            rows.append({**row, f"{100 * level:.4g} % interval": ends, "whatever the errors": worst})
        return Sheet.of(rows, self.title, self.notes)

    def to_dict(self, confidence: float | None = None) -> dict[str, Any]:
        values = {
            "sentences": list(self.sentences),
            "share": self.noise.share,
            "undefined": self.undefined,
            "errors": np.asarray(self.noise.matrix).tolist(),
            "factor": self.factor,
            "pairs": self.records(confidence),
            "notes": list(self.notes),
        }
        return dict(jsonable(values))

    def __repr__(self) -> str:
        names = ", ".join(self.comparison.names)
        return f"DifferenceNoise({100 * self.noise.share:.3g} % of the labels wrong, {names})"


@overload
def label_noise(result: Assessment, error: Any, *, confidence: float = ...) -> LabelNoise: ...
@overload
def label_noise(result: Comparison, error: Any, *, confidence: float = ...) -> DifferenceNoise: ...
@known_arguments()
def label_noise(result: Any, error: Any, *, confidence: float = 0.95) -> LabelNoise | DifferenceNoise:
    """Say what a result would be with labels that are right, if some of those it was found with are wrong.

    Parameters
    ----------
    result
        An `Assessment`, or a `Comparison` of labels on the same cases.
    error
        The share of labels that are wrong, as 0.05; or wrong ones among labels that were checked, as (6, 120), whose
        uncertainty is then in every interval; or one of these for each true class, as {"ham": 0.02, "spam": (6, 120)};
        or a table with a row for each true class and a column for each recorded one, of chances or of numbers of
        checked labels.
    confidence
        Level of the intervals of an assessment; those of a comparison have its own.

    Returns
    -------
    LabelNoise or DifferenceNoise
        Of an assessment the corrected measures, of a comparison the corrected differences.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[450, 50], [50, 450]], labels=["ham", "spam"]))
    >>> n = howsure.label_noise(a, 0.05)
    >>> print(n["accuracy"])
    accuracy: 0.944, 95 % interval [0.922, 0.963] (wilson-corrected), n = 1000
    >>> print(n["recall"].interval(), [round(end, 2) for end in n.worst])
    [0.913, 0.970] [0.85, 0.95]
    """
    if isinstance(result, Assessment):
        return noise_of(result, error, confidence)
    if not isinstance(result, Comparison):
        must("result", "an `Assessment` or a `Comparison`", given=result)
    return _of_comparison(result, error)


def _of_comparison(comparison: Comparison, error: Any) -> DifferenceNoise:
    differences = [getattr(pair.evidence, "difference", None) for pair in comparison.pairs]
    if not comparison.assessments or not all(isinstance(one, LabelDifference) for one in differences):
        raise HowsureError("label errors are allowed for in comparisons of labels on the same cases; this is another.")
    noise = noise_of(next(iter(comparison.assessments.values())), error, 1 - comparison.alpha)
    table = differences[0].table  # type: ignore[union-attr]
    if len(noise.assessment.labels) > 2 and len(table.labels) == 2 and tells(noise.matrix):
        raise HowsureError(
            f"`{comparison.measure}` is of one class here, and labels may be wrong among several others; compare by a "
            "measure of all classes, as 'accuracy'."
        )
    return DifferenceNoise(comparison, noise)
