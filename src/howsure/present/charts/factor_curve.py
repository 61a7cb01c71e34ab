"""Charts of learning, complexity and noise curves: errors and times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.axes import finish, mark_log, set_titles, short_label
from howsure.present.charts.curve import set_shared_title
from howsure.present.charts.declare import chart
from howsure.present.charts.series import SERIES, draw_band, draw_series, entry, is_known, paper, take_label
from howsure.present.quantity import show
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.tuning.factor_curve import FactorCurve

INTERVAL = "95 % interval"
MARKS = ("D", "o")  # markers for special points; the first is filled


@chart("FactorCurve", default=True)
def errors(curve: FactorCurve, ax: Any, **style: Any) -> Any:
    """Draw the test error with its intervals, and the training error.

    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    style, label = _take_label(curve, ax, style)
    x = curve.axis.draw(ax)
    order = np.argsort(x)
    records = curve.records()
    low, high = (np.array([record[end] for record in records]) for end in ("low", "high"))
    line = draw_series(
        ax, x[order], curve.test_error[order], style, marker="o", markersize=4, label=entry("test", label)
    )
    colour = line.get_color()
    if np.isfinite(low).any():
        name = "_" if is_known(INTERVAL, ax.collections) else INTERVAL
        draw_band(ax, x[order], low[order], high[order], line, label=name)
    training = curve.comparable_training
    if training is not None:
        own = {"color": colour, "linestyle": "--", "marker": "s", "markersize": 3.5, "linewidth": 1.2}
        draw_series(ax, x[order], training[order], own, label=entry(curve.training_label, label))
    for number, ((name, index), marker) in enumerate(zip(curve.marked.items(), MARKS, strict=False)):
        filling = paper(ax) if number else colour
        point = {"marker": marker, "ms": 8, "mfc": filling, "mec": colour, "mew": 1.5, "ls": "none", "zorder": 4}
        value = f": {short_label(curve.values[index])}"
        name = entry(name, label)
        ax.plot(x[index], curve.test_error[index], color=colour, label=name + value, **point)
    return _finish(curve, ax, spoken(curve.measure))


@chart("FactorCurve")
def times(curve: FactorCurve, ax: Any, **style: Any) -> Any:
    """Draw the fit and prediction times on a log scale.

    ``label`` names the curves; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    style, label = _take_label(curve, ax, style)
    x = curve.axis.draw(ax)
    order = np.argsort(x)
    fit, predict = curve.fit_seconds, curve.predict_seconds
    draw_series(ax, x[order], fit[order], style, marker="o", markersize=4, label=entry(curve.fit_label, label))
    own = {"marker": "s", "markersize": 3.5, "linewidth": 1.2, "label": entry("prediction of the test cases", label)}
    draw_series(ax, x[order], predict[order], style, **own)
    ax.set_yscale("log")
    seconds = np.concatenate([fit, predict])
    mark_log(ax.yaxis, seconds[np.isfinite(seconds)], lambda value: show("fit_seconds", value))
    return _finish(curve, ax, "median time over the splits")


def _take_label(curve: FactorCurve, ax: Any, style: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Separate the label; a second curve's default label is its learner."""
    style, label = take_label(style)
    has_other = any(line.get_gid() == SERIES for line in ax.get_lines())
    return style, curve.learner if label is None and has_other else label


def _finish(curve: FactorCurve, ax: Any, up: str) -> Any:
    set_shared_title(ax, f"{curve.kind} of {curve.learner}", curve.kind)
    set_titles(ax, up=up)
    return finish(ax)
