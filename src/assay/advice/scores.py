"""Findings on scores."""

from __future__ import annotations

import numpy as np

from assay.advice.declare import advice
from assay.tables import ScoreTable


@advice("A007", "Infinite scores")
def infinite(scores: ScoreTable) -> str | None:
    """Infinite scores can be ranked, but not averaged, nor distinguished from each other."""
    endless = np.isinf(scores.scores)
    if not endless.any():
        return None
    cases = (scores.positives + scores.negatives)[endless].sum()
    return f"{cases:g} scores are infinite: they rank above or below all others, and as equal among themselves"


@advice("A008", "Constant scores")
def constant(scores: ScoreTable) -> str | None:
    """Scores that are all equal rank nothing."""
    if len(scores) > 1:
        return None
    return f"all scores are {scores.scores[0]:g}, so they rank nothing and an AUC of 0.5 says no more than that"


@advice("A009", "Worse than random")
def worse_than_random(scores: ScoreTable) -> str | None:
    """An AUC below one half: the scores rank the wrong way round."""
    if not (scores.n_positive and scores.n_negative):
        return None
    pairs = scores.n_positive * scores.n_negative
    area = float((scores.negatives * (scores.tp - scores.positives / 2)).sum()) / pairs
    if area >= 0.5:
        return None
    return (
        f"the AUC {area:.3f} is worse than random; inverting the scores gives {1 - area:.3f}: check the positive class"
    )
