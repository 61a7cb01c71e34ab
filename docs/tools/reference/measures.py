"""Pages of measures for labels and scores, for outcomes, and for agreement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from textwrap import fill

import numpy as np

from docs.tools.reference import Content, disagreements, example, toctree
from howsure import Confusion, ScoreTable
from howsure.cli.commands.measures import OF, span
from howsure.intervals.declare import Basis
from howsure.measured.intervals import stored
from howsure.measures import Measure, registry
from howsure.measures.estimate.classes import class_basis
from howsure.measures.estimate.labels import LabelBasis
from howsure.measures.estimate.scores import ScoreBasis
from howsure.measures.outcomes import registry as outcome_registry
from howsure.measures.spec import read_spec
from howsure.present.value_text import escape_markdown
from howsure.raters.coefficients import registry as coefficient_registry
from howsure.tables import ClassScores, ScoreRows
from lab.pictures import of_measures
from lab.summary import read

HEAD = """# Measures

`a[name]` returns an estimate for any name or alias below; `howsure measures` prints this list. Symbols in the formulas:

- counts of one class against the rest: tp, fp, fn, tn, n;
- vectors and sums over all classes: hits (the diagonal), truth (row sums), predicted (column sums), cells, n;
- at each distinct score, from high to low: positives, negatives, scores; tp and fp are their cumulative sums;
- prior: the share of the positive class in the training data, or among the assessed cases.

"""
FIRST = (
    example.LABELS
    + """print(a["recall"])
print(a["hit rate"].value == a["sensitivity"].value == a["recall"].value)
"""
)
TABLE = """| measure | computed for | range | better | interval | aliases |
|---|---|---|---|---|---|
"""
OUTCOMES = """
## Outcomes

Measures of answers that are recorded as correct or wrong (`assess(correct=...)`,
[evaluations](../../how-to/evaluations.md)), with n answers per case of which c are correct. All are means over the
cases of values from 0 to 1, with the intervals for proportions.

| measure | formula | answers |
|---|---|---|
"""
COEFFICIENTS = """
## Agreement of raters

Coefficients for items that two or more raters assign to categories (`howsure.agreement`,
[annotators](../../how-to/annotators.md)): `1 - (1 - observed) / (1 - expected)`, from the observed and the expected
agreement. In the formulas, shares are the shares of the categories, q is their number, and weights are the weights of
agreement. Cohen's kappa (`cohen_kappa`) of two raters equals the kappa above; with more raters it is the mean over
pairs.

| coefficient | expected agreement | undefined when | source | aliases |
|---|---|---|---|---|
"""
COVERAGE = """
## Coverage of the intervals

The picture shows how often 95 % intervals contained the true value in simulated samples of two classes, by method,
sample size and prevalence: the lowest coverage over classifiers from random to almost perfect, in percent, rounded
down. In parentheses: fewer than half of the samples had an interval. See [how it was
measured](../../evidence/coverage.md).

![Coverage of the intervals of {name}, by method, n and prevalence](../../pictures/{file})
"""
NOT_MEASURED = """
## Coverage of the intervals

This measure is not on [the grid](../../evidence/coverage.md). `howsure lab {name}` measures the coverage for samples
like yours.
"""
GROUPS = {
    "overall": "All classes",
    "class": "One class",
    "ranking": "Ranking",
    "probabilities": "Probabilities",
    "costs": "Costs",
}
REQUESTS = {  # measures with required parameters, in the examples
    "f_beta": "f_beta(beta=2)",
    "lift": "lift(depth=0.1)",
    "gain": "gain(depth=0.1)",
    "partial_auc": "partial_auc(high=0.2)",
    "top_k_accuracy": "top_k_accuracy(k=2)",
}
FORMULA_WIDTH = 72
OPERATOR = re.compile(r" [-+*/] ")
AVERAGES = ("macro and weighted", "micro")
ONE_TABLE = Confusion([[2, 1], [1, 2]])
SCORES = ScoreTable.from_scores([1, 0], [0.7, 0.4])
ROWS = ScoreRows(np.arange(3), np.eye(3), np.ones(3))


def pages() -> Iterator[tuple[str, Content]]:
    yield "measures/index.md", index()
    for measure in registry.values():
        yield f"measures/{measure.name}.md", page(measure)


def index() -> str:
    listed = "".join(map(group, GROUPS)) + outcomes() + coefficients()
    return f"{HEAD}{example.shown(FIRST)}{listed}\n{toctree(registry)}"


def group(name: str) -> str:
    rows = "".join(row(measure) for measure in registry.values() if measure.group == name)
    return f"\n## {GROUPS[name]}\n\n{TABLE}{rows}"


def row(measure: Measure) -> str:
    cells = [
        f"[`{measure.name}`]({measure.name}.md): {escape_markdown(measure.summary.replace('`', ''))}",
        OF[measure.scope],
        escape_markdown(span(measure)),
        measure.better or "",
        measure.default_interval,
        ", ".join(f"`{alias}`" for alias in measure.aliases),
    ]
    return f"| {' | '.join(cells)} |\n"


def page(measure: Measure) -> str:
    facts = {
        "Computed for": OF[measure.scope],
        "Range": escape_markdown(span(measure)),
        "Better": measure.better or "depends on the use",
        "Undefined when": measure.undefined_when or "never",
        "Aliases": ", ".join(f"`{alias}`" for alias in measure.aliases) or "–",
    }
    text = f"# {measure.name}\n\n{measure.summary.replace('``', '`')}\n\n```text\n{wrapped(measure.formula)}\n```\n\n"
    text += "| property | value |\n|---|---|\n" + "".join(f"| {name} | {fact} |\n" for name, fact in facts.items())
    text += f"\n## Example\n\n{of_example(measure)}"
    text += f"\n## Intervals\n\n{intervals(measure)}{coverage(measure)}"
    return text + disagreements.section((measure.name, *measure.aliases), measure.name.replace("_", " "))


def wrapped(formula: str) -> str:
    """Break a long formula into two lines before the operator with the least nesting."""
    breaks = []
    for match in OPERATOR.finditer(formula):
        first, second = formula[: match.start()], f"    {formula[match.start() + 1 :]}"
        if max(len(first), len(second)) <= FORMULA_WIDTH:
            breaks.append((first.count("(") - first.count(")"), abs(len(first) - len(second)), f"{first}\n{second}"))
    if len(formula) <= FORMULA_WIDTH or not breaks:
        return fill(formula, FORMULA_WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    return min(breaks)[2]


def of_example(measure: Measure) -> str:
    ask = f'print(a["{REQUESTS.get(measure.name, measure.name)}"])\n'
    if measure.matrix == "weights":
        ask = f'print(a.estimate("{measure.name}", weights="quadratic"))\n'
    setups = {
        "costs": (example.COSTS,),
        "overall": (example.LABELS,),
        "class": (example.LABELS,),
    }.get(measure.group, (example.SCORES, example.CLASSES))
    return example.first_that_runs(f"{setup}{ask}" for setup in setups)


def intervals(measure: Measure) -> str:
    """Return a table of the interval methods for each kind of estimate."""
    lines = [
        f"| {of} | {method(default)} | {', '.join(map(method, others))} |\n"
        for of, (default, *others) in ((of, basis.methods) for of, basis in bases(measure))
    ]
    return "| estimate | default | other methods |\n|---|---|---|\n" + "".join(lines)


def method(name: str) -> str:
    return f"[`{name}`](../intervals/{name}.md)"


def coverage(measure: Measure) -> str:
    file = pictures().get(measure.name)
    return COVERAGE.format(name=measure.name, file=file) if file else NOT_MEASURED.format(name=measure.name)


@cache
def pictures() -> dict[str, str]:
    """Return the picture of the coverage for each measure; complements share one."""
    return {read_spec(name)[0]: one.file for names, one in of_measures(read(stored()).values()) for name in names[::-1]}


def bases(measure: Measure) -> Sequence[tuple[str, Basis]]:
    """Return the kinds of estimates of a measure (all classes, one class, averages) with their basis."""
    if measure.scope == "overall":
        return [("all classes", LabelBasis(measure, ONE_TABLE, None, {}))]
    if measure.scope == "class":
        averages = [("averages over the classes", LabelBasis(measure, ONE_TABLE, "macro", {}))]
        return [("one class", LabelBasis(measure, ONE_TABLE, None, {})), *(averages if measure.averaged else [])]
    classes = ClassScores(ROWS, ("a", "b", "c"))
    whole = [("scores of many classes", class_basis(classes, measure, None, {}))]
    if measure.scope == "rows":
        return whole
    of_all = [(f"{name} averages of scores", class_basis(classes, measure, name.split()[0], {})) for name in AVERAGES]
    return [("scores of one class", ScoreBasis(measure, SCORES, {})), *(whole if measure.row_loss else []), *of_all]


@cache
def methods() -> dict[tuple[str, tuple[str, ...]], list[str]]:
    """Return measures grouped by kind of estimate and interval methods."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for measure in registry.values():
        for of, basis in bases(measure):
            groups.setdefault((of, basis.methods), []).append(measure.name)
    return groups


def outcomes() -> str:
    """Return the section on measures of answers that are recorded as correct or wrong, or as graded scores."""
    rows = [
        (
            f"`{item.name}`: {item.summary.replace('`', '')}",
            f"`{item.formula}`",
            "correct or wrong" if item.binary else "any",
        )
        for item in outcome_registry.values()
    ]
    return OUTCOMES + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def coefficients() -> str:
    """Return the section on coefficients of agreement."""
    rows = [
        (
            f"`{item.name}`: {item.summary}",
            f"`{item.expected}`",
            item.undefined_when,
            item.source,
            ", ".join(f"`{alias}`" for alias in item.aliases),
        )
        for item in coefficient_registry.values()
    ]
    return COEFFICIENTS + "".join(f"| {' | '.join(row)} |\n" for row in rows)
