"""Registration of learners."""

from __future__ import annotations

from typing import Any, TypeVar

from howsure.registry import Registry

Learner = TypeVar("Learner", bound=type)

registry: Registry[Any] = Registry("learner", "`howsure.learners.names()` lists them")


def declare_learner(cls: Learner) -> Learner:
    """Register a classifier as a learner.

    Experiment files refer to it as ``class = "howsure.learners.Name"``.

    Parameters
    ----------
    cls
        A class with the interface of a scikit-learn classifier.

    Returns
    -------
    type
        The class itself, so that this can be used as a decorator.

    Examples
    --------
    >>> from howsure.learners import declare_learner, names, registry
    >>> from sklearn.dummy import DummyClassifier
    >>> with registry.restored():
    ...     Own = declare_learner(type("Own", (DummyClassifier,), {}))
    ...     "Own" in names()
    True
    """
    registry.add(cls.__name__, cls)
    return cls
