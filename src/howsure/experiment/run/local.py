"""Local joblib worker processes, which read the data from memory-mapped files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from functools import lru_cache
from typing import Any

import joblib
import numpy as np

from howsure.errors import HowsureError, system_reason
from howsure.experiment.plan.datasets import Dataset
from howsure.experiment.run.isolation import end_with_driver, marked
from howsure.experiment.run.task import Outcome, Outcomes, TaskInput, WorkerDiedError, perform


class LocalWorkers:
    """Processes of joblib's loky backend.

    When one process dies, joblib ends all of them, and the next call starts new ones. Each running task is marked by a
    file, so that the tasks that may have caused it can be identified.
    """

    def __init__(self, n_jobs: int, datasets: Sequence[Dataset], scratch: str) -> None:
        self.n_jobs = n_jobs
        # Idle workers also serve the next run and cache data by file name, so the names must be new in each run.
        self.folder = tempfile.mkdtemp(dir=scratch)
        self.files = [self._write(number, dataset) for number, dataset in enumerate(datasets)]

    def _write(self, number: int, dataset: Dataset) -> str:
        path, X = os.path.join(self.folder, f"data{number}.joblib"), dataset.X
        if type(X).__module__ == "__main__" or "<locals>" in type(X).__qualname__:  # pickle cannot send such a class
            X = joblib.wrap_non_picklable_objects(X, keep_wrapper=False)
        try:
            joblib.dump((X, dataset.y, np.array(dataset.labels)), path)
        except OSError as error:
            raise HowsureError(f"{path!r}, which workers need, cannot be written: {system_reason(error)}.") from None
        return path

    def outcomes(self, jobs: Sequence[TaskInput]) -> Outcomes:
        """Yield outcomes as they arrive; raise `WorkerDiedError` if a process dies."""
        markers = tempfile.mkdtemp(dir=self.folder)
        calls = (
            joblib.delayed(_perform)(self.files[job.task.dataset], job, _marker(markers, job), os.getpid())
            for job in jobs
        )
        settings: dict[str, Any] = {"n_jobs": self.n_jobs}
        if self.n_jobs == 1:  # joblib would run tasks in this process; two workers given one task at a time act as one
            settings = {"n_jobs": 2, "pre_dispatch": 1, "batch_size": 1}
        try:
            yield from joblib.Parallel(return_as="generator_unordered", **settings)(calls)
        except BrokenExecutor:
            raise self._death(jobs, markers) from None

    def _death(self, jobs: Sequence[TaskInput], markers: str) -> WorkerDiedError:
        """Find the tasks during which the workers ended."""
        names = set(os.listdir(markers))
        running = [job for job in jobs if os.path.basename(_marker(markers, job)) in names]
        late = [job for job in running if job.time_limit is not None and _has_content(_marker(markers, job))]
        if late:
            return WorkerDiedError({job.task: job.too_long for job in late})
        if self.n_jobs == 1 or len(jobs) == 1:
            return WorkerDiedError({job.task: job.crashed for job in running})
        return WorkerDiedError(suspects=running)


def _marker(folder: str, job: TaskInput) -> str:
    return os.path.join(folder, f"{job.task.dataset}-{job.task.learner}-{job.task.splits[0]}")


def _has_content(path: str) -> bool:
    """Return whether a traceback was written because of the time limit."""
    try:
        return os.path.getsize(path) > 0
    except OSError:  # the task has ended in the meantime
        return False


def _perform(file: str, job: TaskInput, marker: str, driver: int) -> Outcome:
    """Perform a task in a worker."""
    end_with_driver(driver)
    with marked(marker) as log:
        return perform(*_load(file), job, log)


@lru_cache(maxsize=2)
def _load(file: str) -> tuple[Any, Any, Any]:
    X, y, labels = joblib.load(file, mmap_mode="r")
    return X, y, labels
