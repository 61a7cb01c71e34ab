"""Train, validate, test: choose on the validation part, and look at the test part once, which is written down."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from assay.advice import Evidence, Finding, findings
from assay.assessment import Assessment
from assay.data.encode import Label
from assay.errors import must
from assay.experiment import Dataset, Experiment, ExperimentResult
from assay.experiment.plan.describe import describe
from assay.present.format import jsonable, number
from assay.present.sheet import Record, Sheet
from assay.resampling import Scheme, TrainValidationTest
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
from assay.tuning.splits import Tested, Validated
from assay.tuning.test_set_log import Touch, append_touch, make_touch, model_of, read_touches, test_key

CHOSEN = "chosen"
MOST_SHOWN = 12


@dataclass(frozen=True, eq=False)
class TuneResult:
    """A setting chosen on validation cases. The test cases wait for `test`, and every look at them is recorded."""

    learner: Any = field(repr=False)
    measure: str
    parameters: Setting
    settings: dict[str, Setting] = field(repr=False)
    validation: ExperimentResult = field(repr=False)
    data: Dataset = field(repr=False)
    scheme: Scheme
    seed: int
    folder: Path | None = None
    positive: Label | None = None
    _state: dict[str, Any] = field(default_factory=dict, repr=False)

    def test(self) -> Assessment:
        """Fit the chosen setting on training and validation cases, and assess it on the test cases.

        This is the one touch that the test cases are for; each call is recorded before anything is computed.
        """
        told = {"learner": name_of(self.learner), "setting": spell(self.parameters), "measure": self.measure}
        touch = make_touch(self._cases, rows=len(self._test_rows), **told, parameters=describe(self.parameters))
        touch["data"] = self.validation.plan["datasets"]["data"]["fingerprint"]
        if self.folder is None:
            self._state.setdefault("touches", []).append(touch)
        else:
            append_touch(self.folder, touch)
        if "test" not in self._state:
            learner = with_setting(self.learner, self.parameters)
            experiment = Experiment({CHOSEN: learner}, {"data": self.data}, Tested(self.scheme), self.seed)
            result = run(experiment, self.folder, "test", _key(experiment))
            self._state["test"] = result.assess(CHOSEN, positive=self.positive)
        found: Assessment = self._state["test"]
        return found

    @cached_property
    def model(self) -> Any:
        """The learner with the chosen parameters, fitted on all cases: the one to use."""
        return refitted(self.learner, self.parameters, self.data, self.seed)

    @cached_property
    def _test_rows(self) -> Any:
        return self.scheme.splits(self.data.y, groups=self.data.groups, seed=self.seed)[0].test

    @cached_property
    def _cases(self) -> str:
        return test_key(self.data, self._test_rows)

    @property
    def touches(self) -> tuple[Touch, ...]:
        """Every recorded look at these test cases: of this folder, or without one of this object."""
        if self.folder is None:
            return tuple(self._state.get("touches", []))
        return tuple(read_touches(self.folder, self._cases))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A011, where the test cases were looked at more than once."""
        return findings(Evidence(touches=tuple(map(model_of, self.touches))))

    def records(self, confidence: float = 0.95) -> list[Record]:
        """Give one record for each setting, in the order of the grid."""
        table = self.validation.scores(self.measure, positive=self.positive)
        found = []
        for name, setting in self.settings.items():
            low = high = float("nan")
            if not np.isnan(value := table[name][0]):
                interval = self.validation.assess(name, positive=self.positive)[self.measure].interval(confidence)
                low, high = interval.low, interval.high
            told = {key: cell_of(one) for key, one in setting.items()}
            rest = {"chosen": setting is self.parameters, "note": table.undefined.get((0, name), "")}
            found.append({**told, self.measure: float(value), "low": low, "high": high, **rest})
        return found

    def sheet(self, most: int | None = None) -> Sheet:
        """Give the settings with their value on the validation cases, the chosen one first; all, or so many."""
        better = declared_as(self.measure).better
        records = self.records()
        loss = np.array([record[self.measure] for record in records]) * (1 if better == "lower" else -1)
        order = sorted(range(len(loss)), key=lambda place: (not records[place]["chosen"], loss[place]))
        rows = []
        for record in (records[place] for place in order[:most]):
            low, high = record.pop("low"), record.pop("high")
            record["95 % interval"] = "" if np.isnan(low) else f"[{number(low)}, {number(high)}]"
            chosen, note = "*" if record.pop("chosen") else "", record.pop("note")
            rows.append({**record, "chosen": chosen, **({"note": note} if note else {})})
        left = len(order) - len(rows)
        title = f"{counted(self.settings)} of {name_of(self.learner)} on the validation cases, {self.scheme}"
        return Sheet.of(rows, title, (*((f"and {left} more",) if left else ()), *self.notes()))

    def notes(self) -> tuple[str, ...]:
        """Say what the test cases said, if they were asked, and how often they were."""
        told = [f"chosen: {spell(self.parameters)}"]
        if "test" in self._state:
            told.append(f"on the test cases: {self._state['test'][self.measure]}")
        else:
            told.append("its value here is the best of several, and so too good; `test()` gives an honest one, once")
        touches = self.touches
        if touches:
            times = "once" if len(touches) == 1 else f"{len(touches)} times, first"
            told.append(f"test cases looked at {times} on {touches[0]['time']} with {touches[0].get('setting')}")
        return (*told, *map(str, self.findings))

    def frame(self, like: Any = None) -> Any:
        """Give every setting and every digit as a data frame."""
        return Sheet.of(self.records()).frame(like)

    def to_dict(self) -> dict[str, Any]:
        told = {
            "learner": name_of(self.learner),
            "measure": self.measure,
            "scheme": str(self.scheme),
            "seed": self.seed,
            "parameters": describe(self.parameters),
            "settings": self.records(),
            "test": self._state["test"][self.measure].to_dict() if "test" in self._state else None,
            "touches": list(self.touches),
            "findings": [one.to_dict() for one in self.findings],
        }
        return dict(jsonable(told))

    def __str__(self) -> str:
        return self.sheet(MOST_SHOWN).text()

    def _repr_html_(self) -> str:
        return self.sheet(MOST_SHOWN).to_html()


def tune(
    learner: Any,
    grid: Any,
    X: Any,
    y: Any,
    *,
    scheme: Any = None,
    measure: str = "accuracy",
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    positive: Label | None = None,
    progress: bool = False,
) -> TuneResult:
    """Fit every setting on training cases and choose the best on validation cases; test cases are not touched.

    Parameters
    ----------
    learner, X, y, groups
        As `Experiment` takes them.
    grid
        Parameters and the values to try, as {"C": [1, 10]}, or a list of such mappings.
    scheme
        How to divide the cases; `TrainValidationTest()` by default: one half, one quarter, one quarter.
    measure
        What to choose by.
    folder
        Where results are kept, and in ``touches.jsonl`` every look at the test cases, also those of later calls.
    seed, n_jobs, progress
        As `Experiment` takes them.
    positive
        The class that two-class measures are about.

    Examples
    --------
    >>> from assay.tuning import tune
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> found = tune(KNeighborsClassifier(), {"n_neighbors": [1, 5, 15]}, *load_iris(return_X_y=True))
    >>> found.parameters
    {'n_neighbors': 5}
    >>> print(found.test()["accuracy"])
    accuracy: 0.946, 95 % interval [0.823, 0.985] (wilson), n = 37
    """
    declared = check_measure(measure, learner, to_choose=True)
    settings = settings_of(learner, grid)
    parts = TrainValidationTest() if scheme is None else scheme
    if not isinstance(parts, TrainValidationTest):
        must("scheme", "a TrainValidationTest(...), which has a part to choose on", given=parts)
    data = Dataset.of((X, y, groups), "data")
    learners = {name: with_setting(learner, setting) for name, setting in settings.items()}
    experiment = Experiment(learners, {"data": data}, Validated(parts), seed)
    result = run(experiment, folder, "candidates", _key(experiment), n_jobs=n_jobs, progress=progress)
    table = result.scores(measure, positive=positive)
    best = list(settings.values())[best_place(table.values[0], declared, table.undefined)]
    into = None if folder is None else Path(folder)
    return TuneResult(learner, measure, best, settings, result, data, parts, int(seed), into, positive)


def _key(experiment: Experiment) -> str:
    """Name the plan, so that another grid finds its own place beside this one."""
    plan = {key: told for key, told in experiment.plan.to_dict().items() if key != "environment"}
    return hashlib.blake2b(json.dumps(plan, sort_keys=True).encode(), digest_size=6).hexdigest()
