"""Findings on scores."""

from __future__ import annotations

import numpy as np

from assay.advice.declare import advice
from assay.tables import ScoreTable


@advice("A007", "Infinite scores")
def infinite(scores: ScoreTable) -> str | None:
    """Infinite scores can be ranked, but not averaged, nor distinguished from each other.

    Some scores are plus or minus infinity (log odds of 0 or 1, for instance). Ranking measures take them as the highest
    and lowest of all, equal among themselves; measures of probabilities are undefined.
    """
    endless = np.isinf(scores.scores)
    if not endless.any():
        return None
    cases = (scores.positives + scores.negatives)[endless].sum()
    return f"{cases:g} scores are infinite: they rank above or below all others, and as equal among themselves"


@advice("A008", "Constant scores")
def constant(scores: ScoreTable) -> str | None:
    """Scores that are all equal rank nothing.

    All scores are equal. Nothing is ranked, so the AUC is one half whatever the classifier.
    """
    if len(scores) > 1:
        return None
    return f"all scores are {scores.scores[0]:g}, so they rank nothing and an AUC of 0.5 says no more than that"


@advice("A009", "Worse than random")
def worse_than_random(scores: ScoreTable) -> str | None:
    """An AUC below one half: the scores rank the wrong way round.

    The AUC is below one half: negatives score higher than positives. Assay never flips scores by itself. Mostly the
    positive class is not the one meant; give `positive=`.
    """
    if not (scores.n_positive and scores.n_negative):
        return None
    pairs = scores.n_positive * scores.n_negative
    area = float((scores.negatives * (scores.tp - scores.positives / 2)).sum()) / pairs
    if area >= 0.5:
        return None
    return (
        f"the AUC {area:.3f} is worse than random; inverting the scores gives {1 - area:.3f}: check the positive class"
    )
