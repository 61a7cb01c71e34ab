"""Findings on the number of attributes."""

from __future__ import annotations

from assay.advice.declare import advice
from assay.kernels.shell import shell_share

ENOUGH = 10  # cases for each attribute: the lenient reading of an old rule (Jain, Duin and Mao, 2000)
EPSILON = 0.05


@advice("A013", "Many attributes for few cases")
def many_attributes(shape: tuple[int, int]) -> str | None:
    """Fewer than ten cases for each attribute."""
    cases, attributes = shape
    if attributes < 1 or cases >= ENOUGH * attributes:
        return None
    return (
        f"{cases} cases with {attributes} attributes are fewer than {ENOUGH} for each: space is nearly empty "
        f"({float(shell_share(attributes, EPSILON)):.1%} of a ball of {attributes} dimensions lies within "
        f"{EPSILON:.0%} of its surface), and what fits by chance is easily found; select or combine attributes inside "
        "each training set, take a simpler or more strongly regularised learner, or get more cases"
    )
