"""The best threshold for a measure or for costs, and how sure that choice is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.arrays import Floats
from assay.curves.threshold import best_index, values_at_thresholds
from assay.errors import AssayError
from assay.measures import Measure
from assay.measures.estimate.scores import GROUPS
from assay.present.format import jsonable, number
from assay.present.result import Result
from assay.results import Interval
from assay.tables import ScoreCounts, ScoreTable

if TYPE_CHECKING:
    from assay.present.sheet import Record


@dataclass(frozen=True)
class ThresholdChoice(Result):
    """A threshold that is best on these cases, with the interval of the choice itself.

    The value was picked as the best of many on the same cases, so it is optimistic; ``interval`` says where the best
    threshold of other samples would lie.
    """

    threshold: float
    measure: str
    value: float
    interval: Interval
    notes: tuple[str, ...] = ()

    def __float__(self) -> float:
        return self.threshold

    def text(self) -> str:
        level = f"{100 * self.interval.confidence:g} % interval"
        choice = f"best threshold for {self.measure}: {number(self.threshold)}, {level} {self.interval}"
        return f"{choice}; {self.measure} there {number(self.value)} (chosen on these cases, so optimistic)"

    def records(self) -> list[Record]:
        return [{**self._values(), **self.interval.records()[0]}]

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self._values(), "interval": self.interval.to_dict(), "notes": self.notes}))

    def _values(self) -> Record:
        return {"threshold": self.threshold, "measure": self.measure, "value": self.value}


def choose_threshold(
    table: ScoreTable,
    measure: Measure,
    parameters: dict[str, Any],
    shares: Floats | None = None,
    confidence: float = 0.95,
    replicates: int = 500,
    seed: int = 0,
) -> ThresholdChoice:
    """Find the threshold at which a measure is best; ``shares`` are those of negatives and positives in use."""
    if measure.better is None:
        raise AssayError(f"`{measure.name}` has no better or worse, so no threshold is best for it.")

    def values(counts: ScoreCounts) -> Floats:
        return values_at_thresholds(_reweighed(counts, shares), measure, parameters)

    observed = values(table.counts)
    if np.isnan(observed).all():
        raise AssayError(f"`{measure.name}` is undefined at every threshold: {measure.undefined_when}.")
    best = best_index(observed, measure.better)
    threshold = float(table.thresholds[best])
    thin = table.effective().thinned(GROUPS)
    rng = np.random.default_rng(seed)
    choices = np.empty(replicates)
    for replicate in range(replicates):
        positives, negatives = thin.resample(rng, 1)
        resampled = ScoreCounts(positives[0], negatives[0], thin.scores)
        choices[replicate] = thin.thresholds[best_index(values(resampled), measure.better)]
    alpha = (1 - confidence) / 2
    low, high = np.quantile(choices, [alpha, 1 - alpha], method="nearest")
    ends = float(min(low, threshold)), float(max(high, threshold))
    interval = Interval(*ends, confidence, "bootstrap", replicates=replicates, seed=seed)
    notes = ("calling no case positive is best",) if np.isinf(threshold) else ()
    return ThresholdChoice(threshold, measure.name, float(observed[best]), interval, notes)


def _reweighed(counts: ScoreCounts, shares: Floats | None) -> ScoreCounts:
    """Scale negatives and positives to their shares in use."""
    if shares is None:
        return counts
    n, p, q = counts.n, counts.n_positive, counts.n_negative
    up, down = (share * n / total if total else 0.0 for share, total in ((shares[1], p), (shares[0], q)))
    return ScoreCounts(counts.positives * up, counts.negatives * down, counts.scores)
