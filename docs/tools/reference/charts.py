"""The page of charts."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from docs.tools.reference import Content, example
from howsure.present.charts.declare import Chart, load, registry

HEAD = """# Charts

`result.plot(ax=None, kind=None, **options)` draws a result with Matplotlib and returns the axes. Without `kind` it
draws the first chart of its class in the table below. Subclasses have the charts of their class: learning, complexity
and noise curves are all a `FactorCurve`.

Without `ax` a new pyplot figure is created: a notebook shows it, and `plt.savefig` saves it. With `ax` the chart is
drawn on your axes, and only empty titles are filled in. If you draw several charts on one `ax`, each gets its own
colour and line style, and reference lines are drawn once. Colours, fonts and sizes follow your Matplotlib settings,
including dark styles; `**style` accepts keywords of a Matplotlib line, such as `color`, `linestyle`, `alpha` and
`label`.

Results that contain other results can also draw these. For an assessment: `a.plot("confusion")`, `a.plot("iso_f")`
(precision against recall of each class), or any applicable curve of `howsure.curves.names()`. For a comparison:
`c.plot("values")` and, over several data sets, `c.plot("ranks")`. For an experiment: `r.plot("splits")`,
`"comparison"`, `"preference"` or `"ranks"`. The defaults are the ROC curve for two classes with scores, otherwise the
confusion matrix; the differences of a comparison; and the splits of an experiment, or the mean ranks over several data
sets.

| result | kind | options | chart |
|---|---|---|---|
"""


DRAWN = f"""{example.SCORES}ax = a.plot("calibration")
print(ax.get_title(), "|", ax.get_xlabel(), "|", ax.get_ylabel())
"""


def pages() -> Iterator[tuple[str, Content]]:
    yield "charts.md", index()


def index() -> str:
    load()
    rows = "".join(map(row, sorted(registry.values(), key=lambda chart: (chart.of, not chart.default))))
    return f"{HEAD}{rows}\n## Example\n\n{example.shown(DRAWN)}\n[The gallery](../gallery/index.rst) has more.\n"


def row(chart: Chart) -> str:
    _, _, *options = inspect.signature(chart.draw).parameters.values()
    names = ", ".join(f"`{'**' if option.kind is option.VAR_KEYWORD else ''}{option.name}`" for option in options)
    summary = " ".join(chart.summary.removeprefix("Draw ").replace("``", "`").split())
    return f"| `{chart.of}` | `{chart.kind}` | {names} | {summary} |\n"
