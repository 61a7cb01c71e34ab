"""Workers on a Dask cluster, which the user selects with ``joblib.parallel_config(backend="dask")``.

The cluster's client is used directly, since joblib would scatter the data to the workers and wait forever for the tasks
of a worker that dies in the process. Here the data are the result of a cluster task, which the cluster repeats when a
worker is lost.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from typing import Any

from howsure.errors import HowsureError
from howsure.experiment.run.task import Outcome, Outcomes, TaskInput, WorkerDiedError, perform

AHEAD = 3  # number of batches sent ahead to each worker, so that none is idle while outcomes are in transit
BATCH = 0.1  # target duration of a batch in seconds, so that sending it is worthwhile
PATIENCE = 60  # seconds to wait for an answer from the cluster


class ClusterWorkers:
    """The workers of a Dask cluster."""

    def __init__(self, client: Any, n_jobs: int, data: list[tuple[Any, Any, Any]]) -> None:
        self.client, self.n_jobs, self.data = client, n_jobs, data

    def outcomes(self, jobs: Sequence[TaskInput]) -> Outcomes:
        """Yield outcomes as they arrive; raise `WorkerDiedError` at the end."""
        from distributed import KilledWorker, as_completed

        waiting = iter(jobs)
        running: dict[Any, list[TaskInput]] = {}
        suspects: list[TaskInput] = []
        size = 1

        def send() -> list[Any]:
            batch = list(islice(waiting, size))
            if not batch:
                return []
            needed = {job.task.dataset: held[job.task.dataset] for job in batch}
            future = self.client.submit(_perform, needed, batch, pure=False)
            running[future] = batch
            return [future]

        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
                held = [self.client.submit(_held, arrays, pure=False) for arrays in self.data]
            done = as_completed([future for _ in range(AHEAD * self.n_jobs) for future in send()])
            for future in done:
                batch = running.pop(future)
                try:
                    outcomes, seconds = future.result()
                except KilledWorker:
                    suspects.extend(batch)
                    outcomes, size = [], 1
                else:
                    size = max(1, min(2 * len(batch), int(len(batch) * BATCH / seconds)))
                done.update(send())
                yield from outcomes
        except Exception as error:
            if isinstance(error, CancelledError) or self.client.status != "running":  # closed or restarted
                raise _gone() from None
            raise
        finally:
            with suppress(Exception):  # the cluster may be gone
                self.client.cancel(list(running))
        if suspects:
            self._must_answer()
            if len(jobs) > 1:
                raise WorkerDiedError(suspects=suspects)
            # A cluster may not share a disk with this process, so the time limit cannot leave a message there.
            (job,) = jobs
            raise WorkerDiedError({job.task: job.crashed if job.time_limit is None else job.too_long})

    def _must_answer(self) -> None:
        """Raise an error unless the cluster performs a trivial task."""
        try:
            self.client.submit(os.getpid, pure=False).result(timeout=PATIENCE)
        except Exception:
            raise _gone() from None


def _gone() -> HowsureError:
    return HowsureError("the cluster was closed or lost; finished tasks are stored, so run again to resume.")


def _held(arrays: Any) -> Any:
    return arrays


def _perform(data: dict[int, tuple[Any, Any, Any]], batch: list[TaskInput]) -> tuple[list[Outcome], float]:
    start = time.perf_counter()
    outcomes = [perform(*data[job.task.dataset], job) for job in batch]
    return outcomes, time.perf_counter() - start
