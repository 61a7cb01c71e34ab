"""Look up the measure of a comparison."""

from __future__ import annotations

from howsure.errors import HowsureError
from howsure.measures import Measure, registry
from howsure.measures.spec import read_spec
from howsure.significance.evidence import simulated_as


def declared(measure: str) -> Measure | None:
    """Return the declared measure with this name; None for a user-defined one."""
    try:
        name = read_spec(measure)[0]
    except HowsureError:
        return None
    registered: Measure | None = registry.get(name)
    return registered


def tested_as(measure: Measure | None) -> str:
    """Return the kind of measure by which tests are chosen."""
    if measure is None:
        return "any"
    return "accuracy" if measure.of_accuracy is not None else "of_auc" if measure.of_auc is not None else "any"


def lab_name(measure: str) -> str:
    """Return the name under which the lab simulated a measure."""
    registered = declared(measure)
    return measure if registered is None or measure != registered.name else simulated_as(registered)
