"""Merge assessments of different cases into one by adding their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from howsure.assessment.result import Assessment
from howsure.tables.addition import add_tables


def merged(assessments: Sequence[Assessment], *, scores: bool = True) -> Assessment:
    """Merge assessments of the same classes."""
    first = assessments[0]
    keeps_scores = scores and first.scores is not None
    return replace(
        first,
        confusion=add_tables([assessment.confusion for assessment in assessments]),
        n=sum(assessment.n for assessment in assessments),
        scores=add_tables([assessment.scores for assessment in assessments]) if keeps_scores else None,
    )
