"""Scores of files, counted in bins while they are read."""

import gzip

import duckdb
import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import howsure
from howsure import HowsureError
from howsure.cli import main
from howsure.data.read import scored_files

N = 4000


def cases():
    rng = np.random.default_rng(21)
    truth = rng.choice(["ham", "spam"], N, p=[0.8, 0.2])
    scores = rng.beta(1 + (truth == "spam"), 1.5)
    scores[:50] = np.repeat([0.0, 0.25, 0.5, 1.0, 1e-12], 10)
    columns = {"y": truth, "p": scores, "guess": np.where(scores >= 0.3, "spam", "ham")}
    keys = {"times": rng.integers(0, 3, N), "w": rng.gamma(2.0, 1.0, N), "site": rng.choice(["a", "b"], N)}
    return pl.DataFrame({**columns, **keys, "patient": rng.integers(0, 90, N)})


def write(frame, path):
    if path.name.endswith(".gz"):
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    elif path.suffix == ".csv":
        frame.write_csv(path)
    elif path.suffix == ".tsv":
        frame.write_csv(path, separator="\t")
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_parquet(path)
    return str(path)


def numbers(a):
    return {name: [a[name].value, *a[name].interval(), a[name].bound] for name in a.applicable()}


@pytest.fixture(params=["streamed", "grouped"])
def way(request, monkeypatch):
    if request.param == "grouped":
        monkeypatch.setattr(scored_files, "_can_stream", lambda texts: False)
    return request.param


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "jsonl", "parquet"])
def test_files_of_every_format_give_the_numbers_of_arrays(tmp_path, way, ending):
    frame = cases()
    path = write(frame, tmp_path / f"cases.{ending}")
    for question in ({"scores": "p"}, {"predicted": "guess", "scores": "p"}, {"scores": "p", "threshold": 0.123}):
        a = howsure.assess("y", data=path, exact=False, **question)
        columns = {role: frame[name].to_numpy() if isinstance(name, str) else name for role, name in question.items()}
        expected = howsure.assess(frame["y"].to_numpy(), exact=False, **columns)
        np.testing.assert_equal(numbers(a), numbers(expected))
        assert a.confusion == expected.confusion
        assert a.scores == expected.scores


@pytest.mark.parametrize("question", [{"weight": "times"}, {"by": "site"}, {"cluster": "patient"}, {"weight": "w"}])
def test_weights_groups_and_clusters_are_grouped_by_the_engine(tmp_path, question):
    frame = cases()
    path = write(frame, tmp_path / "cases.parquet")
    (role, name), *_ = question.items()
    a = howsure.assess("y", scores="p", data=path, exact=False, **question)
    expected = howsure.assess(
        frame["y"].to_numpy(), scores=frame["p"].to_numpy(), exact=False, **{role: frame[name].to_numpy()}
    )
    pairs = [(a, expected)] if role != "by" else [(a[site], expected[site]) for site in ("a", "b")]
    for one, other in pairs:
        for measure in one.applicable():
            np.testing.assert_allclose(
                numbers(one)[measure], numbers(other)[measure], rtol=1e-9
            )  # sums of real weights


def test_parts_of_a_glob_give_what_one_file_gives(tmp_path, way):
    frame = cases()
    whole = howsure.assess("y", scores="p", data=write(frame, tmp_path / "all.parquet"), exact=False)
    for index, part in enumerate(frame.iter_slices(700)):
        write(part, tmp_path / f"part-{index}.parquet")
    parts = howsure.assess("y", scores="p", data=str(tmp_path / "part-*.parquet"), exact=False)
    np.testing.assert_equal(numbers(parts), numbers(whole))


def test_few_rows_keep_every_score_and_many_do_not(tmp_path, monkeypatch):
    path = write(cases(), tmp_path / "cases.parquet")
    assert howsure.assess("y", scores="p", data=path).scores.tops is None
    monkeypatch.setattr(scored_files, "EXACT_ROWS", N - 1)
    a = howsure.assess("y", scores="p", data=path)
    assert a.scores.tops is not None
    assert "bins: AUC exact to" in str(a)
    assert howsure.assess("y", scores="p", data=path, exact=True).scores.tops is None


def test_the_bound_of_ordinary_scores_is_small(tmp_path):
    path = write(cases(), tmp_path / "cases.parquet")
    binned, exact = (howsure.assess("y", scores="p", data=path, exact=flag) for flag in (False, True))
    for name in binned.applicable():
        difference = abs(binned[name].value - exact[name].value)
        assert difference <= binned[name].bound or binned[name].bound == difference == 0, name
    assert binned["auc"].bound < 1e-5


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_infinite_scores_leave_the_others_apart(tmp_path, way, ending):
    """The logarithm of a probability of 0 says nothing of how large the other scores are."""
    frame = cases().with_columns(pl.col("p").log() * 1e6)
    path = write(frame, tmp_path / f"cases.{ending}")
    binned, exact = (howsure.assess("y", scores="p", data=path, exact=flag, threshold=-1) for flag in (False, True))
    assert exact.scores.scores[-1] == -np.inf
    assert abs(binned["auc"].value - exact["auc"].value) <= binned["auc"].bound < 1e-5
    assert binned.confusion == exact.confusion
    arrays = howsure.assess(frame["y"].to_numpy(), scores=frame["p"].to_numpy(), exact=False, threshold=-1)
    assert arrays.scores == binned.scores


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.1, None, 0.3], "`p` must be a number, not empty in row 2 of "),
        ([0.1, float("nan"), 0.3], "`p` must be a number, not nan in row 2 of "),
    ],
)
def test_what_is_no_number_is_named_by_its_row(tmp_path, scores, message):
    path = tmp_path / "bad.parquet"
    pl.DataFrame({"y": ["a", "b", "a"], "p": scores}).write_parquet(path)
    with pytest.raises(HowsureError) as error:
        howsure.assess("y", scores="p", data=str(path), exact=False)
    assert str(error.value).startswith(message)


def test_labels_of_numbers_and_booleans_stay_what_they_are(tmp_path, way):
    scores = np.linspace(0, 1, 200)
    for name, truth in (("whole", np.arange(200) % 2), ("true", np.arange(200) % 3 == 0)):
        path = tmp_path / f"{name}.parquet"
        pl.DataFrame({"y": truth, "p": scores}).write_parquet(path)
        a = howsure.assess("y", scores="p", data=str(path), exact=False)
        assert a.labels == howsure.assess(truth, scores=scores).labels
        assert a["auc"].value == howsure.assess(truth, scores=scores, exact=False)["auc"].value


def test_a_class_among_many_is_told_from_the_rest(tmp_path, way):
    rng = np.random.default_rng(2)
    truth, scores = rng.integers(0, 12, 3000), rng.random(3000)
    path = tmp_path / "many.parquet"
    pl.DataFrame({"y": truth, "p": scores}).write_parquet(path)
    a = howsure.assess("y", scores="p", data=str(path), positive=3, exact=False)
    assert a["auc"].value == howsure.assess(truth, scores=scores, positive=3, exact=False)["auc"].value


def test_exact_must_be_true_or_false():
    with pytest.raises(HowsureError, match="`exact` must be True or False"):
        howsure.assess([0, 1], scores=[0.1, 0.9], exact="yes")


def limits_seen(monkeypatch):
    """List the limits of memory of all databases that are opened from now on."""
    seen = []
    connect = duckdb.connect

    class Watched:
        def __init__(self, *args, **options):
            self._database = connect(*args, **options)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            (limit,) = self._database.execute("SELECT current_setting('memory_limit')").fetchone()
            seen.append(limit)
            self._database.close()

        def __getattr__(self, name):
            return getattr(self._database, name)

    monkeypatch.setattr(duckdb, "connect", Watched)
    return seen


def test_memory_for_reading_files_is_limited_as_asked(tmp_path, monkeypatch):
    path = tmp_path / "small.csv"
    path.write_text("y,p\n1,0.9\n0,0.2\n1,0.4\n0,0.6\n")
    seen = limits_seen(monkeypatch)
    command = ["assess", str(path), "--truth", "y", "--score", "p", "--bins"]
    assert CliRunner().invoke(main, [*command, "--memory", "300MB"]).exit_code == 0
    assert seen
    assert set(seen) == {"286.1 MiB"}
    seen.clear()
    assert CliRunner().invoke(main, command).exit_code == 0
    assert "286.1 MiB" not in seen  # a limit ends with its command
    seen.clear()
    monkeypatch.setenv("HOWSURE_MEMORY", "500MB")
    howsure.assess("y", scores="p", data=str(path))
    assert set(seen) == {"476.8 MiB"}
    result = CliRunner().invoke(main, [*command, "--memory", "much"])
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        2,
        "Error: `--memory` must be an amount of memory such as 500MB or 2GB, not 'much'.",
    )
