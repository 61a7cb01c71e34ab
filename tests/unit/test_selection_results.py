"""What `howsure.selection` gives: every result is presented in the same ways."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from howsure import Costs, KFold, selection
from howsure.present.result import Result

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
X = RNG.normal(size=(60, 2)) + Y[:, None]
KNN, BAYES, TWO = KNeighborsClassifier(), GaussianNB(), KFold(2)
GRID = {"n_neighbors": [1, 5]}
CALLS = {
    "tune": lambda: selection.tune(KNN, GRID, X, Y),
    "nested": lambda: selection.nested(KNN, GRID, X, Y, outer=TWO, inner=TWO),
    "learning_curve": lambda: selection.learning_curve(BAYES, X, Y, sizes=[10, 30], resampling=TWO),
    "complexity_curve": lambda: selection.complexity_curve(KNN, X, Y, "n_neighbors", [1, 5], resampling=TWO),
    "noise_curve": lambda: selection.noise_curve(BAYES, X, Y, shares=[0, 0.2], resampling=TWO),
    "compare_cost_methods": lambda: selection.compare_cost_methods(
        BAYES, X, Y, Costs(false_negative=5, false_positive=1), methods=["threshold"], resampling=TWO
    ),
    "criteria": lambda: selection.criteria({"bayes": BAYES, "knn": KNN}, X, Y, resampling=TWO),
    "bias_variance": lambda: selection.bias_variance(BAYES, X, Y, rounds=4),
    "bias_variance_curve": lambda: selection.bias_variance_curve(KNN, X, Y, "n_neighbors", [1, 5], rounds=4),
    "decompose": lambda: selection.decompose([[0, 1], [1, 1]], [0, 1]),
    "slope": lambda: selection.Slope(1.5, 0.1, 4),
}
PLOTS = ("learning_curve", "complexity_curve", "noise_curve", "bias_variance_curve")
WITH_CONFIDENCE = ("tune", "learning_curve", "complexity_curve", "noise_curve", "compare_cost_methods")


@pytest.fixture(scope="module")
def results():
    return {name: call() for name, call in CALLS.items()}


@pytest.mark.parametrize("name", CALLS)
def test_every_result_has_every_form(results, name):
    result = results[name]
    assert isinstance(result, Result)
    records = result.records()
    assert len(result.frame("pandas")) == len(result.frame("polars")) == len(records) > 0
    assert list(result.frame("pandas").columns) == list(dict.fromkeys(key for record in records for key in record))
    assert len(result.to_csv().splitlines()) == len(records) + 1
    assert str(result) == result.text()
    assert "\n" not in repr(result)
    assert result.to_html() in result._repr_html_()
    assert result.to_markdown().count("|") > 4
    assert r"\begin{tabular}" in result.to_latex()
    assert isinstance(result.notes, tuple)
    assert all(isinstance(note, str) for note in result.notes)
    json.dumps(result.to_dict(), allow_nan=False)


@pytest.mark.parametrize("name", [name for name in CALLS if name != "slope"])
def test_title_and_notes_are_in_what_is_printed(results, name):
    result = results[name]
    assert result.text(width=200).splitlines()[0] == result.title == result.sheet().title
    assert set(result.notes) <= set(result.sheet().notes)


@pytest.mark.parametrize("name", WITH_CONFIDENCE)
def test_a_lower_confidence_gives_a_narrower_interval(results, name):
    result = results[name]
    assert "80 % interval" in result.sheet(confidence=0.8).columns
    wide, narrow = result.frame("pandas"), result.frame("pandas", confidence=0.8)
    assert ((wide.high - wide.low) >= (narrow.high - narrow.low)).all()
    assert ((wide.high - wide.low) > (narrow.high - narrow.low)).any()


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_drawn_on_the_axes_of_the_caller(results, name):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    assert results[name].plot(ax) is ax
    ax.figure.draw_without_rendering()
    assert ax.get_legend() is not None
    assert not hasattr(results[name], "draw")


def test_the_axis_says_what_was_varied(results):
    titles = {name: results[name].plot().get_xlabel() for name in PLOTS}
    assert titles == {
        "learning_curve": "training cases",
        "complexity_curve": "n_neighbors",
        "noise_curve": "share of wrong training labels",
        "bias_variance_curve": "n_neighbors",
    }
    assert [text.get_text() for text in results["complexity_curve"].plot().get_legend().get_texts()[-2:]] == [
        f"best: {results['complexity_curve'].best_value}",
        f"one standard error: {results['complexity_curve'].one_standard_error}",
    ]


@pytest.mark.parametrize("name", ["tune", "nested"])
def test_the_model_is_fitted_on_all_cases(results, name):
    expected = KNeighborsClassifier(**results[name].parameters).fit(X, Y)
    np.testing.assert_array_equal(results[name].model.predict(X), expected.predict(X))


def test_settings_without_a_value_come_last():
    result = selection.tune(KNN, {"n_neighbors": [1000, 1, 2000, 5]}, X, Y)
    assert [row[0] for row in result.sheet().rows][2:] == [1000, 2000]


def test_a_value_without_end_has_a_place_on_the_axis_of_a_curve():
    curve = selection.complexity_curve(BAYES, X, Y, "var_smoothing", [1e-9, np.inf], resampling=TWO)
    ax = curve.plot()
    assert ax.get_lines()[0].get_xdata().tolist() == [0, 1]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1e-09", "inf"]
