"""Parquet files of scores: the whole assessment against DuckDB's bare group-by, and against pandas with scikit-learn.

``python -m benchmarks files`` makes files of 1, 20 and 100 million rows in the temporary folder (0.8 GB). Every time is
that of a process of its own, without its start; all take turns, three times each.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile

from benchmarks.measure import Comparison, Times, peer

SIZES = (1_000_000, 20_000_000, 100_000_000)
MOST_PANDAS = 20_000_000  # rows that pandas holds in memory here
ROUNDS = 3
SLOWER = {1_000_000: 5.0, 20_000_000: 3.0, 100_000_000: 3.0}  # times a bare group-by; of few rows the start of Numba
FASTER = {1_000_000: 1.0, 20_000_000: 3.0}  # times pandas
SECONDS = {20_000_000: 3.0}
MOST_MEMORY = 1e9  # bytes
FLAT, FLAT_MEMORY = 1.3, 1.25  # times that of a million rows; the memory is also that of who reads the file


def make(rows: int) -> str:
    """Write predictions by a formula of the row's number, so that every machine has the same."""
    import duckdb

    path = os.path.join(tempfile.gettempdir(), f"howsure-benchmark-{rows}.parquet")
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
    rows: list[Comparison] = []
    found = {size: _in_turn(make(size), size <= MOST_PANDAS) for size in SIZES}
    for size, spent in found.items():
        name, times = (
            f"file of {size // 10**6} million scores, assessed",
            {what: _times(of) for what, of in spent.items()},
        )
        for what, of in spent.items():
            told = f"{times[what].line()}, {_median(of, 'peak') / 1e6:.0f} MB"
            print(f"  {size // 10**6} million rows, {what}: {told}", flush=True)
        bare = f"{peer('duckdb')}, bare group-by"
        rows.append(Comparison.of(name, times["howsure"], times["duckdb"], bare, 1 / SLOWER[size]))
        if "pandas" in times:
            peers = f"{peer('pandas', 'scikit-learn')}, without intervals"
            rows.append(Comparison.of(name, times["howsure"], times["pandas"], peers, FASTER[size]))
        if size in SECONDS:
            rows.append(Comparison.of(name, times["howsure"], SECONDS[size], f"limit {SECONDS[size]:g} s", 1))
        rows.append(_memory(f"{name}: memory", spent["howsure"], MOST_MEMORY, "limit 1 GB"))
    small, large = (found[size] for size in (SIZES[0], SIZES[-1]))
    for what in ("howsure", "tally"):
        each = [_times(found[size][what]).scaled(1 / size) for size in (SIZES[-1], SIZES[0])]
        told = f"time per row, 100 million against 1 million, {what}"
        rows.append(Comparison.of(told, each[0], FLAT * each[1].best, f"{FLAT} times", 1))
    limit, name = FLAT_MEMORY * _median(small["tally"], "peak"), f"{FLAT_MEMORY} times that of 1 million"
    rows.append(_memory("tally of 100 million scores: memory", large["tally"], limit, name))
    return rows


def _in_turn(path: str, with_pandas: bool) -> dict[str, list[dict[str, float]]]:
    works = ["howsure", "duckdb", "tally", *(["pandas"] if with_pandas else [])]
    spent: dict[str, list[dict[str, float]]] = {what: [] for what in works}
    timed("howsure", path)  # compiles, and lets the file be in memory for all
    for number in range(ROUNDS):
        for what in (works, works[::-1])[number % 2]:
            spent[what].append(timed(what, path))
    return spent


def _times(found: list[dict[str, float]]) -> Times:
    return Times(*(tuple(one[of] for one in found) for of in ("wall", "cpu")))


def _median(found: list[dict[str, float]], of: str) -> float:
    return float(statistics.median(one[of] for one in found))


def _memory(what: str, found: list[dict[str, float]], limit: float, name: str) -> Comparison:
    return Comparison(what, _median(found, "peak"), limit, name, 1, unit="B")
