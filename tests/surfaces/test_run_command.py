"""`howsure run`: a file in, a table out; stopped, continued, failed, tried again; and the demo."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from howsure import ExperimentResult
from howsure.cli import main
from howsure.cli.commands.demo import EXPERIMENT

# A learner that does as files beside it say: `slow` makes it take its time, `broken` makes it fail.
MODULE = '''
import os, time
HERE = os.path.dirname(__file__)

class First:
    """Predicts the class of the first row."""

    def __init__(self, name=""):
        self.name = name

    def fit(self, X, y):
        if os.path.exists(os.path.join(HERE, "slow")):
            time.sleep(0.2)
        if os.path.exists(os.path.join(HERE, "broken")) and self.name == "fragile":
            raise RuntimeError("it is\\nbroken")
        with open(os.path.join(HERE, "fits"), "a") as file:
            file.write("x")
        self.label = y[0]
        return self

    def predict(self, X):
        return [self.label] * len(X)
'''
PLAN = """
n_jobs = 1
[resampling]
scheme = "KFold"
folds = 3
[learners.bayes]
class = "sklearn.naive_bayes.GaussianNB"
[learners."<script>alert(1)</script>"]
class = "first_of_all.First"
name = "fragile"
[datasets.iris]
loader = "sklearn.datasets.load_iris"
"""


@pytest.fixture
def plan(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "first_of_all", raising=False)
    (tmp_path / "first_of_all.py").write_text(MODULE)
    path = tmp_path / "e.toml"
    path.write_text(PLAN)
    return path


def run(*args):
    return CliRunner().invoke(main, ["run", *map(str, args)])


def command(*args, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "howsure", "run", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def fits(plan):
    return len((plan.parent / "fits").read_text())


def test_every_style_says_what_python_says(plan):
    displayed = run(plan)
    assert (displayed.exit_code, displayed.stderr) == (0, "")
    folder = plan.parent / "runs" / "e"
    result = ExperimentResult.open(folder)
    assert displayed.stdout == f"{result}\n"
    assert json.loads(run(plan, "--json").stdout) == result.to_dict()
    chosen = ["kappa", "f_beta(beta=2)"]
    wanted = ("--measures", "kappa, f_beta(beta=2)", "--confidence", "0.8")
    assert json.loads(run(folder, "--json", *wanted).stdout) == result.to_dict(0.8, chosen)
    rows = list(csv.DictReader(io.StringIO(run(folder, "--csv", *wanted).stdout)))
    assert len(rows) == 4
    for row, record in zip(rows, result.records(0.8, chosen), strict=True):
        for key in ("mean", "corrected_low", "pooled_high"):
            assert float(row[key] or "nan") == pytest.approx(record[key], rel=0, abs=0, nan_ok=True)
    assert run(folder, *wanted).stdout == f"{result.sheet(0.8, chosen).text()}\n"
    assert run(folder, "--latex").stdout == f"{result.sheet().to_latex()}\n"
    markdown = run(folder, "--markdown").stdout
    assert "<script" not in markdown
    assert "&lt;script&gt;alert(1)" in markdown
    assert "<script" not in result._repr_html_()
    assert fits(plan) == 3, "all after the first command was only read"


def test_a_real_command_prints_only_the_table(plan):
    done = command(plan, "--folder", plan.parent / "elsewhere")
    out, err = done.communicate(timeout=60)
    assert (done.returncode, err) == (0, "")
    assert out == f"{ExperimentResult.open(plan.parent / 'elsewhere')}\n"
    assert not (plan.parent / "runs").exists()


def test_ctrl_c_leaves_what_was_done_and_the_same_command_continues(plan):
    plan.write_text(PLAN.replace("folds = 3", "folds = 50"))
    (plan.parent / "slow").touch()
    parts = plan.parent / "runs" / "e" / "parts"
    started = command(plan, "--jobs", "2")
    end = time.monotonic() + 60
    while not list(parts.glob("*.tasks.parquet")):
        assert started.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    time.sleep(0.5)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=60)
    halfway = ExperimentResult.open(plan.parent / "runs" / "e")
    assert 0 < halfway.done < halfway.total == 100
    assert (started.returncode, out) == (130, "")
    tasks = "tasks is" if halfway.done == 1 else "tasks are"
    assert err == f"stopped; {halfway.done} of 100 {tasks} done; the same command continues the run.\n"

    displayed = run(plan.parent / "runs" / "e")
    assert displayed.exit_code == 0
    assert f"; {halfway.done} of 100 tasks done" in displayed.stdout.splitlines()[0]
    again = "to continue, run its toml file, or in Python call `run` with the same experiment and this folder"
    assert displayed.stderr == f"{halfway.done} of 100 {tasks} done; {again}.\n"

    (plan.parent / "slow").unlink()
    (plan.parent / "fits").unlink()
    assert run(plan).exit_code == 0
    assert fits(plan) <= 100 - halfway.done
    assert run(plan, "--folder", plan.parent / "at once").exit_code == 0
    for name in ("plan.json", "tasks.parquet", "predictions/iris.parquet", "splits/iris.parquet"):
        assert (parts.parent / name).read_bytes() == (plan.parent / "at once" / name).read_bytes(), name


def test_ctrl_c_before_the_first_task(plan, monkeypatch):
    def press(*_):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("howsure.experiment.file.toml.read_experiment", press)
    stopped = run(plan)
    assert stopped.exit_code == 130
    assert stopped.stderr == "stopped; no task is done yet; the same command continues the run.\n"


def test_failures_and_another_try(plan):
    (plan.parent / "broken").touch()
    failed = run(plan)
    assert failed.exit_code == 1
    assert "n/a" in failed.stdout
    assert failed.stderr == (
        "3 of 6 tasks failed; the first is <script>alert(1)</script> on iris, repeat 1, fold 1: RuntimeError: "
        "it is\\nbroken; --json lists them, and --retry-failed with the toml file retries them "
        "(in Python, `retry_failed=True`).\n"
    )
    listed = json.loads(run(plan.parent / "runs" / "e", "--json").stdout)["failures"]
    assert [(one["fold"], one["failure"]) for one in listed] == [(n, "RuntimeError: it is\nbroken") for n in (1, 2, 3)]
    (plan.parent / "broken").unlink()
    assert run(plan).exit_code == 1, "what failed is not tried again unasked"
    again = run(plan, "--retry-failed")
    assert (again.exit_code, again.stderr) == (0, "")
    assert fits(plan) == 3


def test_another_plan_in_the_same_folder_is_refused(plan):
    run(plan)
    before = (plan.parent / "runs" / "e" / "tasks.parquet").read_bytes()
    plan.write_text(
        PLAN.replace('GaussianNB"', 'GaussianNB"\nvar_smoothing = 1e-6').replace("n_jobs", "seed = 1\nn_jobs")
    )
    refused = run(plan)
    assert (refused.exit_code, refused.stdout) == (2, "")
    folder = str(plan.parent / "runs" / "e")
    assert refused.stderr.startswith(
        f"Error: {folder!r} holds another experiment: seed was 0 and is 1; "
        "learners.bayes.var_smoothing was 1e-09 and is 1e-06; datasets.iris.splits_fingerprint was "
    )
    assert refused.stderr.endswith(". Give another folder, or the same plan.\n")
    assert (plan.parent / "runs" / "e" / "tasks.parquet").read_bytes() == before


def test_a_file_with_text_and_groups(plan):
    rng = np.random.default_rng(0)
    rows = [f"{n},{rng.choice(['red', 'blue'])},p{n % 12},{rng.choice(['yes', 'no'])}" for n in range(60)]
    (plan.parent / "mine.csv").write_text("\n".join(["n,colour,patient,class", *rows]))
    mine = "[datasets.mine]\nfile = 'mine.csv'\ntarget = 'class'\ngroups = 'patient'\nencode = 'one-hot'\n"
    plan.write_text(PLAN + mine)
    displayed = run(plan)
    assert (displayed.exit_code, displayed.stderr) == (0, "")
    assert displayed.stdout.splitlines()[1].startswith("data set")
    splits = ExperimentResult.open(plan.parent / "runs" / "e").splits("mine")
    for split in splits:
        assert not set(split.train % 12) & set(split.test % 12)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere"], "there is no file 'nowhere'."),
        (["empty"], "'empty' holds no experiment: there is no plan.json in it."),
        (["empty", "--jobs", "2"], "`--jobs` needs the toml file of an experiment, not its folder."),
        (["e.toml", "--jobs", "0"], "`--jobs` must be a whole number other than 0, up to 10,000, not 0."),
        (["e.toml", "--time-limit", "0"], "`--time-limit` must be a number of seconds above 0, not 0.0."),
        (
            ["e.toml", "--confidence", "2"],
            "`--confidence` must be a number between 0 and 1, not 2.0; did you mean 0.02?",
        ),
        (
            ["e.toml", "--measures", "kapa"],
            "`--measures` must be the name of a measure, not 'kapa'; did you mean 'kappa'?",
        ),
        (["e.toml", "--json", "--csv"], "`--json` and `--csv` cannot be used together."),
        (["e.toml", "--folder", "full"], "'full' holds letter.txt but no plan; give an empty folder."),
        (["wrong.toml"], "'wrong.toml' is not TOML: Invalid value (at line 1, column 8)."),
    ],
)
def test_refusals(args, said, plan, monkeypatch):
    monkeypatch.chdir(plan.parent)
    Path("empty").mkdir()
    Path("full").mkdir()
    Path("full", "letter.txt").touch()
    Path("wrong.toml").write_text("seed = ?")
    refused = run(*args)
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", f"Error: {said}\n")


def test_help_tells_the_exit_codes():
    said = " ".join(run("--help").stdout.split())
    assert "0 success, 1 some tasks failed, 2 invalid input, 130 interrupted by Ctrl-C." in said


def test_demo(tmp_path, monkeypatch):
    """With one repeat instead of ten, which is the first of the ten, and in this process."""
    quick = EXPERIMENT.replace("repeats = 10", "repeats = 1").replace("seed = 0", "seed = 0\nn_jobs = 1")
    monkeypatch.setattr("howsure.cli.commands.demo.EXPERIMENT", quick)
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = tmp_path / "a demo"
    first = CliRunner().invoke(main, ["demo", "--folder", str(folder)])
    assert first.exit_code == 0, first.stderr
    files = ["assessment.csv", "cancer.toml", "predictions.csv", "report.html", "report.json", "runs"]
    assert sorted(os.listdir(folder)) == files
    for text in (
        "KFold(folds=10, repeats=1, stratified=True), seed 0",
        "means over splits",
        "logistic regression is preferred with these weights",
        "malignant (212 cases): ",
    ):
        assert text in first.stdout
    verdict = ExperimentResult.open(folder / "runs" / "cancer").compare("auc").verdict
    last = " ".join(first.stdout.rpartition("\n\n")[2].split())
    assert last == f"{verdict} The full report, with a threshold explorer: {folder / 'report.html'}"
    report = (folder / "report.html").read_text()
    asked = ["How good is each classifier, and how sure are we?", "Is it really better?"]
    assert report.index(verdict.split(" [")[0]) < report.index(asked[0]) < report.index(asked[1])
    assert len(report.encode()) < 500_000
    assert len((folder / "predictions.csv").read_text().splitlines()) == 570
    written = (folder / "runs" / "cancer" / "tasks.parquet").stat().st_mtime_ns
    again = CliRunner().invoke(main, ["demo", "--folder", str(folder)])
    assert (again.exit_code, again.stdout) == (0, first.stdout)
    assert (folder / "runs" / "cancer" / "tasks.parquet").stat().st_mtime_ns == written
    commands = [shlex.split(line) for line in first.stderr.splitlines() if line.startswith("  howsure ")]
    assert len(commands) == 3
    for _, *args in commands:
        assert CliRunner().invoke(main, args).exit_code == 0, args


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_learners_print_is_not_among_the_results(tmp_path, jobs):
    printing = MODULE.replace(
        "        self.label = y[0]\n", '        self.label = y[0]\n        os.system("echo loud"); print("loud")\n'
    )
    (tmp_path / "first_of_all.py").write_text(printing)
    (tmp_path / "plan.toml").write_text(PLAN)
    command = [sys.executable, "-m", "howsure", "run", "plan.toml", "--json", "--jobs", jobs]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(process.stdout)["done"] == 6
    assert "loud" in process.stderr
