"""`howsure demo`: an example experiment, comparison and assessment."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from howsure.cli.commands.run import stoppable
from howsure.cli.declare import declare_command
from howsure.cli.output import say, say_lines

if TYPE_CHECKING:
    from howsure.experiment import ExperimentResult

BEST, POSITIVE = "logistic regression", "malignant"
EXPERIMENT = """\
# Four learners on the breast cancer data of scikit-learn, in ten repetitions of ten folds.
# `howsure run cancer.toml` runs it and stores the results in runs/cancer.
seed = 0

[resampling]
scheme = "KFold"
folds = 10
repeats = 10

[learners."logistic regression"]
steps = [
    { class = "sklearn.preprocessing.StandardScaler" },
    { class = "sklearn.linear_model.LogisticRegression", C = 1.0 },
]

[learners."naive Bayes"]
class = "sklearn.naive_bayes.GaussianNB"

[learners."decision tree"]
class = "sklearn.tree.DecisionTreeClassifier"
max_depth = 5

[learners."nearest neighbours"]
steps = [
    { class = "sklearn.preprocessing.StandardScaler" },
    { class = "sklearn.neighbors.KNeighborsClassifier", n_neighbors = 5 },
]

[datasets.cancer]
loader = "sklearn.datasets.load_breast_cancer"
"""  # also in examples/cancer.toml


@declare_command(order=70)
@click.command()
@click.option("--folder", default="howsure-demo", show_default=True, help="Folder for the files.")
def demo(folder: str) -> None:
    """Run an example experiment and write its files.

    It compares four learners on a data set from scikit-learn and assesses one of them.
    """
    from howsure.experiment.file.toml import read_experiment
    from howsure.output import write_whole
    from howsure.present.words import wrapped

    plan = os.path.join(folder, "cancer.toml")
    write_whole(plan, EXPERIMENT)
    with stoppable() as stop:
        file = read_experiment(plan)
        stop.folder = file.folder
        verdict, page = _show(file.run(), folder)
    command = _command()
    predictions = shlex.quote(os.path.join(folder, "predictions.csv"))
    for line in (
        f"\nIn {folder}: report.html, report.json, assessment.csv, predictions.csv, cancer.toml, runs. Try:",
        f"  {command} run {shlex.quote(plan)} --measures recall,kappa,brier",
        f"  {command} run {shlex.quote(file.folder)} --csv",
        f"  {command} assess {predictions} --truth truth --score probability --positive {POSITIVE} --per-class",
    ):
        say(line, err=True)
    say(f"\n{wrapped(verdict, 80)}\nThe full report, with a threshold explorer: {page}")


def _show(result: ExperimentResult, folder: str) -> tuple[str, Path]:
    """Print the results and write the files; return the verdict and page path."""
    from howsure.assessment import assess
    from howsure.cli.output import terminal_width
    from howsure.output import write_whole
    from howsure.present.words import Line

    predictions = os.path.join(folder, "predictions.csv")
    write_whole(predictions, _first_repeat(result))
    assessment = assess("truth", scores="probability", data=predictions, positive=POSITIVE)
    write_whole(os.path.join(folder, "assessment.csv"), assessment.to_csv() + "\n")
    width = terminal_width()
    about = f"Assessment of {BEST}, first repeat"
    for shown in (result, result.profile(), result.preference()):
        say_lines([*shown.text_lines(width), Line("")])
    say_lines([Line(about, "headline"), Line(""), *assessment.text_lines(width)])
    page = result.report(os.path.join(folder, "report.html"), force=True)
    return result.compare(result.main_measure).verdict, page


def _first_repeat(result: ExperimentResult) -> str:
    """Return a learner's predictions in the first repeat as CSV."""
    from howsure.experiment.store.read import read_predictions
    from howsure.present.sheet import Sheet

    (name,) = result.datasets
    wanted = ("row", "fold", "truth", f"score {POSITIVE}")
    stored = read_predictions(result.folder, result.plan, name, [BEST], ("repeat", *wanted))[BEST]
    first = stored["repeat"] == 1
    columns = (stored[key][first].tolist() for key in wanted)
    return Sheet(("case", "fold", "truth", "probability"), sorted(zip(*columns, strict=True))).to_csv() + "\n"


def _command() -> str:
    """Return the command with which this program was called."""
    return shlex.quote(sys.argv[0]) if os.path.basename(sys.argv[0]) == "howsure" else "howsure"
