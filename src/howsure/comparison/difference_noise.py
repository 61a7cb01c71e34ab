"""Label noise: correct results for errors in the true labels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from howsure.arrays import Floats
from howsure.assessment import Assessment
from howsure.assessment.label_noise import UNINFORMATIVE, LabelNoise, error_condition, line_of, noise_of
from howsure.checks import check_confidence, known_arguments
from howsure.comparison.pair import PairComparison
from howsure.comparison.result import Comparison
from howsure.errors import HowsureError, must
from howsure.intervals.declare import Basis
from howsure.measures.estimate.difference import LabelDifference
from howsure.measures.estimate.noisy import (
    CorrectedBasis,
    NoisyBasis,
    NoisyDifference,
    OnLine,
    inverse_errors,
    is_informative,
)
from howsure.present.result import Result
from howsure.present.sheet import Sheet
from howsure.present.value_text import jsonable, number, spoken, with_interval
from howsure.results import INTERVAL, Estimate

if TYPE_CHECKING:
    from howsure.present.sheet import Record

VALID = "random errors keep equal accuracies equal, so the test of equality remains valid"
MAY_DIFFER = "random errors keep identical classifiers equal, but others may differ because of the errors alone"


@dataclass(frozen=True)
class NoisyPair:
    """Difference between two classifiers, corrected for label errors.

    ``bounds`` limit the true difference on these cases even if errors depend on the predictions; ``most`` is the
    largest difference that label errors alone can cause. Both are NaN unless the measure follows from accuracy.
    """

    pair: PairComparison
    corrected: Estimate
    bounds: tuple[float, float]
    most: float

    @property
    def may_be_noise(self) -> bool | None:
        """Whether label errors alone can explain the difference, or None."""
        return None if math.isnan(self.most) else bool(abs(self.pair.difference.value) <= self.most + 1e-12)


@dataclass(frozen=True, repr=False, eq=False)
class DifferenceNoise(Result):
    """Differences between classifiers, corrected for errors in the true labels.

    `howsure.label_noise` returns it for a comparison.

    Attributes
    ----------
    comparison
        The observed comparison, with some wrong labels.
    noise
        The corrected assessment of the first classifier; all classifiers have the same true labels.
    pairs
        Each pair with its corrected difference, and bounds that apply if errors favour one of the two.
    undefined
        The reason why no correction is possible; None if it is possible.

    Examples
    --------
    >>> import howsure
    >>> truth, new, old = [0, 1] * 100, [0, 1, 0, 1, 0, 1, 0, 0] * 25, [0, 1, 0, 0] * 50
    >>> noise = howsure.label_noise(howsure.compare(truth, {"new": new, "old": old}), 0.05)
    >>> round(noise.factor, 3)
    0.9
    >>> [(pair.pair.name, round(pair.corrected, 3), pair.may_be_noise) for pair in noise.pairs]
    [('new - old', 0.139, False)]
    """

    _last_in_frames = INTERVAL

    comparison: Comparison
    noise: LabelNoise  # for the first classifier; all classifiers have the same true labels

    @property
    def undefined(self) -> str | None:
        return self.noise.undefined

    @property
    def factor(self) -> float:
        """Factor by which random errors shrink a difference in accuracy, or NaN."""
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
        observed = pair.evidence.difference
        basis = self._basis(pair, observed)
        estimate = Estimate(
            observed.measure.name, basis.value, observed.n, basis.reason, f"{pair.a} - {pair.b}", basis=basis
        )
        if observed.measure.of_accuracy is None:
            return NoisyPair(pair, estimate, (math.nan, math.nan), math.nan)
        # A wrong label changes the difference by 2 / n at most, and only if the two predictions differ.
        table = observed.table
        disagreement = float(table.counts[table.cells[:, 1] != table.cells[:, 2]].sum() / table.n)
        change, value = 2 * self.noise.share, pair.difference.value
        bounds = max(value - change, -disagreement), min(value + change, disagreement)
        return NoisyPair(pair, estimate, bounds, min(change, disagreement))

    def _basis(self, pair: PairComparison, observed: LabelDifference) -> CorrectedBasis:
        errors, labels = self.noise.errors, self.noise.assessment.labels
        if errors.symmetric and observed.measure.of_accuracy is not None:

            def linear(matrix: Floats) -> Basis:
                return OnLine(pair.difference.basis, line_of(matrix)[0], 0.0, pair.difference.value)

            return CorrectedBasis(linear, errors, observed.span)
        table = observed.table
        if table.labels != labels:
            order = sorted(range(len(labels)), key=lambda index: labels[index] != table.labels[0])
            errors = errors.in_order(order)

        def corrected(matrix: Floats) -> Basis:
            bases = [
                NoisyBasis(basis.measure, basis.table, basis.average, basis.parameters, inverse_errors(matrix))
                for basis in observed.bases
            ]
            first, second = (
                replace(estimate, value=basis.value, undefined=basis.reason, basis=basis)
                for estimate, basis in zip((observed.first, observed.second), bases, strict=True)
            )
            return NoisyDifference(
                observed.measure, observed.parameters, table, first, second, observed.seed, observed.average,
                bases=(bases[0], bases[1]), fixed_classes=observed.fixed_classes,
            )  # fmt: skip

        return CorrectedBasis(corrected, errors, observed.span)

    @property
    def sentences(self) -> tuple[str, ...]:
        """A summary in sentences."""
        condition = error_condition(self.noise)
        if self.undefined:
            return (f"{condition}, {UNINFORMATIVE}.",)
        noisy = self._pair(self.comparison.pair())
        corrected = noisy.corrected
        difference = f"the true difference in {spoken(self.comparison.measure)} ({corrected.of})"
        if corrected.undefined:
            return (f"{condition}, {difference} is unknown: {corrected.undefined}.",)
        value, ends = with_interval(corrected.value, *corrected.interval(1 - self.comparison.family.level))
        observed = number(noisy.pair.difference.value)
        sentence = f"{condition}, {difference} is about {value.text} {ends} instead of {observed}"
        return (f"{sentence}{self._if_errors_favour_one(noisy)}.",)

    def _if_errors_favour_one(self, noisy: NoisyPair) -> str:
        if noisy.may_be_noise is None:
            return ""
        low, high = (number(end) for end in noisy.bounds)
        return (
            f"; if the errors favour one of the two, it is between {low} and {high}, and the errors alone "
            f"{'may' if noisy.may_be_noise else 'cannot'} explain the observed difference: they can cause at "
            f"most {number(noisy.most)}"
        )

    @property
    def title(self) -> str:
        return " ".join(self.sentences)

    @property
    def notes(self) -> tuple[str, ...]:
        exact = self.noise.errors.symmetric and self.pairs[0].pair.evidence.difference.measure.of_accuracy is not None
        shrinkage = f"random errors shrink a difference in accuracy to {100 * self.factor:.3g} %" if exact else ""
        return tuple(filter(None, (shrinkage, VALID if exact else MAY_DIFFER, *self.noise.notes[:1])))

    def records(self, confidence: float | None = None) -> list[Record]:
        """Return observed and corrected differences, unrounded."""
        level = 1 - self.comparison.family.level if confidence is None else check_confidence(confidence)
        rows = []
        for noisy in self.pairs:
            low, high = noisy.corrected.interval(level)
            rows.append(
                {
                    "a": noisy.pair.a,
                    "b": noisy.pair.b,
                    "measure": self.comparison.measure,
                    "seen": noisy.pair.difference.value,
                    "pvalue": noisy.pair.test.pvalue,
                    "value": noisy.corrected.value,
                    "worst_low": noisy.bounds[0],
                    "worst_high": noisy.bounds[1],
                    "most_by_errors": noisy.most,
                    "low": low,
                    "high": high,
                    "confidence": level,
                }
            )
        return rows

    def sheet(self, confidence: float | None = None) -> Sheet:
        level = 1 - self.comparison.family.level if confidence is None else check_confidence(confidence)
        rows = []
        for noisy in self.pairs:
            value, ends = with_interval(noisy.corrected.value, *noisy.corrected.interval(level))
            row = {"difference": noisy.pair.name, "seen": noisy.pair.difference.value, "corrected": value}
            low, high = noisy.bounds
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
    """Correct a result for errors in the true labels.

    Parameters
    ----------
    result
        An `Assessment`, or a `Comparison` of labels on the same cases.
    error
        The proportion of wrong labels, such as 0.05; or the numbers of wrong and checked labels, such as (6, 120),
        whose uncertainty is then part of every interval; or one of these for each true class, such as
        {"ham": 0.02, "spam": (6, 120)}; or a table of probabilities or of numbers of checked labels, with a row for
        each true and a column for each recorded class.
    confidence
        Confidence level of the intervals of an assessment; a comparison has its own level.

    Returns
    -------
    LabelNoise or DifferenceNoise
        The corrected measures of an assessment, or the corrected differences of a comparison.

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
    if not comparison.assessments or not all(isinstance(difference, LabelDifference) for difference in differences):
        raise HowsureError("`label_noise` needs a comparison of labels on the same cases.")
    noise = noise_of(next(iter(comparison.assessments.values())), error, 1 - comparison.alpha)
    table = differences[0].table  # type: ignore[union-attr]
    if len(noise.assessment.labels) > 2 and len(table.labels) == 2 and is_informative(noise.matrix):
        raise HowsureError(
            f"`{comparison.measure}` describes one class, but labels may be confused among the other classes; compare "
            "by a measure of all classes, such as 'accuracy'."
        )
    return DifferenceNoise(comparison, noise)
