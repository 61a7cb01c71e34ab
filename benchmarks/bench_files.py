"""Assessment of Parquet files of scores, compared with a DuckDB group-by and with pandas and scikit-learn.

``python -m benchmarks files`` writes files of 1, 20 and 100 million rows to the temporary folder (0.8 GB). Each time is
that of a new process without its start; all tasks take turns, three times each.
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
MAX_PANDAS = 20_000_000  # rows that fit into memory with pandas
ROUNDS = 3
# Factors of a bare group-by; with few rows, loading Numba takes most of the time.
SLOWER = {1_000_000: 5.0, 20_000_000: 3.0, 100_000_000: 3.0}
FASTER = {1_000_000: 1.0, 20_000_000: 3.0}  # factors of pandas
SECONDS = {20_000_000: 3.0}
MAX_MEMORY = 1e9  # bytes
FLAT, FLAT_MEMORY = 1.3, 1.25  # factors of 1 million rows; the memory includes that of the reader


def make(rows: int) -> str:
    """Write predictions by a formula of the row number, the same on every machine."""
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
    runs = {size: _in_turn(make(size), size <= MAX_PANDAS) for size in SIZES}
    for size, spent in runs.items():
        name, times = (
            f"file of {size // 10**6} million scores, assessed",
            {what: _times(of_task) for what, of_task in spent.items()},
        )
        for what, of_task in spent.items():
            summary = f"{times[what].line()}, {_median(of_task, 'peak') / 1e6:.0f} MB"
            print(f"  {size // 10**6} million rows, {what}: {summary}", flush=True)
        bare = f"{peer('duckdb')}, bare group-by"
        rows.append(Comparison.of(name, times["howsure"], times["duckdb"], bare, 1 / SLOWER[size]))
        if "pandas" in times:
            peers = f"{peer('pandas', 'scikit-learn')}, without intervals"
            rows.append(Comparison.of(name, times["howsure"], times["pandas"], peers, FASTER[size]))
        if size in SECONDS:
            rows.append(Comparison.of(name, times["howsure"], SECONDS[size], f"limit {SECONDS[size]:g} s", 1))
        rows.append(_memory(f"{name}: memory", spent["howsure"], MAX_MEMORY, "limit 1 GB"))
    small, large = (runs[size] for size in (SIZES[0], SIZES[-1]))
    for what in ("howsure", "tally"):
        each = [_times(runs[size][what]).scaled(1 / size) for size in (SIZES[-1], SIZES[0])]
        title = f"time per row, 100 million against 1 million, {what}"
        rows.append(Comparison.of(title, each[0], FLAT * each[1].best, f"{FLAT} times", 1))
    limit, name = FLAT_MEMORY * _median(small["tally"], "peak"), f"{FLAT_MEMORY} times that of 1 million"
    rows.append(_memory("tally of 100 million scores: memory", large["tally"], limit, name))
    return rows


def _in_turn(path: str, with_pandas: bool) -> dict[str, list[dict[str, float]]]:
    works = ["howsure", "duckdb", "tally", *(["pandas"] if with_pandas else [])]
    spent: dict[str, list[dict[str, float]]] = {what: [] for what in works}
    timed("howsure", path)  # compiles the kernels, and loads the file into the page cache
    for number in range(ROUNDS):
        for what in (works, works[::-1])[number % 2]:
            spent[what].append(timed(what, path))
    return spent


def _times(runs: list[dict[str, float]]) -> Times:
    return Times(*(tuple(run[name] for run in runs) for name in ("wall", "cpu")))


def _median(runs: list[dict[str, float]], name: str) -> float:
    return float(statistics.median(run[name] for run in runs))


def _memory(what: str, runs: list[dict[str, float]], limit: float, name: str) -> Comparison:
    return Comparison(what, _median(runs, "peak"), limit, name, 1, unit="B")
