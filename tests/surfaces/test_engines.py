"""The same call on arrays, data frames and engines gives the same numbers, whoever counts."""

import importlib.util
import os
import shutil
import signal
import sys
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset
import pytest

import howsure
from howsure import HowsureError

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")
N = 3000
COLUMNS = ("truth", "predicted", "scores", "weight", "by", "cluster")


def cases(**changes):
    rng = np.random.default_rng(11)
    truth = rng.choice(["ham", "spam"], N, p=[0.7, 0.3])
    scores = np.round(rng.beta(1 + (truth == "spam"), 1.5), 3)  # with ties
    columns = {
        "y": truth,
        "guess": np.where(scores >= 0.4, "spam", "ham"),
        "p": scores,
        "margin": rng.standard_cauchy(N) + 2 * (truth == "spam"),
        "log": np.where(scores > 0.05, 1e6 * np.log(scores + 1e-9), -np.inf),  # of a probability of 0
        "times": rng.integers(0, 4, N),
        "weight of a case": rng.gamma(2.0, 1.0, N),
        "site": rng.choice(["a", "b", "c"], N),
        "patient": rng.integers(0, 300, N),
    }
    return pl.DataFrame({**columns, **changes})


def arrays(frame):
    return {name: frame[name].to_numpy() for name in frame.columns}


def in_duckdb(frame):
    import duckdb

    database = duckdb.connect()
    database.register("cases", frame.to_arrow())
    return database


def in_ibis(frame):
    ibis = pytest.importorskip("ibis", reason="ibis-framework is not installed")
    return ibis.memtable(frame.to_arrow())


def in_dask(frame):
    dask = pytest.importorskip("dask.dataframe", reason="dask[dataframe] is not installed")
    return dask.from_pandas(frame.to_pandas(), npartitions=3)


def spark_session():
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        pytest.skip("PySpark or Java is not installed")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    local = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in local.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def in_spark(frame):
    rows = [tuple(row) for row in frame.iter_rows()]
    return spark_session().createDataFrame(rows, frame.columns).repartition(3)


ENGINES = {
    "pandas": pl.DataFrame.to_pandas,
    "polars": lambda frame: frame,
    "polars lazy": pl.DataFrame.lazy,
    "pyarrow": pl.DataFrame.to_arrow,
    "pyarrow data set": lambda frame: pyarrow.dataset.dataset(frame.to_arrow()),
    "pyarrow batches": lambda frame: frame.to_arrow().to_batches(max_chunksize=700),
    "duckdb": lambda frame: in_duckdb(frame).sql("SELECT * FROM cases"),
    "duckdb query": lambda frame: (in_duckdb(frame), "SELECT * FROM cases"),
    "ibis": in_ibis,
    "dask": in_dask,
    "spark": in_spark,
}
QUESTIONS = {
    "labels": {"predicted": "guess"},
    "scores": {"scores": "p"},
    "scores in bins": {"scores": "p", "exact": False},
    "any scores in bins": {"scores": "margin", "exact": False, "threshold": 0.25},
    "infinite scores in bins": {"scores": "log", "exact": False, "threshold": -1.0},
    "labels and scores": {"predicted": "guess", "scores": "p", "exact": False},
    "whole weights": {"scores": "p", "weight": "times"},
    "real weights": {"scores": "p", "weight": "weight of a case", "exact": False},
    "groups": {"scores": "p", "by": "site"},
    "clusters": {"predicted": "guess", "cluster": "patient"},
    "scores in clusters": {"scores": "p", "cluster": "patient", "exact": False},
    "weights in clusters": {"predicted": "guess", "cluster": "patient", "weight": "weight of a case"},
}


@cache
def expected(name):
    """The numbers of arrays, which every engine is held to."""
    return numbers(from_arrays(QUESTIONS[name]))


def from_arrays(question):
    columns = arrays(cases())
    named = {role: columns[value] if role in COLUMNS else value for role, value in question.items()}
    return howsure.assess(columns["y"], **named)


def numbers(a):
    if hasattr(a, "confusion"):
        return {name: [a[name].value, *a[name].interval(), a[name].n, a[name].bound] for name in a.applicable()}
    return {group: numbers(one) for group, one in a.items()}


def assert_same(one, other, rtol, what=""):
    if isinstance(one, dict):
        assert one.keys() == other.keys(), what
        for key in one:
            assert_same(one[key], other[key], rtol, f"{what}, {key}")
    else:
        np.testing.assert_allclose(one, other, rtol=rtol, atol=0, err_msg=what)


@pytest.mark.long
@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_gives_the_numbers_of_arrays(name):
    """All questions in one test: some engines take longer to start than to answer."""
    data = ENGINES[name](cases())
    for asked, question in QUESTIONS.items():
        a = howsure.assess("y", data=data, **question)
        # Sums of real-valued weights depend on their order; all else is counted.
        rtol = 1e-11 if question.get("weight") == "weight of a case" else 0
        assert_same(numbers(a), expected(asked), rtol, asked)
    truth, scores = cases()["y"].to_list(), cases()["p"].to_list()
    truth[7] = scores[3] = scores[8] = None
    for column, values, where in (("y", truth, "label (at index 7|in 1 row)"), ("p", scores, "number (at|in 2 rows)")):
        with pytest.raises(HowsureError, match=rf"`{column}` has no {where}"):
            howsure.assess("y", "guess", scores="p", data=ENGINES[name](cases(**{column: values})))


@pytest.mark.parametrize("question", [{"predicted": ["guess", "other"]}, {"scores": ["p", "q"], "measure": "auc"}])
def test_comparing_gives_the_numbers_of_arrays(question):
    rng = np.random.default_rng(4)
    frame = cases(other=rng.choice(["ham", "spam"], N), q=rng.random(N))
    expected = howsure.compare("y", data=frame.to_pandas(), **question)
    for data in (frame.lazy(), in_duckdb(frame).sql("SELECT * FROM cases")):
        c = howsure.compare("y", data=data, **question)
        assert c.test.pvalue == expected.test.pvalue
        assert tuple(c.difference.interval()) == tuple(expected.difference.interval())


@pytest.mark.parametrize("name", ["polars lazy", "duckdb", "ibis", "dask"])
def test_a_score_that_is_no_number_is_refused(name):
    scores = cases()["p"].to_numpy().copy()
    scores[[3, 8]] = np.nan
    with pytest.raises(HowsureError, match=r"`p` has no number in 2 rows; drop these rows or give them a number\."):
        howsure.assess("y", scores="p", data=ENGINES[name](cases(p=scores)))


def test_no_number_goes_unseen_in_a_parquet_file(tmp_path):
    """DuckDB takes the range of a column from the file, which knows of no NaN."""
    import duckdb

    scores = cases()["p"].to_numpy().copy()
    scores[5] = np.nan
    cases(p=scores).write_parquet(tmp_path / "cases.parquet")
    with duckdb.connect() as database, pytest.raises(HowsureError, match=r"`p` has no number in (some|1) rows?; drop"):
        howsure.assess("y", scores="p", data=database.read_parquet(str(tmp_path / "cases.parquet")))


@pytest.mark.parametrize("name", ["duckdb", "duckdb query", "ibis", "pyarrow data set"])
def test_columns_that_differ_in_case_alone_are_not_mixed_up(name):
    """SQL takes `Y` for `y`, and would find that the truth agrees with itself."""
    frame = cases()
    if name.startswith("duckdb"):
        query = 'SELECT y, guess AS "Y", p FROM cases'
        data = (in_duckdb(frame), query) if name.endswith("query") else in_duckdb(frame).sql(query)
    else:
        data = ENGINES[name](frame.select("y", pl.col("guess").alias("Y"), "p"))
    said = "`data` has the columns '[yY]' and '[yY]', which its engine cannot tell apart; rename one of them."
    for assess in (
        lambda: howsure.assess("y", "Y", data=data),
        lambda: howsure.compare("y", ["Y", "y"], data=data),
        lambda: howsure.compare("y", scores=["p", "Y"], measure="auc", data=data),
    ):
        with pytest.raises(HowsureError, match=f"^{said}$"):
            assess()


@pytest.mark.parametrize("name", ["polars", "polars lazy", "pandas", "pyarrow", "dask"])
def test_columns_that_differ_in_case_alone_are_two_elsewhere(name):
    frame = cases().select("y", pl.col("guess").alias("Y"))
    expected = howsure.assess(*(column.to_numpy() for column in frame))["accuracy"].value
    assert howsure.assess("y", "Y", data=ENGINES[name](frame))["accuracy"].value == expected < 1


def test_a_reader_that_can_be_read_once_is_read_once():
    reader = cases().to_arrow().to_reader()
    assert_same(numbers(howsure.assess("y", scores="p", data=reader)), numbers(from_arrays({"scores": "p"})), rtol=0)


def test_what_an_engine_refuses_is_one_sentence():
    with pytest.raises(HowsureError, match=r"^`data` cannot be counted by its engine: .*nowhere[^\n]*\.$"):
        howsure.assess("y", "guess", data=(in_duckdb(cases()), "SELECT * FROM nowhere"))
    with pytest.raises(HowsureError, match=r"^`data` cannot be counted by its engine: [^\n]*\.$"):
        howsure.assess("y", scores="guess", data=cases().lazy())


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(HowsureError, match="'q'"):
        howsure.assess("y", scores="q", data=cases().lazy())


def test_nothing_but_counts_is_collected(monkeypatch):
    """A lazy frame is never read: what is collected has a row for each combination."""
    import narwhals as nw

    sizes = []
    collect = nw.LazyFrame.collect

    def watched(self, *args, **options):
        found = collect(self, *args, **options)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(nw.LazyFrame, "collect", watched)
    howsure.assess("y", "guess", data=cases().lazy())
    assert max(sizes) <= 4


class Slow:
    """Takes long enough over each part that a worker can be killed meanwhile."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, part):
        import time
        from pathlib import Path

        Path(self.folder, f"{os.getpid()}").touch()
        time.sleep(0.3)
        return part


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_changes_nothing(tmp_path):
    """Of a cluster of two worker processes, one dies while it counts."""
    import threading
    import time

    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask.dataframe")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster),
    ):
        data = dask.from_pandas(cases().to_pandas(), npartitions=6)
        slow = data.map_partitions(Slow(str(tmp_path)), meta=data._meta)

        def kill():
            while not (working := list(tmp_path.iterdir())):
                time.sleep(0.01)
            os.kill(int(working[0].name), signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        a = howsure.assess("y", scores="p", data=slow, exact=False)
        killer.join()
    assert_same(numbers(a), numbers(from_arrays({"scores": "p", "exact": False})), rtol=0)


def test_pandas_itself_is_counted_as_arrays_are():
    frame = pd.DataFrame({"y": [1, 0, 1, 1], "p": [0.9, 0.2, 0.4, 0.6]})
    assert howsure.assess("y", scores="p", data=frame)["auc"].value == 1.0
