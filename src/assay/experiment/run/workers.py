"""Workers: tasks in, outcomes out, in this process, in others by joblib, or on a cluster.

A worker may die: a learner can crash it, eat its memory, or hang past the time limit. What was running then is tried
again alone, one task at a time, and what dies alone is to blame.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import joblib
import numpy as np
from joblib.parallel import get_active_backend

from assay.errors import AssayError, must, system_reason
from assay.experiment.plan.datasets import Dataset
from assay.experiment.run.cluster import must_answer, on_cluster
from assay.experiment.run.task import Outcome, Task, TaskInput, perform

MOST_JOBS = 10_000


@dataclass(frozen=True)
class Workers:
    """Where tasks run. On one machine the data are memory-mapped; a cluster has its own way to spread them."""

    n_jobs: int
    in_process: bool
    threads: bool
    client: Any = None  # of the cluster, if any

    @classmethod
    def of(cls, n_jobs: int | None, time_limit: float | None) -> Workers:
        """Follow the backend that the user has set with ``joblib.parallel_config``, if any."""
        backend, _ = get_active_backend()
        client = getattr(backend, "client", None)
        if n_jobs is not None and (not isinstance(n_jobs, Integral) or not 0 < abs(n_jobs) <= MOST_JOBS):
            must("n_jobs", f"a whole number other than 0, up to {MOST_JOBS:,}", given=n_jobs)
        try:
            jobs = joblib.effective_n_jobs(n_jobs)
        except Exception as error:
            if client is not None:
                reason = str(error).rstrip(".") or type(error).__name__
                raise AssayError(f"the cluster does not answer ({reason}); start it, and run again.") from None
            raise
        threads = bool(getattr(backend, "uses_threads", False))
        if threads and time_limit is not None:  # also with one job: the watch would end this process
            raise AssayError("`time_limit` needs workers in processes of their own, which threads are not.")
        alone = jobs == 1 and client is None and time_limit is None
        if not alone and not getattr(backend, "supports_return_generator", True):
            raise AssayError(f"joblib's {type(backend).__name__} gives no result before the last; use 'loky'.")
        return cls(jobs, alone, threads and jobs > 1, client)


def execute(
    jobs: Sequence[TaskInput], datasets: Sequence[Dataset], n_jobs: int | None, scratch: str
) -> Iterator[Outcome]:
    """Do all tasks and yield each outcome as it comes, in no particular order; ``scratch`` is a folder to use."""
    if not jobs:
        return
    workers = Workers.of(n_jobs, jobs[0].time_limit)
    data = _shared(datasets, workers, scratch)
    if workers.in_process:
        for job in jobs:
            yield perform(*data[job.task.dataset], job)
        return
    markers, driver = None, None  # a cluster need not share a disk with us, and outlives us
    if workers.client is None:
        markers, driver = os.path.join(scratch, "running"), os.getpid()
        os.makedirs(markers)
    ready = [replace(job, markers=markers, driver=driver, shares_process=workers.threads) for job in jobs]
    yield from _in_workers(ready, data, workers)


def _in_workers(jobs: list[TaskInput], data: list[Any], workers: Workers) -> Iterator[Outcome]:
    waiting = {job.task: job for job in jobs}
    while waiting:
        sent: list[Task] = []
        try:
            for outcome in _parallel(waiting.values(), data, workers, sent):
                del waiting[outcome.task]
                yield outcome
        except BaseException as error:
            _raise_unless_death(error, workers)
            for job in _suspects([waiting[task] for task in sent if task in waiting]):
                del waiting[job.task]
                yield _alone(job, data, workers)


def _parallel(jobs: Iterable[TaskInput], data: list[Any], workers: Workers, sent: list[Task]) -> Iterator[Outcome]:
    if workers.client is not None:
        yield from on_cluster(workers.client, list(jobs), data, workers.n_jobs, sent)
        return

    def calls() -> Iterator[Any]:
        for job in list(jobs):
            sent.append(job.task)
            yield joblib.delayed(perform)(*data[job.task.dataset], job)

    settings: dict[str, Any] = {"n_jobs": workers.n_jobs}
    if workers.n_jobs == 1:
        # joblib has no single worker process: of two, one is kept idle by sending one task at a time.
        settings = {"n_jobs": 2, "pre_dispatch": 1, "batch_size": 1}
    yield from joblib.Parallel(return_as="generator_unordered", **settings)(calls())


def _suspects(running: list[TaskInput]) -> list[TaskInput]:
    """Tasks that may have killed a worker: those that had begun and not ended."""
    return [job for job in running if job.marker is not None and os.path.exists(job.marker)] or running


def _alone(job: TaskInput, data: list[Any], workers: Workers) -> Outcome:
    """Try a suspect alone, unless its marker says that it ran out of time."""
    too_long = Outcome(job.task, f"not done within the time limit of {job.time_limit or 0:g} s")
    if job.time_limit is not None and job.marker is not None and _timed_out(job.marker):
        return too_long
    try:
        (outcome,) = _parallel([job], data, workers, [])
        return outcome
    except BaseException as error:
        _raise_unless_death(error, workers)
    if job.time_limit is not None and (job.marker is None or _timed_out(job.marker)):
        return too_long
    return Outcome(job.task, "the learner ended its worker process (a crash, or no memory left)")


def _timed_out(marker: str) -> bool:
    """Look whether the watch has written where the learner hung, and remove the marker."""
    try:
        late = os.path.getsize(marker) > 0
        os.unlink(marker)
    except OSError:
        return False
    return late


def _raise_unless_death(error: BaseException, workers: Workers) -> None:
    """Go on only where a worker died: joblib's own error, or that of a cluster (whose library need not be there)."""
    if not isinstance(error, BrokenExecutor) and type(error).__name__ != "KilledWorker":
        raise error
    if workers.client is not None:
        must_answer(workers.client)


def _shared(datasets: Sequence[Dataset], workers: Workers, scratch: str) -> list[tuple[Any, Any, Any]]:
    """Return features, labels and classes of each data set, memory-mapped where other processes read them."""
    arrays = [(dataset.X, dataset.y, np.array(dataset.labels)) for dataset in datasets]
    if workers.in_process or workers.threads or workers.client is not None:
        return arrays
    mapped = []
    for number, item in enumerate(arrays):
        path = os.path.join(scratch, f"data{number}.joblib")
        try:
            joblib.dump(item, path)
        except OSError as error:
            raise AssayError(f"{path!r}, which workers need, cannot be written: {system_reason(error)}.") from None
        mapped.append(joblib.load(path, mmap_mode="r"))
    return mapped
