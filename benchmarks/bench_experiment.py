"""An experiment against cross_validate, the bare fits and predictions, and bare joblib; and the memory of workers."""

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
OVER = 0.5e-3  # seconds that a task may take beyond its fit and predictions
ROUNDS = 3


def run() -> list[Comparison]:
    X, y = load_breast_cancer(return_X_y=True)
    cheap = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}

    def ours(jobs: int) -> object:
        made = howsure.Experiment(cheap, {"cancer": (X, y)}, SPLITS, seed=0)
        with tempfile.TemporaryDirectory() as folder:
            result = made.run(folder, n_jobs=jobs, progress=False)
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
        told = f"bayes and tree, 10 x 10 folds, ten measures, {jobs} process{'es' if jobs > 1 else ''}"
        name = f"{peer('scikit-learn')} cross_validate"
        rows.append(compare(told, partial(ours, jobs), partial(theirs, jobs), name, 2, repeats=3))
    told, name = "forest, 3 x 10 folds, against the same fits and predictions", f"{peer('scikit-learn')}, a bare loop"
    rows.append(compare(told, partial(forest, 1), bare, name, 1 / 1.03, repeats=3))
    told = "forest, 3 x 10 folds, two processes"
    rows.append(compare(told, partial(forest, 2), partial(forest, 1), "one process", 1.8, repeats=2, warm=False))
    return [*rows, *_many(), *_small(), *_large()]


def _many() -> list[Comparison]:
    """The cost of a task beyond its fit: 20,000 of next to nothing, against the fits and what a task may cost."""
    rows = []
    for what, told in (("many", "no folder"), ("many_in_folder", "in a folder")):
        found = [fresh.measured(what, 1)]  # with the bare loop before and after
        bare = min(one["bare"] for one in found)
        over = (min(one["seconds"] for one in found) - bare) / 20_000
        print(f"  20,000 tasks, {told}: {over * 1e3:.2f} ms each over the bare fit of {bare / 20_000 * 1e3:.2f} ms")
        name = f"{peer('scikit-learn')}, a bare loop, and 0.5 ms a task"
        rows.append(Comparison.of(f"20,000 tasks, {told}", _times(found), bare + 20_000 * OVER, name, 1))
    return rows


def _small() -> list[Comparison]:
    """A small experiment from the start of Python to the printed comparison."""
    works = [("small", 2), ("small", 1), ("small_by_joblib", 2), ("small_bare", 2)]
    two, one, joblib, bare = fresh.in_turn(works, ROUNDS + 2)
    what, ours = "900 small tasks, compared, from the start of Python", _times(two, "whole")
    # Half of the loop, as if two processes shared it, and all that comes before and after it.
    least = min(each["whole"] - each["seconds"] for each in bare)
    return [
        Comparison.of(what, ours, 2.5, "limit 2.5 s", 1),
        Comparison.of(what, ours, _times(one, "whole"), "one process", 1),
        Comparison.of(what, ours, _times(joblib, "whole"), f"{peer('joblib')}, the bare fits", 1),
        Comparison.of(what, ours, least, "imports, and the bare fits shared by two", 0.6),
    ]


def _large() -> list[Comparison]:
    """Two workers on data of 80 MB, their start included, and the memory that they have for themselves."""
    two, bare, one = fresh.in_turn([("large", 2), ("large_by_joblib", 2), ("large", 1)], ROUNDS)
    what, ours, name = "200,000 x 50, bayes and logit, two workers", _times(two), f"{peer('joblib')}, the bare fits"
    memory = [statistics.median(each["private"] for each in found) for found in (two, bare)]
    return [
        Comparison.of(what, ours, _times(one), "one process", 1.5),
        Comparison.of(what, ours, _times(bare), name, 1),
        Comparison(f"{what}: private memory of one", memory[0], memory[1], name, 1, unit="B"),
    ]


def _times(found: list[dict[str, float]], of: str = "seconds") -> Times:
    return Times(*(tuple(one[figure] for one in found) for figure in (of, "cpu")))
