"""Drawing cases: what a sample is does not depend on the order of rows, and a weight is a number of copies."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from howsure.errors import HowsureError
from howsure.learners.common.case_order import canonical_order, number_cases
from howsure.learners.common.checks import spawn
from howsure.learners.ensemble.bootstrap_draws import CaseSampler


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
    one = CaseSampler.of(X[copies], y[copies])
    other = CaseSampler.of(X[shuffled], y[shuffled], weight[shuffled].astype(float))
    assert one.size == other.size == weight.sum()
    first = sampled(X[copies], one.draw(np.random.default_rng(5)))
    second = sampled(X[shuffled], other.draw(np.random.default_rng(5)))
    assert np.array_equal(first, second)


def test_an_urn_holds_zero_weights_out_and_draws_as_often_as_weights_say():
    X, y = np.arange(4.0)[:, None], np.zeros(4, int)
    times = CaseSampler.of(X, y, np.array([0.0, 0.5, 1.5, 0.0])).draw(np.random.default_rng(0), size=100_000)
    assert times[0] == times[3] == 0
    assert times[2] / 100_000 == pytest.approx(0.75, abs=0.006)  # four standard errors of a share of 100,000
    assert CaseSampler.of(X, y, np.array([0.0, 0.5, 1.5, 0.0])).size == 2


def test_weights_of_a_round_stand_for_those_of_the_urn():
    urn = CaseSampler.of(np.arange(3.0)[:, None], np.zeros(3, int))
    assert urn.draw(np.random.default_rng(0), weight=np.array([0.0, 1.0, 0.0])).tolist() == [0, 3, 0]
    last = urn.draw(np.random.default_rng(0), size=1000, weight=np.array([0.2, 0.8, 0.0]))
    assert last[2] == 0


def test_a_bootstrap_sample_leaves_out_about_a_third():
    urn = CaseSampler.of(np.random.default_rng(0).normal(size=(10_000, 2)), np.zeros(10_000, int))
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
    text = np.array([["b", None], ["a", 1.0], ["b", None]], dtype=object)
    assert (
        text[canonical_order(text, np.zeros(3, int))].tolist()
        == text[::-1][canonical_order(text[::-1], np.zeros(3, int))].tolist()
    )
    numbers = np.array([[2.0], [1.0]])
    assert np.array_equal(canonical_order(numbers.astype(object), [0, 0]), canonical_order(numbers, [0, 0]))


def hard_to_tell(kind):
    """Cases that a projection confuses: NaN beside zero, small numbers beside a large one, infinities."""
    rng = np.random.default_rng(4)
    X = rng.integers(0, 3, (80, 2)).astype(float)
    if kind == "missing":
        X[X == 1] = np.nan
    elif kind == "large":
        X = np.column_stack([np.full(80, 1e20), X])
    else:
        X = np.where(X == 1, np.inf, np.where(X == 2, -np.inf, X))
    return X, rng.integers(0, 2, 80)


@pytest.mark.parametrize("kind", ["missing", "large", "infinite"])
def test_cases_that_a_projection_confuses_are_told_apart(kind):
    X, y = hard_to_tell(kind)
    shuffled = np.random.default_rng(5).permutation(len(y))
    other = X[shuffled]
    first, second = X[canonical_order(X, y)], other[canonical_order(other, y[shuffled])]
    assert np.array_equal(first, second, equal_nan=True)
    different = {(str(row.tolist()), label) for row, label in zip(X, y, strict=True)}
    assert number_cases(X, y).max() + 1 == len(different)


def test_sparse_cases_that_a_projection_confuses_are_told_apart():
    X, y = hard_to_tell("large")
    thin = sparse.csr_array(X)
    shuffled = np.random.default_rng(5).permutation(len(y))
    first, second = X[canonical_order(thin, y)], X[shuffled][canonical_order(thin[shuffled], y[shuffled])]
    assert np.array_equal(first, second)
    assert number_cases(thin, y).max() + 1 == len(np.unique(np.column_stack([X, y]), axis=0))


def test_weights_too_large_to_be_counted_are_no_copies_and_too_many_draws_are_refused():
    X, y = np.arange(3.0)[:, None], np.zeros(3, int)
    assert CaseSampler.of(X, y, np.full(3, 1e20)).size == 3
    assert CaseSampler.of(X, y, np.full(3, 1e20)).draw(np.random.default_rng(0)).sum() == 3
    survey = CaseSampler.of(X, y, np.full(3, 1e9))
    assert survey.draw(np.random.default_rng(0), size=5).sum() == 5
    with pytest.raises(HowsureError) as refused:
        survey.draw(np.random.default_rng(0))
    remedy = "divide `sample_weight` by its mean, or set `max_samples` if the learner has it"
    assert str(refused.value) == f"a sample must have at most 134,217,728 draws, not 3,000,000,000; {remedy}."


@pytest.mark.parametrize(("random_state", "text"), [(-1, "-1"), (1.5, "1.5"), ("a", "'a'"), ([1, 2], "[1, 2]")])
def test_other_seeds_are_refused(random_state, text):
    with pytest.raises(HowsureError) as refused:
        spawn(random_state, 2)
    assert str(refused.value) == f"`random_state` must be a whole number from 0, a RandomState or None, not {text}."


def test_seeds_do_not_depend_on_how_many_are_asked_for():
    few, many = spawn(7, 2), spawn(7, 5)
    assert [seed.generate_state(1)[0] for seed in few] == [seed.generate_state(1)[0] for seed in many[:2]]
    state = spawn(np.random.RandomState(7), 1)[0]
    assert state.generate_state(1)[0] == spawn(np.random.RandomState(7), 1)[0].generate_state(1)[0]


def test_copies_are_known_in_data_frames_of_any_kind():
    frame = pd.DataFrame(
        {
            "town": ["a", "b", "a", None, "a"],
            "size": [1.0, 2.0, 1.0, np.nan, 2.0],
            "plan": pd.Categorical(["x", "y", "x", "x", "x"]),
            "day": pd.to_datetime(["2026-01-01"] * 5),
        }
    )
    y = np.array([0, 0, 0, 1, 0])
    cases = number_cases(frame, y)
    assert cases[0] == cases[2]
    assert len(set(cases)) == 4
    shuffled = np.array([3, 1, 4, 2, 0])
    assert np.array_equal(number_cases(frame.iloc[shuffled], y[shuffled]), cases[shuffled])
    copies = np.array([0, 0, 0, 1, 3, 3])  # as many as the weights say, and not all of the cases
    weight = np.array([3.0, 1.0, 0.0, 2.0, 0.0])
    drawn = CaseSampler.of(frame.iloc[copies], y[copies]).draw(np.random.default_rng(0))
    weighed = CaseSampler.of(frame, y, weight).draw(np.random.default_rng(0))
    assert [drawn[:3].sum(), drawn[3], drawn[4:].sum()] == [weighed[0], weighed[1], weighed[3]]
