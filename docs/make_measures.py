"""Write docs/measures.md from the registry; run by ``make docs/measures.md``."""

from __future__ import annotations

from pathlib import Path

from assay.cli.measures import OF, span
from assay.measures import registry
from assay.present.format import escape_markdown

HEAD = """# Measures

Written from the registry by `make docs/measures.md`; do not edit. Each name and alias can be used wherever a measure is
named. Counts of one class against the rest: tp, fp, fn, tn, n. Sums over all classes: hits (the diagonal), truth (row
sums), predicted (column sums), cells, n. At each distinct score, from high to low: positives, negatives, scores; tp and
fp add them up from the top.

The interval is the method used by default, for one class or all cases; averages of rates use `delta-scaled`, averages
of measures of scores a bootstrap. `delta-scaled` is the delta method, on the log or logit scale where it would leave
the range of the measure.

| measure | of | formula | range | better | interval | undefined when | aliases |
|---|---|---|---|---|---|---|---|
"""


def page() -> str:
    rows = []
    for measure in registry.values():
        names = ", ".join(f"`{alias}`" for alias in measure.aliases)
        cells = [
            f"`{measure.name}`: {escape_markdown(measure.summary)}",
            OF[measure.scope],
            f"`{measure.formula}`",
            escape_markdown(span(measure)),
            measure.better or "",
            measure.default_interval,
            measure.undefined_when,
            names,
        ]
        rows.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    Path(__file__).with_name("measures.md").write_text(page(), encoding="utf-8")
