"""Findings on how a choice among models was made."""

from __future__ import annotations

from assay.advice.declare import advice
from assay.errors import listing


@advice("A011", "Test cases used more than once")
def touched_again(touches: tuple[str, ...]) -> str | None:
    """Test cases that were looked at before."""
    if len(touches) < 2:
        return None
    models = list(dict.fromkeys(touches))
    times = f"the test cases were looked at {len(touches)} times"
    if len(models) == 1:
        return f"{times}, always with {models[0]}: no harm is done as long as nothing is changed after it"
    return (
        f"{times}, with {len(models)} models ({listing(models)}); to report the best of them is to choose on the "
        "test cases, and its value is too good: take new cases for the last word"
    )
