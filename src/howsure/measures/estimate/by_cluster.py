"""Choice of the basis for clustered cases."""

from __future__ import annotations

from howsure.intervals.clustered import ClusterAware, ClusteredBasis, SharedBasis
from howsure.intervals.declare import Basis
from howsure.tables import Clusters


def by_cluster(plain: ClusterAware, clusters: Clusters | None) -> Basis:
    """Return a basis that accounts for clusters, unless all are single cases."""
    if clusters is not None and clusters.shared:
        return SharedBasis(plain)
    if clusters is None or clusters.are_independent:
        return plain
    return ClusteredBasis(plain, len(clusters))
