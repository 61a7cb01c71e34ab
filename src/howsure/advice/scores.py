"""Findings about scores."""

from __future__ import annotations

import math

import numpy as np

from howsure.advice.declare import advice
from howsure.errors import counted
from howsure.measures.ranking import auc
from howsure.tables import ScoreTable

PERCENT = 10  # scores look like percentages if none is negative and the largest is above this and at most 100
ROUNDED = 1.01  # largest value that rounding errors may give a probability


@advice("A007", "Infinite scores")
def infinite(scores: ScoreTable) -> str | None:
    """Infinite scores, which can be ranked but not averaged.

    Some scores are plus or minus infinity, such as the log odds of 0 or 1. Ranking measures treat them as the highest
    and lowest scores, tied with each other; measures of probabilities are undefined.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0, 0], scores=[float("inf"), 0.5, 0.4, -float("inf")])
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases support recall of 0 (2), recall of 1 (2), precision of 0 (1) and 1 more; expect
    wide intervals
    A007: 2 scores are infinite: they rank above or below all others, and tie with each other
    A016: the scores, from -inf to inf, are not probabilities: like the values of a decision function, they are
    compared with 0, unless `threshold` is given
    """
    if not any(map(math.isinf, _range(scores))):
        return None
    is_infinite = np.isinf(scores.scores)
    count = counted(float((scores.positives + scores.negatives)[is_infinite].sum()), "score", "is")
    return f"{count} infinite: they rank above or below all others, and tie with each other"


@advice("A008", "Constant scores")
def constant(scores: ScoreTable) -> str | None:
    """Scores that are all equal.

    All scores are equal, so they do not rank the cases, and the AUC is 0.5 whatever the classifier.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 0, 1, 0], scores=[0.5, 0.5, 0.5, 0.5])
    >>> for finding in a.findings:
    ...     print(finding)
    A002: the classifier never predicts 0, so its precision is undefined
    A004: fewer than 30 cases support recall of 0 (2), recall of 1 (2), precision of 1 (4); expect wide
    intervals
    A008: all scores are 0.5, so they do not rank the cases, and the AUC is 0.5 whatever the classifier
    """
    if len(scores) > 1:
        return None
    score = f"{scores.scores[0]:g}"
    return f"all scores are {score}, so they do not rank the cases, and the AUC is 0.5 whatever the classifier"


@advice("A009", "Worse than random")
def worse_than_random(scores: ScoreTable) -> str | None:
    """An AUC below 0.5: the scores rank the wrong way round.

    The AUC is below 0.5, so negatives tend to have higher scores than positives. Howsure never inverts scores by
    itself. Usually, the wrong class is treated as positive; give `positive=`.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0, 0], scores=[0.2, 0.6, 0.5, 0.7])
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases support recall of 0 (2), recall of 1 (2), precision of 0 (1) and 1 more; expect
    wide intervals
    A006: accuracy 0.250 is below the 0.500 obtained by always predicting the most frequent class; inverting every
    prediction would be better (0.750)
    A009: the AUC, 0.250, is worse than random; check the positive class (inverted scores have an AUC of 0.750)
    """
    if not (scores.n_positive and scores.n_negative):
        return None
    area = float(auc.value(scores.counts))
    if area >= 0.5:
        return None
    return (
        f"the AUC, {area:.3f}, is worse than random; check the positive class (inverted scores have an AUC of "
        f"{1 - area:.3f})"
    )


@advice("A014", "All scores on one side of the threshold")
def one_sided(scores: ScoreTable, threshold: float) -> str | None:
    """A threshold outside the range of the scores.

    Every score is at or above the threshold, or every score is below it. Without `threshold=`, scores from 0 to 1 are
    treated as probabilities with the threshold 0.5; all others are treated as the values of a decision function, which
    are positive for the positive class, with the threshold 0.

    If probabilities exceed 1 due to rounding errors, use `numpy.clip(p, 0, 1)`.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0], scores=[3, 2, 1], threshold=4)
    >>> for finding in a.findings:
    ...     print(finding)
    A002: the classifier never predicts 1, so its precision is undefined
    A004: fewer than 30 cases support recall of 0 (1), recall of 1 (2), precision of 0 (3); expect wide
    intervals
    A006: accuracy 0.333 is below the 0.667 obtained by always predicting the most frequent class
    A014: all scores, from 1 to 3, are below the threshold 4, so every case is predicted negative; give a
    `threshold` within this range
    """
    low, high = _range(scores)
    if low == high or _are_percentages(scores, threshold) or low < threshold <= high:
        return None
    side, answer = ("at or above", "positive") if threshold <= low else ("below", "negative")
    range_text = f"from {low:.3g} to {high:.3g}"
    message = f"all scores, {range_text}, are {side} the threshold {threshold:g}, so every case is predicted {answer}"
    if low >= 0 and 1 < high < ROUNDED:
        return f"{message}; they look like probabilities that slightly exceed 1: clip them, or give `threshold=0.5`"
    return f"{message}; give a `threshold` within this range"


@advice("A015", "Scores that look like percentages")
def percentages(scores: ScoreTable, threshold: float) -> str | None:
    """Scores from 0 to 100 with a threshold below 1.

    The scores lie between 0 and 100, well beyond 1, but the threshold is 0, as for a decision function, or another
    number below 1. Usually, such scores are percentages. Howsure never divides scores by itself, since a score of 1 may
    be 1 % or 100 %. Divide them by 100, which also allows the measures of probabilities, or give `threshold=50`.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0], scores=[95, 33.3, 0.5], threshold=0.5)
    >>> for finding in a.findings:
    ...     print(finding)
    A002: the classifier never predicts 0, so its precision is undefined
    A004: fewer than 30 cases support recall of 0 (1), recall of 1 (2), precision of 1 (3); expect wide
    intervals
    A015: the scores, from 0.5 to 95, look like percentages, but the threshold is 0.5; divide them by 100, or
    give `threshold=50`
    """
    if not _are_percentages(scores, threshold):
        return None
    low, high = _range(scores)
    return (
        f"the scores, from {low:.3g} to {high:.3g}, look like percentages, but the threshold is {threshold:g}; divide "
        "them by 100, or give `threshold=50`"
    )


@advice("A016", "Scores that are not probabilities")
def decision_values(scores: ScoreTable, threshold: float) -> str | None:
    """Scores on both sides of 0 with the threshold 0.

    The scores are not all between 0 and 1, and `threshold=` is 0 or was not given. They are treated as the values of a
    decision function, such as log odds, which are positive for the positive class. If they are something else, give the
    threshold. Ranking measures and curves do not depend on it; measures of probabilities are undefined.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([1, 1, 0], scores=[1, 0.5, -2])
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases support recall of 0 (1), recall of 1 (2), precision of 0 (1) and 1 more; expect
    wide intervals
    A016: the scores, from -2 to 1, are not probabilities: like the values of a decision function, they are
    compared with 0, unless `threshold` is given
    """
    low, high = _range(scores)
    if threshold != 0 or not low < 0 <= high:
        return None
    return (
        f"the scores, from {low:.3g} to {high:.3g}, are not probabilities: like the values of a decision "
        "function, they are compared with 0, unless `threshold` is given"
    )


def _range(scores: ScoreTable) -> tuple[float, float]:
    return float(scores.scores[-1]), float(scores.scores[0])


def _are_percentages(scores: ScoreTable, threshold: float) -> bool:
    low, high = _range(scores)
    return low >= 0 and PERCENT < high <= 100 and threshold < 1
