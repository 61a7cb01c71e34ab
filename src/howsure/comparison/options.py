"""Options of a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass

from howsure.checks import check_alpha, check_number, check_seed, one_of
from howsure.comparison.declared import declared
from howsure.errors import must, must_be_share
from howsure.significance.multiplicity import METHODS

ROPE = 0.01  # default region of practical equivalence


def check_difference(name: str, value: float, measure: str) -> None:
    """Reject a difference as large as the range of the measure."""
    registered = declared(measure)
    widest = math.inf if registered is None else registered.range[1] - registered.range[0]
    if value >= widest:
        must_be_share(
            name, f"below {widest:g}, the largest possible difference in {measure}", given=value, percent_from=1
        )


@dataclass(frozen=True)
class Options:
    """Significance level, adjustment, baseline and equivalence region."""

    baseline: str | None = None
    alpha: float = 0.05
    adjust: str = "bonferroni"
    rope: float = ROPE
    seed: int = 0

    @property
    def is_usual(self) -> bool:
        """Whether all pairs are compared, with the default adjustment."""
        return self.baseline is None and self.adjust == type(self).adjust

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        if check_number(self.rope, "rope") < 0:
            must("rope", "0 or above", given=self.rope)
        one_of("adjust", self.adjust, (*METHODS, "none"))
        check_seed(self.seed)
