"""The volume of the outer shell of a ball."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Floats


def shell_share(dimension: Floats | int, epsilon: Floats | float) -> Floats:
    """Give the share of a ball's volume within ``epsilon`` radii of its surface: 1 - (1 - epsilon)^dimension."""
    with np.errstate(divide="ignore", over="ignore"):  # the shell that is the whole ball: log 0, or -inf
        share = -np.expm1(dimension * np.log1p(-epsilon))  # exact also where epsilon is tiny
    return np.asarray(share + 0.0)  # no minus sign in front of 0
