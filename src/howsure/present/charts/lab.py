"""The chart of a lab: how often the intervals of each method held the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.declare import chart
from howsure.present.charts.rows import draw_intervals, height, lay_out, span
from howsure.present.charts.series import ink, own_style
from howsure.present.charts.text import subtitle
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.lab.interval_coverage import Coverage

ERRORS = 2  # Monte Carlo errors on either side of a share


def _size(coverage: Coverage, **options: Any) -> tuple[float, float]:
    return 6.8, height(len(coverage.methods) + 1)


@chart("Coverage", default=True, size=_size)
def methods(coverage: Coverage, ax: Any, **style: Any) -> Any:
    """Draw how often the intervals of each method held the truth, with its Monte Carlo error, beside what they promise.

    ``style`` are keywords of a Matplotlib line.
    """
    held = []
    for one in coverage.methods:
        low, high = np.clip([one.coverage - ERRORS * one.error, one.coverage + ERRORS * one.error], 0, 1).tolist()
        held.append({"value": one.coverage, "low": low, "high": high})
    promised = coverage.confidence
    ax.set_xlabel(f"share of intervals of {spoken(coverage.measure)} that hold the truth")
    parts = (
        coverage.title,
        f"bars: {ERRORS} Monte Carlo errors",
        f"dashed: the {100 * promised:g} % that they promise",
        *(("filled: the default",) if any(one.is_default for one in coverage.methods) else ()),
    )
    subtitle(ax, "; ".join(parts))
    notes = [f"{one.width:.3f}" if one.given else "none given" for one in coverage.methods]
    ends = span([promised, *(value for record in held for value in record.values())])
    rows = lay_out(ax, [one.method for one in coverage.methods], notes, ends, heading="median width")
    draw_intervals(ax, rows, held, "value", [one.is_default for one in coverage.methods], own_style(ax, style))
    ax.plot([promised] * 2, [-0.5, len(held) - 0.5], color=ink(ax), lw=0.9, ls="--", zorder=1)
    return ax
