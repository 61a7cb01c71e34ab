"""What a comparison has to know of its measure."""

from __future__ import annotations

from howsure.errors import HowsureError
from howsure.measures import Measure, registry
from howsure.measures.spec import read_spec
from howsure.significance.evidence import simulated_as


def declared(measure: str) -> Measure | None:
    """Find the declared measure of a name, which may have parameters; None for a measure of the user's own."""
    try:
        name = read_spec(measure)[0]
    except HowsureError:
        return None
    found: Measure | None = registry.get(name)
    return found


def tested_as(measure: Measure | None) -> str:
    """What tests have to know of a measure."""
    if measure is None:
        return "any"
    return "accuracy" if measure.of_accuracy is not None else "of_auc" if measure.of_auc is not None else "any"


def lab_name(measure: str) -> str:
    """The name under which the lab knows a measure of splits or data sets, which may be one of the user's own."""
    known = declared(measure)
    return measure if known is None or measure != known.name else simulated_as(known)
