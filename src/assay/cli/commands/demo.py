"""`assay demo`: the main jobs on data that come with scikit-learn, and files to look at."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.commands.run import stoppable
from assay.cli.declare import declare_command
from assay.cli.output import say

if TYPE_CHECKING:
    from assay.experiment import ExperimentResult

BEST, POSITIVE = "logistic regression", "malignant"
EXPERIMENT = """\
# Four learners on the breast cancer data of scikit-learn, in ten times ten folds.
# `assay run cancer.toml` runs it and keeps the results in runs/cancer.
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
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Assay: a first look</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }}
h2 {{ margin-top: 2.5rem; }}
div.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 1rem 0; font-size: .9rem; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-weight: 600; padding: .3rem 0; }}
th, td {{ padding: .2rem .7rem; border-bottom: 1px solid #8884; white-space: nowrap; }}
thead th {{ border-bottom: 2px solid #8888; vertical-align: bottom; white-space: normal; }}
tbody tr:hover {{ background: #8882; }}
ul {{ font-size: .9rem; color: #777; padding-left: 1.2rem; }}
div.pictures {{ display: flex; flex-wrap: wrap; gap: 1rem; }}
img {{ width: 30rem; max-width: 100%; background: #fff; }}
</style>
</head>
<body>
<h1>How good is it, and how sure are we?</h1>
<p>Tumours of the breast cancer data of scikit-learn, benign or malignant, predicted by four learners in ten times ten
folds; no learner had seen the tumours that it predicts.</p>
<h2>Four learners</h2>
<div class="wide">{results}</div>
<h2>What they cost</h2>
<div class="wide">{profile}</div>
<h2>Which to prefer</h2>
<div class="wide">{preference}</div>
<div class="pictures">{trade}</div>
<h2>A closer look at one: {best}, first repeat</h2>
<div class="wide">{assessment}</div>
<div class="pictures">{curves}</div>
</body>
</html>
"""


@declare_command(order=70)
@click.command()
@click.option("--folder", default="assay-demo", show_default=True, help="Where to put the files.")
def demo(folder: str) -> None:
    """Compare four learners on a data set of scikit-learn, assess one more closely, and leave files to look at."""
    from assay.experiment.file.toml import read_experiment
    from assay.output import write_whole

    plan = os.path.join(folder, "cancer.toml")
    write_whole(plan, EXPERIMENT)
    with stoppable() as stop:
        file = read_experiment(plan)
        stop.folder = file.folder
        _show(file.run(), folder)
    command = _command()
    predictions = shlex.quote(os.path.join(folder, "predictions.csv"))
    for line in (
        f"\nIn {folder}: assessment.html to look at, assessment.csv, predictions.csv, cancer.toml, runs. Try:",
        f"  {command} run {shlex.quote(plan)} --measures recall,kappa,brier",
        f"  {command} run {shlex.quote(file.folder)} --csv",
        f"  {command} assess {predictions} --truth truth --score probability --positive {POSITIVE} --per-class",
    ):
        say(line, err=True)


def _show(result: ExperimentResult, folder: str) -> None:
    from assay.assessment import assess
    from assay.output import write_whole
    from assay.present.charts.figure import html_image

    predictions = os.path.join(folder, "predictions.csv")
    write_whole(predictions, _first_repeat(result))
    assessment = assess("truth", scores="probability", data=predictions, positive=POSITIVE)
    preference, profile = result.preference(), result.profile()
    spaced = replace(profile, columns=[name.replace("_", " ") for name in profile.columns])  # which can be wrapped
    curves = assessment.curves(band="pointwise").values()
    page = PAGE.format(
        results=result.sheet().to_html(),
        profile=spaced.to_html(),
        preference=preference._repr_html_(),
        trade=html_image(preference),
        best=BEST,
        assessment=assessment.to_html(),
        curves="".join(curve._repr_html_() for curve in curves),
    )
    write_whole(os.path.join(folder, "assessment.html"), page)
    write_whole(os.path.join(folder, "assessment.csv"), assessment.to_csv() + "\n")
    about = f"A closer look at one: {BEST}, first repeat"
    say("\n\n".join(map(str, (result, profile, preference, about, assessment))))


def _first_repeat(result: ExperimentResult) -> str:
    """Give the predictions of one learner in the first repeat, each case once, as CSV."""
    from assay.experiment.store.read import read_predictions
    from assay.present.sheet import Sheet

    (name,) = result.datasets
    stored: Any = read_predictions(result.folder, result.plan, name, BEST)
    first = stored["repeat"] == 1
    columns = (stored[key][first].tolist() for key in ("row", "fold", "truth", f"score {POSITIVE}"))
    return Sheet(("case", "fold", "truth", "probability"), sorted(zip(*columns, strict=True))).to_csv() + "\n"


def _command() -> str:
    """How this program was called, so that it can be called so again."""
    return shlex.quote(sys.argv[0]) if os.path.basename(sys.argv[0]) == "assay" else "assay"
