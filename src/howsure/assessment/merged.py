"""Assessments of different cases as one: their tables added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from howsure.assessment.result import Assessment
from howsure.tables.addition import add_tables


def merged(assessments: Sequence[Assessment]) -> Assessment:
    first = assessments[0]
    scores = None if first.scores is None else add_tables([assessment.scores for assessment in assessments])
    return replace(decided(assessments), scores=scores)


def decided(assessments: Sequence[Assessment]) -> Assessment:
    """Merge what was decided and leave out the scores, of which there are as many as cases."""
    return replace(
        assessments[0],
        confusion=add_tables([assessment.confusion for assessment in assessments]),
        n=sum(assessment.n for assessment in assessments),
        scores=None,
    )
