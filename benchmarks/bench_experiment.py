"""An experiment against cross_validate, the bare fits and predictions, and bare joblib; and the memory of workers."""

from __future__ import annotations

import tempfile
from functools import partial
from typing import Any

from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import assay
from benchmarks import fresh_experiment as fresh
from benchmarks.measure import Comparison, best, in_turn, peer

MEASURES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "f1": "f1",
    "precision": "precision",
    "recall": "recall",
    "mcc": "matthews_corrcoef",
    "auc": "roc_auc",
    "average_precision": "average_precision",
    "brier": "neg_brier_score",
    "log_loss": "neg_log_loss",
}
SPLITS = assay.KFold(10, repeats=10)
OVER = 0.5e-3  # seconds that a task may take beyond its fit and predictions
ROUNDS = 3


def run() -> list[Comparison]:
    X, y = load_breast_cancer(return_X_y=True)
    cheap = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    forest = {"forest": RandomForestClassifier(100, random_state=0)}

    def experiment(learners: dict[str, Any], jobs: int, **options: Any) -> assay.ExperimentResult:
        made = assay.Experiment(learners, {"cancer": (X, y)}, SPLITS, seed=0, **options)
        with tempfile.TemporaryDirectory() as folder:
            return made.run(folder, n_jobs=jobs, progress=False)

    def ours(jobs: int) -> object:
        made = assay.Experiment(cheap, {"cancer": (X, y)}, SPLITS, seed=0)
        with tempfile.TemporaryDirectory() as folder:
            result = made.run(folder, n_jobs=jobs, progress=False)
            return [result.scores(measure) for measure in MEASURES]

    def theirs(jobs: int) -> object:
        folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
        scorers = list(MEASURES.values())
        return [cross_validate(learner, X, y, cv=folds, scoring=scorers, n_jobs=jobs) for learner in cheap.values()]

    def bare(training: bool) -> None:
        learner = forest["forest"]
        with threadpool_limits(1):
            for split in SPLITS.splits(y, seed=0):
                model = clone(learner).fit(X[split.train], y[split.train])
                model.predict(X[split.test])
                model.predict_proba(X[split.test])
                if training:
                    model.predict(X[split.train])

    rows = []
    for jobs in (1, 2):
        told = f"bayes and tree, 10 x 10 folds, ten measures, {jobs} process{'es' if jobs > 1 else ''}"
        ours(jobs), theirs(jobs)  # the processes of both are started and warm
        taken, peers = best(partial(ours, jobs)), best(partial(theirs, jobs))
        rows.append(Comparison(told, taken, peers, f"{peer('scikit-learn')} cross_validate", 2))
    loop = f"{peer('scikit-learn')}, a bare loop"
    told = "forest, 10 x 10 folds, against the same fits and predictions"
    taken, peers = in_turn(lambda: experiment(forest, 1), lambda: bare(True), 4)
    rows.append(Comparison(told, taken, peers, loop, 1 / 1.03))
    told = "forest, the same without the training error"
    taken, peers = in_turn(lambda: experiment(forest, 1, training_error=False), lambda: bare(False), 4)
    rows.append(Comparison(told, taken, peers, loop, 1 / 1.03))
    experiment(cheap, 2)
    taken, peers = in_turn(lambda: experiment(forest, 2), lambda: experiment(forest, 1))
    rows.append(Comparison("forest, two workers (started beforehand)", taken, peers, "one worker", 1.8))
    return [*rows, *_many(), *_small(), *_large()]


def _many() -> list[Comparison]:
    """The cost of a task beyond its fit: 20,000 of next to nothing, against the fits and what a task may cost."""
    rows = []
    for what, told in (("many", "no folder"), ("many_in_folder", "in a folder")):
        found = min((fresh.measured(what, 1) for _ in range(ROUNDS)), key=lambda one: one["seconds"] - one["bare"])
        allowed = found["bare"] + 20_000 * OVER
        peer_name = f"{peer('scikit-learn')}, a bare loop, and 0.5 ms a task"
        rows.append(Comparison(f"20,000 tasks, {told}", found["seconds"], allowed, peer_name, 1, found))
    return rows


def _small() -> list[Comparison]:
    """A small experiment from the start of Python to the printed comparison."""
    works = [("small", 2), ("small", 1), ("small_by_joblib", 2)]
    two, one, bare = fresh.in_turn(works, ROUNDS + 2)
    figures = fresh.told("two", two) | fresh.told("one", one) | fresh.told("joblib", bare)
    taken = min(found["whole"] for found in two)
    return [
        Comparison("900 small tasks, compared, from the start of Python", taken, peers, name, wanted, figures)
        for peers, name, wanted in (
            (2.5, "2.5 s", 1.0),
            (min(found["whole"] for found in one), "one process", 1.0),
            (min(found["whole"] for found in bare), f"{peer('joblib')}, the bare fits", 1.0),
        )
    ]


def _large() -> list[Comparison]:
    """Two workers on data of 80 MB, their start included, and the memory that they have for themselves."""
    works = [("large", 2), ("large_by_joblib", 2), ("large", 1)]
    two, bare, one = fresh.in_turn(works, ROUNDS)
    figures = fresh.told("two", two) | fresh.told("one", one) | fresh.told("joblib", bare)
    bare_name = f"{peer('joblib')}, the bare fits"

    def least(found: list[dict[str, float]], figure: str) -> float:
        return min(one[figure] for one in found)

    told = "200,000 x 50, bayes and logit, two workers"
    taken = least(two, "seconds")
    return [
        Comparison(told, taken, least(one, "seconds"), "one process", 1.5, figures),
        Comparison(told, taken, least(bare, "seconds"), bare_name, 1.0, figures),
        Comparison(f"{told}: memory", least(two, "private"), least(bare, "private"), bare_name, 1.0, figures, "B"),
    ]
