"""Charts of names: nothing overlaps and nothing is cut off, from 2 to 30 names, however long and odd they are."""

from __future__ import annotations

import functools
import itertools
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

import howsure
from howsure import significance
from howsure.present.charts.names import drawable, fit, fit_pairs, width
from howsure.present.charts.ranks import _levels
from howsure.resampling import Design, FoldTable

LONG = (
    "gradient boosted trees with 500 rounds and a learning rate of 0.05",
    "logistic regression, ridge penalty, all features standardised, v2",
    "логистическая регрессия со всеми признаками и штрафом, версия 2",
    "שלום עולם: מודל ארוך מאוד עם הרבה תכונות ופרמטרים שונים",
    "$\\frac{1}{2}$ <b>bold</b> model_1 \N{ALIEN MONSTER} 名前",
)
SIZES = (2, 3, 10, 30)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def names(k):
    return [f"{LONG[index % len(LONG)]} {index}" for index in range(k)]


@functools.cache
def compared(k, **options):
    rng = np.random.default_rng(k)
    truth = rng.integers(0, 2, 200)
    right = {name: 0.95 - 0.3 * place / k for place, name in enumerate(names(k))}
    guesses = {name: np.where(rng.random(200) < share, truth, 1 - truth) for name, share in right.items()}
    return howsure.compare(truth, guesses, **options)


def scores(k):
    rng = np.random.default_rng(k)
    return {name: rng.normal(0.8 - 0.01 * place, 0.02, 12) for place, name in enumerate(names(k))}


def folds(k):
    values = np.array(list(scores(k).values())).T
    design = Design("KFold", 120, 12, 1, 110.0, 10.0, 0.9, 1.0)
    return FoldTable(values, tuple(names(k)), "f", "accuracy", design, np.zeros(12, int), np.arange(12))


def confused(k, weight=None):
    rng = np.random.default_rng(k)
    truth = rng.integers(0, k, 40 * k)
    guess = np.where(rng.random(len(truth)) < 0.7, truth, rng.integers(0, k, len(truth)))
    labels = names(k)
    return howsure.Confusion.from_labels(
        [labels[code] for code in truth], [labels[code] for code in guess], labels=labels, weight=weight
    )


CHARTS = {
    "forest": lambda k, **where: compared(k).plot(**where),
    "baseline": lambda k, **where: compared(k, baseline=names(k)[0]).plot(**where),
    "matrix": lambda k, **where: compared(k).plot(kind="matrix", **where),
    "values": lambda k, **where: compared(k).plot(kind="values", **where),
    "critical difference": lambda k, **where: significance.critical_difference(scores(k)).plot(**where),
    "underlines": lambda k, **where: significance.newman_keuls(scores(k)).plot(**where),
    "splits": lambda k, **where: folds(k).plot(**where),
    "confusion": lambda k, **where: confused(k).plot(**where),
    "chance": lambda k, **where: confused(k).plot(kind="chance", **where),
    "groups": lambda k, **where: grouped(k).plot(**where),
}


def grouped(k):
    rng = np.random.default_rng(k)
    truth = rng.integers(0, 2, 40 * k)
    by = np.array(names(k))[np.arange(len(truth)) % k]
    return howsure.assess(truth, np.where(rng.random(len(truth)) < 0.8, truth, 1 - truth), by=by)


def texts_on(ax):
    axes = (ax.xaxis, ax.yaxis)
    labels = {text for axis in axes for text in axis.findobj(Text)} - {axis.label for axis in axes}
    shown = {label for axis in axes for label in axis.get_ticklabels()}  # the others are off the axis
    texts = (set(ax.findobj(Text)) - labels) | shown
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


def overlaps(ax):
    texts = texts_on(ax)
    low, high = (np.array([getattr(text.get_window_extent(), end) for text in texts]) for end in ("min", "max"))
    shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    pairs = np.argwhere(np.triu((shared > 0.5).all(axis=2), k=1))  # half a pixel is no overlap
    return [(texts[one].get_text(), texts[other].get_text()) for one, other in pairs]


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("chart", CHARTS)
def test_no_text_covers_another_or_leaves_the_figure(chart, k):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = CHARTS[chart](k)
        ax.figure.canvas.draw()
    assert overlaps(ax) == []
    width_, height_ = ax.figure.bbox.size
    for text in texts_on(ax):
        box = text.get_window_extent()
        assert -1 <= box.x0 <= box.x1 <= width_ + 1, text.get_text()
        assert -1 <= box.y0 <= box.y1 <= height_ + 1, text.get_text()
    assert len(ax.texts) >= k / 3


@pytest.mark.parametrize("chart", CHARTS)
def test_the_axes_of_a_caller_without_a_layout_hold_all_names(chart):
    ax = Figure(figsize=(6.4, 4.8)).subplots()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CHARTS[chart](4, ax=ax)
        ax.figure.canvas.draw()
    assert overlaps(ax) == []
    for text in ax.texts:
        box = text.get_window_extent()
        assert ax.bbox.x0 - 2 <= box.x0 <= box.x1 <= ax.bbox.x1 + 2, text.get_text()


@pytest.mark.parametrize("chart", CHARTS)
def test_a_dark_style_has_light_text(chart):
    with plt.style.context("dark_background"):
        ax = CHARTS[chart](3)
        assert all(np.mean(to_rgb(text.get_color())) > 0.45 for text in texts_on(ax))


@pytest.mark.parametrize("chart", [name for name in CHARTS if name not in ("matrix", "confusion", "chance")])
def test_the_style_of_the_caller_is_used(chart):
    for style in ({"color": "purple", "linewidth": 2.5, "alpha": 0.9}, {"c": "purple", "lw": 2.5, "alpha": 0.9}):
        lines = [line for line in CHARTS[chart](3, **style).get_lines() if line.get_color() == "purple"]
        assert lines
        assert {(line.get_linewidth(), line.get_alpha()) for line in lines if len(line.get_xdata())} == {(2.5, 0.9)}
    with pytest.raises(
        howsure.HowsureError, match=r"^`colour` is neither an option of this chart nor a keyword of a Mat"
    ):
        CHARTS[chart](3, colour="purple")


@pytest.mark.parametrize("chart", ["matrix", "confusion", "chance"])
def test_cells_have_the_hue_of_the_caller(chart):
    (cells,) = CHARTS[chart](3, color="purple").collections
    assert {tuple(colour[:3]) for colour in cells.get_facecolor().tolist()} == {to_rgb("purple")}
    with pytest.raises(howsure.HowsureError, match=r"^`colour` is not an option of the chart"):
        CHARTS[chart](3, colour="purple")


def test_names_stay_different_and_fit():
    ax = Figure().subplots()
    alike = [f"{'x' * 40}{middle}{'y' * 40}" for middle in "abc"]
    short = fit(ax, alike, 90, fontsize=8)
    assert len(set(short)) == 3
    assert all(width(ax, name, fontsize=8) <= 90 for name in short)
    assert fit(ax, ["a", "bc"], 90, fontsize=8) == ["a", "bc"]
    assert fit(ax, ["tree", "tree"], 90, fontsize=8) == ["tree", "tree"]
    assert fit_pairs(ax, [("a", "b")], 90, fontsize=8) == ["a − b"]
    first, second = fit_pairs(ax, [(alike[0], alike[1]), (alike[1], alike[2])], 200, fontsize=8)
    assert first.count("…") == second.count("…") == 2
    assert first.split(" − ")[1] == second.split(" − ")[0]
    assert not ax.texts  # what was measured is gone


def test_letters_that_no_font_has_are_written_by_their_code():
    assert drawable("naïve \N{ALIEN MONSTER}") == "naïve U+1F47E"
    with plt.rc_context({"svg.fonttype": "none"}):  # there the reader's fonts draw it
        assert drawable("\N{ALIEN MONSTER}") == "\N{ALIEN MONSTER}"


def test_more_pairs_than_there_is_room_for():
    ax = compared(30).plot()
    assert len([line for line in ax.get_lines() if line.get_marker() == "o"]) == 29
    assert "29 of 435 pairs" in ax.get_title("left")
    best = compared(30).ranking().names[0]
    assert all(best in (record["a"], record["b"]) for record in drawn_records(ax, compared(30)))


def drawn_records(ax, comparison):
    drawn = {line.get_xdata()[0] for line in ax.get_lines() if line.get_marker() == "o"}
    return [record for record in comparison.records() if record["difference"] in drawn and is_best(record, comparison)]


def is_best(record, comparison):
    return comparison.ranking().names[0] in (record["a"], record["b"])


def test_narrow_axes_have_few_marks():
    for chart in ("forest", "critical difference", "splits"):
        ax = Figure(figsize=(3.2, 3)).subplots()
        CHARTS[chart](3, ax=ax)
        ax.figure.canvas.draw()
        labels = [label.get_window_extent() for label in ax.get_xticklabels() if label.get_text()]
        assert not any(one.overlaps(other) for one, other in itertools.combinations(labels, 2)), chart


def test_classes_that_no_font_has():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = howsure.Confusion([[5, 1], [2, 6]], labels=["名", "前"]).plot()
        ax.figure.canvas.draw()
    assert {text.get_text() for text in ax.texts} >= {"U+540D", "U+524D"}


def test_bars_that_would_meet_are_on_different_levels():
    assert _levels([[1, 2], [2.05, 3], [1.5, 4]], 0.1) == [(1, 2, 0), (1.5, 4, 1), (2.05, 3, 2)]
    assert _levels([[1, 2], [3, 4]], 0.1) == [(1, 2, 0), (3, 4, 0)]
    assert _levels([], 0.1) == []


def test_columns_have_the_names_of_rows_where_these_fit():
    """Numbers stand for names that do not fit above their column."""
    rng = np.random.default_rng(0)
    truth = rng.random(90) < 0.5
    for names, headers in (
        (["ab", "cd", "ef"], ["ab", "cd", "ef"]),
        ([f"a name of {k} words" for k in range(3)], "123"),
    ):
        flipped = {name: truth ^ (rng.random(90) < 0.2) for name in names}
        ax = howsure.compare(truth, flipped).plot(kind="matrix")
        shown = [text.get_text() for text in ax.texts]
        assert all(shown.count(header) == 2 for header in headers)
