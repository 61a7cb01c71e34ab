"""The chart of the values over splits: dots, a box, and the mean with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.declare import chart
from howsure.present.charts.rows import lay_out, span
from howsure.present.charts.series import ink, muted, own_style, paper
from howsure.present.charts.text import subtitle
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.arrays import Floats
    from howsure.tables import FoldTable

SPREAD, BOX = 0.16, 0.26  # jitter of the dots, and half the height of a box, in rows
LOWER, UPPER = 0.12, -0.3  # offsets of the splits and the mean, in rows
FEWEST = 4  # minimum number of splits for a box
MAXIMUM = 60  # maximum number of learners


def _size(table: FoldTable, **options: Any) -> tuple[float, float]:
    return 6.8, 1.2 + 0.42 * max(min(len(table.learners), MAXIMUM), 2)


@chart("FoldTable", default=True, size=_size)
def splits(table: FoldTable, ax: Any, **style: Any) -> Any:
    """Draw the values of the splits, and the mean with its interval.

    If there are more than 60 learners, only the first 60 are drawn. ``style`` keywords are passed to Matplotlib for the
    dots.
    """
    learners = table.learners[:MAXIMUM]
    means = [table.estimate(learner) for learner in learners]
    intervals = [mean.interval() for mean in means]
    notes = ["n/a" if np.isnan(mean.value) else f"{mean.value:.3f}" for mean in means]
    ends = span([*table.values[:, :MAXIMUM].ravel(), *(end for interval in intervals for end in interval)])
    ax.set_xlabel(spoken(table.measure))
    methods = " and ".join(dict.fromkeys(interval.method for interval in intervals if np.isfinite(interval.low)))
    mean_text = f"mean with its 95 % interval ({methods})" if methods else "mean"
    left_out = f"; the first {MAXIMUM} of {len(table.learners)} learners" if len(learners) < len(table.learners) else ""
    subtitle(ax, f"dots: the {len(table.values)} splits; box: quartiles; diamond: {mean_text}{left_out}")
    rows = lay_out(ax, learners, notes, ends, heading="mean")
    dots = {"marker": "o", "markersize": 3.5, "alpha": 0.7, "markeredgewidth": 0, "zorder": 2, **own_style(ax, style)}
    jitter = SPREAD * np.resize([0.0, 1.0, -1.0, 0.5, -0.5], len(table.values))
    for y, column, mean, interval in zip(rows.y, table.values.T[:MAXIMUM], means, intervals, strict=True):
        defined = np.isfinite(column)
        if not defined.any():
            continue
        values = column[defined]
        ax.plot(values, y + LOWER + jitter[defined], **{**dots, "linestyle": "none"})
        if len(values) >= FEWEST:
            _draw_box(ax, values, y + LOWER)
        ax.plot(list(interval), [y + UPPER] * 2, color=ink(ax), lw=1.4, zorder=3)
        ax.plot(mean.value, y + UPPER, "D", ms=4.5, mfc=paper(ax), mec=ink(ax), zorder=4)
    return ax


def _draw_box(ax: Any, values: Floats, y: float) -> None:
    """Draw a box at the quartiles, with whiskers to the extremes."""
    from matplotlib.patches import Rectangle

    low, first, median, third, high = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    style: dict[str, Any] = {"color": muted(ax), "lw": 0.9, "zorder": 1}
    ax.add_patch(Rectangle((first, y - BOX), third - first, 2 * BOX, fill=False, **style))
    ax.plot([median, median], [y - BOX, y + BOX], **style)
    for start, end in ((low, first), (third, high)):
        ax.plot([start, end], [y, y], **style)
