"""Pages of measures: of labels and scores, of outcomes, and of agreement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

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

`a[name]` gives an estimate, by any name or alias below; `howsure measures` prints this list. Counts of one class
against
the rest: tp, fp, fn, tn, n. Sums over all classes: hits (the diagonal), truth (row sums), predicted (column sums),
cells, n. At each distinct score, from high to low: positives, negatives, scores; tp and fp add them up from the top.
The prior is the share of the positive class in training, or among the cases themselves.

"""
FIRST = (
    example.LABELS
    + """print(a["recall"])
print(a["hit rate"].value == a["sensitivity"].value == a["recall"].value)
"""
)
TABLE = """| measure | of | range | better | interval | aliases |
|---|---|---|---|---|---|
"""
OUTCOMES = """
## Outcomes

Of answers without a truth (`assess(correct=...)`, [evaluations](../../how-to/evaluations.md)), n to a case, c of them
right. All are means over the cases of values from 0 to 1, with the intervals of shares.

| measure | formula | answers |
|---|---|---|
"""
COEFFICIENTS = """
## Agreement of raters

Of items that two or more raters put into categories (`howsure.agreement`, [annotators](../../how-to/annotators.md)):
one less the disagreement observed over that expected, `1 - (1 - observed) / (1 - expected)`. Shares are those of the
categories, q their number, and weights those of agreement. Cohen's kappa (`cohen_kappa`) is the kappa above of the
table of two raters, and of more the mean over pairs.

| coefficient | expected | undefined when | source | aliases |
|---|---|---|---|---|
"""
COVERAGE = """
## How often its intervals hold the truth

95 % intervals in simulated samples of two classes, by method, size of the sample and prevalence: the least over
classifiers from chance to near perfect, in percent, rounded down. In parentheses: fewer than half of the samples had
an interval. [How it was measured](../../evidence/coverage.md).

![Coverage of the intervals of {name}, by method, n and prevalence](../../pictures/{file})
"""
NOT_MEASURED = """
## How often its intervals hold the truth

It is not on [the grid](../../evidence/coverage.md). `howsure lab {name}` measures it in samples such as yours.
"""
GROUPS = {
    "overall": "All classes",
    "class": "One class",
    "ranking": "Ranking",
    "probabilities": "Probabilities",
    "costs": "Costs",
}
ASKED_FOR = {  # what a measure cannot do without, in the examples
    "f_beta": "f_beta(beta=2)",
    "lift": "lift(depth=0.1)",
    "gain": "gain(depth=0.1)",
    "partial_auc": "partial_auc(high=0.2)",
    "top_k_accuracy": "top_k_accuracy(k=2)",
}
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
        "Of": OF[measure.scope],
        "Range": escape_markdown(span(measure)),
        "Better": measure.better or "depends on the use",
        "Undefined when": measure.undefined_when or "never",
        "Also called": ", ".join(f"`{alias}`" for alias in measure.aliases) or "–",
    }
    text = f"# {measure.name}\n\n{measure.summary.replace('``', '`')}\n\n```text\n{measure.formula}\n```\n\n"
    text += "| asked | answer |\n|---|---|\n" + "".join(f"| {name} | {fact} |\n" for name, fact in facts.items())
    text += f"\n## Example\n\n{of_example(measure)}"
    text += f"\n## Intervals\n\n{intervals(measure)}{coverage(measure)}"
    return text + disagreements.section((measure.name, *measure.aliases), measure.name.replace("_", " "))


def of_example(measure: Measure) -> str:
    ask = f'print(a["{ASKED_FOR.get(measure.name, measure.name)}"])\n'
    if measure.matrix == "weights":
        ask = f'print(a.estimate("{measure.name}", weights="quadratic"))\n'
    setups = {
        "costs": (example.COSTS,),
        "overall": (example.LABELS,),
        "class": (example.LABELS,),
    }.get(measure.group, (example.SCORES, example.CLASSES))
    return example.first_that_runs(f"{setup}{ask}" for setup in setups)


def intervals(measure: Measure) -> str:
    """Name the methods of each kind of estimate, the default first."""
    lines = [
        f"| {of} | {method(default)} | {', '.join(map(method, others))} |\n"
        for of, (default, *others) in ((of, basis.methods) for of, basis in bases(measure))
    ]
    return "| of | by default | also |\n|---|---|---|\n" + "".join(lines)


def method(name: str) -> str:
    return f"[`{name}`](../intervals/{name}.md)"


def coverage(measure: Measure) -> str:
    file = pictures().get(measure.name)
    return COVERAGE.format(name=measure.name, file=file) if file else NOT_MEASURED.format(name=measure.name)


@cache
def pictures() -> dict[str, str]:
    """Give the file that shows the coverage of each measure; complements share one."""
    return {read_spec(name)[0]: one.file for names, one in of_measures(read(stored()).values()) for name in names[::-1]}


def bases(measure: Measure) -> Sequence[tuple[str, Basis]]:
    """Give what estimates of a measure rest on: of one class or all cases, of many classes, and of averages."""
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
    """Give the measures that have the same methods, by what the estimates are of."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for measure in registry.values():
        for of, basis in bases(measure):
            groups.setdefault((of, basis.methods), []).append(measure.name)
    return groups


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
