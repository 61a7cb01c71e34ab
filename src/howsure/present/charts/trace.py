"""The chart of a learner's trace, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.checks import one_of
from howsure.errors import HowsureError
from howsure.present.charts.axes import finish, set_titles
from howsure.present.charts.declare import chart
from howsure.present.charts.series import SERIES, draw_series, entry, take_label

if TYPE_CHECKING:
    from howsure.learners import Trace

MARKERS = "os^Dv"
MAX_MARKED = 40  # maximum number of steps with markers
TICK = 36.0  # width of a tick label, in points


@chart("Trace", default=True)
def steps(trace: Trace, ax: Any, *, columns: Sequence[str] | None = None, **style: Any) -> Any:
    """Draw columns of a trace step by step, by default its errors.

    ``label`` names the learner; other ``style`` keywords, such as ``linewidth``, are passed to Matplotlib lines.
    """
    style, label = take_label(style)
    chosen = trace.drawn if columns is None else (columns,) if isinstance(columns, str) else tuple(columns)
    if not chosen:
        raise HowsureError(f"this trace has no steps to draw; `columns` can contain any of {', '.join(trace.columns)}.")
    x = np.arange(1, len(trace) + 1)
    for column, marker in zip(chosen, MARKERS * len(chosen), strict=False):
        values = np.array(trace[one_of("columns", column, trace.columns)], dtype=float)
        values[~np.isfinite(values)] = np.nan  # a perfect ensemble member has infinite weight
        mark = {"marker": marker, "markersize": 3.5} if len(x) <= MAX_MARKED else {}
        draw_series(ax, x, values, style, label=entry(column.replace("_", " "), label), **mark)
    _mark_steps(ax)
    up = chosen[0].replace("_", " ") if len(chosen) == 1 else "error" if columns is None else ""
    set_titles(ax, trace.title, trace.columns[0], up)
    return finish(ax)


def _mark_steps(ax: Any) -> None:
    """Set ticks at whole steps, starting with step 1."""
    from matplotlib.ticker import MaxNLocator

    last = max(len(line.get_xdata()) for line in ax.get_lines() if line.get_gid() == SERIES)
    room = ax.bbox.width * 72 / ax.get_figure(root=True).dpi
    most = int(np.clip(room / TICK, 1, 9))
    marks = np.asarray(MaxNLocator(most, steps=[1, 2, 5, 10], integer=True).tick_values(1, last))
    first = 1 + np.diff(marks[:2]).sum() / 2  # the first label must not overlap that of step 1
    ax.set_xticks([1, *marks[(marks >= first) & (marks > 1) & (marks <= last)]])
