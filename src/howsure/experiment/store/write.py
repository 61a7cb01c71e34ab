"""Write the folder of an experiment: parts with what is done, and in the end one file of each kind.

Every file appears whole or not at all. When all is done the parts are joined in the order of the plan, so that the
files are the same bytes however the run went; what was measured with a clock stands in a file of its own.
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
    """Writes outcomes to the folder of a plan; only one run at a time, which a lock sees to."""

    contents: Contents

    def __init__(self, folder: str | os.PathLike[str], plan: ExperimentPlan, *, lasting: bool = True) -> None:
        self.folder = check_path("folder", folder)
        self.lasting = lasting
        self.plan = plan
        self.waiting: list[Outcome] = []
        self.seconds_at_risk = 0.0
        self.last_write = time.monotonic()
        self.part = 0

    @contextmanager
    def opened(self) -> Iterator[FolderWriter]:
        """Hold the folder for writing: begin the run there, or resume it."""
        with _or_refuse(self.folder, "made"):
            self.folder.mkdir(parents=True, exist_ok=True)
        # What a learner raises is caught with its task, so that an error of the system is one of this folder.
        with _or_refuse(self.folder, "written"), _locked(self.folder):
            self.contents = replace(recover(self.folder, lambda: self.text), lasting=self.lasting)
            self.part = max((int(part[1]) for part in self._parts()), default=0)
            try:
                yield self
            finally:
                self.flush()
                shutil.rmtree(self.scratch, ignore_errors=True)

    @cached_property
    def text(self) -> str:
        """The plan as its file has it; to look at all data for it takes its time."""
        return plan_text(self.plan)

    @property
    def scratch(self) -> Path:
        return self.folder / SCRATCH

    def write_plan(self) -> None:
        """Write the splits that are missing, and then the plan, without which a folder holds no run."""
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
        """Take an outcome; write when about a second of work would be lost by a crash, or many would be in memory."""
        self.waiting.append(outcome)
        seconds = [outcome.resources.get(key, 0.0) for key in ("fit_seconds", "predict_seconds")]
        known = sum(taken for taken in seconds if taken == taken)  # what is not known is NaN
        self.seconds_at_risk += known * len(outcome.task.splits) or ABOUT_A_SECOND
        if max(self.seconds_at_risk, time.monotonic() - self.last_write) >= ABOUT_A_SECOND:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting as a part for each data set."""
        with _signals_deferred():
            for dataset in sorted({outcome.task.dataset for outcome in self.waiting}):
                outcomes = [outcome for outcome in self.waiting if outcome.task.dataset == dataset]
                self.part += 1
                stem = f"{PARTS}/{self.part:06d}-{self.plan.files[dataset]}"
                rows = prediction_columns(self.plan, dataset, [one for one in outcomes if not one.failure])
                if rows is not None:
                    self._write(f"{stem}.predictions.parquet", *rows)
                self._write(f"{stem}.tasks.parquet", *task_columns(self.plan, outcomes))
            self.waiting = []
            self.seconds_at_risk, self.last_write = 0.0, time.monotonic()

    def finish(self) -> None:
        """Put everything, in the order of the plan, into one file of each kind."""
        self.flush()
        parts = self._parts()
        if not parts:
            return
        with _signals_deferred(), connect(self.folder) as database:
            _register_order(database, self.plan)
            sources, plan = Sources.of(self.contents), json.loads(self.text)
            # A table first: the bytes of a file depend on how rows arrive, and from a table they do so alike.
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
            # Lists of tasks go first: predictions without a list are rubbish, a list without them would be a loss.
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
    """Let Ctrl-C, and other signals that the program handles itself, wait until what is inside is done."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals come to the main thread alone
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in DEFERRED if callable(signal.getsignal(number))}
    for number in handlers:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


@contextmanager
def _or_refuse(path: Path, participle: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HowsureError(f"{str(path)!r} cannot be {participle}: {system_reason(error)}.") from None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one run at a time write here."""
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
