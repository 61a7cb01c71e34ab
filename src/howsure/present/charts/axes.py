"""Axes of charts: titles, legends, axes of parameter values, ticks on log scales, and plain text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from textwrap import wrap
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.errors import one_line
from howsure.present.charts.names import drawable
from howsure.present.charts.series import CONTEXT, REFERENCE, ink
from howsure.present.value_text import plain

MAX_TICKS = 10  # maximum number of values that each get their own tick
LOG_FROM = 20  # smallest ratio of the largest to the smallest value for a logarithmic axis
LABEL_WIDTH = 0.07  # width of a label, relative to the axis
MAX_TICK_CHARACTERS = 24  # maximum number of characters in a tick label
MAX_WIDE = 52  # maximum number of characters per line of a legend
MAX_LEGEND_CHARACTERS = 2 * MAX_WIDE  # maximum number of characters in a legend entry
MAX_INSIDE = 6  # maximum number of lines of a legend inside the axes
MAX_OF_AXES = 0.5  # largest height of a legend at the top of the axes, relative to the axes


def set_titles(ax: Any, title: str = "", across: str = "", up: str = "") -> None:
    """Set those titles that the axes do not have yet."""
    for text, write, new in (
        (ax.get_title(), ax.set_title, title),
        (ax.get_xlabel(), ax.set_xlabel, across),
        (ax.get_ylabel(), ax.set_ylabel, up),
    ):
        if new and not text:
            write(new, parse_math=False)


def finish(ax: Any, legend: bool = True, below: bool = False) -> Any:
    """Add the legend, and remove the top and right spines.

    A legend that does not fit inside the axes is placed ``below`` them. If the figure has no layout engine, which would
    make room there, the axes are extended at their top instead.
    """
    ax.spines[["top", "right"]].set_visible(False)
    handles, labels = ax.get_legend_handles_labels() if legend else ([], [])
    if not handles:
        return ax
    labels = [_in_lines(short_label(label, MAX_LEGEND_CHARACTERS)) for label in labels]
    order = sorted(range(len(handles)), key=lambda index: _rank(handles[index]))
    style: dict[str, Any] = {"fontsize": "small", "edgecolor": "none", "framealpha": 0.8, "labelcolor": ink(ax)}
    is_free = below and ax.get_figure(root=True).get_layout_engine() is None
    if is_free:
        style |= {"loc": "upper left"}
    elif below or sum(label.count("\n") + 1 for label in labels) > MAX_INSIDE:
        style |= {"loc": "upper left", "bbox_to_anchor": (0, 0), "bbox_transform": _below(ax), "borderaxespad": 0}
    legend_box = ax.legend([handles[index] for index in order], [labels[index] for index in order], **style)
    if is_free:
        _make_room(ax, legend_box)
    return ax


def _make_room(ax: Any, legend: Any) -> None:
    """Extend the vertical axis so that the legend is above all lines."""
    marks, (low, high) = ax.get_yticks(), ax.get_ylim()
    share = min(1.15 * legend.get_window_extent().height / ax.bbox.height, MAX_OF_AXES)
    ax.set_yticks(marks[(marks >= low) & (marks <= high)])
    ax.set_ylim(low, low + (high - low) / (1 - share))


def _in_lines(label: str) -> str:
    """Wrap a long legend entry, after its first comma if possible."""
    if len(label) <= MAX_WIDE:
        return label
    first, _, rest = label.partition(", ")
    fits = rest and max(len(first) + 1, len(rest)) <= MAX_WIDE
    return f"{first},\n{rest}" if fits else "\n".join(wrap(label, MAX_WIDE))


def _rank(handle: Any) -> int:
    gid = getattr(handle, "get_gid", lambda: None)()
    return 2 if gid == REFERENCE else int(gid == CONTEXT)


def _below(ax: Any) -> Any:
    """Return the transform for placing a legend below the horizontal axis."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties
    from matplotlib.transforms import ScaledTranslation

    marks = FontProperties(size=rcParams["xtick.labelsize"]).get_size_in_points()
    title = ax.xaxis.label.get_size() if ax.get_xlabel() else 0
    points = 1.3 * (marks + title) + rcParams["xtick.major.size"] + rcParams["xtick.major.pad"] + ax.xaxis.labelpad + 4
    return ax.transAxes + ScaledTranslation(0, -points / 72, ax.get_figure(root=True).dpi_scale_trans)


@dataclass(frozen=True)
class ValueAxis:
    """The horizontal axis for the values of a varied parameter.

    ``scale`` is "log", "percent", or "", which means a log scale for a wide range of values. Values that are not all
    finite numbers are placed one after another and labelled with their names.
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
    """Return whether the labels of all values fit without overlap."""
    steps = np.diff(np.sort(x))
    return len(x) <= MAX_TICKS and bool(steps.min() >= LABEL_WIDTH * steps.sum())


def mark_log(axis: Any, values: Array, label: Callable[[float], object]) -> None:
    """Choose ticks for the range of a log axis."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    powers = np.log10(values.max() / values.min()) if len(values) else 0
    if powers < 1:
        axis.set_major_locator(MaxNLocator(5))
    elif powers < 4:
        wide = axis.axis_name == "x" and powers >= 2  # labels of a horizontal axis are side by side
        axis.set_major_locator(LogLocator(subs=(1.0, 3.0) if wide else (1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: str(label(value))))
    axis.set_minor_formatter(NullFormatter())


def short_label(value: Any, most: int = MAX_TICK_CHARACTERS) -> str:
    """Format a value as a short label."""
    if isinstance(value, float):
        return f"{value:.4g}"
    text = drawable(one_line(value if isinstance(value, str) else " ".join(repr(value).split())))
    return text if len(text) <= most else f"{text[: most - 3]}..."


def texts_of(axes: Any) -> dict[Any, str]:
    """Return the texts on the axes except tick labels (which may be formulas)."""
    from matplotlib.text import Text

    texts: dict[Any, str] = {}
    for ax in np.atleast_1d(np.asarray(axes, dtype=object)).ravel():
        if hasattr(ax, "findobj"):
            # `get_ticklabels` would compute the layout of the labels.
            marks = {text for axis in (ax.xaxis, ax.yaxis) for text in axis.findobj(Text) if text is not axis.label}
            texts |= {text: text.get_text() for text in set(ax.findobj(Text)) - marks}
    return texts


def plain_texts(axes: Any, before: dict[Any, str]) -> None:
    """Draw names literally, not as formulas, and without control characters.

    Characters missing from the font are written as code points. Texts in ``before`` belong to the caller and are left
    unchanged.
    """
    for text, now in texts_of(axes).items():
        if before.get(text) != now:
            text.set_text(drawable(plain(now)))
            text.set_parse_math(False)
