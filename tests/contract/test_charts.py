"""Every declared chart draws every kind of input that there is, without a warning; and its numbers are in the frame.

Kinds of charts come from the registry, kinds of inputs are those that `assess`, `compare` and experiments take.
"""

from __future__ import annotations

import functools
import re
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure import intervals, lab, learners, measures, selection, significance
from howsure.curves import registry as curves
from howsure.present.charts.declare import kinds_of
from howsure.present.charts.figure import html_image
from howsure.present.report.figure import chart
from howsure.present.value_text import spoken

RNG = np.random.default_rng(0)
Y = np.arange(120) % 2
P = np.clip(0.35 * Y + 0.65 * RNG.random(120), 0, 1)
THREE = np.array(["a", "b", "$c$"])[np.arange(120) % 3]
GUESS = np.where(RNG.random(120) < 0.7, THREE, np.roll(THREE, 1))
SHARES = RNG.dirichlet(np.ones(3), 120) * 0.5 + 0.5 * np.eye(3)[np.arange(120) % 3]
X = RNG.normal(size=(120, 2)) + Y[:, None]
KNN = KNeighborsClassifier()
LEARNERS = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB(), "knn": KNeighborsClassifier()}


@functools.cache
def experiment(learners=3, datasets=1, splits=4):
    schemes = howsure.KFold(splits) if splits > 1 else howsure.Holdout()
    chosen = dict(list(LEARNERS.items())[:learners])
    data = {f"data {number}": (np.roll(X, number, axis=1) + number * X[::-1], Y) for number in range(datasets)}
    return howsure.Experiment(chosen, data, schemes, seed=0).run(progress=False)


INPUTS = {
    "labels of two classes": lambda: howsure.assess(Y, P > 0.5),
    "labels of three classes": lambda: howsure.assess(THREE, GUESS),
    "a hundred classes": lambda: howsure.assess(np.arange(1000) % 100, RNG.permutation(np.arange(1000) % 100)),
    "one class": lambda: howsure.assess(["a"] * 9, ["a"] * 9),
    "a class that was never predicted": lambda: howsure.assess(THREE, ["a"] * 120),
    "a class without cases": lambda: howsure.assess(["a"] * 9, ["a"] * 9, labels=["a", "b"]),
    "weights": lambda: howsure.assess(THREE, GUESS, weight=RNG.random(120)),
    "probabilities": lambda: howsure.assess(Y, scores=P),
    "scores that are no probabilities": lambda: howsure.assess(Y, scores=10 * P - 3, threshold=1.0),
    "scores of one class": lambda: howsure.assess(np.ones(9), scores=np.linspace(0, 1, 9), labels=[0, 1]),
    "scores and labels": lambda: howsure.assess(Y, P > 0.3, scores=P),
    "equal scores": lambda: howsure.assess(Y, scores=np.full(120, 0.5)),
    "perfect scores": lambda: howsure.assess(Y, scores=Y * 1.0),
    "weighted probabilities": lambda: howsure.assess(Y, scores=P, weight=RNG.random(120)),
    "probabilities of three classes": lambda: howsure.assess(THREE, scores=SHARES, labels=["a", "b", "$c$"]),
    "costs": lambda: howsure.assess(Y, scores=P, costs=howsure.Costs(false_negative=5, false_positive=1)),
    "groups": lambda: howsure.assess(THREE, GUESS, by=Y),
    "groups with scores": lambda: howsure.assess(Y, scores=P, by=THREE),
    "groups that are too small": lambda: howsure.assess(["a", "b"], ["a", "b"], by=["c", "d"]),
    "one group": lambda: howsure.assess(Y, P > 0.5, by=["c"] * 120),
    "two classifiers": lambda: howsure.compare(Y, {"a": P > 0.5, "b": P > 0.3}),
    "three classifiers": lambda: howsure.compare(Y, {"a": P > 0.5, "b": P > 0.3, "c": P > 0.7}),
    "a baseline": lambda: howsure.compare(Y, {"a": P > 0.5, "b": P > 0.3, "c": P > 0.7}, baseline="b"),
    "Holm": lambda: howsure.compare(Y, {"a": P > 0.5, "b": P > 0.3, "c": P > 0.7}, adjust="holm"),
    "the same twice": lambda: howsure.compare(Y, {"a": P > 0.5, "b": P > 0.5}),
    "an undefined measure": lambda: howsure.compare([0] * 9, {"a": [0] * 9, "b": [1] * 9}, measure="kappa"),
    "an experiment": experiment,
    "one learner": lambda: experiment(learners=1),
    "two learners": lambda: experiment(learners=2),
    "a holdout": lambda: experiment(splits=1),
    "data sets": lambda: experiment(datasets=3),
    "two learners on data sets": lambda: experiment(learners=2, datasets=3),
    "a posterior": lambda: significance.bayesian_normal(0.03, error=0.01, rope=0.01),
    "a posterior of draws": lambda: significance.bayesian_signed_rank(P[:30], P[30:60], rope=0.01),
    "a posterior without a rope": lambda: significance.bayesian_normal(0.03, error=0.01),
    "a posterior far from 0": lambda: significance.bayesian_normal(-5.0, error=0.01, rope=0.01),
    "a posterior at 0": lambda: significance.bayesian_correlated_t(P[:9], P[:9], rho=0.1, rope=0.01),
    "no posterior": lambda: significance.bayesian_correlated_t(P[:9], P[:9] + 0.5, rho=0.1, rope=0.01),
    "comparison of splits": lambda: experiment().compare(),
    "comparison over data sets": lambda: experiment(datasets=3).compare(),
    "splits of an undefined measure": lambda: experiment().scores("auc"),
    "one row": lambda: significance.critical_difference({"a": [1.0], "b": [2.0]}),
    "equal scores of classifiers": lambda: significance.critical_difference({"a": [1.0] * 5, "b": [1.0] * 5}),
    "a control": lambda: significance.critical_difference(
        {"a": [1.0, 2, 3], "b": [2.0, 3, 5], "c": [0.0, 1, 1]}, control="a"
    ),
    "Dunnett's test": lambda: significance.dunnett({"a": [1.0, 2, 3], "b": [2.0, 3, 5]}, control="a"),
    "a share": lambda: intervals.widths(0.9),
    "an estimate": lambda: intervals.widths(howsure.assess(Y, scores=P)["auc"]),
    "boosting": lambda: learners.AdaBoost(n_estimators=5, random_state=0).fit(X, Y).trace_,
    "boosting that fits at once": lambda: learners.AdaBoost(DecisionTreeClassifier()).fit(X, Y).trace_,
    "bagging": lambda: learners.Bagging(n_estimators=5, oob_score=True, random_state=0).fit(X, Y).trace_,
    "raters": lambda: howsure.agreement({"a": THREE, "b": GUESS, "$c$": np.roll(GUESS, 1)}),
    "two raters": lambda: howsure.agreement({"a": THREE, "b": GUESS}),
    "raters who agree in all": lambda: howsure.agreement({"a": THREE, "b": THREE, "c": THREE}),
    "raters of one category": lambda: howsure.agreement({"a": [1] * 9, "b": [1] * 9}, labels=[1]),
    "raters who are not known": lambda: howsure.agreement(counts=[[3, 0], [1, 2], [0, 3]] * 5),
    "ratings that are numbers": lambda: howsure.agreement({"a": P, "b": P + 0.1, "c": 1 - P}, level="interval"),
    "raters of two categories": lambda: howsure.agreement({"a": Y, "b": P > 0.4, "c": P > 0.6}),
    "shells": lambda: selection.shell_volumes((1, 3)),
    "one shell": lambda: selection.shell_volumes([100]),
    "a learning curve": lambda: selection.learning_curve(
        GaussianNB(), X, Y, sizes=[20, 60], resampling=howsure.KFold(2)
    ),
    "terms of a loss": lambda: selection.bias_variance_curve(KNN, X, Y, "n_neighbors", [1, 5], rounds=3),
    "methods of costs": lambda: selection.compare_cost_methods(
        GaussianNB(), X, Y, [[0, 1], [5, 0]], methods=["threshold"], resampling=howsure.KFold(2)
    ),
    "a nested search": lambda: selection.nested(
        KNN, {"n_neighbors": [1, 5]}, X, Y, outer=howsure.KFold(2), inner=howsure.KFold(2)
    ),
    "a plan": lambda: howsure.plan.mcnemar(power=0.8, difference=0.05, discordant=0.2),
    "a plan of few": lambda: howsure.plan.friedman(power=0.5, difference=0.9, classifiers=3),
    "a plan of clusters": lambda: howsure.plan.proportions(n=200, power=0.8, proportion=0.7, cluster_size=10, icc=0.1),
    "a plan of non-inferiority": lambda: howsure.plan.non_inferiority(power=0.8, margin=0.05, discordant=0.1),
    "coverage of all methods": lambda: lab.coverage("recall", 30, methods="all", rounds=20),
    "coverage of no interval": lambda: lab.coverage("recall", 30, methods="wald", rounds=20),
    "wrong labels": lambda: howsure.label_noise(howsure.assess(THREE, GUESS), (2, 60)),
    "labels like chance": lambda: howsure.label_noise(howsure.assess(Y, P > 0.5), 0.5),
    "more wrong labels than errors": lambda: howsure.label_noise(howsure.assess(Y, Y), 0.2),
    "wrong labels of a class": lambda: howsure.label_noise(howsure.assess(Y, P > 0.5), {0: 0.1, 1: 0}),
    "a judge": lambda: howsure.assess([*Y[:40], *[None] * 80], P > 0.5, judge=P > 0.4, positive=1),
    "a judge of scores": lambda: howsure.assess([*Y[:40], *[None] * 80], scores=P, judge=P > 0.4, positive=1),
    "a judge of three classes": lambda: howsure.assess([*THREE[:60], *[None] * 60], judge=GUESS),
    "a judge of a rate": lambda: howsure.assess([*Y[:40], *[None] * 80], judge=P > 0.4, positive=1),
    "a judge who labels nothing more": lambda: howsure.assess(Y, P > 0.5, judge=P > 0.4, positive=1),
}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("name", INPUTS)
def test_every_kind_of_chart_draws_without_a_warning(name):
    result = INPUTS[name]()
    kinds = kinds_of(result)
    assert kinds
    for kind in kinds:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ax = result.plot(kind=kind)
            ax.figure.canvas.draw()
            assert ax.get_xlabel()
            assert ax.get_title() or ax.get_title("left")
            with plt.style.context("dark_background"):
                own = Figure().subplots()
                assert result.plot(own, kind=kind) is own
                own.figure.canvas.draw()
        plt.close("all")


def test_what_says_most_comes_first():
    assert kinds_of(howsure.assess(Y, P > 0.5)) == ["confusion", "iso_f"]
    assert kinds_of(howsure.assess(THREE, GUESS))[0] == "confusion"
    probabilities = kinds_of(howsure.assess(Y, scores=P))
    assert probabilities[:3] == ["roc", "confusion", "iso_f"]
    assert set(probabilities) == {"confusion", "iso_f", *curves}
    assert "calibration" not in kinds_of(howsure.assess(Y, scores=10 * P - 3))
    assert kinds_of(howsure.assess(Y, scores=P, by=THREE)) == ["groups", "differences"]
    assert kinds_of(experiment())[0] == "splits"
    assert kinds_of(experiment(splits=1))[0] == "comparison"
    assert kinds_of(experiment(datasets=3)) == ["ranks", "comparison"]
    assert kinds_of(experiment(learners=2, datasets=3)) == ["comparison"]
    assert kinds_of(experiment(learners=1)) == ["splits"]
    assert kinds_of(experiment(datasets=3).compare()) == ["forest", "matrix", "values", "ranks"]


def test_a_kind_may_stand_first():
    a = howsure.assess(Y, scores=P)
    assert a.plot("confusion").get_xlabel() == a.plot(kind="confusion").get_xlabel() == "predicted class"
    with pytest.raises(
        howsure.HowsureError, match=r"^`kind` must be one of 'roc', .*, not 'rock'; did you mean 'roc'\?"
    ):
        a.plot("rock")


def test_the_roc_curve_has_the_point_at_which_the_classifier_decides():
    for a in (howsure.assess(Y, scores=P, threshold=0.6), howsure.assess(Y, P > 0.6, scores=P)):
        points = [line for line in a.plot().get_lines() if len(line.get_xdata()) == 1]
        (point,) = (tuple(line.get_xydata()[0]) for line in points)
        assert point == (a["false_positive_rate"].value, a["recall"].value)
    assert points[0].get_label().startswith(f"as predicted: recall {a['recall']:.3f}")


def test_many_classes_have_a_curve_each():
    a = INPUTS["probabilities of three classes"]()
    assert kinds_of(a)[:3] == ["confusion", "iso_f", "roc"]
    assert len([line for line in a.plot("roc").get_lines() if line.get_gid() == "howsure-series"]) == 3


def marked(ax, marker="o"):
    """The points of a chart, from top to bottom."""
    lines = [line for line in ax.get_lines() if line.get_marker() == marker and len(line.get_xdata()) == 1]
    return [line.get_xdata()[0] for line in sorted(lines, key=lambda line: line.get_ydata()[0])]


def test_a_forest_shows_the_differences_of_the_frame():
    c = INPUTS["three classifiers"]()
    frame = c.frame(like="pandas")
    assert sorted(map(abs, marked(c.plot()))) == sorted(frame["difference"].abs())
    lines = {tuple(line.get_xdata()) for line in c.plot().get_lines() if len(line.get_xdata()) == 2}
    ends = {(row.low, row.high) for row in frame.itertuples()} | {(-row.high, -row.low) for row in frame.itertuples()}
    assert len(lines & ends) == 3


def test_without_ends_an_interval_has_arrows():
    c = experiment(datasets=3).compare()
    assert np.isinf(c.frame()[["low", "high"]]).all(axis=None)
    assert len(marked(c.plot(), "<")) == len(marked(c.plot(), ">")) == 3


def test_a_matrix_has_the_differences_of_the_frame_twice():
    c = INPUTS["three classifiers"]()
    cells = [text.get_text().split("\n")[0] for text in c.plot("matrix").texts if "\n" in text.get_text()]
    both = [sign * value for value in c.frame()["difference"] for sign in (1, -1)]
    assert sorted(cells) == sorted(f"{value:+.3f}".replace("-", "−") for value in both)


def test_values_are_those_of_the_ranking():
    c = INPUTS["three classifiers"]()
    assert marked(c.plot("values")) == c.ranking().frame()["value"].tolist()


def test_groups_are_those_of_the_frame_and_all():
    g = INPUTS["groups with scores"]()
    frame = g.frame(measures=["auc"])
    assert marked(g.plot(measure="auc")) == [*frame["value"], g.overall["auc"].value]


def test_fold_scores_are_those_of_the_frame():
    table = experiment().scores("accuracy")
    ax = table.plot()
    dots = [line.get_xdata() for line in ax.get_lines() if line.get_marker() == "o" and len(line.get_xdata()) > 1]
    assert np.array_equal(np.array(dots).T, table.frame()[list(LEARNERS)].to_numpy())
    assert marked(ax, "D") == [table.estimate(name).value for name in table.learners]


def test_ranks_and_bars_are_those_of_the_result():
    rows = np.array([[9.0, 8, 1, 2], [8, 9, 2, 1], [9, 8, 1, 2], [9, 8, 3, 1], [8, 9, 1, 2], [9, 8, 2, 1]])
    result = significance.critical_difference(rows, names=["a", "b", "c", "d"])
    ax = result.plot()
    assert sorted(marked(ax)) == sorted(result.frame()["mean_rank"])
    bars = [line.get_xdata() for line in ax.get_lines() if line.get_linewidth() == 3.5]
    assert len(bars) == len(result.bars)
    for (first, last), (start, end) in zip(sorted(result.bars), sorted(map(tuple, bars)), strict=True):
        assert start < first < last < end
    (ruler,) = (line.get_xdata() for line in ax.get_lines() if line.get_marker() == "|")
    assert np.ptp(ruler) == pytest.approx(result.cd, rel=1e-12)  # a difference of two sums


def test_points_of_an_iso_f_plot_are_those_of_the_frame():
    frame = howsure.assess(THREE, GUESS).per_class().frame()
    ax = howsure.assess(THREE, GUESS).plot("iso_f")
    points = [tuple(line.get_xydata()[0]) for line in ax.get_lines() if len(line.get_xdata()) == 1]
    assert points == list(zip(frame["recall"], frame["precision"], strict=True))
    both = howsure.assess(THREE, GUESS).plot("iso_f", label="one")
    howsure.assess(THREE, np.roll(GUESS, 1)).per_class().plot(both, label="two")
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["one", "two"]
    assert len({line.get_marker() for line in both.get_lines() if len(line.get_xdata()) == 1}) == 2


def test_traces_draw_what_they_have():
    trace = INPUTS["boosting"]()
    for ax, columns in ((trace.plot(), ["epsilon", "training_error"]), (trace.plot(columns="alpha"), ["alpha"])):
        assert [line.get_label() for line in ax.get_lines()] == [name.replace("_", " ") for name in columns]
        for line, column in zip(ax.get_lines(), columns, strict=True):
            assert line.get_ydata().tolist() == trace.frame()[column].tolist()
    with pytest.raises(howsure.HowsureError, match=r"^`columns` must be one of 'round', .*, not 'beta'"):
        trace.plot(columns="beta")
    empty = learners.Trace([{"a": 1.0}])
    with pytest.raises(
        howsure.HowsureError, match=r"^this trace has no steps to draw; `columns` can contain any of a\.$"
    ):
        empty.plot()
    assert trace[:2].plot().get_lines()[0].get_ydata().tolist() == trace["epsilon"][:2].tolist()


@pytest.mark.parametrize(("steps", "marks"), [(1, [1]), (3, [1, 2, 3]), (50, [1, 10, 20, 30, 40, 50])])
def test_steps_are_marked_from_the_first_on(steps, marks):
    trace = learners.Trace([{"round": 1 + step, "error": 0.1} for step in range(steps)], "", (), ("error",))
    ax = trace.plot()
    ax.figure.canvas.draw()
    assert [label.get_text() for label in ax.get_xticklabels()] == list(map(str, marks))
    trace[:1].plot(ax)
    assert ax.get_xticks().tolist() == marks  # those of the longer one


def test_each_of_two_categories_has_its_own_agreement():
    """Chance-corrected agreement about one of two categories is that about the other."""
    two, three = INPUTS["raters of two categories"](), INPUTS["raters"]()
    kappas = {round(part.estimates[1].value, 12) for part in two.per_category().parts}
    assert len(kappas) == 1
    ax = two.plot("category")
    assert marked(ax) == [part.estimates[0].value for part in two.per_category().parts]
    assert ax.get_xlabel() == "specific agreement"
    ax = three.plot("category")
    assert marked(ax) == [part.estimates[1].value for part in three.per_category().parts]
    assert ax.get_xlabel() == "Fleiss' kappa"


def test_differences_of_groups_say_how_to_read_them():
    ax = howsure.assess(Y, P > 0.5, by=THREE).plot("differences")
    assert ax.get_title("left").replace("\n", " ") == (
        "by group; simultaneous 95 % intervals; filled: significantly different from the rest"
    )
    few = howsure.assess(Y, P > 0.5, by=["a"] * 60 + ["b"] * 55 + ["c"] * 5).differences(confidence=0.9)
    assert few.plot().get_title("left").replace("\n", " ") == (
        "by group; simultaneous 90 % intervals; filled: significantly different from the rest; 2 of 3 groups"
    )


def test_an_iso_f_plot_says_what_it_is_and_so_does_its_alternative_text():
    per_class = howsure.assess(THREE, GUESS).per_class(confidence=0.9)
    assert per_class.plot().get_title("left").replace("\n", " ") == (
        "precision and recall of each class, with 90 % intervals; lines: equal F1"
    )
    assert html_image(per_class).startswith('<img alt="precision and recall of each class. class')


def test_what_goes_with_several_has_the_label_of_the_caller():
    """One label for all lines of a result says whose they are, not what."""
    ax = INPUTS["boosting"]().plot(label="mine")
    assert [line.get_label() for line in ax.get_lines()] == ["epsilon (mine)", "training error (mine)"]
    ax = INPUTS["terms of a loss"]().plot(label="mine")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "loss (mine)",
        "bias (mine)",
        "net variance (mine)",
    ]
    ax = INPUTS["a learning curve"]().plot(label="_")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["95 % interval"]


def test_golden_confusion():
    """88 of 120 are 73 %; with 120 of the truth and 100 predicted of 200, chance gives 60."""
    table = howsure.Confusion([[88, 14, 18], [10, 40, 10], [2, 6, 12]], labels=["a", "b", "c"])
    records = table.records()
    assert records[0] == {"truth": "a", "predicted": "a", "count": 88, "share": 88 / 120, "chance": 60.0}
    assert records[5] == {"truth": "b", "predicted": "c", "count": 10, "share": 1 / 6, "chance": 12.0}
    assert {text.get_text() for text in table.plot().texts} >= {"88\n73 %", "14\n12 %", "6\n30 %"}
    assert {text.get_text() for text in table.plot("chance").texts} >= {"88\n60.0", "10\n12.0"}
    few = howsure.Confusion([[999, 1], [0, 0]], labels=["a", "b"])
    assert np.isnan(few.frame()["share"][2:]).all()
    assert {text.get_text() for text in few.plot().texts} >= {"999\n> 99 %", "1\n< 1 %"}
    assert "1.23M\n50 %" in {text.get_text() for text in howsure.Confusion([[1234567] * 2] * 2).plot().texts}


def test_golden_widths():
    """Of 0.9 Wilson's interval of 100 cases is [0.826, 0.945] (Newcombe 1998 has the formula); DeLong's shrinks."""
    (record,) = intervals.widths(0.9, sizes=[100]).records()
    wilson = intervals.wilson(90, 100)
    assert (record["low"], record["high"]) == (wilson.low, wilson.high)
    assert record["half_width"] == (wilson.high - wilson.low) / 2
    planned = intervals.widths(0.9)
    assert planned.half(planned.needed(0.02)) <= 0.02 < planned.half(planned.needed(0.02) - 1)
    auc = howsure.assess(Y, scores=P)["auc"]
    four_times = intervals.widths(auc, sizes=[480]).records()[0]["half_width"]
    assert 2 * four_times == pytest.approx((auc.high - auc.low) / 2, rel=1e-12)  # own identity
    at_hand = intervals.widths(howsure.assess(THREE, GUESS)["accuracy"])
    low, high = howsure.assess(THREE, GUESS)["accuracy"].interval()
    assert at_hand.half_width == pytest.approx((high - low) / 2, rel=1e-12)
    assert at_hand.plot().get_lines()[-1].get_xydata().tolist() == [[120, at_hand.half_width]]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: intervals.widths(1.5), "`value` must be a share from 0 to 1, or an Estimate, not 1.5."),
        (lambda: intervals.widths(0.5, sizes=[0]), "`sizes` must be a whole number above 0, not 0."),
        (lambda: intervals.widths(0.5).needed(0), "`half_width` must be a number above 0, not 0."),
        (lambda: intervals.widths(0.5).needed(1e-9), "a half-width of 1e-09 needs more than 1e+12 cases."),
        (
            lambda: intervals.widths(howsure.assess([0, 0], [0, 0], labels=[0, 1])["recall"]),
            "`value` must have a value, and recall is undefined: no case belongs to this class.",
        ),
    ],
)
def test_widths_that_cannot_be_given(call, sentence):
    with pytest.raises(howsure.HowsureError) as error:
        call()
    assert str(error.value) == sentence


def test_measures_are_a_kind_of_input():
    """A forest of groups takes any measure that applies to them."""
    g = howsure.assess(Y, scores=P, by=THREE)
    for measure in ("accuracy", "recall", "auc", "brier", "log_loss"):
        assert measure in measures.names()
        assert g.plot(measure=measure).get_xlabel().startswith(spoken(measure))


@pytest.mark.parametrize("name", ["a baseline", "data sets", "bagging"])
def test_on_a_page_every_colour_is_the_page_s(name):
    """Greys that charts mix of text and ground, too: they must be read on dark pages."""
    result = INPUTS[name]()
    for kind in kinds_of(result):
        drawn = chart("it", result, kind, title="It").svg
        assert re.findall(r"(?:fill|stroke): *(#[0-9a-fA-F]{3,6})", drawn) == [], kind
        assert "var(--fg)" in drawn
