"""Cases in clusters: what they are worth in independent cases, and how far few clusters are from knowing it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtr, stdtrit

from howsure.checks import LEAST_ALPHA, real
from howsure.errors import HowsureError, must
from howsure.present.value_text import number
from howsure.significance.inputs import zero_or_above, zero_to_one

MOST_SIZE = 1e9  # cases of a cluster
FEW_CLUSTERS = 30


@dataclass(frozen=True)
class Clusters:
    """Clusters of a mean ``size``, whose cases correlate by ``icc``; ``variation`` is sd / mean of the sizes."""

    size: float
    icc: float
    variation: float = 0.0
    samples: int = 1  # 2 where each classifier has cases of its own

    @classmethod
    def of(cls, icc: float | None, size: float | None, variation: float, samples: int = 1) -> Clusters | None:
        """Check what was said of clusters; None where there are none, or each has one case."""
        varied = zero_or_above("size_variation", variation)
        if icc is None and size is None:
            if varied:
                raise HowsureError("`size_variation` is that of clusters; give `icc` and `cluster_size` too.")
            return None
        if icc is None or size is None:
            raise HowsureError("`icc` and `cluster_size` go together; give both of them, or neither.")
        within, mean = zero_to_one("icc", icc), real(size)
        if not 1 <= mean <= MOST_SIZE:
            must("cluster_size", "a number of cases from 1 to 1e9", given=size)
        if varied > 100 or (varied and mean == 1):
            must("size_variation", "0 where clusters have one case, and at most 100", given=variation)
        return None if mean == 1 else cls(mean, within, varied, samples)

    @property
    def design_effect(self) -> float:
        """How many times more cases it takes than if they were independent."""
        return 1 + (self.size * (1 + self.variation**2) - 1) * self.icc

    def fewest(self, worth: int) -> int:
        """Give the cases of the fewest clusters, two or more, that are worth so many independent cases."""
        clusters = max(2, math.ceil(worth * self.design_effect / self.size))
        while self.worth(self.cases(clusters)) < worth:
            clusters += 1
        return self.cases(clusters)

    def number(self, n: int) -> int:
        return math.ceil(n / self.size)

    def cases(self, clusters: int) -> int:
        return math.ceil(clusters * self.size)

    def worth(self, n: float) -> int:
        """Give the independent cases that n are worth; intervals here leave out each cluster in turn, which is wary."""
        return math.floor(n / self.design_effect * max(1 - self.size / n, 0.0) ** 2 + 1e-9)

    def level(self, tail: float, n: float) -> float:
        """Give the level at which the normal distribution reaches as far as Student's does at this one."""
        freedom = max(self.samples * (n / self.size - 1), 1.0)
        return min(max(float(ndtr(stdtrit(freedom, tail))), LEAST_ALPHA / 2), tail) if tail < 0.5 else tail

    @property
    def assumptions(self) -> dict[str, float | str]:
        varied: dict[str, float | str] = {"size_variation": self.variation} if self.variation else {}
        size = int(self.size) if self.size.is_integer() else self.size
        return {"icc": self.icc, "cluster_size": size, **varied}

    def notes(self, n: int) -> tuple[str, ...]:
        effect = f"the design effect is {number(self.design_effect)}: they are worth {self.worth(n)} independent cases"
        rough = f"with fewer than {FEW_CLUSTERS} clusters this is rough, and rather too good"
        return (effect, rough) if self.number(n) < FEW_CLUSTERS else (effect,)


def clustered_power(
    power_of: Callable[..., float], clusters: Clusters, least: int, levels: tuple[float, int], n: float, effect: float
) -> float:
    """Power of n cases in clusters: that of as many independent ones as they are worth, by Student's quantile.

    ``levels`` are the level of the test and its number of sides; fewer than ``least`` independent cases have no power.
    """
    (alpha, sides), worth = levels, clusters.worth(n)
    return power_of(worth, effect, alpha=sides * clusters.level(alpha / sides, n)) if worth >= least else 0.0


def as_text(clusters: int | None) -> str:
    """Say in how many clusters cases are: " in 98 clusters"."""
    return "" if clusters is None else f" in {clusters} clusters"


def given(clusters: int | None, design_effect: float | None) -> dict[str, Any]:
    """Give what JSON says of clusters, where there are any."""
    return {} if clusters is None else {"clusters": clusters, "design_effect": design_effect}
