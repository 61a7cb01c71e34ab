"""The picture of a BiasVarianceCurve. No arithmetic here, and no global state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.present.charts import INK, MUTED
from assay.present.format import one_line
from assay.theory.bias_variance.terms import DOMINGOS
from assay.tuning.factor import is_numeric
from assay.tuning.settings import spell_value

if TYPE_CHECKING:
    from assay.theory.bias_variance.curve import BiasVarianceCurve

FEW = 10  # values up to which each has its own mark on the axis
WIDE = 20  # from this ratio of the largest to the smallest value on, the axis is logarithmic
CLOSE = 0.07  # share of the axis that a label takes
BIAS, VARIANCE = "#b3541e", "#2e7d5b"


def draw_bias_variance(curve: BiasVarianceCurve, ax: Any = None) -> Any:
    """Draw the loss and its terms against the parameter."""
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(5.4, 4.0), layout="constrained").subplots()
    x = _across(curve, ax)
    order = np.argsort(x)
    squared = curve.method != DOMINGOS
    lines: list[tuple[str, Any, dict[str, Any]]] = [
        ("loss", curve.loss, {"marker": "o", "ls": "-", "color": INK, "lw": 1.8}),
        ("bias²" if squared else "bias", curve.bias, {"marker": "s", "ls": "--", "color": BIAS, "lw": 1.4}),
        ("variance" if squared else "net variance", curve.net_variance, {"marker": "^", "ls": "-.", "color": VARIANCE}),
        ("noise", curve.noise, {"marker": "", "ls": ":", "color": MUTED, "lw": 1.4}),
    ]
    for name, column, style in lines:
        if np.isfinite(column).any():
            ax.plot(x[order], column[order], ms=4, label=name, **style)
    ax.axhline(0, color=MUTED, lw=0.6, zorder=0)
    ax.set_ylabel(f"{curve.loss_function} loss")
    ax.legend(fontsize="small", edgecolor="none", framealpha=0.8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _across(curve: BiasVarianceCurve, ax: Any) -> Any:
    """Give the place of each value: on its scale where all are numbers, one after the other where not."""
    from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

    ax.set_xlabel(curve.parameter, parse_math=False)
    values = curve.values
    if len(values) == 1 or not is_numeric(values) or not np.isfinite(np.array(values, float)).all():
        places = np.arange(len(values))
        labelled = places[:: -(-len(places) // FEW)]
        names = [_short(values[place]) for place in labelled]
        slant = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if max(map(len, names)) > 6 else {}
        ax.set_xticks(labelled, names, parse_math=False, **slant)
        return places
    x = np.array(values, float)
    if x.min() > 0 and x.max() >= WIDE * x.min():
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.4g}"))
        ax.xaxis.set_minor_formatter(NullFormatter())
        if _are_apart(np.log(x)):
            ax.set_xticks(x)
            ax.xaxis.set_minor_locator(NullLocator())
    elif _are_apart(x) and all(value.is_integer() for value in x.tolist()):
        ax.set_xticks(x)
    return x


def _are_apart(x: Any) -> bool:
    """Tell whether each value can have its label, and none covers the next one."""
    steps = np.diff(np.sort(x))
    return len(x) <= FEW and bool(steps.min() >= CLOSE * steps.sum())


def _short(value: Any) -> str:
    told = f"{value:.4g}" if isinstance(value, float) else value if isinstance(value, str) else spell_value(value)
    told = one_line(told)
    return told if len(told) <= 24 else f"{told[:21]}..."
