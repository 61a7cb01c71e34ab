"""The axis of values that curves over a parameter share: positions, scale, marks and labels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.figure import Figure

from howsure.present.charts.axes import ValueAxis, finish, mark_log, plain_texts, set_titles, short_label, texts_of


def new_axes():
    return Figure(layout="constrained").subplots()


def drawn(*values, scale=""):
    ax = new_axes()
    x = ValueAxis("it", values, scale).draw(ax)
    ax.plot(x, np.arange(len(x)))
    ax.figure.canvas.draw()
    return ax, x.tolist()


def labels(ax):
    return [label.get_text() for label in ax.get_xticklabels() if label.get_text()]


def test_numbers_stand_where_they_are_and_a_wide_range_is_logarithmic():
    ax, x = drawn(3, 1, 2)
    assert (x, ax.get_xscale(), sorted(labels(ax))) == ([3, 1, 2], "linear", ["1", "2", "3"])
    ax, x = drawn(1, 20)
    assert (x, ax.get_xscale(), labels(ax)) == ([1, 20], "log", ["1", "20"])
    assert drawn(0, 1000)[0].get_xscale() == "linear"
    assert drawn(50, 60, scale="log")[0].get_xscale() == "log"
    assert ax.get_xlabel() == "it"


@pytest.mark.parametrize("values", [("uniform", None), (1, np.inf), (True, False), (1, "auto"), (7,)])
def test_what_is_not_a_scale_of_finite_numbers_stands_in_a_row(values):
    ax, x = drawn(*values)
    assert x == list(range(len(values)))
    assert labels(ax) == [short_label(value) for value in values]


def test_shares_are_marked_in_percent():
    ax, x = drawn(0, 0.05, 0.4, scale="percent")
    assert x == [0, 0.05, 0.4]
    assert "10 %" in labels(ax)


@pytest.mark.parametrize("values", [range(40), [f"a long name {n}" for n in range(40)], np.geomspace(1, 1e6, 30)])
def test_many_values_do_not_crowd_the_axis(values):
    ax, _ = drawn(*values)
    boxes = [label.get_window_extent() for label in ax.get_xticklabels() if label.get_text()]
    flat = [box for box, label in zip(boxes, ax.get_xticklabels(), strict=False) if not label.get_rotation()]
    assert len(boxes) <= 12
    assert not any(one.overlaps(other) for one, other in itertools.pairwise(flat))


@pytest.mark.parametrize(("low", "high", "fewest"), [(1.0, 3.0, 3), (1.0, 300.0, 5), (1.0, 1e9, 3)])
def test_a_log_axis_has_marks_whatever_its_range(low, high, fewest):
    ax = new_axes()
    ax.plot([1, 2], [low, high])
    ax.set_yscale("log")
    mark_log(ax.yaxis, np.array([low, high]), lambda value: f"{value:g} s")
    ax.figure.canvas.draw()
    ticks = [tick for tick in ax.get_yticks() if low <= tick <= high]
    assert len(ticks) >= fewest
    assert all(label.get_text().endswith(" s") for label in ax.get_yticklabels())


def test_labels_are_short_and_on_one_line():
    assert short_label(0.123456) == "0.1235"
    assert short_label("a\nb") == r"a\nb"
    assert short_label("x" * 30) == "x" * 21 + "..."
    assert short_label((1, 2)) == "(1, 2)"


def test_names_are_drawn_as_they_are_and_the_formulas_of_a_caller_stay():
    ax = new_axes()
    ax.set_xlabel("$x^2$")
    before = texts_of(ax)
    ax.set_title("$x$\x1b[2J")
    plain_texts(ax, before)
    assert ax.get_title() == "$x$\\x1b[2J"
    assert not ax.title.get_parse_math()
    assert ax.xaxis.label.get_parse_math()


def test_the_finish():
    ax = new_axes()
    assert finish(ax) is ax
    assert ax.get_legend() is None  # nothing to explain
    ax.plot([0, 1], [1, 1], label="random", gid="howsure-reference")
    ax.plot([0, 1], [0, 1], label="line")
    assert [text.get_text() for text in finish(ax).get_legend().get_texts()] == ["line", "random"]
    assert not ax.spines["top"].get_visible()
    assert finish(new_axes(), legend=False).get_legend() is None


def test_titles_of_a_caller_stay():
    ax = new_axes()
    ax.set_title("mine")
    set_titles(ax, "ours", "across", "up")
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("mine", "across", "up")
