"""Writing the folder of an experiment: parts of what is done, and in the end one file of each kind.

Every file appears whole or not at all. When all is done the parts are joined in the order of the plan, so that the
files are the same bytes however the run went; what was measured with a clock stands in a file of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from assay.errors import AssayError, listing
from assay.experiment.plan.describe import differences
from assay.experiment.plan.plan import Plan, as_known
from assay.experiment.run.task import Outcome, Task
from assay.experiment.store.columns import prediction_columns, split_columns, task_columns
from assay.experiment.store.reading import (
    COSTS,
    KEY,
    TASK,
    connect,
    copy,
    latest_tasks,
    listed_predictions,
    read_plan,
    read_tasks,
    write_columns,
)
from assay.output import write_whole

ABOUT_A_SECOND = 1.0


class Store:
    """Reads and writes the folder of one plan; only one at a time, which a lock sees to."""

    def __init__(self, folder: str | os.PathLike[str], plan: Plan) -> None:
        self.folder = Path(folder)
        self.plan = plan
        self.names, self.learners = list(plan.datasets), list(plan.learners)
        self.waiting: list[Outcome] = []
        self.at_risk = 0.0
        self.written = time.monotonic()
        self.number = 0

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Hold the folder for writing: make it or check that it is of this plan, and tidy up after a crash."""
        _make_folder(self.folder)
        with _locked(self.folder):
            self._check_plan()
            self._tidy()
            self.number = max((int(path.name.split("-")[0]) for path in self._parts()), default=0)
            try:
                yield self
            finally:
                self.flush()
                shutil.rmtree(self.scratch, ignore_errors=True)

    @property
    def scratch(self) -> Path:
        return self.folder / ".scratch"

    def _check_plan(self) -> None:
        path, wanted = self.folder / "plan.json", self.plan.to_dict()
        if not path.exists():
            stray = [name for name in os.listdir(self.folder) if not name.startswith(".") and name != "splits"]
            if stray:
                raise AssayError(f"{str(self.folder)!r} holds {listing(stray)} and no plan; give an empty folder.")
            self._write_splits()
            write_whole(path, json.dumps(wanted, indent=2, ensure_ascii=False) + "\n")
            return
        known = read_plan(self.folder)
        wanted = as_known(json.loads(json.dumps(wanted)), known)
        before, after = known.pop("environment", {}), wanted.pop("environment", {})
        told = differences(known, wanted)
        if told:
            raise AssayError(
                f"{str(self.folder)!r} holds another experiment: {'; '.join(told[:6])}"
                f"{f'; and {len(told) - 6} more' if len(told) > 6 else ''}. Give another folder, or the same plan."
            )
        if before != after:
            said = "; ".join(differences(before, after))
            warnings.warn(f"this run was begun with other versions: {said}. Results may differ.", stacklevel=2)
        self._write_splits()

    def _write_splits(self) -> None:
        """Write the files of splits that are not there."""
        for place, file in enumerate(self.plan.files):
            path = self.folder / "splits" / f"{file}.parquet"
            if not path.exists():
                write_columns(path, *split_columns(self.plan, place))

    def _tidy(self) -> None:
        """Remove what a killed run left half done."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        (self.folder / "parts").mkdir(exist_ok=True)
        for path in (self.folder / "parts").iterdir():
            listed = path.with_name(path.name.replace(".predictions.", ".tasks."))
            if path.name.startswith(".") or not listed.exists():
                path.unlink()
        for pattern in (".*.parquet.*", "predictions/.*", "splits/.*", ".plan.json.*"):
            for path in self.folder.glob(pattern):
                path.unlink()

    def _parts(self) -> list[Path]:
        return sorted((self.folder / "parts").glob("*.tasks.parquet"))

    def done(self, *, failed: bool = True) -> set[Task]:
        """Tasks that need not be done again; ``failed`` ones are done unless they are to be tried again."""
        rows = read_tasks(self.folder)
        kept = np.flatnonzero((rows["failure"] == "") | failed)
        place, number = {n: i for i, n in enumerate(self.names)}, {n: i for i, n in enumerate(self.learners)}
        there = {
            (place[name], number[learner], split)
            for name, learner, split in zip(*(rows[key][kept].tolist() for key in KEY), strict=True)
        }
        return {
            task for task in self.plan.tasks() if all((task.dataset, task.learner, one) in there for one in task.splits)
        }

    def add(self, outcome: Outcome) -> None:
        """Take an outcome; write when about a second of work would be lost by a crash."""
        self.waiting.append(outcome)
        spent = [outcome.costs.get(key, 0.0) for key in ("fit_seconds", "predict_seconds")]
        self.at_risk += float(np.nansum(spent)) * len(outcome.task.splits) or ABOUT_A_SECOND
        if max(self.at_risk, time.monotonic() - self.written) >= ABOUT_A_SECOND:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting as a part for each data set."""
        with undisturbed():
            for place in sorted({outcome.task.dataset for outcome in self.waiting}):
                mine = [outcome for outcome in self.waiting if outcome.task.dataset == place]
                self.number += 1
                stem = self.folder / "parts" / f"{self.number:06d}-{self.plan.files[place]}"
                rows = prediction_columns(self.plan, place, [outcome for outcome in mine if not outcome.failure])
                if rows is not None:
                    write_columns(f"{stem}.predictions.parquet", *rows)
                write_columns(f"{stem}.tasks.parquet", *task_columns(self.plan, place, mine))
            self.waiting, self.at_risk, self.written = [], 0.0, time.monotonic()

    def finish(self) -> None:
        """Join the parts, in the order of the plan, into one file of each kind."""
        self.flush()
        if not self._parts():
            return
        with undisturbed(), connect() as database:
            _register_order(database, self.plan)
            for file, name in zip(self.plan.files, self.names, strict=True):
                every = listed_predictions(self.folder, file, name)
                if every is not None:
                    ordered = f"SELECT p.* FROM ({every}) p JOIN learners l ON l.name = p.learner"
                    # A table first: the bytes of a file depend on how rows arrive, and from a table they do so alike.
                    database.execute(
                        f"CREATE OR REPLACE TEMP TABLE joined AS {ordered} ORDER BY l.place, p.split, p.row"
                    )
                    copy(database, "SELECT * FROM joined", self.folder / "predictions" / f"{file}.parquet")
            ordered = (
                f"FROM ({latest_tasks(self.folder)}) t JOIN learners l ON l.name = t.learner "
                "JOIN datasets d ON d.name = t.dataset ORDER BY d.place, l.place, t.split"
            )
            database.execute(f"CREATE OR REPLACE TEMP TABLE joined AS SELECT t.* EXCLUDE (part) {ordered}")
            copy(database, f"SELECT {', '.join((*KEY, *COSTS))} FROM joined", self.folder / "profile.parquet")
            copy(database, f"SELECT {', '.join(TASK)} FROM joined", self.folder / "tasks.parquet")
            database.execute("DROP TABLE joined")
        # Lists of tasks go first: predictions without a list are rubbish, a list without predictions would be a loss.
        for path in sorted((self.folder / "parts").iterdir(), key=lambda path: ".tasks." not in path.name):
            path.unlink()


def _register_order(database: Any, plan: Plan) -> None:
    for table, names in (("learners", list(plan.learners)), ("datasets", list(plan.datasets))):
        columns = {"name": np.array(names, object), "place": np.arange(len(names))}
        database.register(table, columns)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait until what is inside is done."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals come to the main thread alone
        return
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *event: pressed.append(event))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AssayError(f"{str(folder)!r} cannot be made: {(error.strerror or str(error)).lower()}.") from None


def _opened(path: Path) -> IO[str]:
    try:
        return open(path, "w")
    except OSError as error:
        raise AssayError(f"{str(path)!r} cannot be written: {(error.strerror or str(error)).lower()}.") from None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one run at a time write here; the system releases the lock of a process that dies."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
    with _opened(folder / ".lock") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AssayError(
                f"another run is writing to {str(folder)!r}; wait for it, or give another folder."
            ) from None
        yield
