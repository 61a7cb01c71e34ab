"""Comparison of methods for making a learner cost-sensitive."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from howsure.comparison import Comparison
from howsure.costs import Costs
from howsure.data.encode import Label
from howsure.data.labels import Classes
from howsure.errors import HowsureError, merge_notes
from howsure.experiment import ExperimentResult
from howsure.learners.common.checks import check_learner
from howsure.learners.cost.class_costs import ClassCosts
from howsure.learners.cost.cost_sensitive import PLAIN, cost_methods
from howsure.learners.cost.methods import METHODS, check_methods, unsupported_methods
from howsure.measures.agreement import error_rate
from howsure.measures.cost import mean_cost
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import interval_text, jsonable
from howsure.resampling import FoldTable
from howsure.resampling.fit import learner_name
from howsure.tuning.run import Folder, Run


@dataclass(frozen=True, eq=False)
class CostMethods(Result):
    """Costs of a learner by cost-sensitive method, on the same splits.

    Attributes
    ----------
    learner
        Name of the learner.
    costs, positive
        Costs of errors, and the positive class.
    experiment
        The underlying experiment.
    costs_by_split
        Mean cost in each split.
    comparison
        Comparison of each method with the plain learner.
    left_out
        Methods that the learner does not support, with reasons.
    methods
        Methods that were compared.
    verdict
        Whether the best method is significantly better than the plain learner.

    Examples
    --------
    >>> import howsure
    >>> from howsure.selection import compare_cost_methods
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[i % 7, i % 3] for i in range(60)], [i % 5 > 2 for i in range(60)]
    >>> costs = howsure.Costs(false_negative=5, false_positive=1)
    >>> result = compare_cost_methods(GaussianNB(), X, y, costs, methods=["threshold"], resampling=howsure.KFold(3))
    >>> result.methods, result.best_method
    (('plain', 'threshold'), 'threshold')
    """

    learner: str
    costs: Costs = field(repr=False)
    positive: Label | None = field(repr=False)
    experiment: ExperimentResult = field(repr=False)
    costs_by_split: FoldTable = field(repr=False)
    comparison: Comparison = field(repr=False)
    left_out: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def methods(self) -> tuple[str, ...]:
        return self.experiment.learners

    @property
    def best_method(self) -> str:
        """Method with the least mean cost."""
        return self.comparison.ranking().names[0]

    @property
    def verdict(self) -> str:
        return self.comparison.verdict

    @cached_property
    def _errors(self) -> FoldTable:
        return self.experiment.scores(error_rate.name, positive=self.positive)

    def records(self, confidence: float = 0.95) -> list[Record]:
        """Return one record per method; errors are counted per 100 cases."""
        adjusted = {pair.a: pair.adjusted for pair in self.comparison.pairs}
        records = []
        for method in self.methods:
            cost = self.costs_by_split.estimate(method)
            interval = cost.interval(confidence)
            records.append(
                {
                    "method": method,
                    mean_cost.name: cost.value,
                    "low": max(interval.low, self._least),  # the mean cannot be below the least cost
                    "high": interval.high,
                    "adjusted": adjusted.get(method, np.nan),
                    error_rate.name: self._errors.estimate(method).value,
                    **self._wrong(method),
                }
            )
        return records

    @property
    def _labels(self) -> list[Label]:
        return list(self.experiment.plan["datasets"][self.experiment.datasets[0]]["classes"])

    @property
    def _least(self) -> float:
        return float(self.costs.matrix(self._labels, self.positive).min())

    @property
    def _kinds_of_errors(self) -> list[str]:
        """Names of the kinds of errors: false negatives and false positives, or errors on each class."""
        two = len(self._labels) == 2
        return ["false negatives", "false positives"] if two else [f"errors on {label}" for label in self._labels]

    def _wrong(self, method: str) -> Record:
        """Return the number of errors of each kind per 100 cases."""
        if np.isnan(self.costs_by_split[method]).all():  # all fits failed
            return dict.fromkeys(self._kinds_of_errors, np.nan)
        assessed = self.experiment.assess(method, positive=self.positive)
        counts = np.asarray(assessed.confusion.counts, float)
        wrong = 100 * (counts.sum(axis=1) - np.diag(counts)) / counts.sum()
        if len(wrong) == 2 and self.positive == assessed.labels[1]:
            wrong = wrong[::-1]
        return dict(zip(self._kinds_of_errors, wrong.tolist(), strict=True))

    def sheet(self, confidence: float = 0.95) -> Sheet:
        """Return the table to show."""
        pvalue = f"p against {PLAIN}, {self.comparison.adjust}"
        rows = [
            {
                "method": record["method"],
                "mean cost": record[mean_cost.name],
                f"{confidence * 100:g} % interval": interval_text(record["low"], record["high"]),
                pvalue: "" if np.isnan(record["adjusted"]) else f"{record['adjusted']:.3g}",
                "error rate": record[error_rate.name],
                **{f"{kind} per 100": record[kind] for kind in self._kinds_of_errors},
            }
            for record in self.records(confidence)
        ]
        missing = merge_notes(
            (name, self.costs_by_split.estimate(name).no_interval(confidence)) for name in self.methods
        )
        return Sheet.of(rows, self.title, (*self.notes, *missing))

    @property
    def title(self) -> str:
        positive = "" if self.positive is None else f"; positive: {self.positive}"
        return f"{self.learner}, {self.costs_by_split.design.scheme}{positive}"

    @property
    def notes(self) -> tuple[str, ...]:
        left_out = (f"left out: {name}, since {reason}" for name, reason in self.left_out.items())
        return (self.verdict, *self.experiment.notes, *left_out)

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        """Return all results as plain values that can be written as JSON."""
        values = {
            "learner": self.learner,
            "costs": repr(self.costs),
            "positive": self.positive,
            "methods": self.records(confidence),
            "best_method": self.best_method,
            "left_out": self.left_out,
            "comparison": self.comparison.to_dict(),
        }
        return dict(jsonable(values))

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Return what can be plotted: costs by split, and differences from the plain learner."""
        return {"splits": lambda: self.costs_by_split, "comparison": lambda: self.comparison}


def compare_cost_methods(
    learner: Any,
    X: Any,
    y: Any,
    costs: Any,
    *,
    positive: Label | None = None,
    methods: Iterable[str] | None = None,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> CostMethods:
    """Compare methods for making a learner cost-sensitive.

    All methods are compared on the same splits.

    Parameters
    ----------
    learner, X, y
        As in `Experiment`.
    costs, positive
        As in `CostSensitive` and `assess`.
    methods
        Names of methods; by default, all methods that the learner supports.
    resampling, seed, folder, n_jobs, progress
        As in `Experiment`; by default 10-fold cross-validation.

    Returns
    -------
    CostMethods
        Cost of each method, and its comparison with the plain learner.

    Examples
    --------
    >>> import howsure
    >>> from howsure.selection import compare_cost_methods
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = howsure.Costs(false_negative=1, false_positive=20)  # false positive: malignant, predicted benign
    >>> result = compare_cost_methods(GaussianNB(), X, y, costs, methods=["threshold"], resampling=howsure.KFold(4))
    >>> {record["method"]: round(record["mean_cost"], 2) for record in result.records()}
    {'plain': 0.86, 'threshold': 0.7}
    """
    check_learner("learner", learner)
    run = Run.of((X, y), seed, folder, n_jobs, progress)
    labels = list(run.data.labels)
    costs = (costs if isinstance(costs, Costs) else Costs(costs)).with_labels(labels)
    positive = Classes.of_labels(labels, positive).positive
    counts = np.bincount(run.data.codes, minlength=len(labels)).astype(float)
    left_out = unsupported_methods(learner, len(labels), ClassCosts.of(costs, positive, labels, counts).free)
    if methods is None:
        chosen = [name for name in METHODS if name not in left_out]
    else:
        chosen = check_methods(methods)
        if refused := [name for name in chosen if name in left_out]:
            raise HowsureError(f"`methods` must not name {refused[0]!r}, since {left_out[refused[0]]}.")
        left_out = {}
    result = run.results(run.experiment(cost_methods(learner, costs, positive, chosen), resampling))
    table = result.scores(mean_cost.name, positive=positive, costs=costs)
    comparison = result.compare(mean_cost.name, baseline=PLAIN, positive=positive, costs=costs)
    return CostMethods(learner_name(learner), costs, positive, result, table, comparison, left_out)
