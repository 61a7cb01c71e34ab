"""The interval of the average precision: the variance of each case's influence, on the logit scale.

A positive counts by the precision at its own score and by what it adds to that at all lower ones; a negative by what it
takes from them. A case at the very top changes most, and a sample may hold none, so a little is added for a positive
and for a negative that might have been drawn. `docs/decisions/2026-11-16-score-intervals.md` has the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from howsure.intervals.auc import student, too_few
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.results import Interval

LEAST = 5  # cases of each class
ADDED_POSITIVES, ADDED_NEGATIVES = 1.0, 2.0  # cases' worth of the variance that such a case would bring
OF_NEGATIVES, MOST_NEGATIVES = 0.1, 0.25  # added instead, where there are many: a share of them, and the most it may be
DRAWN_DOWN = 0.5  # positives half-way to chance that move the centre


@dataclass(frozen=True)
class Precision:
    """An average precision, the cases of both classes, its variance, and the square of one negative's influence."""

    value: float
    n_positive: float
    n_negative: float
    variance: float
    of_a_negative: float  # its mean where positives are


@method("logit-precision", title="logit interval of the average precision", needs="precision")
def _logit_precision(basis: Basis, request: Request) -> Interval:
    """Take the variance of each case's influence, with Student's quantile for the rarer class, on the logit scale."""
    seen: Precision = basis.evidence
    n = seen.n_positive
    if min(n, seen.n_negative) < LEAST:
        reason = too_few(n, seen.n_negative, "the average precision", LEAST)
        return request.undefined(reason, "logit-precision")
    low, high = _on_logit_scale(seen, request)
    return request.close(low, high if seen.value < 1 else 1.0, "logit-precision", basis.span)


def _on_logit_scale(seen: Precision, request: Request) -> Span:
    """Give both ends about a centre that is drawn to chance a little."""
    n, negatives = seen.n_positive, seen.n_negative
    chance = n / (n + negatives)
    value = (seen.value * n + DRAWN_DOWN * (seen.value + chance) / 2) / (n + DRAWN_DOWN)
    binomial = value * (1 - value)
    unseen = (ADDED_POSITIVES * binomial + ((seen.value - chance) / 2) ** 2 / 2) / (n + 1) ** 2
    # Of many negatives few are among the positives, and where precision is high a sample may miss the one at the top.
    added = min(max(ADDED_NEGATIVES, OF_NEGATIVES * negatives) * binomial, MOST_NEGATIVES)
    variance = seen.variance * n / (n - 1) + added * seen.of_a_negative + unseen
    # Chance raises the value, so that the lower end errs more often: it has the fewer degrees of freedom.
    freedoms = min(n, negatives) - 1, min(2 * (n - 1), negatives - 1)
    down, up = (min(student(freedom, request) * math.sqrt(variance) / binomial, 700.0) for freedom in freedoms)
    low, high = (1 / (1 + (1 - value) / value * math.exp(move)) for move in (down, -up))
    return low, high
