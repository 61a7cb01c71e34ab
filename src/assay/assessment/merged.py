"""Assessments of different cases as one: their tables added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

from assay.assessment.result import Assessment


def merged(assessments: Sequence[Assessment]) -> Assessment:
    first, *_ = assessments
    tables: list[Any] = [assessment.scores for assessment in assessments]
    return replace(
        first,
        confusion=reduce(add, [assessment.confusion for assessment in assessments]),
        n=sum(assessment.n for assessment in assessments),
        scores=None if first.scores is None else reduce(add, tables),
    )
