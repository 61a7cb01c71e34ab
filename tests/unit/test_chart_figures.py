"""Where charts are drawn: pyplot for `plot` without axes, figures of their own for pages and files, the user's axes."""

from __future__ import annotations

import base64
import warnings
from xml.etree import ElementTree as ET

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import howsure
from howsure import ScoreTable, curves
from howsure.present.charts.declare import charts_of
from howsure.present.charts.figure import describe, figure_of, html_image, svg
from howsure.present.charts.series import contrast, ink, muted, paper

SVG = "{http://www.w3.org/2000/svg}"


def roc(seed=0, n=80):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    return curves.roc(ScoreTable.from_scores(positive, np.round(0.3 * positive + rng.random(n), 3)))


def test_plot_without_axes_makes_a_pyplot_figure():
    ax = roc().plot()
    assert plt.get_fignums() == [ax.figure.number]
    assert plt.gcf() is ax.figure
    assert plt.gca() is ax
    assert roc().plot() is not ax
    assert len(plt.get_fignums()) == 2


def test_plot_on_axes_leaves_pyplot_alone():
    ax = Figure().subplots()
    assert roc().plot(ax) is ax
    assert roc().plot(ax=ax) is ax
    assert not plt.get_fignums()


def test_pages_and_files_leave_pyplot_alone(tmp_path):
    for _ in range(25):  # pyplot warns from the twenty-first figure on
        svg(roc())
    roc()._repr_html_()
    roc().save(tmp_path / "roc.png")
    assert not plt.get_fignums()


def test_a_chart_that_fails_leaves_no_empty_figure():
    with pytest.raises(howsure.HowsureError):
        roc().plot(flavour="mild")
    with pytest.raises(ValueError, match="nocolour"):
        roc().plot(color="nocolour")
    assert not plt.get_fignums()


def test_the_size_is_that_of_the_chart_unless_the_user_has_set_one():
    declared = charts_of(curves.Curve)["points"].size
    assert roc().plot(kind="points").figure.get_size_inches().tolist() == list(declared)
    with mpl.rc_context({"figure.figsize": (9, 3)}):
        assert roc().plot(kind="points").figure.get_size_inches().tolist() == [9, 3]


def test_options_that_are_none_are_refused_in_a_sentence():
    with pytest.raises(howsure.HowsureError) as caught:
        roc().plot(flavour="mild")
    assert str(caught.value) == "`flavour` is neither an option of this chart nor a keyword of a Matplotlib line."


def test_svg_says_what_it_shows_and_is_the_same_each_time():
    text = svg(roc())
    assert text == svg(roc())
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert (title.text, description.text) == describe(roc())
    assert root.get("aria-label") == f"{title.text}. {description.text}"
    assert "false positive rate" in [element.text for element in root.iter(f"{SVG}text")]
    classes = [element.get("class") for element in root.iter()]
    assert (classes.count("series"), classes.count("reference")) == (1, 1)


def test_svg_has_no_id_that_nothing_refers_to():
    text = svg(roc())
    for element in ET.fromstring(text).iter():
        if element.get("id"):
            assert f"#{element.get('id')}" in text


HOSTILE = ["<script>alert(1)</script>", "</svg>", '" onload="x', "$\\frac{$", "a\x1b[2Jb", ' id="x"', "名前", "x" * 200]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text(name):
    text = svg(roc(), label=name)
    root = ET.fromstring(text)
    words = " ".join(element.text or "" for element in root.iter(f"{SVG}text"))
    shown = name.replace("\x1b", "\\x1b")[: 13 if len(name) > 28 else None]
    assert shown in words
    assert not list(root.iter(f"{SVG}script"))
    assert "onload" not in root.attrib
    if name.isascii():  # of other letters Matplotlib says which are missing in its font
        roc().plot(label=name).figure.canvas.draw()


def test_images_of_pages_have_an_alternative_text():
    html = html_image(roc())
    title, words = describe(roc())
    assert html.startswith(f'<img alt="{title}. {words}" src="data:image/svg+xml;base64,')
    code = html.split("base64,")[1].split('"')[0]
    assert base64.b64decode(code).decode() == svg(roc())


def text_contrasts(figure):
    """Contrast of every visible text that is drawn with the ground it stands on."""
    from matplotlib.colors import to_rgb
    from matplotlib.text import Text

    figure.canvas.draw()
    for text in figure.findobj(Text):
        if text.get_text().strip() and text.get_visible():
            box = text.get_bbox_patch()
            ground = paper(figure.axes[0]) if box is None else to_rgb(box.get_facecolor())
            yield text.get_text(), contrast(to_rgb(text.get_color()), ground)


@pytest.mark.parametrize("style", ["default", "dark_background", "ggplot", "Solarize_Light2", "grayscale"])
def test_text_can_be_read_in_any_style(style):
    with plt.style.context(style):
        ax = roc().plot(label="tree")
        roc(1).plot(ax, label="bayes")
        assert contrast(ink(ax), paper(ax)) >= 4.5
        assert contrast(muted(ax), paper(ax)) >= 4.5
        limit = 4.5 if style != "Solarize_Light2" else 2.5  # its own marks are no darker
        ours = [text.get_text() for text in ax.get_legend().get_texts()]
        for text, value in text_contrasts(ax.figure):
            assert value >= (4.5 if text in ours else min(limit, 4.0)), text


def test_colours_come_from_the_cycle_of_the_axes():
    with mpl.rc_context({"axes.prop_cycle": mpl.cycler(color=["#ff0000", "#00ff00"])}):
        ax = roc().plot()
        roc(1).plot(ax)
    assert [line.get_color() for line in ax.get_lines() if line.get_gid() == "howsure-series"] == ["#ff0000", "#00ff00"]
    ax = Figure().subplots()
    ax.set_prop_cycle(color=["#0000ff"])
    assert roc().plot(ax).get_lines()[0].get_color() == "#0000ff"


def test_several_on_one_axes_differ_in_colour_and_dash_and_share_the_reference():
    ax = None
    for seed in range(6):
        ax = roc(seed).plot(ax, label=f"model {seed}")
    series = [line for line in ax.get_lines() if line.get_gid() == "howsure-series"]
    assert len(series) == 6
    assert len({line.get_color() for line in series}) == 6
    assert len({line.get_linestyle() for line in series}) >= 4  # further ones are all called dashed
    assert sum(line.get_gid() == "howsure-reference" for line in ax.get_lines()) == 1


def test_figures_of_their_own_draw_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure_of(roc()).canvas.draw()
