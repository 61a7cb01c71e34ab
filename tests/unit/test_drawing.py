"""Drawing cases: what a sample is does not depend on the order of rows, and a weight is a number of copies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay.learners.drawing import Urn, canonical_order, seeded, spawn


def sampled(X, times):
    """The sample as a sorted table of its rows."""
    rows = np.repeat(X, times, axis=0)
    return rows[np.lexsort(rows.T)]


@given(st.integers(0, 10**6), st.integers(2, 30))
@settings(max_examples=50, deadline=None)
def test_whole_weights_are_copies_in_any_order(seed, n):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 3)), rng.integers(0, 2, n)
    weight = rng.integers(0, 4, n)
    weight[0] = 1  # at least one case
    copies = np.repeat(np.arange(n), weight)
    shuffled = rng.permutation(n)
    one = Urn.of(X[copies], y[copies])
    other = Urn.of(X[shuffled], y[shuffled], weight[shuffled].astype(float))
    assert one.size == other.size == weight.sum()
    first = sampled(X[copies], one.draw(np.random.default_rng(5)))
    second = sampled(X[shuffled], other.draw(np.random.default_rng(5)))
    assert np.array_equal(first, second)


def test_an_urn_holds_zero_weights_out_and_draws_as_often_as_weights_say():
    X, y = np.arange(4.0)[:, None], np.zeros(4, int)
    times = Urn.of(X, y, np.array([0.0, 0.5, 1.5, 0.0])).draw(np.random.default_rng(0), size=100_000)
    assert times[0] == times[3] == 0
    assert times[2] / 100_000 == pytest.approx(0.75, abs=0.006)  # four standard errors of a share of 100,000
    assert Urn.of(X, y, np.array([0.0, 0.5, 1.5, 0.0])).size == 2


def test_weights_of_a_round_stand_for_those_of_the_urn():
    urn = Urn.of(np.arange(3.0)[:, None], np.zeros(3, int))
    assert urn.draw(np.random.default_rng(0), weight=np.array([0.0, 1.0, 0.0])).tolist() == [0, 3, 0]
    last = urn.draw(np.random.default_rng(0), size=1000, weight=np.array([0.2, 0.8, 0.0]))
    assert last[2] == 0


def test_a_bootstrap_sample_leaves_out_about_a_third():
    urn = Urn.of(np.random.default_rng(0).normal(size=(10_000, 2)), np.zeros(10_000, int))
    out = (urn.draw(np.random.default_rng(1)) == 0).mean()
    assert out == pytest.approx(np.exp(-1), abs=0.02)


def test_order_is_the_same_for_dense_and_sparse_and_follows_the_class():
    X = np.round(np.random.default_rng(3).normal(size=(20, 4)))
    y = np.arange(20) % 2
    assert np.array_equal(X[canonical_order(X, y)], X[canonical_order(sparse.csr_array(X), y)])
    same = np.zeros((4, 1))
    assert canonical_order(same, np.array([1, 0, 1, 0])).tolist() == [1, 3, 0, 2]


def test_missing_values_and_text_do_not_stop_the_order():
    assert len(canonical_order(np.array([[np.nan], [1.0], [np.inf]]), np.zeros(3, int))) == 3
    text = np.array([["b"], ["a"]], dtype=object)
    assert canonical_order(text, np.zeros(2, int)).tolist() == [0, 1]
    numbers = np.array([[2.0], [1.0]])
    assert np.array_equal(canonical_order(numbers.astype(object), [0, 0]), canonical_order(numbers, [0, 0]))


def test_seeds_do_not_depend_on_how_many_are_asked_for():
    few, many = spawn(7, 2), spawn(7, 5)
    assert [seed.generate_state(1)[0] for seed in few] == [seed.generate_state(1)[0] for seed in many[:2]]
    state = spawn(np.random.RandomState(7), 1)[0]
    assert state.generate_state(1)[0] == spawn(np.random.RandomState(7), 1)[0].generate_state(1)[0]


def test_seeding_reaches_the_steps_of_a_pipeline_and_leaves_the_given_learner_alone():
    given = make_pipeline(DecisionTreeClassifier(random_state=3))
    copy = seeded(given, spawn(0, 1)[0])
    assert copy[0].random_state not in (3, None)
    assert given[0].random_state == 3
    assert seeded(LogisticRegression(), spawn(0, 1)[0]).random_state is not None
