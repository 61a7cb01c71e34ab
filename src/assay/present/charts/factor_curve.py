"""The charts of learning, complexity and noise curves: errors and times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.present.charts import BAND, INK, MUTED
from assay.present.charts.axes import finish, mark_log, new_axes, short_label
from assay.present.charts.declare import chart
from assay.present.quantity import show

if TYPE_CHECKING:
    from assay.tuning.factor_curve import FactorCurve

MARKS = (("D", INK), ("o", "white"))  # shape and filling of the points that a curve marks


@chart("FactorCurve", default=True)
def errors(curve: FactorCurve, ax: Any = None) -> Any:
    """Draw the measure on test cases with its intervals, and the training error where it can be compared."""
    ax = new_axes(ax)
    x = curve.axis.draw(ax)
    order = np.argsort(x)
    records = curve.records()
    low, high = (np.array([record[end] for record in records]) for end in ("low", "high"))
    if np.isfinite(low).any():
        ax.fill_between(x[order], low[order], high[order], color=BAND, alpha=0.5, lw=0, label="95 % interval")
    ax.plot(x[order], curve.test_error[order], "o-", color=INK, lw=1.8, ms=4, label="test")
    training = curve.comparable_training
    if training is not None:
        ax.plot(x[order], training[order], "s--", color=MUTED, lw=1.2, ms=3.5, label=curve.training_label)
    for (name, index), (marker, filling) in zip(curve.marked.items(), MARKS, strict=False):
        label = f"{name}: {short_label(curve.values[index])}"
        style = {"marker": marker, "ms": 8, "mfc": filling, "mec": INK, "mew": 1.5, "ls": "none", "zorder": 4}
        ax.plot(x[index], curve.test_error[index], label=label, **style)
    ax.set_ylabel(curve.measure.replace("_", " "), parse_math=False)
    return finish(ax)


@chart("FactorCurve")
def times(curve: FactorCurve, ax: Any = None) -> Any:
    """Draw the seconds of fitting and predicting, on a log scale."""
    ax = new_axes(ax)
    x = curve.axis.draw(ax)
    order = np.argsort(x)
    fit, predict = curve.fit_seconds, curve.predict_seconds
    ax.plot(x[order], fit[order], "o-", color=INK, lw=1.8, ms=4, label=curve.fit_label)
    ax.plot(x[order], predict[order], "s--", color=MUTED, lw=1.2, ms=3.5, label="prediction of the test cases")
    ax.set_yscale("log")
    seconds = np.concatenate([fit, predict])
    mark_log(ax.yaxis, seconds[np.isfinite(seconds)], lambda value: show("fit_seconds", value))
    ax.set_ylabel("time, median of the splits")
    return finish(ax)
