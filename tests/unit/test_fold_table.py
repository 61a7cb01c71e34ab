"""FoldTable: the average over splits, and how sure it is."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from scipy import stats

import howsure
from howsure import FoldTable, Holdout, KFold, RepeatedHoldout, TimeOrder
from howsure.intervals import cautious_t, corrected_t, mean_t, mean_z

VALUES = [0.81, 0.79, 0.84, 0.80, 0.78]


def table_of(values, scheme=None, n=50, span=(0.0, 1.0), **more):
    """A table of one learner, "tree", or of several given as columns."""
    values = np.asarray(values, float)
    values = values[:, None] if values.ndim == 1 else values
    splits = (scheme or KFold(len(values))).splits(n)
    names = ("tree", "forest", "bayes")[: values.shape[1]]
    repeat, fold = (np.array([getattr(split, part) for split in splits]) for part in ("repeat", "fold"))
    return FoldTable(values, names, splits.fingerprint, "accuracy", splits.design, repeat, fold, span=span, **more)


def test_the_mean_of_the_splits():
    estimate = table_of(VALUES).estimate("tree")
    assert estimate.value == pytest.approx(0.804, rel=1e-15)
    assert (estimate.n, estimate.of, estimate.measure, estimate.notes) == (5, "mean of 5 splits", "accuracy", ())


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_student_with_one_degree_of_freedom_less_than_splits(confidence):
    found = table_of(VALUES).estimate("tree").interval(confidence, "t")
    low, high = stats.t.interval(confidence, df=4, loc=np.mean(VALUES), scale=stats.sem(VALUES))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)
    assert found.method == "t"


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(
    ("scheme", "ratio"),
    [
        (KFold(5), 1 / 4),
        (RepeatedHoldout(5, 0.2), 10 / 40),
        (RepeatedHoldout(5, 0.5), 25 / 25),
        (TimeOrder(5, test=5), 5 / 35),  # trained on 25, 30, 35, 40 and 45 rows
    ],
)
def test_corrected_interval_is_the_formula(scheme, ratio, confidence):
    found = table_of(VALUES, scheme).estimate("tree").interval(confidence, "corrected-t")
    deviation = np.std(VALUES, ddof=1)
    reach = stats.t.ppf(0.5 + confidence / 2, df=4) * deviation * np.sqrt(1 / 5 + ratio)
    expected = max(np.mean(VALUES) - reach, 0), min(np.mean(VALUES) + reach, 1)
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-12)
    assert found.method == "corrected-t"


def test_it_is_wider_than_that_of_independent_values():
    estimate = table_of(VALUES).estimate("tree")
    assert estimate.interval(method="corrected-t").width == pytest.approx(
        1.5 * estimate.interval(method="t").width, rel=1e-12
    )  # by the square root of 1 + 5 / 4


def test_the_automatic_one_depends_on_what_the_training_sets_share():
    assert table_of(VALUES).estimate("tree").interval().method == "corrected-t"
    assert table_of([0.8, 0.9], KFold(2)).estimate("tree").interval().method == "t"  # two halves share nothing
    for spelled in ("corrected_t", "Corrected-T"):
        assert table_of(VALUES).estimate("tree").interval(method=spelled).method == "corrected-t"


@pytest.mark.parametrize("method", ["t", "corrected-t"])
def test_one_side(method):
    estimate = table_of(VALUES, span=(-np.inf, np.inf)).estimate("tree")
    both = estimate.interval(0.9, method)
    assert estimate.interval(0.95, method, "lower").low == pytest.approx(both.low, rel=1e-12)
    assert estimate.interval(0.95, method, "lower").high == np.inf
    assert estimate.interval(0.95, method, "upper").high == pytest.approx(both.high, rel=1e-12)
    assert table_of(VALUES).estimate("tree").interval(0.95, method, "lower").high == 1


def test_the_interval_stays_in_the_range_of_the_measure():
    wild = [1.0, 1.0, 0.2, 1.0, 0.9]
    found = table_of(wild).estimate("tree").interval()
    assert found.high == 1
    assert found.low > 0
    assert table_of(wild, span=(-1.0, np.inf)).estimate("tree").interval().high > 1


def test_splits_without_a_value_are_left_out():
    reasons = {(1, "tree"): "no case was predicted as it", (0, "forest"): "another matter"}
    estimate = table_of([0.8, np.nan, 0.9, 0.7, np.nan], undefined=reasons).estimate("tree")
    assert estimate.value == pytest.approx(0.8, rel=1e-15)
    assert (estimate.n, estimate.of) == (3, "mean of 3 splits")
    assert estimate.notes == (
        "2 of 5 splits have no value, because no case was predicted as it; the pooled value uses all predictions",
    )
    expected = mean_t([0.8, 0.9, 0.7])
    assert (estimate.interval(method="t").low, estimate.interval(method="t").high) == (
        expected.low,
        min(expected.high, 1),
    )
    plain = table_of([0.8, np.nan, 0.9]).estimate("tree")
    assert plain.notes == ("1 of 3 splits has no value; the pooled value uses all predictions",)


@pytest.mark.parametrize(
    ("reasons", "told"),
    [({(2, "tree"): "there is one class only"}, "there is one class only"), ({}, "no split has a value")],
)
def test_no_split_has_a_value(reasons, told):
    estimate = table_of([np.nan] * 5, undefined=reasons).estimate("tree")
    assert np.isnan(estimate.value)
    assert (estimate.n, estimate.undefined) == (0, told)
    found = estimate.interval()
    assert np.isnan([found.low, found.high]).all()
    assert found.notes == (told,)
    assert str(estimate) == f"accuracy (mean of 0 splits): undefined, because {told}"


def test_one_split_says_nothing_of_its_spread():
    estimate = table_of([0.8], Holdout()).estimate("tree")
    assert estimate.value == 0.8
    found = estimate.interval()
    assert np.isnan([found.low, found.high]).all()
    assert found.notes == ("one value says nothing about its spread",)


NO_SPREAD = "all values are equal, so the standard error is unknown"


@pytest.mark.parametrize("values", [[0.5] * 10, [0.1 + 0.2, 0.3] * 5])  # the second vary by rounding alone
def test_values_that_do_not_vary_do_not_tell_how_sure_their_mean_is(values):
    """No spread in the sample does not show that there is none."""
    for scheme in (KFold(10), KFold(5, repeats=2)):
        estimate = table_of(values, scheme).estimate("tree")
        for method in ("auto", *estimate.methods):
            for side in ("two-sided", "lower", "upper"):
                found = estimate.interval(method=method, side=side)
                assert np.isnan([*found]).all()
                assert found.notes == (NO_SPREAD,)
    assert estimate.value == pytest.approx(values[0], rel=1e-12)
    assert " ".join(str(estimate).split()).endswith(f", n = 10 note: no interval, because {NO_SPREAD}")
    assert estimate.records()[0]["note"] == f"no interval, because {NO_SPREAD}"
    repeat = [1] * 5 + [2] * 5
    plain = (mean_t(values), mean_z(values), corrected_t(values, ratio=1 / 9), cautious_t(values, 1 / 4, repeat))
    assert [found.notes for found in plain] == [(NO_SPREAD,)] * 4
    assert [found.method for found in plain] == ["t", "z", "corrected-t", "cautious-t"]
    assert mean_z(values, sigma=0.1).width > 0  # a spread that is known is not taken from the values


def test_small_values_that_vary_have_an_interval():
    assert mean_t([1e-15, 2e-15, 3e-15]).width == pytest.approx(1e-15 * mean_t([1, 2, 3]).width, rel=1e-9)


def test_learners_side_by_side():
    table = table_of([[0.8, 0.7], [0.9, 0.6]], KFold(2))
    assert table["forest"].tolist() == [0.7, 0.6]
    assert table.estimate("forest").value == pytest.approx(0.65, rel=1e-15)
    assert table.records() == [
        {"repeat": 1, "fold": 1, "tree": 0.8, "forest": 0.7},
        {"repeat": 1, "fold": 2, "tree": 0.9, "forest": 0.6},
    ]
    assert table.frame().shape == (2, 4)
    assert "0.900" in str(table)
    assert "<table" in table._repr_html_()


def test_it_can_be_stored():
    reasons = {(1, "tree"): "no case was predicted as it"}
    table = table_of([0.8, np.nan, 0.9], undefined=reasons)
    stored = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert stored["values"] == [[0.8], [None], [0.9]]
    assert stored["undefined"] == [{"split": 1, "learner": "tree", "reason": "no case was predicted as it"}]
    assert stored["fingerprint"] == KFold(3).splits(50).fingerprint
    again = pickle.loads(pickle.dumps(table))
    assert again.estimate("tree").interval() == table.estimate("tree").interval()


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda table: table.estimate("tre"),
            "`learner` must be one of 'tree', 'forest', not 'tre'; did you mean 'tree'?",
        ),
        (
            lambda table: table.estimate("tree").interval(method="wald"),
            "`method` must be one of 'auto', 't', 'corrected-t', not 'wald'.",
        ),
        (
            lambda table: table.estimate("tree").interval(method=3),
            "`method` must be one of 'auto', 't', 'corrected-t', not 3.",
        ),
        (
            lambda table: table.estimate("tree").interval(confidence=95),
            "`confidence` must be a number between 0 and 1, not 95; did you mean 0.95?",
        ),
        (
            lambda table: table.estimate("tree").interval(side="left"),
            "`side` must be one of 'two-sided', 'lower', 'upper', not 'left'.",
        ),
        (lambda _: corrected_t(VALUES, ratio=-1), "`ratio` must be a number, 0 or above, not -1."),
        (lambda _: corrected_t([0.8, np.nan], ratio=0.1), "`values` must be finite, not nan."),
        (lambda _: corrected_t([], ratio=0.1), "`values` must be a sequence of numbers, not an array of shape (0,)."),
    ],
)
def test_bad_input(ask, sentence):
    with pytest.raises(howsure.HowsureError) as caught:
        ask(table_of([[0.8, 0.7], [0.9, 0.6]], KFold(2)))
    assert str(caught.value) == sentence


# The interval on plain numbers


def test_without_a_correction_it_is_students():
    assert corrected_t(VALUES, ratio=0).low == pytest.approx(mean_t(VALUES).low, rel=1e-14)
    assert corrected_t(VALUES, ratio=0).high == pytest.approx(mean_t(VALUES).high, rel=1e-14)


def test_it_is_the_test_of_nadeau_and_bengio():
    """The interval leaves out 0 exactly where their corrected t test, written out, refuses it."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        differences = rng.normal(0.05, 0.06, 10)
        statistic = differences.mean() / np.sqrt((1 / 10 + 1 / 9) * differences.var(ddof=1))
        refused = 2 * stats.t.sf(abs(statistic), df=9) < 0.05
        assert (0 in corrected_t(differences, ratio=1 / 9)) != refused


def test_one_value():
    found = corrected_t([0.8], ratio=0.1)
    assert np.isnan([found.low, found.high]).all()
    assert (found.method, found.notes) == ("corrected-t", ("one value says nothing about its spread",))
