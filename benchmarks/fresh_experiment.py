"""Experiments and the same fits by joblib, in a fresh process: ``python -m benchmarks.fresh_experiment what jobs``.

A process that has had workers of joblib has their threads, and one that has run before has its libraries loaded; here
both ways begin alike. Prints the seconds by the clock and of all processors, and the private memory of the workers.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from typing import Any

ROWS, COLUMNS = 200_000, 50


def measured(what: str, jobs: int) -> dict[str, float]:
    """Do one work in a process of its own; of large data, look at its workers twenty times a second while it runs.

    To look at a process takes its time, of which short works have little.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.fresh_experiment", what, str(jobs)], stdout=subprocess.PIPE, text=True
    )
    private = 0
    while what.startswith("large") and process.poll() is None:
        private = max([private, *map(_private, _children(process.pid))])
        time.sleep(0.05)
    process.wait()
    whole = time.perf_counter() - start
    assert process.stdout is not None
    output: dict[str, float] = json.loads(process.stdout.read().splitlines()[-1])
    process.stdout.close()
    return {**output, "whole": whole, "private": private}


def in_turn(works: list[tuple[str, int]], rounds: int) -> list[list[dict[str, float]]]:
    """Run tasks in turns, in reverse order every other time."""
    runs: list[list[dict[str, float]]] = [[] for _ in works]
    for number in range(rounds):
        order = list(range(len(works)))
        for index in order if number % 2 == 0 else reversed(order):
            runs[index].append(measured(*works[index]))
    return runs


def _children(process: int) -> list[int]:
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def _private(process: int) -> int:
    """Return the private memory of a process in bytes."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return 1024 * sum(int(line.split()[1]) for line in file if line.startswith("Private_"))
    except OSError:
        return 0


def _learners() -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    return {"bayes": GaussianNB(), "logit": LogisticRegression()}


def _large() -> tuple[Any, Any]:
    import numpy as np

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, ROWS)
    return rng.normal(size=(ROWS, COLUMNS)) + 0.1 * y[:, None], y


def large(jobs: int) -> float:
    """Run naive Bayes and logistic regression on 200,000 rows, with 2 x 10 folds."""
    import howsure

    X, y = _large()
    learners = _learners()
    start = time.perf_counter()
    experiment = howsure.Experiment(learners, {"large": (X, y)}, howsure.KFold(10, repeats=2), seed=0)
    experiment.run(n_jobs=jobs, progress=False)
    return time.perf_counter() - start


def _fits(learner: Any, X: Any, y: Any, train: Any, test: Any) -> tuple[Any, Any, float]:
    from sklearn.base import clone
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        model = clone(learner).fit(X[train], y[train])
        wrong = float((model.predict(X[train]) != y[train]).mean())
        return model.predict(X[test]), model.predict_proba(X[test]), wrong


def large_by_joblib(jobs: int) -> float:
    """Run the same fits and predictions with joblib alone."""
    import joblib

    import howsure

    X, y = _large()
    learners = _learners()
    start = time.perf_counter()
    splits = howsure.KFold(10, repeats=2).splits(y, seed=0)
    joblib.Parallel(n_jobs=jobs)(
        joblib.delayed(_fits)(learner, X, y, split.train, split.test)
        for split in splits
        for learner in learners.values()
    )
    return time.perf_counter() - start


def small(jobs: int) -> float:
    """Run three learners on three small data sets with 10 x 10 folds, and print the comparison."""
    start = time.perf_counter()
    from sklearn.datasets import load_breast_cancer, load_iris, load_wine
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    import howsure

    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB(), "1-nn": KNeighborsClassifier(1)}
    data = {"iris": load_iris(), "wine": load_wine(), "cancer": load_breast_cancer()}
    result = howsure.Experiment(learners, data, howsure.KFold(10, repeats=10), seed=0).run(n_jobs=jobs, progress=False)
    print(result.compare())
    return time.perf_counter() - start


def _small_fits() -> list[tuple[Any, ...]]:
    """Return the fits of `small`: learner, features, labels, training and test rows."""
    from sklearn.datasets import load_breast_cancer, load_iris, load_wine
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    import howsure

    learners = (DecisionTreeClassifier(), GaussianNB(), KNeighborsClassifier(1))
    return [
        (learner, X, y, split.train, split.test)
        for X, y in (load(return_X_y=True) for load in (load_iris, load_wine, load_breast_cancer))
        for split in howsure.KFold(10, repeats=10).splits(y, seed=0)
        for learner in learners
    ]


def small_by_joblib(jobs: int) -> float:
    """Run the fits of `small` with joblib alone."""
    start = time.perf_counter()
    import joblib

    joblib.Parallel(n_jobs=jobs)(joblib.delayed(_fits)(*fit) for fit in _small_fits())
    return time.perf_counter() - start


def small_bare(jobs: int) -> float:
    """Run the fits of `small` in a bare loop; return its time divided by the number of processes."""
    from sklearn.base import clone
    from threadpoolctl import threadpool_limits

    fits = _small_fits()
    start = time.perf_counter()
    with threadpool_limits(1):
        for learner, X, y, train, test in fits:
            model = clone(learner).fit(X[train], y[train])
            model.predict(X[test]), model.predict_proba(X[test]), model.predict(X[train])
    return (time.perf_counter() - start) / jobs


def many(folder: str | None) -> dict[str, float]:
    """Run 20,000 very fast tasks, and the same fits in a bare loop before and after."""
    import numpy as np
    from sklearn.base import clone
    from sklearn.naive_bayes import GaussianNB

    import howsure

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 4)), rng.integers(0, 2, 100)
    scheme = howsure.KFold(10, repeats=2000)

    def bare() -> tuple[float, float]:
        start = time.perf_counter(), time.process_time()
        for split in scheme.splits(y, seed=0):
            model = clone(GaussianNB()).fit(X[split.train], y[split.train])
            model.predict(X[split.test]), model.predict_proba(X[split.test]), model.predict(X[split.train])
        return time.perf_counter() - start[0], time.process_time() - start[1]

    before = bare()
    start = time.perf_counter(), time.process_time()
    howsure.Experiment({"bayes": GaussianNB()}, {"d": (X, y)}, scheme, seed=0).run(folder, progress=False)
    ours = time.perf_counter() - start[0], time.process_time() - start[1]
    after = bare()
    # The mean of both, in case that the speed of the machine changes meanwhile.
    wall, cpu = ((first + last) / 2 for first, last in zip(before, after, strict=True))
    return {"seconds": ours[0], "cpu": ours[1], "bare": wall, "bare cpu": cpu}


def main(what: str, jobs: int) -> None:
    if what in ("many", "many_in_folder"):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            times = many(os.path.join(folder, "run") if what == "many_in_folder" else None)
    else:
        times = {"seconds": globals()[what](jobs)}
        if jobs > 1:
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor().shutdown(wait=True)  # idle workers would delay the end and not be counted
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        times["cpu"] = sum(usage.ru_utime + usage.ru_stime for usage in used)
    print(json.dumps(times), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
