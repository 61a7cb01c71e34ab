"""What charts have in common: new axes, an axis of values, marks on a log scale, the finish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.errors import one_line
from assay.present.value_text import plain

MAX_TICKS = 10  # values up to which each has its own mark on the axis
LOG_FROM = 20  # ratio of the largest to the smallest value from which on the axis is logarithmic
LABEL_WIDTH = 0.07  # share of the axis that a label takes
MAX_LETTERS = 24


def new_axes(ax: Any = None, width: float = 5.4, height: float = 4.0) -> Any:
    """Return the axes to draw on: those of the caller, or the axes of a new figure."""
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained").subplots()


def finish(ax: Any, legend: bool = True) -> Any:
    """Add the legend and remove the frame at the top and the right."""
    if legend:
        ax.legend(fontsize="small", edgecolor="none", framealpha=0.8)  # readable where lines pass behind it
    ax.spines[["top", "right"]].set_visible(False)
    return ax


@dataclass(frozen=True)
class ValueAxis:
    """The values of something that was varied, as the horizontal axis of a chart.

    ``scale`` is "log", "percent", or "" where the values decide: logarithmic if they span a wide range. Values that
    are not all finite numbers stand one after the other, each under its name.
    """

    title: str
    values: tuple[Any, ...]
    scale: str = ""

    def draw(self, ax: Any) -> Array:
        """Set up the axis and return the position of each value on it."""
        from matplotlib.ticker import FuncFormatter, NullLocator

        ax.set_xlabel(self.title, parse_math=False)
        if len(self.values) == 1 or not is_numeric(self.values) or not np.isfinite(np.array(self.values, float)).all():
            return self._draw_names(ax)
        x = np.array(self.values, float)
        if self.scale == "percent":
            ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.3g} %"))
        elif x.min() > 0 and (self.scale == "log" or x.max() >= LOG_FROM * x.min()):
            ax.set_xscale("log")
            mark_log(ax.xaxis, x, lambda value: f"{value:.4g}")
            if _have_room(np.log(x)):
                ax.set_xticks(x)
                ax.xaxis.set_minor_locator(NullLocator())
        elif _have_room(x) and all(value.is_integer() for value in x.tolist()):
            ax.set_xticks(x)
        return x

    def _draw_names(self, ax: Any) -> Array:
        positions = np.arange(len(self.values))
        ticks = positions[:: -(-len(positions) // MAX_TICKS)]
        labels = [short_label(self.values[index]) for index in ticks]
        slant = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if max(map(len, labels)) > 6 else {}
        ax.set_xticks(ticks, labels, parse_math=False, **slant)
        return positions


def is_numeric(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in values)


def _have_room(x: Array) -> bool:
    """Whether each value can have its label without covering the next one."""
    steps = np.diff(np.sort(x))
    return len(x) <= MAX_TICKS and bool(steps.min() >= LABEL_WIDTH * steps.sum())


def mark_log(axis: Any, values: Array, label: Callable[[float], object]) -> None:
    """Choose marks that fit the range: powers of ten alone, 1-2-5, or even steps within a single power."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    powers = np.log10(values.max() / values.min()) if len(values) else 0
    if powers < 1:
        axis.set_major_locator(MaxNLocator(5))
    elif powers < 4:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: str(label(value))))
    axis.set_minor_formatter(NullFormatter())


def short_label(value: Any) -> str:
    """Write a value as a label on one short line."""
    if isinstance(value, float):
        return f"{value:.4g}"
    text = one_line(value if isinstance(value, str) else " ".join(repr(value).split()))
    return text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 3]}..."


def plain_axes(axes: Any) -> Any:
    """Show the names in a chart as they are: no dollar sign starts a formula, no control character is drawn."""
    from matplotlib.text import Text

    for ax in np.atleast_1d(np.asarray(axes, dtype=object)).ravel():
        if not hasattr(ax, "findobj"):
            continue
        # Powers of ten at the marks of an axis are formulas. (To ask for these labels by name would lay them out.)
        marks = {text for axis in (ax.xaxis, ax.yaxis) for text in axis.findobj(Text) if text is not axis.label}
        for text in set(ax.findobj(Text)) - marks:
            text.set_text(plain(text.get_text()))
            text.set_parse_math(False)
    return axes
