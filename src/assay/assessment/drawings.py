"""What can be drawn of an assessment: the confusion table, precision against recall, and every curve that applies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.curves import Curve, Line, registry, roc
from assay.measures.rates import false_positive_rate, recall
from assay.tables import ScoreTable

if TYPE_CHECKING:
    from assay.assessment.result import Assessment

BAND = "simultaneous"


def drawings(a: Assessment) -> dict[str, Callable[[], Any]]:
    """Name the drawings of an assessment, what says most first."""
    labels: dict[str, Callable[[], Any]] = {"confusion": lambda: a.confusion, "iso_f": a.per_class}
    table = a.scores if isinstance(a.scores, ScoreTable) else None
    if table is None or not (table.n_positive and table.n_negative):
        return labels
    curves = {name: partial(a.curve, name) for name, declared in registry.items() if declared.applies(table)}
    return {roc.name: partial(_roc, a), **labels, **curves, roc.name: partial(_roc, a)}


def _roc(a: Assessment) -> Curve:
    """Give the ROC curve with its band, and the point on it at which the classifier decides."""
    curve = a.curve(roc.name, band=BAND)
    x, y = a[false_positive_rate.name], a[recall.name]
    name = f"as decided: recall {y:.3f}, false positive rate {x:.3f}"
    return replace(curve, lines=(*curve.lines, Line(name, np.array([x.value]), np.array([y.value]))))
