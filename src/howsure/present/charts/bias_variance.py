"""The chart of bias and variance against a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.axes import finish, set_titles
from howsure.present.charts.declare import chart
from howsure.present.charts.series import draw_series, entry, muted, take_label
from howsure.present.charts.text import subtitle

if TYPE_CHECKING:
    from howsure.theory.bias_variance.curve import BiasVarianceCurve


@chart("BiasVarianceCurve", default=True)
def terms(curve: BiasVarianceCurve, ax: Any, **style: Any) -> Any:
    """Draw the loss, bias, variance and noise against the parameter.

    ``label`` names the series; other ``style`` keywords, such as ``linewidth``, are passed to Matplotlib lines.
    """
    style, label = take_label(style)
    x = curve.axis.draw(ax)
    order = np.argsort(x)
    lines: list[tuple[str, Any, dict[str, Any]]] = [
        ("loss", curve.loss, {"marker": "o"}),
        (curve.bias_label, curve.bias, {"marker": "s", "linewidth": 1.4}),
        (curve.variance_label, curve.net_variance, {"marker": "^", "linewidth": 1.4}),
        ("noise", curve.noise, {"color": muted(ax), "linewidth": 1.4}),
    ]
    for name, column, own in lines:
        if np.isfinite(column).any():
            draw_series(ax, x[order], column[order], style, markersize=4, label=entry(name, label), **own)
    ax.axhline(0, color=muted(ax), lw=0.6, zorder=0)
    subtitle(ax, curve.title)
    set_titles(ax, up=f"{curve.loss_function} loss")
    return finish(ax)
