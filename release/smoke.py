"""Use the installed library, command line, an experiment and a report, with the core dependencies only."""

from __future__ import annotations

import csv
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import howsure

COMMAND = Path(sys.executable).with_name("howsure")


def main() -> None:
    assert "site-packages" in str(howsure.__file__), howsure.__file__
    for extra in ("numba", "pandas", "polars", "dask", "pyspark", "pytest"):
        assert importlib.util.find_spec(extra) is None, (
            f"{extra} is installed; this test needs the core dependencies only"
        )
    library()
    command_line()
    experiment()


def library() -> None:
    truth, old, new = ["yes", "no"] * 50, ["yes", "yes", "no", "no"] * 25, ["yes", "no", "no", "no"] * 25
    a = howsure.assess(truth, new, positive="yes")
    low, high = a["recall"].interval()
    assert low < a["recall"].value == 0.5 < high
    assert str(howsure.intervals.wilson(75, 100, confidence=0.80)) == "[0.691, 0.801]"
    assert "new is better than old" in howsure.compare(truth, {"old": old, "new": new}).verdict
    scored = howsure.assess(truth, scores=[0.9, 0.2, 0.6, 0.4] * 25, positive="yes")
    assert scored["auc"].value == 1 and scored.roc().area == 1
    scored.plot().figure.savefig("roc.png")
    scored.report("report.html")
    page = Path("report.html").read_text(encoding="utf-8")
    assert "http://" not in page.replace("http://www.w3.org", "") and "AUC" in page


def command_line() -> None:
    with open("predictions.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["y", "p"])
        rows.writerows([["spam", 0.9], ["ham", 0.2], ["spam", 0.4], ["ham", 0.6]] * 10)
    arguments = ["predictions.csv", "--truth", "y", "--score", "p", "--positive", "spam"]
    assert json.loads(output_of("assess", *arguments, "--json"))
    assert "AUC" in output_of("assess", *arguments)
    output_of("report", *arguments, "--output", "page.html")
    assert Path("page.html").stat().st_size < 500_000
    assert howsure.__version__ in output_of("--version")
    wrong = subprocess.run([COMMAND, "assess", "predictions.csv", "--truth", "z"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr


def output_of(*arguments: str) -> str:
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


def experiment() -> None:
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    learners = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}
    e = howsure.Experiment(learners, {"iris": load_iris(return_X_y=True)}, howsure.KFold(5), seed=0)
    r = e.run(folder="runs", n_jobs=2)
    assert 0.9 < r.assess("bayes")["accuracy"].value < 1
    assert "intact" in output_of("verify", "runs")


if __name__ == "__main__":
    main()
