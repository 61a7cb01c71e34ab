"""ScoreTable: what is counted at each score, however it is counted, in whatever parts."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import howsure
from howsure import HowsureError, ScoreTable
from howsure.kernels import ranking

RTOL = 1e-12  # sums of the same weights in another order

FLOATS = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, -0.5, 1.0, math.inf, -math.inf, 5e-324, -5e-324, 1e308]),
    st.floats(allow_nan=False),
)
COLUMNS = {
    "ties": [0.2, 0.2, 0.8, 0.2, 0.8, 0.5],
    "infinities": [math.inf, -math.inf, 1.0, math.inf, -1.0, -math.inf],
    "infinite above": [math.inf, 2.0, 1.0],
    "zeros": [0.0, -0.0, 0.0, -0.0],
    "zeros and signs": [-1.0, -0.0, 1.0, 0.0, -1.0, 1.0],
    "mixed sign": [-3.0, 2.0, -1.0, 5.0, -3.0, 2.0],
    "all negative": [-3.0, -2.0, -3.0, -0.5],
    "one": [0.7],
    "one negative": [-0.7],
    "constant": [0.4] * 7,
    "constant negative": [-0.4] * 7,
    "constant zero": [0.0] * 7,
    "integers": [3, 1, 2, 3, -2, 0],
    "subnormal": [5e-324, 0.0, -5e-324, 1e-310],
    "largest": [1.7976931348623157e308, -1.7976931348623157e308, 0.0],
}


def fast(monkeypatch):
    """Let small columns take the compiled way too."""
    pytest.importorskip("numba")
    ranking.compiled.cache_clear()
    monkeypatch.delenv("HOWSURE_FAST", raising=False)
    monkeypatch.setattr(ranking, "COMPILED_FROM", 0)
    assert ranking.compiled() is not None


def slow(monkeypatch):
    monkeypatch.setattr(ranking, "compiled", lambda: None)


def counted(positive, scores, weight=None):
    """Count by a dictionary: the plainest oracle there is."""
    weight = [1] * len(scores) if weight is None else weight
    found = defaultdict(lambda: [0, 0])
    for is_positive, score, w in zip(positive, scores, weight, strict=True):
        found[float(score) + 0.0][0 if is_positive else 1] += w
    ordered = sorted(found, reverse=True)
    return np.array(ordered), np.array([found[s][0] for s in ordered]), np.array([found[s][1] for s in ordered])


def same_bits(a, b):
    for one, other in zip(a, b, strict=True):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()


def both_ways(monkeypatch, scores, positive):
    with monkeypatch.context() as patch:
        fast(patch)
        one = ranking.rank(scores, positive)
    with monkeypatch.context() as patch:
        slow(patch)
        other = ranking.rank(scores, positive)
    return one, other


def check_ranked(ranked, scores, positive):
    expected = counted(positive, scores)
    np.testing.assert_array_equal(ranked[0].astype(float), expected[0])
    np.testing.assert_array_equal(ranked[1], expected[1])
    np.testing.assert_array_equal(ranked[2], expected[2])
    distinct, sums = ranking.rank_weighted(scores, [positive.astype(np.int64), (~positive).astype(np.int64)])
    assert distinct.tobytes() == ranked[0].tobytes()
    np.testing.assert_array_equal(sums[0], ranked[1])
    np.testing.assert_array_equal(sums[1], ranked[2])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", COLUMNS)
def test_both_ways_of_ranking_give_the_same_bits(name, kind, monkeypatch):
    with np.errstate(over="ignore"):  # the largest double is infinite as a single
        scores = np.array(COLUMNS[name], float).astype(kind)
    rng = np.random.default_rng(1)
    for _ in range(5):
        positive = rng.random(len(scores)) < 0.5
        one, other = both_ways(monkeypatch, scores, positive)
        same_bits(one, other)
        check_ranked(one, scores, positive)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(6))
def test_both_ways_on_seeded_columns(seed, kind, monkeypatch):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6000))
    scores = rng.normal(size=n) * 10.0 ** rng.integers(-30, 30, n)
    scores = [scores, np.abs(scores), -np.abs(scores), np.round(rng.normal(size=n), 1), rng.integers(0, 5, n) - 2][
        seed % 5
    ].astype(kind)
    scores[rng.random(n) < 0.1] *= 0
    scores[rng.random(n) < 0.02] = np.inf
    scores[rng.random(n) < 0.02] = -np.inf
    positive = rng.random(n) < 0.3
    one, other = both_ways(monkeypatch, scores, positive)
    same_bits(one, other)
    check_ranked(one, scores, positive)


def test_both_ways_on_a_large_column(monkeypatch):
    """Enough for the real limit, so that nothing is forced: two threads, a median, and both parts filled."""
    rng = np.random.default_rng(7)
    scores = np.round(rng.normal(size=ranking.COMPILED_FROM + 1), 3)
    positive = rng.random(len(scores)) < 0.4
    pytest.importorskip("numba")
    one = ranking.rank(scores, positive)
    slow(monkeypatch)
    same_bits(one, ranking.rank(scores, positive))
    assert one[1].sum() == positive.sum()
    assert (np.diff(one[0]) < 0).all()


@given(st.lists(st.tuples(FLOATS, st.booleans()), min_size=1, max_size=30), st.sampled_from([32, 64]))
@settings(max_examples=150, deadline=None)
def test_both_ways_on_anything(cases, width):
    with np.errstate(over="ignore"):
        scores = np.array([score for score, _ in cases], f"f{width // 8}")
    positive = np.array([flag for _, flag in cases])
    with pytest.MonkeyPatch.context() as patch:
        one, other = both_ways(patch, scores, positive)
    same_bits(one, other)
    check_ranked(one, scores, positive)


def test_columns_that_are_not_contiguous():
    """A column of a matrix, a column backwards."""
    rng = np.random.default_rng(2)
    matrix, flags = rng.normal(size=(40, 3)).round(1), rng.random((40, 2)) < 0.5
    for scores, positive in ((matrix[:, 1], flags[:, 0]), (matrix[::-1, 2], flags[::-1, 1])):
        check_ranked(ranking.rank(scores, positive), scores, positive)


@pytest.mark.parametrize("given_as", ["list", "int", "bool", "float32", "float64"])
def test_scores_of_any_number_type(given_as):
    positive = [1, 0, 1, 0]
    scores = [1, 0, 0, 1]
    told = scores if given_as == "list" else np.array(scores, given_as)
    table = ScoreTable.from_scores(positive, told)
    assert table.scores.tolist() == [1, 0]
    assert table.positives.tolist() == [1, 1]
    assert table.negatives.tolist() == [1, 1]
    assert table.scores.dtype == (np.float32 if given_as == "float32" else np.float64)


@pytest.mark.parametrize(
    ("positive", "scores", "sentence"),
    [
        ([1, 0], [0.5], "`positive` and `scores` must be columns of equal length, with at least one case."),
        ([], [], "`positive` and `scores` must be columns of equal length, with at least one case."),
        ([1, 0, 1], [0.5, np.nan, 0.1], "`scores` must be numbers, not nan at index 1."),
    ],
)
def test_what_cannot_be_ranked(positive, scores, sentence):
    with pytest.raises(HowsureError) as caught:
        ScoreTable.from_scores(positive, scores)
    assert str(caught.value) == sentence


def example(seed, n=60, weighted=None):
    rng = np.random.default_rng(seed)
    scores, positive = rng.normal(size=n).round(1), rng.random(n) < 0.4
    weight = {None: None, "whole": rng.integers(1, 5, n), "real": rng.uniform(0.1, 3, n)}[weighted]
    return positive, scores, weight, rng


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("seed", range(5))
def test_merging_in_any_split_gives_the_same_table(seed, weighted):
    positive, scores, weight, rng = example(seed, weighted=weighted)
    whole = ScoreTable.from_scores(positive, scores, weight)
    part = rng.integers(0, 4, len(scores))
    tables = [
        ScoreTable.from_scores(positive[part == p], scores[part == p], None if weight is None else weight[part == p])
        for p in rng.permutation(4)
    ]
    merged = (tables[0] + tables[1]) + (tables[2] + tables[3])
    assert np.array_equal(merged.scores, whole.scores)
    rtol = RTOL if weighted == "real" else 0
    np.testing.assert_allclose(merged.positives, whole.positives, rtol=rtol)
    np.testing.assert_allclose(merged.negatives, whole.negatives, rtol=rtol)
    if weighted == "real":
        np.testing.assert_allclose(merged.squares, whole.squares, rtol=rtol)
    else:
        assert merged == whole
        assert merged.squares is None


def test_merging_real_weights_with_none():
    """A case without a weight weighs one, and so does its square."""
    one = ScoreTable.from_scores([1, 0, 1], [0.3, 0.2, 0.1])
    other = ScoreTable.from_scores([1, 0], [0.3, 0.7], weight=[0.5, 2.5])
    for merged in (one + other, other + one):
        assert merged.scores.tolist() == [0.7, 0.3, 0.2, 0.1]
        assert merged.positives.tolist() == [0, 1.5, 0, 1]
        assert merged.squares[0].tolist() == [0, 1.25, 0, 1]
        assert merged.squares[1].tolist() == [6.25, 0, 1, 0]


def test_whole_weights_repeat_a_case():
    positive, scores, weight, _ = example(3, weighted="whole")
    weighted = ScoreTable.from_scores(positive, scores, weight)
    repeated = ScoreTable.from_scores(np.repeat(positive, weight), np.repeat(scores, weight))
    assert weighted == repeated
    assert weighted.squares is None
    assert weighted.n == weight.sum()


def test_weights_against_the_oracle():
    positive, scores, weight, _ = example(4, weighted="real")
    table = ScoreTable.from_scores(positive, scores, weight)
    expected, squared = counted(positive, scores, weight), counted(positive, scores, weight**2)
    np.testing.assert_array_equal(table.scores, expected[0])
    np.testing.assert_allclose(table.positives, expected[1], rtol=RTOL)
    np.testing.assert_allclose(table.negatives, expected[2], rtol=RTOL)
    np.testing.assert_allclose(table.squares, squared[1:], rtol=RTOL)


@pytest.mark.parametrize("kind", [int, float])
def test_a_weight_of_zero_is_removal(kind):
    positive, scores, _, rng = example(5)
    weight = rng.integers(0, 3, len(scores)).astype(kind)
    scores[:3], weight[:3] = [99.0, -99.0, 98.5], 0  # the ends would show
    kept = weight > 0
    one = howsure.assess(positive, scores=scores, weight=weight).scores
    other = howsure.assess(positive[kept], scores=scores[kept], weight=weight[kept]).scores
    assert one == other
    assert one.scores[0] < 98
    assert (one.positives + one.negatives > 0).all()


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_at_a_threshold_against_counting(weighted, kind):
    positive, scores, weight, rng = example(6, weighted=weighted)
    scores = scores.astype(kind)
    table = ScoreTable.from_scores(positive, scores, weight)
    w = np.ones(len(scores)) if weight is None else weight
    for threshold in [*scores[:12].tolist(), *rng.normal(size=12), -np.inf, np.inf, 0.0, -0.0, 100, -100]:
        called = scores.astype(float) >= threshold
        counts, squares = table.at(threshold)
        cells = [[(~positive, ~called), (~positive, called)], [(positive, ~called), (positive, called)]]
        np.testing.assert_allclose(counts, [[w[a & b].sum() for a, b in row] for row in cells], rtol=RTOL)
        if weighted == "real":
            np.testing.assert_allclose(squares, [[(w[a & b] ** 2).sum() for a, b in row] for row in cells], rtol=RTOL)
        else:
            assert squares is None


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.7, 0.9])
def test_single_precision_scores_meet_a_threshold_written_like_them(threshold):
    """float32(0.7) lies below 0.7; whoever asks for 0.7 means the score. Deciding and `at` must not differ."""
    scores = np.array([threshold, 0.05, 0.95], np.float32)
    decided = howsure.assess([1, 0, 1], scores=scores, threshold=threshold)
    again = decided.at(threshold)
    np.testing.assert_array_equal(decided.confusion.counts, again.confusion.counts)


def points(table):
    return set(zip(table.tp.tolist(), table.fp.tolist(), table.scores.tolist(), strict=True))


@pytest.mark.parametrize("weighted", [None, "whole"])
@pytest.mark.parametrize("most", [1, 2, 3, 7, 20, 50, 1000])
def test_thinning(most, weighted):
    positive, scores, weight, rng = example(8, n=300, weighted=weighted)
    scores = np.where(rng.random(300) < 0.4, 0.5, rng.normal(size=300).round(2))  # a heavy tie among others
    table = ScoreTable.from_scores(positive, scores, weight)
    thin = table.thinned(most)
    assert 1 <= len(thin) <= most
    assert (thin.n_positive, thin.n_negative) == (table.n_positive, table.n_negative)
    assert points(thin) <= points(table)
    assert (np.diff(thin.scores) < 0).all()
    if most >= len(table):
        assert thin == table
    elif most >= 20:
        assert len(thin) >= most / 3  # it does not throw away more than a heavy tie forces it to


def test_thinning_real_weights():
    positive, scores, weight, _ = example(9, n=300, weighted="real")
    table = ScoreTable.from_scores(positive, scores, weight)
    thin = table.thinned(12)
    assert len(thin) <= 12
    np.testing.assert_allclose([thin.n_positive, thin.n_negative], [table.n_positive, table.n_negative], rtol=RTOL)
    np.testing.assert_allclose(np.sum(thin.squares, axis=1), np.sum(table.squares, axis=1), rtol=RTOL)
    place = np.searchsorted(-table.scores, -thin.scores)
    np.testing.assert_array_equal(table.scores[place], thin.scores)
    np.testing.assert_allclose(thin.tp, table.tp[place], rtol=RTOL)
    np.testing.assert_allclose(thin.fp, table.fp[place], rtol=RTOL, atol=1e-15)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40).filter(
        lambda c: sum(map(sum, c))
    ),
    st.integers(1, 45),
)
@settings(max_examples=150, deadline=None)
def test_thinning_anything(cells, most):
    table = ScoreTable(np.arange(len(cells), 0, -1.0), *np.array(cells).T)
    thin = table.thinned(most)
    assert len(thin) <= max(most, 1)
    assert thin.n == table.n
    assert points(thin) <= points(table)


@pytest.mark.parametrize("shift", [0, 5])
@pytest.mark.parametrize("weighted", [None, "real"])
def test_the_mirrored_table_is_that_of_the_other_class(shift, weighted):
    positive, _, weight, rng = example(10, weighted=weighted)
    scores = rng.integers(0, 9, len(positive)) / 8 + shift  # eighths, so that 1 - score is exact
    mirrored = ScoreTable.from_scores(positive, scores, weight).mirrored()
    turned = ScoreTable.from_scores(~positive, -scores if shift else 1 - scores, weight)
    np.testing.assert_array_equal(mirrored.scores, turned.scores)
    np.testing.assert_allclose(mirrored.positives, turned.positives, rtol=RTOL)
    np.testing.assert_allclose(mirrored.negatives, turned.negatives, rtol=RTOL)
    if weighted:
        np.testing.assert_allclose(mirrored.squares, turned.squares, rtol=RTOL)


def test_the_mirrored_table_ranks_as_well():
    """Probabilities so small that 1 - p is 1 for all of them are still told apart."""
    positive, scores = [1, 1, 0, 0, 0], [3e-20, 2e-20, 1e-20, 1e-21, 0.0]
    a = howsure.assess(positive, scores=scores)
    assert a.estimate("auc", label=1).value == 1
    assert a.estimate("auc", label=0).value == 1
    assert len(set(a.scores.mirrored().scores.tolist())) == len(a.scores)


def test_padding():
    positive, scores, weight, _ = example(11, weighted="real")
    for table in (ScoreTable.from_scores(positive, scores), ScoreTable.from_scores(positive, scores, weight)):
        padded = table.padded()
        assert len(padded) == len(table) + 2
        for column, own in zip(
            (padded.positives, padded.negatives, *(padded.squares or ())),
            (table.positives, table.negatives, *(table.squares or ())),
            strict=True,
        ):
            np.testing.assert_array_equal(column[1:-1], own)
            assert column[0] == column[-1] == 0
        assert padded.scores[0] >= table.scores[0]
        assert padded.scores[-1] <= table.scores[-1]


def test_equality_and_text():
    table = ScoreTable.from_scores([1, 0, 1], [0.5, 0.25, 0.5])
    assert table == ScoreTable.from_scores([1, 1, 0], [0.5, 0.5, 0.25])
    assert table != ScoreTable.from_scores([1, 0, 0], [0.5, 0.25, 0.5])
    assert table != "a table"
    assert repr(table) == "ScoreTable(scores=2, positives=2, negatives=1)"
    with pytest.raises(TypeError):
        hash(table)
    with pytest.raises(TypeError):
        table + 1
    long = ScoreTable.from_scores(np.ones(30, bool), np.arange(30))
    assert str(long).endswith("and 10 more scores")


@pytest.mark.parametrize("seed", range(4))
def test_groups_of_a_thinned_table_are_those_of_their_definition(seed):
    """They are found by halving, and are the same as those of a look at every row."""
    rng = np.random.default_rng(seed)
    weight = rng.random(500) if seed % 2 else None
    table = ScoreTable.from_scores(rng.random(500) < 0.3, np.round(rng.random(500), 3), weight)
    total = table.positives + table.negatives
    for most in (1, 7, 100):
        group = np.minimum((np.cumsum(total) - total / 2) * (most / total.sum()), most - 1).astype(int)
        expected = [table.positives[group == index].sum() for index in np.unique(group)]
        np.testing.assert_allclose(table.thinned(most).positives, expected, rtol=1e-12)
