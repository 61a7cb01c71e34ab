"""One task: fit a learner on the training rows of a split, predict the test rows, and measure time and memory.

A task runs in a worker, which writes no files: it returns its outcome to the driver, the process that runs the
experiment.
"""

from __future__ import annotations

import dataclasses
import json
import pickle
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.rows import take
from howsure.experiment.plan.describe import describe
from howsure.experiment.run.isolation import (
    ended_if_forked,
    is_from_outside,
    isolated,
    one_thread,
    seed_random_numbers,
    time_limit,
)
from howsure.experiment.run.resources import Clock, PeakMemory, complexity, depth, pickled_size
from howsure.resampling.fit import class_scores, encode_predicted, fit_rows, set_random_state
from howsure.resampling.index_sets import Entry

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Task:
    """The positions of a data set, a learner and splits in the plan."""

    dataset: int
    learner: int
    splits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TaskInput:
    """A task with everything that a worker needs, except for the data."""

    task: Task
    learner: bytes
    entries: tuple[Entry, ...]
    seed: tuple[int, ...]
    training_error: bool = True
    time_limit: float | None = None

    @property
    def crashed(self) -> str:
        return "the learner ended its worker process (a crash, or out of memory)"

    @property
    def too_long(self) -> str:
        return f"not finished within the time limit of {self.time_limit:g} s"


@dataclasses.dataclass(slots=True)
class Outcome:
    """The result of a task; predictions are class codes of the test rows."""

    task: Task
    failure: str = ""
    predicted: IntArray | None = None
    scores: Array | None = None
    score_kind: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    resources: dict[str, Any] = field(default_factory=dict)
    warnings: str = ""


Outcomes = Generator[Outcome, None, None]


class WorkerDiedError(Exception):
    """Workers ended during some tasks.

    `failures` are tasks that certainly ended a worker, with the reason; `suspects` are tasks that may have done so.
    """

    def __init__(self, failures: Mapping[Task, str] | None = None, suspects: Sequence[TaskInput] = ()) -> None:
        super().__init__()
        self.failures = failures or {}
        self.suspects = suspects


def perform(X: Any, y: Array, labels: Array, job: TaskInput, log: IO[str] | None = None) -> Outcome:
    """Perform a task; any error in the learner is a failure of the task."""
    outcome = Outcome(job.task)
    with isolated() as caught:
        try:
            learner = pickle.loads(job.learner)  # the same copy in any process
            set_random_state(learner, job.seed)
            seed_random_numbers(job.seed)  # after unpickling, as imports of the learner's modules may draw numbers
            with one_thread(), ended_if_forked(), time_limit(job.time_limit, log):
                fit(learner, X, y, labels, job, outcome)
        except BaseException as error:
            if is_from_outside(error):
                raise
            outcome.failure = _message(error)
        outcome.warnings = "\n".join(dict.fromkeys(_message(warning.message) for warning in caught))
    return outcome


def fit(learner: Any, X: Any, y: Array, labels: Array, job: TaskInput, outcome: Outcome) -> None:
    """Fit on the training rows, predict the test rows, and describe the model."""
    split = job.entries[0].split(len(y))
    X, y = _as_array(X), _as_array(y)
    X_train, y_train = take(X, split.train), y[split.train]
    X_test = take(X, split.test)
    with PeakMemory() as memory, Clock() as fitting:
        model = fit_rows(learner, X_train, y_train)
    del X_train  # free its memory
    with Clock() as predicting:
        predicted = model.predict(X_test)
    outcome.predicted = encode_predicted(predicted, labels, len(split.test))
    # Select the rows anew for each use: a step with copy=False modifies the rows that it is given.
    outcome.scores, outcome.score_kind = class_scores(model, take(X, split.test), labels, len(split.test))
    training_error = NAN
    if job.training_error:
        predicted = encode_predicted(model.predict(take(X, split.train)), labels, len(split.train))
        training_error = float((predicted != np.searchsorted(labels, y[split.train])).mean())
    size, size_of = complexity(model)
    chosen = getattr(model, "best_params_", None)  # set by a search such as GridSearchCV
    outcome.facts = {
        "training_error": training_error,
        "complexity": size,
        "complexity_of": size_of,
        "depth": depth(model),
        "chosen": "" if chosen is None else json.dumps(describe(dict(chosen)), sort_keys=True),
    }
    outcome.resources = {
        "fit_seconds": fitting.wall,
        "fit_cpu_seconds": fitting.cpu,
        "predict_seconds": predicting.wall,
        "predict_cpu_seconds": predicting.cpu,
        "peak_memory_bytes": memory.added,
        "model_bytes": pickled_size(model),  # may differ by a few bytes between runs, so it is not one of the facts
    }


def _as_array(column: Any) -> Any:
    """View memory-mapped data as a plain array."""
    return column.view(np.ndarray) if isinstance(column, np.memmap) else column


def _message(error: BaseException | Warning | str) -> str:
    """Return the class of an error or warning and, if possible, its message."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__
