"""Clusters: cases that belong together, as those of a patient or a topic, and so tell less than independent ones.

A table counts cases by cell: truth and prediction, or score and class. Its clusters say how many cases of each cell
each cluster has. Only the combinations that occur are kept, so that hundreds of thousands of clusters cost no more than
their cases. The sum over a cluster of what each case changes a measure by is all that its variance needs.
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

NOT_ADDED = "tables with and without clusters cannot be added: how their cases depend would be lost."
MOST_NUMBERS = 1 << 22  # drawn at a time


@dataclass(frozen=True, eq=False)
class Clusters:
    """How many cases each cluster has in each cell of a table; mergeable with ``+``.

    ``names`` are the clusters. An entry is a cluster and a cell, as positions, with the cases there or the sum of their
    weights; ``rows`` is the number of cases of each cluster, whatever they weigh. Where labels ``shared`` a case, each
    case is a cluster of its labels, and cases are independent.
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
        whole = weight is not None and weight.dtype.kind in "iu"
        rows = np.bincount(codes, weight if whole else None, minlength=len(names))
        each = np.ones(len(codes), np.int64) if weight is None else weight
        return cls(names, codes, cell, each, rows.astype(np.int64), cells).joined()

    @classmethod
    def of_tables(cls, names: Sequence[Any], tables: Array, rows: Array | None = None) -> Clusters:
        """Take the tables of all clusters, a row of cells each; without weights their sums are the cases."""
        cluster, cell = np.nonzero(tables)
        rows = tables.sum(1) if rows is None else rows
        return cls(names, cluster, cell, tables[cluster, cell], rows, tables.shape[1])

    def joined(self) -> Clusters:
        """Join entries of the same cluster and cell, and sort them by cluster."""
        code = self.cluster.astype(np.int64) * self.cells + self.cell
        code, counts = count_distinct(code, len(self.names) * self.cells, self.counts)
        cluster, cell = np.divmod(code, self.cells)
        return replace(self, cluster=cluster, cell=cell, counts=counts)

    def __len__(self) -> int:
        return len(self.names)

    def of_key(self, key: Key) -> Clusters:
        """Say whether the clusters are cases that labels share."""
        return replace(self, shared=True) if key.shared else self

    @property
    def are_single(self) -> bool:
        """No cluster has two cases, so that all cases are independent."""
        return self.shared or bool(self.rows.max(initial=0) <= 1)

    @cached_property
    def sizes(self) -> Array:
        """The cases of each cluster, or the sum of their weights."""
        return np.bincount(self.cluster, self.counts, minlength=len(self))

    def sums(self, influence: Array) -> Array:
        """Add up over each cluster what one case in each cell changes a measure by."""
        return np.bincount(self.cluster, self.counts * np.ravel(influence)[self.cell], minlength=len(self))

    def moved(self, to: IntArray, cells: int) -> Clusters:
        """Give the clusters of a table whose cells were joined or put into another order."""
        return replace(self, cell=np.asarray(to)[self.cell], cells=cells).joined()

    def scaled(self, factor: Array) -> Clusters:
        """Multiply the counts of each cell."""
        return replace(self, counts=self.counts * np.ravel(factor)[self.cell])

    @cached_property
    def _matrix(self) -> Any:
        from scipy.sparse import csr_array

        return csr_array((self.counts.astype(float), (self.cluster, self.cell)), (len(self), self.cells))

    def times(self, taken: Array) -> Array:
        """Add up the counts of all cells, with each cluster taken so often (columns), in each replicate (rows)."""
        return np.asarray((self._matrix.T @ taken.T).T)

    def blocks(self, size: int) -> list[int]:
        """Divide replicates into blocks of which none takes much memory."""
        block = max(1, MOST_NUMBERS // max(len(self), self.cells))
        return [min(block, size - start) for start in range(0, size, block)]

    def drawn(self, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Draw clusters with replacement: how often each is taken, a block of replicates at a time."""
        n = len(self)
        return (rng.multinomial(n, np.full(n, 1 / n), block) for block in self.blocks(size))

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Draw whole clusters again with replacement, a block of replicates at a time: the counts of all cells."""
        return map(self.times, self.drawn(rng, size))


def add_clusters(parts: Sequence[Clusters | None]) -> Clusters | None:
    """Add the clusters of tables of the same cells; all of them have clusters, or none."""
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
    return Clusters(names, cluster, cell, counts, rows, clusters[0].cells, shared).joined()


def join_names(parts: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], list[IntArray]]:
    """Return the distinct names of several sequences, and the position of each sequence's names among them."""
    names = tuple(dict.fromkeys(name for part in parts for name in part))
    position = {name: index for index, name in enumerate(names)}
    return names, [np.array([position[name] for name in part], np.int64) for part in parts]
