"""Curves of a score table, such as ROC curves, by name or alias."""

from typing import Any

from howsure.curves.band import with_band
from howsure.curves.curve import Curve, Line
from howsure.curves.curve_set import CurveSet
from howsure.curves.declare import DeclaredCurve, registry
from howsure.curves.fold_average import average_roc
from howsure.curves.reliability import BrierParts, brier_parts
from howsure.curves.threshold import by_threshold
from howsure.registry import import_modules

__all__ = [
    "BrierParts",
    "Curve",
    "CurveSet",
    "DeclaredCurve",
    "Line",
    "average_roc",
    "brier_parts",
    "by_threshold",
    "names",
    "registry",
    "with_band",
]

import_modules(__name__)


def names() -> list[str]:
    """List the names of all curves, in the order of their declaration.

    Returns
    -------
    list of str
        Names that `Assessment.curve` accepts.

    Examples
    --------
    >>> from howsure import curves
    >>> curves.names()[:3]
    ['roc', 'precision_recall', 'lift']
    """
    return list(registry)


def __getattr__(name: str) -> Any:
    """Return a declared curve, as in ``curves.roc(table)``."""
    if name in registry and not name.startswith("_"):
        return registry[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *registry]
