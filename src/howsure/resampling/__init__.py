"""Resampling: schemes that split rows into training and test sets, and error estimators.

``__init__.pyi`` lists all schemes for editors. The estimators need most of the library, so they are imported on first
use.
"""

from typing import Any

from howsure import tables
from howsure.registry import import_modules
from howsure.resampling import error
from howsure.resampling.declare import Scheme, registry
from howsure.resampling.foreign import as_scheme
from howsure.resampling.index_sets import Split, Splits
from howsure.tables.design import Design

import_modules(__name__, below=False)

LATER: dict[str, Any] = {"FoldTable": tables, **dict.fromkeys(error.__all__, error)}  # imported on first use

__all__ = ["Design", "Scheme", "Split", "Splits", "as_scheme", "registry", *LATER, *registry]


def __getattr__(name: str) -> Any:
    """Return a scheme, or import a name on first use."""
    return getattr(LATER[name], name) if name in LATER else registry.attribute(name, __name__)


def __dir__() -> list[str]:
    return sorted({*__all__, *registry})
