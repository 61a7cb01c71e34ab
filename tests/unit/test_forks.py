"""Workers forked from the driver: who forks, what workers share, and the same bytes as by joblib."""

import gc
import json
import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.model_selection import ShuffleSplit  # noqa: F401 (of a script below)
from sklearn.naive_bayes import GaussianNB

from howsure import Experiment, KFold
from howsure.experiment.run import forks, workers
from howsure.experiment.run.forks import Forking

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux processes are forked")
MADE = ("plan.json", "tasks.parquet", "predictions/iris.parquet", "splits/iris.parquet")


class Watching(ClassifierMixin, BaseEstimator):
    """Leaves word of the process in which it is fitted."""

    def __init__(self, log="", trouble=""):
        self.log = log
        self.trouble = trouble

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        rollup = Path("/proc/self/smaps_rollup").read_text()
        private = sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_"))
        told = {"process": os.getpid(), "private": private, "rows": len(X)}
        told["collects"] = gc.isenabled()
        told["nice"] = [os.getpriority(os.PRIO_PROCESS, int(thread)) for thread in os.listdir("/proc/self/task")]
        with open(self.log, "a") as file:
            file.write(json.dumps(told) + "\n")
        if self.trouble and X[0, 0] == 5.1:
            os._exit(3)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


def in_a_process_of_its_own(body, *arguments, **environment):
    """Run a script: in this process there may be threads of other tests."""
    start = f"import sys; sys.path[:0] = {sys.path!r}\nfrom test_forks import *\n"
    return subprocess.run(
        [sys.executable, "-c", start + textwrap.dedent(body), *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        check=True,
        env={**os.environ, **environment},
    ).stdout


@pytest.fixture(scope="module")
def can_fork():
    threads = "import duckdb, os; print(len(os.listdir('/proc/self/task')))"
    if subprocess.run([sys.executable, "-c", threads], capture_output=True, text=True, check=True).stdout != "1\n":
        pytest.skip("this DuckDB has a thread from its import on, as before 2.0, so that nothing is forked")


@pytest.mark.usefixtures("can_fork")
def test_a_process_of_one_thread_is_forked_and_one_of_several_is_not():
    body = """
    from howsure.experiment.store.database import close_databases, connect
    with connect(Path(".")) as database:
        database.execute("SELECT 1").fetchall()  # which has threads of its own, until it is closed
    del database
    np.ones((200, 200)) @ np.ones((200, 200))  # and so has BLAS
    print(Forking(list).is_safe(), Forking(close_databases).is_safe())
    halt = threading.Event()
    thread = threading.Thread(target=halt.wait)
    thread.start()
    print(Forking(close_databases).is_safe())
    halt.set(); thread.join()
    print(Forking(close_databases).is_safe())
    """
    assert in_a_process_of_its_own(body).split() == ["False", "True", "False", "True"]


@pytest.mark.usefixtures("can_fork")
def test_private_memory_of_workers_does_not_grow_with_the_data(tmp_path):
    body = """
    X = np.random.default_rng(0).normal(size=(400_000, 50))  # 160 MB
    y = np.arange(len(X)) % 2
    few = ShuffleSplit(12, train_size=50, test_size=50, random_state=0)
    made = Experiment({"watching": Watching(sys.argv[1] + "/log")}, {"d": (X, y)}, few, training_error=False)
    result = made.run(sys.argv[1] + "/run", n_jobs=2, progress=False)
    print(result.done, len(result.failures().rows), os.getpid())
    """
    done, failed, driver = map(int, in_a_process_of_its_own(body, tmp_path).split())
    assert (done, failed) == (12, 0)
    told = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert {one["rows"] for one in told} == {50}
    processes = {one["process"] for one in told}
    assert driver not in processes
    assert len(processes) == 2
    assert max(one["private"] for one in told) < 80_000  # kB: half of the data
    assert all(one["collects"] for one in told)  # though the driver collects no garbage while it forks


def contents(folder):
    return {name: (folder / name).read_bytes() for name in MADE}


@pytest.mark.parametrize("trouble", ["", pytest.param("die", marks=pytest.mark.long)])
def test_forked_workers_and_those_of_joblib_give_the_bytes_of_one_process(tmp_path, monkeypatch, trouble):
    repeats = 1 if trouble else 2  # a worker that dies is followed by another, which takes its time to start
    tasks = 10 * repeats

    def run(name, jobs):
        (tmp_path / "log").unlink(missing_ok=True)
        learners = {"bayes": GaussianNB(), "watching": Watching(str(tmp_path / "log"), trouble)}
        planned = Experiment(learners, {"iris": load_iris()}, KFold(5, repeats=repeats), seed=1)
        return planned.run(tmp_path / name, n_jobs=jobs, progress=False, time_limit=60)

    started = []

    class Counted(forks.Team):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            started.append(len(self.workers))

    monkeypatch.setattr(workers, "Team", Counted)
    monkeypatch.setattr(Forking, "is_safe", lambda self: bool(self.prepare()) or True)
    forked = run("forked", 2)
    assert started
    assert (forked.done, forked.total) == (tasks, tasks)
    failures = forked.failures().rows
    assert [row[1] for row in failures] == ["watching"] * (4 if trouble else 0)  # the first row is in 4 training sets
    alone = run("alone", 1)  # in a process of its own, because of the time limit
    assert alone.done == tasks
    monkeypatch.setattr(Forking, "is_safe", lambda self: False)
    started.clear()
    run("joblib", 2)
    assert not started
    assert contents(tmp_path / "forked") == contents(tmp_path / "alone") == contents(tmp_path / "joblib")


def test_a_second_thread_sends_tasks_to_joblib(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise AssertionError("forked a process of two threads")

    monkeypatch.setattr(workers, "Team", refuse)
    halt = threading.Event()
    thread = threading.Thread(target=halt.wait)
    thread.start()
    try:
        result = Experiment({"bayes": GaussianNB()}, {"iris": load_iris()}, KFold(3)).run(n_jobs=2, progress=False)
    finally:
        halt.set()
        thread.join()
    assert result.done == 3


def test_a_dead_worker_is_blamed_for_the_task_that_it_was_at():
    worker = forks.Worker(None, None, forks.SharedNumber(-1))
    assert worker.take_suspect() == []
    worker.waiting.extend([3, 4, 5, 6])  # of which 3 and 4 may be done, and their outcomes lost with the worker
    worker.at.value = 5
    assert worker.take_suspect() == [5]
    assert list(worker.waiting) == [3, 4, 6]
    worker.at.value = 2  # answered: the worker died before it began another
    assert worker.take_suspect() == [3]


@pytest.mark.usefixtures("can_fork")
def test_threads_that_a_worker_does_without_have_the_lowest_priority(tmp_path):
    body = """
    np.ones((200, 200)) @ np.ones((200, 200))
    learner = Watching(sys.argv[1])
    Experiment({"watching": learner}, {"iris": load_iris()}, KFold(2)).run(n_jobs=2, progress=False)
    """
    in_a_process_of_its_own(body, tmp_path / "log", OPENBLAS_NUM_THREADS="2")
    told = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert len(told) == 2
    for one in told:
        assert one["nice"].count(0) == 2  # the one that works, and the one that watches the driver
        assert set(one["nice"]) <= {0, 19}


class Hungry(ClassifierMixin, BaseEstimator):
    """Takes so many megabytes while it is fitted, and gives them back."""

    def __init__(self, megabytes=0):
        self.megabytes = megabytes

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        np.ones(self.megabytes << 20, np.uint8)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


@pytest.mark.parametrize("sizes", [(160, 80), (80, 160)])
def test_memory_that_a_worker_keeps_does_not_hide_what_a_learner_needs(sizes):
    """A worker keeps what it has freed, but gives it back before the first task of each learner on a data set."""
    told = in_a_process_of_its_own(
        """
        learners = {str(size): Hungry(int(size)) for size in sys.argv[1:]}
        rng = np.random.default_rng(0)
        data = {name: (rng.normal(size=(60, 2)), np.arange(60) % 2) for name in ("a", "b")}
        result = Experiment(learners, data, KFold(10), seed=0).run(n_jobs=2, progress=False)
        tasks = result.tasks
        for name in learners:
            for dataset in data:
                chosen = (tasks["learner"] == name) & (tasks["dataset"] == dataset)
                print(name, *(tasks["peak_memory_bytes"][chosen] / 2**20))
        """,
        *sizes,
    )
    for line in told.splitlines():
        size, *found = map(float, line.split())
        assert 0.95 * size < max(found) < 1.05 * size + 8  # the system counts pages of its own, and some of ours
