"""Learners as scikit-learn estimators: ensembles, pruned trees and cost-sensitive wrappers, each with its trace."""

from typing import Any

from assay.learners.common.trace import Trace
from assay.learners.cost.cost_sensitive import CostSensitive, cost_methods
from assay.learners.declare import declare_learner, registry
from assay.learners.ensemble.bagging import Bagging
from assay.learners.ensemble.boosting import AdaBoost
from assay.learners.ensemble.forest import RandomForest
from assay.learners.ensemble.out_of_bag import OutOfBag
from assay.learners.stacking.stacking import Stacking
from assay.learners.tree.bounds import upper_error
from assay.learners.tree.pessimistic import PessimisticTree, prune
from assay.learners.tree.smoothing import smooth
from assay.registry import import_modules

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
    "declare_learner",
    "names",
    "prune",
    "registry",
    "smooth",
    "upper_error",
]

import_modules(__name__)


def names() -> list[str]:
    """List the names of all learners."""
    return sorted(registry)


def __getattr__(name: str) -> Any:
    """Give a declared learner: ``learners.Bagging()``."""
    return registry.attribute(name, __name__)


def __dir__() -> list[str]:
    return sorted({*__all__, *registry})
