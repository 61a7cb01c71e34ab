"""Steps shared by tests of any measure."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.checks import one_of
from howsure.data.encode import Label
from howsure.data.read.gather import gather_each
from howsure.errors import HowsureError
from howsure.measures import Measure
from howsure.measures.estimate.difference import Difference
from howsure.results import Estimate, TestResult
from howsure.tables import PairedScores, PairedTable

SAME = "the classifiers give the same answer for every case, so there is no difference to test"


def paired_table(
    truth: Any, a: Any, b: Any, measure: Measure, labels: Any, positive: Any
) -> tuple[PairedTable | PairedScores, Label | None]:
    """Return the paired table, and the class if the measure is of one class."""
    if isinstance(truth, PairedTable | PairedScores):
        if not (a is None and b is None and labels is None):
            raise HowsureError("a paired table already holds labels and answers: leave out `a`, `b` and `labels`.")
        if positive is not None:
            one_of("positive", positive, truth.labels)
        if isinstance(truth, PairedTable):
            return truth, truth.labels[1] if positive is None and truth.k == 2 else positive
        if positive is not None and (truth.positive is None or truth.labels[truth.positive] != positive):
            raise HowsureError("`positive` must be the positive class of the paired scores.")
        return truth, None
    if measure.scope in ("class", "overall"):
        both = gather_each(truth, "predicted", {"a": a, "b": b}, labels=labels, positive=positive)
        return PairedTable.from_predictions(both["a"], both["b"]), both["a"].classes.positive
    if np.ndim(a) != np.ndim(b):
        raise HowsureError("`a` and `b` must both be one column of scores, or both have a column for each class.")
    both = gather_each(truth, "scores", {"a": a, "b": b}, labels=labels, positive=positive)
    return PairedScores.from_predictions(both["a"], both["b"], all_classes=measure.scope == "rows"), None


def measure_name(estimate: Estimate) -> str:
    return f"{estimate.name} ({estimate.of})" if estimate.of else estimate.name


def without_test(difference: Difference, name: str, alternative: str) -> TestResult:
    """Return the result for an undefined difference, or for equal answers."""
    if difference.reason:
        note = f"undefined for `{'a' if difference.first.undefined else 'b'}`, because {difference.reason}"
        return TestResult(math.nan, math.nan, math.nan, name, None, alternative, (note,))
    return TestResult(0.0, 1.0, 0.0, name, None, alternative, (SAME,), 0.0)
