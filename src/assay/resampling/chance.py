"""The chance of a learner: set from the seed wherever the user left it open."""

from __future__ import annotations

from typing import Any

import numpy as np


def set_chance(learner: Any, *keys: int) -> Any:
    """Set each ``random_state`` that is None, also of steps inside, to a number that follows from the keys."""
    if not hasattr(learner, "get_params"):
        return learner
    seed = int(np.random.SeedSequence(keys).generate_state(1)[0]) >> 1  # some libraries want 31 bits
    left_open = [
        name for name, value in learner.get_params().items() if value is None and name.split("__")[-1] == "random_state"
    ]
    return learner.set_params(**dict.fromkeys(left_open, seed)) if left_open else learner
