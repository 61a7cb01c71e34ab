"""Every chart of every curve, for every kind of input that curves take; and the numbers of small ones, by hand."""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import howsure
from howsure import ScoreTable, curves
from howsure.measures import registry as measures
from howsure.present.charts.axes import texts_of
from howsure.present.charts.declare import charts_of
from howsure.present.charts.series import CONTEXT, REFERENCE, SERIES, contrast, paper


def two_classes(n=200, decimals=6, shift=0.3, weight=None, seed=0, **options):
    rng = np.random.default_rng(seed)
    positive = np.arange(n) % 3 == 0
    scores = np.round(np.clip(rng.normal(0.35 + shift * positive, 0.15), 0, 1), decimals)
    names = np.where(positive, "sick $x_1$ <b>", "well")
    given = None if weight is None else rng.integers(0, 4, n) if weight == "whole" else rng.random(n) + 0.1
    return howsure.assess(names, scores=scores, weight=given, positive="sick $x_1$ <b>", **options)


def three_classes():
    rng = np.random.default_rng(1)
    truth = np.arange(90) % 3
    chances = rng.dirichlet(np.ones(3), 90) + 1.5 * np.eye(3)[truth]
    labels = ["ä" * 40, "b", "c"]
    shares = chances / chances.sum(1, keepdims=True)
    return howsure.assess([labels[code] for code in truth], scores=shares, labels=labels)


def logits():
    rng = np.random.default_rng(2)
    positive = rng.random(150) < 0.4
    return howsure.assess(positive, scores=rng.normal(3 * positive, 2))


INPUTS = {
    "two classes": two_classes,
    "many classes": three_classes,
    "whole weights": lambda: two_classes(weight="whole"),
    "real weights": lambda: two_classes(weight="real"),
    "costs": lambda: two_classes(costs=howsure.Costs(false_negative=5, false_positive=1, prior=0.1)),
    "ties": lambda: two_classes(decimals=1),
    "near perfect": lambda: two_classes(shift=0.55),
    "perfect": lambda: howsure.assess([0] * 20 + [1] * 20, scores=np.linspace(0, 1, 40)),
    "wrong way round": lambda: howsure.assess([1] * 20 + [0] * 20, scores=np.linspace(0, 1, 40)),
    "constant scores": lambda: howsure.assess([0, 1, 1, 0, 1], scores=[0.4] * 5),
    "two cases": lambda: howsure.assess([0, 1], scores=[0.2, 0.7]),
    "one positive": lambda: howsure.assess([0] * 30 + [1], scores=np.linspace(0, 1, 31)),
    "no probabilities": logits,
    "many points": lambda: two_classes(n=100_000, decimals=9),
}


def curves_of(a, kind):
    label = None if a.positive is not None else a.labels[0]
    yield from a.curves(label).values()
    yield from (a.by_threshold(name, label) for name in ("f1", "precision", *(["mean_cost"] if a.costs else [])))
    if kind == "many points":
        return
    if min(a.confusion.sums.truth) > 1:
        yield a.roc(label, band="simultaneous")
    if "calibration" in a.curves_that_apply(label):
        yield a.calibration(label, strategy="isotonic")
        yield a.calibration(label, strategy="quantile", simultaneous=True)
    if len(a.labels) > 2:
        yield a.by_class("roc")
        yield a.by_class("calibration")
    else:
        yield curves.average_roc([a.scores, a.scores])


def check(figure):
    """Everything is drawn, no text leaves the picture, no title covers another text, and all can be read."""
    figure.canvas.draw()
    ax = figure.axes[0]
    renderer = figure.canvas.get_renderer()
    texts = [text for text, words in texts_of(figure.axes).items() if words.strip() and text.get_visible()]
    for text in texts:
        box = text.get_window_extent(renderer)
        assert box.x0 >= -1, text.get_text()
        assert box.y0 >= -1, text.get_text()
        assert box.x1 <= figure.bbox.x1 + 1, text.get_text()
        assert box.y1 <= figure.bbox.y1 + 1, text.get_text()
        assert contrast(to_rgb(text.get_color()), paper(ax)) >= 4.4, text.get_text()
    titles = [ax.title, ax.xaxis.label, ax.yaxis.label, *(ax.get_legend().get_texts() if ax.get_legend() else [])]
    boxes = [text.get_window_extent(renderer) for text in titles if text.get_text()]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert "_" not in ax.get_title().replace("$x_1$", "")


@pytest.mark.parametrize("kind", INPUTS)
def test_every_curve_draws_without_a_warning(kind):
    """Warnings are errors here. A third of the charts of an input are looked at closely, and all of the first two."""
    drawn, turn = set(), list(INPUTS).index(kind)
    for number, curve in enumerate(curves_of(INPUTS[kind](), kind)):
        figure = curve.plot().figure
        if turn < 2 or (number + turn) % 3 == 0:
            check(figure)
        plt.close("all")
        drawn.add(type(curve).__name__)
    assert {"RocCurve", "HullCurve", "DensityCurve", "DistanceCurve", "DetCurve", "ThresholdCurve"} <= drawn


@pytest.mark.parametrize("kind", ["two classes", "many classes"])
def test_every_chart_draws_in_a_dark_style(kind):
    seen = set()
    with plt.style.context("dark_background"):
        for curve in curves_of(INPUTS[kind](), kind):
            for chart in set(charts_of(type(curve))) - {chart for cls, chart in seen if cls is type(curve)}:
                check(curve.plot(kind=chart).figure)
                plt.close("all")
                seen.add((type(curve), chart))


def test_every_label_measure_has_a_curve_by_threshold():
    a = two_classes()
    for name, declared in measures.items():
        if declared.scope in ("class", "overall") and not declared.parameters:
            (line,) = series(a.by_threshold(name).plot(Figure().subplots()))
            assert len(line.get_xdata()) > 1, name


def test_the_inputs_reach_every_chart_of_a_curve():
    reached = {type(curve) for kind in ("two classes", "many classes") for curve in curves_of(INPUTS[kind](), kind)}
    every = {curves.Curve, curves.CurveSet, *subclasses(curves.Curve)}
    assert {cls.__name__ for cls in every} == {cls.__name__ for cls in reached}


def subclasses(cls):
    return [one for direct in cls.__subclasses__() for one in (direct, *subclasses(direct))]


SMALL = ScoreTable.from_scores([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.4])
INF = float("inf")
THRESHOLDS = [INF, 0.9, 0.8, 0.7, 0.4]
# Of the four cases above, by hand; Wilson's ends of 0 of 1 and 2 of 3 are those of z = 1.959964.
FRAMES = {
    "roc": ({}, {"x": [0, 0, 0.5, 0.5, 1], "y": [0, 0.5, 0.5, 1, 1], "threshold": THRESHOLDS}),
    "precision_recall": ({}, {"x": [0, 0.5, 0.5, 1, 1], "y": [1, 1, 0.5, 2 / 3, 0.5], "threshold": THRESHOLDS}),
    "lift": ({}, {"x": [0, 1, 2, 3, 4], "y": [0, 1, 1, 2, 2], "threshold": THRESHOLDS}),
    "lift_ratio": ({}, {"x": [0.25, 0.5, 0.75, 1], "y": [2, 1, 4 / 3, 1], "threshold": THRESHOLDS[1:]}),
    "gain": ({}, {"x": [0, 0.25, 0.5, 0.75, 1], "y": [0, 0.5, 0.5, 1, 1], "threshold": THRESHOLDS}),
    "det": ({}, {"x": [0, 0, 0.5, 0.5, 1], "y": [1, 0.5, 0.5, 0, 0], "threshold": THRESHOLDS}),
    "ks": (
        {},
        {"x": THRESHOLDS[1:], "y": [0.5, 0, 0.5, 0], "threshold": THRESHOLDS[1:],
         "tpr": [0.5, 0.5, 1, 1], "fpr": [0, 0.5, 0.5, 1]},
    ),
    "densities": ({"bins": 2}, {"x": [0.525, 0.775], "y": [0, 4], "threshold": [0.525, 0.775], "negatives": [2, 2]}),
    "calibration": (
        {"bins": 2},
        {"x": [0.4, 0.8], "y": [0, 2 / 3], "threshold": [0.4, 0.8],
         "low": [0, 0.2076596], "high": [0.7934507, 0.9385082], "n": [1, 3]},
    ),
    "cost_curve": ({"points": 3}, {"x": [0, 0.5, 1], "y": [0, 0.25, 0], "threshold": [INF, 0.9, 0.7]}),
    "roc_hull": ({}, {"x": [0, 0, 0.5, 1], "y": [0, 0.5, 1, 1], "threshold": [INF, 0.9, 0.7, 0.4]}),
    "decision_curve": (
        {"points": 3},
        {"x": [0.25, 0.5, 0.75], "y": [1 / 3, 0.25, -0.5], "threshold": [0.25, 0.5, 0.75],
         "act_on_all": [1 / 3, 0, -1]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", curves.names())
def test_the_frames_of_a_small_example(name):
    options, expected = FRAMES[name]
    curve = curves.registry[name](SMALL, **options)
    frame = curve.frame("pandas")
    assert list(frame.columns) == list(expected)
    for column, values in expected.items():
        np.testing.assert_allclose(frame[column], values, rtol=5e-7, atol=1e-12, err_msg=column)  # digits given
    text = str(curve)
    assert text.startswith(f"{curve.title}: ")
    assert "4 cases" in text


def test_the_frame_of_a_measure_by_threshold():
    frame = curves.by_threshold(SMALL, "f1").frame("polars")
    assert frame["x"].to_list() == THRESHOLDS
    np.testing.assert_allclose(frame["y"], [0, 2 / 3, 0.5, 0.8, 2 / 3], rtol=1e-12)


def series(ax):
    return [line for line in ax.get_lines() if line.get_gid() == SERIES]


@pytest.mark.parametrize("name", curves.names())
def test_what_is_drawn_is_in_the_frame(name):
    curve = two_classes().curve(name)
    heights = set(np.round(curve.y, 12))
    for line in series(curve.plot())[:1]:
        assert set(np.round(line.get_ydata()[np.isfinite(line.get_xdata())], 12)) <= heights


def test_steps_are_drawn_as_steps():
    """Precision is that of the next recall; a measure at a threshold is that of the next higher score."""
    (line,) = series(curves.precision_recall(SMALL).plot())
    assert list(zip(*line.get_data(), strict=True))[:4] == [(0, 1), (0.5, 1), (0.5, 0.5), (0.5, pytest.approx(2 / 3))]
    (line,) = series(curves.by_threshold(SMALL, "f1").plot())
    x, y = line.get_data()
    at = {threshold: y[np.flatnonzero(x == threshold)] for threshold in (0.9, 0.8)}
    assert at[0.9][-1] == pytest.approx(2 / 3)  # what holds just below 0.9 and down to 0.8
    assert at[0.8][0] == pytest.approx(2 / 3)


def test_a_band_lies_around_the_exact_curve_from_corner_to_corner():
    a = two_classes()
    curve = a.roc(band="pointwise")
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0, 0, 1, 1)
    ax = curve.plot()
    (line,) = series(ax)
    np.testing.assert_array_equal(line.get_xydata()[[0, -1]], [[0, 0], [1, 1]])
    (band,) = ax.collections
    box = band.get_paths()[0].get_extents()
    assert (box.x0, box.x1, box.y1) == (0, 1, 1)


def lines_of(ax):
    return [line for line in ax.get_lines() if line.get_linestyle() != "None"]  # points have none


def test_the_corner_of_a_near_perfect_curve_is_enlarged():
    near, far = two_classes(shift=0.5).roc(), two_classes().roc()
    assert near.area > 0.97 > far.area
    assert not far.plot().child_axes
    assert not near.plot(zoom=False).child_axes
    assert far.plot(zoom=True).child_axes
    ax = near.plot()
    (inner,) = ax.child_axes
    assert len(lines_of(inner)) == 1
    far.plot(ax, label="other")
    assert ax.child_axes == [inner]
    assert len(lines_of(inner)) == 2
    small = Figure(figsize=(2, 2)).subplots()
    assert not near.plot(small).child_axes  # no room


def test_the_threshold_that_decides_is_marked():
    a = two_classes().at(0.55)
    ax = a.roc().plot()
    (mark,) = [line for line in ax.get_lines() if line.get_label() == "threshold 0.55"]
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (
        pytest.approx(a["false_positive_rate"].value),
        pytest.approx(a["recall"].value),
    )
    for curve in (a.densities(), a.by_threshold("f1")):
        (mark,) = [line for line in curve.plot().get_lines() if line.get_label() == "threshold 0.55"]
        assert list(mark.get_xdata()) == [0.55, 0.55]
    best = a.by_threshold("f1")
    at_best = a.at(best.x[best.best]).by_threshold("f1").plot()
    labels = " ".join(str(line.get_label()) for line in at_best.get_lines())
    assert f"threshold {best.x[best.best]:g}" in labels
    assert f"at threshold {best.x[best.best]:g}" in labels


def test_costs_by_threshold_are_those_of_the_choice():
    a = two_classes(costs=howsure.Costs(false_negative=5, false_positive=1, prior=0.1))
    curve, choice = a.by_threshold("mean_cost"), a.best_threshold()
    assert curve.y[curve.best] == pytest.approx(choice.value, rel=1e-12)
    assert curve.x[curve.best] == choice.threshold
    assert a.at(0.5)["mean_cost"].value == pytest.approx(curve.y[curve.at(0.5)], rel=1e-12)


def test_lines_of_equal_cost_touch_the_hull_at_the_cheapest_point():
    a = two_classes(costs=howsure.Costs(false_negative=5, false_positive=1))
    hull = a.roc_hull()
    ax = hull.plot()
    slopes = [line for line in ax.get_lines() if type(line).__name__ == "AxLine"]
    assert len(slopes) == 3
    assert {line.get_slope() for line in slopes} == {hull.slope}
    (best,) = [line for line in ax.get_lines() if str(line.get_label()).startswith("lowest cost")]
    choice = a.best_threshold()
    assert best.get_label() == f"lowest cost: threshold {choice.threshold:g}"


def test_one_curve_for_each_class_of_which_six_stand_out():
    rng = np.random.default_rng(0)
    truth = np.arange(400) % 10
    chances = rng.dirichlet(np.ones(10), 400) + np.linspace(0.1, 1, 10) * np.eye(10)[truth]
    a = howsure.assess(truth, scores=chances / chances.sum(1, keepdims=True), labels=range(10))
    curves_of_classes = a.by_class("roc")
    assert list(curves_of_classes) == list(range(10))
    worst = sorted(range(10), key=lambda label: a.estimate("auc", label=label).value)[:6]
    ax = curves_of_classes.plot()
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [line.split(",")[0] for line in legend[:6]] == [f"ROC of class {label}" for label in sorted(worst)]
    assert legend[6:] == ["4 other classes", "random"]
    assert ax.get_title() == "ROC curve of 10 classes"
    assert len(ax.get_lines()) == 11
    frame = curves_of_classes.frame("pandas")
    assert list(frame.columns) == ["class", "x", "y", "threshold"]
    np.testing.assert_array_equal(frame[frame["class"] == 3]["y"], a.roc(3).y)


def test_the_densities_of_two_classifiers_say_whose_they_are():
    ax = two_classes().densities().plot(label="tree")
    two_classes(seed=1).densities().plot(ax, label="bayes")
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    name = "sick $x_1$ <b>"
    assert legend == [f"{name} (tree)", "well (tree)", f"{name} (bayes)", "well (bayes)", "threshold 0.5"]


def test_folds_and_their_average():
    tables = [two_classes(n=90, seed=seed).scores for seed in range(4)]
    curve = curves.average_roc(tables)
    ax = curve.plot()
    assert len(ax.get_lines()) == 6  # four folds, their mean, and guessing
    for part, table in zip(curve.parts, tables, strict=True):
        np.testing.assert_array_equal(part.y, curves.roc(table).y)
    (band,) = ax.collections
    assert band.get_label() == "standard deviation over the folds"


def test_acting_on_all_is_drawn_as_it_is():
    """Not cut off at a floor: the axis ends, the line does not."""
    curve = two_classes().decision_curve(band="pointwise")
    ax = curve.plot()
    (line,) = [line for line in ax.get_lines() if line.get_label() == "act on all"]
    assert line.get_gid() == REFERENCE
    np.testing.assert_array_equal(line.get_ydata(), curve.extra["act_on_all"])
    assert ax.get_ylim()[0] > line.get_ydata().min()
    assert len(ax.collections) == 2  # a band of either


def test_calibration_shows_the_cases_behind_each_point():
    curve = two_classes().calibration()
    ax = curve.plot()
    written = [text.get_text() for text in ax.texts]
    assert set(written) - {"cases"} <= {f"{n:.0f}" for n in curve.extra["n"]}
    assert len(written) > len(curve) / 2
    (dots,) = [one for one in ax.collections if hasattr(one, "get_sizes") and len(one.get_sizes())]
    assert (np.argsort(dots.get_sizes()) == np.argsort(curve.extra["n"])).all()


def cases_on(ax):
    """The numbers of cases on axes by their height, from the top, each as the place and the text of every number."""
    heights = {}
    for text in ax.texts:
        if text.get_text() != "cases":
            heights.setdefault(round(text.get_position()[1], 6), []).append((text.get_position()[0], text.get_text()))
    return [heights[height] for height in sorted(heights, reverse=True)]


def probabilities(n, seed, sharpness=1.0):
    rng = np.random.default_rng(seed)
    chances = rng.beta(0.6, 2, n)
    return howsure.assess(rng.random(n) < chances, scores=chances**sharpness)


def test_every_bin_has_its_number_of_cases():
    """Next to a number of four digits, too."""
    curve = probabilities(10_000, 0).calibration(bins=10)
    assert curve.extra["n"][1] >= 1000
    ax = curve.plot()
    assert cases_on(ax) == [[(x, f"{n:.0f}") for x, n in zip(curve.x, curve.extra["n"], strict=True)]]


def test_numbers_of_cases_that_would_meet_stand_below_each_other():
    curve = probabilities(3000, 0).calibration(bins=30)
    ax = curve.plot()
    lines = cases_on(ax)
    assert 1 < len(lines) <= 3
    assert sorted(pair for line in lines for pair in line) == [
        (x, f"{n:.0f}") for x, n in zip(curve.x, curve.extra["n"], strict=True)
    ]
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    assert ax.get_ylim()[0] < ax.texts[-1].get_position()[1]


def test_two_calibration_curves_have_their_numbers_each_beside_a_piece_of_its_line():
    one, two = probabilities(3000, 0).calibration(bins=5), probabilities(2000, 1, 1.2).calibration(bins=5)
    ax = one.plot(label="tree")
    two.plot(ax, label="bayes")
    assert cases_on(ax) == [
        [(x, f"{n:.0f}") for x, n in zip(curve.x, curve.extra["n"], strict=True)] for curve in (one, two)
    ]
    drawn = series(ax)
    pieces = [line for line in ax.get_lines() if line.get_gid() == CONTEXT]
    names = [text for text in ax.texts if text.get_text() == "cases"]
    for line, piece, name, row in zip(drawn, pieces, names, cases_on(ax), strict=True):
        assert (piece.get_color(), piece.get_linestyle()) == (line.get_color(), line.get_linestyle())
        height = next(text.get_position()[1] for text in ax.texts if text.get_text() == row[0][1])
        assert piece.get_ydata()[0] == name.get_position()[1] == height
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    for _ in range(3):
        two.plot(ax)
    assert (min(ax.get_yticks()), max(ax.get_yticks())) == pytest.approx((0, 1), abs=1e-12)  # sums of steps


def symmetric_scores(seed=0):
    rng = np.random.default_rng(seed)
    scores = np.concatenate([rng.normal(1.2, 1.4, 300), rng.normal(-1.2, 1, 300)])
    return howsure.assess(np.repeat([1, 0], 300), scores=scores)


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize("name", ["ks", "calibration", "cost_curve"])
def test_no_line_runs_under_a_legend_and_no_legend_leaves_the_figure(layout, name):
    a = symmetric_scores() if name == "ks" else probabilities(500, 0)
    figure = Figure(figsize=(10, 4.2), layout=layout)
    axes = figure.subplots(1, 2)
    a.densities().plot(axes[0])
    ax = a.curve(name).plot(axes[1])
    figure.draw_without_rendering()
    box = ax.get_legend().get_window_extent()
    assert figure.bbox.x0 - 1 <= box.x0 <= box.x1 <= figure.bbox.x1 + 1
    assert figure.bbox.y0 - 1 <= box.y0 <= box.y1 <= figure.bbox.y1 + 1
    for line in ax.get_lines():
        dots = line.get_transform().transform(line.get_xydata())
        assert not ((dots >= box.min) & (dots <= box.max)).all(axis=1).any(), line.get_label()


def test_axes_that_make_room_for_a_legend_keep_their_marks():
    ax = Figure().subplots()
    for _ in range(3):  # none makes more room than its legend needs, or more than half of the axes
        symmetric_scores().ks().plot(ax)
        assert ax.get_ylim()[1] < 2.1
        assert ax.get_yticks().max() == pytest.approx(1.0, rel=1e-12)  # a sum of steps


def test_distances_of_two_classifiers_say_whose_shares_they_are_between():
    ax = symmetric_scores().ks().plot(label="tree")
    symmetric_scores(1).ks().plot(ax, label="bayes")
    between = [line for line in ax.get_lines() if line.get_gid() == REFERENCE]
    assert [line.get_label() for line in between] == [
        f"{name} ({whose})" for whose in ("tree", "bayes") for name in ("false positive rate", "recall")
    ]
    colours = [line.get_color() for line in series(ax)]
    assert [line.get_color() for line in between] == [colour for colour in colours for _ in range(2)]


def test_a_million_points_are_few_when_drawn():
    rng = np.random.default_rng(0)
    positive = rng.random(1_000_000) < 0.3
    a = howsure.assess(positive, scores=rng.random(1_000_000) + 0.3 * positive)
    for name in ("roc", "gain", "precision_recall", "ks"):
        (line,) = series(a.curve(name).plot())
        assert len(line.get_xdata()) < 3000, name


def test_saving_replaces_a_file_whole(tmp_path):
    curve = two_classes().roc()
    path = tmp_path / "roc.svg"
    path.write_text("old")
    curve.save(path, label="tree", color="black")
    assert "ROC of tree" in path.read_text() or "<path" in path.read_text()
    path.write_text("old")
    with pytest.raises(howsure.HowsureError, match="neither an option"):
        curve.save(path, flavour="mild")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["roc.svg"]


def test_notebooks_have_the_picture_and_the_numbers():
    a = two_classes()
    html = a.roc()._repr_html_()
    low, high = a["auc"].interval()
    words = f"AUC {a['auc'].value:.2f} [{low:.2f}, {high:.2f}], 200 cases"
    assert html.startswith(f'<img alt="ROC curve of sick $x_1$ &lt;b&gt;. {words}')
    assert html.endswith("</p>")
    assert f": {words}" in html.split("<p>")[1]
    assert "<b>" not in html
    assert three_classes().by_class("roc")._repr_html_().startswith('<img alt="ROC curve of 3 classes. ')
