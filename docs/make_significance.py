"""Write docs/significance.md from the registry; run by ``make docs/significance.md``."""

from __future__ import annotations

from pathlib import Path

import assay.significance  # noqa: F401 - the tests register themselves
from assay.references import REFERENCES
from assay.significance.declare import Test, registry

HEAD = """# Significance tests

Written from the registry by `make docs/significance.md`; do not edit. All are functions of `assay.significance` on
plain numbers. Tests give a `TestResult`: statistic, pvalue, difference, df, method, alternative, notes, and the
declared test with its variant. Two-sided unless you say otherwise before seeing the data. What is degenerate has an
answer: identical classifiers have p = 1, and where there is none, p is NaN with the reason in `notes`. `assay.compare`
chooses among them, see [comparison](comparison.md); `valid_tests` says which are valid for a measure and a design, and
why others are not.

Tests of many classifiers take scores as a matrix or data frame (a row for each fold or data set, a column for each
classifier), as a `FoldTable`, as a mapping of names to values, or as one argument for each classifier. A note of the
result says how they were read:

```python
import assay

tree, bayes, knn = [0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87]
print(assay.significance.friedman({"tree": tree, "bayes": bayes, "knn": knn}))
```
```
Friedman test, corrected for ties: difference 1.875, statistic 7.600, df 2, p = 0.0224 (two-sided)
  note: mean ranks, 1 the best: tree 1.125, bayes 1.875, knn 3.000
  note: 4 folds or data sets (rows) x 3 classifiers: tree, bayes, knn
```
"""
ON = {
    "one": "one sample",
    "cases": "the same cases",
    "clusters": "the same cases in clusters",
    "unpaired": "cases of their own",
    "splits": "splits without common training cases",
    "overlapping": "splits with overlapping training sets",
    "repeated": "repeated cross-validation",
    "five_by_two": "five repetitions of two folds",
    "datasets": "several data sets",
}
KINDS = {
    "test": ("Tests of a difference", "can reject that"),
    "equivalence": ("Tests of equivalence", "can reject that"),
    "posthoc": ("After a test of many", "can reject that"),
    "bayesian": ("Bayesian comparisons, each with a region of practical equivalence", "gives"),
}
TAIL = """
`adjust` allows for several p-values (Bonferroni, Holm, Hochberg, Hommel, Šidák, Benjamini-Hochberg,
Benjamini-Yekutieli, Shaffer, Bergmann-Hommel).
"""


def page() -> str:
    return HEAD + "".join(map(section, KINDS)) + TAIL + references()


def references() -> str:
    """List the literature of the tests; `Comparison.methods_text` cites that of a comparison."""
    used = {name for test in registry.values() for name in test.references}
    return "\n## References\n\n" + "".join(f"- {REFERENCES[name]}\n" for name in sorted(used))


def section(kind: str) -> str:
    heading, null = KINDS[kind]
    rows = "".join(row(test) for test in registry.values() if test.kind == kind)
    return f"\n## {heading}\n\n| test | of | on | {null} | assumes | from |\n|---|---|---|---|---|---|\n{rows}"


def row(test: Test) -> str:
    on = ", ".join(ON[design] for design in test.designs)
    cells = (f"`{test.name}`: {test.title}", test.classifiers, on, test.null, test.assumes, "; ".join(test.references))
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    Path(__file__).with_name("significance.md").write_text(page(), encoding="utf-8")
