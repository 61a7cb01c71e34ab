"""The chart of a plan: power against the number of cases, splits or data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.axes import finish, set_titles
from howsure.present.charts.curve import draw_point, set_shared_title
from howsure.present.charts.declare import chart
from howsure.present.charts.series import CONTEXT, SERIES, draw_series, take_label
from howsure.present.value_text import number

if TYPE_CHECKING:
    from howsure.significance.power.sample_plan import SamplePlan

FEWEST, MAXIMUM = 0.1, 2.0  # range of the axis, relative to the sample size of the plan
SIZES = 60  # number of sample sizes on the curve


@chart("SamplePlan", default=True)
def power(plan: SamplePlan, ax: Any, **style: Any) -> Any:
    """Draw the power against the sample size, and mark the plan.

    ``label`` names the plan; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    style, label = take_label(style)
    sizes = np.unique(np.linspace(FEWEST * plan.n, MAXIMUM * plan.n, SIZES).astype(int).clip(plan.least)).tolist()
    records = plan.records(sizes=sizes)
    words = f"{_spaced(plan.n)} {plan.unit} have power {number(plan.power)}"
    name = words if label is None else label if str(label).startswith("_") else f"{label}: {words}"
    line = draw_series(ax, sizes, [record["power"] for record in records], style, label=name)
    draw_point(ax, line, plan.n, plan.power)
    own: dict[str, Any] = {"color": line.get_color(), "lw": 0.9, "ls": ":", "gid": CONTEXT, "zorder": 1.2}
    ax.plot([0, plan.n, plan.n], [plan.power, plan.power, 0], label="_", **own)
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _spaced(value)))
    longest = max(max(each.get_xdata()) for each in ax.get_lines() if each.get_gid() == SERIES)
    ax.set(xlim=(0, 1.02 * longest), ylim=(0, 1.02))
    set_shared_title(ax, plan.title, plan.method)
    set_titles(ax, across=plan.unit, up=f"power at the {100 * plan.alpha:g} % level")
    return finish(ax)


def _spaced(count: float) -> str:
    """Format an integer with spaces between groups of three digits."""
    return f"{count:,.0f}".replace(",", " ")
