"""The chart of fold scores: every split as a dot, a box, and the mean with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.present.charts.declare import chart
from assay.present.charts.rows import lay_out, span
from assay.present.charts.series import ink, muted, next_colour, paper
from assay.present.charts.text import subtitle

if TYPE_CHECKING:
    from assay.tables import FoldTable

SPREAD = 0.16  # of a row: how far dots stray from its middle, so that equal ones are seen


def _size(table: FoldTable, **options: Any) -> tuple[float, float]:
    return 6.8, 1.2 + 0.42 * max(len(table.learners), 2)


@chart("FoldTable", default=True, size=_size)
def splits(table: FoldTable, ax: Any, *, color: Any = None) -> Any:
    """Draw the value of each split as a dot, their quartiles as a box, and the mean with its 95 % interval."""
    means = [table.estimate(learner) for learner in table.learners]
    intervals = [mean.interval() for mean in means]
    notes = ["n/a" if np.isnan(mean.value) else f"{mean.value:.3f}" for mean in means]
    ends = span([*table.values.ravel(), *(end for one in intervals for end in one)])
    ax.set_xlabel(table.measure.replace("_", " "))
    methods = " and ".join(dict.fromkeys(one.method for one in intervals if np.isfinite(one.low)))
    how = f"; diamond: the mean with its 95 % interval ({methods})" if methods else "; diamond: the mean"
    subtitle(ax, f"each dot is one of {len(table.values)} splits; box: quartiles{how}")
    rows = lay_out(ax, table.learners, notes, ends, heading="mean")
    colour, marks = next_colour(ax, color), muted(ax)
    strays = SPREAD * np.resize([0.0, 1.0, -1.0, 0.5, -0.5], len(table.values))
    for y, column, mean, interval in zip(rows.y, table.values.T, means, intervals, strict=True):
        defined = np.isfinite(column)
        if not defined.any():
            continue
        values = column[defined]
        ax.plot(values, y + 0.12 + strays[defined], "o", ms=3, color=colour, alpha=0.55, mew=0, zorder=2)
        if len(values) >= 4:
            style = {"color": marks, "linewidth": 0.9}
            ax.boxplot(
                values, positions=[y + 0.12], orientation="horizontal", widths=0.52, showfliers=False, zorder=1,
                manage_ticks=False, boxprops=style, whiskerprops=style, capprops=style, medianprops=style,
            )  # fmt: skip
        ax.plot(list(interval), [y - 0.3] * 2, color=ink(ax), lw=1.4, zorder=3)
        ax.plot(mean.value, y - 0.3, "D", ms=4.5, mfc=paper(ax), mec=ink(ax), zorder=4)
    return ax
