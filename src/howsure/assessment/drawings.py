"""The charts of an assessment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.curves import Curve, Line, roc
from howsure.measures.rates import false_positive_rate, recall
from howsure.tables import ScoreTable

if TYPE_CHECKING:
    from howsure.assessment.result import Assessment

BAND = "simultaneous"


def drawings(a: Assessment) -> dict[str, Callable[[], Any]]:
    """Return the charts by name, the most informative first."""
    labels: dict[str, Callable[[], Any]] = {"confusion": lambda: a.confusion, "iso_f": a.per_class}
    if a.scores is None or np.count_nonzero(a.confusion.sums.truth) < max(len(a.labels), 2):
        return labels  # a curve needs positive and negative cases
    if not isinstance(a.scores, ScoreTable):
        return {**labels, **{name: partial(a.by_class, name) for name in a.curves_that_apply(a.labels[0])}}
    curves = {name: partial(a.curve, name) for name in a.curves_that_apply()}
    return {roc.name: partial(_roc, a), **labels, **curves, roc.name: partial(_roc, a)}


def _roc(a: Assessment) -> Curve:
    """Return the ROC curve with its band and the point of the decisions."""
    curve = a.curve(roc.name, band=BAND)
    if a.threshold is not None:
        return curve  # which marks the point of the threshold
    x, y = a[false_positive_rate.name].value, a[recall.name].value
    point = Line(f"as predicted: recall {y:.3f}, false positive rate {x:.3f}", np.array([x]), np.array([y]))
    return replace(curve, lines=(*curve.lines, point))
