"""Resampling: schemes that make splits with a fingerprint, and the error estimators built on them.

A scheme is declared in its own file; ``__init__.pyi`` lists them all for editors.
"""

from typing import Any

from assay.registry import import_modules
from assay.resampling.bootstrap_error import bootstrap_error
from assay.resampling.declare import Scheme, registry
from assay.resampling.foreign import as_scheme
from assay.resampling.index_sets import Split, Splits
from assay.resampling.nested_error import conservative_z_error, nested_cv_error
from assay.tables import Design
from assay.tables.folds import FoldTable

import_modules(__name__)

__all__ = [
    "Design",
    "FoldTable",
    "Scheme",
    "Split",
    "Splits",
    "as_scheme",
    "bootstrap_error",
    "conservative_z_error",
    "nested_cv_error",
    "registry",
    *registry,
]


def __getattr__(name: str) -> Any:
    """Give a declared scheme: ``resampling.KFold(10)``."""
    return registry.attribute(name, __name__)


def __dir__() -> list[str]:
    return sorted({*__all__, *registry})
