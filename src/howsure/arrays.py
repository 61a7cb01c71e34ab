"""The array types that signatures name, and how masked arrays are told."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
IntArray = NDArray[np.signedinteger[Any]]


def is_masked(values: Any) -> bool:
    """Tell a masked array; nobody has one who has not imported what masks, so that we need not either."""
    return "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)
