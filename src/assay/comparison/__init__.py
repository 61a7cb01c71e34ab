"""Compare classifiers: is it really better than the other one?"""

from assay.comparison.cases import compare, compare_predictions
from assay.comparison.datasets import compare_datasets
from assay.comparison.difference_noise import DifferenceNoise, label_noise
from assay.comparison.folds import compare_folds
from assay.comparison.gate import Gate, gate
from assay.comparison.pair import PairComparison
from assay.comparison.ranking import Ranking
from assay.comparison.result import Comparison

__all__ = [
    "Comparison",
    "DifferenceNoise",
    "Gate",
    "PairComparison",
    "Ranking",
    "compare",
    "compare_datasets",
    "compare_folds",
    "compare_predictions",
    "gate",
    "label_noise",
]
