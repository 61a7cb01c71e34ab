"""Declare a learner once: a scikit-learn classifier under `declare_learner`, in a file of this room."""

from __future__ import annotations

from typing import Any, TypeVar

from howsure.registry import Registry

Learner = TypeVar("Learner", bound=type)

registry: Registry[Any] = Registry("learner", "`howsure.learners.names()` lists them")


def declare_learner(cls: Learner) -> Learner:
    """Register a class as a learner, by its name; experiment files have it as ``class = "howsure.learners.Name"``.

    Parameters
    ----------
    cls
        A classifier of scikit-learn.

    Returns
    -------
    type
        The class itself: it is a decorator.

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
