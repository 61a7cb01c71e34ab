"""The charts of learning, complexity and noise curves: errors and times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.present.charts.axes import finish, mark_log, set_titles, short_label
from assay.present.charts.declare import chart
from assay.present.charts.series import draw_band, draw_series, muted, paper
from assay.present.quantity import show
from assay.present.value_text import spoken

if TYPE_CHECKING:
    from assay.tuning.factor_curve import FactorCurve

MARKS = ("D", "o")  # shapes of the points that a curve marks; the first is filled


@chart("FactorCurve", default=True)
def errors(curve: FactorCurve, ax: Any, **style: Any) -> Any:
    """Draw the measure on test cases with its intervals, and the training error where it can be compared.

    ``style`` are keywords of a Matplotlib line.
    """
    x = curve.axis.draw(ax)
    order = np.argsort(x)
    records = curve.records()
    low, high = (np.array([record[end] for record in records]) for end in ("low", "high"))
    line = draw_series(ax, x[order], curve.test_error[order], style, marker="o", markersize=4, label="test")
    if np.isfinite(low).any():
        draw_band(ax, x[order], low[order], high[order], line, label="95 % interval")
    training = curve.comparable_training
    if training is not None:
        own = {"color": muted(ax), "linestyle": "--", "marker": "s", "markersize": 3.5, "linewidth": 1.2}
        draw_series(ax, x[order], training[order], own, label=curve.training_label)
    for number, ((name, index), marker) in enumerate(zip(curve.marked.items(), MARKS, strict=False)):
        colour = line.get_color()
        filling = paper(ax) if number else colour
        point = {"marker": marker, "ms": 8, "mfc": filling, "mec": colour, "mew": 1.5, "ls": "none", "zorder": 4}
        label = f"{name}: {short_label(curve.values[index])}"
        ax.plot(x[index], curve.test_error[index], color=colour, label=label, **point)
    set_titles(ax, up=spoken(curve.measure))
    return finish(ax)


@chart("FactorCurve")
def times(curve: FactorCurve, ax: Any, **style: Any) -> Any:
    """Draw the seconds of fitting and predicting, on a log scale; ``style`` are keywords of a Matplotlib line."""
    x = curve.axis.draw(ax)
    order = np.argsort(x)
    fit, predict = curve.fit_seconds, curve.predict_seconds
    draw_series(ax, x[order], fit[order], style, marker="o", markersize=4, label=curve.fit_label)
    own = {"marker": "s", "markersize": 3.5, "linewidth": 1.2, "label": "prediction of the test cases"}
    draw_series(ax, x[order], predict[order], style, **own)
    ax.set_yscale("log")
    seconds = np.concatenate([fit, predict])
    mark_log(ax.yaxis, seconds[np.isfinite(seconds)], lambda value: show("fit_seconds", value))
    set_titles(ax, up="time, median of the splits")
    return finish(ax)
