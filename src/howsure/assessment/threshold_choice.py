"""The best threshold for a measure or for costs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_confidence
from howsure.curves.threshold import best_index, reweighed, values_at_thresholds
from howsure.errors import HowsureError
from howsure.intervals.declare import OPPOSITE_SIDE, Basis, Request, Span
from howsure.measures import Measure
from howsure.measures.estimate.scores import GROUPS
from howsure.present.result import Result
from howsure.present.value_text import interval_text, jsonable, number, spelling_apart, spoken
from howsure.results import Interval
from howsure.tables import ScoreCounts, ScoreTable

if TYPE_CHECKING:
    from howsure.present.sheet import Record

LIMITS = (0.0, 1.0)  # limits of probabilities; a threshold close to a limit is printed with enough digits


@dataclass(frozen=True)
class ThresholdBasis(Basis):
    """Basis of bootstrap intervals for the best threshold.

    It works with the index of the threshold in the score table, since the first threshold is infinite.
    """

    table: ScoreTable
    measure: Measure
    parameters: dict[str, Any]
    shares: Floats | None = None  # proportions of negatives and positives in deployment

    default = "bootstrap"
    default_replicates = 500
    offers = frozenset({"replicates"})

    def evaluate(self, counts: ScoreCounts) -> Floats:
        """Evaluate the measure at every threshold."""
        return values_at_thresholds(reweighed(counts, self.shares), self.measure, self.parameters)

    @cached_property
    def values_by_threshold(self) -> Floats:
        return self.evaluate(self.table.counts)

    @cached_property
    def index(self) -> int:
        return best_index(self.values_by_threshold, self.measure.better)

    @property
    def value(self) -> float:
        return float(self.index)

    @property
    def span(self) -> Span:
        return 0.0, float(len(self.table))

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        thin = self.table.effective().thinned(GROUPS)
        choices = []
        for positives, negatives in thin.redrawn(np.random.default_rng(seed), size):
            values = self.evaluate(ScoreCounts(positives, negatives, thin.scores))
            choices.append(thin.thresholds[best_index(values, self.measure.better)])
        return np.searchsorted(-self.table.thresholds, -np.array(choices)).astype(float)

    def without_spread(self, request: Request) -> Interval:
        return request.close(self.value, self.value, "bootstrap", self.span)

    def interval(
        self, confidence: float = 0.95, method: str = "auto", side: str = "two-sided", **options: Any
    ) -> Interval:
        """Return the interval of the threshold, which decreases with its index."""
        by_index = super().interval(
            confidence, method, OPPOSITE_SIDE.get(side, side) if isinstance(side, str) else side, **options
        )
        low, high = (float(self.table.thresholds[round(end)]) for end in (by_index.high, by_index.low))
        return replace(by_index, low=low, high=high, side=side)


@dataclass(frozen=True, eq=False)
class ThresholdChoice(Result):
    """The best threshold on these cases, with an interval for the choice.

    The value is the best of many on the same cases, so it is optimistic. The interval describes how the best threshold
    varies between samples.

    Attributes
    ----------
    threshold
        The lowest score to call positive; infinite if calling no case positive is best.
    measure
        The measure that is best there.
    value
        The value of the measure at the threshold.
    basis
        The basis of the interval.
    confidence, seed
        Confidence level and random seed of the interval.
    notes
        Notes on the choice.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 1, 0, 0, 0, 0, 0], scores=[0.9, 0.8, 0.35, 0.6, 0.4, 0.3, 0.2, 0.1])
    >>> choice = a.best_threshold("f1")
    >>> choice.threshold, round(choice.value, 3)
    (0.8, 0.8)
    >>> choice.interval(side="lower").low
    0.35
    >>> choice.sentence()[:58]
    'best threshold for F1: 0.800, 95 % interval [0.350, 0.900]'
    """

    threshold: float
    measure: str
    value: float
    basis: ThresholdBasis = field(repr=False)
    confidence: float = 0.95
    seed: int = 0
    notes: tuple[str, ...] = ()

    def __float__(self) -> float:
        return self.threshold

    def interval(self, confidence: float | None = None, method: str = "auto", side: str = "two-sided") -> Interval:
        """Return the bootstrap interval of the threshold.

        Parameters
        ----------
        confidence
            Default: the confidence level of the choice.
        method
            "bootstrap" (default) or "basic".
        side
            "two-sided", "lower" or "upper".

        Returns
        -------
        Interval
            The interval.
        """
        level = self.confidence if confidence is None else confidence
        return self.basis.interval(level, method, side, seed=self.seed)

    @property
    def shown(self) -> str:
        """The formatted threshold; a value near 0 or 1 is never rounded to it."""
        return spelling_apart(self.threshold, *LIMITS)(self.threshold)

    def text(self, confidence: float | None = None) -> str:
        return self.sentence(confidence)

    def sentence(self, confidence: float | None = None) -> str:
        """Return a sentence with the threshold, its interval and the value there.

        Parameters
        ----------
        confidence
            Default: the confidence level of the choice.

        Returns
        -------
        str
            The sentence.
        """
        interval = self.interval(confidence)
        level = f"{100 * interval.confidence:g} % interval"
        spell = spelling_apart(*interval, self.threshold, *LIMITS)
        ends = interval_text(interval.low, interval.high, spell)
        choice = f"best threshold for {spoken(self.measure)}: {spell(self.threshold)}, {level} {ends}"
        return f"{choice}; {spoken(self.measure)} there {number(self.value)} (chosen on these cases, so optimistic)"

    def records(self, confidence: float | None = None) -> list[Record]:
        return [{**self._values(), **self.interval(confidence).records()[0]}]

    def to_dict(self, confidence: float | None = None) -> dict[str, Any]:
        interval = self.interval(confidence).to_dict()
        return dict(jsonable({**self._values(), "interval": interval, "notes": self.notes}))

    def _values(self) -> Record:
        return {"threshold": self.threshold, "measure": self.measure, "value": self.value}


def choose_threshold(
    table: ScoreTable,
    measure: Measure,
    parameters: dict[str, Any],
    shares: Floats | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> ThresholdChoice:
    """Find the best threshold; ``shares`` are the prior, negatives first."""
    if measure.better is None:
        raise HowsureError(f"`{measure.name}` has no better or worse values, so no threshold is best for it.")
    check_confidence(confidence)
    basis = ThresholdBasis(table, measure, parameters, shares)
    if np.isnan(basis.values_by_threshold).all():
        raise HowsureError(f"`{measure.name}` is undefined at every threshold: {measure.undefined_when}.")
    threshold = float(table.thresholds[basis.index])
    notes = ("calling no case positive is best",) if np.isinf(threshold) else ()
    value = float(basis.values_by_threshold[basis.index])
    return ThresholdChoice(threshold, measure.name, value, basis, confidence, seed, notes)
