"""Many tables added at once: what adding them one after the other gives, to the last bit, in one pass.

Each addition goes through all that was added before, so that a thousand groups would cost a thousand passes. Sums of
real-valued weights depend on their order, and `np.bincount` keeps it: it adds up what comes, as it comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.tables.classes import ClassScores
from howsure.tables.clusters import DENSE, MANY, Clusters, add_clusters
from howsure.tables.confusion import Confusion
from howsure.tables.counts import ScoreRows
from howsure.tables.scores import ScoreTable


def add_tables(tables: Sequence[Any]) -> Any:
    """Add tables of one kind, of which there is at least one."""
    if len(tables) > 2 and all(isinstance(table, Confusion) for table in tables):
        return _add_confusions(tables)
    if len(tables) > 2 and all(isinstance(table, ScoreTable) for table in tables):
        return _add_scores(tables)
    if len(tables) > 2 and all(isinstance(table, ClassScores) for table in tables):
        return _add_class_scores(tables)
    return reduce(add, tables)


def _add_confusions(tables: Sequence[Confusion]) -> Confusion:
    if any(table.labels != tables[0].labels for table in tables):
        return reduce(add, tables)
    clusters = _add_clusters([table.clusters for table in tables])
    weighted = any(table.squares is not None for table in tables)
    squares = reduce(np.add, [table.variances for table in tables]) if weighted else None
    counts = reduce(np.add, [table.counts for table in tables])
    return Confusion(counts, tables[0].labels, squares, clusters=clusters)


def _add_scores(tables: Sequence[ScoreTable]) -> ScoreTable:
    if any(table.clusters is not None or table.tops is not None for table in tables):
        return reduce(add, tables)
    every = np.concatenate([table.scores for table in tables]) + 0.0  # -0.0 is 0.0
    order = np.argsort(-every, kind="stable")
    ranked = every[order]
    is_new = np.append(True, ranked[1:] != ranked[:-1])
    place = np.empty(len(every), np.intp)
    place[order] = np.cumsum(is_new) - 1
    distinct = ranked[is_new]

    def total(columns: list[Array]) -> Array:
        column = np.concatenate(columns)
        return np.bincount(place, column, len(distinct)).astype(np.float64 if column.dtype.kind == "f" else np.int64)

    squares = None
    if any(table.squares is not None for table in tables):
        both = [table.squares or (table.positives * 1.0, table.negatives * 1.0) for table in tables]
        squares = total([one for one, _ in both]), total([other for _, other in both])
    positives, negatives = total([table.positives for table in tables]), total([table.negatives for table in tables])
    return ScoreTable(distinct, positives, negatives, squares)


def _add_class_scores(tables: Sequence[ClassScores]) -> ClassScores:
    labels = tables[0].labels
    if any(table.labels != labels or table.cluster is not None for table in tables):
        return reduce(add, tables)
    weighted = any(table.square is not None for table in tables)
    squares = np.concatenate([table.squares for table in tables]) if weighted else None
    truth, scores, weight = (
        np.concatenate([getattr(table.rows, name) for table in tables]) for name in ("truth", "scores", "weight")
    )
    return ClassScores(ScoreRows(truth, scores, weight), labels, squares)


def _add_clusters(parts: Sequence[Clusters | None]) -> Clusters | None:
    """Add the clusters of tables of the same cells."""
    clusters = [part for part in parts if part is not None]
    if len(clusters) < len(parts):
        return reduce(add_clusters, parts)  # none, or a sentence on why not
    names = tuple(dict.fromkeys(name for part in clusters for name in part.names))
    position = {name: index for index, name in enumerate(names)}
    codes = [np.array([position[name] for name in part.names], np.int64) for part in clusters]
    rows = np.zeros(len(names), np.int64)
    for part, code in zip(clusters, codes, strict=True):
        rows[code] += part.rows
    cluster = np.concatenate([code[part.cluster] for part, code in zip(clusters, codes, strict=True)])
    cell, counts = (np.concatenate([getattr(part, name) for part in clusters]) for name in ("cell", "counts"))
    total = replace(clusters[0], names=names, cluster=cluster, cell=cell, counts=counts, rows=rows).joined()
    # Beyond these sizes additions leave entries as they came, and so their order tells which was first.
    is_left = len(cluster) > MANY and len(names) * total.cells > DENSE * len(total.cluster)
    return reduce(add_clusters, parts) if is_left else total
