"""The volume of the outer shell of a ball."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Floats


def shell_share(dimension: Floats | int, epsilon: Floats | float) -> Floats:
    """Return the share of a ball's volume in the shell near its surface.

    The shell has the thickness of ``epsilon`` radii, and the share is 1 - (1 - epsilon)^dimension.
    """
    with np.errstate(divide="ignore", over="ignore"):  # epsilon = 1 takes the logarithm of 0
        share = -np.expm1(dimension * np.log1p(-epsilon))  # accurate even if epsilon is tiny
    return np.asarray(share + 0.0)  # turns -0.0 into 0.0
