"""Intervals for a rate corrected for the errors of a judge.

The estimate (Rogan and Gladen 1978) is (judged + specificity - 1) / (sensitivity + specificity - 1), the ratio of an
excess to the judge's skill. All three proportions have sampling errors. The default interval contains the rates r for
which |excess - r skill| <= z standard errors (Fieller 1954), after adding a few successes and failures to each
proportion, as in Lang and Reiczigel (2014). The coverage is in docs/decisions/2026-11-18-judged-labels.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval

UNIT: Span = (0.0, 1.0)
NONE_FITS = (
    "no rate fits: the judge called fewer or more cases positive than its sensitivity and specificity allow; "
    "check that all labels are by the same judge, on cases of the same kind"
)
NOT_NARROWED = "the labels say nothing about the rate: the judge's sensitivity and specificity are too uncertain"


@dataclass(frozen=True)
class Share:
    """A proportion ``found`` / ``of``, or a ``known`` one without error."""

    found: float
    of: float
    known: float | None = None

    @property
    def value(self) -> float:
        return self.found / self.of if self.known is None else self.known

    def smoothed(self, added: float) -> tuple[float, float]:
        """Return the share and its variance after adding cases, half as successes."""
        if self.known is not None:
            return self.known, 0.0
        n = self.of + added
        p = (self.found + added / 2) / n
        return p, p * (1 - p) / n


@dataclass(frozen=True)
class Misjudged:
    """A judge's rate of positive labels, sensitivity and specificity."""

    judged: Share
    sensitivity: Share
    specificity: Share

    @property
    def skill(self) -> float:
        """Youden's index of the judge: sensitivity + specificity - 1."""
        return self.sensitivity.value + self.specificity.value - 1

    @property
    def rate(self) -> float:
        return (self.judged.value + self.specificity.value - 1) / self.skill

    @property
    def standard_error(self) -> float:
        rate, parts = self.rate, [part.smoothed(0)[1] for part in (self.judged, self.sensitivity, self.specificity)]
        return math.sqrt(parts[0] + rate**2 * parts[1] + (1 - rate) ** 2 * parts[2]) / abs(self.skill)


@method(
    "rogan-gladen-fieller",
    title="Fieller's interval for a corrected rate",
    needs="misjudged",
    source="Rogan and Gladen 1978, Fieller 1954, with the pseudo-cases of Lang and Reiczigel 2014",
)
def _fieller(basis: Basis, request: Request) -> Interval:
    """Rates that differ from the observed one by at most z standard errors."""
    rates: Misjudged = basis.evidence
    name, z2 = "rogan-gladen-fieller", z_value(request.alpha) ** 2
    judged, of_judged = rates.judged.smoothed(z2)
    (positives, of_positives), (negatives, of_negatives) = (
        part.smoothed(2) for part in (rates.sensitivity, rates.specificity)
    )
    excess, skill = judged + negatives - 1, positives + negatives - 1
    # (excess - rate * skill)² <= z² variance(rate) is quadratic: square * rate² - 2 * half * rate + rest <= 0
    square = skill**2 - z2 * (of_positives + of_negatives)
    half = excess * skill - z2 * of_negatives
    rest = excess**2 - z2 * (of_judged + of_negatives)
    kept = [end for end in UNIT if square * end**2 - 2 * half * end + rest <= 0]
    kept += [root for root in _roots(square, half, rest) if 0 <= root <= 1]
    if not kept:
        return request.undefined(NONE_FITS, name)
    low, high = min(kept), max(kept)
    return request.close(low, high, name, UNIT, (NOT_NARROWED,) if (low, high) == UNIT else ())


def _roots(square: float, half: float, rest: float) -> list[float]:
    """Solve square * x² - 2 * half * x + rest = 0 without cancellation."""
    spread = half**2 - square * rest
    if spread < 0:
        return []
    larger = half + math.copysign(math.sqrt(spread), half)
    return [top / bottom for top, bottom in ((larger, square), (rest, larger)) if bottom]


@method("lang-reiczigel", title="Lang and Reiczigel's interval", needs="misjudged", source="Lang and Reiczigel 2014")
def _lang_reiczigel(basis: Basis, request: Request) -> Interval:
    """Shifted centre ± z standard errors, after adding pseudo-cases."""
    rates: Misjudged = basis.evidence
    z = z_value(request.alpha)
    judged, of_judged = rates.judged.smoothed(z * z)
    (positives, of_positives), (negatives, of_negatives) = (
        part.smoothed(2) for part in (rates.sensitivity, rates.specificity)
    )
    skill = positives + negatives - 1
    if not skill > 0:
        return request.undefined(NOT_NARROWED, "lang-reiczigel")
    rate = (judged + negatives - 1) / skill
    centre = rate + 2 * z * z * (rate * of_positives - (1 - rate) * of_negatives)
    reach = z * math.sqrt(of_judged + rate**2 * of_positives + (1 - rate) ** 2 * of_negatives) / skill
    return request.close(centre - reach, centre + reach, "lang-reiczigel", UNIT)
