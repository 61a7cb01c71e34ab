"""Charts: a curve drawn with Matplotlib. No arithmetic here, and no global state."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.curves import Curve

INK, MUTED, BAND = "#1f4e79", "#767676", "#9db8d2"
DASHES = ("--", ":", "-.")


def draw(curve: Curve, ax: Any = None) -> Any:
    """Draw a curve, its band and its lines, and name them."""
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(4.8, 4.2), layout="constrained").subplots()
    shown = curve.thinned()
    if {"low", "high"} <= shown.extra.keys():
        ax.fill_between(shown.x, shown.extra["low"], shown.extra["high"], color=BAND, alpha=0.5, lw=0, label="band")
    style = "steps-pre" if curve.steps else "default"
    marker = "o" if curve.name == "calibration" else None
    area = f" (area {curve.area:.3f})" if curve.area == curve.area else ""
    ax.plot(
        shown.x,
        shown.y,
        color=INK,
        lw=1.8,
        drawstyle=style,
        marker=marker,
        ms=4,
        label=f"{curve.label or curve.name}{area}",
    )
    for line, dash in zip(curve.lines, DASHES, strict=False):
        ax.plot(line.x, line.y, color=MUTED, lw=1.2, ls=dash, label=line.name)
    ax.set(xlabel=curve.x_title, ylabel=curve.y_title, title=curve.title)
    ax.legend(fontsize="small", edgecolor="none", framealpha=0.8)  # a ground of its own, where lines pass behind it
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def as_image(curve: Curve) -> str:
    """Give an image that shows in any notebook, trusted or not."""
    out = io.BytesIO()
    draw(curve).figure.savefig(out, format="svg")
    code = base64.b64encode(out.getvalue()).decode()
    return f'<img alt="{escape(str(curve), quote=True)}" src="data:image/svg+xml;base64,{code}">'
