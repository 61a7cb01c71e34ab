"""Workers: tasks in, outcomes out, in this process, in copies of it, in others by joblib, or on a cluster.

A worker may die: a learner can crash it, eat its memory, or hang past the time limit. What was running then is tried
again alone, one task at a time, and what dies alone is to blame.
"""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any

import joblib
import numpy as np
from joblib.parallel import get_active_backend

from howsure.errors import HowsureError, must, system_reason
from howsure.experiment.plan.datasets import Dataset
from howsure.experiment.run.cluster import must_answer, on_cluster
from howsure.experiment.run.forks import Forking, Team
from howsure.experiment.run.isolation import Series
from howsure.experiment.run.task import Outcome, Task, TaskInput, perform

MOST_JOBS = 10_000


@dataclass(frozen=True)
class Workers:
    """Where tasks run. On one machine processes share the data; a cluster has its own way to spread them."""

    n_jobs: int
    in_process: bool
    threads: bool
    client: Any = None  # of the cluster, if any
    processes: bool = False  # of our own on this machine, where the user has named no other backend

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
                raise HowsureError(f"the cluster does not answer ({reason}); start it, and run again.") from None
            raise
        threads = bool(getattr(backend, "uses_threads", False))
        if threads and time_limit is not None:  # also with one job: the watch would end this process
            raise HowsureError("`time_limit` needs workers in processes of their own, which threads are not.")
        alone = jobs == 1 and client is None and time_limit is None
        if not alone and not getattr(backend, "supports_return_generator", True):
            raise HowsureError(f"joblib's {type(backend).__name__} gives no result before the last; use 'loky'.")
        processes = type(backend).__name__ == "LokyBackend" and not alone
        return cls(jobs, alone, threads and jobs > 1, client, processes)


@contextmanager
def executing(
    jobs: Sequence[TaskInput], datasets: Sequence[Dataset], n_jobs: int | None, scratch: str, forking: Forking
) -> Iterator[Iterator[Outcome]]:
    """Start workers, and give the outcomes of all tasks as they come, in no particular order.

    ``scratch`` is a folder to use.
    """
    if not jobs:
        yield iter(())
        return
    run = Run(Workers.of(n_jobs, jobs[0].time_limit), datasets, scratch, forking)
    with closing(run.outcomes(jobs)) as outcomes:
        # The workers are forked here, while this process still has one thread: a bar of progress has another.
        next(outcomes)
        yield outcomes  # type: ignore[misc]


@dataclasses.dataclass
class Run:
    """The tasks of a run on their way through the workers."""

    workers: Workers
    datasets: Sequence[Dataset]
    scratch: str
    forking: Forking
    mapped: list[Any] = field(default_factory=list)

    def outcomes(self, jobs: Sequence[TaskInput]) -> Generator[Outcome | None, None, None]:
        """Yield None when the workers have been started, and then the outcomes."""
        if self.workers.in_process:
            yield None
            data = _arrays(self.datasets)
            # Other threads may have a run too: then each gives back after each task what it found.
            alone = threading.current_thread() is threading.main_thread()
            with Series() if alone else nullcontext() as series:
                for job in jobs:
                    yield perform(*data[job.task.dataset], job, series)
            return
        markers, driver = None, None  # a cluster need not share a disk with us, and outlives us
        if self.workers.client is None:
            markers, driver = os.path.join(self.scratch, "running"), os.getpid()
            os.makedirs(markers)
        shared = self.workers.threads
        waiting = {job.task: replace(job, markers=markers, driver=driver, shares_process=shared) for job in jobs}
        is_started = False
        while waiting:
            sent: list[Task] = []
            try:
                with closing(self.parallel(list(waiting.values()), sent)) as answers:
                    for outcome in answers:
                        if outcome is not None:
                            del waiting[outcome.task]
                            yield outcome
                        elif not is_started:
                            is_started = True
                            yield None
            except BaseException as error:
                _raise_unless_death(error, self.workers)
                for job in _suspects([waiting[task] for task in sent if task in waiting]):
                    del waiting[job.task]
                    yield self.alone(job)

    def parallel(self, jobs: list[TaskInput], sent: list[Task]) -> Generator[Outcome | None, None, None]:
        """Do tasks side by side; yield None when there are workers, and then the outcomes."""
        if self.workers.client is not None:
            yield None
            yield from on_cluster(self.workers.client, jobs, _arrays(self.datasets), self.workers.n_jobs, sent)
        elif self.workers.processes and self.forking.is_safe():
            # Who died over a task is known without a marker; what the watch of a time limit found is written there.
            light = [job if job.time_limit is not None else replace(job, markers=None) for job in jobs]
            with closing(Team(light, _arrays(self.datasets), self.workers.n_jobs, self.forking)) as team:
                yield None
                yield from team.outcomes(sent)
        else:
            yield None
            yield from self.by_joblib(jobs, sent)

    def by_joblib(self, jobs: list[TaskInput], sent: list[Task]) -> Iterator[Outcome]:
        data = self._shared()

        def calls() -> Iterator[Any]:
            for job in jobs:
                sent.append(job.task)
                yield joblib.delayed(perform)(*data[job.task.dataset], job)

        settings: dict[str, Any] = {"n_jobs": self.workers.n_jobs}
        if self.workers.n_jobs == 1:
            # joblib has no single worker process: of two, one is kept idle by sending one task at a time.
            settings = {"n_jobs": 2, "pre_dispatch": 1, "batch_size": 1}
        yield from joblib.Parallel(return_as="generator_unordered", **settings)(calls())

    def alone(self, job: TaskInput) -> Outcome:
        """Try a suspect alone, unless its marker says that it ran out of time."""
        too_long = Outcome(job.task, f"not done within the time limit of {job.time_limit or 0:g} s")
        if job.time_limit is not None and job.marker is not None and _timed_out(job.marker):
            return too_long
        try:
            _, outcome = self.parallel([job], [])
            assert outcome is not None
            return outcome
        except BaseException as error:
            _raise_unless_death(error, self.workers)
        if job.time_limit is not None and (job.marker is None or _timed_out(job.marker)):
            return too_long
        return Outcome(job.task, "the learner ended its worker process (a crash, or no memory left)")

    def _shared(self) -> list[tuple[Any, Any, Any]]:
        """Features, labels and classes of each data set, memory-mapped where other processes read them."""
        if self.workers.threads:
            return _arrays(self.datasets)
        for number in range(len(self.mapped), len(self.datasets)):
            path = os.path.join(self.scratch, f"data{number}.joblib")
            try:
                joblib.dump(_arrays(self.datasets)[number], path)
            except OSError as error:
                raise HowsureError(
                    f"{path!r}, which workers need, cannot be written: {system_reason(error)}."
                ) from None
            self.mapped.append(joblib.load(path, mmap_mode="r"))
        return self.mapped


def _arrays(datasets: Sequence[Dataset]) -> list[tuple[Any, Any, Any]]:
    """Features, labels and classes of each data set."""
    return [(dataset.X, dataset.y, np.array(dataset.labels)) for dataset in datasets]


def _suspects(running: list[TaskInput]) -> list[TaskInput]:
    """Tasks that may have killed a worker: those that had begun and not ended."""
    return [job for job in running if job.marker is not None and os.path.exists(job.marker)] or running


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
