"""What tests of many classifiers share: their table, ranks within its rows, and sums of squares."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.errors import AssayError, must, must_be_one_of
from assay.present.format import number
from assay.significance.declare import rounded, table

BETTER = ("higher", "lower")
ALIKE = "the classifiers do not differ, so there is nothing to test"
NO_SPREAD = "the scores have no spread beside the differences, so there is no telling how sure they are"
ONE_ROW = "one row cannot tell how sure its differences are"


def named(scores: Any, names: Sequence[str] | None = None) -> tuple[Array, tuple[str, ...]]:
    """Take a table and the names of its columns: given, or of a fold table or data frame, or "1", "2" and so on."""
    held = getattr(scores, "values", scores)
    values = table("scores", scores if callable(held) else held, least_rows=1)
    largest = float(np.abs(values).max())
    if largest and not 1e-100 < largest < 1e100:  # squares and rounding would leave the range of floats
        raise AssayError(f"`scores` must be of a size between 1e-100 and 1e100, not {largest:g}; scale them.")
    told: Any = names
    if names is None:
        told = getattr(scores, "learners", getattr(scores, "columns", range(1, values.shape[1] + 1)))
    found = tuple(map(str, told))
    if len(found) != values.shape[1] or len(set(found)) < len(found):
        raise AssayError(f"`names` must be {values.shape[1]} different names, one for each column, not {list(found)}.")
    return values, found


def check_better(better: str) -> str:
    if better not in BETTER:
        must_be_one_of("better", BETTER, given=better)
    return better


def check_level(alpha: float) -> float:
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        must("alpha", "a number between 0 and 1", given=alpha)
    return float(alpha)


def row_ranks(values: Array, better: str = "higher") -> Array:
    """Rank each row, the best first; equals share the mean of their ranks."""
    sign = -1 if check_better(better) == "higher" else 1
    # each row is rounded on its own: data sets may have scores of different size
    kept = sign * np.array([rounded(row, row) for row in values])
    left, right = kept[:, :, None], kept[:, None, :]
    return np.asarray((right < left).sum(2) + ((right == left).sum(2) + 1) / 2)


def ranks(values: Array) -> Array:
    """Rank a row, the lowest first; equals share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def told_ranks(names: tuple[str, ...], means: Array) -> str:
    told = ", ".join(f"{name} {number(mean)}" for name, mean in zip(names, means.tolist(), strict=True))
    return f"mean ranks, 1 the best: {told}"


def squares(values: Array, blocks: bool = False) -> tuple[float, float, int]:
    """Sum of squares between columns, the one that is left, and its degrees of freedom.

    With ``blocks``, what rows have in common is taken out of what is left. Sums that are only rounding become 0.
    """
    n, k = values.shape
    means = values.mean(0)
    left = values - means
    if blocks:
        left = left - left.mean(1, keepdims=True)
    # as in `rounded`, twelve digits of the largest value count
    rounding = values.size * (1e-13 * float(np.abs(values).max())) ** 2
    between, within = n * float(((means - means.mean()) ** 2).sum()), float((left**2).sum())
    df = (n - 1) * (k - 1) if blocks else (n - 1) * k
    return between if between > rounding else 0.0, within if within > rounding else 0.0, df


def sphericity(values: Array) -> float:
    """Greenhouse and Geisser's epsilon: 1 where differences of any two columns have one variance."""
    k = values.shape[1]
    centred = values - values.mean(0)
    centred = centred - centred.mean(1, keepdims=True)
    spread = centred.T @ centred
    return min(1.0, float(np.trace(spread) ** 2 / ((k - 1) * (spread**2).sum())))


def positive(pvalue: float) -> float:
    """Keep a p-value too small for a float from becoming 0, and rounding from lifting one over 1."""
    return min(max(float(pvalue), sys.float_info.min), 1.0)


@dataclass(frozen=True)
class Fit:
    """What is compared: values by name, their standard error, and its degrees of freedom."""

    names: tuple[str, ...]
    values: Array
    spread: float
    df: float
    better: str
    notes: tuple[str, ...] = ()

    @property
    def answers(self) -> bool:
        return self.spread > 0

    @property
    def told(self) -> tuple[float, ...]:
        return tuple(self.values.tolist())

    @property
    def order(self) -> list[str]:
        sign = -1 if self.better == "higher" else 1
        return [self.names[place] for place in np.argsort(sign * self.values, kind="stable")]


def fit_means(scores: Any, blocks: bool, better: str, names: Sequence[str] | None) -> Fit:
    values, found = named(scores, names)
    between, within, df = squares(values, blocks)
    means = rounded(values.mean(0), values)
    spread = math.sqrt(within / df / len(values)) if within else math.nan
    note = ALIKE if not between else NO_SPREAD if df else ONE_ROW
    return Fit(found, means, spread, df, check_better(better), () if within else (note,))


def fit_ranks(scores: Any, better: str, names: Sequence[str] | None) -> Fit:
    values, found = named(scores, names)
    n, k = values.shape
    means = row_ranks(values, better).mean(0)
    spread = math.sqrt(k * (k + 1) / (12 * n)) if n > 1 else math.nan
    return Fit(found, means, spread, math.inf, "lower", () if n > 1 else (ONE_ROW,))
