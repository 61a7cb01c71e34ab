"""Scores counted in bins: every value is within its bound of the exact one, whatever the bins hide."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from howsure.kernels.score_bins import BINS, N_BINS, BinnedCounts, ScoreMap
from howsure.measures import estimate_scores, registry
from howsure.tables import ScoreTable
from howsure.tables.addition import add_tables
from howsure.tables.scores import table_of_bins

PARAMETERS = {"partial_auc": {"high": 0.3}, "lift": {"depth": 0.2}, "gain": {"depth": 0.2}}
MEASURES = [name for name, declared in registry.items() if declared.scope == "score"]


def binned(flags, scores, edges, weight=None):
    """Join scores between the same two edges."""
    place = np.searchsorted(edges, scores, side="right")
    low, high = np.full(len(edges) + 1, np.inf), np.full(len(edges) + 1, -np.inf)
    np.minimum.at(low, place, scores)
    np.maximum.at(high, place, scores)
    each = np.ones(len(scores), np.int64) if weight is None else weight
    return ScoreTable.of_columns(flags, low[place], each, tops=high[place])


def assert_within(measure, exact, coarse):
    """The exact value is within the bound, up to rounding."""
    options = PARAMETERS.get(measure, {})
    whole, joined = (estimate_scores(table, measure, **options) for table in (exact, coarse))
    if np.isnan(whole.value):
        return
    assert abs(whole.value - joined.value) <= joined.bound + 1e-12 * max(1, abs(whole.value)), measure


@pytest.mark.parametrize("measure", MEASURES)
@given(seed=st.integers(0, 2**32 - 1), digits=st.sampled_from([1, 2, 17]), bins=st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_every_measure_is_within_its_bound(measure, seed, digits, bins):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 80))
    flags = rng.random(n) < rng.choice([0.1, 0.5, 0.9])
    flags[:2] = True, False
    scores = np.round(rng.beta(1 + flags, 1.5, n), digits)
    exact = ScoreTable.from_scores(flags, scores)
    assert_within(measure, exact, binned(flags, scores, np.sort(rng.random(bins))))


@pytest.mark.parametrize("measure", MEASURES)
def test_real_weights_keep_the_bound(measure):
    rng = np.random.default_rng(5)
    flags = rng.random(300) < 0.3
    scores, weight = np.round(rng.beta(1 + flags, 1.5, 300), 2), rng.gamma(2.0, 1.0, 300)
    exact = ScoreTable.from_scores(flags, scores, weight)
    assert_within(measure, exact, binned(flags, scores, np.linspace(0, 1, 9), weight))


def test_bins_of_one_score_each_are_exact():
    rng = np.random.default_rng(1)
    flags, scores = rng.random(500) < 0.4, np.round(rng.random(500), 1)
    counted = BinnedCounts(ScoreMap(0.5))
    counted.add(flags.astype(np.uint8), scores)
    table = table_of_bins(counted, 1)
    assert table == ScoreTable.from_scores(flags, scores)
    assert table.tops is None
    assert estimate_scores(table, "auc").bound == 0


@pytest.mark.parametrize("score_map", [ScoreMap(0.5), ScoreMap(0.25, 2.0), ScoreMap(-3.0, 0.125)])
def test_compiled_and_plain_counts_are_the_same(score_map, monkeypatch):
    rng = np.random.default_rng(2)
    scores = rng.random(200_000) if score_map.scale is None else rng.normal(0, 3, 200_000)
    codes = (rng.random(200_000) < 0.2).astype(np.uint8)
    fast, plain = BinnedCounts(score_map), BinnedCounts(score_map)
    fast.add(codes, scores)
    monkeypatch.setattr("howsure.kernels.score_bins.compiled", lambda: None)
    plain.add(codes, scores)
    assert np.array_equal(fast.cells, plain.cells)


def hostile(scale):
    rng = np.random.default_rng(3)
    if scale is None:
        edge = np.array([0.0, 1.0, 0.5, np.nextafter(0.5, 0), np.nextafter(1, 0), 5e-324, 1e-300, 1 + 1e-7, -1e-7])
        return np.concatenate([rng.random(20_000) ** 6, 1 - rng.random(20_000) ** 6, edge])
    edge = np.array([np.inf, -np.inf, 0.0, -0.0, 1e308, -1e308, 5e-324])
    return np.concatenate([rng.standard_cauchy(40_000), edge])


@pytest.mark.parametrize("scale", [None, 0.5, 64.0])
def test_the_map_keeps_the_order_of_scores(scale):
    scores = np.sort(hostile(scale))
    places = ScoreMap(0.5, scale).places(scores)
    assert (np.diff(places) >= 0).all()
    assert places.min() >= 0
    assert places.max() < N_BINS
    assert BINS <= 1 << 20


@pytest.mark.parametrize("scale", [None, 0.5, 64.0])
def test_a_threshold_parts_its_bin(scale):
    scores = hostile(scale)
    places = ScoreMap(0.5, scale).places(scores)
    assert places[scores < 0.5].max() < places[scores >= 0.5].min()


@pytest.mark.parametrize("scale", [None, 0.5, 64.0])
def test_every_engine_has_the_same_map(scale):
    import duckdb
    import narwhals as nw
    import pandas as pd
    import polars as pl

    score_map, scores = ScoreMap(0.5, scale), hostile(scale)
    expected = score_map.places(scores)
    frame = pl.DataFrame({"s": scores})
    with duckdb.connect() as database:
        relation = database.sql("SELECT s FROM frame")
        by_sql = database.sql(f"SELECT {score_map.in_sql('s')} AS place FROM frame").fetchnumpy()["place"]
        assert np.array_equal(by_sql, expected)
        for native in (frame.lazy(), pd.DataFrame({"s": scores}), frame.to_arrow(), relation):
            selected = nw.from_native(native).lazy().select(place=score_map.expression(nw.col("s")))
            assert np.array_equal(selected.collect()["place"].to_numpy(), expected), type(native)


def test_tables_of_bins_add_up_to_bins_that_do_not_overlap():
    rng = np.random.default_rng(7)
    flags, scores = rng.random(2000) < 0.5, rng.random(2000)
    parts = [
        binned(flags[:1000], scores[:1000], np.linspace(0, 1, 40)),
        binned(flags[1000:], scores[1000:], np.linspace(0.013, 0.99, 37)),
    ]
    both = parts[0] + parts[1]
    assert (both.scores[:-1] > both.tops[1:]).all()
    assert both.n == 2000
    for measure in ("auc", "average_precision", "ks_distance", "brier"):
        assert_within(measure, ScoreTable.from_scores(flags, scores), both)


def test_bounds_of_many_tables_together_are_not_lost():
    rng = np.random.default_rng(9)
    flags, scores = rng.random(1500) < 0.4, rng.random(1500)
    parts = [binned(flags[part], scores[part], np.linspace(0, 1, 20)) for part in np.split(np.arange(1500), 5)]
    both = add_tables(parts)
    assert estimate_scores(both, "auc").bound > 0
    assert_within("auc", ScoreTable.from_scores(flags, scores), both)


def test_the_other_class_has_the_same_bounds():
    rng = np.random.default_rng(8)
    flags, scores = rng.random(500) < 0.3, rng.random(500)
    table = binned(flags, scores, np.linspace(0, 1, 12))
    mirrored = table.mirrored()
    assert (mirrored.scores <= mirrored.tops).all()
    for measure in ("auc", "brier", "expected_calibration_error"):
        assert_within(measure, ScoreTable.from_scores(flags, scores).mirrored(), mirrored)


def test_a_threshold_within_a_bin_is_moved_to_where_counts_are_exact():
    table = ScoreTable.of_columns(
        np.array([True, False, True]), np.array([0.1, 0.4, 0.8]), np.array([3, 2, 5]), tops=np.array([0.3, 0.4, 0.9])
    )
    assert table.exact_threshold(0.2) == 0.4
    assert table.exact_threshold(0.35) == 0.35
    assert table.exact_threshold(0.85) > 0.9
    assert table.at(0.2)[0].tolist() == table.at(table.exact_threshold(0.2))[0].tolist() == [[0, 2], [3, 5]]


def test_a_hundred_billion_cases_do_not_overflow():
    """Bins hold as many cases as there are, and products of their counts are beyond all whole numbers."""
    rng = np.random.default_rng(4)
    m = 300_000
    scores = np.sort(rng.random(m))[::-1]
    shares = rng.random(m)
    positives = np.round(3e5 * scores * shares).astype(np.int64)
    negatives = np.round(7e5 * (1 - scores) * shares).astype(np.int64)
    table = ScoreTable(scores, positives, negatives, tops=scores + 1e-9)
    fewer = ScoreTable(scores, positives / 1e5, negatives / 1e5, (positives / 1e5, negatives / 1e5))
    assert table.n > 5e10
    for measure in (
        "auc",
        "average_precision",
        "ks_distance",
        "equal_error_rate",
        "brier",
        "expected_calibration_error",
    ):
        found = estimate_scores(table, measure)
        assert found.value == pytest.approx(estimate_scores(fewer, measure).value, rel=1e-9)  # the same shares
        assert found.low < found.value < found.high
        assert found.high - found.low < 1e-4
