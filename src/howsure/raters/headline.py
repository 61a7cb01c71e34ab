"""What the agreement of raters comes to, in a few sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from howsure.assessment.headline import percent, percent_interval
from howsure.errors import counted
from howsure.present.value_text import with_interval
from howsure.raters.coefficients import krippendorff_alpha, percent_agreement

if TYPE_CHECKING:
    from howsure.raters.result import Agreement

FIRM, TENTATIVE = 0.8, 0.667  # what Krippendorff (2004) asks of alpha for conclusions


def headline(agreement: Agreement, confidence: float) -> list[str]:
    """Say how often ratings agree, how far beyond chance, who agrees least, and how many items are settled."""
    share = agreement[percent_agreement.name]
    if share.undefined:
        return [f"Nothing can be said of agreement: {share.undefined}."]
    value = f"{percent(share.value)}{percent_interval(share.interval(confidence))}"
    agree = "agree" if agreement.is_nominal else "agree, near misses counting in part,"
    first = f"Two ratings of an item {agree} in {value} of {counted(agreement.items.n_paired, 'item', comma=True)}."
    return [first, _beyond_chance(agreement, confidence), *_lowest(agreement, confidence), _unanimous(agreement)]


def _beyond_chance(agreement: Agreement, confidence: float) -> str:
    alpha = agreement[krippendorff_alpha.name]
    if alpha.undefined:
        return f"Beyond chance nothing can be said, because {alpha.undefined}."
    interval = alpha.interval(confidence)
    value, ends = with_interval(alpha.value, *interval)
    said = f"Beyond chance, Krippendorff's alpha is {value.text} {ends}".rstrip()
    if math.isnan(interval.low):
        return f"{said}; how sure that is cannot be said, because {'; '.join(interval.notes)}."
    if interval.low >= FIRM:
        return f"{said}: above {FIRM:g}, which is asked for firm conclusions."
    if interval.low >= TENTATIVE:
        return f"{said}: above {TENTATIVE:g}, which is asked for tentative conclusions."
    below = "it is not known to be above" if interval.high >= TENTATIVE else "it is below"
    return f"{said}: {below} {TENTATIVE:g}, which is asked for even tentative conclusions."


def _lowest(agreement: Agreement, confidence: float) -> list[str]:
    """Name the rater who agrees least with the others, where the interval leaves out what all have together."""
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
    alike = int(items.multiplicity[items.paired & (items.counts.max(1, initial=0) == items.size)].sum())
    settled = counted(alike, "item", of=items.n_paired, comma=True)
    return f"All ratings agree in {settled} that were rated twice or more."
