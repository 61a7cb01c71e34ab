"""The headline on the agreement of raters, in up to four sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from howsure.assessment.headline import percent, percent_interval
from howsure.errors import counted
from howsure.present.value_text import with_interval
from howsure.raters.coefficients import krippendorff_alpha, percent_agreement

if TYPE_CHECKING:
    from howsure.raters.result import Agreement

FIRM, TENTATIVE = 0.8, 0.667  # thresholds of alpha for conclusions (Krippendorff 2004)


def headline(agreement: Agreement, confidence: float) -> list[str]:
    share = agreement[percent_agreement.name]
    if share.undefined:
        return [f"Agreement is undefined: {share.undefined}."]
    value = f"{percent(share.value)}{percent_interval(share.interval(confidence))}"
    agree = "agree" if agreement.is_nominal else "agree (near misses count in part)"
    first = f"Two ratings of an item {agree} in {value} of {counted(agreement.items.n_paired, 'item', comma=True)}."
    return [first, _beyond_chance(agreement, confidence), *_lowest(agreement, confidence), _unanimous(agreement)]


def _beyond_chance(agreement: Agreement, confidence: float) -> str:
    alpha = agreement[krippendorff_alpha.name]
    if alpha.undefined:
        return f"Chance-corrected agreement is undefined, because {alpha.undefined}."
    interval = alpha.interval(confidence)
    value, ends = with_interval(alpha.value, *interval)
    sentence = f"Corrected for chance, Krippendorff's alpha is {value.text} {ends}".rstrip()
    if math.isnan(interval.low):
        return f"{sentence}; it has no interval, because {'; '.join(interval.notes)}."
    if interval.low >= FIRM:
        return f"{sentence}, above {FIRM:g}, the threshold for firm conclusions."
    if interval.low >= TENTATIVE:
        return f"{sentence}, above {TENTATIVE:g}, the threshold for tentative conclusions."
    below = "and may be below" if interval.high >= TENTATIVE else "below"
    return f"{sentence}, {below} {TENTATIVE:g}, the threshold for tentative conclusions."


def _lowest(agreement: Agreement, confidence: float) -> list[str]:
    """Name the rater with the lowest agreement, if its interval excludes the mean."""
    if agreement.ratings.anonymous or len(agreement.raters) < 3:
        return []
    lowest = agreement.per_rater(confidence).parts[0]
    estimate = lowest.estimates[0]
    interval = estimate.interval(confidence)
    if not interval.high < agreement[percent_agreement.name].value:
        return []
    share = f"{percent(estimate.value)}{percent_interval(interval)}"
    return [f"{lowest.key['rater']} agrees least with the others: {share}."]


def _unanimous(agreement: Agreement) -> str:
    items = agreement.items
    unanimous = int(items.multiplicity[items.paired & (items.counts.max(1, initial=0) == items.size)].sum())
    return f"All ratings agree in {counted(unanimous, 'item', of=items.n_paired, comma=True)} with two or more ratings."
