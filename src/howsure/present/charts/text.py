"""The subtitle of a chart, which explains how to read it."""

from __future__ import annotations

from typing import Any

from howsure.present.charts.names import width
from howsure.present.charts.series import muted


def subtitle(ax: Any, text: str) -> None:
    """Write a small subtitle above the axes, wrapped to their width."""
    if ax.get_title() or ax.get_title("left"):
        return
    room = ax.bbox.width * 72 / ax.get_figure(root=True).dpi
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and width(ax, longer, fontsize="small") > room:
            lines.append(word)
        else:
            lines[-1] = longer
    ax.set_title("\n".join(lines), fontsize="small", color=muted(ax), loc="left", parse_math=False)
