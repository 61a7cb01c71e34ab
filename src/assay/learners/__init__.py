"""Learners as scikit-learn estimators: ensembles, pruned trees and cost-sensitive wrappers, each with its trace."""

from assay.learners.bagging import Bagging
from assay.learners.forest import RandomForest
from assay.learners.out_of_bag import OutOfBag
from assay.learners.trace import Trace

__all__ = ["Bagging", "OutOfBag", "RandomForest", "Trace"]
