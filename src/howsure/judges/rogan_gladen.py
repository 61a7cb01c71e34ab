"""Rate of a judge's labels, corrected by its sensitivity and specificity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from howsure.checks import as_float, known_arguments
from howsure.errors import must, must_be_share
from howsure.intervals.declare import Basis, NoBasis, Span
from howsure.intervals.rogan_gladen import UNIT, Misjudged, Share
from howsure.present.value_text import number
from howsure.results import Estimate

NAME = "rogan_gladen"
NO_SKILL = (
    "sensitivity + specificity is {:.3g}; at 1 or below, the judge's labels do not distinguish positive cases from "
    "negative ones"
)
UNKNOWN = "no {} case has a human label, so the judge's {} is unknown"


@dataclass(frozen=True)
class RoganGladenBasis(Basis):
    """Basis of a corrected rate."""

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
    """Correct the rate of a judge's labels for the judge's errors.

    The corrected rate is (positives / n + specificity - 1) / (sensitivity + specificity - 1) (Rogan and Gladen 1978).
    The interval allows for the sampling errors of all three proportions.

    Parameters
    ----------
    positives, n
        Number of cases that the judge called positive, and total number of cases.
    sensitivity
        Number of positive cases that the judge called positive, and number of positive cases: ``(45, 50)``. A single
        number from 0 to 1 is an exact sensitivity.
    specificity
        The same for negative cases that the judge called negative.

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
    judged = _share("positives", (positives, n), "a number of cases from 0 to `n`")
    if not judged.of > 0:
        must("n", "a number of cases, 1 or more", given=n)
    parts = {
        name: _share(name, value, "two counts, such as (45, 50), or a number from 0 to 1")
        for name, value in (("sensitivity", sensitivity), ("specificity", specificity))
    }
    return corrected(Misjudged(judged, **parts))


def corrected(rates: Misjudged) -> Estimate:
    """Return the estimate for checked counts."""
    reason = None
    for name, kind in (("sensitivity", "positive"), ("specificity", "negative")):
        part: Share = getattr(rates, name)
        if part.known is None and not part.of > 0:
            reason = UNKNOWN.format(kind, name)
    if reason is None and not rates.skill > 0:
        reason = NO_SKILL.format(rates.skill + 1)
    n = round(rates.judged.of, 9)
    if reason is not None:
        return Estimate(NAME, math.nan, n, reason, basis=NoBasis(reason))
    basis, rate = RoganGladenBasis(rates), rates.rate
    notes = () if 0 <= rate <= 1 else (f"the formula gives {number(rate)}, which was clipped to the range from 0 to 1",)
    return Estimate(NAME, basis.value, n, None, "", notes, basis=basis)


def _share(name: str, value: Any, be: str) -> Share:
    if isinstance(value, tuple | list) and len(value) == 2:
        count, n = map(as_float, value)
        if not 0 <= count <= n < math.inf:
            must(name, be, given=value if name != "positives" else value[0])
        return Share(count, n)
    exact = as_float(value)
    if not 0 <= exact <= 1:
        must_be_share(name, be, given=value)
    return Share(math.nan, math.inf, exact)
