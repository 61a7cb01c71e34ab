"""Declare once: one new file, and what it declares is on every surface, with no other file changed.

A copy of the package gets one more file for each kind of thing; this file, run as a script, then looks for all of them
in a process of its own, which imports the copy. CONTRIBUTING.md says the same in a table.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import traceback
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLANTS = {
    "measure": (
        "measures/planted_measure.py",
        '''
from howsure.measures.declare import Ratio, measure
from howsure.tables import BinaryCounts

@measure("Sown", formula="tp / (tp + fn)", range=(0, 1), best=1, undefined_when="nothing grows", aliases=("seed_rate",))
def sown_rate(c: BinaryCounts) -> Ratio:
    """A rate that no other file names."""
    return Ratio(c.tp, c.tp + c.fn)
''',
    ),
    "interval": (
        "intervals/planted_method.py",
        '''
from howsure.intervals.declare import Basis, Interval, Request, method

@method("sown-error", title="Sown interval", needs="error", source="Sower 2000")
def sown_error(basis: Basis, request: Request) -> Interval:
    """Take one standard error to each side."""
    error = basis.standard_error
    return request.close(basis.value - error, basis.value + error, "sown-error", basis.span)

@method("sown-values", title="Sown interval of values", needs="values", source="Sower 2001")
def sown_values(basis: Basis, request: Request) -> Interval:
    """Take the extreme values."""
    return request.close(basis.values.min(), basis.values.max(), "sown-values", basis.span)
''',
    ),
    "test": (
        "significance/two/planted_test.py",
        '''
from howsure.results import TestResult
from howsure.significance.declare import declare_test

@declare_test(
    "Sown test", designs=("cases", "overlapping"), classifiers="two", null="nothing grows", assumes="rain",
    preference=0, apply=lambda test, evidence, variant: test(0.25),
)
def sown_test(p: float) -> TestResult:
    """Give the p-value that it is given."""
    return TestResult(1.0, p, 0.0, "Sown test")
''',
    ),
    "outcome": (
        "measures/planted_outcome.py",
        '''
from howsure.arrays import Array
from howsure.measures.outcomes import outcome_measure
from howsure.tables.outcomes import Outcomes

@outcome_measure("Sown", formula="1 - mean", aliases=("sown failures",))
def sown_outcome(outcomes: Outcomes) -> Array:
    """A mean that no other file names."""
    return 1 - outcomes.means
''',
    ),
    "coefficient": (
        "raters/planted_coefficient.py",
        '''
import numpy as np

from howsure.arrays import Array
from howsure.raters.coefficients import coefficient

@coefficient("Sown", expected="1 / 2", source="Sower 2000", aliases=("sown half",))
def sown_half(shares: Array, agreement: Array) -> tuple[Array, Array]:
    """Agreement beyond one half."""
    return np.full(shares.shape[:-1], 0.5), np.zeros(shares.shape)
''',
    ),
    "curve": (
        "curves/planted_curve.py",
        '''
from howsure.curves.curve import Curve
from howsure.curves.declare import curve
from howsure.tables import ScoreTable

@curve("Sown", "across", "up", band=True, aliases=("sown chart",))
def sown_curve(table: ScoreTable, power: int = 2) -> Curve:
    """A curve that no other file names."""
    fpr, tpr = table.rates
    return Curve(fpr, tpr**power, table.thresholds)
''',
    ),
    "chart": (
        "present/charts/a_planted_chart.py",
        '''
from howsure.present.charts.declare import chart

@chart("Interval")
def whisker(interval, ax, title="sown"):
    """Draw an interval as a line."""
    ax.plot([interval.low, interval.high], [0, 0])
    ax.set_title(title)
    return ax

@chart("Curve")
def dots(curve, ax):
    """Draw the points of a curve only."""
    ax.plot(curve.x, curve.y, "o")
    return ax
''',
    ),
    "section": (
        "present/report/sections/planted_section.py",
        '''
from howsure.present.report.declare import Paragraph, Section, section

@section(of="Assessment", order=5)
def sown_section(assessment):
    """Say how many were sown, where there are more than a few."""
    return Section("What was sown?", [Paragraph(f"{assessment.n} <cases>")]) if assessment.n > 5 else None
''',
    ),
    "advice": (
        "advice/planted_advice.py",
        '''
from howsure.advice.declare import advice
from howsure.tables import Confusion

@advice("A900", "Sown")
def sown(table: Confusion) -> str | None:
    """A table.

    There is a table, so there are words.
    """
    return f"{table.n:g} cases were sown"
''',
    ),
    "scheme": (
        "resampling/planted_scheme.py",
        '''
from dataclasses import dataclass
import numpy as np
from howsure.resampling.declare import RowsToSplit, Scheme
from howsure.resampling.index_sets import Entry

@dataclass(frozen=True)
class EveryOther(Scheme):
    """Each row whose number is a multiple of ``step`` is tested."""

    step: int = 2

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        return [Entry(0, fold, np.arange(fold, rows.n, self.step)) for fold in range(self.step)]
''',
    ),
    "learner": (
        "learners/planted_learner.py",
        '''
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from howsure.learners.declare import declare_learner

@declare_learner
class FirstClass(ClassifierMixin, BaseEstimator):
    """Predict the first class always."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))
''',
    ),
    "format": (
        "data/read/formats/planted_format.py",
        """
from functools import partial
from howsure.data.read.formats.declare import Format, declare_format
from howsure.data.read.formats.text import Text

declare_format(Format("psv", "PSV", (".psv",), partial(Text, separators=("|",))))
""",
    ),
    "command": (
        "cli/commands/planted_command.py",
        '''
import click
from howsure.cli.declare import declare_command
from howsure.errors import HowsureError

@declare_command(order=35)
@click.command()
@click.option("--fail", is_flag=True)
def sow(fail: bool) -> None:
    """Sow."""
    if fail:
        raise HowsureError("`seed` must be dry, not wet.")
    click.echo("sown")
''',
    ),
}
TRUTH = [0, 1, 1, 0, 1, 0] * 5
SCORES = [0.1, 0.8, 0.6, 0.7, 0.9, 0.2] * 5
PREDICTED = {"tree": [0, 1, 1, 1, 1, 0] * 5, "bayes": [0, 1, 0, 1, 1, 0] * 5}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """What became of each check in the copy of the package: None, or what went wrong."""
    folder = tmp_path_factory.mktemp("planted")
    shutil.copytree(ROOT / "src" / "howsure", folder / "howsure", ignore=shutil.ignore_patterns("__pycache__"))
    for path, source in PLANTS.values():
        (folder / "howsure" / path).write_text(f"from __future__ import annotations\n{source}")
    (folder / "work").mkdir()
    command = [sys.executable, __file__, str(folder / "work")]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_one_file_is_enough(outcome):
    assert outcome.keys() == PLANTS.keys()
    assert "\n".join(f"{kind}: {wrong}" for kind, wrong in outcome.items() if wrong) == ""


def test_every_registry_of_the_package_is_planted_in():
    """A new kind of thing that is declared needs a plant here and a row in CONTRIBUTING.md."""
    text = "\n".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    assert text.count("] = Registry(") == len(PLANTS)
    rows = [line for line in (ROOT / "CONTRIBUTING.md").read_text().splitlines() if line.startswith("| a")]
    assert len(rows) == len(PLANTS)
    for kind, (path, _) in PLANTS.items():
        folder = f"src/howsure/{path.rpartition('/')[0]}/"
        named = [row for row in rows if row.split("|")[1].split()[1] == kind]
        assert len(named) == 1, f"no row for a {kind}"
        assert f"`{folder.removesuffix('two/')}" in named[0], f"{named[0]} does not name {folder}"


def page(name):
    """Give what writes a page of the reference."""
    sys.path.append(str(ROOT))
    return import_module(name if name.startswith(".") else f".{name}", "docs.tools.reference")


def run(*arguments, code=0):
    from click.testing import CliRunner

    from howsure.cli import main

    done = CliRunner().invoke(main, list(map(str, arguments)))
    assert done.exit_code == code, done.output
    return done.output


def predictions(folder, separator=",", ending="csv"):
    path = folder / f"predictions.{ending}"
    rows = zip(TRUTH, SCORES, PREDICTED["tree"], strict=True)
    path.write_text("".join(separator.join(map(str, row)) + "\n" for row in [("y", "p", "tree"), *rows]))
    return path


def check_measure(folder):
    import howsure

    a = howsure.assess(TRUTH, PREDICTED["bayes"])
    assert howsure.measures.names()[-1] == "sown_rate"
    assert a["sown_rate"].value == a["seed rate"].value == a["recall"].value < 1
    assert a["sown_rate"].interval() == a["recall"].interval()
    assert "sown_rate" in set(a.frame(like="pandas")["measure"])
    assert "sown_rate" in json.dumps(a.to_dict())
    for form in ("text", "to_csv", "to_markdown", "to_latex", "to_html"):
        assert "sown" in getattr(a, form)(), form
    assert howsure.compare(TRUTH, PREDICTED, measure="sown_rate").difference.value > 0
    shown = run("measures", "seed_rate")
    assert "sown_rate: Sown, [0, 1], higher is better" in shown
    assert "Undefined when nothing grows." in shown
    assert "sown_rate: Sown" in run("measures")
    columns = ("--truth", "y", "--predicted", "tree", "--measures", "seed_rate", "--csv")
    assert "sown_rate," in run("assess", predictions(folder), *columns)
    assert "| [`sown_rate`](sown_rate.md): A rate that no other file names. |" in page("measures").index()


def check_outcome(folder):
    import howsure

    a = howsure.assess(correct=[1, 1, 0, 1])
    assert a["sown_outcome"].value == a["sown failures"].value == 0.25
    assert a["sown_outcome"].interval().low < 0.25
    c = howsure.compare(correct={"a": [1, 1, 0, 1], "b": [0, 1, 0, 1]}, measure="sown_outcome")
    assert c.difference.value == -0.25
    assert "| `sown_outcome`: A mean that no other file names. |" in page("measures").index()
    path = folder.with_suffix(".csv")
    path.write_text("right\n1\n1\n0\n1\n")
    assert "sown_outcome," in run("assess", path, "--correct", "right", "--measures", "sown_outcome", "--csv")
    assert "sown_outcome: Sown" in run("measures")


def check_coefficient(folder):
    import howsure

    g = howsure.agreement([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]])
    assert g["sown_half"].value == g["sown half"].value == 0.5
    assert g["sown_half"].interval().low < 0.5 < g["sown_half"].interval().high
    assert "sown_half" in str(g)
    assert "| `sown_half`: Agreement beyond one half. |" in page("measures").index()
    path = folder.with_suffix(".csv")
    path.write_text("x,y\na,a\nb,b\na,b\nb,b\n")
    assert "sown_half,0.5" in run("agree", path, "--csv")
    assert "sown_half: Sown" in run("measures")


def check_interval(folder):
    import howsure
    from howsure import KFold
    from howsure.learners import FirstClass

    a = howsure.assess(TRUTH, PREDICTED["bayes"])
    c = howsure.compare(TRUTH, PREDICTED)
    X = [[value] for value in SCORES]
    r = howsure.Experiment({"first": FirstClass()}, {"d": (X, TRUTH)}, KFold(3)).run(n_jobs=1, progress=False)
    folds = r.scores("accuracy").estimate("first")
    of_a_rate, of_an_average = a["recall"], a.estimate("recall", average="macro")
    for estimate, name in (
        *((one, "sown-error") for one in (of_a_rate, of_an_average, c.difference)),
        (folds, "sown-values"),
    ):
        interval = estimate.interval(method=name)
        assert interval.method == name
        assert interval.low <= estimate.value <= interval.high
        assert name in estimate.methods
        with pytest.raises(howsure.HowsureError, match=name):
            estimate.interval(method=f"{name}s")
    assert {"sown-error", "sown-values"} <= set(howsure.intervals.methods())
    listed = "| [`sown-error`](sown-error.md): Sown interval | a standard error | Sower 2000 |"
    assert listed in page("intervals").index()
    assert "[`sown-error`](../intervals/sown-error.md)" in page("measures").page(howsure.measures.registry["f1"])


def check_test(folder):
    import howsure

    c = howsure.compare(TRUTH, PREDICTED)
    assert (c.test.test.name, c.test.pvalue) == ("sown_test", 0.25)
    assert "Sown test" in str(c)
    assert "Sown test" in c.tests().text()
    assert "rain" in c.tests().text()
    assert howsure.significance.sown_test(0.5).pvalue == 0.5
    assert "sown_test" in dir(howsure.significance)
    assert howsure.significance.valid_tests("accuracy", "cases").valid[0].name == "sown_test"
    assert (
        "| [`sown_test`](sown_test.md): Sown test | two | the same cases, splits with overlapping training sets |"
        in (page("tests").index())
    )
    assert _stub(howsure.significance, "from howsure.significance.two.planted_test import sown_test as sown_test")


def check_curve(folder):
    import howsure

    a = howsure.assess(TRUTH, scores=SCORES)
    assert a.sown_curve(power=1).y.tolist() == a.roc().y.tolist() == a.curve("sown chart", power=1).y.tolist()
    assert a.sown_curve.__doc__ == "A curve that no other file names."
    assert "sown_curve" in dir(a)
    assert a.sown_curve(band="pointwise").extra.keys() == {"low", "high"}
    assert {"sown_curve"} <= set(a.curves()) & set(howsure.curves.names())
    assert howsure.curves.sown_curve(a.scores).title == "Sown"
    assert a.sown_curve().plot().get_title().startswith("Sown of ")
    run("assess", predictions(folder), "--truth", "y", "--score", "p", "--curves", folder / "curves")
    assert (folder / "curves" / "sown_curve.csv").exists()
    curves = page("curves")
    assert "| [`sown_curve`](sown_curve.md): A curve that no other file names. | across | up |" in curves.index()
    assert "    def sown_curve(\n" in page("..make_stubs").curve_methods_stub()


def check_chart(folder):
    import howsure

    interval = howsure.intervals.wilson(75, 100)
    assert interval.plot().get_title() == "sown"
    assert interval.plot(kind="whisker", title="mine").get_title() == "mine"
    curve = howsure.assess(TRUTH, scores=SCORES).roc()
    assert curve.plot(kind="dots").get_lines()[0].get_marker() == "o"
    assert curve.plot().get_title().startswith("ROC curve of ")  # what was first is still the default
    with pytest.raises(howsure.HowsureError, match="'dots'"):
        curve.plot(kind="cake")
    assert "| `Interval` | `whisker` | `title` | an interval as a line. |" in page("charts").index()


def check_section(folder):
    import howsure

    path = howsure.assess(TRUTH, PREDICTED["tree"]).report(folder / "page.html")
    text = path.read_text()
    assert text.index("How good is it?") < text.index("What was sown?") < text.index("How were these numbers computed?")
    assert "30 &lt;cases&gt;" in text
    numbers = json.loads(path.with_suffix(".json").read_text())
    assert "What was sown?" in [section["heading"] for section in numbers["sections"]]
    few = howsure.assess(TRUTH[:5], PREDICTED["tree"][:5]).report(folder / "few.html")
    assert "What was sown?" not in few.read_text()


def check_advice(folder):
    import howsure

    a = howsure.assess(TRUTH, PREDICTED["tree"])
    assert "A900: 30 cases were sown" in map(str, a.findings)
    assert "A900: 30 cases were sown" in str(a)
    assert {"code": "A900", "title": "Sown", "message": "30 cases were sown"} in a.to_dict()["findings"]
    assert "A900" in run("assess", predictions(folder), "--truth", "y", "--predicted", "tree")
    assert "# A900: Sown\n\nThere is a table, so there are words.\n" in page("advice").page(
        howsure.advice.registry["A900"]
    )


def check_scheme(folder):
    import howsure
    from howsure.experiment.file.toml import read_experiment
    from howsure.learners import FirstClass

    assert "EveryOther" in howsure.resampling.registry
    scheme = howsure.resampling.EveryOther(step=3)
    assert scheme.splits(9)[1].test.tolist() == [1, 4, 7]
    X = [[value] for value in SCORES]
    e = howsure.Experiment({"first": FirstClass()}, {"d": (X, TRUTH)}, resampling=scheme)
    r = e.run(folder=folder / "run", n_jobs=1, progress=False)
    assert r.splits().fingerprint == scheme.splits(TRUTH, seed=0).fingerprint
    assert howsure.ExperimentResult.open(folder / "run").splits().scheme == scheme
    assert read_experiment(_experiment_file(folder)).experiment.plan.scheme == scheme
    with pytest.raises(howsure.HowsureError, match="'EveryOther'"):
        read_experiment(_experiment_file(folder, "EveryOtter"))
    assert _stub(howsure.resampling, "from howsure.resampling.planted_scheme import EveryOther as EveryOther")


def check_learner(folder):
    import howsure
    from howsure.experiment.file.toml import read_experiment

    assert "FirstClass" in howsure.learners.names()
    assert "FirstClass" in dir(howsure.learners)
    learner = howsure.learners.FirstClass()
    assert learner.fit([[0], [1]], ["b", "a"]).predict([[0]]).tolist() == ["a"]
    assert type(read_experiment(_experiment_file(folder)).experiment.plan.learners["mine"]) is type(learner)
    assert run("run", _experiment_file(folder), "--quiet", "--jobs", "1", "--csv").count("mine") > 0
    assert _stub(howsure.learners, "from howsure.learners.planted_learner import FirstClass as FirstClass")


def check_format(folder):
    import howsure

    path = predictions(folder, "|", "psv")
    other = folder / "f.data"
    other.write_text(path.read_text())
    assert howsure.assess("y", "tree", data=path).n == 30
    assert howsure.assess("y", "tree", data=other, format="psv").n == 30
    columns = ("--truth", "y", "--predicted", "tree", "--measures", "accuracy", "--csv")
    assert run("assess", path, *columns) == run("assess", other, "--format", "psv", *columns)
    for command in ("assess", "compare"):
        assert "psv" in run(command, "--help")
    with pytest.raises(howsure.HowsureError, match=r"one of csv, tsv, arff, jsonl, parquet, psv\.$"):
        howsure.assess("y", "tree", data=other)


def check_command(folder):
    listed = [line.split()[0] for line in run("--help").partition("Commands:\n")[2].splitlines()]
    assert listed == [
        "assess", "compare", "agree", "report", "gate", "sow", "plan", "run", "verify", "lab", "measures", "demo"
    ]  # fmt: skip
    assert run("sow") == "sown\n"
    assert run("sow", "--fail", code=2) == "Error: `seed` must be dry, not wet.\n"
    assert "No such command 'SOW'" in run("SOW", code=2)


def _experiment_file(folder, scheme="EveryOther"):
    predictions(folder)
    path = folder / f"{scheme}.toml"
    path.write_text(
        f"[resampling]\nscheme = '{scheme}'\nstep = 3\n[learners.mine]\nclass = 'howsure.learners.FirstClass'\n"
        "[datasets.d]\nfile = 'predictions.csv'\ntarget = 'y'\n"
    )
    return path


def _stub(room, line):
    stubs = page("..make_stubs")
    return line in stubs.stub(room, stubs.ROOMS[room]).splitlines()


def check_all(folder):
    """Do all checks; print what went wrong in each as the last line."""
    import howsure

    assert ROOT not in Path(howsure.__file__).parents, "the copy is not what was imported"
    outcome = {}
    for kind in PLANTS:
        (folder / kind).mkdir()
        try:
            outcome[kind] = globals()[f"check_{kind}"](folder / kind)
        except Exception:
            outcome[kind] = traceback.format_exc()
    print(json.dumps(outcome))


if __name__ == "__main__":
    check_all(Path(sys.argv[1]))
