"""Findings on how learners were combined."""

from __future__ import annotations

from assay.advice.declare import advice

IN_SAMPLE = "in-sample"


@advice("A012", "Combiner trained on what its parts were trained on")
def combined_in_sample(stacking: str) -> str | None:
    """Stacking whose combiner saw predictions of the base learners on their own training cases."""
    if stacking != IN_SAMPLE:
        return None
    return (
        "the combiner was trained on what its base learners predict for their own training cases; that looks better "
        "than it is, so the combiner trusts most whichever of them overfits most; train it on out-of-fold "
        "predictions, as is the default"
    )
