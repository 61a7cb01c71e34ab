"""Scores of more than two classes: averages, pairs of classes, and what comes in."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import howsure
from howsure import HowsureError
from howsure.lab import coverage as lab_coverage
from howsure.measures import registry
from howsure.measures.estimate.classes import AverageBasis
from howsure.tables import ClassScores, ScoreRows

RTOL = 1e-12  # the same sums in another order
NAMES = np.array(["ant", "bee", "cat", "dog"])


def example(seed, n=60, k=3, weighted=None):
    """Rows of multiples of 1/16 that add up to 1: exact, with many ties, and somewhat right."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    share = (np.ones((k, k)) + 1.5 * np.eye(k))[truth]
    scores = np.array([rng.multinomial(16, row / row.sum()) for row in share]) / 16
    weight = {None: None, "whole": rng.integers(1, 5, n), "real": rng.uniform(0.2, 3, n)}[weighted]
    return truth, scores, weight


def pair_area(scores, weight, high, low):
    """Compare every case of one class with every case of another."""
    won = total = 0.0
    for i in np.flatnonzero(high):
        for j in np.flatnonzero(low):
            both = weight[i] * weight[j]
            won += both * (1.0 if scores[i] > scores[j] else 0.5 if scores[i] == scores[j] else 0.0)
            total += both
    return won / total


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("k", [3, 4])
def test_hand_and_till_by_brute_force(k, weighted):
    truth, scores, weight = example(k, n=40, k=k, weighted=weighted)
    w = np.ones(len(truth)) if weight is None else weight
    areas = [
        (pair_area(scores[:, a], w, truth == a, truth == b) + pair_area(scores[:, b], w, truth == b, truth == a)) / 2
        for a, b in itertools.combinations(range(k), 2)
    ]
    found = howsure.assess(truth, scores=scores, weight=weight)["auc_hand_till"]
    assert found.value == pytest.approx(np.mean(areas), rel=RTOL)
    assert found.value in found.interval()


@pytest.mark.parametrize("weighted", [None, "real"])
def test_one_versus_rest_by_brute_force(weighted):
    truth, scores, weight = example(1, n=40, weighted=weighted)
    w = np.ones(len(truth)) if weight is None else weight
    areas = [pair_area(scores[:, c], w, truth == c, truth != c) for c in range(3)]
    support = [w[truth == c].sum() for c in range(3)]
    a = howsure.assess(truth, scores=scores, weight=weight)
    assert a["auc"].value == pytest.approx(np.mean(areas), rel=RTOL)
    assert a["auc"].of == "macro average"
    assert a.estimate("auc", average="weighted").value == pytest.approx(np.average(areas, weights=support), rel=RTOL)
    for label, area in enumerate(areas):
        assert a.estimate("auc", label=label).value == pytest.approx(area, rel=RTOL)
    pooled = pair_area(scores.ravel(), np.repeat(w, 3), np.eye(3, dtype=bool)[truth].ravel(),
                       ~np.eye(3, dtype=bool)[truth].ravel())  # fmt: skip
    assert a.estimate("auc", average="micro").value == pytest.approx(pooled, rel=RTOL)


@pytest.mark.parametrize("name", ["auc", "gini", "average_precision", "ks_distance"])
def test_a_class_without_cases_is_left_out_of_averages(name):
    truth, scores, _ = example(2)
    wide = np.column_stack([scores * 0.75, np.full(len(truth), 0.25)])
    a = howsure.assess(truth, scores=wide, labels=[0, 1, 2, 3])
    three = howsure.assess(truth, scores=scores)
    for average in ("macro", "weighted"):
        found = a.estimate(name, average=average)
        assert found.value == pytest.approx(three.estimate(name, average=average).value, rel=RTOL)
        (note,) = found.notes
        assert note.startswith("averaged over 3 of 4 classes; left out: 3 (")
        interval = found.interval()
        if average == "macro":  # in which the class would count as much as any other
            assert math.isnan(interval.low)
        else:
            assert interval.low <= found.value <= interval.high
    assert a.estimate(name, label=3).undefined
    assert three.estimate(name, average="macro").notes == ()


def test_hand_and_till_without_cases_of_a_class():
    truth, scores, _ = example(2)
    wide = np.column_stack([scores * 0.75, np.full(len(truth), 0.25)])
    found = howsure.assess(truth, scores=wide, labels=[0, 1, 2, 3])["auc_hand_till"]
    assert found.value == pytest.approx(howsure.assess(truth, scores=scores)["auc_hand_till"].value, rel=RTOL)
    assert any("3" in note for note in found.notes)  # it says that a class is left out, as the averages do


def test_one_class_only():
    scores = example(3)[1]
    a = howsure.assess(np.zeros(len(scores), int), scores=scores, labels=[0, 1, 2])
    for name in ("auc", "gini", "auc_hand_till", "ks_distance"):
        found = a[name]
        assert math.isnan(found.value)
        assert found.undefined
        assert math.isnan(found.interval().low)
    for name in ("brier", "log_loss", "average_precision"):
        assert math.isfinite(a[name].value)
    assert str(a)


@pytest.mark.parametrize("library", [pd, pl])
def test_columns_by_name_in_any_order(library):
    truth, scores, _ = example(4)
    plain = howsure.assess(NAMES[truth], scores=scores)
    order = [2, 0, 1]
    frame = library.DataFrame({NAMES[c]: scores[:, c] for c in order})
    named = howsure.assess(NAMES[truth], scores=frame)
    np.testing.assert_array_equal(named.confusion.counts, plain.confusion.counts)
    for name in ("auc", "auc_hand_till", "brier", "log_loss", "accuracy"):
        assert named[name].value == plain[name].value
    data = frame.to_pandas() if library is pl else frame
    data = data.assign(truth=NAMES[truth])
    by_columns = howsure.assess("truth", scores=[NAMES[c] for c in order], data=data)
    assert by_columns["auc"].value == plain["auc"].value


def test_an_arrow_table_of_columns():
    truth, scores, _ = example(4)
    table = pa.table({NAMES[c]: scores[:, c] for c in (2, 0, 1)})
    assert howsure.assess(NAMES[truth], scores=table)["brier"].value == pytest.approx(
        howsure.assess(NAMES[truth], scores=scores)["brier"].value, rel=RTOL
    )


def test_columns_of_which_some_are_named_like_classes():
    """To take these by their place would give one class the scores of another, and say nothing."""
    truth, scores, _ = example(4)
    with pytest.raises(HowsureError, match="column"):
        howsure.assess(NAMES[truth], scores=pd.DataFrame(scores, columns=["bee", "ant", "kat"]))
    free = howsure.assess(NAMES[truth], scores=pd.DataFrame(scores, columns=["p1", "p2", "p3"]))
    assert free["auc"].value == howsure.assess(NAMES[truth], scores=scores)["auc"].value


def test_columns_named_by_numbers():
    truth, scores, _ = example(4)
    frame = pd.DataFrame({c: scores[:, c] for c in (1, 2, 0)})
    assert howsure.assess(truth, scores=frame)["brier"].value == howsure.assess(truth, scores=scores)["brier"].value


def test_two_columns_by_name():
    truth, scores, _ = example(5, k=2)
    frame = pd.DataFrame({"bee": scores[:, 1], "ant": scores[:, 0]})
    named = howsure.assess(NAMES[truth], scores=frame)
    assert named["auc"].value == howsure.assess(NAMES[truth], scores=scores)["auc"].value
    assert named["auc"].value > 0.5


@pytest.mark.parametrize("positive", ["ant", "bee"])
def test_a_matrix_of_two_columns_is_its_positive_column(positive):
    truth, scores, weight = example(5, k=2, weighted="whole")
    column = scores[:, 0 if positive == "ant" else 1]
    both = howsure.assess(NAMES[truth], scores=scores, weight=weight, positive=positive)
    one = howsure.assess(NAMES[truth], scores=column, weight=weight, positive=positive)
    assert both.scores == one.scores
    np.testing.assert_array_equal(both.confusion.counts, one.confusion.counts)
    for name in ("auc", "brier", "log_loss", "average_precision", "accuracy", "recall"):
        assert both[name].value == one[name].value
        assert both[name].interval() == one[name].interval()


def test_a_matrix_of_one_column():
    truth, scores, _ = example(5, k=2)
    one = howsure.assess(truth, scores=scores[:, [1]])
    assert one.scores == howsure.assess(truth, scores=scores[:, 1]).scores


@pytest.mark.parametrize(
    ("truth", "scores", "options", "sentence"),
    [
        (
            [0, 1, 2],
            np.ones((3, 2)) / 2,
            {},
            "`scores` has 2 columns, but there are 3 classes; name all classes in the order of the columns with "
            "`labels`.",
        ),
        (
            [0, 1, 1],
            np.ones((3, 4)) / 4,
            {},
            "`scores` has 4 columns, but there are 2 classes; name all classes in the order of the columns with "
            "`labels`.",
        ),
        (
            [0, 1, 2],
            [0.1, 0.2, 0.3],
            {},
            "`scores` is one column of scores, but there are 3 classes; give a column for each class, or name the "
            "class of this column with `positive=`.",
        ),
        (
            ["a", "a"],
            [0.1, 0.2],
            {},
            "with one class in the data, `labels` must name both, or `positive` another one.",
        ),
        ([0, 1], np.ones((2, 2, 2)), {}, None),
        (
            [0, 1, 2],
            [[0.1, np.nan, 0.2], [0, 0, 1], [1, 0, 0]],
            {},
            "`scores` has no number at index 0; drop these rows or give them a score.",
        ),
        ([0, 1], np.ones((3, 2)), {}, "`truth` has 2 rows and `scores` has 3; they must be of equal length."),
    ],
)
def test_scores_that_do_not_fit(truth, scores, options, sentence):
    with pytest.raises(HowsureError) as caught:
        howsure.assess(truth, scores=scores, **options)
    expected = sentence or "`scores` must be a column, or a column for each class, not an array of shape (2, 2, 2)."
    assert str(caught.value) == expected


@pytest.mark.parametrize("how", ["sum", "range"])
def test_rows_that_are_no_probabilities(how):
    truth, scores, _ = example(6)
    other = scores * 0.9 if how == "sum" else scores * 3 - 1
    a = howsure.assess(truth, scores=other)
    plain = howsure.assess(truth, scores=scores)
    for name in ("auc", "auc_hand_till", "average_precision"):
        assert a[name].value == pytest.approx(plain[name].value, rel=RTOL)
    for name in ("brier", "log_loss", "expected_calibration_error"):
        found = a[name]
        assert math.isnan(found.value)
        assert found.undefined == (
            "the scores are not probabilities: some are outside the range from 0 to 1, or rows do not add up to 1 "
            "within 0.001"
        )
        assert math.isnan(found.interval().low)
        assert found.interval().notes
    assert a["accuracy"].value == plain["accuracy"].value
    assert str(a)


def test_rounded_probabilities_are_probabilities():
    truth, scores, _ = example(6)
    rounded = (scores / 3 + 2 / 9).round(4)  # rows add up to 1 within a few ten-thousandths
    rounded /= 1.0
    assert math.isfinite(howsure.assess(truth, scores=rounded)["brier"].value)


def test_losses_by_hand():
    truth, scores, weight = example(7, weighted="real")
    scores = (scores + 0.01) / 1.03
    told = scores[np.arange(len(truth)), truth]
    a = howsure.assess(truth, scores=scores, weight=weight)
    assert a["log_loss"].value == pytest.approx(np.average(-np.log(told), weights=weight), rel=RTOL)
    squares = ((scores - np.eye(3)[truth]) ** 2).sum(1)
    assert a["brier"].value == pytest.approx(np.average(squares, weights=weight), rel=RTOL)
    error = math.sqrt((weight**2 * (squares - a["brier"].value) ** 2).sum()) / weight.sum()
    width = a["brier"].interval(method="delta").width
    assert width == pytest.approx(2 * 1.959963984540054 * error, rel=1e-9)


def test_top_k_by_hand():
    truth, scores, _ = example(8, k=4)
    a = howsure.assess(truth, scores=scores)
    for k in (1, 2, 3, 4):
        hits = [
            label in sorted(range(4), key=lambda c: (-row[c], c))[:k] for label, row in zip(truth, scores, strict=True)
        ]
        found = a.estimate("top_k_accuracy", k=k)
        assert found.value == np.mean(hits)
        wilson = howsure.intervals.modified_wilson(sum(hits), len(hits))
        assert (found.interval().low, found.interval().high) == pytest.approx((wilson.low, wilson.high), rel=RTOL)
    assert a.estimate("top_k_accuracy", k=4).value == 1
    with pytest.raises(HowsureError) as caught:
        a.estimate("top_k_accuracy", k=0)
    assert str(caught.value) == "`k` must be a whole number above 0, not 0."


def bootstrap_error(truth, scores, average, draws=1500, seed=0):
    from howsure.measures import registry

    rng, found = np.random.default_rng(seed), []
    for _ in range(draws):
        rows = rng.integers(0, len(truth), len(truth))
        drawn = ClassScores(ScoreRows(truth[rows], scores[rows], np.ones(len(rows))), (0, 1, 2))
        found.append(AverageBasis(drawn, registry["auc"], {}, average).value)
    return np.std(found)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_the_error_of_an_average_area_against_a_bootstrap_of_rows(average):
    """1,500 draws know a standard error to 2 %; the linear formula is itself good to a few per cent at 400 cases."""
    truth, scores, _ = example(9, n=400)
    told = ClassScores(ScoreRows(truth, scores, np.ones(len(truth))), (0, 1, 2))
    error = AverageBasis(told, registry["auc"], {}, average).standard_error
    assert error == pytest.approx(bootstrap_error(truth, scores, average), rel=0.1)
    interval = howsure.assess(truth, scores=scores).estimate("auc", average=average).interval(method="delong")
    assert interval.width == pytest.approx(2 * 1.959963984540054 * error, rel=0.02)
    drawn = (
        howsure.assess(truth, scores=scores)
        .estimate("auc", average=average)
        .interval(method="bootstrap", replicates=600)
    )
    assert drawn.width == pytest.approx(interval.width, rel=0.15)


@pytest.mark.parametrize("name", ["auc", "average_precision", "auc_hand_till", "brier", "log_loss"])
def test_whole_weights_are_repetitions(name):
    """Of value, n and interval, as everywhere."""
    truth, scores, weight = example(10, weighted="whole")
    one = howsure.assess(truth, scores=scores, weight=weight)[name]
    other = howsure.assess(np.repeat(truth, weight), scores=np.repeat(scores, weight, axis=0))[name]
    assert one.value == pytest.approx(other.value, rel=RTOL)
    assert one.n == other.n
    a, b = one.interval(), other.interval()
    # a bootstrap of 200 replicates knows its ends to a few per cent of the width; the rest is exact
    room = 0.35 * b.width if a.replicates else 1e-9
    assert a.low == pytest.approx(b.low, abs=room)
    assert a.high == pytest.approx(b.high, abs=room)


@pytest.mark.parametrize("name", ["auc", "average_precision", "auc_hand_till", "brier", "log_loss"])
def test_the_scale_of_real_weights_means_nothing(name):
    truth, scores, weight = example(11, weighted="real")
    one, other = (howsure.assess(truth, scores=scores, weight=weight * scale)[name] for scale in (1.0, 250.0))
    assert one.value == pytest.approx(other.value, rel=RTOL)
    assert one.n == pytest.approx(other.n, rel=1e-9)
    a, b = one.interval(), other.interval()
    assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-9)


@pytest.mark.parametrize("scores", ["perfect", "wrong", "constant", "random"])
def test_intervals_have_width_and_stay_in_range(scores):
    rng = np.random.default_rng(12)
    truth = np.arange(30) % 3
    matrix = {
        "perfect": np.eye(3)[truth],
        "wrong": np.eye(3)[(truth + 1) % 3],
        "constant": np.full((30, 3), 1 / 3),
        "random": rng.dirichlet(np.ones(3), 30),
    }[scores]
    a = howsure.assess(truth, scores=matrix)
    for name in ("auc", "gini", "average_precision", "ks_distance", "auc_hand_till", "brier", "log_loss"):
        for average in (None,) if name in ("auc_hand_till", "brier", "log_loss") else ("macro", "micro", "weighted"):
            found = a.estimate(name, average=average)
            interval, wide = found.interval(0.8), found.interval(0.99)
            where = f"{name} {average} {found.value} {interval}"
            assert interval.low <= found.value <= interval.high, where
            assert interval.width > 0, where
            assert wide.width > interval.width, where
            low, high = (
                (-1, 1) if name == "gini" else (0, 2 if name == "brier" else math.inf if name == "log_loss" else 1)
            )
            assert low <= wide.low <= wide.high <= high, where


def test_one_column_and_a_positive_class_collapse_the_rest():
    truth, scores, weight = example(13, weighted="whole")
    names = NAMES[truth]
    one = howsure.assess(names, scores=scores[:, 1], weight=weight, positive="bee")
    two = howsure.assess(np.where(names == "bee", "bee", "not bee"), scores=scores[:, 1], weight=weight, positive="bee")
    assert one.labels == ("not bee", "bee")
    assert one.positive == "bee"
    for name in ("auc", "brier", "accuracy", "recall", "precision"):
        assert one[name].value == two[name].value
        assert one[name].interval() == two[name].interval()
    told = howsure.assess(names, NAMES[scores.argmax(1)], scores=scores[:, 1], weight=weight, positive="bee")
    assert told["recall"].value == pytest.approx(
        howsure.assess(names, NAMES[scores.argmax(1)], weight=weight).estimate("recall", label="bee").value, rel=RTOL
    )


def test_a_positive_class_among_many_columns():
    """With a column for each class and a positive one, measures of scores are of that class."""
    truth, scores, _ = example(14)
    a = howsure.assess(NAMES[truth], scores=scores, positive="cat")
    every = howsure.assess(NAMES[truth], scores=scores)
    assert a["auc"].value == every.estimate("auc", label="cat").value
    assert a["auc"].of == "cat"
    assert a.roc().area == a["auc"].value
    assert a["auc_hand_till"].value == every["auc_hand_till"].value


def test_many_classes_have_no_threshold():
    truth, scores, _ = example(15)
    a = howsure.assess(truth, scores=scores)
    for ask in (lambda: a.at(0.5), lambda: a.best_threshold("f1")):
        with pytest.raises(HowsureError) as caught:
            ask()
        assert str(caught.value) == "a threshold decides between two classes, but there are more."


def test_the_class_with_the_highest_score_is_told():
    truth, scores, _ = example(16)
    told = howsure.assess(truth, scores=scores)
    by_hand = howsure.assess(truth, scores.argmax(1))
    np.testing.assert_array_equal(told.confusion.counts, by_hand.confusion.counts)


@pytest.mark.parametrize("kind", [int, float])
def test_a_weight_of_zero_is_removal(kind):
    truth, scores, _ = example(17)
    weight = np.random.default_rng(17).integers(0, 3, len(truth)).astype(kind)
    weight[:3] = 1
    kept = weight > 0
    one = howsure.assess(truth, scores=scores, weight=weight)
    other = howsure.assess(truth[kept], scores=scores[kept], weight=weight[kept])
    for name in ("auc", "auc_hand_till", "brier", "log_loss", "average_precision"):
        assert one[name].value == pytest.approx(other[name].value, rel=RTOL)
        assert one[name].n == other[name].n


def test_groups_of_many_classes():
    truth, scores, _ = example(18, n=90)
    group = np.arange(90) % 2
    a = howsure.assess(truth, scores=scores, by=group)
    for value in (0, 1):
        alone = howsure.assess(truth[group == value], scores=scores[group == value], labels=[0, 1, 2])
        assert a[value]["auc"].value == alone["auc"].value
    whole = howsure.assess(truth, scores=scores)
    assert a.overall["accuracy"].value == whole["accuracy"].value


@pytest.mark.parametrize("name", ["average_precision", "ks_distance"])
def test_the_interval_of_an_average_is_made_of_those_of_the_classes(name):
    """By hand: ways to the ends with a correlation of 0.2."""
    truth, scores, _ = example(11, n=120, k=3)
    a = howsure.assess(truth, scores=scores)
    found = a.estimate(name, average="macro")
    classes = [a.estimate(name, label=label) for label in range(3)]
    down, up = (
        np.array([sign * (one.value - end) / 3 for one, end in zip(classes, ends, strict=True)])
        for sign, ends in ((1, [one.interval().low for one in classes]), (-1, [one.interval().high for one in classes]))
    )
    low, high = (
        found.value + sign * np.sqrt(0.8 * (ways**2).sum() + 0.2 * ways.sum() ** 2)
        for sign, ways in ((-1, down), (1, up))
    )
    assert found.interval().method == "mover-mean"
    assert tuple(found.interval()) == pytest.approx((max(low, 0), min(high, 1)), rel=1e-9)


@pytest.mark.parametrize("name", ["expected_calibration_error", "maximum_calibration_error"])
def test_an_average_calibration_error_has_the_average_ends_of_all_classes_together(name):
    """Chance keeps every class's error above 0: ways down that make up for each other held the truth, 0, never."""
    truth, scores, _ = example(11, n=120, k=3)
    a = howsure.assess(truth, scores=scores)
    classes = [a.estimate(name, label=label).interval(1 - 0.05 / 3) for label in range(3)]
    wanted = [np.mean([tuple(one)[end] for one in classes]) for end in (0, 1)]
    assert tuple(a.estimate(name, average="macro").interval()) == pytest.approx(wanted, rel=1e-9)


def test_average_calibration_errors_of_calibrated_classes_hold_the_truth():
    found = lab_coverage("expected_calibration_error", 200, 0.1, "poor", classes=3, rounds=60, seed=1)["auto"]
    assert found.coverage > 0.9  # none before


def test_relative_errors_of_many_classes_are_centred_where_shares_are_known():
    """Shares of the same cases make guessing seem better by one in n: 87 % of the intervals held the truth."""
    found = lab_coverage("relative_absolute_error", 200, 0.1, "poor", classes=10, rounds=150, seed=1)["auto"]
    assert found.coverage > 0.92


def test_relative_errors_need_ten_cases_of_each_class():
    truth, scores, _ = example(12, n=90, k=3)
    few, enough = ((truth != 2) | (np.cumsum(truth == 2) <= most) for most in (9, 10))
    a = howsure.assess(truth[few], scores=scores[few])
    for name in ("relative_absolute_error", "root_relative_squared_error"):
        assert a[name].interval().notes == (
            "fewer than 10 cases belong to 2; an interval needs at least 10 of each class",
        )
        assert howsure.assess(truth[enough], scores=scores[enough])[name].interval().width > 0
        assert math.isnan(a[name].interval().low)
    assert a["root_mean_squared_error"].interval().width > 0


@pytest.mark.parametrize("name", ["auc", "auc_hand_till", "average_precision"])
def test_an_average_with_a_class_without_cases_has_no_interval(name):
    truth, scores, _ = example(12, n=90, k=3)
    seen = truth != 2
    interval = howsure.assess(truth[seen], scores=scores[seen], labels=[0, 1, 2])[name].interval()
    assert math.isnan(interval.low)
    assert interval.notes == ("no case belongs to 2",)


def test_an_average_has_no_interval_where_a_class_has_none():
    truth, scores, _ = example(13, n=60, k=3)
    keep = (truth != 2) | (np.cumsum(truth == 2) <= 3)
    interval = howsure.assess(truth[keep], scores=scores[keep])["average_precision"].interval()
    assert math.isnan(interval.low)
    assert interval.notes[0].startswith("of 2, 3 positive cases are too few")
