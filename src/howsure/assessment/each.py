"""A measure of each of many assessments, as each would estimate it by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.assessment.result import Assessment
from howsure.measures import registry
from howsure.measures.estimate.many import estimate_tables, rank_together
from howsure.results import Estimate
from howsure.tables import ScoreTable


def estimate_each(assessments: Sequence[Assessment], measure: str, **parameters: Any) -> list[Estimate]:
    """Estimate a measure of each: of all tables at once where it is a share of cases or of pairs, else one by one."""
    first = assessments[0]
    if parameters:
        return [one.estimate(measure, **parameters) for one in assessments]
    if measure in list(registry):  # by its own name
        declared = registry[measure]
        if declared.scope in ("class", "overall"):
            label = first.positive if declared.scope == "class" else None
            if all(one.positive == first.positive for one in assessments):
                made = estimate_tables([one.confusion for one in assessments], declared, label)
                if made is not None:
                    return made
        if declared.of_auc is not None:
            rank_together([one.scores for one in assessments if isinstance(one.scores, ScoreTable)])
    return [one[measure] for one in assessments]
