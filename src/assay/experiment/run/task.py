"""One task: fit a learner on the training rows of a split, predict its test rows, and tell what it took.

This runs in a worker, which writes nothing: what it finds goes back to the driver.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import random
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import IO, Any

import numpy as np

from assay.arrays import Array, IntArray
from assay.data.rows import take
from assay.experiment.run.measured import Clock, PeakMemory, complexity, depth, pickled_size
from assay.resampling.fit import class_scores, encode_predicted, fit_rows, set_random_state
from assay.resampling.splits import Entry, Splits

NAN = float("nan")
_ALONE = threading.RLock()  # warnings, chance and surroundings belong to the process, so two runs in threads take turns


@dataclass(frozen=True, slots=True)
class Task:
    """Which learner on which splits of which data set: places in the plan. Most tasks have one split."""

    dataset: int
    learner: int
    splits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """A task with all that a worker needs but the data, which come beside it."""

    task: Task
    learner: bytes
    entries: tuple[Entry, ...]
    seed: tuple[int, ...]
    training_error: bool = True
    by_halving: bool = False
    shares_process: bool = False  # other tasks run in this process at the same time
    time_limit: float | None = None
    notes: str | None = None  # folder in which a worker says what it is doing, for those who find it dead
    driver: int | None = None  # process without which a worker is of no use


@dataclass(slots=True)
class Outcome:
    """What became of a task. The predictions are codes of classes, in the order of the splits' test rows."""

    task: Task
    failure: str = ""
    predicted: IntArray | None = None
    scores: Array | None = None
    score_kind: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    costs: dict[str, Any] = field(default_factory=dict)
    warnings: str = ""


def perform(X: Any, y: Array, labels: Array, work: Work) -> Outcome:
    """Do a task. Whatever the learner raises is its own failure and nobody else's."""
    outcome = Outcome(work.task)
    if work.driver is not None:
        _end_with(work.driver)
    with ExitStack() as around:
        note = around.enter_context(_noted(work))
        if not work.shares_process:
            around.enter_context(_ALONE)
            around.enter_context(_own_surroundings())
            said = around.enter_context(warnings.catch_warnings(record=True))
            warnings.simplefilter("always")
        try:
            learner = _prepare(work)
            around.enter_context(_one_thread(work.learner))
            if not work.shares_process:  # after the learner's modules are loaded, which may draw numbers themselves
                around.enter_context(_own_chance(work.seed))
            run = halve if work.by_halving else fit
            with _limited(work.time_limit, note):  # the clock starts when the learner's library has been loaded
                run(learner, X, y, labels, work, outcome)
        except BaseException as error:
            # Outside a worker of its own these are Ctrl-C, or the word of a handler that ends the program.
            if isinstance(error, KeyboardInterrupt | SystemExit) and work.driver in (None, os.getpid()):
                raise
            outcome.failure = _told(error)
        if not work.shares_process:
            outcome.warnings = "\n".join(dict.fromkeys(_told(warning.message) for warning in said))
    return outcome


def fit(learner: Any, X: Any, y: Array, labels: Array, work: Work, outcome: Outcome) -> None:
    """Fit on the training rows, predict the test rows, and look at the model."""
    split = Splits(len(y), work.entries, "")[0]
    X, y = _as_array(X), _as_array(y)
    inside, truth = take(X, split.train), y[split.train]
    outside = take(X, split.test)
    with PeakMemory() as memory, Clock() as fitting:
        model = fit_rows(learner, inside, truth)
    with Clock() as predicting:
        predicted = model.predict(outside)
    outcome.predicted = encode_predicted(predicted, labels, len(split.test))
    # Rows are taken again for each use: a step with copy=False has changed those that it was given.
    outcome.scores, outcome.score_kind = class_scores(model, take(X, split.test), labels, len(split.test))
    error = NAN
    if work.training_error:
        again = encode_predicted(model.predict(take(X, split.train)), labels, len(split.train))
        error = float((again != np.searchsorted(labels, y[split.train])).mean())
    size, of = complexity(model)
    outcome.facts = {
        "training_error": error,
        "complexity": size,
        "complexity_of": of,
        "depth": depth(model),
        "chosen": _chosen(model),
    }
    outcome.costs = {
        "fit_seconds": fitting.wall,
        "fit_cpu_seconds": fitting.cpu,
        "predict_seconds": predicting.wall,
        "predict_cpu_seconds": predicting.cpu,
        "peak_memory_bytes": memory.added,
        "model_bytes": pickled_size(model),  # with the costs: a few bytes depend on which objects are shared
    }


def halve(learner: Any, X: Any, y: Array, labels: Array, work: Work, outcome: Outcome) -> None:
    """Predict all folds of a repeat by recursive halving; the time is shared out evenly among them."""
    from assay.resampling.halving.tree_cv import tree_predictions

    parts = np.empty(len(y), np.int64)
    for place, entry in enumerate(work.entries):
        parts[entry.test] = place
    with Clock() as clock:
        predicted, probabilities = tree_predictions(learner, X, y, parts)
    order = np.concatenate([entry.test for entry in work.entries])
    outcome.predicted = encode_predicted(predicted[order], labels, len(order))
    outcome.scores = None if probabilities is None else probabilities[order]
    outcome.score_kind = "" if probabilities is None else "probability"
    outcome.facts = dict.fromkeys(("training_error", "complexity", "depth"), NAN)
    outcome.facts |= {"complexity_of": "", "chosen": ""}
    share = len(work.entries)
    outcome.costs = {"fit_seconds": clock.wall / share, "fit_cpu_seconds": clock.cpu / share}
    outcome.costs |= dict.fromkeys(("predict_seconds", "predict_cpu_seconds", "peak_memory_bytes", "model_bytes"), NAN)


def _as_array(column: Any) -> Any:
    """Look at memory-mapped data as at any other array, so that the model keeps no trace of where they lay."""
    return column.view(np.ndarray) if isinstance(column, np.memmap) else column


def _prepare(work: Work) -> Any:
    """Give a fresh learner, in the same state in any process."""
    return set_random_state(pickle.loads(work.learner), work.seed)


def _chosen(model: Any) -> str:
    """Parameters that a search inside the learner chose, as JSON."""
    import json

    from assay.experiment.plan.describe import describe

    found = getattr(model, "best_params_", None)
    return "" if found is None else json.dumps(describe(dict(found)), sort_keys=True)


def _told(said: Exception | BaseException | str) -> str:
    """What an error or a warning says; its kind alone where it cannot say it."""
    try:
        return f"{type(said).__name__}: {said}"
    except Exception:
        return type(said).__name__


@contextmanager
def _own_surroundings() -> Iterator[None]:
    """Give back the working folder, the environment and NumPy's handling of errors: the next task counts on them."""
    environment = dict(os.environ)
    with ExitStack() as around:
        around.enter_context(np.errstate())
        with suppress(OSError):  # the working folder may be gone
            around.callback(_go_back, os.getcwd())
        try:
            yield
        finally:
            if dict(os.environ) != environment:
                os.environ.clear()
                os.environ.update(environment)


def _go_back(folder: str) -> None:
    with suppress(OSError):
        os.chdir(folder)


@contextmanager
def _own_chance(seed: tuple[int, ...]) -> Iterator[None]:
    """Seed the global generators for learners that draw from them, and give them back as they were."""
    state, python = np.random.get_state(), random.getstate()  # noqa: NPY002
    first = int(np.random.SeedSequence(seed).generate_state(1)[0])
    np.random.seed(first)  # noqa: NPY002
    random.seed(first)
    try:
        yield
    finally:
        np.random.set_state(state)  # noqa: NPY002
        random.setstate(python)


@contextmanager
def _one_thread(learner: bytes) -> Iterator[None]:
    """Hold the learner to one thread: tasks run side by side, and sums must not depend on how many cores there are."""
    import joblib

    with _thread_pools(hash(learner)).limit(limits=1), joblib.parallel_config(backend="sequential"):
        yield


@lru_cache(maxsize=64)
def _thread_pools(learner: int) -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()  # for each learner, since a step of it may have loaded a library of its own


@contextmanager
def _noted(work: Work) -> Iterator[IO[str] | None]:
    """Leave word of what is being done, in a file that is removed when it is done."""
    if work.notes is None:
        yield None
        return
    note = note_of(work.notes, work.task)
    with open(note, "w") as file:
        try:
            yield file
        finally:
            os.unlink(note)


@contextmanager
def _limited(seconds: float | None, note: IO[str] | None) -> Iterator[None]:
    """End the process when it takes too long, with the place where it hangs as its last note.

    The end comes from a thread below Python, so that it comes also when the learner never gives way.
    """
    if seconds is None:
        yield
        return
    with ExitStack() as files:
        last_word = files.enter_context(open(os.devnull, "w")) if note is None else note
        faulthandler.dump_traceback_later(seconds, exit=True, file=last_word)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


@lru_cache(maxsize=1)
def _end_with(driver: int) -> None:
    """End this worker when its driver is gone: nobody would ever hear what it finds."""
    if driver == os.getpid():
        return
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, who ends its workers

    def watch() -> None:
        while os.getppid() == driver:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def note_of(folder: str, task: Task) -> str:
    return os.path.join(folder, f"{task.dataset}-{task.learner}-{task.splits[0]}")
