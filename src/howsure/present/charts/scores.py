"""Charts against the score (densities, their distance, a measure by threshold), and DET curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.present.charts.axes import finish, set_titles
from howsure.present.charts.curve import draw_curve, draw_point, finish_curve, mark_threshold, set_shared_title
from howsure.present.charts.declare import chart
from howsure.present.charts.series import BAND, REFERENCE, draw_reference, draw_series, entry, muted, take_label

if TYPE_CHECKING:
    from howsure.curves import Curve
    from howsure.curves.ranking import DetCurve
    from howsure.curves.separation import DensityCurve, DistanceCurve
    from howsure.curves.threshold import ThresholdCurve

SECONDARY = 0.7  # opacity of the secondary lines of a curve
TICKS = (1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99)  # rates on the normal deviate scale


@chart("DensityCurve", default=True)
def histograms(curve: DensityCurve, ax: Any, **style: Any) -> Any:
    """Draw the densities of the scores in both classes, and the threshold.

    ``label`` names the classifier; other ``style`` keywords, such as ``alpha``, are passed to Matplotlib lines.
    """
    style, label = take_label(style)
    classes = (
        (curve.label or "positives", curve.y),
        (curve.rest if curve.label else "negatives", curve.extra["negatives"]),
    )
    for name, density in classes:
        line = draw_series(ax, curve.x, density, style, label=entry(name, label), drawstyle="steps-mid", linewidth=1.4)
        ax.fill_between(curve.x, density, step="mid", color=line.get_color(), alpha=BAND, linewidth=0)
    _threshold(curve, ax)
    ax.set_ylim(bottom=0)
    set_shared_title(ax, curve.plain_title, curve.plain_title)
    set_titles(ax, "", curve.x_title, curve.y_title)
    return finish(ax)


@chart("DistanceCurve", default=True, size=(5.4, 4.7))
def distance(curve: DistanceCurve, ax: Any, **style: Any) -> Any:
    """Draw the distance between the classes by threshold, and its maximum.

    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    drawn = curve.drawn()  # computed once for all three lines
    line = draw_curve(curve, ax, style, drawn=drawn)
    label, own = take_label(style)[1], {"color": line.get_color(), "alpha": SECONDARY, "zorder": 1.2}
    for number, (column, name) in enumerate({"fpr": "false positive rate", "tpr": "recall"}.items()):
        draw_reference(ax, drawn.x, drawn.extra[column], entry(name, label), number, **own)
    finite = np.where(np.isfinite(curve.x), curve.y, -np.inf)
    index = int(finite.argmax())
    ax.vlines(curve.x[index], 0, curve.y[index], color=line.get_color(), lw=1.2, ls=":")
    draw_point(ax, line, curve.x[index], curve.y[index], f"maximum at {curve.x[index]:.3g}")
    ax.set_ylim(min(-0.02, *(1.02 * np.min(each.get_ydata()) for each in ax.get_lines())), 1.02)
    return finish_curve(curve, ax, below=True)  # inside the axes, the legend would cover one of the lines


@chart("ThresholdCurve", default=True)
def by_threshold(curve: ThresholdCurve, ax: Any, **style: Any) -> Any:
    """Draw a measure by threshold, its best value, and the threshold in use.

    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    line = draw_curve(curve, ax, style)
    if curve.best is not None and np.isfinite(curve.x[curve.best]):
        x, y = curve.x[curve.best], curve.y[curve.best]
        draw_point(ax, line, x, y, f"best on these cases: {y:.3g} at threshold {x:g}")
    _threshold(curve, ax)
    return finish_curve(curve, ax)


@chart("DetCurve", default=True, size=(4.8, 4.6))
def deviates(curve: DetCurve, ax: Any, **style: Any) -> Any:
    """Draw one error rate against the other on normal deviate scales.

    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
    from scipy.special import ndtr, ndtri

    nearest = [end / 2 for rates in (curve.x, curve.y[::-1]) for end in _nearest_to_ends(rates)]
    least = max(min([0.01, *nearest]), 1e-5)
    if ax.get_xscale() == "linear":
        for set_scale in (ax.set_xscale, ax.set_yscale):
            set_scale("function", functions=(lambda rate: ndtri(np.clip(rate, 1e-9, 1 - 1e-9)), ndtr))
        limits = (least, 1 - least)
    else:  # an earlier curve has set the scale
        low, high = ax.get_xlim()
        limits = (min(low, least), max(high, 1 - least))
    line = draw_curve(curve, ax, style)
    mark_threshold(curve, ax, line)
    finish_curve(curve, ax)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(FixedLocator([tick for tick in TICKS if limits[0] <= tick <= limits[1]]))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.4g} %"))
    ax.set(xlim=limits, ylim=limits)
    return ax


def _nearest_to_ends(rates: Array) -> list[float]:
    """Return the smallest nonzero distances of sorted rates from 0 and 1."""
    above, below = np.searchsorted(rates, 0, side="right"), np.searchsorted(rates, 1, side="left") - 1
    return [float(rates[above]), float(1 - rates[below])] if above <= below else []


def _threshold(curve: Curve, ax: Any) -> None:
    """Draw the threshold in use as a vertical line, once."""
    if curve.threshold is None:
        return
    label = f"threshold {curve.threshold:g}"
    if not any(line.get_label() == label for line in ax.get_lines()):
        ax.axvline(curve.threshold, color=muted(ax), lw=1.2, ls="--", zorder=1.5, label=label, gid=REFERENCE)
