"""Scores ranked in buckets: whatever their distribution, and however many threads, as one sort has them."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.kernels import ranking
from howsure.kernels.buckets import choose_buckets, rank_in_buckets

pytest.importorskip("numba")

N = 30_000


def columns(seed):
    """Distributions that fill buckets unevenly, each in its way."""
    rng = np.random.default_rng(seed)
    shares, normal = rng.random(N), rng.normal(size=N)
    return {
        "even": shares,
        "both signs": normal,
        "wide": normal * 10.0 ** rng.integers(-300, 300, N),
        "mostly zero": np.where(shares < 0.9, 0.0, normal),
        "both zeros": np.where(shares < 0.5, -0.0, 0.0),
        # Words that share their leading bits: sorting by these alone would leave far too much to move.
        "in two heaps": 0.5 + np.where(shares < 0.5, 0, 0.25) + rng.permutation(N) * 2.0**-52,
        "one far off": np.append(shares[:-1] * 1e-9, 1e300),
        "a few values": rng.integers(-3, 4, N).astype(float),
        "whole numbers": rng.integers(0, 2**40, N).astype(float),
        "all equal": np.full(N, 0.3),
        "infinite": np.select([shares < 0.1, shares > 0.9], [-np.inf, np.inf], normal),
        "falling": -np.arange(N) / 7,
    }


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", columns(0))
def test_any_distribution_and_any_number_of_threads(name, kind, monkeypatch):
    with np.errstate(over="ignore"):
        scores = columns(3)[name].astype(kind)
    positive = np.random.default_rng(4).random(N) < 0.3
    loops = ranking.compiled()
    ranked = [rank_in_buckets(scores, positive, loops, threads) for threads in (1, 2, 3, 7)]
    monkeypatch.setattr(ranking, "compiled", lambda: None)
    for one in ranked:
        for ours, plain in zip(one, ranking.rank(scores, positive), strict=True):
            assert ours.dtype == plain.dtype
            assert ours.tobytes() == plain.tobytes()


@pytest.mark.parametrize("n", [1, 2, 3, 30])
@pytest.mark.parametrize("threads", [1, 4])
def test_fewer_scores_than_buckets(n, threads):
    rng = np.random.default_rng(n)
    scores, positive = rng.normal(size=n).round(), rng.random(n) < 0.5
    ranked, positives, negatives = rank_in_buckets(scores, positive, ranking.compiled(), threads)
    expected = np.unique(scores)[::-1]
    np.testing.assert_array_equal(ranked, expected)
    np.testing.assert_array_equal(positives, [(positive & (scores == score)).sum() for score in expected])
    np.testing.assert_array_equal(negatives, [(~positive & (scores == score)).sum() for score in expected])


def test_buckets_are_chosen_by_where_the_scores_are():
    """A few scores far away must not make one bucket of all others."""
    rng = np.random.default_rng(0)
    scores = np.append(rng.random(1 << 20) + 1, [1e-300, 1e300, -1e300])
    buckets, counts = choose_buckets(scores.view(np.uint64)), np.zeros(1 << 12, np.int64)
    ranking.compiled().tally(scores.view(np.uint64), *buckets, counts)
    assert counts.sum() == len(scores)
    assert counts.max() < len(scores) // 32


def test_a_few_distinct_scores_do_not_keep_the_room_of_all():
    scores = np.random.default_rng(0).integers(0, 5, N).astype(float)
    ranked, positives, negatives = rank_in_buckets(scores, scores > 2, ranking.compiled())
    assert all(column.base is None or column.base.size == 5 for column in (ranked, positives, negatives))


def test_real_weights_add_up_to_the_same_bits_with_and_without_compiled_loops(monkeypatch):
    first, second = np.random.default_rng(0).gamma(2.0, size=(2, ranking.LARGE))
    fast = ranking.cumulate(first, second)
    monkeypatch.setattr(ranking, "compiled", lambda: None)
    for one, other in zip(fast, ranking.cumulate(first, second), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", columns(0))
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_compiled_and_plain_placements_are_the_same(name, share, monkeypatch):
    scores, positive = columns(5)[name], np.random.default_rng(6).random(N) < share
    plain = ranking.placements(positive, scores)
    monkeypatch.setattr(ranking, "LARGE", 0)
    assert ranking.placements(positive, scores).tobytes() == plain.tobytes()
