"""Pages of interval methods."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from textwrap import dedent

from docs.tools.reference import Content, example, toctree
from docs.tools.reference.measures import REQUESTS, methods
from howsure.intervals.declare import EVIDENCE, Method, registry
from howsure.measured.intervals import stored
from lab.pictures import Picture, drawn, row_of
from lab.summary import Measured, read

HEAD = """# Interval methods

Every estimate (a measure, a mean over folds, a difference) has
`estimate.interval(confidence=0.95, method="auto", side="two-sided")`. A method applies to all estimates that provide
what it needs; `howsure.intervals.methods()` lists the methods, and the error for one that does not apply names those
that do. The defaults are on [the page of each measure](../measures/index.md).

| method | needs | source |
|---|---|---|
"""
OF_CLUSTERS = """
With clustered cases, the names of interval methods end in [`-clustered`](clustered.md).

"""
SECTION = re.compile(r"\n\s*(?:Parameters|Returns|Examples)\n")  # of a docstring
EXPERIMENT = """\
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
import howsure

X, y = load_breast_cancer(return_X_y=True)
e = howsure.Experiment(
    learners={"tree": DecisionTreeClassifier(max_depth=3), "bayes": GaussianNB()},
    datasets={"cancer": (X, y)},
    resampling=howsure.SCHEME,
    seed=0,
)
r = e.run()
"""
DATASETS = """\
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
import howsure

made = {f"made{i}": make_classification(150, random_state=i) for i in range(5)}
e = howsure.Experiment(
    learners={"tree": DecisionTreeClassifier(max_depth=3), "bayes": GaussianNB()},
    datasets={f.__name__: f(return_X_y=True) for f in (load_iris, load_wine, load_breast_cancer)} | made,
    resampling=howsure.KFold(5),
    seed=0,
)
c = e.run().compare()
"""
PAIR = """\
import howsure

truth = ["yes", "no"] * 40
old = ["yes", "no", "no", "no", "yes", "yes", "yes", "no"] * 10
new = ["yes", "no", "yes", "no", "yes", "no", "no", "no"] * 10
c = howsure.compare(truth, {"old": old, "new": new}, measure="MEASURE")
"""
JUDGED = """\
import howsure

human = ["good", "bad", "good", "good", "bad", "good"] * 20 + [None] * 480
judge = ["good", "bad", "good", "bad", "bad", "good"] * 100
answers = ["good"] * 600
a = howsure.assess(human, answers, judge=judge)
"""
LOSSES = """\
import numpy as np
import howsure

wrong = np.array([0, 0, 0, 1, 0, 0, 1, 0, 0, 0] * 15)  # for each case, from the fold that left it out
fold = np.repeat(np.arange(10), 15)
print(howsure.intervals.cross_validated_mean(wrong, fold))
"""
NESTED = """\
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
import howsure

X, y = load_iris(return_X_y=True)
print(howsure.resampling.CALL)
"""
MISJUDGED = """\
import howsure

e = howsure.judges.rogan_gladen(259, 509, sensitivity=(84, 127), specificity=(96, 109))
print(e"""
# Code for methods that do not apply to a measure of a single table, by their needs.
BY_EVIDENCE = {
    "values": EXPERIMENT.replace("SCHEME", "KFold(10)") + 'print(r.scores("accuracy").estimate("tree")',
    "repeats": EXPERIMENT.replace("SCHEME", "KFold(5, repeats=2)") + 'print(r.scores("accuracy").estimate("tree")',
    "halves": EXPERIMENT.replace("SCHEME", "FiveByTwo()") + "print(r.compare().difference",
    "datasets": f"{DATASETS}print(c.difference",
    "discordant": PAIR.replace("MEASURE", "accuracy") + "print(c.difference",
    "paired error": PAIR.replace("MEASURE", "f1") + "print(c.difference",
    "judged": f'{JUDGED}print(a["accuracy"]',
    "misjudged": MISJUDGED,
    "cv-clt": LOSSES,
    "nested-cv": NESTED.replace("CALL", "nested_cv_error(GaussianNB(), X, y, folds=5, repeats=4)"),
    "conservative-z": NESTED.replace("CALL", "conservative_z_error(GaussianNB(), X, y, splits=5, halvings=4)"),
}
MEASURED = """
## Measured coverage

The picture shows how often the 95 % intervals contained the true value in simulated samples of two classes, by measure,
sample size and prevalence: the lowest coverage over classifiers from random to almost perfect, in percent, rounded
down. In parentheses: fewer than half of the samples had an interval. See [how it was
measured](../../evidence/coverage.md).

![Coverage of {name} by measure, n and prevalence](../../made/reference/coverage-of-{name}.png)
"""
CLUSTERED = """# -clustered

With clustered cases (`cluster=`), every method is applied to the effective number of independent cases, with Student's
t distribution, and bootstrap methods resample whole clusters. The name of the interval is that of the method with
`-clustered`: `wilson-clustered`, `bca-clustered`. You can request it by either name.

See [clustered cases](../../how-to/clusters.md) for the method, and [the evidence](../../evidence/coverage.md) for the
coverage of these intervals.

## Example

{example}"""
CLUSTERS = """\
import howsure

truth = ["yes", "no"] * 40
predicted = ["yes", "no", "no", "no", "yes", "yes", "yes", "no"] * 10
patient = [number // 5 for number in range(80)]
a = howsure.assess(truth, predicted, cluster=patient)
print(a["accuracy"])
print(a["accuracy"].interval(method="wilson-clustered"), a["accuracy"].interval(method="bca"))
"""
NOT_MEASURED = """
## Measured coverage

This method is not on the grid of single assessments; {where}
"""


def pages() -> Iterator[tuple[str, Content]]:
    yield "intervals/index.md", index()
    yield "intervals/clustered.md", CLUSTERED.format(example=example.shown(CLUSTERS))
    for method in registry.values():
        picture = of_method(method)
        yield f"intervals/{method.name}.md", page(method, measured=picture is not None)
        if picture:
            yield f"../made/reference/coverage-of-{method.name}.png", drawn(picture)


def index() -> str:
    return "".join((HEAD, *map(row, registry.values()), OF_CLUSTERS, toctree((*registry, "clustered"))))


def needs(method: Method) -> str:
    return EVIDENCE[method.needs].partition(" (`")[0]


def row(method: Method) -> str:
    return f"| [`{method.name}`]({method.name}.md): {method.title} | {needs(method)} | {method.source} |\n"


def page(method: Method, *, measured: bool) -> str:
    summary = dedent(f"    {SECTION.split(method.summary)[0]}").strip()
    text = f"# {method.name}\n\n{method.title}. It needs {needs(method)}.\n\n{summary}\n"
    if method.source:
        text += f"\nSource: {method.source}.\n"
    text += f"\n## Example\n\n{of_example(method)}"
    text += f"\n## Measures\n\n{of_measures(method)}"
    elsewhere = "see [the evidence](../../evidence/coverage.md) for measurements over splits, clusters and pairs."
    return text + (MEASURED.format(name=method.name) if measured else NOT_MEASURED.format(where=elsewhere))


def of_measures(method: Method) -> str:
    """Return the measures for which the method is the default, and those for which it is available."""
    groups = methods().items()
    default = sorted({name for (_, names), members in groups if names[0] == method.name for name in members})
    available = sorted({name for (_, names), members in groups if method.name in names[1:] for name in members})
    link = "[`{0}`](../measures/{0}.md)".format
    lines = [
        f"{words}: {', '.join(map(link, names))}.\n"
        for words, names in (
            ("Default for", default),
            ("Also available for", [n for n in available if n not in default]),
        )
        if names
    ]
    return (
        "\n".join(lines)
        or "This method is for differences, folds or judged labels, not for a measure of a single table.\n"
    )


def of_example(method: Method) -> str:
    """Return an example with the first estimate to which the method applies."""
    call = f'.interval(method="{method.name}"))\n'
    if method.needs in BY_EVIDENCE:
        setup = BY_EVIDENCE[method.needs]
        return example.shown(setup if setup.endswith("\n") else f"{setup}{call}")
    named = [name for (_, names), members in methods().items() if method.name in names for name in members]
    candidates = [
        f"{setup}print({of.format(REQUESTS.get(name, name))}{call}"
        for of in ('a["{}"]', 'a.estimate("{}", average="macro")', 'a.estimate("{}", average="micro")')
        for name in named
        for setup in (example.LABELS, example.SCORES, example.CLASSES)
    ]
    return example.first_that_runs(candidates)


@cache
def summaries() -> dict[str, Measured]:
    return read(stored())


def of_method(method: Method) -> Picture | None:
    """Return the picture of the coverage of a method, with one row for each measure."""
    rows = [(name, row_of(one.methods[method.name])) for name, one in summaries().items() if method.name in one.methods]
    rows = [(name, row) for name, row in rows if row]
    return Picture(f"of-{method.name}", f"{method.name}: coverage of 95 % intervals", tuple(rows)) if rows else None
