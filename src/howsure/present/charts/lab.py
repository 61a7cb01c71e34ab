"""The chart of the coverage of interval methods in simulations."""

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

ERRORS = 2  # half-width of error bars, in Monte Carlo standard errors


def _size(coverage: Coverage, **options: Any) -> tuple[float, float]:
    return 6.8, height(len(coverage.methods) + 1)


@chart("Coverage", default=True, size=_size)
def methods(coverage: Coverage, ax: Any, **style: Any) -> Any:
    """Draw the coverage of each interval method and the nominal level.

    ``style`` keywords are passed to Matplotlib lines.
    """
    records = []
    for row in coverage.methods:
        low, high = np.clip([row.coverage - ERRORS * row.error, row.coverage + ERRORS * row.error], 0, 1).tolist()
        records.append({"value": row.coverage, "low": low, "high": high})
    nominal = coverage.confidence
    ax.set_xlabel(f"share of intervals for {spoken(coverage.measure)} that contain the true value")
    parts = (
        coverage.title,
        f"bars: ±{ERRORS} Monte Carlo standard errors",
        f"dashed: nominal {100 * nominal:g} %",
        *(("filled: the default",) if any(row.is_default for row in coverage.methods) else ()),
    )
    subtitle(ax, "; ".join(parts))
    notes = [f"{row.width:.3f}" if row.given else "no interval" for row in coverage.methods]
    ends = span([nominal, *(value for record in records for value in record.values())])
    rows = lay_out(ax, [row.method for row in coverage.methods], notes, ends, heading="median width")
    draw_intervals(ax, rows, records, "value", [row.is_default for row in coverage.methods], own_style(ax, style))
    ax.plot([nominal] * 2, [-0.5, len(records) - 0.5], color=ink(ax), lw=0.9, ls="--", zorder=1)
    return ax
