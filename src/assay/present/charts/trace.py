"""The chart of a learner's trace: what it kept record of, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.checks import one_of
from assay.errors import AssayError
from assay.present.charts.axes import finish, set_titles
from assay.present.charts.declare import chart
from assay.present.charts.series import draw_series

if TYPE_CHECKING:
    from assay.learners import Trace

MARKERS = "os^Dv"
MOST_MARKED = 40  # steps that have a marker each


@chart("Trace", default=True)
def steps(trace: Trace, ax: Any, *, columns: Sequence[str] | None = None, **style: Any) -> Any:
    """Draw numbers of a trace step by step: the errors that it has, or the ``columns`` named."""
    from matplotlib.ticker import MaxNLocator

    chosen = trace.drawn if columns is None else (columns,) if isinstance(columns, str) else tuple(columns)
    if not chosen:
        raise AssayError(f"this trace has no steps to draw; `columns` may name some of {', '.join(trace.columns)}.")
    x = np.arange(1, len(trace) + 1)
    for column, marker in zip(chosen, MARKERS * len(chosen), strict=False):
        values = np.array(trace[one_of("columns", column, trace.columns)], dtype=float)
        values[~np.isfinite(values)] = np.nan  # a member that fits every case has an infinite vote
        mark = {"marker": marker, "markersize": 3.5} if len(x) <= MOST_MARKED else {}
        draw_series(ax, x, values, style, label=column.replace("_", " "), **mark)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    up = chosen[0].replace("_", " ") if len(chosen) == 1 else "error" if columns is None else ""
    set_titles(ax, trace.title, trace.columns[0], up)
    return finish(ax)
