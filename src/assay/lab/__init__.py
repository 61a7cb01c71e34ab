"""The lab: known truths are simulated, to measure how often intervals hold them and tests find what is not there."""

from assay.lab.population import LabelPopulation, ScorePopulation

__all__ = ["LabelPopulation", "ScorePopulation"]
