"""Experiments compared with cross_validate, bare fits and bare joblib, and the memory of workers."""

from __future__ import annotations

import statistics
import tempfile
from functools import partial

from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import howsure
from benchmarks import fresh_experiment as fresh
from benchmarks.measure import Comparison, Times, compare, peer

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
SPLITS = howsure.KFold(10, repeats=10)
FOREST, FOREST_SPLITS = RandomForestClassifier(100, random_state=0), howsure.KFold(10, repeats=3)
OVERHEAD = 0.5e-3  # seconds that a task may take in addition to its fit and predictions
ROUNDS = 3


def run() -> list[Comparison]:
    X, y = load_breast_cancer(return_X_y=True)
    cheap = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}

    def ours(jobs: int) -> object:
        experiment = howsure.Experiment(cheap, {"cancer": (X, y)}, SPLITS, seed=0)
        with tempfile.TemporaryDirectory() as folder:
            result = experiment.run(folder, n_jobs=jobs, progress=False)
            return [result.scores(measure) for measure in MEASURES]

    def theirs(jobs: int) -> object:
        folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
        scorers = list(MEASURES.values())
        return [cross_validate(learner, X, y, cv=folds, scoring=scorers, n_jobs=jobs) for learner in cheap.values()]

    def bare() -> None:
        with threadpool_limits(1):
            for split in FOREST_SPLITS.splits(y, seed=0):
                model = clone(FOREST).fit(X[split.train], y[split.train])
                model.predict(X[split.test])
                model.predict_proba(X[split.test])
                model.predict(X[split.train])

    def forest(jobs: int) -> object:
        return howsure.Experiment({"forest": FOREST}, {"cancer": (X, y)}, FOREST_SPLITS, seed=0).run(
            n_jobs=jobs, progress=False
        )

    rows = []
    for jobs in (1, 2):
        what = f"bayes and tree, 10 x 10 folds, ten measures, {jobs} process{'es' if jobs > 1 else ''}"
        name = f"{peer('scikit-learn')} cross_validate"
        rows.append(compare(what, partial(ours, jobs), partial(theirs, jobs), name, 2, repeats=3))
    what, name = "forest, 3 x 10 folds, against the same fits and predictions", f"{peer('scikit-learn')}, a bare loop"
    rows.append(compare(what, partial(forest, 1), bare, name, 1 / 1.03, repeats=3))
    what = "forest, 3 x 10 folds, two processes"
    rows.append(compare(what, partial(forest, 2), partial(forest, 1), "one process", 1.8, repeats=2, warm=False))
    return [*rows, *_many(), *_small(), *_large()]


def _many() -> list[Comparison]:
    """Measure the overhead of 20,000 tasks with very fast fits."""
    rows = []
    for work, where in (("many", "no folder"), ("many_in_folder", "in a folder")):
        runs = [fresh.measured(work, 1)]  # with the bare loop before and after
        bare = min(run["bare"] for run in runs)
        overhead = (min(run["seconds"] for run in runs) - bare) / 20_000
        fit = bare / 20_000
        print(f"  20,000 tasks, {where}: {overhead * 1e3:.2f} ms each, in addition to a fit of {fit * 1e3:.2f} ms")
        name = f"{peer('scikit-learn')}, a bare loop, and 0.5 ms a task"
        rows.append(Comparison.of(f"20,000 tasks, {where}", _times(runs), bare + 20_000 * OVERHEAD, name, 1))
    return rows


def _small() -> list[Comparison]:
    """Measure a small experiment from the start of Python to the printed comparison."""
    works = [("small", 2), ("small", 1), ("small_by_joblib", 2), ("small_bare", 2)]
    two, one, joblib, bare = fresh.in_turn(works, ROUNDS + 2)
    what, ours = "900 small tasks, compared, from the start of Python", _times(two, "whole")
    # Half of the loop, as if two processes shared it, plus everything before and after it.
    least = min(run["whole"] - run["seconds"] for run in bare)
    return [
        Comparison.of(what, ours, 2.5, "limit 2.5 s", 1),
        Comparison.of(what, ours, _times(one, "whole"), "one process", 1),
        Comparison.of(what, ours, _times(joblib, "whole"), f"{peer('joblib')}, the bare fits", 1),
        Comparison.of(what, ours, least, "imports, and the bare fits shared by two", 0.6),
    ]


def _large() -> list[Comparison]:
    """Measure two workers on 80 MB of data, including their start, and their private memory."""
    two, bare, one = fresh.in_turn([("large", 2), ("large_by_joblib", 2), ("large", 1)], ROUNDS)
    what, ours, name = "200,000 x 50, bayes and logit, two workers", _times(two), f"{peer('joblib')}, the bare fits"
    memory = [statistics.median(run["private"] for run in runs) for runs in (two, bare)]
    return [
        Comparison.of(what, ours, _times(one), "one process", 1.5),
        Comparison.of(what, ours, _times(bare), name, 1),
        Comparison(f"{what}: private memory of one", memory[0], memory[1], name, 1, unit="B"),
    ]


def _times(runs: list[dict[str, float]], key: str = "seconds") -> Times:
    return Times(*(tuple(run[name] for run in runs) for name in (key, "cpu")))
