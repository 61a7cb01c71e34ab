"""A stored experiment: the plan, tasks, splits and predictions of a run folder, each of which is read only once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from howsure.checks import check_path, one_of
from howsure.data import Predictions
from howsure.data.encode import Label, plain_label
from howsure.errors import HowsureError, listing, must_be_one_of
from howsure.experiment.store.contents import Contents
from howsure.experiment.store.read import AT_ONCE, read_groups, read_plan, read_predictions, read_splits, read_tasks
from howsure.experiment.store.schema import score_names
from howsure.resampling import Splits

Value = TypeVar("Value")
NOT_DONE = "the task is not finished yet"


@dataclass(frozen=True, eq=False)
class StoredExperiment:
    """The contents of a run folder, finished or not."""

    folder: Path
    plan: dict[str, Any] = field(repr=False)
    _cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> StoredExperiment:
        path = check_path("folder", folder)
        return cls(path.absolute(), read_plan(path))  # absolute, as the working folder may change

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Remarks on files that are missing or that do not belong to the run."""
        contents = Contents.read(self.folder)
        unlisted, missing = contents.unlisted_files(), set(contents.digests).difference(contents.names())
        notes = [f"not part of the run: {listing(unlisted)}"] if unlisted else []
        # Missing parts are no loss: they are removed one by one at the end of a run.
        if missing and contents.lines[-1][0] in missing:
            notes.append(f"{contents.lines[-1][0]} is missing: it was lost, or the run stopped before it was written")
        return tuple(notes)

    @property
    def learners(self) -> tuple[str, ...]:
        return tuple(self.plan["learners"])

    @property
    def datasets(self) -> tuple[str, ...]:
        return tuple(self.plan["datasets"])

    @cached_property
    def tasks(self) -> dict[str, Any]:
        """The finished tasks as columns, with one row for each task."""
        columns = read_tasks(self.folder, self.plan)
        for kind, names in (("learner", self.learners), ("dataset", self.datasets)):
            if unknown := set(columns[kind]) - set(names):
                raise HowsureError(
                    f"plan.json in {str(self.folder)!r} lacks the {kind} {min(unknown)!r}; it was changed."
                )
        learner = [self.learners.index(name) for name in columns["learner"]]
        dataset = [self.datasets.index(name) for name in columns["dataset"]]
        order = np.lexsort([columns["split"], learner, dataset])  # the order of the plan
        return {name: column[order] for name, column in columns.items()}

    def tasks_of(self, learner: str, dataset: str) -> dict[str, Any]:
        """Return the columns of `tasks` for one learner on one data set."""
        rows = (self.tasks["learner"] == learner) & (self.tasks["dataset"] == dataset)
        return {name: column[rows] for name, column in self.tasks.items()}

    def missing(self, learner: str, dataset: str) -> dict[int, str]:
        """Return the splits without predictions by a learner, and the reasons."""
        tasks = self.tasks_of(learner, dataset)
        failures = dict(zip(tasks["split"].tolist(), tasks["failure"].tolist(), strict=True))
        reasons = {split: failures.get(split, NOT_DONE) for split in range(self.plan["datasets"][dataset]["splits"])}
        return {split: reason for split, reason in reasons.items() if reason}

    def has_predictions(self, learner: str, dataset: str) -> bool:
        return len(self.missing(learner, dataset)) < int(self.plan["datasets"][dataset]["splits"])

    def splits(self, dataset: str) -> Splits:
        return self.once(("splits", dataset), lambda: read_splits(self.folder, self.plan, dataset))

    def groups(self, dataset: str) -> Any:
        """Return the group of each row, or None if the cases are independent."""
        return self.once(("groups", dataset), lambda: read_groups(self.folder, self.plan, dataset))

    def pieces(self, learner: str, dataset: str) -> list[list[int]]:
        """Return the splits with predictions, in lists that fit into memory."""
        missing = self.missing(learner, dataset)
        pieces: list[list[int]] = []
        held = 0
        for split, entry in enumerate(self.splits(dataset).entries):
            if split in missing:
                continue
            if not pieces or held + len(entry.test) > AT_ONCE:
                pieces.append([])
                held = 0
            pieces[-1].append(split)
            held += len(entry.test)
        return pieces

    def is_large(self, learner: str, dataset: str) -> bool:
        """Return whether there are too many predictions to be held at once."""
        return len(self.pieces(learner, dataset)) > 1

    def predictions(
        self,
        learner: str,
        dataset: str,
        positive: Label | None,
        splits: Sequence[int] | None = None,
        with_scores: bool = True,
    ) -> Predictions:
        """Return the predictions of all test cases, or of some splits.

        Each case has a total weight of 1 over all splits, however often it was tested. The predictions of all splits
        are cached unless there are very many.
        """
        if positive is not None and not isinstance(plain_label(positive), str | int | float):
            must_be_one_of("positive", self.plan["datasets"][dataset]["classes"], given=positive)
        key = ("predictions", dataset, learner, positive, with_scores)
        cached: Predictions | None = None if splits is not None else self._cache.get(key)
        if cached is not None:
            return cached
        described = self.plan["datasets"][dataset]
        labels = described["classes"]
        tasks = self.tasks_of(learner, dataset)
        kinds = tasks["score_kind"][tasks["failure"] == ""]
        names = score_names(labels) if with_scores and len(labels) > 1 and all(kinds) else []
        columns = self._columns(learner, dataset, names, splits)
        if columns is None:
            failed = self.tasks["failure"][(self.tasks["learner"] == learner) & (self.tasks["failure"] != "")]
            reason = f"; the first failure: {' '.join(str(failed[0]).split()).rstrip('.')}" if len(failed) else ""
            raise HowsureError(f"there is no prediction of {learner!r} on {dataset!r}{reason}.")
        if missing := list(self.missing(learner, dataset)):  # another process may have finished them in the meantime
            listed = ~np.isin(columns["split"], missing)
            columns = {name: column[listed] for name, column in columns.items()}
        scores: Any = np.column_stack([columns.pop(name) for name in names]) if names else None
        times = self.once(("times", learner, dataset), lambda: self._times_tested(learner, dataset))
        share = None if times.max() == 1 else 1 / times[columns["row"]]
        groups = self.groups(dataset)
        # Use the weights, which sum to 1 for each case, as squared weights: the predictions of a case are dependent.
        predictions = Predictions.of(
            _restored(columns["truth"], labels),
            _restored(columns["predicted"], labels),
            scores=None if scores is None or np.isnan(scores).any() else scores,
            weight=share,
            square=share,
            fold=columns["split"].astype(int),
            cluster=None if groups is None else groups[columns["row"].astype(int)],
            labels=labels,
            positive=positive,
        )
        if splits is None and not self.is_large(learner, dataset):
            self._cache[key] = predictions
        return predictions

    def _columns(
        self, learner: str, dataset: str, scores: Sequence[str], splits: Sequence[int] | None
    ) -> dict[str, Any] | None:
        """Return the columns of a learner's predictions; None if there are none.

        If there are few predictions, those of all learners are read together and kept until they are needed.
        """
        source, wanted = (self.folder, self.plan, dataset), ("split", "row", "truth", "predicted")
        cases = sum(len(entry.test) for entry in self.splits(dataset).entries)
        if splits is not None or cases * len(self.learners) > AT_ONCE:
            span = None if splits is None else (splits[0], splits[-1])
            return read_predictions(*source, [learner], (*wanted, *scores), span).get(learner)
        together: dict[str, dict[str, Any]] = self.once(("columns", dataset), dict)
        if learner not in together:
            all_scores = score_names(self.plan["datasets"][dataset]["classes"])
            together.update(read_predictions(*source, self.learners, (*wanted, *all_scores)))
        columns = together.pop(learner, None)
        return None if columns is None else {name: columns[name] for name in (*wanted, *scores)}

    def _times_tested(self, learner: str, dataset: str) -> Any:
        """Return the number of times each row was in a test set for the learner."""
        missing = self.missing(learner, dataset)
        times = np.zeros(self.plan["datasets"][dataset]["rows"], np.int32)
        for split, entry in enumerate(self.splits(dataset).entries):
            if split not in missing:
                np.add.at(times, entry.test, 1)
        return times

    def one_dataset(self, name: str | None) -> str:
        return _one_of("dataset", name, self.datasets)

    def one_learner(self, name: str | None) -> str:
        return _one_of("learner", name, self.learners)

    def once(self, key: Any, make: Callable[[], Value]) -> Value:
        """Return a cached value, computed by `make` on first use."""
        if key not in self._cache:
            self._cache[key] = make()
        value: Value = self._cache[key]
        return value


def _one_of(kind: str, name: str | None, names: tuple[str, ...]) -> str:
    if name is None:
        if len(names) > 1:
            raise HowsureError(f"`{kind}` must be given, since there are several: {', '.join(map(repr, names[:8]))}.")
        return names[0]
    one_of(kind, name, names)
    return name


def _restored(column: Any, labels: list[Any]) -> Any:
    """Return labels with their original type; files store booleans as numbers."""
    return np.asarray(column).astype(bool) if labels and isinstance(labels[0], bool) else np.asarray(column)
