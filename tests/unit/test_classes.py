"""Classes: their order, the positive one, and labels of several types."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

import howsure
from howsure.data.predictions import KEYS, Key, Predictions


def test_order_is_sorted_and_independent_of_the_rows():
    assert howsure.assess(["b", "a", "c"], ["c", "c", "a"]).labels == ("a", "b", "c")
    assert howsure.assess([10, 9, 2], [2, 2, 2]).labels == (2, 9, 10)
    assert howsure.assess(["Z", "a", "É"], ["a", "a", "a"]).labels == ("Z", "a", "É")


@pytest.mark.parametrize("labels", [[False, True], [0, 1], ["no", "yes"], [-1, 1]])
def test_second_of_two_is_positive(labels):
    a = howsure.assess(labels, labels)
    assert a.labels == tuple(labels)
    assert a.positive == labels[1]
    assert "the second class by default" in a.title
    assert "by default" not in howsure.assess(labels, labels, positive=labels[1]).title


@pytest.mark.parametrize(("labels", "completed"), [([0, 0], (0, 1)), ([1, 1], (0, 1)), ([True], (False, True))])
def test_one_side_of_a_two_sided_question(labels, completed):
    """A fold without positives must not make the negatives positive."""
    assert howsure.assess(labels, labels).labels == completed
    assert howsure.assess(labels, labels).positive == completed[1]


def test_booleans_and_whole_numbers_meet():
    a = howsure.assess([True, False, True], [1, 0, 0])
    assert a["accuracy"].value == pytest.approx(2 / 3)
    assert howsure.assess(np.array([1.0, 0.0]), [1, 0])["accuracy"].value == 1


def test_given_labels_set_the_order_and_add_classes():
    a = howsure.assess(["lo", "hi"], ["lo", "lo"], labels=["lo", "mid", "hi"])
    assert a.labels == ("lo", "mid", "hi")
    assert a.confusion.counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]


def test_categories_set_the_order():
    truth = pd.Series(pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"]))
    assert howsure.assess(truth, truth).labels == ("lo", "mid", "hi")
    assert howsure.assess(truth, ["hi", "other"]).labels == ("lo", "mid", "hi", "other")


def test_positive_of_many_is_one_against_the_rest():
    truth, predicted = list("aabbcc"), list("abbbca")
    assert howsure.assess(truth, predicted, positive="b")["recall"].of == "b"
    assert howsure.assess(truth, predicted)["recall"].of == "macro average"
    assert howsure.assess(["1", "2"], ["1", "2"], positive="2").positive == "2"
    assert howsure.assess([1, 2], [1, 2], positive="2").positive == 2


def test_every_key_is_a_field_and_an_argument():
    assert set(KEYS) <= {field.name for field in fields(Predictions)}
    predictions = Predictions.of(list("aab"), list("abb"), **{key: ["z", "x", "z"] for key in KEYS})
    for key in KEYS:
        column = getattr(predictions, key)
        assert isinstance(column, Key)
        assert [column.values[code] for code in column.codes] == ["z", "x", "z"]
    with pytest.raises(TypeError, match=r"^Predictions have no {'site'}$"):
        Predictions.of([0, 1], [0, 1], site=[1, 2])
