"""Interval for a partial area under the ROC curve, on the logit scale.

As a share of its window of false positive rates, the area is the mean over the positives of the fraction of the window
that lies above their false positive rates. It is also the mean over the negatives of the recall at their scores (for
scores outside the window, at its nearer end). The variance is the sum of the variances of the two means, as for the
whole area (DeLong, DeLong and Clarke-Pearson 1988). Since few cases are in the window, and the sample may lack those
that change the area most, a pseudo-case is added to each class. The coverage is in
docs/decisions/2026-11-18-score-intervals.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from howsure.intervals.auc import satterthwaite, student, too_few
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.delta import logit_limits
from howsure.results import Interval

MINIMUM = 5  # minimum number of cases of each class for an interval
ADDED = 1.0  # number of pseudo-cases, which contribute 1/2 on average


@dataclass(frozen=True)
class PartialArea:
    """An area as a share of its window, with the variance due to each class.

    ``width`` is the share of negatives in the window (or of positives, for a window of recalls). The estimate is
    ``slope * share + offset``.
    """

    share: float
    variances: tuple[float, float]
    cases: tuple[float, float]
    width: float
    slope: float
    offset: float

    @property
    def variance(self) -> float:
        return self.slope**2 * sum(self.variances)

    @property
    def inside(self) -> float:
        """The number of cases in the window."""
        return self.width * self.cases[1]

    def drawn(self, added: float) -> float:
        """Return the share after adding pseudo-cases that contribute 1/2."""
        n = max(min(self.cases[0], self.inside), 1.0)
        return (self.share * n + added / 2) / (n + added)


@method("logit-partial", title="logit interval for a partial area", needs="partial area")
def _logit_partial(basis: Basis, request: Request) -> Interval:
    """Variance of the cases' contributions, with Student's quantile."""
    area: PartialArea = basis.evidence
    if min(area.cases) < MINIMUM:
        return request.undefined(too_few(*area.cases, "a partial area", MINIMUM), "logit-partial")
    if area.inside < 1:
        reason = f"the window contains {area.inside:.2g} cases, and an interval of a partial area needs at least one"
        return request.undefined(reason, "logit-partial")
    both = [_on_logit_scale(area, request, area.drawn(added)) for added in (0.0, ADDED)]
    low, high = min(low for low, _ in both), max(high for _, high in both)
    low, high = area.slope * low + area.offset, area.slope * high + area.offset
    return request.close(low, high, "logit-partial", basis.span)


def _on_logit_scale(area: PartialArea, request: Request, centre: float) -> Span:
    """Return both limits around a share, or the share itself if it is 0 or 1."""
    if not 0 < centre < 1:
        return centre, centre
    freedoms = area.cases[0] - 1, area.cases[1] - 1
    sampled = sum(part * n / (n - 1) for part, n in zip(area.variances, area.cases, strict=True))
    share = area.drawn(ADDED)
    added = ADDED * share * (1 - share) * (1 / (area.cases[0] + 1) ** 2 + 1 / (area.inside + 1) ** 2)
    quantile = student(satterthwaite(area.variances, freedoms), request)
    reach = quantile * math.sqrt(sampled + added) / (centre * (1 - centre))
    return logit_limits(centre, reach, reach)
