"""The lab: known truths are simulated, to measure how often intervals hold them and tests find what is not there."""

from assay.lab.coverage import Coverage, coverage
from assay.lab.design import QUALITIES, Cell
from assay.lab.population import LabelPopulation, ScorePopulation
from assay.lab.tally import tallied

__all__ = ["QUALITIES", "Cell", "Coverage", "LabelPopulation", "ScorePopulation", "coverage", "tallied"]
