"""The chart of bias and variance against a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.present.charts import INK, MUTED
from assay.present.charts.axes import finish, new_axes
from assay.present.charts.declare import chart

if TYPE_CHECKING:
    from assay.theory.bias_variance.curve import BiasVarianceCurve

BIAS, VARIANCE = "#b3541e", "#2e7d5b"


@chart("BiasVarianceCurve", default=True)
def terms(curve: BiasVarianceCurve, ax: Any = None) -> Any:
    """Draw the loss and its terms against the parameter."""
    ax = new_axes(ax)
    x = curve.axis.draw(ax)
    order = np.argsort(x)
    lines: list[tuple[str, Any, dict[str, Any]]] = [
        ("loss", curve.loss, {"marker": "o", "ls": "-", "color": INK, "lw": 1.8}),
        (curve.bias_label, curve.bias, {"marker": "s", "ls": "--", "color": BIAS, "lw": 1.4}),
        (curve.variance_label, curve.net_variance, {"marker": "^", "ls": "-.", "color": VARIANCE}),
        ("noise", curve.noise, {"marker": "", "ls": ":", "color": MUTED, "lw": 1.4}),
    ]
    for label, column, style in lines:
        if np.isfinite(column).any():
            ax.plot(x[order], column[order], ms=4, label=label, **style)
    ax.axhline(0, color=MUTED, lw=0.6, zorder=0)
    ax.set_ylabel(f"{curve.loss_function} loss")
    return finish(ax)
