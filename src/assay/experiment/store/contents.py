"""What the folder of an experiment holds, as predictions, assessments and fold tables."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np

from assay.assessment import Assessment, assess_each, assess_predictions
from assay.data import Predictions
from assay.data.encode import Label
from assay.errors import AssayError, must_be_one_of
from assay.experiment.store.reading import read_plan, read_predictions, read_splits, read_tasks, score_names
from assay.measures import registry
from assay.measures.spec import read_spec
from assay.present.sheet import Sheet
from assay.resampling import FoldTable, Splits
from assay.results import Estimate

Made = TypeVar("Made")
NO_SCORES = "the learner gives no scores"


@dataclass(frozen=True, eq=False)
class StoredResults:
    """Results as they lie in a folder. With one data set, or one learner, its name may be left out."""

    folder: Path
    plan: dict[str, Any] = field(repr=False)
    _cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Self:
        """Read the results in a folder, finished or not."""
        return cls(Path(folder).absolute(), read_plan(folder))  # the working folder may change before all is read

    @property
    def learners(self) -> tuple[str, ...]:
        return tuple(self.plan["learners"])

    @property
    def datasets(self) -> tuple[str, ...]:
        return tuple(self.plan["datasets"])

    @cached_property
    def tasks(self) -> dict[str, Any]:
        """Columns with a row for each finished task: what is known of the model, its costs, and its failure."""
        found = read_tasks(self.folder)
        for kind, known in (("learner", self.learners), ("dataset", self.datasets)):
            if odd := set(found[kind]) - set(known):
                raise AssayError(f"plan.json in {str(self.folder)!r} lacks the {kind} {min(odd)!r}; it was changed.")
        learner = [self.learners.index(one) for one in found["learner"]]
        dataset = [self.datasets.index(one) for one in found["dataset"]]
        order = np.lexsort([found["split"], learner, dataset])  # as in the plan
        return {name: column[order] for name, column in found.items()}

    @property
    def total(self) -> int:
        """Number of tasks of the plan."""
        return len(self.learners) * sum(int(one["splits"]) for one in self.plan["datasets"].values())

    @property
    def done(self) -> int:
        return len(self.tasks["split"])

    def failures(self) -> Sheet:
        """List the tasks that failed, with what was said."""
        columns = ("dataset", "learner", "repeat", "fold", "failure")
        bad = np.flatnonzero(self.tasks["failure"] != "")
        rows = [[self.tasks[name][place] for name in columns] for place in bad]
        return Sheet(columns, [[_plain(value) for value in row] for row in rows])

    def splits(self, dataset: str | None = None) -> Splits:
        """Give the splits that all learners had."""
        name = self._dataset(dataset)
        return self._once(("splits", name), lambda: read_splits(self.folder, self.plan["datasets"][name]))

    def predictions(
        self, learner: str | None = None, dataset: str | None = None, *, positive: Label | None = None
    ) -> Predictions:
        """Give the predictions of all test cases; ``fold`` tells their splits.

        A case that was tested several times counts as one: each time for its part. Its predictions are taken to be as
        alike as they can be, so intervals are rather too wide than too narrow.
        """
        name, learner = self._dataset(dataset), self._learner(learner)
        return self._once(("predictions", name, learner, positive), lambda: self._predictions(name, learner, positive))

    def _predictions(self, name: str, learner: str, positive: Label | None) -> Predictions:
        described = self.plan["datasets"][name]
        found = read_predictions(self.folder, described["file"], name, learner)
        if found is None or not len(found["row"]):
            failed = self.tasks["failure"][(self.tasks["learner"] == learner) & (self.tasks["failure"] != "")]
            why = f"; the first failure: {' '.join(str(failed[0]).split()).rstrip('.')}" if len(failed) else ""
            raise AssayError(f"there is no prediction of {learner!r} on {name!r}{why}.")
        labels = described["classes"]
        if missing := list(self._missing(learner, name)):  # another process may have done them since we looked
            kept = ~np.isin(found["split"], missing)
            found = {column: values[kept] for column, values in found.items()}
        scores: Any = np.column_stack([found[column] for column in score_names(labels)])
        times = np.bincount(found["row"], minlength=described["rows"])[found["row"]]
        share = None if (times == 1).all() else 1 / times
        # The squares of such weights are set so that the predictions of one case add up to those of one case.
        return Predictions.of(
            _labels(found["truth"], labels),
            _labels(found["predicted"], labels),
            scores=None if np.isnan(scores).any() or len(labels) < 2 else scores,
            weight=share,
            square=share,
            fold=found["split"].astype(int),
            labels=labels,
            positive=positive,
        )

    def assess(
        self,
        learner: str | None = None,
        dataset: str | None = None,
        *,
        positive: Label | None = None,
        costs: Any = None,
    ) -> Assessment:
        """Assess the pooled predictions of all splits."""
        name, learner = self._dataset(dataset), self._learner(learner)
        predictions = self.predictions(learner, name, positive=positive)
        # Weights of the times that a case was tested add up to the number of cases; failed tasks have none.
        rows = len(predictions.truth) if predictions.weight is None else round(float(predictions.weight.sum()))
        return assess_predictions(predictions, rows=rows, costs=costs)

    def _each(self, learner: str, name: str, positive: Label | None, costs: Any) -> dict[int, Assessment]:
        """Assess each split by itself."""
        predictions = replace(self.predictions(learner, name, positive=positive), weight=None, square=None)
        if costs is not None:
            return assess_each(predictions, "fold", costs=costs)
        return self._once(("each", learner, name, positive), lambda: assess_each(predictions, "fold"))

    def scores(
        self,
        measure: str,
        dataset: str | None = None,
        *,
        positive: Label | None = None,
        costs: Any = None,
        **parameters: Any,
    ) -> FoldTable:
        """Give a measure's value in every split for every learner."""
        name = self._dataset(dataset)
        spec, given = read_spec(measure)
        declared = registry[spec]
        parameters = {**given, **parameters}
        splits = self.splits(name)
        values = np.full((len(splits), len(self.learners)), np.nan)
        undefined: dict[tuple[int, str], str] = {}
        for place, learner in enumerate(self.learners):
            told = self._missing(learner, name)
            undefined |= {(split, learner): reason for split, reason in told.items()}
            if len(told) == len(splits):
                continue
            for split, assessed in self._each(learner, name, positive, costs).items():
                if declared.scope in ("score", "rows") and assessed.scores is None:
                    undefined[split, learner] = NO_SCORES
                    continue
                found = assessed.estimate(spec, **parameters)
                values[split, place] = found.value
                if found.undefined:
                    undefined[split, learner] = found.undefined
        return FoldTable(
            values,
            self.learners,
            splits.fingerprint,
            measure,
            splits.design,
            np.array([entry.repeat for entry in splits.entries]),
            np.array([entry.fold for entry in splits.entries]),
            undefined,
            name,
            declared.span(splits.design.test, parameters) if declared.within is None else (-np.inf, np.inf),
        )

    def _missing(self, learner: str, name: str) -> dict[int, str]:
        """Splits in which a learner has no predictions, and why."""
        mine = (self.tasks["learner"] == learner) & (self.tasks["dataset"] == name)
        state = dict(zip(self.tasks["split"][mine].tolist(), self.tasks["failure"][mine].tolist(), strict=True))
        every = range(self.plan["datasets"][name]["splits"])
        told = {split: state.get(split, "the task is not done yet") for split in every}
        return {split: reason for split, reason in told.items() if reason}

    def estimate(
        self,
        measure: str,
        learner: str | None = None,
        dataset: str | None = None,
        *,
        aggregate: str = "splits",
        positive: Label | None = None,
        costs: Any = None,
    ) -> Estimate:
        """Estimate a measure: the mean over the "splits", or the value of the "pooled" predictions."""
        if aggregate not in ("splits", "pooled"):
            must_be_one_of("aggregate", ("splits", "pooled"), given=aggregate)
        name, learner = self._dataset(dataset), self._learner(learner)
        if aggregate == "pooled":
            return self.assess(learner, name, positive=positive, costs=costs)[measure]
        return self.scores(measure, name, positive=positive, costs=costs).estimate(learner)

    def _dataset(self, name: str | None) -> str:
        return _one_of("dataset", name, self.datasets)

    def _learner(self, name: str | None) -> str:
        return _one_of("learner", name, self.learners)

    def _once(self, key: Any, make: Callable[[], Made]) -> Made:
        if key not in self._cache:
            self._cache[key] = make()
        found: Made = self._cache[key]
        return found


def _one_of(kind: str, name: str | None, known: tuple[str, ...]) -> str:
    if name is None:
        if len(known) > 1:
            raise AssayError(f"`{kind}` must be given, since there are several: {', '.join(map(repr, known[:8]))}.")
        return known[0]
    if name not in known:
        must_be_one_of(kind, known, given=name)
    return name


def _labels(column: Any, labels: list[Any]) -> Any:
    """Give labels their own type again: a file keeps numbers and text, and Python tells True from 1."""
    if labels and isinstance(labels[0], bool):
        return np.asarray(column).astype(bool)
    return np.asarray(column)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
