"""What changes with the threshold: the explorer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.present.report.declare import Alternatives, Section, section
from howsure.present.report.explorer import explorer_of
from howsure.present.value_text import shown_name

HEADING, SHORT = "Which threshold, and what does it cost?", "Threshold"
LEAD = "Drag or type a threshold, a prevalence or costs: counts, measures with their intervals and curves follow."
CLUSTERS = "Cases come in clusters, which intervals allow for as much as they do at the first threshold."
MOST_DATASETS = 5  # with an explorer of their own, of some 60 KB


@section(of="Assessments", order=20)
def thresholds(assessments: Mapping[str, Any]) -> Section | None:
    explorer = explorer_of(assessments)
    in_clusters = any(one["accuracy"].clusters for one in assessments.values())
    lead = f"{LEAD} {CLUSTERS}" if in_clusters else LEAD
    return None if explorer is None else Section(HEADING, [explorer], lead, SHORT)


@section(of="AssessmentsByDataset", order=20)
def thresholds_by_dataset(by_dataset: Mapping[str, Mapping[str, Any]]) -> Section | None:
    """Let each data set be explored: those of two classes, as many as a page has room for."""
    models = max(map(len, by_dataset.values())) * min(len(by_dataset), MOST_DATASETS)
    explorers: dict[str, Any] = {}
    for dataset, assessments in by_dataset.items():
        about = {"name": f"explorer-{len(explorers)}", "of": shown_name(dataset)}
        explorer = explorer_of(assessments, of_all=models, **about)
        if explorer is not None:
            explorers[dataset] = explorer
        if len(explorers) == MOST_DATASETS:
            break
    if not explorers:
        return None
    lead = LEAD
    if len(by_dataset) > len(explorers):
        first = "first " if len(explorers) == MOST_DATASETS else ""
        lead += f" Of {len(by_dataset)} data sets, the {first}{len(explorers)} with scores of two classes."
    return Section(HEADING, [Alternatives("data set", explorers)], lead, SHORT)
