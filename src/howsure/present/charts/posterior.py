"""The chart of a Bayesian comparison: the posterior of the mean difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.present.charts.axes import finish, set_titles
from howsure.present.charts.declare import chart
from howsure.present.charts.series import draw_reference, mix, next_colour
from howsure.present.charts.text import subtitle
from howsure.present.value_text import number

if TYPE_CHECKING:
    from howsure.significance.bayesian.result import BayesianResult

OUTSIDE = 0.001  # posterior probability outside the range of the axis
STEPS = 80
OPACITY = 0.55


@chart("BayesianResult", default=True)
def posterior(result: BayesianResult, ax: Any) -> Any:
    """Draw the posterior density of the mean difference.

    The legend shows the probabilities from the comparison. For the two rank-based comparisons, these are not areas but
    the frequencies with which each outcome is the most likely one.
    """
    edges, below = _distribution(result)
    regions = {
        "b better": (-np.inf, -result.width, result.left, next_colour(ax)),
        f"practically equal, ±{result.width:g}": (-result.width, result.width, result.rope, mix(ax, 0.45)),
        "a better": (result.width, np.inf, result.right, next_colour(ax)),
    }
    for name, (low, high, probability, colour) in regions.items():
        if low < high:
            own = edges[(edges >= low) & (edges <= high)]
            shares = np.diff(below[(edges >= low) & (edges <= high)])
            label = f"{name}: {number(probability)}"
            if len(own) < 2:  # no posterior mass, or no variation
                own, shares = np.array([result.mean, result.mean]), np.zeros(1)
            heights = np.divide(shares, np.diff(own), out=np.zeros_like(shares), where=np.diff(own) > 0)
            ax.stairs(heights, own, fill=True, color=colour, alpha=OPACITY, label=label)
    draw_reference(ax, [0.0, 0.0], [0.0, 1.0], "no difference", transform=ax.get_xaxis_transform())
    ax.set_ylim(bottom=0)
    ax.set_yticks([])
    set_titles(ax, across="mean difference, a - b", up="posterior density")
    subtitle(ax, f"{result.method}. {result.verdict}")
    return finish(ax, below=True)


def _distribution(result: BayesianResult) -> tuple[Array, Array]:
    """Return values of the mean difference and their distribution."""
    chances = np.linspace(OUTSIDE / 2, 1 - OUTSIDE / 2, 2001)
    values = np.asarray(result.quantile(chances), float)
    if not np.isfinite(values).all():
        return np.zeros(0), np.zeros(0)
    low, high = values[[1, -2]]
    ends = np.array([-result.width, result.width])
    edges = np.unique([*np.linspace(low, high, STEPS + 1), *ends[(ends > low) & (ends < high)]])
    return edges, np.interp(edges, values, chances)
