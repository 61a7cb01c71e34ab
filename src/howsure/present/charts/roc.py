"""ROC charts: the curve with its enlarged corner, the convex hull, and the average over folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.checks import check_flag
from howsure.present.charts.curve import draw_curve, draw_point, finish_curve, mark_threshold
from howsure.present.charts.declare import Size, chart
from howsure.present.charts.series import CONTEXT, draw_band, mix, muted

if TYPE_CHECKING:
    from howsure.curves.decision import HullCurve
    from howsure.curves.fold_average import AverageCurve
    from howsure.curves.ranking import RocCurve

ZOOM = "howsure-zoom"
NEAR_PERFECT = 0.97  # smallest AUC for which the corner is enlarged
WINDOWS = (0.05, 0.1, 0.2)  # possible side lengths of the enlarged part
MIN_INCHES = 3.2  # smallest size of axes with an enlarged part, in inches


def _size(curve: RocCurve, zoom: bool | None = None, **style: Any) -> Size:
    """Return the size; with an enlarged corner, the legend is below the axes."""
    zoom = None if zoom is None else check_flag("zoom", zoom)
    return (4.8, 5.4) if (_wants_zoom(curve) if zoom is None else zoom) else (4.8, 4.6)


def _wants_zoom(curve: RocCurve) -> bool:
    return bool(curve.area >= NEAR_PERFECT)


@chart("RocCurve", default=True, size=_size)
def square(curve: RocCurve, ax: Any, zoom: bool | None = None, **style: Any) -> Any:
    """Draw a ROC curve, with its corner enlarged if it is nearly perfect.

    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    zoom = None if zoom is None else check_flag("zoom", zoom)
    line = draw_curve(curve, ax, style)
    mark_threshold(curve, ax, line)
    return finish_square(curve, ax, line, zoom)


@chart("HullCurve", default=True, size=(4.8, 5.2))
def hull(curve: HullCurve, ax: Any, **style: Any) -> Any:
    """Draw the convex hull and, if there are costs, lines of equal cost.

    Higher lines have lower costs. ``style`` keywords are passed to Matplotlib lines.
    """
    line = draw_curve(curve, ax, style, marker="o", markersize=3.5)
    best = next((reference for reference in curve.lines if reference.name == "equal cost"), None)
    if best is not None and curve.slope is not None:
        for step in (1, 2, 3):  # lines of higher cost, equally spaced
            start = (0.0, float(best.y[0] - curve.slope * best.x[0]) - 0.15 * step)
            ax.axline(start, slope=curve.slope, color=mix(ax, 0.2), lw=0.8, zorder=1.1)
        index = int((curve.y - curve.slope * curve.x).argmax())
        label = f"lowest cost: threshold {curve.thresholds[index]:g}"
        draw_point(ax, line, curve.x[index], curve.y[index], label)
    return finish_square(curve, ax, line, zoom=False, below=best is not None)


@chart("AverageCurve", default=True, size=(4.8, 4.6))
def folds(curve: AverageCurve, ax: Any, **style: Any) -> Any:
    """Draw the average curve over the folds, and the curve of each fold.

    ``style`` keywords are passed to Matplotlib lines.
    """
    line = draw_curve(curve, ax, style)
    for number, part in enumerate(curve.parts):
        thinned, label = part.thinned(), "_" if number else "single folds"
        ax.plot(thinned.x, thinned.y, color=mix(ax, 0.35), lw=0.7, zorder=1.2, label=label, gid=CONTEXT)
    if "sd" in curve.extra and len(curve.parts) > 1:
        low, high = (np.clip(curve.y + sign * curve.extra["sd"], 0, 1) for sign in (-1, 1))
        draw_band(ax, curve.x, low, high, line, label="standard deviation over the folds")
    return finish_square(curve, ax, line, zoom=False)


def finish_square(curve: RocCurve, ax: Any, line: Any, zoom: bool | None, below: bool = False) -> Any:
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    enlarged = _zoom(curve, ax, line, zoom)
    return finish_curve(curve, ax, below=enlarged or below)


def _zoom(curve: RocCurve, ax: Any, line: Any, wanted: bool | None) -> bool:
    """Draw the enlarged corner if needed, and return whether there is one."""
    inner = next((child for child in ax.child_axes if child.get_gid() == ZOOM), None)
    if inner is None:
        figure = ax.get_figure(root=True)
        side = min(figure.get_size_inches() * ax.get_position().size)
        if wanted is None:
            wanted = _wants_zoom(curve) and side >= MIN_INCHES
        if not wanted:
            return False
        window = _window(curve)
        inner = ax.inset_axes((0.42, 0.16, 0.55, 0.55), gid=ZOOM)
        inner.set(xlim=(-0.02 * window, window), ylim=(1 - window, 1 + 0.02 * window))
        inner.set_xticks([0, window / 2, window])
        inner.set_yticks([1 - window, 1 - window / 2, 1])
        inner.tick_params(labelsize="small")
        ax.indicate_inset_zoom(inner, edgecolor=muted(ax))
    elif wanted is False:
        return True
    style = {"color": line.get_color(), "ls": line.get_linestyle(), "lw": line.get_linewidth()}
    thinned = curve.thinned(2e-4)
    inner.plot(thinned.x, thinned.y, **style)
    if {"low", "high"} <= thinned.extra.keys():
        draw_band(inner, thinned.x, thinned.extra["low"], thinned.extra["high"], line)
    if curve.threshold is not None:
        index = curve.at(curve.threshold)
        draw_point(inner, line, curve.x[index], curve.y[index])
    return True


def _window(curve: RocCurve) -> float:
    """Return the side length of the smallest square that shows the bend."""
    distance = np.min(np.maximum(curve.x, 1 - curve.y))
    return next((side for side in WINDOWS if distance <= side / 2), WINDOWS[-1])
