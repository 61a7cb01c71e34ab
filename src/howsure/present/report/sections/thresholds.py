"""The threshold explorer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.present.report.declare import Alternatives, Section, section
from howsure.present.report.explorer import explorer_of
from howsure.present.value_text import shown_name

HEADING, SHORT = "Which threshold, and what does it cost?", "Threshold"
LEAD = "Change the threshold, the prevalence or the costs: counts, measures with intervals, and curves are updated."
CLUSTERS = "The cases are clustered; the intervals use the design effects at the initial threshold."
MAX_DATASETS = 5  # maximum number of explorers on a page; each takes about 60 KB


@section(of="Assessments", order=20)
def thresholds(assessments: Mapping[str, Any]) -> Section | None:
    explorer = explorer_of(assessments)
    in_clusters = any(assessment["accuracy"].clusters for assessment in assessments.values())
    lead = f"{LEAD} {CLUSTERS}" if in_clusters else LEAD
    return None if explorer is None else Section(HEADING, [explorer], lead, SHORT)


@section(of="AssessmentsByDataset", order=20)
def thresholds_by_dataset(by_dataset: Mapping[str, Mapping[str, Any]]) -> Section | None:
    """Show an explorer for each data set with two classes."""
    models = max(map(len, by_dataset.values())) * min(len(by_dataset), MAX_DATASETS)
    explorers: dict[str, Any] = {}
    for dataset, assessments in by_dataset.items():
        about = {"name": f"explorer-{len(explorers)}", "of": shown_name(dataset)}
        explorer = explorer_of(assessments, of_all=models, **about)
        if explorer is not None:
            explorers[dataset] = explorer
        if len(explorers) == MAX_DATASETS:
            break
    if not explorers:
        return None
    lead = LEAD
    if len(by_dataset) > len(explorers):
        first = "first " if len(explorers) == MAX_DATASETS else ""
        lead += f" Of {len(by_dataset)} data sets, the {first}{len(explorers)} with scores of two classes are shown."
    return Section(HEADING, [Alternatives("data set", explorers)], lead, SHORT)
