"""Learners as scikit-learn estimators: ensembles, pruned trees and cost-sensitive wrappers, each with its trace."""

from assay.learners.bagging import Bagging
from assay.learners.bounds import upper_error
from assay.learners.forest import RandomForest
from assay.learners.out_of_bag import OutOfBag
from assay.learners.pessimistic import PessimisticTree, prune
from assay.learners.smoothing import smooth
from assay.learners.trace import Trace

__all__ = ["Bagging", "OutOfBag", "PessimisticTree", "RandomForest", "Trace", "prune", "smooth", "upper_error"]
