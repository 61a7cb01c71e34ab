"""Argument checks that several rooms share: each refuses in one sentence, or gives the value in its proper type."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.arrays import Array, Floats
from assay.errors import AssayError, must, must_be_one_of

SIDES = ("two-sided", "lower", "upper")


def check_confidence(confidence: float) -> float:
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        must("confidence", "a number between 0 and 1", given=confidence)
    if 1 - float(confidence) in (0.0, 1.0):  # so near to 0 or 1 that no computer tells them apart
        must("confidence", "a number between 1e-16 and 1 - 1e-16", given=confidence)
    return float(confidence)


def check_number(value: float, name: str) -> float:
    if not isinstance(value, Real) or math.isnan(value):
        must(name, "a number", given=value)
    return float(value)


def check_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        must("seed", "a whole number, 0 or above", given=seed)
    return int(seed)


def check_replicates(replicates: int, seed: int = 0) -> None:
    check_seed(seed)
    if not isinstance(replicates, Integral) or replicates < 1:
        must("replicates", "a whole number above 0", given=replicates)


def numbers(name: str, values: Any) -> Floats:
    """Take an argument as an array of real numbers, or refuse it."""
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError, OverflowError):
        must(name, "a number, or numbers", given=values)


def check_scores(positive: ArrayLike, scores: ArrayLike) -> tuple[Array, Array]:
    """Take which cases are positive, and a score for each; float32 stays (half the memory, half the sort)."""
    flags, values = np.asarray(positive).astype(bool, copy=False), np.asarray(scores)
    values = values if values.dtype in (np.float32, np.float64) else values.astype(np.float64)
    if flags.shape != values.shape or values.ndim != 1 or not len(values):
        raise AssayError("`positive` and `scores` must be columns of one length, with at least one case.")
    if np.isnan(values).any():
        raise AssayError(f"`scores` must be numbers, not nan at index {int(np.isnan(values).argmax())}.")
    return flags, values


def tail(confidence: float, side: str) -> float:
    """Probability left out beyond each bound of an interval that is not open."""
    if side not in SIDES:
        must_be_one_of("side", SIDES, given=side)
    alpha = 1 - check_confidence(confidence)
    return alpha / 2 if side == "two-sided" else alpha
