"""Kill a run anywhere: what was done stays done, and in the end every byte is as if nothing had happened."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import joblib
import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB

import howsure
from howsure.experiment.store.contents import Contents, file_digest, own_names
from howsure.experiment.store.read import read_plan, read_tasks

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from slow_learner import SlowLearner, Troublesome, experiment  # noqa: E402

pytestmark = pytest.mark.long

MADE = ("plan.json", "tasks.parquet", "predictions/noise.parquet", "predictions/more.parquet", "splits/noise.parquet")


@pytest.fixture(autouse=True)
def _learners(monkeypatch):
    """Let workers find the learners of these tests."""
    monkeypatch.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)


def script(body):
    start = f"import os, sys; sys.path[:0] = [{str(HERE)!r}]; from slow_learner import experiment\n"
    return start + textwrap.dedent(body)


def contents(folder):
    return {name: (folder / name).read_bytes() for name in MADE}


KILLS = 4  # the net of kills has a thousand


def test_killed_at_random_moments(tmp_path):
    folder, log = tmp_path / "killed", tmp_path / "log"
    body = f"""
    if __name__ == "__main__":
        import howsure.experiment.store.write
        howsure.experiment.store.write.ABOUT_A_SECOND = 0.1  # so that much is written in the short life of these runs
        jobs = int(sys.argv[1])
        made = experiment(0.01, {str(log)!r}, repeats=6)
        print("ready", flush=True)
        made.run({str(folder)!r}, n_jobs=jobs, progress=False)
        print("done", flush=True)
    """
    (tmp_path / "main.py").write_text(script(body))
    rng = np.random.default_rng(11)
    listed, killed = set(), 0
    for attempt in range(KILLS):
        jobs = 1 + (attempt % 4 == 3)
        process = subprocess.Popen(
            [sys.executable, tmp_path / "main.py", str(jobs)], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert process.stdout.readline() == "ready\n"
        if attempt == KILLS - 1:  # some work must be done by then, however busy the machine is
            assert wait_until(lambda: (folder / "plan.json").exists() and done_in(folder))
        time.sleep(rng.uniform(0, 0.6 if jobs == 1 else 2.0))
        os.killpg(process.pid, signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        process.stdout.close()
        if (folder / "plan.json").exists():
            now = done_in(folder)
            assert listed <= now  # what was done once stays done
            listed = now
    assert killed == KILLS
    assert 0 < len(listed) < 240  # the kills came while there was work to do
    fits_before = len(log.read_text().splitlines())
    result = experiment(0.01, str(log), repeats=6).run(folder, progress=False)
    assert result.done == result.total == 240
    again = len(log.read_text().splitlines()) - fits_before
    assert again == 240 - len(listed)  # and is not done again
    whole = tmp_path / "whole"
    experiment(0.01, str(log), repeats=6).run(whole, n_jobs=2, progress=False)
    assert contents(folder) == contents(whole)
    assert sorted(os.listdir(folder)) == sorted(os.listdir(whole))
    assert os.listdir(folder / "parts") == []


def done_in(folder):
    rows = read_tasks(folder, read_plan(folder))
    return set(zip(rows["dataset"].tolist(), rows["learner"].tolist(), rows["split"].tolist(), strict=True))


def test_killed_before_and_after_every_file_that_is_put_in_place(tmp_path):
    """A process that ends at any of its renames leaves a folder from which the same bytes come.

    Before each, and after the last: what is in place after any other is what is in place before the next.
    """
    whole = tmp_path / "whole"
    experiment(repeats=1).run(whole, progress=False)
    body = """
    def ending_at(number, after):
        count, replace = [0], os.replace
        def patched(source, target):
            count[0] += 1
            if count[0] == number and not after:
                os._exit(7)
            replace(source, target)
            if count[0] == number and after:
                os._exit(7)
        os.replace = patched

    if __name__ == "__main__":
        import duckdb, joblib, threadpoolctl, sklearn.pipeline, pandas  # once
        import howsure.experiment.store.write
        experiment(repeats=1).plan.to_dict()
        def run(folder, *ending):
            child = os.fork()
            if not child:
                if ending:
                    ending_at(*ending)
                experiment(repeats=1).run(f"{sys.argv[1]}/{folder}", progress=False)
                os._exit(0)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

        number = 1
        while run(number, number, False) == 7:
            assert run(number) == 0
            number += 1
        assert run("last", number - 1, True) == 7
        assert run("last") == 0
        print(number - 1)
    """
    (tmp_path / "main.py").write_text(script(body))
    ended = subprocess.run(
        [sys.executable, tmp_path / "main.py", tmp_path], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    renames = int(ended.stdout)
    assert renames >= 8  # two files of splits, the plan, a part or more of each data set, and the joined files
    for folder in (tmp_path / str(name) for name in (*range(1, renames + 1), "last")):
        assert contents(folder) == contents(whole), folder
        assert os.listdir(folder / "parts") == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_learner_that_raises_hangs_or_dies_costs_only_its_own_tasks(tmp_path, jobs):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 3)), np.repeat(["x", "y"], 20)
    learners = {name: Troublesome(name, X[7, 0]) for name in ("raise", "hang", "die")} | {"good": SlowLearner()}
    planned = howsure.Experiment(learners, {"d": (X, y)}, howsure.KFold(4), seed=0)
    folder = tmp_path / "run"
    result = planned.run(folder, n_jobs=jobs, progress=False, time_limit=1.5)
    assert result.done == result.total == 16
    failed = {row[1]: row[4] for row in result.failures().rows}
    assert failed == {
        "raise": "ValueError: no <script> today",
        "hang": "not finished within the time limit of 1.5 s",
        "die": "the learner ended its worker process (a crash, or out of memory)",
    }
    table = result.scores("accuracy")
    assert np.isnan(table.values).sum(0).tolist() == [1, 1, 1, 0]
    split = int(np.isnan(table["raise"]).argmax())
    assert table.undefined[split, "raise"] == "ValueError: no <script> today"
    assert table.estimate("raise").notes == (
        "1 of 4 splits has no value, because ValueError: no <script> today; the pooled value uses all predictions",
    )
    before = contents_of(folder)
    again = planned.run(folder, n_jobs=jobs, progress=False, time_limit=1.5)  # what failed is not tried unasked
    assert contents_of(folder) == before
    assert len(again.failures().rows) == 3


def contents_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.parquet")}


def test_what_failed_is_tried_again_when_asked(tmp_path):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 3)), np.repeat(["x", "y"], 20)
    switch = tmp_path / "broken"
    switch.touch()
    learner = Sometimes(str(switch))
    planned = howsure.Experiment({"it": learner, "other": Troublesome()}, {"d": (X, y)}, howsure.KFold(4), seed=0)
    first = planned.run(tmp_path / "run", progress=False)
    assert [row[1] for row in first.failures().rows] == ["it"] * 4
    with pytest.raises(howsure.HowsureError, match="there is no prediction of 'it' on 'd'; the first failure: Run"):
        first.assess("it")
    switch.unlink()
    second = planned.run(tmp_path / "run", progress=False, retry_failed=True)
    assert second.failures().rows == []
    whole = planned.run(tmp_path / "whole", progress=False)
    assert (second.folder / "tasks.parquet").read_bytes() == (whole.folder / "tasks.parquet").read_bytes()
    assert (second.folder / "predictions/d.parquet").read_bytes() == (
        whole.folder / "predictions/d.parquet"
    ).read_bytes()


class Sometimes:
    def __init__(self, switch):
        self.switch = switch

    def fit(self, X, y):
        if os.path.exists(self.switch):
            raise RuntimeError("not now")
        self.label = y[0]
        return self

    def predict(self, X):
        return np.repeat(self.label, len(X))


def test_two_runs_cannot_write_to_one_folder(tmp_path):
    planned = experiment()
    from howsure.experiment.store.write import FolderWriter

    with (
        FolderWriter(tmp_path, planned.plan).opened(),
        pytest.raises(howsure.HowsureError, match=r"^another run is writing to '.*'; "),
    ):
        planned.run(tmp_path, progress=False)


def test_a_changed_plan_is_refused_with_the_difference(tmp_path):
    experiment().run(tmp_path, progress=False)
    with pytest.raises(howsure.HowsureError) as refused:
        experiment(seconds=0.5).run(tmp_path, progress=False)
    assert str(refused.value) == (
        f"{str(tmp_path)!r} holds another experiment: learners.slow.seconds was 0.0 and is 0.5; "
        "learners.slower.seconds was 0.0 and is 1.0. Give another folder, or the same plan."
    )


def test_a_folder_with_something_else_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(howsure.HowsureError, match=r"holds thesis.txt but no plan; give an empty folder\.$"):
        experiment().run(tmp_path, progress=False)
    assert (tmp_path / "thesis.txt").read_text() == "precious"


@pytest.mark.filterwarnings("ignore")  # what the cluster has to say about its workers
def test_a_cluster_whose_worker_is_killed_gives_the_same_bytes(tmp_path):
    from distributed import Client, LocalCluster

    experiment(0.02, repeats=2).run(tmp_path / "whole", progress=False)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        pids = list(client.run(os.getpid).values())
        assert len(pids) == 2
        killer = subprocess.Popen([sys.executable, "-c", KILL, str(tmp_path / "cluster" / "parts"), str(pids[0])])
        result = experiment(0.02, repeats=2).run(tmp_path / "cluster", progress=False)
        assert killer.wait() == 0
        assert pids[0] not in client.run(os.getpid).values()  # it is really gone
    assert result.done == result.total == 80
    assert result.failures().rows == []
    assert contents(tmp_path / "cluster") == contents(tmp_path / "whole")


KILL = """
import os, signal, sys, time
while not (os.path.isdir(sys.argv[1]) and os.listdir(sys.argv[1])):
    time.sleep(0.01)
os.kill(int(sys.argv[2]), signal.SIGKILL)
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "closed", ["cluster", *(pytest.param(name, marks=pytest.mark.slow) for name in ("client", "restart", "scheduler"))]
)
def test_a_cluster_that_is_closed_ends_the_run_and_blames_no_learner(tmp_path, closed):
    """In a process of its own, which the closed cluster leaves in disorder."""
    body = f"""
    if __name__ == "__main__":
        import threading, time, joblib, howsure
        from distributed import Client, LocalCluster, Nanny, Scheduler
        folder = {str(tmp_path / "cluster")!r}
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
        client = Client(cluster)

        def close():
            while not os.path.isdir(folder + "/parts") or not os.listdir(folder + "/parts"):
                time.sleep(0.01)
            if {closed!r} == "scheduler":
                cluster.sync(cluster.scheduler.close)
            elif {closed!r} == "restart":
                client.restart()
            else:
                (cluster if {closed!r} == "cluster" else client).close()

        threading.Thread(target=close, daemon=True).start()
        try:
            with joblib.parallel_config(backend="dask"):
                experiment(0.05, repeats=2).run(folder, progress=False)
        except howsure.HowsureError as error:
            print(error, flush=True)
        os._exit(0)
    """
    (tmp_path / "main.py").write_text(script(body))
    ended = subprocess.run(
        [sys.executable, tmp_path / "main.py"], capture_output=True, text=True, timeout=120, check=True
    )
    assert ended.stdout.startswith(("the cluster was closed or lost; finished tasks", "the cluster does not answer"))
    stopped = howsure.ExperimentResult.open(tmp_path / "cluster")
    assert 0 < stopped.done < stopped.total
    assert stopped.failures().rows == []
    experiment(0.05, repeats=2).run(tmp_path / "cluster", n_jobs=2, progress=False)
    experiment(0.05, repeats=2).run(tmp_path / "whole", n_jobs=2, progress=False)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "whole")


@pytest.mark.filterwarnings("ignore")
def test_a_learner_that_ends_workers_of_a_cluster_costs_only_its_own_tasks(tmp_path):
    import dask
    from distributed import Client, LocalCluster

    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 3)), np.repeat(["x", "y"], 20)
    learners = {"die": Troublesome("die", X[7, 0]), "good": SlowLearner(), "better": SlowLearner(0.01)}
    planned = howsure.Experiment(learners, {"d": (X, y)}, howsure.KFold(4), seed=0)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        result = planned.run(tmp_path, progress=False)
    assert result.done == result.total == 12
    assert [row[1] for row in result.failures().rows] == ["die"]
    assert {row[4] for row in result.failures().rows} == {
        "the learner ended its worker process (a crash, or out of memory)"
    }


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_dies_with_the_data_is_no_loss(tmp_path):
    """The first worker to have the data is killed before any task of the run is done."""
    from distributed import Client, LocalCluster

    experiment(0.02).run(tmp_path / "whole", progress=False)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        pids = client.run(os.getpid)
        killed = []

        def kill_the_holder():
            while not killed:
                for key, holders in client.who_has().items():
                    if key.startswith("_held") and holders:
                        os.kill(pids[holders[0]], signal.SIGKILL)
                        killed.append(holders[0])
                        break

        thread = threading.Thread(target=kill_the_holder)
        thread.start()
        result = experiment(0.02).run(tmp_path / "cluster", progress=False)
        thread.join()
        assert killed
    assert result.failures().rows == []
    assert contents(tmp_path / "cluster") == contents(tmp_path / "whole")


class Weighed(ClassifierMixin, BaseEstimator):
    """Writes down how much memory its process has that is no file's."""

    def __init__(self, log=""):
        self.log = log

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
        own = sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))
        with open(self.log, "a") as file:
            file.write(f"{os.getpid()} {own / 1000}\n")
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from /proc")
def test_workers_share_one_copy_of_the_data(tmp_path):
    get_reusable_executor().shutdown(wait=True)  # workers of other tests may hold more memory
    X = np.random.default_rng(0).normal(size=(1_000_000, 50))  # 400 MB
    few = ShuffleSplit(12, train_size=50, test_size=50, random_state=0)
    planned = howsure.Experiment({"it": Weighed(str(tmp_path / "log"))}, {"d": (X, np.arange(len(X)) % 2)}, few)
    result = planned.run(tmp_path / "run", n_jobs=2, progress=False)
    assert (result.done, result.failures().rows) == (12, [])
    rows = [line.split() for line in (tmp_path / "log").read_text().splitlines()]
    assert str(os.getpid()) not in {process for process, _ in rows}
    assert max(float(own) for _, own in rows) < 300  # MB, with all libraries


KEPT: list[object] = []


class Leaks(GaussianNB):
    """Keeps memory after each fit, so that joblib replaces its worker."""

    def fit(self, X, y):
        KEPT.append(np.ones(320_000_000, np.uint8))
        time.sleep(1.1)  # joblib looks once a second
        return super().fit(X, y)


def test_workers_that_grow_are_replaced_without_a_warning():
    """In these tests a warning is an error, by which joblib would wait forever."""
    X, y = load_iris(return_X_y=True)
    result = howsure.Experiment({"it": Leaks()}, {"iris": (X, y)}, howsure.KFold(8)).run(n_jobs=2, progress=False)
    assert (result.done, result.failures().rows) == (8, [])


def test_a_script_without_a_guard_may_define_learners_and_data(tmp_path):
    body = """
    import numpy as np, howsure

    class Texts:
        def __init__(self, items):
            self.items = items
        def __len__(self):
            return len(self.items)
        def __getitem__(self, rows):
            return Texts([self.items[row] for row in rows])
        def __array__(self, dtype=None, copy=None):
            return np.array(self.items, object)

    class First:
        def fit(self, X, y):
            self.label = y[0] if X.items else None
            return self
        def predict(self, X):
            return [self.label] * len(X)

    data = {"d": (Texts([f"text {number}" for number in range(40)]), ["a", "b"] * 20)}
    result = howsure.Experiment({"it": First()}, data, howsure.KFold(4)).run(n_jobs=2, progress=False)
    print(result.done, len(result.failures().rows))
    """
    (tmp_path / "main.py").write_text(textwrap.dedent(body))
    ended = subprocess.run([sys.executable, tmp_path / "main.py"], capture_output=True, text=True, check=True)
    assert ended.stdout == "4 0\n"


def test_workers_end_with_their_driver(tmp_path):
    log = tmp_path / "log"
    body = f"""
    if __name__ == "__main__":
        print("ready", flush=True)
        experiment(0.3, {str(log)!r}).run({str(tmp_path / "run")!r}, n_jobs=2, progress=False)
    """
    (tmp_path / "main.py").write_text(script(body))
    process = subprocess.Popen(
        [sys.executable, tmp_path / "main.py"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    assert process.stdout.readline() == b"ready\n"
    assert wait_until(lambda: len(children.read_text().split()) >= 2 and log.exists())  # the first task is under way
    workers = [int(pid) for pid in children.read_text().split()]
    process.kill()
    process.wait()
    process.stdout.close()
    assert len(workers) >= 2
    assert wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def wait_until(holds, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


class Raises(BaseEstimator, ClassifierMixin):
    def __init__(self, error):
        self.error = error

    def fit(self, X, y):
        raise self.error

    def predict(self, X):
        return X


class CannotSayError(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Panic(BaseException):
    """As compiled libraries raise it."""


@pytest.mark.parametrize(
    ("jobs", "error"),
    [
        (1, CannotSayError()),
        (1, Panic("oh")),
        (1, SystemExit(3)),
        (2, CannotSayError()),
        (2, Panic("oh")),
        (2, SystemExit(3)),
        (2, KeyboardInterrupt()),
    ],
)
def test_whatever_a_learner_raises_is_its_own_failure(jobs, error):
    X, y = load_iris(return_X_y=True)
    learners = {"raises": Raises(error), "bayes": GaussianNB()}
    result = howsure.Experiment(learners, {"iris": (X, y)}, howsure.KFold(3)).run(n_jobs=jobs, progress=False)
    assert [row[1] for row in result.failures().rows] == ["raises"] * 3
    assert result.failures().rows[0][-1].startswith(type(error).__name__)


class Forks(GaussianNB):
    """Leaves a copy of its process behind, which goes on as if it were the first."""

    def fit(self, X, y):
        os.fork()
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_learner_that_forks_does_its_task_once(tmp_path, jobs):
    X, y = load_iris(return_X_y=True)
    for name, learner in (("forks", Forks()), ("plain", GaussianNB())):
        planned = howsure.Experiment({"it": learner}, {"iris": (X, y)}, howsure.KFold(5))
        result = planned.run(tmp_path / name, n_jobs=jobs, progress=False)
        assert (result.done, result.failures().rows) == (5, [])
    predictions = [(tmp_path / name / "predictions/iris.parquet").read_bytes() for name in ("forks", "plain")]
    assert predictions[0] == predictions[1]


def test_a_handler_that_ends_the_program_ends_it_and_is_no_failure_of_the_learner(tmp_path):
    body = f"""
    if __name__ == "__main__":
        import signal
        signal.signal(signal.SIGTERM, lambda *event: sys.exit(5))
        print("ready", flush=True)
        experiment(0.3).run({str(tmp_path / "run")!r}, progress=False)
    """
    (tmp_path / "main.py").write_text(script(body))
    process = subprocess.Popen([sys.executable, tmp_path / "main.py"], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    assert wait_until(lambda: (tmp_path / "run" / "parts").is_dir() and os.listdir(tmp_path / "run" / "parts"))
    process.terminate()
    assert process.wait() == 5
    process.stdout.close()
    assert howsure.ExperimentResult.open(tmp_path / "run").failures().rows == []


def test_splits_of_another_plan_are_noticed_though_their_digest_is_right(tmp_path):
    for seed in (0, 1):
        planned = howsure.Experiment({"bayes": GaussianNB()}, {"iris": load_iris()}, howsure.KFold(3), seed=seed)
        planned.run(tmp_path / str(seed), progress=False)
    folder = tmp_path / "0"
    (folder / "splits/iris.parquet").write_bytes((tmp_path / "1/splits/iris.parquet").read_bytes())
    Contents(folder, [(name, file_digest(folder / name)) for name in own_names(folder)]).tidy()
    with pytest.raises(howsure.HowsureError, match="does not hold the splits of the plan"):
        howsure.ExperimentResult.open(folder).splits()


def test_a_full_disk_is_told_in_a_sentence_and_the_run_goes_on_later(tmp_path):
    code = (
        "import sys, resource, howsure\n"
        "from sklearn.datasets import load_iris\n"
        "from sklearn.naive_bayes import GaussianNB\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9000,) * 2)\n"
        "e = howsure.Experiment({'bayes': GaussianNB()}, {'iris': load_iris()}, howsure.KFold(10, repeats=4))\n"
        "try:\n"
        "    e.run(sys.argv[1], progress=False)\n"
        "except howsure.HowsureError as error:\n"
        "    print(error)\n"
    )
    folder = tmp_path / "run"
    process = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert process.stdout.endswith("cannot be written: file too large.\n")
    assert not [path for path in folder.rglob("*") if "tmp_" in path.name]
    planned = howsure.Experiment({"bayes": GaussianNB()}, {"iris": load_iris()}, howsure.KFold(10, repeats=4))
    planned.run(folder, progress=False)
    assert howsure.ExperimentResult.open(folder).done == 40
