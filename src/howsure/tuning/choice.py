"""Choice of the best value of a measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.arrays import Floats
from howsure.errors import HowsureError, must
from howsure.measures import Measure, registry
from howsure.measures.spec import read_spec

ROUNDING = 1e-12  # smaller differences between values are ignored


def check_measure(measure: str, learner: Any, *, to_choose: bool = False) -> Measure:
    """Return a declared measure; reject it if it needs scores the learner lacks or has no direction."""
    if isinstance(learner, type) or not (hasattr(learner, "fit") and hasattr(learner, "predict")):
        must("learner", "an object with `fit` and `predict`", given=learner)
    name, parameters = read_spec(measure)
    declared = registry[name]
    declared.check(parameters)
    if declared.scope in ("score", "rows") and not any(
        hasattr(learner, method) for method in ("predict_proba", "decision_function")
    ):
        raise HowsureError(
            f"`{declared.name}` is a measure of scores, and the learner has no `predict_proba` or `decision_function`."
        )
    if to_choose and declared.better is None:
        raise HowsureError(f"`{declared.name}` has no better or worse values, so it cannot be used to choose.")
    return declared


def declared_measure(measure: str) -> Measure:
    return registry[read_spec(measure)[0]]


def best_index(values: Floats, measure: Measure, undefined: Mapping[Any, str]) -> int:
    """Return the index of the best value, or of the first one among ties; NaN is never the best."""
    if np.isnan(values).all():
        reason = next(iter(undefined.values()), "no split has a value")
        raise HowsureError(f"`{measure.name}` is undefined for every setting: {reason.rstrip('.')}.")
    loss = values if measure.better == "lower" else -values
    return int(np.flatnonzero(loss <= np.nanmin(loss) + ROUNDING)[0])
