"""Charts of a curve with its band and reference lines, and of several curves."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from howsure.errors import counted
from howsure.present.charts.axes import finish, set_titles
from howsure.present.charts.declare import chart
from howsure.present.charts.series import CONTEXT, draw_band, draw_reference, draw_series, is_known, line_style, mix

if TYPE_CHECKING:
    from howsure.curves import Curve, CurveSet

TITLE = "howsure-title"  # gid of automatic titles, which several curves can share
MAX_CURVES = 6  # maximum number of curves with distinct colours
LETTERS = 12  # number of title characters per inch


@chart("Curve", default=True, size=(4.8, 4.2))
def points(curve: Curve, ax: Any, **style: Any) -> Any:
    """Draw a curve; curves on the same axes have different colours.

    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    line = draw_curve(curve, ax, style)
    mark_threshold(curve, ax, line)
    return finish_curve(curve, ax)


@chart("CurveSet", default=True, size=(5.4, 5.4))
def together(curves: CurveSet, ax: Any, **style: Any) -> Any:
    """Draw several curves on the same axes.

    If there are more than six, only the six with the lowest values are coloured. ``style`` keywords are passed to
    Matplotlib lines.
    """
    chosen = curves.weakest(MAX_CURVES)
    others = [name for name in curves if name not in chosen]
    for number, name in enumerate(others):
        thinned = curves[name].thinned()
        label = counted(len(others), f"other {curves.each}") if number == 0 else "_"
        ax.plot(thinned.x, thinned.y, color=mix(ax, 0.25), lw=0.8, zorder=1.2, label=label, gid=CONTEXT)
    for name in chosen:
        draw_curve(curves[name], ax, style)
    if len(curves):
        finish_curve(replace(curves[chosen[0]], title=curves.title), ax, below=True)
    return ax


def draw_curve(curve: Curve, ax: Any, style: dict[str, Any], *, drawn: Curve | None = None, **defaults: Any) -> Any:
    """Draw the line and the band of a curve, and return the line.

    ``drawn`` contains the points to draw, if the caller has already computed them.
    """
    style = line_style(style)
    label = style.pop("label", None)
    words = label if str(label).startswith("_") else curve.legend(None if label is None else str(label))
    drawn = curve.drawn() if drawn is None else drawn
    line = draw_series(ax, drawn.x, drawn.y, style, **{"label": words, **defaults})
    if {"low", "high"} <= drawn.extra.keys():
        label = "_" if is_known(curve.band, ax.collections) else curve.band
        draw_band(ax, drawn.x, drawn.extra["low"], drawn.extra["high"], line, label=label)
    return line


def mark_threshold(curve: Curve, ax: Any, line: Any) -> None:
    """Mark the point at the threshold in use."""
    if curve.threshold is None:
        return
    index, label = curve.at(curve.threshold), f"threshold {curve.threshold:g}"
    draw_point(ax, line, curve.x[index], curve.y[index], "_" if is_known(label, ax.get_lines()) else label)


def draw_point(ax: Any, line: Any, x: float, y: float, label: str = "_") -> None:
    """Mark a point of a curve."""
    style = {"marker": "o", "ms": 6, "ls": "none", "color": line.get_color(), "zorder": line.get_zorder() + 0.5}
    ax.plot(x, y, label=label, gid=CONTEXT, **style)


def finish_curve(curve: Curve, ax: Any, below: bool = False) -> Any:
    """Draw the reference lines, and add titles and the legend."""
    for number, reference in enumerate(curve.lines):
        draw_reference(ax, reference.x, reference.y, reference.name, number)
    set_shared_title(ax, curve.title, curve.plain_title)
    set_titles(ax, "", curve.x_title, curve.y_title)
    return finish(ax, below=below)


def set_shared_title(ax: Any, title: str, shared: str) -> None:
    """Set the title, or the ``shared`` title if there is a second curve."""
    before = ax.get_title().replace("\n", " ")
    if not before:
        new = title
    elif ax.title.get_gid() == TITLE and before != title and before.startswith(shared):
        new = shared
    else:
        return
    letters = int(ax.get_figure(root=True).get_size_inches()[0] * ax.get_position().width * LETTERS)
    ax.set_title("\n".join(wrap(new, max(letters, 20))), gid=TITLE)
