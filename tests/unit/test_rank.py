"""Counts at each distinct score: whatever the distribution, with Numba and without."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.kernels import ranking
from howsure.kernels.ranking import concordant, rank

N = 30_000


def columns(seed):
    rng = np.random.default_rng(seed)
    shares, normal = rng.random(N), rng.normal(size=N)
    return {
        "uniform": shares,
        "both signs": normal,
        "wide": normal * 10.0 ** rng.integers(-300, 300, N),
        "mostly zero": np.where(shares < 0.9, 0.0, normal),
        "both zeros": np.where(shares < 0.5, -0.0, 0.0),
        "close together": 0.5 + np.where(shares < 0.5, 0, 0.25) + rng.permutation(N) * 2.0**-52,
        "an outlier": np.append(shares[:-1] * 1e-9, 1e300),
        "a few values": rng.integers(-3, 4, N).astype(float),
        "whole numbers": rng.integers(0, 2**40, N).astype(float),
        "all equal": np.full(N, 0.3),
        "infinite": np.select([shares < 0.1, shares > 0.9], [-np.inf, np.inf], normal),
        "all below zero": -np.arange(1, N + 1) / 7,
        "a single score": normal[:1],
        "two scores": normal[:2],
    }


@pytest.fixture(params=["Numba", "NumPy"])
def with_and_without_numba(request, monkeypatch):
    if request.param == "NumPy":
        monkeypatch.setattr(ranking, "compiled", lambda: None)
    else:
        pytest.importorskip("numba")
        monkeypatch.setattr(ranking, "COMPILED_FROM", 0)


@pytest.mark.usefixtures("with_and_without_numba")
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", columns(0))
def test_counts_are_those_of_each_distinct_score(name, kind):
    with np.errstate(over="ignore"):
        scores = columns(3)[name].astype(kind)
    positive = np.random.default_rng(4).random(len(scores)) < 0.3
    ranked, positives, negatives = rank(scores, positive)
    falling, position = np.unique(-scores, return_inverse=True)
    np.testing.assert_array_equal(ranked, -falling)
    np.testing.assert_array_equal(positives, np.bincount(position, positive))
    np.testing.assert_array_equal(negatives, np.bincount(position, ~positive))
    assert ranked.dtype == kind
    assert positives.dtype == negatives.dtype == np.int32
    assert not np.signbit(ranked[ranked == 0]).any()


@pytest.mark.usefixtures("with_and_without_numba")
def test_a_few_distinct_scores_do_not_keep_the_memory_of_all():
    scores = np.random.default_rng(0).integers(0, 5, N).astype(float)
    assert all(column.base is None or column.base.size == 5 for column in rank(scores, scores > 2))


def test_concordant_pairs_are_counted_exactly():
    rng = np.random.default_rng(5)
    for high in (3, 2**18):
        positives, negatives = rng.integers(0, high, (2, 3000))
        above = [sum(positives[:row].tolist()) for row in range(3000)]
        rows = zip(above, positives.tolist(), negatives.tolist(), strict=True)
        assert concordant(positives, negatives) == sum(n * (2 * up + p) for up, p, n in rows) / 2


def test_pairs_beyond_whole_numbers_and_real_weights_are_not_counted_exactly():
    many = np.full(3, 2**40)
    assert concordant(many, many) is None
    assert concordant(many * 1.0, many) is None
