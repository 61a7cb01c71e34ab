"""Write docs/measures.md from the registry; run by ``make docs/measures.md``."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assay import Confusion, ScoreTable
from assay.cli.commands.measures import OF, span
from assay.intervals.declare import EVIDENCE, Basis
from assay.intervals.declare import registry as declared
from assay.measures import Measure, registry
from assay.measures.estimate.classes import class_basis
from assay.measures.estimate.labels import LabelBasis
from assay.measures.estimate.scores import ScoreBasis
from assay.measures.outcomes import registry as outcome_registry
from assay.present.value_text import escape_markdown
from assay.raters.coefficients import registry as coefficient_registry
from assay.tables import ClassScores, ScoreRows

HEAD = """# Measures

Written from the registry by `make docs/measures.md`; do not edit. Each name and alias can be used wherever a measure is
named. Counts of one class against the rest: tp, fp, fn, tn, n. Sums over all classes: hits (the diagonal), truth (row
sums), predicted (column sums), cells, n. At each distinct score, from high to low: positives, negatives, scores; tp and
fp add them up from the top.

The prior is the share of the positive class in training, or among the cases themselves. The interval is the method used
by default, for one class or all cases; all methods that apply, and those of averages and of scores of many classes, are
listed below.

| measure | of | formula | range | better | interval | undefined when | aliases |
|---|---|---|---|---|---|---|---|
"""


OUTCOMES = """
## Outcomes

Of answers without a truth (`assess(correct=...)`), n to a case, c of them right. All are means over the cases of values
from 0 to 1, with the intervals of shares.

| measure | formula | answers |
|---|---|---|
"""
COEFFICIENTS = """
## Agreement of raters

Of items that two or more raters put into categories (`assay.agreement`, `assay agree`; [annotators](annotators.md)):
one less the disagreement observed over that expected, `1 - (1 - observed) / (1 - expected)`. Shares are those of the
categories, q their number, and weights those of agreement. Cohen's kappa (`cohen_kappa`) is the kappa above of the
table of two raters, and of more the mean over pairs.

| coefficient | expected | undefined when | source | aliases |
|---|---|---|---|---|
"""
DECLARED = """
## Interval methods

A method applies to every estimate that offers what it needs, whether of a measure, of folds, or of a difference.

| method | needs | source |
|---|---|---|
"""
METHODS = """
Those of each measure:

| of | used by default | others that apply | measures |
|---|---|---|---|
"""
AVERAGES = ("macro and weighted", "micro")
TABLE = Confusion([[2, 1], [1, 2]])
SCORES = ScoreTable.from_scores([1, 0], [0.7, 0.4])
ROWS = ScoreRows(np.arange(3), np.eye(3), np.ones(3))


def bases(measure: Measure) -> list[tuple[str, Basis]]:
    """Give what estimates of a measure rest on: of one class or all cases, of many classes, and of averages."""
    if measure.scope == "overall":
        return [("all classes", LabelBasis(measure, TABLE, None, {}))]
    if measure.scope == "class":
        average = [("averages over the classes", LabelBasis(measure, TABLE, "macro", {}))] if measure.averaged else []
        return [("one class", LabelBasis(measure, TABLE, None, {})), *average]
    classes = ClassScores(ROWS, ("a", "b", "c"))
    whole = [("scores of many classes", class_basis(classes, measure, None, {}))]
    if measure.scope == "rows":
        return whole
    averages = [(f"{name} averages of scores", class_basis(classes, measure, name.split()[0], {})) for name in AVERAGES]
    return [("scores of one class", ScoreBasis(measure, SCORES, {})), *(whole if measure.row_loss else []), *averages]


def methods() -> str:
    """List the measures that have the same methods together."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for measure in registry.values():
        for of, basis in bases(measure):
            groups.setdefault((of, basis.methods), []).append(f"`{measure.name}`")
    of = list(dict.fromkeys(of for of, _ in groups))
    lines = sorted(groups.items(), key=lambda group: of.index(group[0][0]))
    return METHODS + "".join(
        f"| {of} | {default} | {', '.join(others)} | {', '.join(names)} |\n"
        for (of, (default, *others)), names in lines
    )


def outcomes() -> str:
    """List the measures of answers of which only this is known, whether they were right or how good they were."""
    rows = [
        (f"`{one.name}`: {one.summary.replace('`', '')}", f"`{one.formula}`", "right or wrong" if one.binary else "any")
        for one in outcome_registry.values()
    ]
    return OUTCOMES + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def coefficients() -> str:
    """List the coefficients of agreement."""
    rows = [
        (
            f"`{one.name}`: {one.summary}",
            f"`{one.expected}`",
            one.undefined_when,
            one.source,
            ", ".join(f"`{alias}`" for alias in one.aliases),
        )
        for one in coefficient_registry.values()
    ]
    return COEFFICIENTS + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def declarations() -> str:
    """List the declared methods with what each needs."""
    rows = [
        (f"`{method.name}`: {method.title}", EVIDENCE[method.needs].partition(" (`")[0], method.source)
        for method in declared.values()
    ]
    return DECLARED + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def page() -> str:
    rows = []
    for measure in registry.values():
        names = ", ".join(f"`{alias}`" for alias in measure.aliases)
        cells = [
            f"`{measure.name}`: {escape_markdown(measure.summary.replace('`', ''))}",
            OF[measure.scope],
            f"`{measure.formula}`".replace("|", "\\|"),
            escape_markdown(span(measure)),
            measure.better or "",
            measure.default_interval,
            measure.undefined_when,
            names,
        ]
        rows.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(rows) + outcomes() + coefficients() + declarations() + methods()


if __name__ == "__main__":
    Path(__file__).with_name("measures.md").write_text(page(), encoding="utf-8")
