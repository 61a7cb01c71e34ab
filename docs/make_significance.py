"""Write docs/significance.md from the registry; run by ``make docs/significance.md``."""

from __future__ import annotations

from pathlib import Path

import assay.significance  # noqa: F401 - the tests register themselves
from assay.present.format import escape_markdown
from assay.significance.declare import registry

HEAD = """# Significance tests

Written from the registry by `make docs/significance.md`; do not edit. All are functions of `assay.significance` on
plain numbers and give a `TestResult`: statistic, pvalue, difference, df, method, alternative, notes. Two-sided
unless you say otherwise before seeing the data. What is degenerate has an answer: identical classifiers have p = 1,
and where there is none, p is NaN with the reason in `notes`. `assay.compare` chooses among them, see
[comparison](comparison.md).

| test | of | on | can reject that | assumes |
|---|---|---|---|---|
"""
ON = {"one": "one sample", "cases": "the same cases", "splits": "the same splits", "datasets": "several data sets"}
TAIL = """
After a test of many: `newman_keuls`, `tukey`, `nemenyi`, `bonferroni_dunn`, `dunnett`, `contrast`, and
`critical_difference` for the diagram; `adjust` allows for several p-values (Bonferroni, Holm, Hochberg, Hommel, Šidák,
Benjamini-Hochberg, Benjamini-Yekutieli, Shaffer, Bergmann-Hommel). Bayesian: `bayesian_correlated_t`,
`bayesian_signed_rank`, `bayesian_sign`, `bayesian_hierarchical`, each with a region of practical equivalence.
"""


def page() -> str:
    rows = []
    for test in registry.values():
        on = ", ".join(ON[design] for design in test.designs)
        cells = [f"`{test.name}`: {test.title}", test.classifiers, on, test.null, test.assumes]
        rows.append(f"| {' | '.join(map(escape, cells))} |\n")
    return HEAD + "".join(rows) + TAIL


def escape(text: str) -> str:
    return text if text.startswith("`") else escape_markdown(text)


if __name__ == "__main__":
    Path(__file__).with_name("significance.md").write_text(page(), encoding="utf-8")
