"""10 x 10 folds of breast_cancer: an experiment against cross_validate, and against the bare fits and predictions."""

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
    return rows
