"""Clusters of dependent cases, such as the images of a patient.

A table counts cases by cell: true and predicted class, or score and class. Its clusters hold the number of cases of
each cluster in each cell. They are stored sparsely, so that hundreds of thousands of clusters take no more memory than
their cases. For the cluster-robust variance of a measure, its influence function is summed within clusters, and the
sums are squared and added.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.errors import HowsureError
from howsure.kernels.count import count_distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from howsure.data.predictions import Key

NOT_ADDED = "a table with clusters cannot be added to a table without clusters."
MAX_NUMBERS = 1 << 22  # maximum number of random numbers in memory at once


@dataclass(frozen=True, eq=False)
class Clusters:
    """Number of cases of each cluster in each cell of a table (sparse).

    An entry holds the position of a cluster in ``names``, the position of a cell, and the number of cases there or the
    sum of their weights. ``rows`` is the unweighted number of cases of each cluster. With ``shared``, the labels of
    several annotators share a case: each case is the cluster of its labels, and cases are independent.
    """

    names: Sequence[Any]
    cluster: IntArray
    cell: IntArray
    counts: Array
    rows: Array
    cells: int
    shared: bool = False

    @classmethod
    def of_rows(
        cls, codes: IntArray, names: Sequence[Any], cell: IntArray, cells: int, weight: Array | None = None
    ) -> Clusters:
        """Count rows by cluster and cell; whole-number weights repeat a row."""
        is_repeated = weight is not None and weight.dtype.kind in "iu"
        rows = np.bincount(codes, weight if is_repeated else None, minlength=len(names))
        each = np.ones(len(codes), np.int64) if weight is None else weight
        return cls(names, codes, cell, each, rows.astype(np.int64), cells).merged()

    @classmethod
    def of_tables(cls, names: Sequence[Any], tables: Array, rows: Array | None = None) -> Clusters:
        """Build clusters from dense tables, with one row of cells per cluster.

        ``rows`` are the numbers of cases, by default the row sums.
        """
        cluster, cell = np.nonzero(tables)
        rows = tables.sum(1) if rows is None else rows
        return cls(names, cluster, cell, tables[cluster, cell], rows, tables.shape[1])

    def merged(self) -> Clusters:
        """Merge entries of the same cluster and cell, and sort entries by cluster."""
        code = self.cluster.astype(np.int64) * self.cells + self.cell
        code, counts = count_distinct(code, len(self.names) * self.cells, self.counts)
        cluster, cell = np.divmod(code, self.cells)
        return replace(self, cluster=cluster, cell=cell, counts=counts)

    def __len__(self) -> int:
        return len(self.names)

    def of_key(self, key: Key) -> Clusters:
        """Mark the clusters as shared cases if the key's clusters are shared cases."""
        return replace(self, shared=True) if key.shared else self

    @property
    def are_independent(self) -> bool:
        """Whether no cluster has several cases, so that all are independent."""
        return self.shared or bool(self.rows.max(initial=0) <= 1)

    @cached_property
    def sizes(self) -> Array:
        """Number of cases of each cluster, or the sum of their weights."""
        return np.bincount(self.cluster, self.counts, minlength=len(self))

    def sums(self, influence: Array) -> Array:
        """Sum the influence per cell over the cases of each cluster."""
        return np.bincount(self.cluster, self.counts * np.ravel(influence)[self.cell], minlength=len(self))

    def moved(self, to: IntArray, cells: int) -> Clusters:
        """Move cell i to cell ``to[i]`` of a table of ``cells`` cells."""
        return replace(self, cell=np.asarray(to)[self.cell], cells=cells).merged()

    def scaled(self, factor: Array) -> Clusters:
        """Multiply the counts of each cell."""
        return replace(self, counts=self.counts * np.ravel(factor)[self.cell])

    @cached_property
    def _matrix(self) -> Any:
        from scipy.sparse import csr_array

        return csr_array((self.counts.astype(float), (self.cluster, self.cell)), (len(self), self.cells))

    def times(self, taken: Array) -> Array:
        """Return the counts of cells when each cluster is drawn ``taken`` times.

        Both arrays have one row for each replicate.
        """
        return np.asarray((self._matrix.T @ taken.T).T)

    def blocks(self, size: int) -> list[int]:
        """Return the sizes of blocks of replicates that fit in memory."""
        block = max(1, MAX_NUMBERS // max(len(self), self.cells))
        return [min(block, size - start) for start in range(0, size, block)]

    def drawn(self, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Draw, in blocks, the number of times that each cluster is taken."""
        n = len(self)
        return (rng.multinomial(n, np.full(n, 1 / n), block) for block in self.blocks(size))

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Draw whole clusters; yield counts of cells in blocks of replicates."""
        return map(self.times, self.drawn(rng, size))


def add_clusters(parts: Sequence[Clusters | None]) -> Clusters | None:
    """Add the clusters of tables with the same cells.

    Either all tables have clusters or none.
    """
    clusters = [part for part in parts if part is not None]
    if not clusters:
        return None
    if len(clusters) < len(parts):
        raise HowsureError(NOT_ADDED)
    names, codes = join_names([part.names for part in clusters])
    rows = np.zeros(len(names), np.int64)
    for part, code in zip(clusters, codes, strict=True):
        rows[code] += part.rows
    cluster = np.concatenate([code[part.cluster] for part, code in zip(clusters, codes, strict=True)])
    cell, counts = (np.concatenate([getattr(part, name) for part in clusters]) for name in ("cell", "counts"))
    shared = all(part.shared for part in clusters)
    return Clusters(names, cluster, cell, counts, rows, clusters[0].cells, shared).merged()


def join_names(parts: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], list[IntArray]]:
    """Return the union of sequences of names, and the positions of each in it."""
    names = tuple(dict.fromkeys(name for part in parts for name in part))
    position = {name: index for index, name in enumerate(names)}
    return names, [np.array([position[name] for name in part], np.int64) for part in parts]
