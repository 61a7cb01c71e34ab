"""Nested resampling: settings are chosen within each training set, and the choice is assessed on the test set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from howsure.assessment import assess_predictions
from howsure.data import Predictions
from howsure.data.encode import Label
from howsure.docstrings import shared_texts
from howsure.errors import counted
from howsure.experiment import ExperimentResult
from howsure.experiment.plan.describe import describe
from howsure.measures import registry
from howsure.measures.spec import read_spec
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable, number, spoken, with_interval
from howsure.resampling import FoldTable, KFold, as_scheme
from howsure.resampling.fit import class_scores, learner_name
from howsure.results import Estimate
from howsure.tuning.choice import best_index, check_measure, declared_measure
from howsure.tuning.parameters import Setting, grid_settings, setting_text, table_cell, with_parameters
from howsure.tuning.run import Folder, Run

SEARCH = "search"


@dataclass(frozen=True)
class Scorer:
    """A measure as a scikit-learn scorer: higher is better, and undefined values are NaN."""

    measure: str
    labels: tuple[Label, ...]
    positive: Label | None = None

    def __call__(self, model: Any, X: Any, y: Any) -> float:
        name, parameters = read_spec(self.measure)
        declared = registry[name]
        predicted, scores = model.predict(X), None
        if declared.scope in ("score", "rows"):
            scores, _ = class_scores(model, X, np.array(self.labels), len(y))
        cases = Predictions.of(y, predicted, scores=scores, labels=self.labels, positive=self.positive)
        value = assess_predictions(cases).estimate(name, **parameters).value
        return value if declared.better == "higher" else -value


@dataclass(frozen=True, eq=False)
class NestedResult(Result):
    """A chosen setting, with an unbiased estimate for the search.

    Attributes
    ----------
    learner, measure
        The learner, and the name of the measure.
    settings
        Parameters of each setting by name.
    chosen
        Name of the best setting.
    table
        The measure in each outer split.
    candidates
        The measure for each setting in the inner splits of all cases.
    outer
        Experiment with the outer splits.
    run
        Data, seed and folder.
    estimate
        Mean over the outer splits; an estimate for the whole procedure, including the search.
    non_nested
        Mean of the best setting in its own search, which is optimistic.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import nested
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(60)], [i % 3 > 0 for i in range(60)]
    >>> result = nested(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, X, y, outer=KFold(2), inner=KFold(2))
    >>> sorted(result.parameters), result.estimate.measure
    (['var_smoothing'], 'accuracy')
    >>> round(result.optimism, 6) == round(result.non_nested - result.estimate.value, 6)
    True
    """

    learner: Any = field(repr=False)
    measure: str
    settings: dict[str, Setting] = field(repr=False)
    chosen: str
    table: FoldTable = field(repr=False)
    candidates: FoldTable = field(repr=False)
    outer: ExperimentResult = field(repr=False)
    run: Run = field(repr=False)

    @property
    def parameters(self) -> Setting:
        """Parameters of the setting chosen on all cases."""
        return self.settings[self.chosen]

    @property
    def estimate(self) -> Estimate:
        return self.table.estimate(SEARCH)

    @property
    def non_nested(self) -> float:
        return self.candidates.estimate(self.chosen).value

    @property
    def optimism(self) -> float:
        """Amount by which the best score of the search is better than the nested estimate."""
        sign = 1 if declared_measure(self.measure).better == "higher" else -1
        return sign * (self.non_nested - self.estimate.value)

    @cached_property
    def model(self) -> Any:
        """Final model: the learner with the chosen parameters, fitted to all cases."""
        return self.run.fit_on_all(with_parameters(self.learner, self.parameters))

    @cached_property
    def _choices(self) -> list[Setting | None]:
        """Parameters chosen in each outer split, or None if the fit failed."""
        return [json.loads(text) if text else None for text in map(str, self.outer.tasks["chosen"])]

    def records(self) -> list[Record]:
        """Return one record per outer split: the parameters chosen, and the value of the measure."""
        records = []
        for split, setting in zip(self.table.records(), self._choices, strict=True):
            parameters = {name: table_cell(value) for name, value in (setting or {}).items()}
            outcome = {"repeat": split["repeat"], "fold": split["fold"], self.measure: split[SEARCH]}
            records.append({**outcome, **parameters})
        return records

    @cached_property
    def stability(self) -> Sheet:
        """Frequency of each chosen setting."""
        counts = Counter(setting_text(setting) for setting in self._choices if setting is not None)
        total = counts.total()
        rows = [[setting, times, times / total] for setting, times in counts.most_common()]
        return Sheet(["setting", "times", "share"], rows, f"settings chosen in {total} outer splits")

    @property
    def verdict(self) -> str:
        """Summary of the nested estimate, the score of the search, and the stability of the choice."""
        if self.estimate.undefined:
            return f"no estimate: {self.estimate.undefined}"
        interval = self.estimate.interval()
        interval_text = "" if np.isnan(interval.low) else f", 95 % interval {interval}"
        difference = f"{abs(self.optimism):.3f}"
        if float(difference) == 0:
            optimism = "the same"
        else:
            optimism = f"{difference} {'too optimistic' if self.optimism > 0 else 'too pessimistic'}"
        different = len(self.stability.rows)
        splits = sum(setting is not None for setting in self._choices)
        agreement = "chose the same setting" if different == 1 else f"chose {different} different settings"
        return (
            f"expect {spoken(self.measure)} {number(self.estimate.value)}{interval_text}; the best of {self._settings} "
            f"had {number(self.non_nested)} in its own search, {optimism}; the {splits} outer splits {agreement}"
        )

    @property
    def _settings(self) -> str:
        return counted(len(self.settings), "setting")

    @property
    def title(self) -> str:
        return f"{self._settings} of {learner_name(self.learner)}, {self.table.design.scheme}"

    @property
    def notes(self) -> tuple[str, ...]:
        return self.verdict, f"chosen on all cases: {self.chosen}", *self.estimate.notes

    def sheet(self, confidence: float = 0.95) -> Sheet:
        """Return the nested estimate and the score of the search."""
        interval = self.estimate.interval(confidence)
        rows = [
            ["nested", *with_interval(self.estimate.value, *interval), int(self.estimate.n)],
            ["best of the search", self.non_nested, "", len(self.candidates.values)],
        ]
        headings = ["", spoken(self.measure), f"{100 * confidence:g} % interval", "splits"]
        missing = self.estimate.no_interval(confidence)
        return Sheet(headings, rows, self.title, (*self.notes, *([missing] if missing else [])))

    def text(self, confidence: float = 0.95, width: int | None = None) -> str:
        return "\n\n".join(sheet.text(width) for sheet in (self.sheet(confidence), self.stability))

    def to_html(self, confidence: float = 0.95) -> str:
        return self.sheet(confidence).to_html() + self.stability.to_html()

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        values = {
            "learner": learner_name(self.learner),
            "measure": self.measure,
            "estimate": self.estimate.to_dict(confidence),
            "non_nested": self.non_nested,
            "optimism": self.optimism,
            "parameters": describe(self.parameters),
            "settings": len(self.settings),
            "chosen": self.records(),
            "stability": self.stability.records(),
            "verdict": self.verdict,
        }
        return dict(jsonable(values))

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Return what can be plotted: the measure in the outer splits, and for each setting in the search."""
        return {"splits": lambda: self.table, "candidates": lambda: self.candidates}


@shared_texts
def nested(
    learner: Any,
    grid: Any,
    X: Any,
    y: Any,
    *,
    outer: Any = None,
    inner: Any = None,
    measure: str = "accuracy",
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    positive: Label | None = None,
    progress: bool = False,
) -> NestedResult:
    """Choose parameters by grid search with nested cross-validation.

    Parameters
    ----------
    learner, X, y
        As in `Experiment`.
    grid
        Parameters mapped to lists of values, as in {"C": [1, 10]}, or a list of such mappings.
    outer, inner
        Schemes for the unbiased estimate and, within each of its training sets, for the choice; by default, 5 folds
        each.
    measure
        Measure to optimize and estimate.
    seed, folder, n_jobs, progress
        As in `Experiment`.
    {positive}

    Returns
    -------
    NestedResult
        The estimate, the setting chosen on all cases, and the stability of the choice.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import nested
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> result = nested(KNeighborsClassifier(), {"n_neighbors": [1, 15]}, X, y, outer=KFold(3), inner=KFold(3))
    >>> print(result.estimate)
    accuracy (mean of 3 splits): 0.953, 95 % interval [0.863, 1.000] (corrected-t),
      n = 3
    """
    from sklearn.model_selection import GridSearchCV

    declared = check_measure(measure, learner, to_choose=True)
    settings = grid_settings(learner, grid)
    grid = dict(grid) if isinstance(grid, Mapping) else [dict(part) for part in grid]
    run = Run.of((X, y), seed, folder, n_jobs, progress)
    inner_scheme = KFold(5) if inner is None else as_scheme(inner)
    scoring = Scorer(measure, run.data.labels, positive)
    search = GridSearchCV(learner, grid, scoring=scoring, cv=inner_scheme.splitter(seed))
    assessed = run.experiment({SEARCH: search}, KFold(5) if outer is None else outer)
    # The same search on all cases is run as an experiment, so that it runs in parallel and can be resumed.
    learners = {name: with_parameters(learner, setting) for name, setting in settings.items()}
    on_all = run.experiment(learners, inner_scheme, training_error=False)
    outer_result = run.results(assessed, "outer")
    table, candidates = (
        result.scores(measure, positive=positive) for result in (outer_result, run.results(on_all, "all"))
    )
    means = candidates.values.mean(axis=0)  # NaN if undefined in any split, as in GridSearchCV
    chosen = list(settings)[best_index(means, declared, candidates.undefined)]
    return NestedResult(learner, measure, settings, chosen, table, candidates, outer_result, run)
