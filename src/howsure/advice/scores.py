"""Findings on scores."""

from __future__ import annotations

import math

import numpy as np

from howsure.advice.declare import advice
from howsure.errors import counted
from howsure.measures.ranking import auc
from howsure.tables import ScoreTable

PERCENT = 10  # scores from 0 to more than this, and at most 100, look like percentages
BEYOND = 1.01  # probabilities that were rounded or added up go beyond 1, but not by more


@advice("A007", "Infinite scores")
def infinite(scores: ScoreTable) -> str | None:
    """Infinite scores can be ranked, but not averaged, nor distinguished from each other.

    Some scores are plus or minus infinity (log odds of 0 or 1, for instance). Ranking measures take them as the highest
    and lowest of all, equal among themselves; measures of probabilities are undefined.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0, 0], scores=[float("inf"), 0.5, 0.4, -float("inf")])
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases are behind recall of 0 (2), recall of 1 (2), precision of 0 (1) and 1 more; mind
    the intervals
    A007: 2 scores are infinite: above or below all others in rank, and equal to each other
    A016: the scores, from -inf to inf, are no probabilities: as those of a decision function they are cut at 0,
    unless `threshold` says otherwise
    """
    if not any(map(math.isinf, _range(scores))):
        return None
    endless = np.isinf(scores.scores)
    cases = counted(float((scores.positives + scores.negatives)[endless].sum()), "score", "is")
    return f"{cases} infinite: above or below all others in rank, and equal to each other"


@advice("A008", "Constant scores")
def constant(scores: ScoreTable) -> str | None:
    """Scores that are all equal rank nothing.

    All scores are equal. Nothing is ranked, so the AUC is one half whatever the classifier.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 0, 1, 0], scores=[0.5, 0.5, 0.5, 0.5])
    >>> for finding in a.findings:
    ...     print(finding)
    A002: the classifier never predicts 0, so precision is undefined there
    A004: fewer than 30 cases are behind recall of 0 (2), recall of 1 (2), precision of 1 (4); mind the
    intervals
    A008: all scores are 0.5, so they rank nothing and an AUC of 0.5 says no more than that
    """
    if len(scores) > 1:
        return None
    return f"all scores are {scores.scores[0]:g}, so they rank nothing and an AUC of 0.5 says no more than that"


@advice("A009", "Worse than random")
def worse_than_random(scores: ScoreTable) -> str | None:
    """An AUC below one half: the scores rank the wrong way round.

    The AUC is below one half: negatives score higher than positives. Howsure never flips scores by itself. Mostly the
    positive class is not the one meant; give `positive=`.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0, 0], scores=[0.2, 0.6, 0.5, 0.7])
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases are behind recall of 0 (2), recall of 1 (2), precision of 0 (1) and 1 more; mind
    the intervals
    A006: accuracy 0.250 is below the 0.500 of always predicting the most frequent class; inverting every
    prediction would be better (0.750)
    A009: the AUC 0.250 is worse than random; inverting the scores gives 0.750: check the positive class
    """
    if not (scores.n_positive and scores.n_negative):
        return None
    area = float(auc.value(scores.counts))
    if area >= 0.5:
        return None
    return (
        f"the AUC {area:.3f} is worse than random; inverting the scores gives {1 - area:.3f}: check the positive class"
    )


@advice("A014", "All scores on one side of the threshold")
def one_sided(scores: ScoreTable, threshold: float) -> str | None:
    """Scores that the threshold does not divide: every case gets the same answer.

    Every score is at or above the threshold, or every score is below it, so that all cases get the same answer.
    Without `threshold=`, scores from 0 to 1 are taken for probabilities and cut at one half; all others are taken for
    the values of a decision function, which are positive where it decides for the positive class, and cut at 0.

    Probabilities that go beyond 1 in their last digits are brought back by `numpy.clip(p, 0, 1)`.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0], scores=[3, 2, 1], threshold=4)
    >>> for finding in a.findings:
    ...     print(finding)
    A002: the classifier never predicts 1, so precision is undefined there
    A004: fewer than 30 cases are behind recall of 0 (1), recall of 1 (2), precision of 0 (3); mind the
    intervals
    A006: accuracy 0.333 is below the 0.667 of always predicting the most frequent class
    A014: all scores, from 1 to 3, are below the threshold 4, so every case is called negative; give a
    `threshold` between the two
    """
    low, high = _range(scores)
    if low == high or _are_percentages(scores, threshold) or low < threshold <= high:
        return None
    side, answer = ("at or above", "positive") if threshold <= low else ("below", "negative")
    range_text = f"from {low:.3g} to {high:.3g}"
    message = f"all scores, {range_text}, are {side} the threshold {threshold:g}, so every case is called {answer}"
    if low >= 0 and 1 < high < BEYOND:
        return f"{message}; they look like probabilities that go beyond 1: clip them, or give `threshold=0.5`"
    return f"{message}; give a `threshold` between the two"


@advice("A015", "Scores that look like percentages")
def percentages(scores: ScoreTable, threshold: float) -> str | None:
    """Scores from 0 to 100, and a threshold that was not made for them.

    The scores lie between 0 and 100, well beyond 1, and they are cut at 0, as those of a decision function, or at a
    share below 1. Mostly they are percentages. Howsure never divides scores by itself: a score of 1 may be 1 % or
    100 %. Give them divided by 100, which also gives the measures of probabilities, or `threshold=50`.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0], scores=[95, 33.3, 0.5], threshold=0.5)
    >>> for finding in a.findings:
    ...     print(finding)
    A002: the classifier never predicts 0, so precision is undefined there
    A004: fewer than 30 cases are behind recall of 0 (1), recall of 1 (2), precision of 1 (3); mind the
    intervals
    A015: the scores, from 0.5 to 95, look like percentages, and those from 0.5 on are called positive; give
    them divided by 100, or `threshold=50`
    """
    if not _are_percentages(scores, threshold):
        return None
    low, high = _range(scores)
    return (
        f"the scores, from {low:.3g} to {high:.3g}, look like percentages, and those from {threshold:g} on are called "
        "positive; give them divided by 100, or `threshold=50`"
    )


@advice("A016", "Scores that are not probabilities")
def decision_values(scores: ScoreTable, threshold: float) -> str | None:
    """Scores on both sides of 0, cut at 0.

    The scores are not all between 0 and 1, and no `threshold=` was given, or 0 was: they are taken for the values of a
    decision function, log odds for instance, which is positive where it decides for the positive class. If that is not
    what they are, give the threshold. Ranking measures and curves do not depend on it; those of probabilities are
    undefined.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0], scores=[1, 0.5, -2])
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases are behind recall of 0 (1), recall of 1 (2), precision of 0 (1) and 1 more; mind
    the intervals
    A016: the scores, from -2 to 1, are no probabilities: as those of a decision function they are cut at 0,
    unless `threshold` says otherwise
    """
    low, high = _range(scores)
    if threshold != 0 or not low < 0 <= high:
        return None
    return (
        f"the scores, from {low:.3g} to {high:.3g}, are no probabilities: as those of a decision function they are cut "
        "at 0, unless `threshold` says otherwise"
    )


def _range(scores: ScoreTable) -> tuple[float, float]:
    return float(scores.scores[-1]), float(scores.scores[0])


def _are_percentages(scores: ScoreTable, threshold: float) -> bool:
    low, high = _range(scores)
    return low >= 0 and PERCENT < high <= 100 and threshold < 1
