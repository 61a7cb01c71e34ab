"""A small experiment, and everything that can be read from its folder."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure
from fuzz.case import demand
from howsure.experiment.store import write

CLOCKED = {"profile.parquet", "SHA256SUMS", ".lock"}  # depend on measured times


class Slow(ClassifierMixin, BaseEstimator):
    """A slow learner that guesses."""

    def __init__(self, seconds: float = 0.0, random_state: Any = None) -> None:
        self.seconds, self.random_state = seconds, random_state

    def fit(self, X: Any, y: Any) -> Slow:
        time.sleep(self.seconds)
        self.classes_ = np.unique(y)
        self.weights_ = np.random.default_rng(self.random_state).normal(size=(X.shape[1], len(self.classes_)))
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[(X @ self.weights_).argmax(1)]


class Fails(Slow):
    """A learner that fails without one particular case."""

    def __init__(self, case: float = 0.0, seconds: float = 0.0, random_state: Any = None) -> None:
        super().__init__(seconds, random_state)
        self.case = case

    def fit(self, X: Any, y: Any) -> Slow:
        if self.case not in X[:, 0]:
            raise ValueError("not without my favourite case")
        return super().fit(X, y)


def planned(seconds: float = 0.002) -> howsure.Experiment:
    write.ABOUT_A_SECOND = 0.01  # so that these short runs write several parts
    rng = np.random.default_rng(5)
    data = {name: (rng.normal(size=(60, 3)), rng.choice(["a", "b", "c"], size=60)) for name in ("noise", "more noise")}
    learners = {
        "bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3), "slow": Slow(seconds),
        "fails": Fails(float(data["noise"][0][7, 0]), seconds),
    }  # fmt: skip
    return howsure.Experiment(learners, data, howsure.KFold(3), seed=3)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of files that must not depend on the course of the run, and the names of all others."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    names = {str(path.relative_to(folder)): path for path in paths}
    return {name: b"" if name in CLOCKED else path.read_bytes() for name, path in sorted(names.items())}


def finished(result: howsure.ExperimentResult) -> dict[str, str]:
    """Return a digest of the predictions of each finished task, or its failure."""
    tasks, digests = result.tasks, {}
    for dataset in result.datasets:
        for learner in result.learners:
            rows = np.flatnonzero((tasks["dataset"] == dataset) & (tasks["learner"] == learner))
            failures = {int(tasks["split"][row]): str(tasks["failure"][row]) for row in rows}
            successful = [split for split, failure in failures.items() if not failure]
            predictions = result.predictions(learner, dataset) if successful else None
            for split, failure in failures.items():
                digest = failure or _digest(predictions, split)
                digests[f"{dataset}/{learner}/{split}"] = digest
    return digests


def _digest(predictions: Any, split: int) -> str:
    cases = np.flatnonzero(np.asarray(predictions.fold.values)[predictions.fold.codes] == split)
    columns = [predictions.truth, predictions.decided(), *([] if predictions.scores is None else [predictions.scores])]
    text = b"".join(np.ascontiguousarray(column[cases].astype(float)).tobytes() for column in columns)
    return f"{len(cases)} cases, {hashlib.sha256(text).hexdigest()}"


def everything(folder: Path) -> tuple[str, tuple[str, ...]]:
    """Open a folder and return everything in it as text, and the notes."""
    result = howsure.ExperimentResult.open(folder)
    shown = result.text(), result.profile().text(), result.failures().text(), json.dumps(result.to_dict())
    demand(all(shown), "an empty text")
    values = {
        "tasks": finished(result),
        "splits": {dataset: result.splits(dataset).fingerprint for dataset in result.datasets},
        "numbers": result.records(),
        "profile": result.profile_records(),
        "failures": result.failures().rows,
        "plan": result.plan,
    }
    return json.dumps(values, sort_keys=True, default=str), result.notes
