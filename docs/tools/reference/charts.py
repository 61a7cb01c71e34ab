"""The page of charts."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from docs.tools.reference import Content, example
from howsure.present.charts.declare import Chart, load, registry

HEAD = """# Charts

`result.plot(ax=None, kind=None, **options)` draws a
result with Matplotlib and returns the axes; without `kind` it is the first chart of its class below. Subclasses have
the charts of their class: learning, complexity and noise curves are each a `FactorCurve`.

Without `ax` it makes a pyplot figure: a notebook shows it, and `plt.savefig` writes it. With `ax` it draws on your
axes, and writes only the titles that are still empty. Several on one `ax` each have a colour and a dash of their own,
and share the lines to compare with. Colours, fonts and sizes are those of your Matplotlib settings, dark styles
included; `**style` are keywords of a Matplotlib line, such as `color`, `linestyle`, `alpha` and `label`.

Results that hold others draw them too: `a.plot("confusion")` of an assessment, or `a.plot("iso_f")` (precision against
recall of each class), or any curve of `howsure.curves.names()` that applies; `c.plot("values")` of a comparison and,
over
several data sets, `c.plot("ranks")`; `r.plot("splits")`, `"comparison"`, `"preference"` or `"ranks"` of an experiment.
Without a kind they draw what says most: the ROC curve of two classes with scores, otherwise the confusion table; the
differences of a comparison; the splits of an experiment, or over several data sets the mean ranks.

| of | kind | options | draws |
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
