"""`howsure compare` and `howsure gate` as a user types them."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.cli import main


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=400)
    good, poor = (np.where(rng.random(400) < q, truth, 1 - truth) for q in (0.9, 0.75))
    high, low = truth + rng.normal(size=400), truth + 2 * rng.normal(size=400)
    names = np.array(["no", "yes"])
    rows = [f"c{i},{names[truth[i]]},{names[good[i]]},{names[poor[i]]},{high[i]},{low[i]}" for i in range(400)]
    (tmp_path / "all.csv").write_text("case,y,good,poor,high,low\n" + "\n".join(rows) + "\n")
    for name, column, score in (("good", good, high), ("poor", poor, low)):
        order = rng.permutation(400)
        lines = [f"c{i},{names[truth[i]]},{names[column[i]]},{score[i]}" for i in order]
        (tmp_path / f"{name}.csv").write_text("case,y,p,s\n" + "\n".join(lines) + "\n")
    return tmp_path, truth, good, poor, high, low


def test_columns_of_one_file(files):
    folder, truth, good, poor, *_ = files
    done = run("compare", folder / "all.csv", "--truth", "y", "--predicted", "good", "--predicted", "poor")
    assert done.exit_code == 0, done.stderr
    expected = howsure.compare(truth, {"good": good, "poor": poor})
    said = " ".join(done.stdout.split())
    assert said.startswith(expected.verdict)
    assert "good is better than poor: accuracy " in said


def test_a_file_each_joined_by_a_key(files):
    folder, truth, good, poor, high, low = files
    both = ("compare", folder / "good.csv", folder / "poor.csv", "--truth", "y", "--key", "case")
    done = run(*both, "--predicted", "p", "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["pairs"][0]["pvalue"] == howsure.compare(truth, {"a": good, "b": poor}).test.pvalue
    soft = json.loads(run(*both, "--score", "s", "--json").stdout)
    assert soft["measure"] == "auc"
    assert soft["pairs"][0]["difference"] == pytest.approx(
        howsure.compare(truth, scores={"a": high, "b": low}).difference.value, rel=1e-9
    )


def test_files_of_other_cases_are_refused(files):
    folder, *_ = files
    both = ("compare", folder / "good.csv", folder / "poor.csv", "--truth", "y", "--predicted", "p")
    done = run(*both)
    assert done.exit_code == 2
    assert "'good' and 'poor' disagree on the truth of row " in done.stderr
    lines = (folder / "poor.csv").read_text().splitlines()
    lost = lines.pop().split(",")[0]
    (folder / "poor.csv").write_text("\n".join(lines) + "\n")
    assert run(*both).stderr == "Error: 'good' has 400 rows and 'poor' has 399; give a key to join them by.\n"
    assert run(*both, "--key", "case").stderr == (
        f"Error: 'good' and 'poor' must hold the same cases, but {lost} is in only one of them.\n"
    )
    (folder / "poor.csv").write_text("\n".join([*lines, lines[1]]) + "\n")
    twice = lines[1].split(",")[0]
    assert run(*both, "--key", "case").stderr == (
        f"Error: `case` of 'poor' must name each case once, but it repeats '{twice}'.\n"
    )


def test_the_folder_of_an_experiment(tmp_path):
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)}
    made = howsure.Experiment(learners, {"iris": load_iris()}, howsure.KFold(3, 3), seed=0)
    result = made.run(tmp_path / "run", progress=False)
    done = run("compare", tmp_path / "run", "--measure", "kappa", "--csv")
    assert done.exit_code == 0, done.stderr
    assert f"{result.compare('kappa').test.pvalue}" in done.stdout
    assert "Corrected paired t" in run("compare", tmp_path / "run", "--tests").stdout
    assert "Corrected paired t test" in str(json.loads(run("compare", tmp_path / "run", "--tests", "--json").stdout))
    named = json.loads(run("compare", tmp_path / "run", "--test", "corrected_paired_t", "--json").stdout)
    assert named["pairs"][0]["pvalue"] == result.compare(test="corrected_paired_t").test.pvalue
    assert named["pairs"][0]["pvalue"] < result.compare().test.pvalue
    assert run("compare", tmp_path / "run", "--latex").stdout.startswith("\\begin{table}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--predicted", "good", "--predicted", "poor"),
            "`--truth` must name the column of the true labels; {file!r} has {columns}.",
        ),
        (
            ("--truth", "y", "--test", "corrected_paired_t"),
            "`--test` needs the FOLDER of an experiment; for tests on predictions, use `--tests`.",
        ),
        (("--truth", "y"), "either `--predicted` or `--score` must be given."),
        (
            ("--truth", "y", "--predicted", "good"),
            "two or more columns of one FILE, or a FILE for each classifier, must be given.",
        ),
    ],
)
def test_mistakes(files, arguments, said):
    file = files[0] / "all.csv"
    columns = ", ".join(map(repr, file.read_text().splitlines()[0].split(",")))
    done = run("compare", file, *arguments)
    assert (done.exit_code, done.stderr) == (2, f"Error: {said.format(file=str(file), columns=columns)}\n")


@pytest.mark.parametrize(("option", "good", "wrong"), [("--candidate", "good", "goood"), ("--baseline", "poor", "por")])
def test_the_gate_names_the_option_of_a_wrong_column(files, option, good, wrong):
    columns = {"--baseline": "poor", "--candidate": "good"}
    spaced = [word for pair in (columns | {option: wrong}).items() for word in pair]
    joined = [f"{name}={column}" for name, column in (columns | {option: wrong}).items()]
    for typed in (spaced, joined):
        done = run("gate", files[0] / "all.csv", "--truth", "y", *typed)
        assert done.exit_code == 2
        assert done.stderr.startswith(f"Error: `{option}` must be a column of ")
        assert done.stderr.endswith(f", not {wrong!r}; did you mean {good!r}?\n")


def test_the_gate_opens_and_closes(files):
    folder, *_ = files
    ask = ("gate", folder / "all.csv", "--truth", "y")
    done = run(*ask, "--baseline", "poor", "--candidate", "good", "--superior")
    assert done.exit_code == 0
    assert done.stdout.startswith("PASS  good is better than poor: accuracy ")
    closed = run(*ask, "--baseline", "good", "--candidate", "poor", "--margin", "0.01")
    assert closed.exit_code == 1
    assert closed.stdout.startswith("FAIL  Not shown: poor may be worse than good by more than 1 point:")
    soft = run(*ask, "--baseline", "low", "--candidate", "high", "--as-scores", "--measure", "auc", "--json")
    assert soft.exit_code == 0
    assert json.loads(soft.stdout)["passed"] is True
    each = ("gate", "--truth", "y", "--baseline", folder / "poor.csv", "--candidate", folder / "good.csv")
    assert run(*each, "--score", "s", "--key", "case", "--measure", "auc").exit_code == 0
    assert run(*each).exit_code == 2
    assert run(*ask, "--baseline", "poor", "--candidate", "nobody").exit_code == 2


def test_a_gate_of_measures_and_groups(files):
    folder, *_ = files
    lines = (folder / "all.csv").read_text().splitlines()
    for name in ("good", "poor"):
        rows = (folder / f"{name}.csv").read_text().splitlines()
        sited = [f"{row},{'site' if not i else 'north' if row < 'c3' else 'south'}" for i, row in enumerate(rows)]
        (folder / f"{name}.csv").write_text("\n".join(sited) + "\n")
    sited = [f"{row},{'site' if not i else 'north' if row < 'c3' else 'south'}" for i, row in enumerate(lines)]
    (folder / "all.csv").write_text("\n".join(sited) + "\n")
    asked = ("--measure", "recall", "--measure", "accuracy", "--by", "site", "--margin", "0.01")
    one = run("gate", folder / "all.csv", "--truth", "y", "--baseline", "poor", "--candidate", "good", *asked, "--json")
    assert one.exit_code == 0, one.stderr
    told = json.loads(one.stdout)
    measures_and_sites = [(part["measure"], part["group"]) for part in told["parts"]]
    assert measures_and_sites == [(name, site) for name in ("recall", "accuracy") for site in ("north", "south")]
    both = ("--baseline", folder / "poor.csv", "--candidate", folder / "good.csv")
    each = run("gate", "--truth", "y", *both, "--predicted", "p", "--key", "case", *asked, "--json")
    assert json.loads(each.stdout)["parts"] == told["parts"]
    back = run(
        "gate", folder / "all.csv", "--truth", "y", "--baseline", "good", "--candidate", "poor", *asked, "--markdown"
    )
    assert back.exit_code == 1
    assert back.stdout.startswith("**FAIL: Not shown: poor may be worse than good by more than 0.01 in 4 of 4 checks")
    assert "| FAIL | recall | north |" in back.stdout
    neither = run(
        "gate", folder / "all.csv", "--truth", "y", "--baseline", "a", "--candidate", "b", "--json", "--markdown"
    )
    assert neither.stderr == "Error: `--json` and `--markdown` cannot be used together.\n"


def test_the_paragraph_for_a_paper(files):
    folder, truth, good, poor, *_ = files
    ask = ("compare", folder / "all.csv", "--truth", "y", "--predicted", "good", "--predicted", "poor", "--methods")
    assert run(*ask).stdout == howsure.compare(truth, {"good": good, "poor": poor}).methods_text() + "\n"
    assert run(*ask, "--json").stderr == (
        "Error: `--methods` cannot be used with `--tests`, `--lab` or an output format such as `--json`.\n"
    )
