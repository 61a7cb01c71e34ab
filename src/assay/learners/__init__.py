"""Learners as scikit-learn estimators: ensembles, pruned trees and cost-sensitive wrappers, each with its trace."""

from assay.learners.bagging import Bagging
from assay.learners.boosting import AdaBoost
from assay.learners.bounds import upper_error
from assay.learners.cost_sensitive import CostSensitive, cost_methods
from assay.learners.forest import RandomForest
from assay.learners.out_of_bag import OutOfBag
from assay.learners.pessimistic import PessimisticTree, prune
from assay.learners.smoothing import smooth
from assay.learners.stacking import Stacking
from assay.learners.trace import Trace

__all__ = [
    "AdaBoost",
    "Bagging",
    "CostSensitive",
    "OutOfBag",
    "PessimisticTree",
    "RandomForest",
    "Stacking",
    "Trace",
    "cost_methods",
    "prune",
    "smooth",
    "upper_error",
]
