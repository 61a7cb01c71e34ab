"""The calibration chart: the proportion of positives in each bin, with the number of cases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from howsure.present.charts.curve import draw_curve, finish_curve
from howsure.present.charts.declare import chart
from howsure.present.charts.names import width
from howsure.present.charts.series import BAND, CONTEXT, ink, is_known, mix, muted

if TYPE_CHECKING:
    from howsure.curves.reliability import CalibrationCurve

SMALLEST, LARGEST = 14.0, 130.0  # marker areas for one case and for all cases, in square points
MAX_LINES = 3  # maximum number of lines for the numbers of cases
LINE = 1.7  # height of each of these lines, relative to the font size
GAP = 3.0  # space between two numbers, in points
CASES = "howsure-cases"  # gid of the numbers of cases


@chart("CalibrationCurve", default=True, size=(4.8, 4.6))
def reliability(curve: CalibrationCurve, ax: Any, **style: Any) -> Any:
    """Draw the proportion of positives in each bin with its interval.

    The area of a point and the number below it show the number of cases; each of several curves has its own line of
    numbers. An isotonic curve is drawn with a shaded band, where it would lie if the probabilities were calibrated.
    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    floor = min(-0.02, ax.get_ylim()[0]) if ax.get_lines() else -0.02
    own: dict[str, Any] = {"linewidth": 1.6 if curve.isotonic else 0.9}
    line = draw_curve(replace(curve, extra={}), ax, style, **own)  # the intervals of bins are not a band
    if curve.isotonic:
        name = "_" if is_known(curve.band, ax.collections) else curve.band
        style = {"color": muted(ax), "alpha": BAND, "linewidth": 0, "zorder": 1, "label": name}
        ax.fill_between(curve.x, curve.extra["low"], curve.extra["high"], **style)
    else:
        n = curve.extra["n"]
        colour, above = line.get_color(), line.get_zorder() + 0.5
        area = SMALLEST + (LARGEST - SMALLEST) * n / n.sum()
        ax.scatter(curve.x, curve.y, s=area, color=colour, zorder=above, linewidths=0)
        low, high = curve.extra["low"], curve.extra["high"]
        name = "_" if is_known(curve.band, ax.collections) else curve.band
        ax.vlines(curve.x, low, high, color=colour, lw=1.2, zorder=above, label=name)
        floor = _write_cases(ax, curve, line, floor)
    ax.set(xlim=(-0.02, 1.02), ylim=(floor, 1.02))
    marks = ax.get_yticks()
    ax.set_yticks(marks[(marks > -0.01) & (marks < 1.01)])  # no ticks next to the numbers of cases
    return finish_curve(curve, ax, below=True)  # inside the axes, the legend would cover intervals or the band


def _write_cases(ax: Any, curve: CalibrationCurve, line: Any, top: float) -> float:
    """Write the numbers of cases, and return the bottom of the last line.

    A number that would overlap the previous one is written one line lower, or omitted if all three lines are taken.
    """
    from matplotlib.font_manager import FontProperties

    if not any(text.get_gid() == CASES for text in ax.texts):
        ax.axhline(0, color=mix(ax, 0.25), lw=0.8, zorder=0.5)
    points = 72 / ax.get_figure(root=True).dpi
    across, up = ax.bbox.width * points / 1.04, ax.bbox.height * points / (1.02 - top)  # points per unit of the axes
    step = LINE * FontProperties(size="small").get_size_in_points() / up
    style: dict[str, Any] = {"va": "center", "fontsize": "small", "color": ink(ax), "gid": CASES}
    ends: list[float] = []  # right end of the last number in each line
    for x, n in zip(curve.x.tolist(), curve.extra["n"].tolist(), strict=True):
        text = f"{n:.0f}" if n >= 10 or float(n).is_integer() else f"{n:.1f}"
        half = (width(ax, text, fontsize="small") + GAP) / 2 / across
        number = next((number for number, end in enumerate(ends) if end <= x - half), len(ends))
        if number < MAX_LINES:
            ax.text(x, top - (number + 0.5) * step, text, ha="center", **style)
            ends[number:] = [x + half, *ends[number + 1 :]]
    _name_line(ax, line, top - 0.5 * step, style)
    return float(top - len(ends) * step)


def _name_line(ax: Any, line: Any, y: float, style: dict[str, Any]) -> None:
    """Label a line of numbers of cases with a sample of its curve."""
    position = {"transform": ax.get_yaxis_transform(), "clip_on": False}
    own = {"color": line.get_color(), "ls": line.get_linestyle(), "lw": line.get_linewidth(), "gid": CONTEXT}
    ax.plot([1.005, 1.03, 1.055], [y] * 3, marker="o", markevery=[1], ms=3.5, label="_", **own, **position)
    ax.text(1.07, y, "cases", ha="left", **style, **position)
