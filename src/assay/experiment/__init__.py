"""Experiments: a plan, its tasks, a folder of results that can be resumed, and the results."""

from assay.experiment.experiment import Experiment
from assay.experiment.plan.datasets import Dataset
from assay.experiment.result.preference import Preference, prefer
from assay.experiment.result.result import ExperimentResult

__all__ = ["Dataset", "Experiment", "ExperimentResult", "Preference", "prefer"]
