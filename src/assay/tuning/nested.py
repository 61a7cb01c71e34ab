"""Nested resampling: choose a setting inside each training set, and assess that choice on cases it never saw."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from assay.assessment import assess_predictions
from assay.data import Predictions
from assay.data.encode import Label
from assay.experiment import Dataset, Experiment, ExperimentResult
from assay.experiment.plan.describe import describe
from assay.measures import registry
from assay.measures.spec import read_spec
from assay.present.format import jsonable, number
from assay.present.sheet import Sheet
from assay.resampling import FoldTable, KFold, as_scheme
from assay.resampling.fit import class_scores
from assay.results import Estimate
from assay.tuning.running import Folder, run
from assay.tuning.settings import (
    Setting,
    best_place,
    cell_of,
    check_measure,
    counted,
    declared_as,
    name_of,
    refitted,
    settings_of,
    spell,
    with_setting,
)

SEARCH = "search"


@dataclass(frozen=True)
class Scorer:
    """A measure as scikit-learn's searches take it: the higher the better, NaN where it is undefined."""

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
class NestedResult:
    """A choice among settings, with an estimate that allows for the choosing.

    ``table`` has the measure in each outer split and ``estimate`` its mean: that of the whole procedure, search and
    all. ``candidates`` has the measure of every setting in the inner splits of all cases; ``parameters`` are those of
    the best, and ``non_nested`` is its mean. As the best of many that is too good, by about ``optimism``.
    """

    learner: Any = field(repr=False)
    measure: str
    parameters: Setting
    table: FoldTable = field(repr=False)
    candidates: FoldTable = field(repr=False)
    data: Dataset = field(repr=False)
    seed: int
    outer: ExperimentResult = field(repr=False)

    @property
    def estimate(self) -> Estimate:
        return self.table.estimate(SEARCH)

    @property
    def non_nested(self) -> float:
        return self.candidates.estimate(spell(self.parameters)).value

    @property
    def optimism(self) -> float:
        """By how much the best score of the search flatters: above 0 it looks better than the nested estimate."""
        sign = 1 if declared_as(self.measure).better == "higher" else -1
        return sign * (self.non_nested - self.estimate.value)

    @cached_property
    def final(self) -> Any:
        """The learner, fitted on all cases with the parameters chosen on all cases."""
        return refitted(self.learner, self.parameters, self.data, self.seed)

    @cached_property
    def _choices(self) -> list[Setting | None]:
        """What each outer split chose; None where it failed."""
        return [json.loads(told) if told else None for told in map(str, self.outer.tasks["chosen"])]

    @cached_property
    def chosen(self) -> Sheet:
        """The parameters that each outer split chose, and the measure that they had there."""
        rows = []
        for record, setting in zip(self.table.records(), self._choices, strict=True):
            told = {name: cell_of(value) for name, value in (setting or {}).items()}
            rows.append({"repeat": record["repeat"], "fold": record["fold"], self.measure: record[SEARCH], **told})
        return Sheet.of(rows, "chosen in each outer split")

    @cached_property
    def stability(self) -> Sheet:
        """How often each setting was chosen, the most frequent first."""
        often = Counter(spell(setting) for setting in self._choices if setting is not None)
        total = sum(often.values())
        rows = [[setting, times, times / total] for setting, times in often.most_common()]
        return Sheet(["setting", "times", "share"], rows, f"settings chosen in {total} outer splits")

    @property
    def verdict(self) -> str:
        """Say in a sentence what to expect, what the search alone would have promised, and if the choice is stable."""
        if self.estimate.undefined:
            return f"nothing can be expected of the search: {self.estimate.undefined}"
        interval = self.estimate.interval()
        sure = "" if np.isnan(interval.low) else f", 95 % interval {interval}"
        apart = f"{abs(self.optimism):.3f}"
        flattery = "as much" if float(apart) == 0 else f"{apart} {'too good' if self.optimism > 0 else 'worse'}"
        different = len(self.stability.rows)
        splits = sum(setting is not None for setting in self._choices)
        agreed = "agree on one" if different == 1 else f"chose {different} different ones"
        settings, search = counted(self.candidates.learners), number(self.non_nested)
        return (
            f"expect {self.measure} {number(self.estimate.value)}{sure}; the best of {settings} had {search} in its "
            f"own search, {flattery}; the {splits} outer splits {agreed}"
        )

    def sheet(self) -> Sheet:
        """Give the nested estimate beside the score of the search."""
        interval = self.estimate.interval()
        rows = [
            ["nested", self.estimate.value, "" if np.isnan(interval.low) else str(interval), int(self.estimate.n)],
            ["best of the search", self.non_nested, "", len(self.candidates.values)],
        ]
        title = f"{counted(self.candidates.learners)} of {name_of(self.learner)}, {self.table.design.scheme}"
        final = f"chosen on all cases: {spell(self.parameters)}"
        notes = (self.verdict, final, *self.estimate.notes)
        return Sheet(["", self.measure, "95 % interval", "splits"], rows, title, notes)

    def frame(self, like: Any = None) -> Any:
        """Give the choice of each outer split as a data frame."""
        return self.chosen.frame(like)

    def to_dict(self) -> dict[str, Any]:
        told = {
            "learner": name_of(self.learner),
            "measure": self.measure,
            "estimate": self.estimate.to_dict(),
            "non_nested": self.non_nested,
            "optimism": self.optimism,
            "parameters": describe(self.parameters),
            "settings": len(self.candidates.learners),
            "chosen": [dict(zip(self.chosen.columns, row, strict=True)) for row in self.chosen.rows],
            "stability": [dict(zip(self.stability.columns, row, strict=True)) for row in self.stability.rows],
            "verdict": self.verdict,
        }
        return dict(jsonable(told))

    def __str__(self) -> str:
        return "\n\n".join(sheet.text() for sheet in (self.sheet(), self.stability))

    def _repr_html_(self) -> str:
        return self.sheet().to_html() + self.stability.to_html()


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
    """Choose among settings of a learner, and assess the choosing.

    Parameters
    ----------
    learner, X, y
        As `Experiment` takes them.
    grid
        Parameters and the values to try, as {"C": [1, 10]}, or a list of such mappings.
    outer, inner
        Splits to assess on, and in each training set of them to choose on: five folds each by default. With as many
        folds inside as outside, what is compared for ``optimism`` was trained on the same share of cases.
    measure
        What to choose by and to estimate.
    seed, folder, n_jobs, progress
        As `Experiment` takes them.
    positive
        The class that two-class measures are about.

    Examples
    --------
    >>> from assay.tuning import nested
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> found = nested(KNeighborsClassifier(), {"n_neighbors": [1, 5, 15]}, *load_iris(return_X_y=True))
    >>> print(found.estimate)
    accuracy (mean of 5 splits): 0.953, 95 % interval [0.883, 1.000] (corrected-t), n = 5
    """
    from sklearn.model_selection import GridSearchCV

    declared = check_measure(measure, learner, to_choose=True)
    settings = settings_of(learner, grid)
    grid = dict(grid) if isinstance(grid, Mapping) else [dict(part) for part in grid]
    data = Dataset.of((X, y), "data")
    within = KFold(5) if inner is None else as_scheme(inner)
    scoring = Scorer(measure, data.labels, positive)
    search = GridSearchCV(learner, grid, scoring=scoring, cv=within.splitter(seed))
    assessed = Experiment({SEARCH: search}, {"data": data}, KFold(5) if outer is None else outer, seed)
    # The same search on all cases, as an experiment: it runs in parallel and resumes, and keeps every setting's values.
    learners = {name: with_setting(learner, setting) for name, setting in settings.items()}
    on_all = Experiment(learners, {"data": data}, within, seed, training_error=False)
    result = run(assessed, folder, "outer", n_jobs=n_jobs, progress=progress)
    every = run(on_all, folder, "all", n_jobs=n_jobs, progress=progress)
    table, candidates = (one.scores(measure, positive=positive) for one in (result, every))
    means = candidates.values.mean(axis=0)  # NaN where a split has none: such a setting is the worst, as inside
    best = best_place(means, declared, candidates.undefined)
    return NestedResult(learner, measure, list(settings.values())[best], table, candidates, data, int(seed), result)
