"""Measures: declared once, by family, and found by name or alias."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.measures import agreement, cost, rates  # noqa: F401 - the families register themselves
from assay.measures.declare import Measure, Ratio, divide, get, measure, registry
from assay.measures.estimates import estimate
from assay.tables import Confusion

__all__ = ["Measure", "Ratio", "divide", "estimate", "get", "measure", "names", "registry", "values"]


def names() -> list[str]:
    """List the canonical names of all measures, in the order of their declaration."""
    return list(registry)


def values(table: Confusion) -> dict[str, Any]:
    """Compute every measure that needs no parameter, on a table or a batch of tables, as plain arrays.

    Measures of one class have one value per class, on the last axis.
    """
    sums, classes = table.sums, table.one_versus_rest
    with np.errstate(all="ignore"):
        return {
            name: declared.value(sums if declared.scope == "overall" else classes)
            for name, declared in registry.items()
            if not declared.on_request
        }
