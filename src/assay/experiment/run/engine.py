"""The engine: tasks in, outcomes out, by joblib: in this process, in others, or on a cluster.

A worker may die: a learner can crash it, eat its memory, or hang past the time limit. What was running then is tried
again alone, one task at a time, and what dies alone is to blame.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from typing import Any

import joblib
import numpy as np
from joblib.parallel import get_active_backend

from assay.errors import AssayError
from assay.experiment.plan.datasets import Dataset
from assay.experiment.run.task import Outcome, Task, Work, note_of, perform


@dataclass(frozen=True)
class Place:
    """Where tasks run. On one machine the data are memory-mapped; a cluster has its own way to spread them."""

    n_jobs: int
    in_process: bool
    threads: bool
    cluster: bool

    @classmethod
    def of(cls, n_jobs: int | None, time_limit: float | None) -> Place:
        """Follow the backend that the user has set with ``joblib.parallel_config``, if any."""
        backend, _ = get_active_backend()
        try:
            jobs = joblib.effective_n_jobs(n_jobs)
        except (ValueError, TypeError):
            raise AssayError(f"`n_jobs` must be a whole number other than 0, not {n_jobs!r}.") from None
        cluster = getattr(backend, "default_n_jobs", 1) != 1
        threads = bool(getattr(backend, "uses_threads", False))
        if threads and time_limit is not None:  # also with one job: the watch would end this process
            raise AssayError("`time_limit` needs workers in processes of their own, which threads are not.")
        alone = jobs == 1 and not cluster and time_limit is None
        if not alone and not getattr(backend, "supports_return_generator", True):
            raise AssayError(f"joblib's {type(backend).__name__} gives no result before the last; take 'loky'.")
        return cls(jobs, alone, threads and jobs > 1, cluster)


def execute(works: Sequence[Work], datasets: Sequence[Dataset], n_jobs: int | None, scratch: str) -> Iterator[Outcome]:
    """Do all works and give each outcome as it comes, in no particular order; ``scratch`` is a folder to use."""
    if not works:
        return
    place = Place.of(n_jobs, works[0].time_limit)
    data = _shared(datasets, place, scratch)
    if place.in_process:
        for work in works:
            yield perform(*data[work.task.dataset], work)
        return
    notes = None if place.cluster else os.path.join(scratch, "running")
    if notes is not None:
        os.makedirs(notes)
    driver = None if place.cluster else os.getpid()
    ready = [replace(work, notes=notes, driver=driver, shares_process=place.threads) for work in works]
    yield from _in_workers(ready, data, place, notes)


def _in_workers(works: list[Work], data: list[Any], place: Place, notes: str | None) -> Iterator[Outcome]:
    waiting = {work.task: work for work in works}
    while waiting:
        sent: list[Task] = []
        try:
            for outcome in _parallel(waiting.values(), data, place, sent):
                del waiting[outcome.task]
                yield outcome
        except BaseException as error:
            if not _is_death(error):
                raise
            for task in _suspects([task for task in sent if task in waiting], notes):
                yield _alone(waiting.pop(task), data, place, notes)


def _parallel(works: Iterable[Work], data: list[Any], place: Place, sent: list[Task]) -> Iterator[Outcome]:
    def calls() -> Iterator[Any]:
        for work in list(works):
            sent.append(work.task)
            yield joblib.delayed(perform)(*data[work.task.dataset], work)

    jobs = place.n_jobs
    settings: dict[str, Any] = {"n_jobs": jobs}
    if jobs == 1 and not place.cluster:
        # joblib has no single worker process: of two, one is kept idle by sending one task at a time.
        settings = {"n_jobs": 2, "pre_dispatch": 1, "batch_size": 1}
    yield from joblib.Parallel(return_as="generator_unordered", **settings)(calls())


def _suspects(running: list[Task], notes: str | None) -> list[Task]:
    """Tasks that may have killed a worker: those that had begun and not ended."""
    if notes is None:
        return running
    begun = set(os.listdir(notes))
    marked = [task for task in running if os.path.basename(note_of(notes, task)) in begun]
    return marked or running


def _alone(work: Work, data: list[Any], place: Place, notes: str | None) -> Outcome:
    """Try a suspect alone, unless its note says that it ran out of time."""
    if work.time_limit is not None and notes is not None and _timed_out(note_of(notes, work.task)):
        return _too_long(work)
    try:
        (outcome,) = _parallel([work], data, place, [])
        return outcome
    except BaseException as error:
        if not _is_death(error):
            raise
    if work.time_limit is not None and (notes is None or _timed_out(note_of(notes, work.task))):
        return _too_long(work)
    return Outcome(work.task, "the learner ended its worker process (a crash, or no memory left)")


def _too_long(work: Work) -> Outcome:
    return Outcome(work.task, f"not done within the time limit of {work.time_limit:g} s")


def _timed_out(note: str) -> bool:
    """Look whether the watch has written where the learner hung, and remove the note."""
    try:
        late = os.path.getsize(note) > 0
        os.unlink(note)
    except OSError:
        return False
    return late


def _is_death(error: BaseException) -> bool:
    """A worker is gone: joblib's own error, or that of a cluster (whose library need not be installed).

    A cluster also takes back what it was asked for, when the data of a task went with the worker that held them.
    """
    told = ("KilledWorker", "CommClosedError", "FutureCancelledError")
    return isinstance(error, BrokenExecutor) or type(error).__name__ in told


def _shared(datasets: Sequence[Dataset], place: Place, scratch: str) -> list[tuple[Any, Any, Any]]:
    """Give features, labels and classes of each data set, memory-mapped where other processes read them."""
    plain = [(one.X, one.y, np.array(one.labels)) for one in datasets]
    if place.in_process or place.threads or place.cluster:
        return plain
    mapped = []
    for number, item in enumerate(plain):
        path = os.path.join(scratch, f"data{number}.joblib")
        try:
            joblib.dump(item, path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise AssayError(f"{path!r}, which workers need, cannot be written: {reason}.") from None
        mapped.append(joblib.load(path, mmap_mode="r"))
    return mapped
