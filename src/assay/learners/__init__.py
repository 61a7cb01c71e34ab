"""Learners as scikit-learn estimators: ensembles, pruned trees and cost-sensitive wrappers, each with its trace."""

from assay.learners.common.trace import Trace
from assay.learners.cost.cost_sensitive import CostSensitive, cost_methods
from assay.learners.ensemble.bagging import Bagging
from assay.learners.ensemble.boosting import AdaBoost
from assay.learners.ensemble.forest import RandomForest
from assay.learners.ensemble.out_of_bag import OutOfBag
from assay.learners.stacking.stacking import Stacking
from assay.learners.tree.bounds import upper_error
from assay.learners.tree.pessimistic import PessimisticTree, prune
from assay.learners.tree.smoothing import smooth

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
