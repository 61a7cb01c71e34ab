"""Assess predictions: how good is it, and how sure are we?"""

from assay.assessment.entry import assess, assess_each, assess_predictions
from assay.assessment.groups import AssessmentGroups
from assay.assessment.outcomes import OutcomeAssessment
from assay.assessment.result import Assessment

__all__ = [
    "Assessment",
    "AssessmentGroups",
    "OutcomeAssessment",
    "assess",
    "assess_each",
    "assess_predictions",
]
