"""Learners as scikit-learn estimators: ensembles, pruned trees and cost-sensitive wrappers, each with its trace.

A learner is declared in its own file; ``__init__.pyi`` lists them all for editors.
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
    """List the names of all learners.

    Returns
    -------
    list of str
        The classes of `howsure.learners`.

    Examples
    --------
    >>> from howsure import learners
    >>> learners.names()
    ['AdaBoost', 'Bagging', 'CostSensitive', 'PessimisticTree', 'RandomForest', 'Stacking']
    """
    return sorted(registry)


def __getattr__(name: str) -> Any:
    """Give a declared learner: ``learners.Bagging()``."""
    return registry.attribute(name, __name__)


def __dir__() -> list[str]:
    return sorted({*__all__, *registry})
