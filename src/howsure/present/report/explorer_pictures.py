"""The figures of a threshold explorer, with dots at the initial thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.present.report.estimates import with_interval
from howsure.present.report.figure import DASHES, MUTED, PALETTE, Figure, draw
from howsure.present.sheet import Sheet
from howsure.present.value_text import number

MAX_CURVES = 6  # maximum number of curves in a figure
MAX_BANDS = 2
FINE = 2e-3  # tolerance relative to the size of a figure: half a pixel
TOP_STEPS = (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10)  # axis limits whose quarters are round numbers
NEARLY_PERFECT = 0.97  # smallest AUC for which the corner of the ROC curve is enlarged
CORNERS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
MAX_SCORES = 20_000  # maximum number of distinct scores in a figure; more would not be visible
SHAPES = ("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "M0 -6L6 0L0 6L-6 0Z")  # a disc and a diamond


def pictures_of(explorer: Any) -> list[Figure]:
    """Draw the figures next to the controls of an explorer."""
    pictures = Pictures(explorer)
    corner = pictures.corner()
    roc, precision, cost = pictures.roc(), pictures.precision_recall(), pictures.cost()  # these fill a row
    first = [roc, precision, cost] if corner is None else [roc, corner, cost, precision]
    return [*first, pictures.gain(), pictures.lift()]


class Pictures:
    """The figures of an explorer, with dots at the initial thresholds."""

    def __init__(self, explorer: Any) -> None:
        self.explorer = explorer
        self.drawn = list(zip(explorer.names, explorer.models.values(), strict=True))[:MAX_CURVES]
        self.several = len(explorer.models) > 1
        self.banded = len(explorer.models) <= MAX_BANDS
        self.sources = [_thinned(model.start) for _, model in self.drawn]

    def roc(self) -> Figure:
        bands = "Shaded: pointwise 95 % confidence band. " if self.banded else ""
        reading = f"The closer to the top left corner, the better. {bands}The dot is the chosen threshold."
        texts = [_named(name, f"AUC {with_interval(model.area)}") for name, model in self.drawn]
        return self._curves("roc", "ROC curve", "roc", reading, texts)

    def corner(self) -> Figure | None:
        """Enlarge the corner of the ROC plot if a curve is very close to it."""
        near = [
            source.curve("roc")
            for (_, model), source in zip(self.drawn, self.sources, strict=True)
            if model.area.value >= NEARLY_PERFECT
        ]
        away = max((float(np.maximum(curve.x, 1 - curve.y).min()) for curve in near), default=0.0)
        if not away:
            return None  # no curve is close, or the close curves make no errors
        width = next((side for side in CORNERS if side >= 3 * away), CORNERS[-1])
        reading = "The same curves and dots, enlarged; dots outside this corner are not shown."
        texts = [f"recall from {1 - width:g} to 1 and false positive rate from 0 to {width:g}"]
        return self._curves("roc", "ROC curve: the top left corner", "roc", reading, texts, corner=width)

    def precision_recall(self) -> Figure:
        reading = (
            "Precision: correct among the positive predictions. Recall: found among the positives. Dotted: guessing."
        )
        areas = [(name, model.average_precision) for name, model in self.drawn]
        texts = [_named(name, f"average precision {with_interval(area)}") for name, area in areas]
        return self._curves("pr", "Precision and recall", "precision_recall", reading, texts)

    def gain(self) -> Figure:
        reading = "Share of all positives that are among the highest scores. Dotted: guessing and perfect ranking."
        return self._curves("gain", "Cumulative gain", "gain", reading, self._shares_found(20))

    def lift(self) -> Figure:
        reading = "Rate of positives among the cases with the highest scores, relative to all cases. Dotted: guessing."
        return self._curves("lift", "Lift", "lift_ratio", reading, self._shares_found(10))

    def _shares_found(self, percent: int) -> list[str]:
        curves = [(name, source.curve("gain")) for (name, _), source in zip(self.drawn, self.sources, strict=True)]
        shares = [(name, 100 * float(np.interp(percent / 100, curve.x, curve.y))) for name, curve in curves]
        return [
            _named(name, f"the {percent} % of cases with the highest scores contain {share:.1f} % of the positives")
            for name, share in shares
        ]

    def _curves(
        self, kind: str, title: str, curve_name: str, reading: str, texts: Sequence[str], corner: float = 1.0
    ) -> Figure:
        """Draw one curve per classifier, zoomed to the corner if ``corner`` < 1."""
        curves = [source.curve(curve_name) for source in self.sources]
        first, explored = curves[0], self.explorer.first
        if explored.prevalence is not None and kind != "roc":
            reading += f" Without JavaScript: at the prevalence of the sample, {100 * explored.share:.1f} %."

        def paint(ax: Any) -> None:
            for index, curve in enumerate(curves):
                color, dash = PALETTE[index], DASHES[index]
                if kind == "roc" and self.banded:
                    band = self.sources[index].curve(curve_name, band="pointwise").thinned(FINE * corner)
                    ax.fill_between(band.x, band.extra["low"], band.extra["high"], color=color, alpha=0.15, lw=0)
                drawn = curve.drawn().thinned(FINE) if corner == 1 else curve.thinned(FINE * corner)
                ax.plot(drawn.x, drawn.y, color=color, ls=dash, lw=1.6, gid=f"live-curve-{index}")
            for index, guide in enumerate(first.lines):
                ax.plot(guide.x, guide.y, color=MUTED, lw=1, ls=":", gid=f"live-guide-{index}")
            margin, beyond = 0.015 * corner, 1.015 * corner
            ax.set(xlabel=first.x_title, ylabel=first.y_title, xlim=(-margin, beyond), ylim=(1 - beyond, 1 + margin))
            if corner < 1:
                ax.locator_params(nbins=5)
            if kind == "lift":
                ax.set(xlim=(0, 1))
                _live_axis(ax, round_top(1.05 * max(float(np.nanmax(curve.y)) for curve in curves)))

        points = [(name, curve) for (name, _), curve in zip(self.drawn, curves, strict=True)]
        about: dict[str, Any] = {"reading": reading, "description": f"{'; '.join(texts)}."}
        if corner == 1:
            about["data"] = _points(points)
        name = f"{self.explorer.name}-{kind if corner == 1 else 'corner'}"
        return self._with_marks(
            draw(
                name,
                paint,
                title=title,
                live=kind,
                legend=self._legend,
                **about,
            )
        )

    def cost(self) -> Figure:
        explorer, top, (low, high) = self.explorer, self.explorer.top(), self.explorer.limits
        texts = []
        for name, model in zip(explorer.names, explorer.models.values(), strict=True):
            costs = explorer.costs(model)
            threshold = model.table.thresholds[costs.argmin()]
            where = f"at threshold {threshold:.6g}" if math.isfinite(threshold) else "if no case is called positive"
            texts.append(_named(name, f"lowest cost {number(float(costs.min()))} {where}"))

        def paint(ax: Any) -> None:
            for index, (_, model) in enumerate(self.drawn):
                thresholds, costs = np.asarray(model.table.thresholds, float), explorer.costs(model)
                x = np.concatenate([[high], np.clip(thresholds[1:], low, high), [low]])
                style = {"color": PALETTE[index], "ls": DASHES[index], "gid": f"live-curve-{index}"}
                ax.plot(x, np.append(costs, costs[-1]), lw=1.4, drawstyle="steps-post", **style)
            ax.set(xlim=(low, high), xlabel="threshold", ylabel="total cost")
            _live_axis(ax, top)

        reading = "Drag the line. The axis stops just above the cost of calling everything positive or negative."
        about: dict[str, Any] = {
            "reading": reading,
            "description": f"{'; '.join(texts)}.",
            "legend": self._legend,
            "wide": True,
        }
        size = {"width": 9.4, "height": 2.9}
        return self._with_marks(
            draw(f"{explorer.name}-cost", paint, title="Cost by threshold", live="cost", **size, **about)
        )

    @property
    def _legend(self) -> list[str]:
        return [name for name, _ in self.drawn] if self.several else []

    def _with_marks(self, figure: Figure) -> Figure:
        """Add the dots of the classifiers that are shown initially."""
        live, marks = figure.live, []
        assert live is not None
        for slot in self.explorer.slots:
            x, y = live.to_svg(*self._position(live.kind, slot))
            if live.kind == "cost":
                marks.append(f'<path class="cut k{slot}" d="M{x} {live.box[1]}v{live.box[3]}"/>')
            if live.holds(x, y):
                marks.append(f'<path class="dot k{slot}" d="{SHAPES[slot]}" transform="translate({x} {y})"/>')
        return replace(figure, overlay="".join(marks))

    def _position(self, kind: str, slot: int) -> tuple[float, float]:
        """Return the initial position of the dot of a classifier."""
        model, (low, high) = self.explorer.model(slot), self.explorer.limits
        tp, fp, fn, tn = model.counts.values()
        n, recall, flagged = tp + fp + fn + tn, tp / (tp + fn), (tp + fp) / (tp + fp + fn + tn)
        precision = tp / (tp + fp) if tp + fp else math.nan
        return {
            "roc": (fp / (fp + tn), recall),
            "pr": (recall, precision),
            "gain": (flagged, recall),
            "lift": (flagged, precision * n / (tp + fn)),
            "cost": (min(max(model.start.threshold, low), high), model.total_cost.value),
        }[kind]


def _live_axis(ax: Any, top: float) -> None:
    """End an axis at ``top``, with four labels that a script can rewrite."""
    ax.set_ylim(0, top)
    quarters = [top * step / 4 for step in range(5)]
    ax.set_yticks(quarters, [f"{quarter:.4g}" for quarter in quarters])
    for step, label in enumerate(ax.get_yticklabels()):
        label.set_gid(f"live-tick-{step}")


def round_top(value: float) -> float:
    """Return the smallest round number that is at least the value."""
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in TOP_STEPS if step * power >= value * (1 - 1e-12))


def _thinned(start: Any) -> Any:
    """Return an assessment with at most as many scores as a figure can show."""
    return replace(start, scores=start.scores.thinned(MAX_SCORES))


def _points(curves: Sequence[tuple[str, Any]]) -> Sheet:
    """Return the points of curves, thinned to an accuracy of 0.01."""
    records = []
    for name, curve in curves:
        named = {"classifier": name} if name else {}
        for record in curve.thinned(0.01).records():
            point = {"threshold": record["threshold"], curve.x_title: record["x"], curve.y_title: record["y"]}
            records.append({**named, **point})
    return Sheet.of(records)


def _named(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text
