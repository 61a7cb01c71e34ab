"""One task on a file of predictions, run in a process of its own: ``python -m benchmarks.file_work TASK FILE``.

Prints its time, without the start of the process and imports, and its peak memory.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

BINS = 1 << 20


def by_howsure(path: str) -> Any:
    import howsure

    return str(howsure.assess("truth", "predicted", scores="score", data=path))


def streamed(path: str) -> Any:
    """Assess a file in batches."""
    import pyarrow.parquet as parquet

    import howsure

    tally = howsure.Tally(positive="spam")
    # By default, PyArrow keeps everything that it has read in memory.
    for batch in parquet.ParquetFile(path, pre_buffer=False).iter_batches(1 << 18):
        truth, _, score = batch.columns
        tally.update(truth.dictionary_encode(), scores=score.to_numpy())
    return str(howsure.assess(tally))


def by_duckdb(path: str) -> Any:
    """Count by class and bin of scores."""
    import duckdb

    query = (
        f"SELECT truth, predicted, CAST(floor(score * {BINS}) AS INTEGER) AS bin, count(*) "
        f"FROM read_parquet('{path}') GROUP BY ALL"
    )
    return duckdb.connect().execute(query).fetchnumpy()


def by_pandas(path: str) -> Any:
    import pandas as pd
    from sklearn import metrics

    frame = pd.read_parquet(path)
    # scikit-learn takes minutes to compare 20 million labels as text
    truth, predicted = ((frame[name] == "spam").to_numpy() for name in ("truth", "predicted"))
    score = frame["score"].to_numpy()
    reports = [metrics.confusion_matrix(truth, predicted), metrics.classification_report(truth, predicted)]
    measures = (metrics.roc_auc_score, metrics.average_precision_score, metrics.brier_score_loss, metrics.log_loss)
    return [*reports, *(measure(truth, score) for measure in measures)]


WORKS: dict[str, Callable[[str], Any]] = {
    "howsure": by_howsure,
    "tally": streamed,
    "duckdb": by_duckdb,
    "pandas": by_pandas,
}
IMPORTS = {
    "howsure": "howsure.assessment",
    "tally": "howsure.assessment",
    "duckdb": "duckdb",
    "pandas": "sklearn.metrics",
}


def main(what: str, path: str) -> None:
    __import__(IMPORTS[what])
    start, used = time.perf_counter(), time.process_time()
    WORKS[what](path)
    spent = {"wall": time.perf_counter() - start, "cpu": time.process_time() - used}
    print(json.dumps({**spent, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))


if __name__ == "__main__":
    main(*sys.argv[1:])
