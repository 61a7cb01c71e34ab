"""Choice of parameters on a validation set, with a log of all uses of the test set."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from howsure.advice import Evidence, Finding, findings
from howsure.assessment import Assessment
from howsure.data.encode import Label
from howsure.docstrings import shared_texts
from howsure.errors import counted, must
from howsure.experiment import Experiment, ExperimentResult
from howsure.experiment.plan.describe import describe
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable, spoken, with_interval
from howsure.resampling import Scheme, TrainValidationTest
from howsure.resampling.fit import learner_name
from howsure.tuning.choice import best_index, check_measure, declared_measure
from howsure.tuning.derived_schemes import OnePart
from howsure.tuning.parameters import Setting, grid_settings, table_cell, with_parameters
from howsure.tuning.run import Folder, Run
from howsure.tuning.touch_log import Touch, append_touch, make_touch, read_touches, test_cases_key, touched_by

MAX_ROWS = 12


@dataclass(frozen=True, eq=False)
@shared_texts
class TuneResult(Result):
    """A setting chosen on validation cases, to be assessed on test cases.

    Attributes
    ----------
    learner, measure
        The learner, and the name of the measure.
    settings
        Parameters of each setting by name.
    chosen
        Name of the best setting.
    validation
        Results of all settings on the validation cases.
    scheme
        The three-way split.
    run
        Data, seed and folder.
    {positive}

    Examples
    --------
    >>> from howsure.selection import tune
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(80)], [i % 2 for i in range(80)]
    >>> result = tune(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, X, y)
    >>> result.chosen in result.settings, len(result.touches)
    (True, 0)
    >>> result.test()["accuracy"].value, len(result.touches)
    (1.0, 1)
    """

    learner: Any = field(repr=False)
    measure: str
    settings: dict[str, Setting] = field(repr=False)
    chosen: str
    validation: ExperimentResult = field(repr=False)
    scheme: Scheme
    run: Run = field(repr=False)
    positive: Label | None = None
    _touches: list[Touch] = field(default_factory=list, repr=False)  # replaces the log file if there is no folder

    @property
    def parameters(self) -> Setting:
        """Parameters of the chosen setting."""
        return self.settings[self.chosen]

    def test(self) -> Assessment:
        """Assess the chosen setting on the test cases.

        It is fitted to the training and validation cases. Each call is logged before the test cases are used.
        """
        touch = make_touch(
            self._test_cases,
            rows=len(self._test_rows),
            learner=learner_name(self.learner),
            setting=self.chosen,
            measure=self.measure,
            parameters=describe(self.parameters),
            data=self.validation.plan["datasets"]["data"]["fingerprint"],
        )
        if self.run.folder is None:
            self._touches.append(touch)
        else:
            append_touch(Path(self.run.folder), touch)
        return self._tested

    @cached_property
    def _tested(self) -> Assessment:
        learner = with_parameters(self.learner, self.parameters)
        experiment = self.run.experiment({self.chosen: learner}, OnePart(self.scheme, "test"))
        return self.run.results(experiment, "test", _key(experiment)).assess(self.chosen, positive=self.positive)

    @property
    def _is_tested(self) -> bool:
        return "_tested" in self.__dict__

    @cached_property
    def model(self) -> Any:
        """Final model: the learner with the chosen parameters, fitted to all cases."""
        return self.run.fit_on_all(with_parameters(self.learner, self.parameters))

    @cached_property
    def _test_rows(self) -> Any:
        data = self.run.data
        return self.scheme.splits(data.y, groups=data.groups, seed=self.run.seed)[0].test

    @cached_property
    def _test_cases(self) -> str:
        return test_cases_key(self.run.data, self._test_rows)

    @property
    def touches(self) -> tuple[Touch, ...]:
        """Logged uses of the test cases, from this object or its folder."""
        if self.run.folder is None:
            return tuple(self._touches)
        return tuple(read_touches(Path(self.run.folder), self._test_cases))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Finding A011 if the test cases were used more than once."""
        return findings(Evidence(touches=tuple(map(touched_by, self.touches))))

    def records(self, confidence: float = 0.95) -> list[Record]:
        """Return one record per setting, in the order of the grid."""
        table = self.validation.scores(self.measure, positive=self.positive)
        records = []
        for name, setting in self.settings.items():
            low, high, note = float("nan"), float("nan"), table.undefined.get((0, name), "")
            if not np.isnan(value := table[name][0]):
                estimate = self.validation.assess(name, positive=self.positive)[self.measure]
                (low, high), note = estimate.interval(confidence), note or estimate.no_interval(confidence)
            records.append(
                {
                    **{parameter: table_cell(cell) for parameter, cell in setting.items()},
                    self.measure: float(value),
                    "low": low,
                    "high": high,
                    "chosen": name == self.chosen,
                    "note": note,
                }
            )
        return records

    def sheet(self, confidence: float = 0.95, most: int | None = MAX_ROWS) -> Sheet:
        """Return the settings with their values on the validation cases, the chosen one first.

        Parameters
        ----------
        most
            Number of settings to show; None for all.
        """
        sign = 1 if declared_measure(self.measure).better == "lower" else -1

        def rank(record: Record) -> tuple[bool, bool, float]:
            value = sign * record[self.measure]
            return not record["chosen"], np.isnan(value), value

        records = sorted(self.records(confidence), key=rank)
        rows = []
        for record in records[:most]:
            value, interval = with_interval(*(record.pop(key) for key in (self.measure, "low", "high")))
            chosen, note = "*" if record.pop("chosen") else "", record.pop("note")
            shown = {spoken(self.measure): value, f"{100 * confidence:g} % interval": interval}
            row = {**record, **shown, "chosen": chosen}
            rows.append({**row, **({"note": note} if note else {})})
        hidden = len(records) - len(rows)
        return Sheet.of(rows, self.title, (*((f"and {hidden} more",) if hidden else ()), *self.notes))

    @property
    def title(self) -> str:
        settings = counted(len(self.settings), "setting")
        return f"{settings} of {learner_name(self.learner)} on the validation cases, {self.scheme}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes below the table: the choice, its value on the test cases, and how often they were used."""
        notes = [f"chosen: {self.chosen}"]
        if self._is_tested:
            notes.append(f"on the test cases: {' '.join(str(self._tested[self.measure]).split())}")
        else:
            notes.append(
                "the value of the chosen setting is optimistic; the first call of `test()` gives an unbiased one"
            )
        touches = self.touches
        if touches:
            times = "once" if len(touches) == 1 else f"{len(touches)} times, first"
            notes.append(f"test cases used {times} on {touches[0]['time']} with {touches[0].get('setting')}")
        return (*notes, *map(str, self.findings))

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        values = {
            "learner": learner_name(self.learner),
            "measure": self.measure,
            "scheme": str(self.scheme),
            "seed": int(self.run.seed),
            "parameters": describe(self.parameters),
            "settings": self.records(confidence),
            "test": self._tested[self.measure].to_dict() if self._is_tested else None,
            "touches": self.touches,
            "findings": [finding.to_dict() for finding in self.findings],
        }
        return dict(jsonable(values))


@shared_texts
def tune(
    learner: Any,
    grid: Any,
    X: Any,
    y: Any,
    *,
    resampling: Any = None,
    measure: str = "accuracy",
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    positive: Label | None = None,
    progress: bool = False,
) -> TuneResult:
    """Choose parameters by grid search on a validation set.

    The test set is not used for the choice.

    Parameters
    ----------
    learner, X, y, groups
        As in `Experiment`.
    grid
        Parameters mapped to lists of values, as in {"C": [1, 10]}, or a list of such mappings.
    resampling
        A `TrainValidationTest`; by default one half, one quarter and one quarter of the cases.
    measure
        Measure to optimize.
    folder
        Folder for results and for ``touches.jsonl``, the log of all uses of the test cases.
    seed, n_jobs, progress
        As in `Experiment`.
    {positive}

    Returns
    -------
    TuneResult
        The chosen setting; its ``test`` method assesses it on the test cases.

    Examples
    --------
    >>> from howsure.selection import tune
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> result = tune(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, *load_iris(return_X_y=True))
    >>> result.parameters
    {'n_neighbors': 5}
    >>> print(result.test()["accuracy"])
    accuracy: 0.946, 95 % interval [0.823, 0.993] (modified-wilson), n = 37
    """
    declared = check_measure(measure, learner, to_choose=True)
    settings = grid_settings(learner, grid)
    scheme = TrainValidationTest() if resampling is None else resampling
    if not isinstance(scheme, TrainValidationTest):
        must("resampling", "a TrainValidationTest(...)", given=scheme)
    run = Run.of((X, y, groups), seed, folder, n_jobs, progress)
    learners = {name: with_parameters(learner, setting) for name, setting in settings.items()}
    experiment = run.experiment(learners, OnePart(scheme, "validation"))
    result = run.results(experiment, "candidates", _key(experiment))
    table = result.scores(measure, positive=positive)
    chosen = list(settings)[best_index(table.values[0], declared, table.undefined)]
    return TuneResult(learner, measure, settings, chosen, result, scheme, run, positive)


def _key(experiment: Experiment) -> str:
    """Return a hash of the plan, which is used as the name of its subfolder."""
    plan = {key: value for key, value in experiment.plan.to_dict().items() if key != "environment"}
    return hashlib.blake2b(json.dumps(plan, sort_keys=True).encode(), digest_size=6).hexdigest()
