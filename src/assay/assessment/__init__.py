"""Assess predictions: how good is it, and how sure are we?"""

from assay.assessment.entry import assess
from assay.assessment.result import Assessment, AssessmentGroups

__all__ = ["Assessment", "AssessmentGroups", "assess"]
