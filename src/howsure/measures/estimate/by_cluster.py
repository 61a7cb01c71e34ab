"""Where cases come in clusters, an estimate rests on these."""

from __future__ import annotations

from howsure.intervals.clustered import ClusterAware, ClusteredBasis, SharedBasis
from howsure.intervals.declare import Basis
from howsure.tables import Clusters


def by_cluster(plain: ClusterAware, clusters: Clusters | None) -> Basis:
    """Let a basis allow for clusters; where each has one case only, cases are independent and it stays as it is.

    The truths that share a case are no cases of their own.
    """
    if clusters is not None and clusters.shared:
        return SharedBasis(plain)
    if clusters is None or clusters.are_single:
        return plain
    return ClusteredBasis(plain, len(clusters))
