"""The pictures of a threshold explorer, with the dots of its start."""

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

MOST_CURVES = 6  # in one picture
MOST_BANDS = 2
FINE = 2e-3  # of a picture: half a pixel
TOP_STEPS = (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10)  # tops of an axis whose quarters are round
NEARLY_PERFECT = 0.97  # the area under a ROC curve from which on its corner is enlarged
CORNERS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
LARGE = 20_000  # distinct scores from which on pictures are drawn of some of them
SHAPES = ("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "M0 -6L6 0L0 6L-6 0Z")  # a disc and a diamond


def pictures_of(explorer: Any) -> list[Figure]:
    """Draw the pictures that stand beside the controls of an explorer."""
    pictures = Pictures(explorer)
    corner = pictures.corner()
    roc, precision, cost = pictures.roc(), pictures.precision_recall(), pictures.cost()  # costs have a row of their own
    first = [roc, precision, cost] if corner is None else [roc, corner, cost, precision]
    return [*first, pictures.gain(), pictures.lift()]


class Pictures:
    """The pictures of an explorer, each with the dots of the start."""

    def __init__(self, explorer: Any) -> None:
        self.explorer = explorer
        self.drawn = list(zip(explorer.names, explorer.models.values(), strict=True))[:MOST_CURVES]
        self.several = len(explorer.models) > 1
        self.banded = len(explorer.models) <= MOST_BANDS
        self.sources = [_light(model.start) for _, model in self.drawn]

    def roc(self) -> Figure:
        bands = "Shaded: where the curve of other samples may lie, 95 % at each point. " if self.banded else ""
        reading = f"The nearer to the top left corner, the better. {bands}The dot is the threshold chosen."
        said = [_said(name, f"AUC {with_interval(model.area)}") for name, model in self.drawn]
        return self._curves("roc", "ROC curve", "roc", reading, said)

    def corner(self) -> Figure | None:
        """Enlarge the corner of the ROC curve, where a curve is so near to it that nothing can be seen."""
        near = [
            source.curve("roc")
            for (_, model), source in zip(self.drawn, self.sources, strict=True)
            if model.area.value >= NEARLY_PERFECT
        ]
        away = max((float(np.maximum(curve.x, 1 - curve.y).min()) for curve in near), default=0.0)
        if not away:
            return None  # no curve is near, or those that are have no error to look at
        width = next((one for one in CORNERS if one >= 3 * away), CORNERS[-1])
        reading = "The same curves and dots, enlarged; a dot that lies outside is not shown."
        said = [f"recall from {1 - width:g} to 1, at false positive rates from 0 to {width:g}"]
        return self._curves("roc", "ROC curve: the top left corner", "roc", reading, said, corner=width)

    def precision_recall(self) -> Figure:
        reading = "How many of the alarms are true, against how many cases are found. Dotted: guessing."
        areas = [(name, model.average_precision) for name, model in self.drawn]
        said = [_said(name, f"average precision {with_interval(area)}") for name, area in areas]
        return self._curves("pr", "Precision and recall", "precision_recall", reading, said)

    def gain(self) -> Figure:
        reading = "The share of all positives found, when the highest scores are looked at first."
        return self._curves("gain", "Cumulative gain", "gain", reading, self._found(20))

    def lift(self) -> Figure:
        reading = "How many times more positives among the cases flagged than among all. Dotted: guessing."
        return self._curves("lift", "Lift", "lift_ratio", reading, self._found(10))

    def _found(self, percent: int) -> list[str]:
        curves = [(name, source.curve("gain")) for (name, _), source in zip(self.drawn, self.sources, strict=True)]
        shares = [(name, 100 * float(np.interp(percent / 100, curve.x, curve.y))) for name, curve in curves]
        return [
            _said(name, f"the first {percent} % of the cases hold {share:.1f} % of the positives")
            for name, share in shares
        ]

    def _curves(
        self, kind: str, title: str, curve_name: str, reading: str, said: Sequence[str], corner: float = 1.0
    ) -> Figure:
        """Draw a curve of each classifier; of the square of rates, the ``corner`` at the top left."""
        curves = [source.curve(curve_name) for source in self.sources]
        first, explored = curves[0], self.explorer.first
        if explored.prevalence is not None and kind != "roc":
            reading += f" With scripts off, of the sample, where {100 * explored.share:.1f} % are positive."

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
        about: dict[str, Any] = {"reading": reading, "description": f"{'; '.join(said)}."}
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
        said = []
        for name, model in zip(explorer.names, explorer.models.values(), strict=True):
            costs = explorer.costs(model)
            threshold = model.table.thresholds[costs.argmin()]
            where = f"from {threshold:.6g} on" if math.isfinite(threshold) else "when no case is called positive"
            said.append(_said(name, f"lowest cost {number(float(costs.min()))} {where}"))

        def paint(ax: Any) -> None:
            for index, (_, model) in enumerate(self.drawn):
                thresholds, costs = np.asarray(model.table.thresholds, float), explorer.costs(model)
                x = np.concatenate([[high], np.clip(thresholds[1:], low, high), [low]])
                style = {"color": PALETTE[index], "ls": DASHES[index], "gid": f"live-curve-{index}"}
                ax.plot(x, np.append(costs, costs[-1]), lw=1.4, drawstyle="steps-post", **style)
            ax.set(xlim=(low, high), xlabel="threshold", ylabel="total cost")
            _live_axis(ax, top)

        reading = "Drag the line. The axis ends a little above the cost of treating all cases alike."
        about: dict[str, Any] = {
            "reading": reading,
            "description": f"{'; '.join(said)}.",
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
        """Add the dot of each classifier that is shown at the start."""
        live, marks = figure.live, []
        assert live is not None
        for slot in self.explorer.slots:
            x, y = live.place(*self._position(live.kind, slot))
            if live.kind == "cost":
                marks.append(f'<path class="cut k{slot}" d="M{x} {live.box[1]}v{live.box[3]}"/>')
            if live.holds(x, y):
                marks.append(f'<path class="dot k{slot}" d="{SHAPES[slot]}" transform="translate({x} {y})"/>')
        return replace(figure, overlay="".join(marks))

    def _position(self, kind: str, slot: int) -> tuple[float, float]:
        """Give where the dot of a classifier stands at the start."""
        model, (low, high) = self.explorer.model(slot), self.explorer.limits
        tp, fp, fn, tn = model.counts.values()
        n, found, flagged = tp + fp + fn + tn, tp / (tp + fn), (tp + fp) / (tp + fp + fn + tn)
        right = tp / (tp + fp) if tp + fp else math.nan
        return {
            "roc": (fp / (fp + tn), found),
            "pr": (found, right),
            "gain": (flagged, found),
            "lift": (flagged, right * n / (tp + fn)),
            "cost": (min(max(model.start.threshold, low), high), model.total_cost.value),
        }[kind]


def _live_axis(ax: Any, top: float) -> None:
    """Let an axis end at ``top``, with quarters that a script can write anew."""
    ax.set_ylim(0, top)
    quarters = [top * step / 4 for step in range(5)]
    ax.set_yticks(quarters, [f"{quarter:.4g}" for quarter in quarters])
    for step, label in enumerate(ax.get_yticklabels()):
        label.set_gid(f"live-tick-{step}")


def round_top(value: float) -> float:
    """Give the least round number that is not below a value."""
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in TOP_STEPS if step * power >= value * (1 - 1e-12))


def _light(start: Any) -> Any:
    """Give an assessment whose curves have no more points than a picture can show."""
    return start if len(start.scores) <= LARGE else replace(start, scores=start.scores.thinned(LARGE))


def _points(curves: Sequence[tuple[str, Any]]) -> Sheet:
    """Give the points that make up curves to within a hundredth."""
    records = []
    for name, curve in curves:
        named = {"classifier": name} if name else {}
        for one in curve.thinned(0.01).records():
            point = {"threshold": one["threshold"], curve.x_title: one["x"], curve.y_title: one["y"]}
            records.append({**named, **point})
    return Sheet.of(records)


def _said(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text
