"""Agreement about items in clusters: ``python -m lab.agreement_clusters`` prints how often intervals hold the truth.

The items of a cluster share how often the categories occur and how easy they are to see, both drawn with a correlation.
Three raters, two categories; the truth is the value of 120,000 items. Beside the clustered interval stands the one that
takes the same items for independent.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

import howsure
from howsure.arrays import Array

SEED, TRUTH_SEED = 42, 99
SHARES, ALIKE, CLUSTERS = ((0.5, 0.5), (0.8, 0.2)), (0.1, 0.3), ((10, 6), (30, 5), (100, 3))
SEEN = 0.75  # how often a rater sees what an item is, on average
RATERS = 3
NAMES = ("percent_agreement", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")


def draw(rng: np.random.Generator, clusters: int, size: int, icc: float, shares: Array) -> tuple[Array, Array]:
    """Draw the ratings of items, and the cluster of each."""
    cluster, k = np.repeat(np.arange(clusters), size), len(shares)
    strength = (1 - icc) / icc
    own = rng.dirichlet(shares * strength, clusters)
    truth = np.array([rng.choice(k, p=own[one]) for one in cluster])
    seen = rng.beta(SEEN * strength, (1 - SEEN) * strength, clusters)[cluster]
    ratings = [
        np.where(rng.random(len(cluster)) < seen, truth, rng.choice(k, len(cluster), p=shares)) for _ in range(RATERS)
    ]
    return np.stack(ratings, axis=1), cluster


def main(rounds: int) -> None:
    rng = np.random.default_rng(SEED)
    for shares, icc in product(map(np.array, SHARES), ALIKE):
        many, _ = draw(np.random.default_rng(TRUTH_SEED), 60_000, 2, icc, shares)
        truth = {name: howsure.agreement(many, labels=[0, 1])[name].value for name in NAMES}
        for clusters, size in CLUSTERS:
            held = {name: [0, 0, 0] for name in NAMES}
            for _ in range(rounds):
                ratings, cluster = draw(rng, clusters, size, icc, shares)
                both = [howsure.agreement(ratings, labels=[0, 1], cluster=one) for one in (cluster, None)]
                for name in NAMES:
                    clustered, plain = (one[name].interval() for one in both)
                    if np.isfinite(clustered.low):
                        hits = (1, truth[name] in clustered, truth[name] in plain)
                        held[name] = [before + hit for before, hit in zip(held[name], hits, strict=True)]
            figures = ", ".join(f"{name} {100 * a / n:.1f} ({100 * b / n:.1f})" for name, (n, a, b) in held.items())
            print(f"shares {shares}, ICC {icc}, {clusters} clusters of {size}: {figures}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
