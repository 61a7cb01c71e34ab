"""Independent seeds from a ``random_state`` as scikit-learn takes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.errors import must


def spawn(random_state: Any, n: int) -> list[np.random.SeedSequence]:
    """Give ``n`` independent seeds, of which the first do not depend on how many are asked for."""
    if hasattr(random_state, "randint"):
        random_state = random_state.randint(2**31 - 1)  # a RandomState, as scikit-learn allows
    if random_state is not None and (not isinstance(random_state, int | np.integer) or random_state < 0):
        must("random_state", "a whole number from 0, a RandomState or None", given=random_state)
    return np.random.SeedSequence(random_state).spawn(n)
