"""Measures of classifiers, by name or alias."""

from __future__ import annotations

from typing import Any

import numpy as np

# Measures are shown in the order of these imports, followed by all others.
# isort: off
from howsure.errors import must
from howsure.measures import agreement  # noqa: F401
from howsure.measures import rates  # noqa: F401
from howsure.measures import cost  # noqa: F401
from howsure.measures import ranking  # noqa: F401
from howsure.measures import probability  # noqa: F401

# isort: on
from howsure.measures.declare import Measure, Ratio, divide, get, measure, registry
from howsure.measures.estimate.labels import estimate
from howsure.measures.estimate.scores import estimate_scores
from howsure.registry import import_modules
from howsure.tables import Confusion

import_modules(__name__, below=False)  # the package `estimate` declares no measures

__all__ = ["Measure", "Ratio", "divide", "estimate", "estimate_scores", "get", "measure", "names", "registry", "values"]


def names() -> list[str]:
    """Return the canonical names of all measures.

    Returns
    -------
    list of str
        Names for the brackets of an assessment, in the order of declaration.

    Examples
    --------
    >>> from howsure import measures
    >>> measures.names()[:3]
    ['accuracy', 'error_rate', 'balanced_accuracy']
    """
    return list(registry)


def values(table: Confusion) -> dict[str, Any]:
    """Compute all measures of labels on one or more tables.

    Measures with required parameters are omitted. Measures of one class have a value for each class on the last axis.

    Parameters
    ----------
    table
        A `Confusion` of any leading shape.

    Returns
    -------
    dict of arrays
        The values by name of the measure; NaN if undefined.

    Examples
    --------
    >>> from howsure import Confusion
    >>> from howsure.measures import values
    >>> computed = values(Confusion([[[8, 2], [1, 9]], [[5, 5], [5, 5]]]))
    >>> computed["accuracy"].tolist(), computed["recall"].shape
    ([0.85, 0.5], (2, 2))
    """
    if not isinstance(table, Confusion):
        must("table", "a `Confusion`", given=table)
    sums, classes = table.sums, table.one_versus_rest
    with np.errstate(all="ignore"):
        return {
            name: declared.value(sums if declared.scope == "overall" else classes)
            for name, declared in registry.items()
            if declared.scope in ("class", "overall") and not declared.on_request
        }
