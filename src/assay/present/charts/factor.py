"""Pictures of a FactorCurve: errors and times. No arithmetic here, and no global state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.experiment.result.preference import shown
from assay.present.charts import BAND, INK, MUTED
from assay.present.format import one_line
from assay.tuning.factor import ComplexityCurve, FactorCurve, LearningCurve, NoiseCurve, is_numeric
from assay.tuning.settings import spell_value

FEW = 10  # values up to which each has its own mark on the axis
TITLES = {LearningCurve: "training cases", NoiseCurve: "share of wrong training labels"}


def draw_errors(curve: FactorCurve, ax: Any = None) -> Any:
    """Draw the measure on test cases with its intervals, and the training error where it can be compared."""
    ax = _axes(ax)
    x = _across(curve, ax)
    order = np.argsort(x)
    records = curve.records()
    low, high = (np.array([record[end] for record in records]) for end in ("low", "high"))
    if np.isfinite(low).any():
        ax.fill_between(x[order], low[order], high[order], color=BAND, alpha=0.5, lw=0, label="95 % interval")
    ax.plot(x[order], curve.test_error[order], "o-", color=INK, lw=1.8, ms=4, label="test")
    training = curve.comparable_training
    if training is not None:
        label = "true training labels" if isinstance(curve, NoiseCurve) else "training"
        ax.plot(x[order], training[order], "s--", color=MUTED, lw=1.2, ms=3.5, label=label)
    if isinstance(curve, ComplexityCurve):
        chosen = (("best", curve.best_place, "D", INK), ("one standard error", curve.near_place, "o", "white"))
        for name, place, marker, colour in chosen:
            told = _plain_text(f"{name}: {_short(curve.values[place])}")
            style = {"marker": marker, "ms": 8, "mfc": colour, "mec": INK, "mew": 1.5, "ls": "none", "zorder": 4}
            ax.plot(x[place], curve.test_error[place], label=told, **style)
    ax.set_ylabel(curve.measure.replace("_", " "), parse_math=False)
    return _finished(ax)


def draw_times(curve: FactorCurve, ax: Any = None) -> Any:
    """Draw the seconds of fitting and predicting, on a log scale."""
    ax = _axes(ax)
    x = _across(curve, ax)
    order = np.argsort(x)
    label = "fit"
    if isinstance(curve, LearningCurve) and not curve.time_exponent.undefined:
        label = f"fit, with n to the power of {curve.time_exponent.value:.2f}"
    ax.plot(x[order], curve.fit_seconds[order], "o-", color=INK, lw=1.8, ms=4, label=label)
    ax.plot(
        x[order], curve.predict_seconds[order], "s--", color=MUTED, lw=1.2, ms=3.5, label="prediction of the test cases"
    )
    ax.set_yscale("log")
    every = np.concatenate([curve.fit_seconds, curve.predict_seconds])
    _mark_log(ax.yaxis, every[np.isfinite(every)], lambda value: str(shown("fit_seconds", value)))
    ax.set_ylabel("time, median of the splits")
    return _finished(ax)


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(figsize=(5.4, 4.0), layout="constrained").subplots()


def _across(curve: FactorCurve, ax: Any) -> Any:
    """Give the place of each value: on its scale where all are numbers, one after the other where not."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    ax.set_xlabel(TITLES.get(type(curve), curve.factor), parse_math=False)
    values = curve.values
    if len(values) == 1 or not is_numeric(values):
        places = np.arange(len(values))
        labelled = places[:: -(-len(places) // FEW)]
        names = [_short(values[place]) for place in labelled]
        slant = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if max(map(len, names)) > 6 else {}
        ax.set_xticks(labelled, names, parse_math=False, **slant)
        return places
    x = np.array(values, float)
    if isinstance(curve, NoiseCurve):
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.3g} %"))
    elif x.min() > 0 and (isinstance(curve, LearningCurve) or x.max() >= 20 * x.min()):
        ax.set_xscale("log")
        _mark_log(ax.xaxis, x, lambda value: f"{value:.4g}")
        steps = np.diff(np.log(np.sort(x)))
        if len(x) <= FEW and steps.min() >= 0.07 * steps.sum():  # so that no label covers the next one
            ax.set_xticks(x)
            ax.xaxis.set_minor_locator(NullLocator())
    return x


def _mark_log(axis: Any, values: Any, told: Callable[[float], str]) -> None:
    """Choose marks that fit the extent: powers of ten alone, 1-2-5, or even steps within a single power."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    powers = np.log10(values.max() / values.min()) if len(values) else 0
    if powers < 1:
        axis.set_major_locator(MaxNLocator(5))
    elif powers < 4:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: told(value)))
    axis.set_minor_formatter(NullFormatter())


def _finished(ax: Any) -> Any:
    ax.legend(fontsize="small", edgecolor="none", framealpha=0.8)  # a ground of its own, where lines pass behind it
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _short(value: Any) -> str:
    told = (
        f"{value:.4g}"
        if isinstance(value, float)
        else one_line(value if isinstance(value, str) else spell_value(value))
    )
    return told if len(told) <= 24 else f"{told[:21]}..."


def _plain_text(text: str) -> str:
    """Keep a dollar sign from starting a formula."""
    return text.replace("$", r"\$")
