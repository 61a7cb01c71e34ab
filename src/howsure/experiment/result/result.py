"""ExperimentResult: assessments, values by split, and comparisons of the learners of an experiment."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.advice import Evidence, Finding, findings
from howsure.arrays import Floats
from howsure.assessment import Assessment, assess_each, assess_predictions
from howsure.assessment.merged import merged
from howsure.checks import check_confidence, names_of, one_of
from howsure.data import Predictions
from howsure.data.encode import Label
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, counted, merge_notes
from howsure.experiment.result.preference import Preference, prefer
from howsure.experiment.result.profile import profile_sheet, resource_records, resources
from howsure.experiment.store.stored_experiment import StoredExperiment
from howsure.measures import Measure, registry
from howsure.measures.agreement import accuracy, error_rate
from howsure.measures.cost import mean_cost
from howsure.measures.ranking import auc
from howsure.measures.spec import read_spec
from howsure.present.report.reported import Reported
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import interval_text, jsonable, spoken
from howsure.resampling import FoldTable, Splits
from howsure.results import Estimate

if TYPE_CHECKING:
    from howsure.comparison import Comparison

DEFAULT_MEASURES = (accuracy, auc)
CRITERIA = ("fit_seconds", "predict_seconds", "peak_memory_bytes", "model_bytes", "complexity")
NO_SCORES = "the learner gives no scores"
NOT_POOLED: Record = dict.fromkeys(("pooled", "pooled_low", "pooled_high"), np.nan)


@dataclass(frozen=True, eq=False, repr=False)
class ExperimentResult(Reported):
    """The results of an experiment.

    Methods take the names of a data set and a learner, which may be omitted if there is only one.

    Attributes
    ----------
    stored
        The contents of the folder.
    folder
        The path of the folder.
    learners, datasets
        The names of learners and data sets.
    done
        The number of finished tasks.

    Examples
    --------
    >>> import howsure
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(60)], [i % 3 > 0 for i in range(60)]
    >>> learners = {"gauss": GaussianNB(), "bernoulli": BernoulliNB()}
    >>> result = howsure.Experiment(learners, {"toy": (X, y)}, howsure.KFold(4)).run(progress=False)
    >>> result.learners, result.done, len(result.failures())
    (('gauss', 'bernoulli'), 8, 0)
    >>> len(result.splits()), result.predictions("gauss").rows, result.losses("gauss").shape
    (4, 60, (60,))
    >>> result.assess("gauss").n, result.scores("accuracy").values.shape
    (60, (4, 2))
    >>> result.estimate("accuracy", "gauss").of
    'mean of 4 splits'
    >>> result.compare("accuracy").test.test.name
    'corrected_paired_t'
    >>> result.preference("error_rate").names
    ('gauss', 'bernoulli')
    >>> len(result.profile()) == len(result.profile_records())
    True
    >>> howsure.ExperimentResult.open(result.folder).done
    8
    """

    stored: StoredExperiment

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> ExperimentResult:
        """Read the results of a finished or unfinished run.

        Parameters
        ----------
        folder
            The folder of `Experiment.run`.
        """
        return cls(StoredExperiment.open(folder))

    @property
    def folder(self) -> Path:
        return self.stored.folder

    @property
    def plan(self) -> dict[str, Any]:
        """The plan as plain values, as stored in plan.json."""
        return self.stored.plan

    @property
    def learners(self) -> tuple[str, ...]:
        return self.stored.learners

    @property
    def datasets(self) -> tuple[str, ...]:
        return self.stored.datasets

    @property
    def tasks(self) -> dict[str, Any]:
        """The finished tasks as columns, with one row for each task."""
        return self.stored.tasks

    @property
    def total(self) -> int:
        """The number of tasks in the plan."""
        return len(self.learners) * sum(int(dataset["splits"]) for dataset in self.plan["datasets"].values())

    @property
    def done(self) -> int:
        return len(self.tasks["split"])

    def failures(self) -> Sheet:
        """Return a table of the tasks that failed, with their messages."""
        columns = ("dataset", "learner", "repeat", "fold", "failure")
        failed = np.flatnonzero(self.tasks["failure"] != "")
        cells = [self.tasks[name][failed].tolist() for name in columns]
        return Sheet(columns, [list(row) for row in zip(*cells, strict=True)])

    def splits(self, dataset: str | None = None) -> Splits:
        """Return the splits of a data set, which are the same for all learners.

        Parameters
        ----------
        dataset
            The name of the data set, if there are several.
        """
        return self.stored.splits(self.stored.one_dataset(dataset))

    @shared_texts
    def predictions(
        self, learner: str | None = None, dataset: str | None = None, *, positive: Label | None = None
    ) -> Predictions:
        """Return the predictions of all test cases; ``fold`` is the split.

        The predictions of a case that was tested several times have a total weight of 1. They are treated as fully
        dependent, so intervals tend to be too wide rather than too narrow.

        Parameters
        ----------
        learner, dataset
            Names of learner and data set, if there are several.
        {positive}
        """
        dataset, learner = self.stored.one_dataset(dataset), self.stored.one_learner(learner)
        return self.stored.predictions(learner, dataset, positive)

    def losses(self, learner: str | None = None, dataset: str | None = None) -> Floats:
        """Return the 0/1 loss of each test case, in the order of the splits.

        The order is the same for all learners, so that `cross_validated_z` can pair them. Each case must be tested
        exactly once.

        Parameters
        ----------
        learner, dataset
            Names of learner and data set, if there are several.
        """
        dataset = self.stored.one_dataset(dataset)
        if self.splits(dataset).times_tested.max() > 1:
            raise HowsureError("`losses` needs splits that test each case once, such as one repeat of folds.")
        predictions = self.predictions(learner, dataset)
        wrong = predictions.truth != predictions.decided()
        assert predictions.fold is not None
        split = np.array(predictions.fold.values)[predictions.fold.codes]
        return np.asarray(wrong[np.argsort(split, kind="stable")], float)

    @shared_texts
    def assess(
        self,
        learner: str | None = None,
        dataset: str | None = None,
        *,
        positive: Label | None = None,
        costs: Any = None,
    ) -> Assessment:
        """Assess the pooled predictions of all splits.

        Parameters
        ----------
        learner, dataset
            Names of learner and data set, if there are several.
        {positive}
        costs
            A `Costs` or a matrix.
        """
        dataset, learner = self.stored.one_dataset(dataset), self.stored.one_learner(learner)
        return self._assess(learner, dataset, positive, costs)

    def _assess(
        self, learner: str, dataset: str, positive: Label | None = None, costs: Any = None, *, with_scores: bool = True
    ) -> Assessment:
        """Assess all predictions, piece by piece if there are many."""
        if not self.stored.is_large(learner, dataset):
            predictions = self.predictions(learner, dataset, positive=positive)
            return assess_predictions(predictions, rows=round(_cases(predictions)), costs=costs)
        cases = 0.0
        merged_pieces: list[tuple[int, Assessment]] = []  # numbers of pieces, with their merged assessments
        for piece in self.stored.pieces(learner, dataset):
            predictions = self.stored.predictions(learner, dataset, positive, piece, with_scores)
            cases += _cases(predictions)
            pieces, assessment = 1, assess_predictions(predictions, rows=0, costs=costs)
            # Merge assessments of similar size only, so that each piece is merged a logarithmic number of times.
            while merged_pieces and merged_pieces[-1][0] <= pieces:
                before, earlier = merged_pieces.pop()
                pieces, assessment = before + pieces, merged([earlier, assessment])
            merged_pieces.append((pieces, assessment))
        return replace(merged([assessment for _, assessment in merged_pieces]), n=round(cases))

    def _assess_splits(
        self, learner: str, dataset: str, positive: Label | None, costs: Any, with_scores: bool
    ) -> Iterator[dict[int, Assessment]]:
        """Yield assessments of each split, in pieces if there are many cases."""
        if self.stored.is_large(learner, dataset):
            for piece in self.stored.pieces(learner, dataset):
                predictions = self.stored.predictions(learner, dataset, positive, piece, with_scores)
                yield assess_each(_unweighted(predictions), "fold", costs=costs)
            return
        predictions = _unweighted(self.predictions(learner, dataset, positive=positive))
        if not with_scores:
            predictions = replace(predictions, scores=None)
        if costs is not None:
            yield assess_each(predictions, "fold", costs=costs)
            return
        key = ("splits of", learner, dataset, positive, with_scores)
        yield self.stored.once(key, lambda: assess_each(predictions, "fold"))

    @shared_texts
    def scores(
        self,
        measure: str,
        dataset: str | None = None,
        *,
        positive: Label | None = None,
        costs: Any = None,
        **parameters: Any,
    ) -> FoldTable:
        """Return the value of a measure for every split and learner.

        Parameters
        ----------
        measure
            Name or alias of a measure.
        dataset
            The name of the data set, if there are several.
        {positive}
        costs
            A `Costs` or a matrix.
        {measure_parameters}
        """
        dataset = self.stored.one_dataset(dataset)
        name, own_parameters = read_spec(measure)
        declared = registry[name]
        parameters = {**own_parameters, **parameters}
        splits = self.splits(dataset)
        values = np.full((len(splits), len(self.learners)), np.nan)
        undefined: dict[tuple[int, str], str] = {}
        low, high = math.inf, -math.inf
        for column, learner in enumerate(self.learners):
            missing = self.stored.missing(learner, dataset)
            undefined |= {(split, learner): reason for split, reason in missing.items()}
            if len(missing) == len(splits):
                continue
            ranked = _needs_scores(declared)
            for assessments in self._assess_splits(learner, dataset, positive, costs, ranked):
                usable = {
                    split: assessment
                    for split, assessment in assessments.items()
                    if assessment.scores is not None or not ranked
                }
                undefined |= {(split, learner): NO_SCORES for split in assessments if split not in usable}
                if not usable:
                    continue
                estimates = [assessment.estimate(name, **parameters) for assessment in usable.values()]
                for split, estimate in zip(usable, estimates, strict=True):
                    values[split, column] = estimate.value
                    if estimate.undefined:
                        undefined[split, learner] = estimate.undefined
                    else:
                        low, high = min(low, estimate.basis.span[0]), max(high, estimate.basis.span[1])
        return FoldTable(
            values,
            self.learners,
            splits.fingerprint,
            measure,
            splits.design,
            np.array([entry.repeat for entry in splits.entries]),
            np.array([entry.fold for entry in splits.entries]),
            undefined,
            dataset,
            (low, high) if low <= high else declared.range,
        )

    @shared_texts
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
        """Estimate a measure by its mean over splits or from pooled predictions.

        Parameters
        ----------
        measure
            Name or alias of a measure.
        learner, dataset
            Names of learner and data set, if there are several.
        aggregate
            "splits" for the mean over splits, "pooled" for the value of the pooled predictions.
        {positive}
        costs
            A `Costs` or a matrix.
        """
        one_of("aggregate", aggregate, ("splits", "pooled"))
        learner = self.stored.one_learner(learner)
        if aggregate == "pooled":
            return self.assess(learner, dataset, positive=positive, costs=costs)[measure]
        return self.scores(measure, dataset, positive=positive, costs=costs).estimate(learner)

    @shared_texts
    def records(
        self,
        confidence: float = 0.95,
        measures: Iterable[str] | None = None,
        *,
        positive: Label | None = None,
        costs: Any = None,
    ) -> list[Record]:
        """Return a record for each data set, learner and measure.

        Records hold the mean over splits and the value of the pooled predictions, both with intervals.

        Parameters
        ----------
        {positive}
        costs
            A `Costs` or a matrix.
        """
        records = []
        for dataset in self.datasets:
            names = self._measures(measures, dataset)
            pooled: dict[tuple[str, str], Record] = {}
            for learner in self.learners:  # one at a time, since each may have many scores
                if self.stored.has_predictions(learner, dataset):
                    ranked = any(_needs_scores(_declared(measure)) for measure in names)
                    assessment = self._assess(learner, dataset, positive, costs, with_scores=ranked)
                    for measure in names:
                        if assessment.scores is not None or not _needs_scores(_declared(measure)):
                            pooled[measure, learner] = _pooled(assessment[measure], confidence)
            for measure in names:
                table = self.scores(measure, dataset, positive=positive, costs=costs)
                records += [
                    _record(table, learner, pooled.get((measure, learner), NOT_POOLED), confidence)
                    for learner in self.learners
                ]
        return records

    def _measures(self, measures: Iterable[str] | None, dataset: str) -> list[str]:
        if measures is not None:
            return names_of("measures", measures)
        kinds = self.tasks["score_kind"][(self.tasks["dataset"] == dataset) & (self.tasks["failure"] == "")]
        return [
            measure.name for measure in DEFAULT_MEASURES if not _needs_scores(measure) or (len(kinds) and all(kinds))
        ]

    def sheet(self, confidence: float = 0.95, measures: Iterable[str] | None = None, **options: Any) -> Sheet:
        """Return a table of mean and pooled values, as printed.

        Parameters
        ----------
        **options
            ``positive`` and ``costs``.
        """
        level, records = f"{check_confidence(confidence) * 100:g} %", self.records(confidence, measures, **options)
        methods = " or ".join(dict.fromkeys(record["corrected_method"].replace("-", " ") for record in records))
        rows = [
            {
                **({"data set": record["dataset"]} if len(self.datasets) > 1 else {}),
                "learner": record["learner"],
                "measure": record["measure"],
                "mean of splits": record["mean"],
                "sd": record["sd"],
                f"{level} {methods}": interval_text(record["corrected_low"], record["corrected_high"]),
                "splits": record["splits"],
                "pooled": record["pooled"],
                f"{level} pooled": interval_text(record["pooled_low"], record["pooled_high"]),
            }
            for record in records
        ]
        remarks = merge_notes((self._row_name(record), record["note"]) for record in records)
        return Sheet.of(rows, self.title, (*remarks, *self.notes))

    def _row_name(self, record: Record) -> str:
        where = f" on {record['dataset']}" if len(self.datasets) > 1 else ""
        return f"{spoken(record['measure'])} of {record['learner']}{where}"

    @property
    def title(self) -> str:
        state = "" if self.done == self.total else f"; {counted(self.done, 'task', of=self.total)} done"
        scheme = next(iter(self.plan["datasets"].values()))["design"]["scheme"]
        return f"{scheme}, seed {self.plan['seed']}{state}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the folder, failures, and findings on data and splits."""
        failed = self.tasks["failure"][self.tasks["failure"] != ""]
        failures = []
        if len(failed):
            first = " ".join(str(failed[0]).split())
            failures = [f"{counted(len(failed), 'task', of=self.done)} failed (see `failures()`); the first: {first}"]
        return (*self.stored.notes, *failures, *dict.fromkeys(map(str, self.findings)))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Findings on each data set and on each learner's values by split."""
        collected: list[Finding] = []
        for dataset in self.datasets:
            described = self.plan["datasets"][dataset]
            if described.get("columns"):  # None if X is not a table of numbers
                collected += findings(Evidence(shape=(described["rows"], described["columns"])))
            for learner in self.learners:
                if self.stored.has_predictions(learner, dataset):
                    table = self._assess(learner, dataset, with_scores=False).confusion
                    collected += findings(Evidence(table=table, splits=self.splits(dataset)), needs="splits")
        return tuple(dict.fromkeys(collected))

    def profile(self) -> Sheet:
        """Return the mean resources of each learner in readable units."""
        return profile_sheet(self.stored)

    def profile_records(self) -> list[Record]:
        """Return the resources of each learner in seconds and bytes, unrounded."""
        return resource_records(self.stored)

    @shared_texts
    def preference(
        self,
        measure: str = error_rate.name,
        weights: dict[str, float] | None = None,
        dataset: str | None = None,
        *,
        costs: Any = None,
        positive: Label | None = None,
    ) -> Preference:
        """Weigh the error or mean cost against time, memory, size and complexity.

        Parameters
        ----------
        measure
            The measure of error.
        weights
            The weight of each criterion. Default: all weight is on the error.
        dataset
            The name of the data set, if there are several.
        costs
            A `Costs` or a matrix, to use the mean cost as the error.
        {positive}
        """
        dataset = self.stored.one_dataset(dataset)
        measure = mean_cost.name if costs is not None and measure == error_rate.name else measure
        table = self.scores(measure, dataset, positive=positive, costs=costs)
        better = _declared(measure).better
        if better is None:
            raise HowsureError(f"neither high nor low values of `{measure}` are better, so it cannot rank learners.")
        sign, label = (1, measure) if better == "lower" else (-1, f"minus {measure}")
        criteria: dict[str, dict[str, float]] = {
            label: {learner: sign * table.estimate(learner).value for learner in self.learners}
        }
        used = {learner: resources(self.stored, learner, dataset) for learner in self.learners}
        kinds = {used[learner]["complexity_of"] for learner in self.learners}
        for column in CRITERIA:
            if column == "complexity" and len(kinds) > 1:
                continue  # leaves and coefficients are not comparable
            criteria[column] = {learner: used[learner][column] for learner in self.learners}
        return prefer(criteria, weights, names=self.learners)

    @shared_texts
    def compare(
        self,
        measure: str = accuracy.name,
        dataset: str | None = None,
        *,
        baseline: str | None = None,
        alpha: float = 0.05,
        adjust: str = "bonferroni",
        rope: float = 0.01,
        positive: Label | None = None,
        costs: Any = None,
        seed: int = 0,
        test: str | None = None,
    ) -> Comparison:
        """Compare the learners on one data set or over several data sets.

        Parameters
        ----------
        measure
            Name or alias of a measure.
        dataset
            The data set to compare on. Default: all data sets.
        baseline
            The learner that all others are compared with. Default: compare all pairs.
        alpha
            Significance level.
        adjust
            Correction for multiple comparisons, as in `compare`.
        rope
            The largest difference that is of no practical importance.
        {positive}
        costs
            A `Costs` or a matrix.
        seed
            Seed for random draws.
        test
            A test for the splits of one data set, such as "corrected_paired_t". Default: the recommended test.
        """
        from howsure.comparison import compare_datasets, compare_folds, compare_predictions

        better = _declared(measure).better
        if better is None:
            raise HowsureError(f"neither high nor low values of `{measure}` are better, so it cannot compare learners.")
        options: dict[str, Any] = {"baseline": baseline, "alpha": alpha, "adjust": adjust, "rope": rope}
        is_of_splits = self.plan["datasets"][dataset or self.datasets[0]]["splits"] > 1
        if test is not None and not ((dataset or len(self.datasets) == 1) and is_of_splits):
            raise HowsureError("`test` can only be chosen for several splits of one data set; leave it out.")
        if dataset is None and len(self.datasets) > 1:
            tables = [self.scores(measure, name, positive=positive, costs=costs) for name in self.datasets]
            return compare_datasets(tables, better, **options, seed=seed)
        dataset = self.stored.one_dataset(dataset)
        if self.plan["datasets"][dataset]["splits"] > 1:
            table = self.scores(measure, dataset, positive=positive, costs=costs)
            return compare_folds(table, better, test=test, **options)
        predictions = {learner: self.predictions(learner, dataset, positive=positive) for learner in self.learners}
        return compare_predictions(
            predictions, measure, baseline=baseline, alpha=alpha, adjust=adjust, rope=rope, costs=costs, seed=seed
        )

    @property
    def main_measure(self) -> str:
        """The default measure: AUC if all learners give scores, else accuracy."""
        available = [set(self._measures(None, dataset)) for dataset in self.datasets]
        return [measure.name for measure in DEFAULT_MEASURES if all(measure.name in names for names in available)][-1]

    @property
    def report_title(self) -> str:
        if len(self.learners) == 1:
            return f"{self.learners[0]} on {self.datasets[0]}"
        names = self.datasets[0] if len(self.datasets) == 1 else f"{len(self.datasets)} data sets"
        return f"{names}: {len(self.learners)} classifiers compared"

    def views(self) -> dict[str, Any]:
        views: dict[str, Any] = {"ExperimentResult": self}
        order: Iterable[str] = self.learners
        if len(self.learners) > 1:
            views["Comparison"] = self.compare(self.main_measure)
            order = views["Comparison"].ranking().names
        assessments = {
            dataset: {name: self.assess(name, dataset) for name in order if self.stored.has_predictions(name, dataset)}
            for dataset in self.datasets
        }
        if len(assessments) > 1:
            views["AssessmentsByDataset"] = assessments
        else:
            (views["Assessments"],) = assessments.values()
            if len(views["Assessments"]) == 1:
                (only,) = views["Assessments"].values()
                views |= {"Headline": only, "Assessment": only}
        text = {"text": views["Comparison"].methods_text()} if "Comparison" in views else {}
        return {**views, "Settings": {**self.report_settings(), **text}}

    def report_settings(self) -> dict[str, Any]:
        """Return the settings that are needed to reproduce the numbers, by name."""
        datasets = self.plan["datasets"]
        return {
            "data sets": ", ".join(f"{name} ({dataset['rows']} cases)" for name, dataset in datasets.items()),
            "splits": "; ".join(dict.fromkeys(dataset["design"]["scheme"] for dataset in datasets.values())),
            "seed": self.plan["seed"],
            "fingerprint of the splits": ", ".join(self.splits(name).fingerprint[:16] for name in datasets),
            "tasks": f"{self.done} of {self.total} done",
            "compared by": self.main_measure,
        }

    def to_dict(
        self, confidence: float = 0.95, measures: Iterable[str] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Return all results as plain values for JSON.

        Parameters
        ----------
        **options
            ``positive`` and ``costs``.
        """
        return dict(
            jsonable(
                {
                    "plan": self.plan,
                    "done": self.done,
                    "total": self.total,
                    "results": self.records(confidence, measures, **options),
                    "profile": self.profile_records(),
                    "failures": self.failures().records(),
                    "findings": [finding.to_dict() for finding in self.findings],
                }
            )
        )

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Return the available charts, most important first."""
        measure = DEFAULT_MEASURES[0].name
        comparison = {} if len(self.learners) < 2 else {"comparison": lambda: self.compare(measure)}
        if len(self.datasets) > 1:
            has_ranks = len(self.learners) > 2
            return {**({"ranks": lambda: self.compare(measure).ranks} if has_ranks else {}), **comparison}
        splits = {"splits": lambda: self.scores(measure)}
        first, second = (splits, comparison) if len(self.splits()) > 1 else (comparison, splits)
        return {**first, **second, **({"preference": self.preference} if comparison else {})}

    def __repr__(self) -> str:
        size = f"{counted(len(self.learners), 'learner')}, {counted(len(self.datasets), 'data set')}"
        return f"ExperimentResult({size}, {counted(self.done, 'task', of=self.total)})"


def _cases(predictions: Predictions) -> float:
    """Return the number of cases: the sum of the weights."""
    return len(predictions.truth) if predictions.weight is None else float(predictions.weight.sum())


def _unweighted(predictions: Predictions) -> Predictions:
    """Remove weights and clusters, which are not needed within a single split."""
    return replace(predictions, weight=None, square=None, cluster=None)


def _pooled(estimate: Estimate, confidence: float) -> Record:
    """Return the value of the pooled predictions with its interval."""
    interval = None if estimate.undefined else estimate.interval(confidence)
    return {
        "pooled": estimate.value,
        "pooled_low": np.nan if interval is None else interval.low,
        "pooled_high": np.nan if interval is None else interval.high,
    }


def _record(table: FoldTable, learner: str, pooled: Record, confidence: float) -> Record:
    mean = table.estimate(learner)
    values = table[learner][np.isfinite(table[learner])]
    method = "cautious-t" if table.design.is_repeated else "corrected-t"
    plain, corrected = (mean.interval(confidence, name) for name in ("t", method))
    return {
        "dataset": table.dataset,
        "learner": learner,
        "measure": table.measure,
        "mean": mean.value,
        "sd": float(values.std(ddof=1)) if len(values) > 1 else np.nan,
        "splits": len(values),
        "t_low": plain.low,
        "t_high": plain.high,
        "corrected_low": corrected.low,
        "corrected_high": corrected.high,
        "corrected_method": method,
        **pooled,
        "note": "; ".join(filter(None, (mean.no_interval(confidence), *mean.notes))) or (mean.undefined or ""),
    }


def _declared(measure: str) -> Measure:
    return registry[read_spec(measure)[0]]


def _needs_scores(measure: Measure) -> bool:
    return measure.scope in ("score", "rows")
