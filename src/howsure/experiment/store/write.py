"""Write a run folder: parts with the finished tasks, which are joined into one file of each kind at the end.

Files are moved into place only once complete. Parts are joined in the order of the plan, so the bytes of the files do
not depend on the course of the run; times and memory are kept in a separate file.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from howsure.checks import check_path
from howsure.errors import HowsureError, system_reason
from howsure.experiment.plan.plan import ExperimentPlan
from howsure.experiment.run.task import Outcome
from howsure.experiment.store.contents import (
    LOCK,
    PART,
    PARTS,
    PLAN,
    PREDICTIONS,
    PROFILE_FILE,
    SCRATCH,
    SPLITS,
    TASKS_FILE,
    Contents,
    refuse_links,
)
from howsure.experiment.store.database import connect, write_columns, write_query
from howsure.experiment.store.lock import locked
from howsure.experiment.store.outcome_columns import prediction_columns, split_columns, task_columns
from howsure.experiment.store.read import Sources
from howsure.experiment.store.resume import plan_text, recover
from howsure.experiment.store.schema import KEY, PROFILE, TASK

ABOUT_A_SECOND = 1.0
DEFERRED = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class FolderWriter:
    """Writer of outcomes to a run folder, which is locked against other runs."""

    contents: Contents

    def __init__(self, folder: str | os.PathLike[str], plan: ExperimentPlan, *, durable: bool = True) -> None:
        self.folder = check_path("folder", folder)
        self.durable = durable
        self.plan = plan
        self.waiting: list[Outcome] = []
        self.seconds_at_risk = 0.0
        self.last_write = time.monotonic()
        self.part = 0

    @contextmanager
    def opened(self) -> Iterator[FolderWriter]:
        """Lock the folder, and start or resume the run."""
        with _or_refuse(self.folder, "created"):
            self.folder.mkdir(parents=True, exist_ok=True)
        # Errors of learners are caught in their tasks, so an `OSError` here concerns this folder.
        with _or_refuse(self.folder, "written"), _locked(self.folder):
            self.contents = replace(recover(self.folder, lambda: self.text), durable=self.durable)
            self.part = max((int(part[1]) for part in self._parts()), default=0)
            try:
                yield self
            finally:
                self.flush()
                shutil.rmtree(self.scratch, ignore_errors=True)

    @cached_property
    def text(self) -> str:
        """The text of the plan; slow for large data, since they are hashed."""
        return plan_text(self.plan)

    @property
    def scratch(self) -> Path:
        return self.folder / SCRATCH

    def write_plan(self) -> None:
        """Write the splits, and then the plan, unless they exist."""
        for dataset, file in enumerate(self.plan.files):
            name = f"{SPLITS}/{file}.parquet"
            if not (self.folder / name).exists():
                self._write(name, *split_columns(self.plan, dataset))
        if not (self.folder / PLAN).exists():
            with self.contents.writing(PLAN) as temporary:
                Path(temporary).write_text(self.text, encoding="utf-8", newline="")

    def _write(self, name: str, columns: dict[str, Any], labels: dict[str, list[Any]]) -> None:
        with self.contents.writing(name) as temporary:
            write_columns(self.folder, columns, labels, temporary)

    def _parts(self) -> list[re.Match[str]]:
        return [part for name in self.contents.names() if (part := PART.fullmatch(name))]

    def add(self, outcome: Outcome) -> None:
        """Add an outcome; write a part after about every second of work."""
        self.waiting.append(outcome)
        seconds = [outcome.resources.get(key, 0.0) for key in ("fit_seconds", "predict_seconds")]
        measured = sum(taken for taken in seconds if taken == taken)  # skip NaN
        self.seconds_at_risk += measured * len(outcome.task.splits) or ABOUT_A_SECOND
        if max(self.seconds_at_risk, time.monotonic() - self.last_write) >= ABOUT_A_SECOND:
            self.flush()

    def flush(self) -> None:
        """Write the pending outcomes as one part for each data set."""
        with _signals_deferred():
            for dataset in sorted({outcome.task.dataset for outcome in self.waiting}):
                outcomes = [outcome for outcome in self.waiting if outcome.task.dataset == dataset]
                self.part += 1
                stem = f"{PARTS}/{self.part:06d}-{self.plan.files[dataset]}"
                rows = prediction_columns(self.plan, dataset, [outcome for outcome in outcomes if not outcome.failure])
                if rows is not None:
                    self._write(f"{stem}.predictions.parquet", *rows)
                self._write(f"{stem}.tasks.parquet", *task_columns(self.plan, outcomes))
            self.waiting = []
            self.seconds_at_risk, self.last_write = 0.0, time.monotonic()

    def finish(self) -> None:
        """Join all parts, in the order of the plan, into one file of each kind."""
        self.flush()
        parts = self._parts()
        if not parts:
            return
        with _signals_deferred(), connect(self.folder) as database:
            _register_order(database, self.plan)
            sources, plan = Sources.of(self.contents), json.loads(self.text)
            # Copy to a table first: the bytes of a Parquet file depend on how the rows arrive.
            joined = "CREATE OR REPLACE TEMP TABLE joined AS"
            for dataset, file in zip(self.plan.datasets, self.plan.files, strict=True):
                rows = sources.listed_predictions(plan, dataset)
                if rows is None:
                    continue
                ordered = f"SELECT p.* FROM ({rows}) p JOIN learners l ON l.name = p.learner"
                database.execute(f"{joined} {ordered} ORDER BY l.position, p.split, p.row")
                self._write_joined(database, "*", f"{PREDICTIONS}/{file}.parquet")
            names = ", ".join(f"t.{name}" for name in {**TASK, **PROFILE})
            database.execute(
                f"{joined} SELECT {names} FROM ({sources.latest_tasks(plan)}) t "
                "JOIN learners l ON l.name = t.learner JOIN datasets d ON d.name = t.dataset "
                "ORDER BY d.position, l.position, t.split"
            )
            for columns, file in (((*KEY, *PROFILE), PROFILE_FILE), (TASK, TASKS_FILE)):
                self._write_joined(database, ", ".join(columns), file)
            database.execute("DROP TABLE joined")
            # Remove the lists of tasks first, since predictions without a list are ignored after a crash.
            for part in sorted(parts, key=lambda part: part[3] != "tasks"):
                (self.folder / part[0]).unlink()
            self.contents = self.contents.tidy()

    def _write_joined(self, database: Any, columns: str, name: str) -> None:
        with self.contents.writing(name) as temporary:
            write_query(database, f"SELECT {columns} FROM joined", temporary)


def _register_order(database: Any, plan: ExperimentPlan) -> None:
    for table, names in (("learners", list(plan.learners)), ("datasets", list(plan.datasets))):
        columns = {"name": np.array(names, object), "position": np.arange(len(names))}
        database.register(table, columns)


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Defer Ctrl-C and other handled signals to the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are received by the main thread only
        return
    received: list[int] = []
    handlers = {number: signal.getsignal(number) for number in DEFERRED if callable(signal.getsignal(number))}
    for number in handlers:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(received):
            signal.raise_signal(number)


@contextmanager
def _or_refuse(path: Path, participle: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HowsureError(f"{str(path)!r} cannot be {participle}: {system_reason(error)}.") from None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; raise an error if another run holds it."""
    with ExitStack() as stack:
        with _or_refuse(folder / LOCK, "written"):
            refuse_links(folder)
            try:
                stack.enter_context(locked(folder / LOCK))
            except BlockingIOError:
                raise HowsureError(
                    f"another run is writing to {str(folder)!r}; wait for it, or give another folder."
                ) from None
        yield
