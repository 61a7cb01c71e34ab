"""Count the scores of large files in bins, in constant memory.

A first pass counts the labels and finds the range of the scores; a second pass counts cases by label and bin. With
Numba and PyArrow (the extra ``fast``), the second pass streams through a compiled loop, which takes a third of the
time; without them, and for groups, clusters and weights, DuckDB groups by bin. The results are bitwise identical.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.encode import merge_equal
from howsure.data.read.database import open_files
from howsure.data.read.files import (
    NONE,
    FileColumns,
    Roles,
    check_weights,
    find_repeated,
    read_labels,
    read_rows,
    refuse_empty,
    wanted_columns,
)
from howsure.data.read.formats import Scan
from howsure.data.scores import EXACT_ROWS, default_threshold
from howsure.errors import HowsureError
from howsure.kernels.ranking import compiled
from howsure.kernels.score_bins import LARGEST_FINITE, BinnedCounts, ScoreMap, join_bins
from howsure.sql import literal

BATCH = 1 << 18  # number of rows held in memory
MAX_STREAMED = 8  # maximum number of label combinations; each needs a count for every bin
Texts = dict[str, list[str]]  # the distinct cells of each column as text
Cells = dict[str, list[Any]]


def read_scores(
    data: Any,
    labels: Roles,
    keys: Roles = NONE,
    *,
    score: str,
    weight: str | None = None,
    threshold: float | None = None,
    exact: bool | None = None,
    file_format: str | None = None,
) -> FileColumns:
    """Read a column of scores and other columns, in bins or row by row.

    By default, large numbers of rows are counted in bins, except for weighted cases in groups or clusters, since the
    number of cases in each group or cluster would be lost.
    """
    wanted = wanted_columns(weight, labels, keys, {score: "scores"})
    with open_files(data, file_format, wanted) as scan_of:
        scan = scan_of(wanted)
        if exact is not True and not (weight and keys):
            scored = ScoredFile(scan, labels, keys, score, weight)
            if exact is False or scored.rows > EXACT_ROWS:
                return replace(scored.counted(threshold), repeated=find_repeated(scan_of, scan, keys))
        return read_rows(scan_of, scan, labels, keys, {score: "scores"}, weight)


class ScoredFile:
    """Opened files with a column of scores, and a summary of all rows."""

    def __init__(self, scan: Scan, labels: Roles, keys: Roles, score: str, weight: str | None) -> None:
        self.scan, self.labels, self.keys, self.score = scan, labels, keys, score
        self.number, self.condition, self.amount, self.whole = scan.number(score), "true", "", True
        if weight is not None:
            self.condition = f"{scan.number(weight)} <> 0"
            is_whole = scan.is_whole(weight)
            self.whole, self.amount = check_weights(scan, weight, scan.scan(), scan.number(weight), is_whole)
        self.texts, self.cells, (counts, lows, highs, missing) = _summarise(scan, labels, self.number, self.condition)
        self.rows = sum(counts)
        if not self.rows:
            refuse_empty(scan, weight)
        self.has_missing = any(missing) or any(map(math.isnan, highs))
        self.low: float = math.nan if self.has_missing else min(lows)
        self.high: float = math.nan if self.has_missing else max(highs)

    def counted(self, threshold: float | None) -> FileColumns:
        """Count cases by labels, keys and score bin."""
        scan = self.scan
        if self.has_missing:
            wrong = f"{self.condition} AND coalesce(isnan({self.number}), true)"
            raise HowsureError(f"`{self.score}` must be a number, not {scan.first_where(self.score, wrong)}.")
        threshold = default_threshold(self.low, self.high) if threshold is None else threshold
        score_map = ScoreMap.of_range(self.low, self.high, threshold, self._largest_finite)
        for name in self.keys:
            self.texts[name], self.cells[name] = _distinct(scan, name, self.condition)
        values = read_labels(scan, self.labels, self.keys, self.cells, self.condition)
        if not self.amount and not self.keys and _can_stream(self.texts):
            codes, total, lowest, tops = _streamed(scan, self.texts, self.number, score_map)
            squares = total
        else:
            codes, columns = _grouped(scan, self.texts, self.number, score_map, self.condition, self.amount)
            bins, lowest, tops, total, squares = columns
            lowest, tops = join_bins(bins, lowest, tops)
        return FileColumns(
            {name: merge_equal(codes[name], values[name]) for name in values},
            int(self.rows),
            np.round(total).astype(np.int64) if self.whole else total,
            None if self.whole else squares,
            numbers={self.score: lowest},
            tops=tops,
            threshold=threshold,
        )

    def _largest_finite(self) -> float:
        size = f"abs({self.number})"
        finite = f"{self.condition} AND {size} <= {LARGEST_FINITE!r}::DOUBLE"
        return float(self.scan.fetch(f"SELECT coalesce(max({size}), 0) FROM {self.scan.scan()} WHERE {finite}")[0][0])


def _summarise(scan: Scan, labels: Roles, number: str, condition: str) -> tuple[Texts, Cells, list[list[Any]]]:
    """Return the distinct labels, and a summary of each combination.

    The summary is the number of rows, the lowest and the highest score, and whether a score is missing. For Parquet
    files, DuckDB relies on statistics that ignore NaN and assumes that `isnan` is false, but NaN is the highest score.
    """
    aliases = [scan.aliases[name] for name in labels]
    rows = scan.fetch(
        f"SELECT {', '.join(f'CAST({alias} AS VARCHAR), any_value({alias})' for alias in aliases)}, count(*), "
        f"min({number}), max({number}), bool_or({number} IS NULL) "
        f"FROM {scan.scan()} WHERE {condition} GROUP BY {', '.join(f'CAST({alias} AS VARCHAR)' for alias in aliases)}"
    )
    texts, cells = {}, {}
    for index, name in enumerate(labels):
        column = sorted({row[2 * index]: row[2 * index + 1] for row in rows}.items(), key=lambda cell: str(cell[0]))
        texts[name], cells[name] = ([cell[part] for cell in column] for part in (0, 1))
    return texts, cells, [[row[index] for row in rows] for index in range(2 * len(aliases), 2 * len(aliases) + 4)]


def _distinct(scan: Scan, name: str, condition: str) -> tuple[list[str], list[Any]]:
    """Return the distinct values of a column as sorted text and as cells."""
    alias = scan.aliases[name]
    rows = scan.fetch(
        f"SELECT CAST({alias} AS VARCHAR) AS text, any_value({alias}) FROM {scan.scan()} WHERE {condition} "
        "GROUP BY text ORDER BY text"
    )
    return [text for text, _ in rows], [cell for _, cell in rows]


def _code(scan: Scan, name: str, texts: list[str]) -> str:
    """Return SQL for the position of a cell among the distinct values."""
    alias = scan.aliases[name]
    listed = ", ".join(map(literal, texts))
    scan.database.execute(f"CREATE TYPE labels_{alias} AS ENUM ({listed})")
    return f"enum_code(CAST(CAST({alias} AS VARCHAR) AS labels_{alias}))"


def _can_stream(texts: Texts) -> bool:
    combinations = int(np.prod([len(column) for column in texts.values()]))
    return combinations <= MAX_STREAMED and compiled() is not None and find_spec("pyarrow") is not None


def _streamed(
    scan: Scan, texts: Texts, number: str, score_map: ScoreMap
) -> tuple[dict[str, IntArray], Array, Array, Array]:
    """Read labels and scores in batches, and count each batch."""
    sizes = [len(column) for column in texts.values()]
    combined = "0"
    for name, column in texts.items():
        combined = f"({combined}) * {len(column)} + {_code(scan, name, column)}"
    counted = BinnedCounts(score_map, int(np.prod(sizes)))
    for codes, scores in _batches(scan, f"SELECT CAST({combined} AS UTINYINT), {number} FROM {scan.scan()}"):
        counted.add(codes, scores)
    bins, combination = np.nonzero(counted.counts)
    codes_of = dict(zip(texts, np.unravel_index(combination, sizes), strict=True))
    return codes_of, counted.counts[bins, combination], counted.low[bins], counted.high[bins]


def _batches(scan: Scan, query: str) -> Iterator[tuple[Array, Array]]:
    relation: Any = scan.database.sql(query)
    # DuckDB 2 uses the first name, and earlier versions the second.
    reader = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader
    for batch in reader(BATCH):
        codes, scores = batch.columns
        yield np.from_dlpack(codes), np.from_dlpack(scores)  # neither copies the data nor imports pandas


def _grouped(
    scan: Scan, texts: Texts, number: str, score_map: ScoreMap, condition: str, amount: str
) -> tuple[dict[str, IntArray], list[Array]]:
    """Count cases by labels, keys and score bin in DuckDB."""
    codes = [
        f"CAST({_code(scan, name, column)} AS INTEGER) AS k{index}"
        for index, (name, column) in enumerate(texts.items())
    ]
    sums = f"sum({amount}), sum({amount} * {amount})" if amount else "count(*), count(*)"
    keys = ", ".join([*(f"k{index}" for index in range(len(texts))), "bin"])
    counts = scan.database.execute(
        f"SELECT {', '.join(codes)}, {score_map.in_sql(number)} AS bin, min({number}) AS low, max({number}) AS high, "
        f"{sums} FROM {scan.scan()} WHERE {condition} GROUP BY {keys} ORDER BY {keys}"
    ).fetchnumpy()
    columns = [np.asarray(column) for column in counts.values()]
    return dict(zip(texts, columns, strict=False)), columns[len(texts) :]
