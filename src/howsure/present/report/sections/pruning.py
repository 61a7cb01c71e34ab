"""The decision tree that made the predictions, before and after pruning."""

from __future__ import annotations

from typing import Any

from howsure.errors import must
from howsure.present.charts.declare import charts_of
from howsure.present.report.declare import Part, Section, Table, section
from howsure.present.report.figure import chart

TREE = "tree"  # kind of the chart that draws a tree


@section(of="Model", order=75)
def pruning(model: Any) -> Section:
    """Show the tree before and after pruning, and the comparisons."""
    if TREE not in charts_of(type(model)):
        must("model", "a fitted PessimisticTree", given=model)
    parts: list[Part] = []
    for pruned, title, reading in (
        (False, "The tree as it was grown", "The upper branch is yes. Pale: removed by pruning."),
        (True, "The tree after pruning", "In brackets: training cases of the leaf, and after the slash its errors."),
    ):
        about: dict[str, Any] = {"title": title, "reading": reading, "description": f"{model.view(pruned).title}."}
        parts.append(chart(f"tree-{'after' if pruned else 'before'}", model, TREE, options={"pruned": pruned}, **about))
    trace = model.trace_
    if len(trace):
        parts.append(Table(trace.sheet(), f"All {len(trace)} comparisons"))
    lead = "A subtree is replaced by a leaf if the leaf is not expected to make more errors."
    return Section("What did pruning remove?", parts, lead, "Tree")
