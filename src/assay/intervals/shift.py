"""The shift between two classifiers over data sets, and the interval that belongs to the signed-rank test."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.arrays import Floats
from assay.intervals.declare import Basis, Request, method
from assay.intervals.signed_rank import hodges_lehmann, hodges_lehmann_estimate
from assay.results import Interval


@method("hodges-lehmann", title="Hodges and Lehmann's interval", needs="datasets", source="Hodges and Lehmann 1963")
def _hodges_lehmann(basis: Basis, request: Request) -> Interval:
    """Give the shifts that the signed-rank test would not reject."""
    return hodges_lehmann(basis.values, request.confidence, request.side)


@dataclass(frozen=True)
class SignedRanks(Basis):
    """The shift of differences over data sets, which are independent and of unlike size: the pseudo-median."""

    values: Floats

    default = "hodges-lehmann"
    offers = frozenset({"datasets", "values"})
    ratio_of_sizes = 0.0

    @property
    def value(self) -> float:
        return hodges_lehmann_estimate(self.values) if len(self.values) else math.nan

    @property
    def reason(self) -> str | None:
        return None if len(self.values) else "there is no value"
