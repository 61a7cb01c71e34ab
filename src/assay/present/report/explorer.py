"""The threshold explorer of a page: its data, its pictures, and its state at the start, for where scripts are off."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from assay.present.report.estimates import CONFIDENCE, Cell, estimate_dict, shown_cell, with_interval
from assay.present.report.figure import DASHES, MUTED, PALETTE, Figure, draw
from assay.present.report.javascript import function, script_json
from assay.present.sheet import Sheet
from assay.present.value_text import jsonable, number, shown_name

MOST_ROWS, LEAST_ROWS, MOST_ROWS_OF_ONE = 4000, 120, 1000  # thresholds in the page
MOST_CURVES = 6  # in one picture
MOST_BANDS = 2
LARGE = 20_000  # distinct scores from which on pictures are drawn of some of them
SHAPES = ("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "M0 -6L6 0L0 6L-6 0Z")  # a disc and a diamond
TOP_STEPS = (1, 2, 4, 6, 8, 10)  # tops of an axis whose quarters are round


@dataclass(frozen=True)
class Explorer:
    """Up to two classifiers side by side, of all that are given; the first ones are shown at the start."""

    models: Mapping[str, Any]  # `Explored` by the name of the classifier
    noun: str = "classifier"  # what a model is

    template = "explorer.html"

    @property
    def names(self) -> list[str]:
        return [shown_name(name) for name in self.models] if len(self.models) > 1 else [""]

    @property
    def slots(self) -> list[int]:
        """The classifiers that are shown at the start, by number."""
        return list(range(min(2, len(self.models))))

    def model(self, slot: int) -> Any:
        return list(self.models.values())[slot]

    @property
    def first(self) -> Any:
        return self.model(0)

    @property
    def thinned(self) -> str:
        """Say how many thresholds the page keeps, where it does not keep all."""
        tables = [model.table for model in self.models.values() if model.table.is_thinned]
        if not tables:
            return ""
        kept, total = (max(sizes) for sizes in ([len(t.thresholds) - 1 for t in tables], [t.total for t in tables]))
        return f"This page keeps {kept:,} of {total:,} thresholds, all that can be best among them."

    @cached_property
    def rows(self) -> list[tuple[str, str, list[Cell]]]:
        """The table of measures at the start: name, title, and a cell for each classifier that is shown."""
        titles = {one.name: one.title for one in self.first.measures}
        estimates = [{**self.model(slot).estimates, **self.model(slot).cost_estimates} for slot in self.slots]
        return [
            (
                name,
                titles.get(name) or name.replace("_", " ").capitalize(),
                [shown_cell(one[name]) for one in estimates],
            )
            for name in estimates[0]
        ]

    def counts(self, slot: int) -> dict[str, Any]:
        """Give the four counts at the start, as they are shown, and the share of its row of each."""
        counts = self.model(slot).counts
        rows = {"tp": ("tp", "fn"), "fn": ("tp", "fn"), "fp": ("fp", "tn"), "tn": ("fp", "tn")}
        shares = {key: value / (sum(counts[one] for one in rows[key]) or 1) for key, value in counts.items()}
        return {key: {"count": count(value), "share": shares[key]} for key, value in counts.items()}

    def sentence(self) -> str:
        """Say the state at the start in words."""
        sentences = []
        for slot in self.slots:
            model, counts = self.model(slot), self.counts(slot)
            name = f"{self.names[slot]}, " if len(self.models) > 1 else ""
            errors = f"{counts['fn']['count']} misses, {counts['fp']['count']} false alarms"
            sentences.append(
                f"{name}from {model.start.threshold:.6g} on: {errors}, cost {number(model.total_cost.value)}."
            )
        return " ".join(sentences)

    @property
    def limits(self) -> tuple[float, float]:
        """The range of thresholds."""
        limits = [model.limits for model in self.models.values()]
        return min(low for low, _ in limits), max(high for _, high in limits)

    def data(self) -> dict[str, Any]:
        """Give what the script works on."""
        first, (low, high) = self.first, self.limits
        return {
            "z": NormalDist().inv_cdf((1 + CONFIDENCE) / 2),
            "share": first.prevalence,
            "costs": first.costs.ravel().tolist(),  # tn, fp, fn, tp
            "usual": first.usual,
            "low": low,
            "high": high,
            "measures": [
                {"name": one.name, "ratio": one.ratio, "span": [*map(_finite, one.span)], "why": one.undefined_when}
                for one in first.measures
            ],
            "models": [
                {
                    "name": name,
                    "classes": [shown_name(model.positive), shown_name(model.negative)],
                    "start": model.start.threshold,
                    **model.table.to_dict(),
                }
                for name, model in zip(self.names, self.models.values(), strict=True)
            ],
        }

    @property
    def json(self) -> str:
        return script_json(jsonable(self.data()))

    @property
    def formulas(self) -> str:
        """Give the measures as functions of the script."""
        return ",\n".join(f"{one.name}:{function(one.formula, ratio=one.ratio)}" for one in self.first.measures)

    def to_dict(self) -> dict[str, Any]:
        models = []
        for name, model in self.models.items():
            estimates = {**model.estimates, **model.cost_estimates}
            measures = [estimate_dict(estimate) for estimate in estimates.values()]
            models.append({"name": name, "threshold": model.start.threshold, "measures": measures})
        figures = [figure.to_dict() for figure in self.figures]
        return dict(jsonable({"start": models, "thresholds": self.data(), "figures": figures}))

    @cached_property
    def figures(self) -> list[Figure]:
        """The pictures beside the controls."""
        pictures = _Pictures(self)
        return [pictures.roc(), pictures.precision_recall(), pictures.cost(), pictures.gain(), pictures.lift()]

    def costs(self, model: Any) -> Any:
        """Give the total cost at each threshold that the page keeps."""
        (tn_cost, fp_cost), (fn_cost, tp_cost) = self.first.costs.tolist()
        tp, fp = (np.asarray(column, float) for column in (model.table.tp, model.table.fp))
        fn, tn, n = tp[-1] - tp, fp[-1] - fp, tp[-1] + fp[-1]
        share = self.first.prevalence
        up, down = (1.0, 1.0) if share is None else (share * n / tp[-1], (1 - share) * n / fp[-1])
        return up * (tp_cost * tp + fn_cost * fn) + down * (fp_cost * fp + tn_cost * tn)

    def top(self) -> float:
        """Give the top of the axis of costs: a little above that of treating all cases alike, the cheaper way."""
        ends = [self.costs(model)[[0, -1]] for model in self.models.values()]
        return _round_top(1.1 * (max(float(one.min()) for one in ends) or max(float(one.max()) for one in ends)))


class _Pictures:
    """The pictures of an explorer, each with the dots of the start."""

    def __init__(self, explorer: Explorer) -> None:
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

    def _curves(self, kind: str, title: str, curve_name: str, reading: str, said: Sequence[str]) -> Figure:
        curves = [source.curve(curve_name) for source in self.sources]
        first, explored = curves[0], self.explorer.first
        if explored.prevalence is not None and kind != "roc":
            reading += f" With scripts off, of the sample, where {100 * explored.share:.1f} % are positive."

        def paint(ax: Any) -> None:
            for index, curve in enumerate(curves):
                color, dash = PALETTE[index], DASHES[index]
                if kind == "roc" and self.banded:
                    band = self.sources[index].curve(curve_name, band="pointwise").thinned()
                    ax.fill_between(band.x, band.extra["low"], band.extra["high"], color=color, alpha=0.15, lw=0)
                drawn = curve.drawn()
                ax.plot(drawn.x, drawn.y, color=color, ls=dash, lw=1.6, gid=f"live-curve-{index}")
            for line in first.lines:
                ax.plot(line.x, line.y, color=MUTED, lw=1, ls=":")
            ax.set(xlabel=first.x_title, ylabel=first.y_title, xlim=(-0.015, 1.015), ylim=(-0.015, 1.015))
            if kind == "lift":
                ax.set(xlim=(0, 1), ylim=(0, 1.06 * max(float(np.nanmax(curve.y)) for curve in curves)))
            ax.grid(True)

        points = [(name, curve) for (name, _), curve in zip(self.drawn, curves, strict=True)]
        about: dict[str, Any] = {"reading": reading, "description": f"{'; '.join(said)}.", "data": _points(points)}
        return self._with_marks(draw(f"explorer-{kind}", paint, title=title, live=kind, legend=self._legend, **about))

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
            ax.set(xlim=(low, high), ylim=(0, top), xlabel="threshold", ylabel="total cost")
            quarters = [top * step / 4 for step in range(5)]
            ax.set_yticks(quarters, [f"{quarter:.4g}" for quarter in quarters])
            for step, label in enumerate(ax.get_yticklabels()):
                label.set_gid(f"live-tick-{step}")
            ax.grid(True)

        reading = "Drag the line. The axis ends a little above the cost of treating all cases alike."
        about: dict[str, Any] = {
            "reading": reading,
            "description": f"{'; '.join(said)}.",
            "legend": self._legend,
            "wide": True,
        }
        size = {"width": 9.4, "height": 2.9}
        return self._with_marks(draw("explorer-cost", paint, title="Cost by threshold", live="cost", **size, **about))

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
            if not math.isnan(y):
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


def explorer_of(assessments: Mapping[str, Any], noun: str = "classifier") -> Explorer | None:
    """Give the explorer of the assessments that have thresholds; None where none has."""
    most = min(MOST_ROWS_OF_ONE, max(LEAST_ROWS, MOST_ROWS // max(len(assessments), 1)))
    models = {name: assessment.explored(most) for name, assessment in assessments.items()}
    models = {name: model for name, model in models.items() if model is not None}
    return Explorer(models, noun) if models else None


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


def count(value: float) -> str:
    """Write a count; one that is expected rather than counted has a decimal."""
    return f"{value:.0f}" if abs(value - round(value)) < 1e-6 else f"{value:.1f}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _round_top(value: float) -> float:
    """Give the least round number that is not below a value."""
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in TOP_STEPS if step * power >= value * (1 - 1e-12))
