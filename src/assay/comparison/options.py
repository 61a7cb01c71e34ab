"""What a comparison is asked for, checked once."""

from __future__ import annotations

from dataclasses import dataclass

from assay.checks import check_number, check_seed
from assay.errors import is_one_of, must, must_be_one_of
from assay.significance.multiplicity import METHODS

ROPE = 0.01


@dataclass(frozen=True)
class Options:
    """The level of the tests, the allowance for several pairs, and the difference that would not matter."""

    baseline: str | None = None
    alpha: float = 0.05
    adjust: str = "holm"
    rope: float = ROPE
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < check_number(self.alpha, "alpha") < 1:
            must("alpha", "between 0 and 1", given=self.alpha)
        if check_number(self.rope, "rope") < 0:
            must("rope", "0 or above", given=self.rope)
        if not is_one_of(self.adjust, (*METHODS, "none")):
            must_be_one_of("adjust", (*METHODS, "none"), given=self.adjust)
        check_seed(self.seed)
