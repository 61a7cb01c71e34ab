"""The curves of an assessment with scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay import curves
from assay.costs import Costs
from assay.curves import Curve
from assay.data.encode import Label
from assay.data.labels import Classes
from assay.errors import AssayError
from assay.measures.estimate.classes import ClassScores
from assay.tables import ScoreTable

RANKING = ("roc", "precision_recall", "lift", "lift_ratio", "gain", "det", "ks", "cost_curve", "roc_hull", "densities")
PROBABILITY = ("calibration", "decision_curve")


class CurveMethods:
    """Curves by name. With more than two classes, ``label`` tells which one against the rest."""

    scores: ScoreTable | ClassScores | None
    classes: Classes
    costs: Costs | None

    @property
    def labels(self) -> tuple[Label, ...]:
        return self.classes.labels

    @property
    def positive(self) -> Label | None:
        return self.classes.positive

    def score_table(self, label: Label | None = None) -> ScoreTable:
        """Give the score table of the positive class, or of ``label`` against the rest."""
        if self.scores is None:
            raise AssayError("there are only labels here, and curves need scores; give `scores=...`.")
        if isinstance(self.scores, ClassScores):
            chosen = self.positive if label is None else label
            if chosen is None:
                raise AssayError("with more than two classes a curve is of one of them; give `label=...`.")
            return self.scores.table(chosen)
        if label is None or label == self.positive:
            return self.scores
        if label not in self.labels:
            raise AssayError(f"`label` must be one of {', '.join(map(repr, self.labels))}, not {label!r}.")
        return self.scores.mirrored()

    def _curve(self, draw: Callable[..., Curve], label: Label | None, band: str | None = None, **options: Any) -> Curve:
        table = self.score_table(label)
        if not (table.n_positive and table.n_negative):
            raise AssayError("all cases are of one class, so there is no curve to draw.")
        return draw(table, **options) if band is None else curves.with_band(draw, table, band)

    def roc(self, label: Label | None = None, band: str | None = None) -> Curve:
        """Recall against the false positive rate; ``band`` is "pointwise" or "simultaneous"."""
        return self._curve(curves.roc, label, band)

    def precision_recall(self, label: Label | None = None, band: str | None = None) -> Curve:
        """Precision against recall, as steps."""
        return self._curve(curves.precision_recall, label, band)

    def lift(self, label: Label | None = None) -> Curve:
        """Positives found against sample size, in counts, with the random and the perfect line."""
        return self._curve(curves.lift, label)

    def lift_ratio(self, label: Label | None = None) -> Curve:
        """How many times more positives than in a random sample."""
        return self._curve(curves.lift_ratio, label)

    def gain(self, label: Label | None = None, band: str | None = None) -> Curve:
        """Share of the positives found against the share of cases looked at."""
        return self._curve(curves.gain, label, band)

    def det(self, label: Label | None = None) -> Curve:
        """False negative rate against false positive rate."""
        return self._curve(curves.det, label)

    def ks(self, label: Label | None = None) -> Curve:
        """Recall less false positive rate, against the threshold."""
        return self._curve(curves.ks, label)

    def calibration(self, label: Label | None = None, **options: Any) -> Curve:
        """Share of positives against the mean probability, by bins, with a band."""
        return self._curve(curves.calibration, label, **options)

    def densities(self, label: Label | None = None, **options: Any) -> Curve:
        """How the scores of the two classes are spread."""
        return self._curve(curves.densities, label, **options)

    def by_threshold(self, measure: str, label: Label | None = None, **parameters: Any) -> Curve:
        """Any label measure against the threshold."""
        return self._curve(curves.by_threshold, label, measure=measure, **parameters)

    def cost_curve(self, label: Label | None = None) -> Curve:
        """Normalised expected cost against the probability cost (Drummond and Holte)."""
        return self._curve(curves.cost_curve, label, at=self._trade(label)[1])

    def roc_hull(self, label: Label | None = None, slope: float | None = None) -> Curve:
        """Convex hull of the ROC curve, with the line of equal cost of a slope, or of the costs given to `assess`."""
        return self._curve(curves.roc_hull, label, slope=self._trade(label)[0] if slope is None else slope)

    def decision_curve(self, label: Label | None = None, prior: float | None = None) -> Curve:
        """Net benefit against the threshold probability, for the share of positives in use."""
        if prior is None and self.costs is not None and label in (None, self.positive):
            shares = self.costs.priors(self.labels, self.positive)
            prior = None if shares is None else float(shares[self.labels.index(self.positive)])
        return self._curve(curves.decision_curve, label, prior=prior, at=self._trade(label)[2])

    def _trade(self, label: Label | None) -> tuple[float | None, float | None, float | None]:
        """What the costs say about the decision on the positive class of two; nothing where there are none."""
        if self.costs is None or len(self.labels) != 2 or label not in (None, self.positive):
            return None, None, None
        table = self.score_table()
        try:
            return self.costs.trade(self.labels, self.positive, table.n_positive / table.n)
        except AssayError:  # costs under which one of the two decisions is always right trade nothing
            return None, None, None

    def brier_parts(self, label: Label | None = None, bins: int | None = 10) -> curves.BrierParts:
        """Reliability, resolution and uncertainty."""
        return curves.brier_parts(self.score_table(label), bins)

    def curves(self, label: Label | None = None) -> dict[str, Curve]:
        """Give every curve that applies, by name."""
        table = self.score_table(label)
        probabilities = table.scores[0] <= 1 and table.scores[-1] >= 0
        names = (*RANKING, *(PROBABILITY if probabilities else ()))
        return {name: getattr(self, name)(label) for name in names}
