"""From scores to decisions: the best threshold, and how sure that choice is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.curves.threshold import best_place, values_at_thresholds
from assay.errors import AssayError
from assay.measures import Measure
from assay.measures.estimate.scores import GROUPS
from assay.present.format import jsonable, number
from assay.results import Interval
from assay.tables import ScoreCounts, ScoreTable


@dataclass(frozen=True)
class ThresholdChoice:
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

    def __str__(self) -> str:
        chosen = f"best threshold for {self.measure}: {number(self.threshold)}, 95 % interval {self.interval}"
        return f"{chosen}; {self.measure} there {number(self.value)} (chosen on these cases, so optimistic)"

    def to_dict(self) -> dict[str, Any]:
        told = {"threshold": self.threshold, "measure": self.measure, "value": self.value}
        return dict(jsonable({**told, "interval": self.interval.to_dict(), "notes": list(self.notes)}))


def choose_threshold(
    table: ScoreTable,
    measure: Measure,
    parameters: dict[str, Any],
    shares: NDArray[np.float64] | None = None,
    confidence: float = 0.95,
    replicates: int = 500,
    seed: int = 0,
) -> ThresholdChoice:
    """Find the threshold at which a measure is best; ``shares`` are those of negatives and positives in use."""
    if measure.better is None:
        raise AssayError(f"`{measure.name}` has no better or worse, so no threshold is best for it.")
    counts = _reweighed(table.counts, shares)
    values = values_at_thresholds(counts, measure, parameters)
    if np.isnan(values).all():
        raise AssayError(f"`{measure.name}` is undefined at every threshold: {measure.undefined_when}.")
    place = best_place(values, measure.better)
    thin = table.effective().thinned(GROUPS)
    rng = np.random.default_rng(seed)
    chosen = np.empty(replicates)
    for draw in range(replicates):
        positives, negatives = thin.resample(rng, 1)
        again = _reweighed(ScoreCounts(positives[0], negatives[0], thin.scores), shares)
        place_again = best_place(values_at_thresholds(again, measure, parameters), measure.better)
        chosen[draw] = thin.thresholds[place_again]
    alpha = (1 - confidence) / 2
    low, high = np.quantile(chosen, [alpha, 1 - alpha], method="nearest")
    threshold = float(table.thresholds[place])
    interval = Interval(
        float(min(low, threshold)),
        float(max(high, threshold)),
        confidence,
        "bootstrap",
        replicates=replicates,
        seed=seed,
    )
    notes = ("calling no case positive is best",) if np.isinf(threshold) else ()
    return ThresholdChoice(threshold, measure.name, float(values[place]), interval, notes)


def _reweighed(counts: ScoreCounts, shares: NDArray[np.float64] | None) -> ScoreCounts:
    """Scale negatives and positives to their shares in use."""
    if shares is None:
        return counts
    n, p, q = counts.n, counts.n_positive, counts.n_negative
    up, down = (share * n / total if total else 0.0 for share, total in ((shares[1], p), (shares[0], q)))
    return ScoreCounts(counts.positives * up, counts.negatives * down, counts.scores)
