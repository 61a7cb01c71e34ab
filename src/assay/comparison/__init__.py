"""Compare classifiers: is it really better than the other one?"""

from assay.comparison.cases import compare, compare_predictions
from assay.comparison.datasets import compare_datasets
from assay.comparison.folds import compare_folds
from assay.comparison.gate import Gate, gate
from assay.comparison.result import Comparison, PairComparison

__all__ = [
    "Comparison",
    "Gate",
    "PairComparison",
    "compare",
    "compare_datasets",
    "compare_folds",
    "compare_predictions",
    "gate",
]
