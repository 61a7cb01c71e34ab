"""Workers: tasks in, outcomes out. Tasks run in this process, in local processes, or on a cluster.

A worker may die: a learner can crash it, use all memory, or exceed the time limit. The tasks that were running are then
retried one at a time; a task that ends its worker again has failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from numbers import Integral
from typing import Any

import joblib
import numpy as np
from joblib.parallel import get_active_backend

from howsure.errors import HowsureError, must
from howsure.experiment.plan.datasets import Dataset
from howsure.experiment.run.cluster import ClusterWorkers
from howsure.experiment.run.local import LocalWorkers
from howsure.experiment.run.task import Outcome, Outcomes, Task, TaskInput, WorkerDiedError, perform

MAX_JOBS = 10_000
MAX_IDLE_DEATHS = 3  # maximum number of consecutive times that workers may die without having started a task


class InProcess:
    """Performs tasks in this process, one after the other."""

    def __init__(self, data: list[tuple[Any, Any, Any]]) -> None:
        self.data = data

    def outcomes(self, jobs: Sequence[TaskInput]) -> Outcomes:
        for job in jobs:
            yield perform(*self.data[job.task.dataset], job)


Workers = InProcess | LocalWorkers | ClusterWorkers


def choose_workers(n_jobs: int | None, time_limit: float | None, datasets: Sequence[Dataset], scratch: str) -> Workers:
    """Return workers for `n_jobs` and the backend of `joblib.parallel_config`."""
    backend, _ = get_active_backend()
    client = getattr(backend, "client", None)
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or not 0 < abs(n_jobs) <= MAX_JOBS):
        must("n_jobs", f"a whole number other than 0, up to {MAX_JOBS:,}", given=n_jobs)
    try:
        jobs = joblib.effective_n_jobs(n_jobs)
    except Exception as error:
        if client is not None:
            reason = str(error).rstrip(".") or type(error).__name__
            raise HowsureError(f"the cluster does not answer ({reason}); start it, and run again.") from None
        raise
    data = [(dataset.X, dataset.y, np.array(dataset.labels)) for dataset in datasets]
    if client is not None:
        return ClusterWorkers(client, jobs, data)
    if jobs == 1 and time_limit is None:
        return InProcess(data)
    if (name := type(backend).__name__) != "LokyBackend":
        raise HowsureError(f"joblib's {name} is not supported here; use 'loky', or 'dask' for a cluster.")
    return LocalWorkers(jobs, datasets, scratch)


def run_tasks(jobs: Sequence[TaskInput], workers: Workers) -> Outcomes:
    """Yield the outcomes of all tasks as they arrive, in no particular order."""
    waiting = {job.task: job for job in jobs}
    suspects: list[TaskInput] = []
    idle_deaths = 0
    while waiting:
        batch = [suspects.pop()] if suspects else list(waiting.values())
        failures: Mapping[Task, str] = {}
        try:
            with closing(workers.outcomes(batch)) as outcomes:
                for outcome in outcomes:
                    del waiting[outcome.task]
                    yield outcome
        except WorkerDiedError as death:
            failures = death.failures
            suspects += death.suspects
            idle_deaths = 0 if failures or suspects else idle_deaths + 1
        for task, reason in failures.items():
            del waiting[task]
            yield Outcome(task, reason)
        if idle_deaths > MAX_IDLE_DEATHS:
            raise HowsureError("worker processes die before they start a task; try `n_jobs=1`, which does not use any.")
