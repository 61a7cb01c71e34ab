"""Data frames in and out: the user's own library, and columns by name."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import howsure

COLUMNS = {"y": ["a", "b", "a", "b", "c"], "p": ["a", "b", "b", "b", "a"], "g": [1, 1, 2, 2, 2]}
MAKERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table, "lazy": pl.LazyFrame}


@pytest.mark.parametrize("library", MAKERS)
def test_frames_of_every_library(library):
    expected = howsure.assess(COLUMNS["y"], COLUMNS["p"])
    a = howsure.assess("y", "p", data=MAKERS[library](COLUMNS))
    assert a.confusion == expected.confusion
    out = a.frame()
    assert type(out).__module__.split(".")[0] == {"lazy": "polars"}.get(library, library)
    assert list(out["measure"])[:1] != []
    groups = howsure.assess("y", "p", data=MAKERS[library](COLUMNS), by="g")
    assert list(groups) == [1, 2]
    assert groups.overall.confusion == expected.confusion
    assert groups.frame().shape[0] == sum(len(groups[g].applicable()) for g in groups)


@pytest.mark.parametrize("like", ["pandas", "polars", "pyarrow"])
def test_frames_like_another_library(like):
    a = howsure.assess("y", "p", data=MAKERS["polars"](COLUMNS))
    groups = howsure.assess("y", "p", data=MAKERS["polars"](COLUMNS), by="g")
    for result in (a, groups):
        frame = result.frame(like, confidence=0.8, measures=["accuracy", "recall"])
        assert type(frame).__module__.split(".")[0] == like
        rows = nw.from_native(frame, eager_only=True).rows(named=True)
        records = result.records(confidence=0.8, measures=["accuracy", "recall"])
        # Frames have the interval last; repr, where nan is like nan.
        assert [sorted(map(repr, row.items())) for row in rows] == [sorted(map(repr, one.items())) for one in records]
        assert {row["confidence"] for row in rows} == {0.8}
        assert type(result.per_class().frame()).__module__.split(".")[0] == "polars"
        text = result.to_markdown(confidence=0.8, measures=["kappa"])
        assert "80 % interval" in text
        assert "kappa" in text
        assert "accuracy" not in text


def test_classes_with_every_digit():
    """Intervals are shown in one cell, and are numbers in frames."""
    a = howsure.assess(COLUMNS["y"], COLUMNS["p"])
    by_class = a.per_class(confidence=0.8)
    assert repr(by_class) == "PerClass(3 classes, 80 % intervals)"
    first = by_class.records()[0]
    interval = a.estimate("recall", label="a").interval(0.8)
    assert (first["class"], first["cases"]) == ("a", 2)
    assert (first["recall_low"], first["recall_high"]) == (interval.low, interval.high)
    assert by_class.sheet().records()[0]["recall interval"] == str(interval)
    grouped = howsure.assess("y", "p", data=COLUMNS | {"class": ["u", "u", "v", "v", "v"]}, by="class").per_class()
    assert [(one["by class"], one["class"]) for one in grouped.records()[2:4]] == [("u", "c"), ("v", "a")]


def test_names_and_arrays_mix():
    a = howsure.assess("y", COLUMNS["p"], data=COLUMNS, weight=np.ones(5))
    assert a.confusion.counts.sum() == 5
    assert howsure.assess(pd.Series(COLUMNS["y"], index=[9, 8, 7, 6, 5]), COLUMNS["p"]).n == 5


def test_groups():
    g = howsure.assess(COLUMNS["y"], COLUMNS["p"], by=["x", "x", "y", "y", "y"])
    assert list(g) == ["x", "y"]
    assert g["x"]["accuracy"].value == 1
    assert g["y"]["accuracy"].value == pytest.approx(1 / 3)
    assert g.overall["accuracy"].value == pytest.approx(3 / 5)
    assert g["x"].labels == g["y"].labels == ("a", "b", "c")
    with pytest.raises(howsure.HowsureError, match="`group` must be one of 'x', 'y', not 'z'"):
        g["z"]
    assert "by group" in str(g)
    assert "<table>" in g._repr_html_()
    assert repr(g) == "AssessmentGroups(by='group', groups=2, n=5)"


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("classes", [2, 3])
def test_all_groups_together_have_all_scores(classes, weighted):
    """What is said of all cases does not depend on the groups: measures of scores and curves included."""
    rng = np.random.default_rng(0)
    truth, groups = rng.integers(0, classes, 90), rng.choice(["x", "y", "z"], 90)
    scores = rng.dirichlet(np.ones(classes), 90) + np.eye(classes)[truth]
    scores = scores[:, 1] / 2 if classes == 2 else scores / scores.sum(1, keepdims=True)
    weight = {None: None, "whole": rng.integers(1, 4, 90), "real": rng.uniform(0.5, 2, 90)}[weighted]
    overall = howsure.assess(truth, scores=scores, weight=weight, by=groups).overall
    direct = howsure.assess(truth, scores=scores, weight=weight)
    assert overall.applicable() == direct.applicable()
    assert overall.n == direct.n
    for name in direct.applicable():
        np.testing.assert_allclose(overall[name].value, direct[name].value, rtol=1e-12)  # the same sums, reordered
    for name in ("auc", "brier"):
        one, other = overall[name].interval(), direct[name].interval()
        np.testing.assert_allclose((one.low, one.high), (other.low, other.high), rtol=1e-9)
    np.testing.assert_allclose(overall.roc(label=1).y, direct.roc(label=1).y, rtol=1e-12)


def test_a_published_table():
    a = howsure.assess(howsure.Confusion([[231, 27], [32, 54]], labels=["abnormal", "normal"]), positive="abnormal")
    assert a["recall"].value == pytest.approx(231 / 258)
    assert a.n == 344
    with pytest.raises(howsure.HowsureError, match="already counted"):
        howsure.assess(a.confusion, [1, 2])


def test_strings_of_results():
    a = howsure.assess(COLUMNS["y"], COLUMNS["p"])
    assert repr(a) == "Assessment(n=5, k=3, accuracy=0.6)"
    assert str(a["accuracy"]) == "accuracy: 0.600, 95 % interval [0.124, 0.952] (modified-wilson), n = 5"
    assert "\n" not in repr(a["accuracy"])
    assert '<td style="text-align:left">accuracy</td>' in a["accuracy"]._repr_html_()
    assert float(a["accuracy"]) == 0.6
    interval = a["accuracy"].interval()
    assert 0.6 in interval
    assert 0.96 not in interval
    undefined = howsure.assess(["a", "a"], ["a", "a"], labels=["a", "b"], positive="b")["recall"]
    assert str(undefined) == "recall (b): undefined, because no case belongs to this class"
    assert undefined.to_dict() == {
        "measure": "recall",
        "value": None,
        "n": 0.0,
        "of": "b",
        "undefined": "no case belongs to this class",
    }


def test_a_frame_too_wide_for_the_screen_shows_value_and_interval():
    """pandas shows the first and the last columns then; at 80 columns those of an assessment are these."""
    a = howsure.assess([0, 1] * 30, scores=[0.2, 0.8, 0.6, 0.7, 0.4, 0.3] * 10)
    first, *_ = a.frame("pandas").to_string(line_width=80, max_cols=4).splitlines()
    assert first.split() == ["measure", "value", "...", "low", "high"]
    assert list(a.records()[0])[:4] == ["measure", "value", "low", "high"]
