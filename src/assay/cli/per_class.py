"""The classes one by one, as numbers: what `--per-class` gives to programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.assessment import Assessment, AssessmentGroups


def per_class_records(result: Assessment | AssessmentGroups, confidence: float) -> list[dict[str, Any]]:
    """Give a record for each class (of each group), with every digit of each measure and of its interval."""
    from assay.assessment import Assessment

    if isinstance(result, Assessment):
        return _records(result, confidence)
    return [{result.name: group, **record} for group in result for record in _records(result[group], confidence)]


def _records(assessment: Assessment, confidence: float) -> list[dict[str, Any]]:
    from assay.assessment.result import PER_CLASS

    records = []
    for label, cases in zip(assessment.labels, assessment.confusion.sums.truth.tolist(), strict=True):
        record: dict[str, Any] = {"class": label, "cases": cases}
        for name in PER_CLASS:
            found = assessment.estimate(name, label=label)
            interval = found.interval(confidence)
            record |= {name: found.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
        records.append(record)
    return records
