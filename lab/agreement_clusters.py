"""Coverage of agreement coefficients for clustered items, printed by ``python -m lab.agreement_clusters``.

The items of a cluster share the frequencies of two categories and the difficulty, both with an intraclass correlation.
There are three raters; the true value is that of 120,000 items. In brackets is the coverage of intervals that treat the
items as independent.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

import howsure
from howsure.arrays import Array

SEED, TRUTH_SEED = 42, 99
SHARES, ICCS, CLUSTERS = ((0.5, 0.5), (0.8, 0.2)), (0.1, 0.3), ((10, 6), (30, 5), (100, 3))
RECOGNIZED = 0.75  # mean probability that a rater recognizes the category of an item
RATERS = 3
NAMES = ("percent_agreement", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")


def draw(rng: np.random.Generator, clusters: int, size: int, icc: float, shares: Array) -> tuple[Array, Array]:
    """Draw the ratings and the clusters of items."""
    cluster, k = np.repeat(np.arange(clusters), size), len(shares)
    strength = (1 - icc) / icc
    cluster_shares = rng.dirichlet(shares * strength, clusters)
    truth = np.array([rng.choice(k, p=cluster_shares[number]) for number in cluster])
    recognized = rng.beta(RECOGNIZED * strength, (1 - RECOGNIZED) * strength, clusters)[cluster]
    ratings = [
        np.where(rng.random(len(cluster)) < recognized, truth, rng.choice(k, len(cluster), p=shares))
        for _ in range(RATERS)
    ]
    return np.stack(ratings, axis=1), cluster


def main(rounds: int) -> None:
    rng = np.random.default_rng(SEED)
    for shares, icc in product(map(np.array, SHARES), ICCS):
        many, _ = draw(np.random.default_rng(TRUTH_SEED), 60_000, 2, icc, shares)
        truth = {name: howsure.agreement(many, labels=[0, 1])[name].value for name in NAMES}
        for clusters, size in CLUSTERS:
            counts = {name: [0, 0, 0] for name in NAMES}
            for _ in range(rounds):
                ratings, cluster = draw(rng, clusters, size, icc, shares)
                both = [howsure.agreement(ratings, labels=[0, 1], cluster=column) for column in (cluster, None)]
                for name in NAMES:
                    clustered, plain = (agreement[name].interval() for agreement in both)
                    if np.isfinite(clustered.low):
                        hits = (1, truth[name] in clustered, truth[name] in plain)
                        counts[name] = [total + hit for total, hit in zip(counts[name], hits, strict=True)]
            figures = ", ".join(f"{name} {100 * a / n:.1f} ({100 * b / n:.1f})" for name, (n, a, b) in counts.items())
            print(f"shares {shares}, ICC {icc}, {clusters} clusters of {size}: {figures}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
