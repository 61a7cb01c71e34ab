"""Pages of significance tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO

import numpy as np

import howsure.significance  # noqa: F401 - the tests register themselves
from docs.tools.reference import Content, disagreements, example, toctree
from howsure.measured.tests import EQUALS, LEVEL, TestRow, rows
from howsure.references import REFERENCES
from howsure.significance.declare import Test, registry

HEAD = """# Significance tests

All tests are functions of `howsure.significance` on plain numbers. They return a `TestResult` with statistic, pvalue,
difference, df, method, alternative, notes, and the declared test with its variant. Tests are two-sided by default;
choose another alternative before you see the data. Degenerate input is handled: identical classifiers have p = 1, and
if the test is undefined, p is NaN and `notes` has the reason. `howsure.compare` selects a test automatically, see
[comparison](../../how-to/comparison.md); `valid_tests` lists the tests that are valid for a measure and a design, and
why others are not.

Tests of many classifiers accept scores as a matrix or data frame (one row per fold or data set, one column per
classifier), as a `FoldTable`, as a mapping of names to values, or as one argument per classifier. A note of the result
states how the input was interpreted:

"""
FIRST = """\
import howsure

tree, bayes, knn = [0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87]
print(howsure.significance.friedman({"tree": tree, "bayes": bayes, "knn": knn}))
"""
ON = {
    "one": "one sample",
    "cases": "the same cases",
    "clusters": "the same cases, clustered",
    "unpaired": "different cases",
    "splits": "splits without common training cases",
    "overlapping": "splits with overlapping training sets",
    "repeated": "repeated cross-validation",
    "five_by_two": "five repetitions of two folds",
    "datasets": "several data sets",
}
KINDS = {
    "test": ("Tests of a difference", "can reject that"),
    "equivalence": ("Tests of equivalence", "can reject that"),
    "posthoc": ("Post-hoc tests", "can reject that"),
    "bayesian": ("Bayesian comparisons, each with a region of practical equivalence", "computes"),
}
TAIL = """
`adjust` adjusts several p-values (Bonferroni, Holm, Hochberg, Hommel, Šidák, Benjamini-Hochberg,
Benjamini-Yekutieli, Shaffer, Bergmann-Hommel).
"""
MEASURED = """
## Measured type-I error

Each dot is a setting of a simulation (or of a complete enumeration) in which the classifiers are equally good: the
share of samples in which the test rejects at the 5 % level. See [how it was measured](../../evidence/coverage.md).

![Type-I error of {name} by size](../../made/reference/rates-of-{name}.svg)
"""
NOT_MEASURED = """
## Measured type-I error

This test is not on the grid of the lab. `howsure.lab` measures the tests of a comparison like yours (see [the
lab](../../how-to/lab.md)).
"""
LEGEND = {"exchangeable": "exchangeable", "equal": "equally good, different errors"}
SIZES = {"cases": "n", "clusters": "clusters", "splits": "cases", "datasets": "datasets"}
SIZE_WORDS = {"cases": "cases", "clusters": "clusters", "splits": "cases in cross-validation", "datasets": "data sets"}


def pages() -> Iterator[tuple[str, Content]]:
    yield "tests/index.md", index()
    for test in registry.values():
        yield f"tests/{test.name}.md", page(test)
        if measured(test):
            yield f"../made/reference/rates-of-{test.name}.svg", picture(test)


def index() -> str:
    sections = "".join(map(section, KINDS)) + TAIL + references(registry.values())
    return f"{HEAD}{example.shown(FIRST)}{sections}\n{toctree(registry)}"


def section(kind: str) -> str:
    heading, null = KINDS[kind]
    lines = "".join(row(test) for test in registry.values() if test.kind == kind)
    return f"\n## {heading}\n\n| test | classifiers | data | {null} |\n|---|---|---|---|\n{lines}"


def row(test: Test) -> str:
    cells = (f"[`{test.name}`]({test.name}.md): {test.title}", test.classifiers, designs(test), test.null)
    return f"| {' | '.join(cells)} |\n"


def designs(test: Test) -> str:
    return ", ".join(ON[design] for design in test.designs)


def page(test: Test) -> str:
    facts = {
        "Compares": f"{test.classifiers} classifier{'s' * (test.classifiers != 'one')}",
        "Data": designs(test),
        KINDS[test.kind][1].capitalize(): test.null,
        "Assumes": test.assumes,
        "Variants": "; ".join(f"`{name}` ({title})" for name, title in test.variants.items()) or "one",
        "Not for": "; ".join(f"{ON[design]}: {reason}" for design, reason in test.invalid.items()) or "–",
    }
    text = f"# {test.name}\n\n{test.title}. {first_line(test)}\n\n"
    text += "| property | value |\n|---|---|\n" + "".join(f"| {name} | {fact} |\n" for name, fact in facts.items())
    shown = example.of_docstring(test.function)
    if not shown:
        raise AssertionError(f"{test.name} has no example")
    text += f"\n## Example\n\n{shown}"
    text += MEASURED.format(name=test.name) if measured(test) else NOT_MEASURED
    return text + disagreements.section((test.name,), test.title) + references([test])


def first_line(test: Test) -> str:
    return " ".join((test.function.__doc__ or "").strip().partition("\n\n")[0].replace("``", "`").split())


def references(tests: Iterable[Test]) -> str:
    """Return the section of references."""
    used = {name for test in tests for name in test.references}
    return "\n## References\n\n" + "".join(f"- {REFERENCES[name]}\n" for name in sorted(used)) if used else ""


@cache
def of_equals() -> dict[str, list[TestRow]]:
    """Return the settings with equally good classifiers by test."""
    settings: dict[str, list[TestRow]] = {}
    for setting in rows():
        if setting.pair in EQUALS and SIZES[setting.design] in setting.cell and not np.isnan(setting.rate):
            settings.setdefault(setting.test, []).append(setting)
    return settings


def measured(test: Test) -> list[TestRow]:
    return of_equals().get(test.name, [])


def picture(test: Test) -> bytes:
    """Draw the type-I error of each setting against its size, with one panel per design."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    settings = measured(test)
    designs = sorted({setting.design for setting in settings})
    figure = Figure(figsize=(1.2 + 3.6 * len(designs), 3.2), layout="constrained")
    axes = figure.subplots(1, len(designs), squeeze=False, sharey=True)[0]
    jitter = np.random.default_rng(0)
    for ax, design in zip(axes, designs, strict=True):
        for pair, colour, mark in (("exchangeable", "#1b6ca8", "o"), ("equal", "#b35806", "^")):
            points = [
                (setting.cell[SIZES[design]], 100 * setting.rate)
                for setting in settings
                if (setting.design, setting.pair) == (design, pair)
            ]
            if points:
                x, y = np.transpose(points)
                x = x * np.exp(jitter.uniform(-0.12, 0.12, len(x)))
                ax.plot(x, y, mark, color=colour, alpha=0.45, ms=3.5, mew=0, label=LEGEND[pair])
        ax.axhline(100 * LEVEL, color="black", lw=0.8, ls="--")
        ax.set(xscale="log", xlabel=SIZE_WORDS[design], ylim=(0, None))
        ax.legend(fontsize=8, frameon=False)
    axes[0].set_ylabel("rejections, %")
    file = BytesIO()
    with rc_context({"svg.hashsalt": test.name}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()
