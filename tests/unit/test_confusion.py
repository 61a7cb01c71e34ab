"""Confusion: counting, merging, turning, and its views."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import howsure
from howsure import Confusion, Predictions

TABLES = st.integers(1, 5).flatmap(lambda k: hnp.arrays(np.int64, (k, k), elements=st.integers(0, 50)))


def rows_of(counts):
    """The cases behind a table."""
    truth, predicted = np.indices(counts.shape)
    return np.repeat(truth.ravel(), counts.ravel()), np.repeat(predicted.ravel(), counts.ravel())


@given(TABLES)
def test_counting_cases_gives_back_the_table(counts):
    if counts.sum() == 0:
        return
    truth, predicted = rows_of(counts)
    assert (Confusion.from_labels(truth, predicted, labels=range(len(counts))).counts == counts).all()


@given(TABLES, st.integers(0, 1000))
def test_any_split_merges_to_the_same_bits(counts, seed):
    truth, predicted = rows_of(counts)
    if len(truth) < 2:
        return
    labels = range(len(counts))
    cut = np.random.default_rng(seed).integers(1, len(truth))
    whole = Confusion.from_labels(truth, predicted, labels=labels)
    one = Confusion.from_labels(truth[:cut], predicted[:cut], labels=labels)
    two = Confusion.from_labels(truth[cut:], predicted[cut:], labels=labels)
    assert one + two == whole == two + one == sum([one, two])


def test_merging_tables_of_different_classes():
    one = Confusion([[1, 2], [3, 4]], labels=["a", "b"])
    two = Confusion([[5, 6], [7, 8]], labels=["c", "a"])
    merged = one + two
    assert merged.labels == ("a", "b", "c")
    assert merged.counts.tolist() == [[9, 2, 7], [3, 4, 0], [6, 0, 5]]
    assert merged == (two + one).reindex(merged.labels)


def test_merging_weighted_and_unweighted():
    weighted = Confusion.from_labels([0, 1], [0, 1], weight=[0.5, 2.0])
    plain = Confusion.from_labels([0, 1], [0, 0])
    merged = weighted + plain
    assert merged.counts.tolist() == [[1.5, 0], [1, 2]]
    assert merged.squares.tolist() == [[1.25, 0], [1, 4]]


def test_weights_sum_and_square():
    table = Confusion.from_labels(list("aab"), list("aba"), weight=[0.5, 1.5, 2.0])
    assert table.counts.tolist() == [[0.5, 1.5], [2.0, 0]]
    assert table.squares.tolist() == [[0.25, 2.25], [4.0, 0]]
    assert table.effective_n == pytest.approx(4.0**2 / 6.5, rel=1e-15)


@given(TABLES)
@settings(max_examples=50)
def test_views(counts):
    table = Confusion(counts)
    c, k = table.one_versus_rest, table.k
    for label in range(k):
        assert (c.tp[label], c.fn[label]) == (counts[label, label], counts[label].sum() - counts[label, label])
        assert c.fp[label] == counts[:, label].sum() - counts[label, label]
        assert c.tp[label] + c.fp[label] + c.fn[label] + c.tn[label] == counts.sum()
        folded = table.against(label).counts
        assert folded.tolist() == [[c.tp[label], c.fn[label]], [c.fp[label], c.tn[label]]]
    turned = table.transpose().one_versus_rest
    assert (turned.fp == c.fn).all()
    assert (turned.fn == c.fp).all()
    assert table.transpose().transpose() == table


@given(TABLES)
def test_chance_keeps_the_margins(counts):
    if counts.sum() == 0:
        return
    chance = Confusion(counts).chance().counts
    np.testing.assert_allclose(chance.sum(0), counts.sum(0), rtol=1e-12)
    np.testing.assert_allclose(chance.sum(1), counts.sum(1), rtol=1e-12)
    np.testing.assert_allclose(np.linalg.matrix_rank(chance), 1)


def test_batches():
    predictions = Predictions.of(list("aabb") * 2, list("abab") * 2, group=[1, 1, 2, 2] * 2, fold=[0] * 4 + [1] * 4)
    by_group = Confusion.from_predictions(predictions, per="group")
    assert by_group.counts.tolist() == [[[2, 2], [0, 0]], [[0, 0], [2, 2]]]
    assert by_group[1].counts.tolist() == [[0, 0], [2, 2]]
    by_fold = Confusion.from_predictions(predictions, per="fold")
    assert by_fold[0] + by_fold[1] == Confusion.from_predictions(predictions)
    assert repr(by_fold) == "Confusion(k=2, n=8, batch (2,))"


def test_many_classes_and_cases():
    rng = np.random.default_rng(0)
    truth, predicted = rng.integers(0, 1000, 1_000_000), rng.integers(0, 1000, 1_000_000)
    table = Confusion.from_labels(truth, predicted)
    assert table.counts.sum() == 1_000_000
    assert table.counts.shape == (1000, 1000)
    assert table.counts[3, 5] == ((truth == 3) & (predicted == 5)).sum()


@pytest.mark.parametrize(
    ("counts", "labels", "sentence"),
    [
        ([[1, 2]], None, "`counts` must be a square table, not an array of shape (1, 2)."),
        ([[1, -2], [3, 4]], None, "`counts` must be finite and non-negative."),
        ([[1, np.nan], [3, 4]], None, "`counts` must be finite and non-negative."),
        ([["a", "b"], ["c", "d"]], None, "`counts` must be numbers, not <U1."),
        ([[1, 2], [3, 4]], ["a"], "`labels` must be 2 different names, not ('a',)."),
        ([[1, 2], [3, 4]], ["a", "a"], "`labels` must be 2 different names, not ('a', 'a')."),
    ],
)
def test_bad_tables(counts, labels, sentence):
    with pytest.raises(howsure.HowsureError) as caught:
        Confusion(counts, labels)
    assert str(caught.value) == sentence


def test_it_is_frozen_and_independent_of_the_caller():
    given = np.array([[1, 2], [3, 4]])
    table = Confusion(given)
    given[0, 0] = 100
    assert table.counts[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0, 0] = 5
    with pytest.raises(AttributeError):
        table.labels = ("x", "y")


def test_labels_named_like_headings_lose_nothing():
    table = Confusion([[1, 2], [3, 4]], labels=["total", "truth"])
    assert table.sheet().rows[0] == ["total", 1, 2, 3]
    assert list(table.frame()) == ["truth", "predicted", "count", "share", "chance"]
    assert table.frame().shape == (4, 5)


def test_results_can_be_stored():
    a = howsure.assess(["a", "b", "a"], ["a", "b", "b"], weight=[0.5, 1.0, 2.0])
    again = pickle.loads(pickle.dumps(a))
    assert again["kappa"].interval() == a["kappa"].interval()
    estimate = pickle.loads(pickle.dumps(a["f1"]))
    assert estimate.interval(method="bca", replicates=100) == a["f1"].interval(method="bca", replicates=100)
