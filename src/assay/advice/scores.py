"""Findings on scores."""

from __future__ import annotations

import numpy as np

from assay.advice.declare import Evidence, advice


@advice("A007", "Infinite scores")
def infinite(found: Evidence) -> str | None:
    """Scores without end rank, but cannot be told apart or averaged."""
    if found.scores is None:
        return None
    table = found.scores
    endless = np.isinf(table.scores)
    if not endless.any():
        return None
    cases = (table.positives + table.negatives)[endless].sum()
    return f"{cases:g} scores are infinite: they rank above or below all others, and as equal among themselves"


@advice("A008", "Constant scores")
def constant(found: Evidence) -> str | None:
    """Scores that are all equal rank nothing."""
    if found.scores is None or len(found.scores) > 1:
        return None
    return f"all scores are {found.scores.scores[0]:g}, so they rank nothing and an AUC of 0.5 says no more than that"


@advice("A009", "Worse than random")
def worse_than_random(found: Evidence) -> str | None:
    """An AUC below one half: the scores rank the wrong way round."""
    table = found.scores
    if table is None or not (table.n_positive and table.n_negative):
        return None
    pairs = table.n_positive * table.n_negative
    area = float((table.negatives * (table.tp - table.positives / 2)).sum()) / pairs
    if area >= 0.5:
        return None
    return (
        f"the AUC {area:.3f} is worse than random; inverting the scores gives {1 - area:.3f}: check the positive class"
    )
