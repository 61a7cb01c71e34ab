"""Experiments: a plan, its tasks, a folder of results that can be resumed, and the results."""

from assay.experiment.experiment import Experiment
from assay.experiment.plan.datasets import Dataset
from assay.experiment.result.preference import Preference, prefer
from assay.experiment.result.result import ExperimentResult
from assay.experiment.result.verification import Verification, verify

__all__ = ["Dataset", "Experiment", "ExperimentResult", "Preference", "Verification", "prefer", "verify"]
