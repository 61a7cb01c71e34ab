"""Simulations that measure how often intervals cover the true value and how often tests reject."""

from howsure.lab.design import QUALITIES, Cell
from howsure.lab.interval_coverage import Coverage, coverage
from howsure.lab.like_comparison import like
from howsure.lab.paired_rejections import Rejections, rejections
from howsure.lab.pairs import PAIRS, PairCell
from howsure.lab.population import LabelPopulation, ScorePopulation
from howsure.lab.split_learners import LEARNERS
from howsure.lab.splits import SplitRejections, split_rejections
from howsure.lab.tally import tallied

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
