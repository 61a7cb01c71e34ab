"""Resources of a fit (time, memory, size), and the complexity of the fitted model."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

NAN = float("nan")


@dataclass
class Clock:
    """Wall time and CPU time of a block in seconds, over all threads."""

    wall: float = NAN
    cpu: float = NAN

    def __enter__(self) -> Self:
        self._start = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        wall, cpu = self._start
        self.wall, self.cpu = time.perf_counter() - wall, time.process_time() - cpu


class PeakMemory:
    """Peak increase of resident memory in bytes; NaN if unknown.

    Memory that the process already held and reuses does not count, so a small fit after a large one may add 0.
    """

    added: float = NAN

    def __enter__(self) -> Self:
        self._before: int | None = None
        with suppress(OSError):  # only Linux can reset the peak to the current size
            with open("/proc/self/clear_refs", "w") as file:
                file.write("5")
            with open("/proc/self/statm") as file:
                self._before = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            with open("/proc/self/status") as file:
                peak = next(line for line in file if line.startswith("VmHWM:"))
            self.added = max(0, int(peak.split()[1]) * 1024 - self._before)


class _Counter:
    """A file that counts the bytes written to it."""

    size = 0

    def write(self, data: bytes) -> int:
        self.size += len(data)
        return len(data)

    def buffer(self, view: Any) -> None:
        self.size += view.raw().nbytes  # count arrays without copying them


def pickled_size(model: Any) -> float:
    """Return the size of the pickled model in bytes; NaN if pickling fails."""
    import cloudpickle

    for pickler in (pickle.Pickler, cloudpickle.Pickler):
        counter = _Counter()
        with suppress(Exception):
            pickler(counter, protocol=5, buffer_callback=counter.buffer).dump(model)
            return float(counter.size)
    return NAN


# Measures of complexity, of which the first that applies to a model is used.
COMPLEXITIES: tuple[tuple[str, Callable[[Any], float]], ...] = (
    ("leaves", lambda model: model.get_n_leaves()),
    # A binary tree of n nodes has (n + 1) / 2 leaves; calling `get_n_leaves` on each tree would take much longer.
    ("leaves", lambda model: sum((tree.tree_.node_count + 1) // 2 for tree in _members(model))),
    ("support vectors", lambda model: int(np.sum(model.n_support_))),
    ("coefficients", lambda model: int(np.count_nonzero(np.asarray(model.coef_))) + np.size(model.intercept_)),
    ("weights", lambda model: sum(layer.size for layer in (*model.coefs_, *model.intercepts_))),
    ("stored cases", lambda model: model.n_samples_fit_),
    ("parameters", lambda model: model.theta_.size + model.var_.size + np.size(model.class_prior_)),
    ("parameters", lambda model: model.feature_log_prob_.size + np.size(model.class_log_prior_)),
)


def complexity(model: Any) -> tuple[float, str]:
    """Return the complexity of a model and its unit; NaN if unknown."""
    model = innermost(model)
    for unit, count in COMPLEXITIES:
        with suppress(Exception):
            return float(count(model)), unit
    return NAN, ""


def depth(model: Any) -> float:
    """Return the depth of a tree, or of the deepest tree in an ensemble."""
    model = innermost(model)
    with suppress(Exception):
        return float(model.get_depth())
    with suppress(Exception):
        return float(max(tree.tree_.max_depth for tree in _members(model)))
    return NAN


def _members(model: Any) -> Iterable[Any]:
    """Return the models of an ensemble, which boosting stores in a 2-d array."""
    members = model.estimators_
    return members.ravel() if isinstance(members, np.ndarray) else members


def innermost(model: Any) -> Any:
    """Return the model inside a search or at the end of a pipeline."""
    for _ in range(10):
        inner = getattr(model, "best_estimator_", None)
        if inner is None and not hasattr(model, "estimators_"):  # an ensemble's `estimator_` is a template
            inner = getattr(model, "estimator_", None)
        if inner is None and hasattr(model, "steps"):
            inner = model.steps[-1][1]
        if inner is None:
            return model
        model = inner
    return model
