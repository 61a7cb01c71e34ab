"""ExperimentResult: what the folder of an experiment holds, as assessments, fold tables and costs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from assay.advice import Finding, findings
from assay.assessment import Assessment, assess_each, assess_predictions
from assay.assessment.spec import read_spec
from assay.data import Predictions
from assay.data.encode import Label
from assay.errors import AssayError, must_be_one_of
from assay.experiment.folder import read_plan, read_predictions, read_splits, read_tasks
from assay.experiment.preference import Preference, prefer
from assay.measures import registry
from assay.measures.agreement import accuracy, error_rate
from assay.measures.cost import mean_cost
from assay.measures.ranking import auc
from assay.resampling import FoldTable, Splits
from assay.results import Estimate, check_confidence, jsonable
from assay.sheet import Record, Sheet

Made = TypeVar("Made")
DEFAULT_MEASURES = (accuracy, auc)
CRITERIA = ("fit_seconds", "predict_seconds", "peak_memory_bytes", "model_bytes", "complexity")


@dataclass(frozen=True, eq=False)
class ExperimentResult:
    """The results of an experiment. With one data set, or one learner, its name may be left out."""

    folder: Path
    plan: dict[str, Any] = field(repr=False)
    _cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> ExperimentResult:
        """Read the results in a folder, finished or not."""
        return cls(Path(folder), read_plan(folder))

    @property
    def learners(self) -> tuple[str, ...]:
        return tuple(self.plan["learners"])

    @property
    def datasets(self) -> tuple[str, ...]:
        return tuple(self.plan["datasets"])

    @cached_property
    def tasks(self) -> dict[str, Any]:
        """Columns with a row for each finished task: what is known of the model, its costs, and its failure."""
        return read_tasks(self.folder)

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
            why = f"; the first failure: {failed[0]}" if len(failed) else ""
            raise AssayError(f"there is no prediction of {learner!r} on {name!r}{why}.")
        labels = described["classes"]
        scores: Any = np.column_stack([found[f"score {label}"] for label in labels])
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
        rows = int((self.splits(name).times_tested > 0).sum())
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

    def records(self, measures: Iterable[str] | None = None, confidence: float = 0.95, **options: Any) -> list[Record]:
        """Give one record for each data set, learner and measure: mean over splits beside the pooled value."""
        return [
            self._record(table, name, learner, measure, confidence, options)
            for name in self.datasets
            for measure in self._measures(measures, name)
            for table in [self.scores(measure, name, **options)]
            for learner in self.learners
        ]

    def _record(
        self, table: FoldTable, name: str, learner: str, measure: str, confidence: float, options: dict[str, Any]
    ) -> Record:
        mean = table.estimate(learner)
        values = table[learner][np.isfinite(table[learner])]
        plain, corrected = (mean.interval(confidence, method) for method in ("t", "corrected-t"))
        record: Record = {
            "dataset": name,
            "learner": learner,
            "measure": measure,
            "mean": mean.value,
            "sd": float(values.std(ddof=1)) if len(values) > 1 else np.nan,
            "splits": len(values),
            "t_low": plain.low,
            "t_high": plain.high,
            "corrected_low": corrected.low,
            "corrected_high": corrected.high,
        }
        pooled = self._pooled(learner, name, measure, options)
        interval = None if pooled is None or pooled.undefined else pooled.interval(confidence)
        record |= {
            "pooled": np.nan if pooled is None else pooled.value,
            "pooled_low": np.nan if interval is None else interval.low,
            "pooled_high": np.nan if interval is None else interval.high,
            "note": "; ".join(mean.notes) or (mean.undefined or ""),
        }
        return record

    def _pooled(self, learner: str, name: str, measure: str, options: dict[str, Any]) -> Estimate | None:
        if len(self._missing(learner, name)) == self.plan["datasets"][name]["splits"]:
            return None
        return self.assess(learner, name, **options)[measure]

    def _measures(self, measures: Iterable[str] | None, name: str) -> list[str]:
        if measures is not None:
            return [measures] if isinstance(measures, str) else list(measures)
        kinds = self.tasks["score_kind"][(self.tasks["dataset"] == name) & (self.tasks["failure"] == "")]
        return [one.name for one in DEFAULT_MEASURES if one.scope == "overall" or (len(kinds) and all(kinds))]

    def sheet(self, measures: Iterable[str] | None = None, confidence: float = 0.95, **options: Any) -> Sheet:
        """Give the table that is shown: the mean over splits and the pooled value side by side."""
        level = f"{check_confidence(confidence) * 100:g} %"
        rows = [
            {
                **({"data set": record["dataset"]} if len(self.datasets) > 1 else {}),
                "learner": record["learner"],
                "measure": record["measure"],
                "mean of splits": record["mean"],
                "sd": record["sd"],
                f"{level} corrected t": _range(record["corrected_low"], record["corrected_high"]),
                "splits": record["splits"],
                "pooled": record["pooled"],
                f"{level} pooled": _range(record["pooled_low"], record["pooled_high"]),
            }
            for record in self.records(measures, confidence, **options)
        ]
        return Sheet.of(rows, self.title, self.notes())

    @property
    def title(self) -> str:
        state = "" if self.done == self.total else f"; {self.done} of {self.total} tasks done"
        scheme = next(iter(self.plan["datasets"].values()))["design"]["scheme"]
        return f"{scheme}, seed {self.plan['seed']}{state}"

    def notes(self) -> tuple[str, ...]:
        """Say what a reader must know before the numbers: failures, and advice on the splits."""
        failed = int((self.tasks["failure"] != "").sum())
        told = [f"{failed} of {self.done} tasks failed; `failures()` lists them"] if failed else []
        return (*told, *dict.fromkeys(map(str, self.findings)))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Give advice on the splits, for each data set and learner."""
        told = []
        for name in self.datasets:
            for learner in self.learners:
                if len(self._missing(learner, name)) < self.plan["datasets"][name]["splits"]:
                    table = self.assess(learner, name).confusion
                    known = set(findings(table))
                    told += [one for one in findings(table, splits=self.splits(name)) if one not in known]
        return tuple(dict.fromkeys(told))

    def frame(self, measures: Iterable[str] | None = None, confidence: float = 0.95, **options: Any) -> Any:
        """Give every digit as a data frame."""
        return Sheet.of(self.records(measures, confidence, **options)).frame()

    def profile(self) -> Sheet:
        """Give what each learner cost: the mean over its tasks, and of memory the peak."""
        records = []
        for name in self.datasets:
            for learner in self.learners:
                costs = self._costs(learner, name)
                label = {"data set": name} if len(self.datasets) > 1 else {}
                records.append({**label, "learner": learner, **costs})
        return Sheet.of(records, "means over splits; memory: the peak of all fits")

    def _costs(self, learner: str, name: str) -> Record:
        mine = (self.tasks["learner"] == learner) & (self.tasks["dataset"] == name) & (self.tasks["failure"] == "")
        found: Record = {}
        for column in ("fit_seconds", "fit_cpu_seconds", "predict_seconds", "peak_memory_bytes", "model_bytes"):
            values = np.asarray(self.tasks[column], float)[mine]
            kept = values[np.isfinite(values)]
            summary = np.max if column == "peak_memory_bytes" else np.mean
            found[column] = float(summary(kept)) if len(kept) else np.nan
        for column in ("complexity", "depth", "training_error"):
            kept = np.asarray(self.tasks[column], float)[mine]
            kept = kept[np.isfinite(kept)]
            found[column] = float(kept.mean()) if len(kept) else np.nan
        of = [str(one) for one in self.tasks["complexity_of"][mine] if one]
        found["complexity_of"] = of[0] if of else ""
        return found

    def preference(
        self,
        measure: str = error_rate.name,
        weights: dict[str, float] | None = None,
        dataset: str | None = None,
        *,
        costs: Any = None,
        positive: Label | None = None,
    ) -> Preference:
        """Weigh error (or cost) against time, memory, size and complexity."""
        name = self._dataset(dataset)
        measure = mean_cost.name if costs is not None and measure == error_rate.name else measure
        table = self.scores(measure, name, positive=positive, costs=costs)
        better = registry[read_spec(measure)[0]].better
        if better is None:
            raise AssayError(f"`{measure}` has no direction in which it is better, so nothing can be preferred by it.")
        sign, label = (1, measure) if better == "lower" else (-1, f"minus {measure}")
        criteria: dict[str, dict[str, float]] = {
            label: {learner: sign * table.estimate(learner).value for learner in self.learners}
        }
        every = {learner: self._costs(learner, name) for learner in self.learners}
        kinds = {every[learner]["complexity_of"] for learner in self.learners}
        for column in CRITERIA:
            if column == "complexity" and len(kinds) > 1:
                continue  # leaves and coefficients cannot be compared
            criteria[column] = {learner: every[learner][column] for learner in self.learners}
        return prefer(criteria, weights, names=self.learners)

    def to_dict(self, measures: Iterable[str] | None = None, confidence: float = 0.95) -> dict[str, Any]:
        """Give everything as plain values, ready for JSON."""
        return dict(
            jsonable(
                {
                    "plan": self.plan,
                    "done": self.done,
                    "total": self.total,
                    "results": self.records(measures, confidence),
                    "profile": [dict(zip(self.profile().columns, row, strict=True)) for row in self.profile().rows],
                    "failures": [dict(zip(self.failures().columns, row, strict=True)) for row in self.failures().rows],
                    "findings": [finding.to_dict() for finding in self.findings],
                }
            )
        )

    def _dataset(self, name: str | None) -> str:
        return _one_of("dataset", name, self.datasets)

    def _learner(self, name: str | None) -> str:
        return _one_of("learner", name, self.learners)

    def _once(self, key: Any, make: Callable[[], Made]) -> Made:
        if key not in self._cache:
            self._cache[key] = make()
        found: Made = self._cache[key]
        return found

    def __repr__(self) -> str:
        size = f"{len(self.learners)} learners, {len(self.datasets)} data sets"
        return f"ExperimentResult({size}, {self.done} of {self.total} tasks)"

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().html()


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


def _range(low: float, high: float) -> str:
    from assay.results import number

    return "" if np.isnan(low) and np.isnan(high) else f"[{number(low)}, {number(high)}]"
