"""Parquet files of scores: the whole assessment against DuckDB's bare group-by, and against pandas with scikit-learn.

``python -m benchmarks files`` makes files of 1, 20 and 100 million rows in the temporary folder (0.8 GB). Every time is
that of a process of its own; all take turns, three times each, and the medians are told.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks.measure import Comparison, peer

SIZES = (1_000_000, 20_000_000, 100_000_000)
MOST_PANDAS = 20_000_000  # rows that pandas holds in memory here
ROUNDS = 3
SLOWER = 3.0  # times a bare group-by


def make(rows: int) -> str:
    """Write predictions by a formula of the row's number, so that every machine has the same."""
    import duckdb

    path = os.path.join(tempfile.gettempdir(), f"assay-benchmark-{rows}.parquet")
    if os.path.exists(path):
        return path
    with duckdb.connect() as database:
        database.execute(f"""
            COPY (
                WITH numbers AS (
                    SELECT (hash(i) >> 11)::DOUBLE / 9007199254740992 AS u,
                           (hash(i + 1000000007) >> 11)::DOUBLE / 9007199254740992 AS v
                    FROM range({rows}) AS t(i)
                ), scores AS (
                    SELECT v < 0.3 AS positive,
                           1 / (1 + exp(CASE WHEN v < 0.3 THEN -1.5 ELSE 0.7 END - ln((u + 1e-12) / (1 - u + 1e-12))))
                           AS score
                    FROM numbers
                )
                SELECT CASE WHEN positive THEN 'spam' ELSE 'ham' END AS truth,
                       CASE WHEN score >= 0.5 THEN 'spam' ELSE 'ham' END AS predicted, score
                FROM scores
            ) TO '{path}.part' (FORMAT parquet)""")
    os.replace(f"{path}.part", path)
    return path


def timed(what: str, path: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.file_work", what, path], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def run() -> list[Comparison]:
    rows = []
    for size in SIZES:
        path = make(size)
        works = ["assay", "duckdb", "tally", *(["pandas"] if size <= MOST_PANDAS else [])]
        spent: dict[str, list[dict[str, float]]] = {what: [] for what in works}
        timed("assay", path)  # compiles, and lets the file be in memory for all
        for _ in range(ROUNDS):
            for what in works:
                spent[what].append(timed(what, path))

        def median(what: str, of: str, spent: dict[str, Any] = spent) -> float:
            return float(statistics.median(one[of] for one in spent[what]))

        for what in works:
            figures = f"{median(what, 'cpu'):.1f} s CPU, {median(what, 'peak'):.0f} MB"
            print(f"  {size // 10**6} million rows, {what}: {median(what, 'wall'):.2f} s wall, {figures}", flush=True)
        ours, name = median("assay", "wall"), f"file of {size // 10**6} million scores, assessed"
        rows.append(Comparison(name, ours, median("duckdb", "wall"), f"{peer('duckdb')}, bare group-by", 1 / SLOWER))
        if "pandas" in works:
            peers = peer("pandas", "scikit-learn")
            rows.append(Comparison(name, ours, median("pandas", "wall"), f"{peers}, without intervals", 3))
    return rows
