"""Compare classifiers: is one really better than the other?"""

from howsure.comparison.cases import compare, compare_predictions
from howsure.comparison.datasets import compare_datasets
from howsure.comparison.difference_noise import DifferenceNoise, label_noise
from howsure.comparison.folds import compare_folds
from howsure.comparison.gate import Gate, gate
from howsure.comparison.pair import PairComparison
from howsure.comparison.ranking import Ranking
from howsure.comparison.result import Comparison

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
