"""Very many paired scores drawn again: the same on any number of cores, with or without Numba, and near the exact."""

from __future__ import annotations

import numpy as np
import pytest

import howsure
import howsure.tables.joined_pairs as joined_pairs
import howsure.tables.paired as paired
from howsure.kernels import ranking
from howsure.kernels.case_draws import Words, pack_cells, redraw_cases, swap_cases
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


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 1000, 70_001])
@pytest.mark.parametrize("seed", range(2))
def test_compiled_and_plain_draws_are_the_same(n, seed):
    pytest.importorskip("numba")
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 50, n), rng.integers(0, 1 << 16, n)
    pairs, loops = pack_cells(first, second), ranking.compiled()
    plain, fast = (redraw_cases(pairs, (50, 1 << 16), np.random.default_rng(seed), 3, how) for how in (None, loops))
    for one, other in zip(plain, fast, strict=True):
        assert one.tobytes() == other.tobytes()
        assert (one.sum(1) == n).all()
    plain, fast = (swap_cases(pairs, 1 << 16, np.random.default_rng(seed), 3, how) for how in (None, loops))
    for one, other in zip(plain, fast, strict=True):
        assert one.tobytes() == other.tobytes()
        assert (one.sum(1) == n).all()
    both = np.bincount(first, minlength=1 << 16) + np.bincount(second, minlength=1 << 16)
    assert (plain[0] + plain[1] == both).all()


def test_every_case_is_drawn_as_often_as_any_other():
    """Each case has a cell of its own: counts of 4,000 draws vary about 4,000 as a Poisson variable does."""
    n, replicates = 1000, 4000
    pairs = pack_cells(np.arange(n), np.arange(n)[::-1])
    first, second = redraw_cases(pairs, (n, n), np.random.default_rng(3), replicates, None)
    assert (first[:, ::-1] == second).all()
    totals = first.sum(0)
    assert np.abs(totals - replicates).max() < 5 * np.sqrt(replicates)
    assert 0.85 < totals.var() / replicates < 1.15  # five standard errors either way: sqrt(2 / 1000) each
    assert first.var(0).mean() == pytest.approx(1 - 1 / n, rel=0.02)


@pytest.mark.parametrize("name", MEASURES)
def test_any_number_of_cores_gives_the_same_replicates(name, monkeypatch):
    table = example()
    assert table.is_long
    drawn = []
    for cores in (1, 2, 5):
        monkeypatch.setattr(joined_pairs, "cores", lambda cores=cores: cores)
        one = seen(table, name)
        swaps = list(one.swapped(np.random.default_rng(1), 150))
        drawn.append((one.replicates(150, 1), np.concatenate([a - b for a, b in swaps])))
    for one, other in drawn[1:]:
        assert one.tobytes() == drawn[0][0].tobytes()
        assert other.tobytes() == drawn[0][1].tobytes()


@pytest.mark.parametrize("name", ["auc", "ks_distance", "expected_calibration_error"])
def test_with_and_without_numba_a_seed_gives_the_same(name, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(joined_pairs, "MANY", 0)
    assert joined_pairs.compiled() is not None
    fast = seen(example(), name).replicates(100, 4)
    monkeypatch.setattr(joined_pairs, "compiled", lambda: None)
    assert seen(example(), name).replicates(100, 4).tobytes() == fast.tobytes()


def test_fewer_replicates_are_the_first_of_more():
    one = seen(example())
    np.testing.assert_array_equal(one.replicates(100, 2), one.replicates(300, 2)[:100])


def test_the_order_of_the_cases_changes_no_draw():
    table, order = example(), np.random.default_rng(5).permutation(3000)
    shuffled = PairedScores(table.truth[order], table.first[order], table.second[order], table.labels, table.positive)
    np.testing.assert_array_equal(seen(table).replicates(50, 0), seen(shuffled).replicates(50, 0))


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("noise", [0.6, 0.003])
def test_the_spread_is_that_of_every_distinct_score(name, noise, monkeypatch):
    """Of unlike classifiers, and of two that place a case half a dozen ranks apart: joining must not widen that."""
    one = seen(example(noise=noise), name)
    swaps = np.concatenate([a - b for a, b in one.swapped(np.random.default_rng(0), 600)])
    monkeypatch.setattr(paired, "FEW_CASES", 10**9)
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
    monkeypatch.setattr(joined_pairs, "LEAST_GROUPS", 8)
    monkeypatch.setattr(joined_pairs, "MOST_GROUPS", 8)
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
    assert groups_for(ranks, ranks[::-1]) == joined_pairs.LEAST_GROUPS
    assert groups_for(ranks, ranks) == joined_pairs.LEAST_GROUPS
    assert groups_for(ranks, ranks + 50) == 8000
    assert groups_for(ranks, ranks + 1) == joined_pairs.MOST_GROUPS


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


def test_random_words_are_those_of_numpy():
    words, rng = Words(np.random.default_rng(8)), np.random.default_rng(8)
    for size in (5, 1, 0, 2, 7, 100):
        assert words.take(size).tolist() == rng.integers(0, 1 << 32, size, dtype=np.uint32).tolist()
        assert words.rng.multinomial(50, [0.4, 0.6]).tolist() == rng.multinomial(50, [0.4, 0.6]).tolist()
