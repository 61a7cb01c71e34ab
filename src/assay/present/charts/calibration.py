"""The chart of calibration: the share of positives by bins, with the cases behind each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.present.charts.curve import draw_curve, finish_curve
from assay.present.charts.declare import chart
from assay.present.charts.series import BAND, ink, mix, muted

if TYPE_CHECKING:
    from assay.curves.reliability import CalibrationCurve

SMALLEST, LARGEST = 14.0, 130.0  # points of one case and of all of them, in square points
STRIP = 0.1  # share of the height for the cases
LETTER = 0.015  # half the width of a digit of their number, as a share of the width
MOST_LABELS = 12


@chart("CalibrationCurve", default=True, size=(4.8, 4.6))
def reliability(curve: CalibrationCurve, ax: Any, **style: Any) -> Any:
    """Draw the share of positives in each bin with its interval; area of a point and number below: its cases.

    Without bins it draws the line, and shades where it would lie if the probabilities were right.
    ``label`` says whose it is; further ``style`` are keywords of a Matplotlib line, such as ``color``.
    """
    first = not ax.get_lines()
    floor = -0.02 if first else min(-0.02, ax.get_ylim()[0])
    own: dict[str, Any] = {"linewidth": 1.6 if curve.isotonic else 0.9}
    line = draw_curve(replace(curve, extra={}), ax, style, **own)  # intervals of bins are no band
    if curve.isotonic:
        known = any(other.get_label() == curve.band for other in ax.collections)
        style = {"color": muted(ax), "alpha": BAND, "linewidth": 0, "zorder": 1, "label": "_" if known else curve.band}
        ax.fill_between(curve.x, curve.extra["low"], curve.extra["high"], **style)
    else:
        n = curve.extra["n"]
        colour, above = line.get_color(), line.get_zorder() + 0.5
        area = SMALLEST + (LARGEST - SMALLEST) * n / n.sum()
        ax.scatter(curve.x, curve.y, s=area, color=colour, zorder=above, linewidths=0)
        low, high = curve.extra["low"], curve.extra["high"]
        known = any(other.get_label() == curve.band for other in ax.collections)
        ax.vlines(curve.x, low, high, color=colour, lw=1.2, zorder=above, label="_" if known else curve.band)
        if first:
            _write_cases(ax, curve)
            floor -= STRIP
    ax.set(xlim=(-0.02, 1.02), ylim=(floor, 1.02))
    return finish_curve(curve, ax, below=True)  # inside, it would cover intervals or the band


def _write_cases(ax: Any, curve: CalibrationCurve) -> None:
    """Write the number of cases under each point, where there is room."""
    ax.axhline(0, color=mix(ax, 0.25), lw=0.8, zorder=0.5)
    written = -1.0
    for x, n in zip(curve.x.tolist(), curve.extra["n"].tolist(), strict=True):
        text = f"{n:.0f}" if n >= 10 or float(n).is_integer() else f"{n:.1f}"
        room = LETTER * len(text)
        if x - room < written:
            continue
        ax.text(x, -STRIP / 2 - 0.01, text, ha="center", va="center", fontsize="small", color=ink(ax))
        written = x + room
    ax.annotate("cases", (1, -STRIP / 2 - 0.01), (4, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                va="center", fontsize="small", color=ink(ax), annotation_clip=False)  # fmt: skip
