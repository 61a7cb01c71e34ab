"""A judge's rate corrected: from what it called positive, and how often it errs, to the true rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from howsure.checks import known_arguments, real
from howsure.errors import must, must_be_share
from howsure.intervals.declare import Basis, NoBasis, Span
from howsure.intervals.rogan_gladen import UNIT, Misjudged, Share
from howsure.present.value_text import number
from howsure.results import Estimate

NAME = "rogan_gladen"
TELLS_NOTHING = (
    "sensitivity + specificity is {:.3g}, and from 1 down the judge calls negatives positive as often as positives, "
    "so that its labels tell nothing"
)
UNKNOWN = "no {} case has a human label, so that the judge's {} is unknown"


@dataclass(frozen=True)
class RoganGladenBasis(Basis):
    """What a corrected rate rests on."""

    evidence: Misjudged

    default = "rogan-gladen-fieller"
    span: Span = UNIT
    offers = frozenset({"misjudged"})

    @property
    def value(self) -> float:
        return min(max(self.evidence.rate, 0.0), 1.0)

    @property
    def standard_error(self) -> float:
        return self.evidence.standard_error


@known_arguments()
def rogan_gladen(positives: float, n: float, *, sensitivity: Any, specificity: Any) -> Estimate:
    """Correct the rate that a judge tells by how often it errs (Rogan and Gladen 1978).

    The true rate is (positives / n + specificity - 1) / (sensitivity + specificity - 1). The interval allows for
    what is unsure of all three parts.

    Parameters
    ----------
    positives, n
        How many of n cases the judge called positive.
    sensitivity
        Of cases known to be positive, how many the judge called positive, and how many there are: ``(45, 50)``. One
        number from 0 to 1 is taken as known.
    specificity
        The same of cases known to be negative, which the judge called negative.

    Returns
    -------
    Estimate
        The corrected rate, with intervals.

    Examples
    --------
    >>> from howsure.judges import rogan_gladen
    >>> print(rogan_gladen(259, 509, sensitivity=(84, 127), specificity=(96, 109)))
    rogan_gladen: 0.719, 95 % interval [0.588, 0.876] (rogan-gladen-fieller),
      n = 509
    """
    judged = _share("positives", (positives, n), "how many of `n` were called positive")
    if not judged.of > 0:
        must("n", "a number of cases, 1 or more", given=n)
    parts = {
        name: _share(name, given, "two counts, as (45, 50), or one number from 0 to 1")
        for name, given in (("sensitivity", sensitivity), ("specificity", specificity))
    }
    return corrected(Misjudged(judged, **parts))


def corrected(seen: Misjudged) -> Estimate:
    """Give the estimate of counts that were checked."""
    reason = None
    for name, kind in (("sensitivity", "positive"), ("specificity", "negative")):
        part: Share = getattr(seen, name)
        if part.known is None and not part.of > 0:
            reason = UNKNOWN.format(kind, name)
    if reason is None and not seen.skill > 0:
        reason = TELLS_NOTHING.format(seen.skill + 1)
    n = round(seen.judged.of, 9)
    if reason is not None:
        return Estimate(NAME, math.nan, n, reason, basis=NoBasis(reason))
    basis, rate = RoganGladenBasis(seen), seen.rate
    notes = () if 0 <= rate <= 1 else (f"the formula gives {number(rate)}, put to the end of the range",)
    return Estimate(NAME, basis.value, n, None, "", notes, basis=basis)


def _share(name: str, given: Any, be: str) -> Share:
    if isinstance(given, tuple | list) and len(given) == 2:
        found, of = map(real, given)
        if not 0 <= found <= of < math.inf:
            must(name, be, given=given if name != "positives" else given[0])
        return Share(found, of)
    known = real(given)
    if not 0 <= known <= 1:
        must_be_share(name, be, given=given)
    return Share(math.nan, math.inf, known)
