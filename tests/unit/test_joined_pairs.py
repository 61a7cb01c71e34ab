"""Replicates of very many paired scores: close to those of every distinct score."""

from __future__ import annotations

import numpy as np
import pytest

import howsure
import howsure.tables.joined_pairs as joined_pairs
import howsure.tables.paired as paired
from howsure.kernels.case_draws import draw_rows, toss_coins
from howsure.measures import registry
from howsure.measures.estimate.difference import difference
from howsure.tables.joined_pairs import groups_for, join_apart, join_together
from howsure.tables.paired import PairedScores

MEASURES = {
    "auc": {},
    "ks_distance": {},
    "equal_error_rate": {},
    "partial_auc": {"high": 0.3},
    "lift": {"depth": 0.2},
    "gain": {"depth": 0.2},
    "expected_calibration_error": {},
}


def example(n=3000, seed=0, noise=0.6):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.4).astype(np.int64)
    common = rng.normal(size=n) + 1.2 * truth
    first, second = (1 / (1 + np.exp(-common - noise * rng.normal(size=n))) for _ in range(2))
    return PairedScores(truth, first, second, (0, 1), 1)


def seen(table, name="ks_distance", seed=0):
    return difference(table, registry[name], parameters=MEASURES.get(name, {}), seed=seed)


def drawn_counts(n, rng):
    counts = np.zeros(n, np.int64)
    for part, rows in draw_rows(n, rng):
        counts[part] += np.bincount(rows, minlength=part.stop - part.start)
    return counts


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 1000, 70_001])
def test_as_many_cases_are_drawn_as_there_are(n):
    assert drawn_counts(n, np.random.default_rng(0)).sum() == n
    assert set(toss_coins(n, np.random.default_rng(0)).tolist()) <= {0, 1}
    assert len(toss_coins(n, np.random.default_rng(0))) == n


def test_every_case_is_drawn_as_often_as_any_other():
    """Counts of a case in 4,000 samples vary about 4,000 as a Poisson variable does."""
    n, replicates = 1000, 4000
    rng = np.random.default_rng(3)
    counts = np.array([drawn_counts(n, rng) for _ in range(replicates)])
    totals = counts.sum(0)
    assert np.abs(totals - replicates).max() < 5 * np.sqrt(replicates)
    assert 0.85 < totals.var() / replicates < 1.15  # five standard errors either way: sqrt(2 / 1000) each
    assert counts.var(0).mean() == pytest.approx(1 - 1 / n, rel=0.02)


def test_coins_are_fair():
    heads = int(toss_coins(100_000, np.random.default_rng(1)).sum())
    assert abs(heads - 50_000) < 5 * np.sqrt(25_000)


def test_fewer_replicates_are_the_first_of_more():
    one = seen(example())
    np.testing.assert_array_equal(one.replicates(100, 2), one.replicates(300, 2)[:100])


def test_the_order_of_the_cases_changes_no_draw():
    table, order = example(), np.random.default_rng(5).permutation(3000)
    shuffled = PairedScores(table.truth[order], table.first[order], table.second[order], table.labels, table.positive)
    np.testing.assert_array_equal(seen(table).replicates(50, 0), seen(shuffled).replicates(50, 0))


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("noise", [0.6, pytest.param(0.003, marks=pytest.mark.long)])
def test_the_spread_is_that_of_every_distinct_score(name, noise, monkeypatch):
    """Of unlike classifiers, and of two that place a case half a dozen ranks apart: joining must not widen that."""
    one = seen(example(noise=noise), name)
    swaps = np.concatenate([a - b for a, b in one.swapped(np.random.default_rng(0), 600)])
    monkeypatch.setattr(paired, "EXACT_UP_TO", 10**9)
    exact = seen(example(noise=noise), name)
    assert not exact.table.is_long
    plain = np.concatenate([a - b for a, b in exact.swapped(np.random.default_rng(0), 600)])
    rtol = 0.15  # the ratio of two standard deviations of 600 replicates has an error of 4 %
    assert swaps.std() == pytest.approx(plain.std(), rel=rtol)
    assert one.standard_error == pytest.approx(exact.standard_error, rel=rtol)
    if registry[name].of_auc is None:
        assert one.replicates(600, 0).std() == pytest.approx(exact.replicates(600, 0).std(), rel=rtol)


def test_replicates_lie_about_the_value(monkeypatch):
    """With wide groups joining moves both values far, and the replicates are moved back."""
    monkeypatch.setattr(joined_pairs, "MIN_GROUPS", 8)
    monkeypatch.setattr(joined_pairs, "MAX_GROUPS", 8)
    one = seen(example(), "auc")
    drawn = np.array(
        [np.concatenate(part) for part in zip(*one.resampled(np.random.default_rng(0), 1000), strict=True)]
    )
    moved = one.first.value - float(registry["auc"].value(one.table.joined_apart.seen[0]))
    error = drawn.std(1) / np.sqrt(1000)
    assert abs(moved) > 5 * error[0]
    assert (np.abs(drawn.mean(1) - [one.first.value, one.second.value]) < 4 * error).all()


def test_more_alike_classifiers_get_narrower_groups():
    ranks = np.arange(1.0, 100_001)
    assert groups_for(ranks, ranks[::-1]) == joined_pairs.MIN_GROUPS
    assert groups_for(ranks, ranks) == joined_pairs.MIN_GROUPS
    assert groups_for(ranks, ranks + 50) == 8000
    assert groups_for(ranks, ranks + 1) == joined_pairs.MAX_GROUPS


def test_equal_scores_stay_together_and_groups_fall():
    rng = np.random.default_rng(0)
    scores, flags = np.round(rng.random(5000), 2), rng.random(5000) < 0.5
    for pair in (join_apart(flags, scores, scores[::-1]), join_together(flags, scores, scores[::-1])):
        assert len(pair.scores[0]) == len(np.unique(scores))
        np.testing.assert_allclose(pair.scores[0], np.unique(scores)[::-1], rtol=1e-12)
        counts = pair.seen[0]
        np.testing.assert_array_equal(counts.positives, np.unique(scores[flags], return_counts=True)[1][::-1])


def test_few_distinct_pairs_are_counted_as_they_are():
    table = example(n=5000)
    rounded = PairedScores(table.truth, table.first.round(1), table.second.round(1), table.labels, table.positive)
    assert table.is_long
    assert not rounded.is_long


@pytest.mark.parametrize("measure", ["auc", "ks_distance", "brier"])
def test_one_class_has_no_answer_however_many_cases(measure):
    table = example()
    truth = np.ones(table.n, int)
    c = howsure.compare(truth, scores={"a": table.first, "b": table.second}, measure=measure, labels=[0, 1], positive=1)
    assert np.isnan(c.pairs[0].test.pvalue)
