"""What every result must do, whatever it is of: one contract, and no class of results that escapes it.

The classes are found, not listed: a new one without an example here is a failure.
"""

from __future__ import annotations

import csv
import functools
import importlib
import inspect
import io
import json
import pkgutil
import re

import narwhals as nw
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import howsure
from howsure import Costs, KFold, curves, intervals, lab, learners, selection, significance
from howsure.advice import Evidence, Finding
from howsure.curves import DeclaredCurve, Line
from howsure.intervals import Basis
from howsure.learners import Trace
from howsure.measures import Measure, Ratio
from howsure.present.charts.declare import kinds_of
from howsure.present.result import Result
from howsure.present.words import text_width
from howsure.resampling import Design, Scheme, Split, Splits
from howsure.significance import Test

HTML, BAR, MONEY = NAMES = ("<script>", "a|b", "50%_$x")  # each breaks one kind of output if it is not escaped
LIBRARIES = ("pandas", "polars", "pyarrow")
MADE_OF = {
    "records": ("frame", "to_csv", "to_dict"),
    "sheet": ("text", "to_markdown", "to_latex", "to_html", "to_dict"),
}
OPTIONS = {"confidence": 0.8, "measures": ["accuracy"], "width": 60}  # called so everywhere
MEASURES = {"Agreement": ["gwet_ac1"]}  # of classes that have others
RNG = np.random.default_rng(0)
Y = np.arange(60) % 3
X = RNG.normal(size=(60, 2)) + Y[:, None]
TRUTH = np.array(NAMES)[Y]
GUESSES = [np.where(RNG.random(60) < right, TRUTH, np.roll(TRUTH, 1)) for right in (0.9, 0.7, 0.5)]
SCORES = RNG.dirichlet(np.ones(3), 60) + np.eye(3)[Y]
KNN, BAYES, TWO, GRID = KNeighborsClassifier(), GaussianNB(), KFold(2), {"n_neighbors": [1, 5]}
FOLDS = dict(zip(NAMES, RNG.random((3, 6)) + np.array([[0.0], [0.4], [2.0]]), strict=True))


@functools.cache
def assessed():
    return howsure.assess(TRUTH, scores=SCORES / SCORES.sum(axis=1, keepdims=True), labels=NAMES)


@functools.cache
def compared():
    return howsure.compare(TRUTH, dict(zip(NAMES, GUESSES, strict=True)))


@functools.cache
def two_classes():
    return howsure.assess(Y > 0, scores=X[:, 0])


@functools.cache
def judged():
    return howsure.assess([*TRUTH[:30], *[None] * 30], GUESSES[1], judge=GUESSES[0])


@functools.cache
def experiment():
    plan = howsure.Experiment({HTML: BAYES, BAR: KNN, MONEY: KNN}, {BAR: (X, TRUTH)}, TWO)
    return plan.run(progress=False)


@functools.cache
def rated():
    return howsure.agreement(
        dict(zip(NAMES, (TRUTH, *GUESSES[:2]), strict=True)), item=[f"{HTML} {n}" for n in range(60)]
    )


EXAMPLES = {
    "Adjusted": lambda: significance.adjust([0.01, 0.04, float("nan")]),
    "Agreement": rated,
    "AgreementParts": lambda: rated().per_pair(),
    "AllGroupMeasures": lambda: howsure.assess(TRUTH, GUESSES[0], by=GUESSES[2]).all(),
    "AllMeasures": lambda: assessed().all(),
    "Assessment": assessed,
    "AssessmentGroups": lambda: howsure.assess(TRUTH, GUESSES[0], by=GUESSES[2]),
    "AverageCurve": lambda: curves.average_roc([two_classes().scores] * 2),
    "BayesianResult": lambda: significance.bayesian_correlated_t(FOLDS[HTML], FOLDS[BAR], rho=0.1, rope=0.01),
    "BiasVariance": lambda: selection.bias_variance(BAYES, X, Y, rounds=4),
    "BiasVarianceCurve": lambda: selection.bias_variance_curve(KNN, X, Y, "n_neighbors", [1, 5], rounds=4),
    "BrierParts": lambda: assessed().brier_parts(HTML),
    "CalibrationCurve": lambda: assessed().calibration(BAR),
    "Comparison": compared,
    "Coverage": lambda: lab.coverage("recall", 20, rounds=10),
    "ComplexityCurve": lambda: selection.complexity_curve(KNN, X, Y, "n_neighbors", [1, 5], resampling=TWO),
    "Confusion": lambda: assessed().confusion,
    "CostCurve": lambda: assessed().cost_curve(BAR),
    "CostMethods": lambda: selection.compare_cost_methods(
        BAYES, X, Y > 0, Costs(false_negative=5, false_positive=1), methods=["threshold"], resampling=TWO
    ),
    "Criteria": lambda: selection.criteria({HTML: BAYES, BAR: KNN, MONEY: BAYES}, X, Y, resampling=TWO),
    "CriticalDifference": lambda: significance.critical_difference(FOLDS),
    "Curve": lambda: assessed().lift(BAR),
    "CurveSet": lambda: assessed().by_class("roc"),
    "DecisionCurve": lambda: assessed().decision_curve(BAR),
    "DensityCurve": lambda: assessed().densities(BAR),
    "DetCurve": lambda: assessed().det(BAR),
    "DifferenceNoise": lambda: howsure.label_noise(compared(), (2, 60)),
    "DistanceCurve": lambda: assessed().ks(BAR),
    "Estimate": lambda: assessed().estimate("recall", label=MONEY),
    "ExperimentResult": experiment,
    "FoldTable": lambda: experiment().scores("accuracy"),
    "Gate": lambda: howsure.gate(compared(), HTML, BAR),
    "GroupDifferences": lambda: howsure.assess(TRUTH, GUESSES[0], by=GUESSES[2]).differences(),
    "HullCurve": lambda: assessed().roc_hull(BAR),
    "Interval": lambda: assessed()["accuracy"].interval(),
    "IntervalWidths": lambda: intervals.widths(assessed()["accuracy"]),
    "JudgedAssessment": judged,
    "JudgedEstimate": lambda: judged().estimate("recall", label=MONEY),
    "LabelPlan": lambda: howsure.plan.labels(pilot=judged(), measure="accuracy", n=50),
    "LabelNoise": lambda: howsure.label_noise(assessed(), (2, 60)),
    "LearningCurve": lambda: selection.learning_curve(BAYES, X, Y, sizes=[10, 25], resampling=TWO),
    "NestedResult": lambda: selection.nested(KNN, GRID, X, Y, outer=TWO, inner=TWO),
    "NoiseCurve": lambda: selection.noise_curve(BAYES, X, Y, shares=[0, 0.2], resampling=TWO),
    "OutcomeAssessment": lambda: howsure.assess(correct=Y > 0, case=Y * 10 + np.arange(60) % 10, cluster=Y),
    "OutOfBag": lambda: learners.Bagging(n_estimators=5, oob_score=True, random_state=0).fit(X, TRUTH).oob_,
    "Pairwise": lambda: significance.nemenyi(FOLDS),
    "PairwiseDifference": lambda: significance.nemenyi(FOLDS).pairs[0],
    "PerClass": lambda: assessed().per_class(),
    "Power": lambda: significance.power_binomial(0.3, 50, 0.1),
    "Preference": lambda: experiment().preference(),
    "Ranking": lambda: compared().ranking(),
    "RepeatNoise": lambda: howsure.assess(correct=Y > 0, case=np.arange(60) % 10).noise,
    "RocCurve": lambda: assessed().roc(BAR),
    "SamplePlan": lambda: howsure.plan.mcnemar(power=0.8, difference=0.05, discordant=0.2),
    "ScoreTable": lambda: two_classes().scores,
    "Sheet": lambda: howsure.Sheet(NAMES, [NAMES, (1.5, None, float("nan"))], HTML, (MONEY, BAR)),
    "ShellVolumes": lambda: selection.shell_volumes((1, 20)),
    "Slope": lambda: selection.Slope(1.5, 0.1, 4),
    "RepeatsPlan": lambda: howsure.plan.repeats(0.1, 0.1, budget=100, cost_per_case=5),
    "Rejections": lambda: lab.rejections("f1", 30, rounds=20),
    "SplitRejections": lambda: lab.split_rejections("nearest_mean", 20, howsure.KFold(4, 2), rounds=3),
    "TestResult": lambda: significance.friedman(FOLDS),
    "ThresholdCurve": lambda: assessed().by_threshold("f1", BAR),
    "ThresholdChoice": lambda: two_classes().best_threshold("f1"),
    "Trace": lambda: Trace([{HTML: BAR, "error": 0.3}, {HTML: MONEY, "error": float("inf")}], MONEY, (), ("error",)),
    "TuneResult": lambda: selection.tune(KNN, GRID, X, Y),
    "Verification": lambda: howsure.experiment.verify(experiment().folder),
    "ValidTests": lambda: significance.valid_tests("any", "overlapping"),
    "WidthPlan": lambda: howsure.plan.half_width(0.9, 0.05, prevalence=0.2),
}
BASES_TOO = {"Curve", "Estimate", "RocCurve"}  # of others, and results themselves
OF_SOME = {"most", "dataset", "positive", "costs", "sizes"}  # options that some classes have besides
# What is public and no result: what goes in, what is declared, and the parts of which results are made.
NO_RESULTS = (
    *(
        howsure.Predictions,
        howsure.Ratings,
        howsure.SoftTruth,
        howsure.Tally,
        Costs,
        howsure.Experiment,
        Scheme,
        Split,
        Splits,
        Design,
        Evidence,
        Basis,
        Ratio,
        Line,
    ),
    *(Measure, Test, DeclaredCurve, Finding, BaseEstimator, Exception),
    *(lab.Cell, lab.PairCell, lab.LabelPopulation, lab.ScorePopulation),
)
PUBLIC = [
    "advice",
    "curves",
    "intervals",
    "judges",
    "lab",
    "learners",
    "measures",
    "plan",
    "resampling",
    "selection",
    "significance",
]


def classes_of(cls):
    """Find the classes of the package that derive from another, without those that are only a base of others."""
    found = [sub for direct in cls.__subclasses__() for sub in classes_of(direct)]
    return found or [cls] * cls.__module__.startswith("howsure.")


def every_class():
    for module in pkgutil.walk_packages(howsure.__path__, "howsure."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return {cls.__name__: cls for cls in classes_of(Result)}


CLASSES = every_class()
every_result = pytest.mark.parametrize("name", sorted(EXAMPLES))


@functools.cache
def example(name):
    return EXAMPLES[name]()


def rows_of(result):
    return len(result.records())


def test_every_class_of_results_has_an_example():
    assert sorted({*CLASSES, *BASES_TOO}) == sorted(EXAMPLES)
    assert all(type(example(name)) is cls for name, cls in CLASSES.items())


def test_every_public_class_is_a_result_or_no_result():
    modules = [howsure, *(importlib.import_module(f"howsure.{name}") for name in PUBLIC)]
    public = [getattr(module, name) for module in modules for name in dir(module) if not name.startswith("_")]
    classes = {thing for thing in public if isinstance(thing, type) and thing.__module__.startswith("howsure")}
    assert len(classes) > 50
    assert {cls.__name__ for cls in classes if not issubclass(cls, (Result, *NO_RESULTS))} == set()


@every_result
def test_texts(name):
    result = example(name)
    assert repr(result).strip()
    assert "\n" not in repr(result)
    assert len(repr(result)) < 1000
    assert str(result) == result.text()
    assert str(result).strip()


@every_result
@pytest.mark.parametrize("width", [60, 80, 120])
def test_texts_fit_a_width(name, width):
    """No line is wider, and no word or number is other than in a text that has all the room it wants."""
    result = example(name)
    text, whole = result.text(width=width), set(result.text(width=10_000).split())
    for line in text.splitlines():
        assert text_width(line) <= width or any("/" in word for word in line.split()), line
    for word in re.sub(rf"\({width} columns wide: [^)]*\)", "", text).split():
        assert word in whole or set(word) <= {"-"} or "…" in word, word


@every_result
def test_frames(name):
    result = example(name)
    records = result.records()
    columns = list(dict.fromkeys(key for record in records for key in record))
    assert all(isinstance(column, str) for column in columns)
    columns.sort(key=lambda column: column in result._last_in_frames)
    for like in (None, *LIBRARIES):
        frame = result.frame(like=like)
        assert type(frame).__module__.split(".")[0] == (like or "pandas")
        frame = nw.from_native(frame, eager_only=True)
        assert (frame.columns, len(frame)) == (columns, len(records))
    with pytest.raises(
        howsure.HowsureError, match=r"^`like` must be one of 'pandas', 'polars', 'pyarrow', not 'excel'\."
    ):
        result.frame(like="excel")


@every_result
def test_json(name):
    values = example(name).to_dict()
    assert isinstance(values, dict)
    assert json.loads(json.dumps(values, allow_nan=False)) == values


@every_result
def test_csv(name):
    result = example(name)
    head, *rows = csv.reader(io.StringIO(result.to_csv()))
    assert len(rows) == rows_of(result) > 0
    assert {len(row) for row in rows} == {len(head)}
    assert head == list(dict.fromkeys(key for record in result.records() for key in record))


@every_result
def test_markdown_and_latex(name):
    result = example(name)
    sheet = result.sheet()
    lines = [line for line in result.to_markdown().splitlines() if line.startswith("|")]
    cells = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
    assert cells == {len(sheet.columns) + 1}
    latex = result.to_latex()
    assert latex.startswith(r"\begin{table}")
    assert latex.endswith(r"\end{table}")
    ends = [line for line in latex.splitlines() if line.endswith(r" \\")]
    assert {len(re.findall(r"(?<!\\)&", line)) for line in ends} == {len(sheet.columns) - 1}


@every_result
def test_html(name):
    html = example(name)._repr_html_()
    assert html.startswith("<")
    assert html.endswith(">")
    assert html.count("<table") == html.count("</table>")
    assert "<table" in html or "<img" in html


@every_result
def test_notes_and_title(name):
    result = example(name)
    assert isinstance(result.notes, tuple)
    assert all(isinstance(note, str) for note in result.notes)
    assert isinstance(result.title, str)


@every_result
def test_hostile_names_are_escaped(name):
    result = example(name)
    page, markdown, latex = result._repr_html_(), result.to_markdown(), result.to_latex()
    assert HTML not in page + markdown
    assert BAR not in markdown.replace(" | ", "")
    assert MONEY not in latex
    text = result.sheet().text()
    assert (HTML not in text) or ("&lt;script&gt;" in markdown and ("&lt;script&gt;" in page or "<img" in page))
    assert (BAR not in text) or r"a\|b" in markdown
    table = "\n".join(map(str, (*result.sheet().columns, *result.sheet().rows)))  # notes are no part of LaTeX
    assert (MONEY not in table) or r"50\%\_\$x" in latex
    assert (MONEY not in text) or r"50%\_\$x" in markdown
    assert "<img" in page or page.startswith('<div class="tex2jax_ignore mathjax_ignore">')


@every_result
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_has_one_name_in_every_form(name, option):
    """What the records take, frames and CSV take; what the sheet takes, all that is made of it; and JSON takes both."""
    result = example(name)
    value = {option: MEASURES.get(name, OPTIONS[option]) if option == "measures" else OPTIONS[option]}
    for source, forms in MADE_OF.items():
        if option in inspect.signature(getattr(result, source)).parameters:
            assert all(getattr(result, form)(**value) is not None for form in (source, *forms))


@every_result
def test_no_option_is_called_otherwise(name):
    for form in (*MADE_OF, *sum(MADE_OF.values(), ())):
        taken = inspect.signature(getattr(example(name), form)).parameters
        assert set(taken) <= {"args", "options", "like", "spreadsheet", *OPTIONS, *OF_SOME}, form


@every_result
def test_plot_draws_or_says_that_there_is_no_chart(name):
    result = example(name)
    kinds = kinds_of(result)
    if not kinds:
        with pytest.raises(howsure.HowsureError, match=rf"^`plot` has no chart for {name}; there are charts for "):
            result.plot()
        return
    for kind in kinds:
        ax = Figure().subplots()
        assert result.plot(ax, kind=kind) is ax
        assert ax.get_xlabel()
        assert ax.get_title() or ax.get_title("left")
    with pytest.raises(howsure.HowsureError, match=r"^`kind` must be .*, not 'cake'[.;]"):
        result.plot(kind="cake")
