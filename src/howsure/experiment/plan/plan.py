"""The plan of an experiment: its tasks, and a description that a later run can compare."""

from __future__ import annotations

import platform
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import Any

import cloudpickle

from howsure._version import __version__
from howsure.errors import HowsureError, listing
from howsure.experiment.plan.datasets import Dataset, fits_files
from howsure.experiment.plan.describe import describe
from howsure.experiment.run.task import Task, TaskInput
from howsure.resampling.declare import Scheme
from howsure.resampling.index_sets import Splits


@dataclass(frozen=True, eq=False)
class ExperimentPlan:
    """Learners, data sets and splits; a task combines one of each."""

    learners: Mapping[str, Any]
    datasets: Mapping[str, Dataset]
    scheme: Scheme
    seed: int
    training_error: bool = True
    files: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", tuple(_file_names(self.datasets)))

    @cached_property
    def splits(self) -> tuple[Splits, ...]:
        return tuple(
            self.scheme.splits(dataset.y, groups=dataset.groups, seed=self.seed) for dataset in self.datasets.values()
        )

    def tasks(self) -> list[Task]:
        """Return all tasks, alternating learners so partial runs can compare them."""
        tasks: list[Task] = []
        for dataset, splits in enumerate(self.splits):
            tasks += [
                Task(dataset, learner, (split,))
                for split in range(len(splits))
                for learner in range(len(self.learners))
            ]
        return tasks

    def task_input(self, task: Task, pickled: Sequence[bytes], time_limit: float | None) -> TaskInput:
        name = list(self.datasets)[task.dataset]
        splits = self.splits[task.dataset]
        # The seed depends only on the data set and the split, so it is the same for all learners.
        seed = (self.seed, zlib.crc32(name.encode()), task.splits[0])
        return TaskInput(
            task,
            pickled[task.learner],
            tuple(splits.entries[number] for number in task.splits),
            seed,
            self.training_error,
            time_limit=time_limit,
        )

    def pickled(self) -> list[bytes]:
        """Return pickled learners, so that every task starts with a fresh copy."""
        pickled = []
        for name, learner in self.learners.items():
            try:
                pickled.append(cloudpickle.dumps(learner))
            except Exception as error:
                raise HowsureError(f"learner {name!r} cannot be sent to a worker: {error}.") from None
        return pickled

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, with library versions."""
        return {
            "howsure": __version__,
            "seed": self.seed,
            "resampling": describe(self.scheme.to_dict()),
            "training_error": self.training_error,
            "learners": {name: describe(learner) for name, learner in self.learners.items()},
            "datasets": {
                name: {
                    "rows": dataset.rows,
                    "columns": dataset.columns,
                    "classes": list(dataset.labels),
                    "fingerprint": dataset.fingerprint(),
                    "splits": len(splits),
                    "splits_fingerprint": splits.fingerprint,
                    "design": splits.design.to_dict(),
                    "file": file,
                }
                for (name, dataset), splits, file in zip(self.datasets.items(), self.splits, self.files, strict=True)
            },
            "environment": {
                "python": platform.python_version(),
                **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
            },
        }


def _file_names(names: Mapping[str, Any]) -> list[str]:
    """Return a unique file name, valid on any system, for each data set."""
    taken: set[str] = set()
    files = []
    for number, name in enumerate(names):
        plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[:60]
        file = plain if plain and plain.lower() not in taken else f"{plain or 'data'}_{number + 1}"
        while file.lower() in taken:
            file += "_"
        taken.add(file.lower())
        files.append(file)
    return files


def check_names(kind: str, items: Any) -> None:
    if not isinstance(items, Mapping) or not items:
        raise HowsureError(f"`{kind}` must be a mapping such as {{'name': ...}}, with at least one entry.")
    if invalid := [name for name in items if not isinstance(name, str) or not name]:
        raise HowsureError(f"`{kind}` must have strings as names, not {listing(list(map(repr, invalid)))}.")
    if invalid := [name for name in items if not fits_files(name)]:
        raise HowsureError(f"`{kind}` must have names that can be stored in a file, not {invalid[0]!r}.")
