"""How much of a ball lies near its surface: nearly all of it, where there are many dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.checks import numbers
from assay.errors import must


def shell_volume(dimension: Any, epsilon: Any = 0.05) -> Any:
    """Give the share of a ball's volume that lies within ``epsilon`` of its surface: 1 - (1 - epsilon)^dimension.

    Parameters
    ----------
    dimension
        Number of dimensions, 1 or more; or several of them.
    epsilon
        Thickness of the shell as a share of the radius, from 0 to 1; or several.

    Examples
    --------
    >>> from assay.selection import shell_volume
    >>> round(shell_volume(2), 4), round(shell_volume(100), 4)
    (0.0975, 0.9941)
    >>> shell_volume([1, 2, 20], 0.1).round(3).tolist()
    [0.1, 0.19, 0.878]
    """
    dimensions, shares = numbers("dimension", dimension), numbers("epsilon", epsilon)
    if not ((dimensions >= 1) & (dimensions == np.floor(dimensions)) & np.isfinite(dimensions)).all():
        must("dimension", "a whole number, 1 or above", given=dimension)
    if not ((shares >= 0) & (shares <= 1)).all():
        must("epsilon", "a share of the radius, from 0 to 1", given=epsilon)
    with np.errstate(divide="ignore"):  # the shell that is the whole ball: log 0
        share = -np.expm1(dimensions * np.log1p(-shares))  # exact also where epsilon is tiny
    share = share + 0.0  # no minus in front of 0
    return float(share) if share.ndim == 0 else share
