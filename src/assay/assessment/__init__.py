"""Assess predictions: how good is it, and how sure are we?"""

from assay.assessment.entry import assess
from assay.assessment.groups import AssessmentGroups
from assay.assessment.result import Assessment

__all__ = ["Assessment", "AssessmentGroups", "assess"]
