"""The lab: known truths are simulated, to measure how often intervals hold them and tests find what is not there."""

from assay.lab.at_hand import like
from assay.lab.design import QUALITIES, Cell
from assay.lab.interval_coverage import Coverage, coverage
from assay.lab.paired_rejections import Rejections, rejections
from assay.lab.pairs import PAIRS, PairCell
from assay.lab.population import LabelPopulation, ScorePopulation
from assay.lab.split_learners import LEARNERS
from assay.lab.splits import SplitRejections, split_rejections
from assay.lab.tally import tallied

__all__ = [
    "LEARNERS",
    "PAIRS",
    "QUALITIES",
    "Cell",
    "Coverage",
    "LabelPopulation",
    "PairCell",
    "Rejections",
    "ScorePopulation",
    "SplitRejections",
    "coverage",
    "like",
    "rejections",
    "split_rejections",
    "tallied",
]
