"""ExperimentResult: the tables of an experiment: measures with intervals, costs, and what to prefer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.advice import Evidence, Finding, findings
from assay.checks import check_confidence
from assay.data.encode import Label
from assay.errors import AssayError
from assay.experiment.result.preference import Preference, prefer, shown
from assay.experiment.store.contents import StoredResults
from assay.measures import registry
from assay.measures.agreement import accuracy, error_rate
from assay.measures.cost import mean_cost
from assay.measures.ranking import auc
from assay.measures.spec import read_spec
from assay.present.format import jsonable, number
from assay.present.sheet import Record, Sheet
from assay.resampling import FoldTable
from assay.results import Estimate

if TYPE_CHECKING:
    from assay.comparison import Comparison

DEFAULT_MEASURES = (accuracy, auc)
PROFILE = (
    "fit_seconds",
    "fit_cpu_seconds",
    "predict_seconds",
    "peak_memory_bytes",
    "model_bytes",
    "training_error",
    "depth",
    "complexity",
)
SHOWN = {
    "fit_seconds": "training",
    "fit_cpu_seconds": "its CPU time",
    "predict_seconds": "prediction",
    "peak_memory_bytes": "memory",
    "model_bytes": "model",
    "training_error": "training error",
}
CRITERIA = ("fit_seconds", "predict_seconds", "peak_memory_bytes", "model_bytes", "complexity")


@dataclass(frozen=True, eq=False, repr=False)
class ExperimentResult(StoredResults):
    """The results of an experiment. With one data set, or one learner, its name may be left out."""

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
        assessed = self.assess(learner, name, **options)
        scored = registry[read_spec(measure)[0]].scope in ("score", "rows")
        return None if scored and assessed.scores is None else assessed[measure]

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
        """Say what a reader must know before the numbers: failures, and advice on the data and the splits."""
        failed = self.tasks["failure"][self.tasks["failure"] != ""]
        told = []
        if len(failed):
            first = " ".join(str(failed[0]).split())
            told = [f"{len(failed)} of {self.done} tasks failed, which `failures()` lists; the first: {first}"]
        return (*told, *dict.fromkeys(map(str, self.findings)))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Give advice on each data set, and on the splits for each learner."""
        told: list[Finding] = []
        for name in self.datasets:
            described = self.plan["datasets"][name]
            if described.get("columns"):  # a plan of before does not say it, nor one of text
                told += findings(Evidence(shape=(described["rows"], described["columns"])))
            for learner in self.learners:
                if len(self._missing(learner, name)) < described["splits"]:
                    table = self.assess(learner, name).confusion
                    told += findings(Evidence(table=table, splits=self.splits(name)), needs="splits")
        return tuple(dict.fromkeys(told))

    def frame(self, measures: Iterable[str] | None = None, confidence: float = 0.95, **options: Any) -> Any:
        """Give every digit as a data frame."""
        return Sheet.of(self.records(measures, confidence, **options)).frame()

    def profile(self) -> Sheet:
        """Give what each learner cost: the mean over its tasks, and of memory the peak."""
        rows = []
        for record in self.profile_records():
            label = {"data set": record["dataset"]} if len(self.datasets) > 1 else {}
            costs = {title: shown(name, record[name]) for name, title in SHOWN.items()}
            rows.append({**label, "learner": record["learner"], **costs, "complexity": _complexity(record)})
        return Sheet.of(rows, "means over splits; memory: the most that a fit added")

    def profile_records(self) -> list[Record]:
        """Give the costs of each learner in seconds and bytes."""
        return [
            {"dataset": name, "learner": learner, **self._costs(learner, name)}
            for name in self.datasets
            for learner in self.learners
        ]

    def _costs(self, learner: str, name: str) -> Record:
        mine = (self.tasks["learner"] == learner) & (self.tasks["dataset"] == name) & (self.tasks["failure"] == "")
        found: Record = {}
        for column in PROFILE:
            values = np.asarray(self.tasks[column], float)[mine]
            kept = values[np.isfinite(values)]
            summary = np.max if column == "peak_memory_bytes" else np.mean
            found[column] = float(summary(kept)) if len(kept) else np.nan
        of = [str(one) for one in self.tasks["complexity_of"][mine] if one]
        return {**found, "complexity_of": of[0] if of else ""}

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

    def compare(
        self,
        measure: str = accuracy.name,
        dataset: str | None = None,
        *,
        baseline: str | None = None,
        alpha: float = 0.05,
        adjust: str = "holm",
        rope: float = 0.01,
        positive: Label | None = None,
        costs: Any = None,
        seed: int = 0,
    ) -> Comparison:
        """Compare the learners: on the splits of one data set, or over all data sets where there are several."""
        from assay.comparison import compare_datasets, compare_folds, compare_predictions

        better = registry[read_spec(measure)[0]].better
        if better is None:
            raise AssayError(f"`{measure}` has no better or worse, so nothing can be compared by it.")
        options: dict[str, Any] = {"baseline": baseline, "alpha": alpha, "adjust": adjust, "rope": rope}
        if dataset is None and len(self.datasets) > 1:
            tables = [self.scores(measure, name, positive=positive, costs=costs) for name in self.datasets]
            return compare_datasets(tables, better, **options, seed=seed)
        name = self._dataset(dataset)
        if self.plan["datasets"][name]["splits"] > 1:
            return compare_folds(self.scores(measure, name, positive=positive, costs=costs), better, **options)
        made = {learner: self.predictions(learner, name, positive=positive) for learner in self.learners}
        return compare_predictions(
            made, measure, baseline=baseline, alpha=alpha, adjust=adjust, rope=rope, costs=costs, seed=seed
        )

    def to_dict(self, measures: Iterable[str] | None = None, confidence: float = 0.95) -> dict[str, Any]:
        """Give everything as plain values, ready for JSON."""
        return dict(
            jsonable(
                {
                    "plan": self.plan,
                    "done": self.done,
                    "total": self.total,
                    "results": self.records(measures, confidence),
                    "profile": self.profile_records(),
                    "failures": [dict(zip(self.failures().columns, row, strict=True)) for row in self.failures().rows],
                    "findings": [finding.to_dict() for finding in self.findings],
                }
            )
        )

    def __repr__(self) -> str:
        size = f"{len(self.learners)} learners, {len(self.datasets)} data sets"
        return f"ExperimentResult({size}, {self.done} of {self.total} tasks)"

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().to_html()


def _complexity(record: Record) -> str:
    """Say how complex a model is in words: "15.4 leaves, depth 5"."""
    size, deep = record["complexity"], record["depth"]
    told = "" if np.isnan(size) else f"{size:.4g} {record['complexity_of']}"
    return told if np.isnan(deep) else f"{told}, depth {deep:.3g}"


def _range(low: float, high: float) -> str:
    return "" if np.isnan(low) and np.isnan(high) else f"[{number(low)}, {number(high)}]"
