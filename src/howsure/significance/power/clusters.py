"""Design effect and effective sample size of clustered cases in plans."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtr, stdtrit

from howsure.checks import MIN_ALPHA, as_float
from howsure.errors import HowsureError, must
from howsure.present.value_text import number
from howsure.significance.inputs import zero_or_above, zero_to_one

MAX_SIZE = 1e9  # largest mean number of cases per cluster
FEW_CLUSTERS = 30


@dataclass(frozen=True)
class Clusters:
    """Clusters of mean size ``size`` with the intraclass correlation ``icc``.

    ``variation`` is the standard deviation of the cluster sizes divided by their mean.
    """

    size: float
    icc: float
    variation: float = 0.0
    samples: int = 1  # 2 if each classifier has its own cases

    @classmethod
    def of(cls, icc: float | None, size: float | None, variation: float, samples: int = 1) -> Clusters | None:
        """Check the arguments; return None without clusters of several cases."""
        varied = zero_or_above("size_variation", variation)
        if icc is None and size is None:
            if varied:
                raise HowsureError("`size_variation` applies only to clusters; give `icc` and `cluster_size` too.")
            return None
        if icc is None or size is None:
            raise HowsureError("`icc` and `cluster_size` go together; give both of them, or neither.")
        within, mean = zero_to_one("icc", icc), as_float(size)
        if not 1 <= mean <= MAX_SIZE:
            must("cluster_size", "a number of cases from 1 to 1e9", given=size)
        if varied > 100 or (varied and mean == 1):
            must("size_variation", "at most 100, and 0 if clusters have one case", given=variation)
        return None if mean == 1 else cls(mean, within, varied, samples)

    @property
    def design_effect(self) -> float:
        """Factor by which clustering multiplies the variance.

        It is 1 + (m (1 + cv²) - 1) icc for clusters of mean size m with the coefficient of variation cv (Eldridge,
        Ashby and Kerry 2006).
        """
        return 1 + (self.size * (1 + self.variation**2) - 1) * self.icc

    def fewest(self, effective: int) -> int:
        """Return the number of cases in the fewest clusters of this effective size."""
        clusters = max(2, math.ceil(effective * self.design_effect / self.size))
        while self.effective_size(self.cases(clusters)) < effective:
            clusters += 1
        return self.cases(clusters)

    def number(self, n: int) -> int:
        return math.ceil(n / self.size)

    def cases(self, clusters: int) -> int:
        return math.ceil(clusters * self.size)

    def effective_size(self, n: float) -> int:
        """Return the number of independent cases with the same information.

        With G clusters, the factor (1 - 1 / G)² allows for the jackknife over clusters that intervals use, which
        overestimates the variance.
        """
        return math.floor(n / self.design_effect * max(1 - self.size / n, 0.0) ** 2 + 1e-9)

    def level(self, tail: float, n: float) -> float:
        """Return the normal level that matches Student's quantile at ``tail``.

        The degrees of freedom are the number of clusters minus one.
        """
        freedom = max(self.samples * (n / self.size - 1), 1.0)
        return min(max(float(ndtr(stdtrit(freedom, tail))), MIN_ALPHA / 2), tail) if tail < 0.5 else tail

    @property
    def assumptions(self) -> dict[str, float | str]:
        varied: dict[str, float | str] = {"size_variation": self.variation} if self.variation else {}
        size = int(self.size) if self.size.is_integer() else self.size
        return {"icc": self.icc, "cluster_size": size, **varied}

    def notes(self, n: int) -> tuple[str, ...]:
        effect = (
            f"the design effect is {number(self.design_effect)}: the cases carry as much information as "
            f"{self.effective_size(n)} independent cases"
        )
        rough = f"with fewer than {FEW_CLUSTERS} clusters this is approximate, and rather optimistic"
        return (effect, rough) if self.number(n) < FEW_CLUSTERS else (effect,)


def design_effect(clusters: Clusters | None) -> float:
    return 1.0 if clusters is None else clusters.design_effect


def clustered_power(
    power_of: Callable[..., float], clusters: Clusters, least: int, levels: tuple[float, int], n: float, effect: float
) -> float:
    """Power with n clustered cases, from their effective sample size.

    ``levels`` are the level of the test and its number of sides. Below ``least`` independent cases the power is 0.
    """
    (alpha, sides), effective = levels, clusters.effective_size(n)
    return power_of(effective, effect, alpha=sides * clusters.level(alpha / sides, n)) if effective >= least else 0.0


def in_clusters(clusters: int | None) -> str:
    """Return " in 98 clusters", or an empty string without clusters."""
    return "" if clusters is None else f" in {clusters} clusters"


def cluster_entries(clusters: int | None, design_effect: float | None) -> dict[str, Any]:
    """Return the JSON entries for clusters, if there are any."""
    return {} if clusters is None else {"clusters": clusters, "design_effect": design_effect}
