"""Assess the predictions of one classifier."""

from howsure.assessment.entry import assess, assess_each, assess_predictions
from howsure.assessment.groups import AssessmentGroups
from howsure.assessment.outcomes import OutcomeAssessment
from howsure.assessment.result import Assessment

__all__ = [
    "Assessment",
    "AssessmentGroups",
    "OutcomeAssessment",
    "assess",
    "assess_each",
    "assess_predictions",
]
