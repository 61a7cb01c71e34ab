"""The resources that a fit takes (time, memory, size), and how complex the fitted model is."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np

NAN = float("nan")


@dataclass
class Clock:
    """Wall and CPU seconds of what ran inside; CPU time is that of the process, all its threads together."""

    wall: float = NAN
    cpu: float = NAN

    def __enter__(self) -> Self:
        self._start = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        wall, cpu = self._start
        self.wall, self.cpu = time.perf_counter() - wall, time.process_time() - cpu


class PeakMemory:
    """Resident memory that the process gained at its peak, in bytes; NaN where the system does not report it.

    Memory that the process held already and used again does not show, so a small fit after a large one may say 0.
    """

    added: float = NAN

    def __enter__(self) -> Self:
        self._before = None
        with suppress(OSError, ValueError):  # only Linux can set the high-water mark back to what is held now
            os.pwrite(_about_process(os.getpid(), "clear_refs", os.O_WRONLY), b"5", 0)
            self._before = _held()
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            self.added = max(0, _peak() - self._before)


def _held() -> int:
    pages = os.pread(_about_process(os.getpid(), "statm", os.O_RDONLY), 4096, 0).split()[1]
    return int(pages) * os.sysconf("SC_PAGESIZE")


def _peak() -> int:
    text = os.pread(_about_process(os.getpid(), "status", os.O_RDONLY), 4096, 0)
    start = text.index(b"VmHWM:") + 6
    return int(text[start : text.index(b"kB", start)]) * 1024


@lru_cache(maxsize=3)
def _about_process(process: int, name: str, mode: int) -> int:
    """An open file in which the system tells of this process: every reading is of that moment."""
    return os.open(f"/proc/{process}/{name}", mode | os.O_CLOEXEC)


class _Counter:
    """A file that only counts."""

    size = 0

    def write(self, data: bytes) -> int:
        self.size += len(data)
        return len(data)

    def buffer(self, view: Any) -> None:
        self.size += view.raw().nbytes  # arrays are counted where they lie, not copied


def pickled_size(model: Any) -> float:
    """Bytes of the pickled model; NaN where it cannot be pickled."""
    import cloudpickle

    for pickler in (pickle.Pickler, cloudpickle.Pickler):
        counter = _Counter()
        with suppress(Exception):
            pickler(counter, protocol=5, buffer_callback=counter.buffer).dump(model)
            return float(counter.size)
    return NAN


# What a model has to count, and its name; the first that a model has is its complexity.
FIGURES: tuple[tuple[str, Callable[[Any], float]], ...] = (
    ("leaves", lambda model: model.get_n_leaves()),
    # A tree of two branches at every node has one leaf more than it has other nodes; counting leaves takes far longer.
    ("leaves", lambda model: sum((tree.tree_.node_count + 1) // 2 for tree in _members(model))),
    ("support vectors", lambda model: int(np.sum(model.n_support_))),
    ("coefficients", lambda model: int(np.count_nonzero(np.asarray(model.coef_))) + np.size(model.intercept_)),
    ("weights", lambda model: sum(layer.size for layer in (*model.coefs_, *model.intercepts_))),
    ("stored cases", lambda model: model.n_samples_fit_),
    ("parameters", lambda model: model.theta_.size + model.var_.size + np.size(model.class_prior_)),
    ("parameters", lambda model: model.feature_log_prob_.size + np.size(model.class_log_prior_)),
)


def complexity(model: Any) -> tuple[float, str]:
    """How much a model holds, and of what: leaves, support vectors, coefficients; NaN where it has no such figure."""
    model = innermost(model)
    for name, figure in FIGURES:
        with suppress(Exception):
            return float(figure(model)), name
    return NAN, ""


def depth(model: Any) -> float:
    """Depth of a tree, or of the deepest of many."""
    model = innermost(model)
    with suppress(Exception):
        return float(model.get_depth())
    with suppress(Exception):
        return float(max(tree.tree_.max_depth for tree in _members(model)))
    return NAN


def _members(model: Any) -> Iterable[Any]:
    """The models of an ensemble, which boosting keeps in a table with a column for each class."""
    members = model.estimators_
    return members.ravel() if isinstance(members, np.ndarray) else members


def innermost(model: Any) -> Any:
    """The model inside a search or at the end of a pipeline."""
    for _ in range(10):
        inner = getattr(model, "best_estimator_", None)
        if inner is None and not hasattr(model, "estimators_"):  # there, `estimator_` is the template of many
            inner = getattr(model, "estimator_", None)
        if inner is None and hasattr(model, "steps"):
            inner = model.steps[-1][1]
        if inner is None:
            return model
        model = inner
    return model
