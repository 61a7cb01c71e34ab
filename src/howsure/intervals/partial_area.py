"""The interval of the area under a part of the ROC curve: the variance of each case's part in it, on the logit scale.

As a share of its window the area is a mean of positives, each counting by how much of the window lies behind it, and of
negatives, each by the recall where it stands, those outside by that at the nearer end. Few cases are in the window, and
a sample may not show those that would change the area most, so a case is added of either class.
`docs/decisions/2026-11-16-score-intervals.md` has the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from howsure.intervals.auc import satterthwaite, student, too_few
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.results import Interval

LEAST = 5  # cases of each class
ADDED = 1.0  # case whose part is one half on average


@dataclass(frozen=True)
class PartialArea:
    """An area as a share of its window, its variance from each class, and their cases.

    ``width`` is the window's share of the negatives (of the positives, if it is one of recalls). The estimate is
    ``slope`` times the share, plus ``offset``.
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
        """Cases in the window, of the class that it is a share of."""
        return self.width * self.cases[1]

    def drawn(self, added: float) -> float:
        """Give the share with cases added whose part is one half."""
        n = max(min(self.cases[0], self.inside), 1.0)
        return (self.share * n + added / 2) / (n + added)


@method("logit-partial", title="logit interval of a partial area", needs="partial area")
def _logit_partial(basis: Basis, request: Request) -> Interval:
    """Take the variance of each case's part, with Student's quantile, about the share with a case added and without."""
    seen: PartialArea = basis.evidence
    if min(seen.cases) < LEAST:
        return request.undefined(too_few(*seen.cases, "a partial area", LEAST), "logit-partial")
    if seen.inside < 1:
        reason = f"the window holds {seen.inside:.2g} cases, too few for an interval of a partial area; it needs one"
        return request.undefined(reason, "logit-partial")
    both = [_on_logit_scale(seen, request, seen.drawn(added)) for added in (0.0, ADDED)]
    low, high = min(low for low, _ in both), max(high for _, high in both)
    low, high = seen.slope * low + seen.offset, seen.slope * high + seen.offset
    return request.close(low, high, "logit-partial", basis.span)


def _on_logit_scale(seen: PartialArea, request: Request, centre: float) -> Span:
    """Give both ends about this share, which has none but itself where it is 0 or 1."""
    if not 0 < centre < 1:
        return centre, centre
    freedoms = seen.cases[0] - 1, seen.cases[1] - 1
    seen_variance = sum(part * n / (n - 1) for part, n in zip(seen.variances, seen.cases, strict=True))
    share = seen.drawn(ADDED)
    unseen = ADDED * share * (1 - share) * (1 / (seen.cases[0] + 1) ** 2 + 1 / (seen.inside + 1) ** 2)
    quantile = student(satterthwaite(seen.variances, freedoms), request)
    reach = min(quantile * math.sqrt(seen_variance + unseen) / (centre * (1 - centre)), 700.0)
    low, high = (1 / (1 + (1 - centre) / centre * math.exp(move)) for move in (reach, -reach))
    return low, high
