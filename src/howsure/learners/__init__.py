"""Classifiers with the interface of scikit-learn: ensembles, pruned trees and cost-sensitive wrappers.

Each records its training in a trace. ``__init__.pyi`` lists the learners for editors.
"""

from typing import Any

from howsure.learners.common.trace import Trace
from howsure.learners.cost.cost_sensitive import cost_methods
from howsure.learners.declare import declare_learner, registry
from howsure.learners.ensemble.out_of_bag import OutOfBag
from howsure.learners.tree.bounds import upper_error
from howsure.learners.tree.pessimistic import prune
from howsure.learners.tree.smoothing import smooth
from howsure.registry import import_modules

import_modules(__name__)

__all__ = [
    "OutOfBag",
    "Trace",
    "cost_methods",
    "declare_learner",
    "names",
    "prune",
    "registry",
    "smooth",
    "upper_error",
    *sorted(registry),
]


def names() -> list[str]:
    """Return the names of all learners.

    Returns
    -------
    list of str
        Names of classes in `howsure.learners`.

    Examples
    --------
    >>> from howsure import learners
    >>> learners.names()
    ['AdaBoost', 'Bagging', 'CostSensitive', 'PessimisticTree', 'RandomForest', 'Stacking']
    """
    return sorted(registry)


def __getattr__(name: str) -> Any:
    """Return a declared learner, such as ``learners.Bagging``."""
    return registry.attribute(name, __name__)


def __dir__() -> list[str]:
    return sorted({*__all__, *registry})
