"""Tasks on a Dask cluster, which the user names by ``joblib.parallel_config(backend="dask")``.

The cluster's client is used directly. joblib scatters the data to the workers, and one that dies at that moment leaves
tasks that nobody does and nobody misses: the driver would wait for ever. Here the data are the result of a task, which
the cluster does again when the worker that held it is gone.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from typing import Any

from howsure.errors import HowsureError
from howsure.experiment.run.task import Outcome, Task, TaskInput, perform

AHEAD = 3  # batches sent for each worker, so that none is idle while outcomes travel
BATCH = 0.1  # seconds that a batch should take, to be worth its journey
PATIENCE = 60  # seconds that a cluster has to answer


def on_cluster(
    client: Any, jobs: Iterable[TaskInput], data: list[Any], n_jobs: int, sent: list[Task]
) -> Iterator[Outcome]:
    """Do tasks and yield each outcome as it comes; those over which workers died are left in ``sent`` at the end."""
    from distributed import KilledWorker, as_completed

    waiting = iter(jobs)
    running: dict[Any, list[TaskInput]] = {}
    suspects: list[Task] = []
    size = 1

    def send() -> list[Any]:
        batch = list(islice(waiting, size))
        if not batch:
            return []
        sent.extend(job.task for job in batch)
        needed = {job.task.dataset: held[job.task.dataset] for job in batch}
        future = client.submit(_perform, needed, batch, pure=False)
        running[future] = batch
        return [future]

    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            held = [client.submit(_held, arrays, pure=False) for arrays in data]
        done = as_completed([future for _ in range(AHEAD * n_jobs) for future in send()])
        for future in done:
            batch = running.pop(future)
            try:
                outcomes, seconds = future.result()
            except KilledWorker as error:
                suspects.extend(job.task for job in batch)
                death = error
                outcomes, size = [], 1
            else:
                size = max(1, min(2 * len(batch), int(len(batch) * BATCH / seconds)))
            done.update(send())
            yield from outcomes
        if suspects:
            sent[:] = suspects
            raise death
    except Exception as error:
        if isinstance(error, CancelledError) or client.status != "running":  # closed, or started anew
            raise _gone() from None
        raise
    finally:
        with suppress(Exception):  # a cluster that is gone
            client.cancel(list(running))


def must_answer(client: Any) -> None:
    """Refuse to go on with a cluster that does not do the smallest task within a minute: no learner is to blame."""
    try:
        client.submit(os.getpid, pure=False).result(timeout=PATIENCE)
    except Exception:
        raise _gone() from None


def _gone() -> HowsureError:
    return HowsureError("the cluster is gone; what was done until then is stored, and the same run continues it.")


def _held(arrays: Any) -> Any:
    return arrays


def _perform(data: dict[int, tuple[Any, Any, Any]], batch: list[TaskInput]) -> tuple[list[Outcome], float]:
    start = time.perf_counter()
    outcomes = [perform(*data[job.task.dataset], job) for job in batch]
    return outcomes, time.perf_counter() - start
