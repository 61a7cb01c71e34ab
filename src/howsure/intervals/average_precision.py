"""Interval for the average precision.

It is computed on the logit scale, from the variance of the cases' influences. A positive contributes the precision at
its score, and raises the precision at all lower scores; a negative lowers it. The variance of the average precision is
that of the sum of these influences. Cases with the highest scores have the largest influence, and a sample may contain
none of these, so the variances of a few pseudo-cases are added. The constants were chosen by simulation; the coverage
is in docs/decisions/2026-11-18-score-intervals.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from howsure.intervals.auc import student, too_few
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.delta import logit_limits
from howsure.results import Interval

MINIMUM = 5  # minimum number of cases of each class for an interval
ADDED_POSITIVES, ADDED_NEGATIVES = 1.0, 2.0  # numbers of pseudo-cases whose variance is added
OF_NEGATIVES, MAX_NEGATIVES = (
    0.1,
    0.25,
)  # with many negatives, 10 % of them are added instead, weighted by p (1 - p), at most 0.25
DRAWN_DOWN = 0.5  # number of pseudo-positives that shrink the centre, each with half the excess over chance


@dataclass(frozen=True)
class Precision:
    """An average precision with its variance and the class sizes."""

    value: float
    n_positive: float
    n_negative: float
    variance: float
    of_a_negative: float  # squared influence of a negative, averaged over the scores of positives


@method("logit-precision", title="logit interval for the average precision", needs="precision")
def _logit_precision(basis: Basis, request: Request) -> Interval:
    """Variance of influences, with Student's quantile for the rarer class."""
    precision: Precision = basis.evidence
    n = precision.n_positive
    if min(n, precision.n_negative) < MINIMUM:
        reason = too_few(n, precision.n_negative, "the average precision", MINIMUM)
        return request.undefined(reason, "logit-precision")
    low, high = _on_logit_scale(precision, request)
    return request.close(low, high if precision.value < 1 else 1.0, "logit-precision", basis.span)


def _on_logit_scale(precision: Precision, request: Request) -> Span:
    """Return the limits around a centre that is shrunk towards chance."""
    n, negatives = precision.n_positive, precision.n_negative
    chance = n / (n + negatives)
    value = (precision.value * n + DRAWN_DOWN * (precision.value + chance) / 2) / (n + DRAWN_DOWN)
    binomial = value * (1 - value)
    of_positives = (ADDED_POSITIVES * binomial + ((precision.value - chance) / 2) ** 2 / 2) / (n + 1) ** 2
    # With many negatives and a high precision, few negatives have high scores, and the sample may lack the next one.
    added = min(max(ADDED_NEGATIVES, OF_NEGATIVES * negatives) * binomial, MAX_NEGATIVES)
    variance = precision.variance * n / (n - 1) + added * precision.of_a_negative + of_positives
    # The value is biased upwards, so the lower limit is wrong more often and gets fewer degrees of freedom.
    freedoms = min(n, negatives) - 1, min(2 * (n - 1), negatives - 1)
    down, up = (student(freedom, request) * math.sqrt(variance) / binomial for freedom in freedoms)
    return logit_limits(value, down, up)
