"""Curves: against algorithms that count case by case, and against what they say of themselves."""

from __future__ import annotations

import csv
import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

import howsure
from howsure import HowsureError, ScoreTable, curves
from howsure.curves import Curve
from howsure.curves.band import height
from howsure.intervals import wilson
from howsure.measures import estimate, estimate_scores
from howsure.measures.declare import registry

RTOL = 1e-12  # the same sums in another order
BANDED = [name for name, declared in curves.registry.items() if declared.band]
SEEDS = range(6)


def example(seed, n=80, weighted=None, decimals=1):
    """Probabilities with ties, somewhat right."""
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    positive[:2] = True, False
    scores = np.clip(rng.normal(0.4 + 0.2 * positive, 0.2), 0, 1).round(decimals)
    weight = {None: None, "whole": rng.integers(1, 5, n), "real": rng.uniform(0.1, 3, n)}[weighted]
    return positive, scores, weight


def table_of(seed, **options):
    return ScoreTable.from_scores(*example(seed, **options))


def conceptual_roc(positive, scores):
    """The textbook's algorithm: for each threshold go through all cases and count."""
    p, n = sum(positive), len(positive) - sum(positive)
    points = [(0.0, 0.0, math.inf)]
    for threshold in sorted(set(scores), reverse=True):
        tp = fp = 0
        for is_positive, score in zip(positive, scores, strict=True):
            if score >= threshold:
                if is_positive:
                    tp += 1
                else:
                    fp += 1
        points.append((fp / n, tp / p, threshold))
    return np.array(points).T


@pytest.mark.parametrize("seed", SEEDS)
def test_roc_by_the_conceptual_algorithm(seed):
    positive, scores, _ = example(seed)
    curve = curves.roc(ScoreTable.from_scores(positive, scores))
    x, y, thresholds = conceptual_roc(positive.tolist(), scores.tolist())
    np.testing.assert_allclose(curve.x, x, rtol=RTOL)
    np.testing.assert_allclose(curve.y, y, rtol=RTOL)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    assert curve.area == pytest.approx(np.trapezoid(y, x), rel=RTOL)
    assert curve.area == pytest.approx(estimate_scores(ScoreTable.from_scores(positive, scores), "auc").value, rel=RTOL)


def every_curve(table):
    drawn = {name: declared(table) for name, declared in curves.registry.items()}
    drawn |= {name: curves.by_threshold(table, name) for name in ("recall", "accuracy", "f1", "precision")}
    drawn["banded"] = curves.with_band(curves.roc, table, replicates=20)
    return drawn


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
def test_every_curve_has_columns_of_one_length_and_numbers(weighted):
    for name, curve in every_curve(table_of(1, weighted=weighted)).items():
        assert {len(column) for column in curve.columns().values()} == {len(curve)}, name
        undefined = 1 if name == "precision" else 0  # with nothing called positive it has no cases
        assert np.isnan(curve.y).sum() == undefined, name
        assert np.isfinite(curve.x).sum() >= len(curve) - 1, name
        for line in curve.lines:
            assert len(line.x) == len(line.y)
            assert np.isfinite([line.x, line.y]).all()
        assert curve.x_title
        assert curve.y_title
        assert str(curve).startswith(curve.title)


@pytest.mark.parametrize("name", curves.names())
def test_what_holds_for_every_declared_curve(name):
    """The order of cases changes nothing, a whole weight repeats a case, and a weight of zero removes it."""
    positive, scores, weight = example(3, weighted="whole")
    weight[5:10] = 0
    whole = curves.registry[name](ScoreTable.from_scores(positive, scores, weight))
    rows = np.random.default_rng(0).permutation(np.repeat(np.arange(len(scores)), weight))
    repeated = curves.registry[name](ScoreTable.from_scores(positive[rows], scores[rows]))
    for column, expected in repeated.columns().items():
        np.testing.assert_allclose(whole.columns()[column], expected, rtol=RTOL, atol=1e-15)
    np.testing.assert_allclose(whole.area, repeated.area, rtol=RTOL)
    assert [line.name for line in whole.lines] == [line.name for line in repeated.lines]


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("seed", SEEDS)
def test_where_curves_start_and_end(seed, weighted):
    """The ends are exact, with real weights too: a rate is never above 1 or below 0."""
    table = table_of(seed, n=200, weighted=weighted, decimals=3)
    roc, det, gain, lift = (getattr(curves, name)(table) for name in ("roc", "det", "gain", "lift"))
    assert (roc.x[0], roc.y[0]) == (0, 0)
    assert (roc.x[-1], roc.y[-1]) == (1, 1)
    assert (det.x[0], det.y[0]) == (0, 1)
    assert (det.x[-1], det.y[-1]) == (1, 0)
    assert (gain.x[0], gain.y[0]) == (0, 0)
    assert (gain.x[-1], gain.y[-1]) == (1, 1)
    assert (lift.x[0], lift.y[0]) == (0, 0)
    np.testing.assert_allclose((lift.x[-1], lift.y[-1]), (table.n, table.n_positive), rtol=RTOL)
    pr = curves.precision_recall(table)
    assert (pr.x[0], pr.x[-1]) == (0, 1)
    assert pr.y[-1] == pytest.approx(table.n_positive / table.n, rel=RTOL)
    ratio = curves.lift_ratio(table)
    assert (ratio.x[-1], ratio.y[-1]) == pytest.approx((1, 1), rel=RTOL)
    for curve in (roc, det, gain, lift, pr, ratio):
        assert (np.diff(curve.x) >= 0).all()


@pytest.mark.parametrize("weighted", [None, "real"])
def test_the_area_of_precision_and_recall_is_average_precision(weighted):
    table = table_of(2, weighted=weighted)
    curve = curves.precision_recall(table)
    assert curve.steps
    assert curve.area == pytest.approx(estimate_scores(table, "average_precision").value, rel=RTOL)
    assert (np.diff(curve.x) * curve.y[1:]).sum() == pytest.approx(curve.area, rel=RTOL)


def test_the_height_of_a_step_curve_has_its_area():
    """Between two recalls the precision is that of the threshold which first reaches the second one."""
    table = ScoreTable.from_scores([1, 0, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    curve = curves.precision_recall(table)
    middles = (np.arange(3000) + 0.5) / 3000
    np.testing.assert_allclose(height(curve, middles), np.repeat([1, 1 / 2, 1 / 2], 1000), rtol=RTOL)
    for seed in SEEDS:
        curve = curves.precision_recall(table_of(seed))
        positives = round(1 / np.diff(curve.x)[np.diff(curve.x) > 0].min())
        middles = (np.arange(positives) + 0.5) / positives  # between every two recalls, which are whole shares
        assert height(curve, middles).mean() == pytest.approx(curve.area, rel=1e-9)


def test_the_band_of_precision_and_recall_lies_about_the_curve():
    curve = curves.precision_recall(table_of(3, n=300))
    banded = curves.with_band(curves.precision_recall, table_of(3, n=300), replicates=100)
    for name, column in curve.columns().items():
        np.testing.assert_array_equal(banded.columns()[name], column)
    width = np.trapezoid(banded.extra["high"] - banded.extra["low"], banded.x)
    assert 0.05 < width < 0.5


def test_lines_of_gain_and_lift():
    table = table_of(4)
    n, p = table.n, table.n_positive
    lines = {line.name: line for line in curves.lift(table).lines}
    assert (lines["random"].x.tolist(), lines["random"].y.tolist()) == ([0, n], [0, p])
    assert (lines["perfect"].x.tolist(), lines["perfect"].y.tolist()) == ([0, p, n], [0, p, p])
    lines = {line.name: line for line in curves.gain(table).lines}
    np.testing.assert_allclose(lines["perfect"].x, [0, p / n, 1], rtol=RTOL)
    assert lines["perfect"].y.tolist() == [0, 1, 1]
    perfect = ScoreTable(np.array([2.0, 1.0]), np.array([p, 0]), np.array([0, n - p]))
    for name in ("lift", "gain"):
        drawn = getattr(curves, name)(perfect)
        line = {line.name: line for line in drawn.lines}["perfect"]
        np.testing.assert_allclose(drawn.x, line.x, rtol=RTOL)
        np.testing.assert_allclose(drawn.y, line.y, rtol=RTOL)
    for depth in (0.1, 0.25, 0.5, 1.0):
        at = np.interp(depth, curves.gain(table).x, curves.gain(table).y)
        assert estimate_scores(table, "gain", depth=depth).value == pytest.approx(at, rel=RTOL)
        assert estimate_scores(table, "lift", depth=depth).value == pytest.approx(at / depth, rel=RTOL)


@pytest.mark.parametrize("weighted", [None, "real"])
@pytest.mark.parametrize("name", ["accuracy", "f1", "recall", "precision", "kappa", "mcc", "informedness", "f_beta"])
def test_by_threshold_is_the_measure_at_every_threshold(name, weighted):
    table = table_of(5, weighted=weighted)
    parameters = {"beta": 2.0} if name == "f_beta" else {}
    curve = curves.by_threshold(table, name, **parameters)
    assert curve.thresholds.tolist() == [math.inf, *table.scores.tolist()]
    for value, threshold in zip(curve.y, curve.thresholds, strict=True):
        label = {"label": 1} if registry[name].scope == "class" else {}
        expected = estimate(howsure.Confusion(table.at(threshold)[0], [0, 1]), name, **label, **parameters)
        # kappa and the like are differences of numbers near 1: absolute error, as in other tests of them
        np.testing.assert_allclose(value, expected.value, rtol=1e-10, atol=1e-13)


def test_what_has_no_threshold():
    with pytest.raises(HowsureError) as caught:
        curves.by_threshold(table_of(1), "auc")
    assert str(caught.value) == "`auc` does not depend on a threshold."


@pytest.mark.parametrize("seed", SEEDS)
def test_cost_curve_is_the_lowest_line_of_all_thresholds(seed):
    table = table_of(seed)
    curve = curves.cost_curve(table)
    roc = curves.roc(table)
    lines = (1 - roc.y)[:, None] * curve.x + roc.x[:, None] * (1 - curve.x)
    np.testing.assert_allclose(curve.y, lines.min(0), rtol=RTOL, atol=1e-15)
    places = [int(np.flatnonzero(roc.thresholds == threshold)[0]) for threshold in curve.thresholds]
    np.testing.assert_allclose(lines[places, np.arange(len(curve))], curve.y, rtol=RTOL, atol=1e-15)
    ends = {line.name: line.y.tolist() for line in curve.lines}
    assert ends == {"always negative": [0, 1], "always positive": [1, 0]}
    assert (curve.y <= np.minimum(curve.x, 1 - curve.x) + 1e-15).all()


@pytest.mark.parametrize("prior", [None, 0.05])
def test_decision_curve_by_its_formula(prior):
    """Vickers and Elkin: net benefit = share of true positives - share of false positives x odds."""
    positive, scores, _ = example(3, decimals=2)
    curve = curves.decision_curve(ScoreTable.from_scores(positive, scores), prior=prior)
    assert len(curve) == 99
    share = positive.mean() if prior is None else prior
    for p, benefit in zip(curve.x, curve.y, strict=True):
        called = scores >= p
        recall, alarms = called[positive].mean(), called[~positive].mean()
        assert benefit == pytest.approx(share * recall - (1 - share) * alarms * p / (1 - p), rel=1e-9, abs=1e-12)
    everyone = {line.name: line for line in curve.lines}["act on all"]
    np.testing.assert_allclose(everyone.y, share - (1 - share) * curve.x / (1 - curve.x), rtol=RTOL, atol=1e-15)
    np.testing.assert_array_equal(curve.extra["act_on_all"], everyone.y)


def test_the_band_of_a_decision_curve_and_of_acting_on_all():
    """Acting on all is as uncertain as the share of positives, and certain where that is given."""
    from howsure.intervals import wilson

    positive, scores, _ = example(3, n=300, decimals=2)
    a = howsure.assess(positive, scores=scores)
    band = a.decision_curve(band="pointwise")
    np.testing.assert_array_equal(band.y, a.decision_curve().y)
    low, high = band.extra["low"], band.extra["high"]
    assert ((low <= band.y) & (band.y <= high)).all()
    assert (low < 0).any()  # a net benefit has no floor at 0
    odds = band.x / (1 - band.x)
    for end, share in zip(("low", "high"), wilson(positive.sum(), 300), strict=True):
        expected = share - (1 - share) * odds
        # bootstrap percentiles of a share of 300 are within 0.01 of Wilson's ends
        np.testing.assert_allclose(band.extra[f"act_on_all_{end}"] * (1 - band.x), expected * (1 - band.x), atol=0.01)
    known = a.decision_curve(band="pointwise", prior=0.1)
    np.testing.assert_allclose(known.extra["act_on_all_low"], known.extra["act_on_all"], rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(known.extra["act_on_all_high"], known.extra["act_on_all"], rtol=1e-12, atol=1e-15)


def test_decision_curve_needs_probabilities():
    with pytest.raises(HowsureError) as caught:
        curves.decision_curve(ScoreTable.from_scores([1, 0, 1], [3.0, -1.0, 0.5]))
    assert str(caught.value) == "the scores must be probabilities between 0 and 1 for this curve."


@pytest.mark.parametrize("seed", SEEDS)
def test_roc_hull(seed):
    table = table_of(seed, n=150, decimals=2)
    hull, roc = curves.roc_hull(table), curves.roc(table)
    slopes = np.diff(hull.y) / np.maximum(np.diff(hull.x), 1e-300)
    assert (np.diff(slopes) < 0).all()  # convex, and no point on a line between others
    assert (np.interp(roc.x, hull.x, hull.y) >= roc.y - 1e-12).all()
    points = set(zip(roc.x, roc.y, roc.thresholds, strict=True))
    assert set(zip(hull.x, hull.y, hull.thresholds, strict=True)) <= points
    assert hull.area >= roc.area
    for slope in (0.0, 0.1, 0.5, 1.0, 2.0, 10.0):
        best = (roc.y - slope * roc.x).max()
        assert (hull.y - slope * hull.x).max() == pytest.approx(best, rel=RTOL, abs=1e-15)
        line = {line.name: line for line in curves.roc_hull(table, slope=slope).lines}["equal cost"]
        assert np.interp(0, line.x, line.y) <= 1
        assert len(line.x) >= 2
    chosen = curves.roc_hull(table, slope=1.0)
    x, y = (float(part.split()[-1]) for part in chosen.notes[0].split(","))
    assert y - x == pytest.approx(estimate_scores(table, "ks_distance").value, abs=2e-3)  # three decimals each


def test_the_line_of_equal_cost_has_its_slope():
    """A line cut off at the frame must still run along its slope and through the best point."""
    table = table_of(0, n=150, decimals=2)
    for slope in (0.25, 1.0, 4.0):
        chosen = curves.roc_hull(table, slope=slope)
        line = {line.name: line for line in chosen.lines}["equal cost"]
        best = int((chosen.y - slope * chosen.x).argmax())
        assert np.interp(chosen.x[best], line.x, line.y) == pytest.approx(chosen.y[best], abs=1e-9)
        assert np.isclose(np.diff(line.y) / np.diff(line.x), slope).any()


@pytest.mark.parametrize("bins", [3, 7])
@pytest.mark.parametrize("seed", SEEDS)
def test_calibration_bins_and_band(seed, bins):
    positive, scores, _ = example(seed, n=200)
    scores = scores * 0.97 + 0.011  # off the edges, where programs differ
    curve = curves.calibration(ScoreTable.from_scores(positive, scores), bins=bins, confidence=0.9)
    share, mean = calibration_curve(positive, scores, n_bins=bins)
    np.testing.assert_allclose(curve.x, mean, rtol=RTOL)
    np.testing.assert_allclose(curve.y, share, rtol=RTOL)
    index = np.minimum((scores * bins).astype(int), bins - 1)
    for row, which in enumerate(np.unique(index)):
        n, hits = (index == which).sum(), positive[index == which].sum()
        assert curve.extra["n"][row] == n
        band = wilson(hits, n, 0.9)
        assert (curve.extra["low"][row], curve.extra["high"][row]) == pytest.approx((band.low, band.high), rel=RTOL)
    wide = curves.calibration(ScoreTable.from_scores(positive, scores), bins=bins, confidence=0.9, simultaneous=True)
    bonferroni = wilson(wide.y * wide.extra["n"], wide.extra["n"], 1 - 0.1 / len(wide))
    np.testing.assert_allclose(wide.extra["low"], bonferroni.low, rtol=1e-9, atol=1e-15)
    assert (wide.extra["high"] >= curve.extra["high"]).all()


def test_calibration_with_real_weights_uses_the_effective_number():
    """The scale of real weights means nothing, so the band must not depend on it."""
    positive, scores, weight = example(2, weighted="real")
    one = curves.calibration(ScoreTable.from_scores(positive, scores, weight))
    other = curves.calibration(ScoreTable.from_scores(positive, scores, weight * 1000))
    np.testing.assert_allclose(one.y, other.y, rtol=RTOL)
    np.testing.assert_allclose(one.extra["low"], other.extra["low"], rtol=1e-9)
    np.testing.assert_allclose(one.extra["high"], other.extra["high"], rtol=1e-9)


def test_calibration_by_quantiles():
    positive, scores, _ = example(1, n=400, decimals=4)
    curve = curves.calibration(ScoreTable.from_scores(positive, scores), bins=8, strategy="quantile")
    assert len(curve) == 8
    assert curve.extra["n"].sum() == 400
    assert np.abs(curve.extra["n"] - 50).max() <= 3  # a tie may lie across the edge
    assert (np.diff(curve.x) > 0).all()
    with pytest.raises(HowsureError) as caught:
        curves.calibration(table_of(1), strategy="equal")
    assert str(caught.value).startswith("`strategy` must be one of 'uniform', 'quantile', 'isotonic', not 'equal'")


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("seed", SEEDS)
def test_bins_hold_enough_cases_unless_their_number_is_asked_for(seed, weighted):
    positive, scores, weight = example(seed, n=150, decimals=3, weighted=weighted)
    table = ScoreTable.from_scores(positive, scores**4, weight)
    curve, asked = curves.calibration(table), curves.calibration(table, bins=10)
    effective = table.effective().n / table.n
    assert (curve.extra["n"] * effective).min() >= 20
    assert (asked.extra["n"] * effective).min() < 20
    assert curve.extra["n"].sum() == pytest.approx(table.n, rel=RTOL)
    assert set(np.round(np.cumsum(curve.extra["n"]), 6)) <= set(np.round(np.cumsum(asked.extra["n"]), 6))
    few = curves.calibration(ScoreTable.from_scores([1, 0, 1], [0.9, 0.1, 0.2]))
    assert (len(few), few.x[0], few.extra["n"][0]) == (1, pytest.approx(0.4), 3)


@pytest.mark.parametrize("weighted", [None, "real"])
def test_isotonic_calibration_is_the_best_rising_line(weighted):
    """As scikit-learn's isotonic regression has it; ``n`` are the cases of each of its steps."""
    from sklearn.isotonic import IsotonicRegression

    positive, scores, weight = example(4, n=200, decimals=2, weighted=weighted)
    table = ScoreTable.from_scores(positive, scores, weight)
    curve = curves.calibration(table, strategy="isotonic")
    peer = IsotonicRegression().fit(scores, positive, sample_weight=weight)
    np.testing.assert_allclose(curve.y, peer.predict(curve.x), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.interp(scores, curve.x, curve.y), peer.predict(scores), rtol=1e-9, atol=1e-12)
    assert (np.diff(curve.y) >= 0).all()
    assert curve.extra["n"][np.unique(curve.y, return_index=True)[1]].sum() == pytest.approx(table.n, rel=RTOL)
    with pytest.raises(HowsureError) as caught:
        curves.calibration(table, strategy="isotonic", bins=5)
    assert str(caught.value) == "`strategy` 'isotonic' has no bins; leave out `bins` and `simultaneous`."


def test_the_isotonic_line_has_the_band_of_right_probabilities():
    """Lines of right probabilities lie in it as often as it says, those of wrong ones do not (95 %, 40 samples)."""
    rng = np.random.default_rng(0)

    def inside(distort):
        shares = []
        for _ in range(40):
            p = rng.beta(1, 2, 300)
            curve = curves.calibration(ScoreTable.from_scores(rng.random(300) < distort(p), p), strategy="isotonic")
            low, high = (curve.extra[end] for end in ("low", "high"))
            shares.append(np.mean((low <= curve.y) & (curve.y <= high)))
        return np.mean(shares)

    assert 0.92 < inside(lambda p: p) < 0.98  # points of a line go together: some 2 % of Monte Carlo error
    assert inside(np.sqrt) < 0.3


def test_the_band_of_net_benefit_has_width_where_nothing_was_seen():
    """No case is called positive from 0.8 on, and no negative from 0.6 on: 0 of n may be a few of many more."""
    rng = np.random.default_rng(0)
    scores = np.concatenate([rng.uniform(0, 0.8, 40), rng.uniform(0, 0.6, 60)])
    a = howsure.assess([1] * 40 + [0] * 60, scores=scores)
    widths = {}
    for kind in ("pointwise", "simultaneous"):
        curve = a.decision_curve(band=kind)
        low, high = (curve.extra[end] for end in ("low", "high"))
        widths[kind] = high - low
        unseen = curve.x > scores.max()
        np.testing.assert_array_equal(curve.y[unseen], 0)
        assert (low[unseen] < 0).all()
        assert (high[unseen] > 0).all()
        if kind == "pointwise":  # Wilson's upper end of 0 of 40, and of 60, at the share and the odds of the curve
            hits, alarms = wilson(0, 40).high, wilson(0, 60).high
            odds = curve.x[unseen] / (1 - curve.x[unseen])
            np.testing.assert_allclose(high[unseen], 0.4 * hits, rtol=1e-9)
            np.testing.assert_allclose(low[unseen], -0.6 * alarms * odds, rtol=1e-9)
    assert (widths["simultaneous"] >= widths["pointwise"] - 1e-12).all()


def test_quantiles_of_real_weights():
    """Bins of equal weight, whatever the scale of the weights."""
    positive, scores, weight = example(1, n=400, decimals=4, weighted="real")
    whole, scaled = (
        curves.calibration(ScoreTable.from_scores(positive, scores, weight * scale), bins=8, strategy="quantile")
        for scale in (1.0, 2.0**-20)
    )
    assert len(whole) == 8
    np.testing.assert_allclose(scaled.x, whole.x, rtol=RTOL)
    np.testing.assert_allclose(scaled.y, whole.y, rtol=RTOL)


def test_a_probability_on_an_edge_belongs_to_the_upper_bin():
    """0.29 * 100 is a little less than 29, yet 0.29 is where bin 29 begins."""
    for hundredth in range(100):
        table = ScoreTable.from_scores([1, 0], [hundredth / 100, (hundredth + 0.5) / 100])
        assert len(curves.calibration(table, bins=100)) == 1, hundredth


@pytest.mark.parametrize("bins", [0, -3, 2.5])
def test_bins_are_counted(bins):
    for draw in (curves.calibration, curves.brier_parts, curves.densities):
        with pytest.raises(HowsureError) as caught:
            draw(table_of(1), bins=bins)
        assert str(caught.value) == f"`bins` must be a whole number above 0, not {bins}."


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_calibration_error_is_that_of_the_curve(kind):
    """Also for single precision scores on the edges of bins."""
    positive, scores, _ = example(6, n=300)
    table = ScoreTable.from_scores(positive, scores.astype(kind))
    curve = curves.calibration(table, bins=10)
    gaps = np.abs(curve.x - curve.y)
    expected = (gaps * curve.extra["n"]).sum() / 300
    # a mean in single precision is good to 1e-7
    assert estimate_scores(table, "ece").value == pytest.approx(expected, rel=1e-6)
    assert estimate_scores(table, "mce").value == pytest.approx(gaps.max(), rel=1e-6)


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("bins", [None, 1, 4, 10])
def test_parts_of_the_brier_score(bins, weighted):
    table = table_of(4, weighted=weighted)
    parts = curves.brier_parts(table, bins)
    total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    brier = estimate_scores(table, "brier").value
    assert parts.brier == pytest.approx(brier, rel=RTOL)
    assert total == pytest.approx(brier, rel=RTOL)
    share = table.n_positive / table.n
    assert parts.uncertainty == pytest.approx(share * (1 - share), rel=RTOL)
    assert parts.reliability >= 0
    assert parts.resolution >= 0
    if bins is None:
        assert parts.within == pytest.approx(0, abs=1e-15)
    if bins == 1:
        mean = ((table.positives + table.negatives) * table.scores).sum() / table.n
        assert parts.resolution == pytest.approx(0, abs=1e-15)
        assert parts.reliability == pytest.approx((mean - share) ** 2, rel=1e-9)
    assert f"{parts.brier:.4f}" in str(parts)


def test_parts_need_probabilities():
    for draw in (curves.brier_parts, curves.calibration):
        with pytest.raises(HowsureError) as caught:
            draw(ScoreTable.from_scores([1, 0], [1.5, 0.0]))
        assert str(caught.value) == "the scores must be probabilities between 0 and 1 for this curve."


def test_densities_have_area_one():
    for table in (table_of(1), table_of(1, weighted="real"), ScoreTable.from_scores([1, 0, 0], [5.0, 5.0, 5.0])):
        curve = curves.densities(table)
        width = curve.x[1] - curve.x[0]
        assert curve.y.sum() * width == pytest.approx(1, rel=1e-9)
        assert curve.extra["negatives"].sum() * width == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("name", BANDED)
def test_bands_hold_the_curve(name):
    table = table_of(2, n=200, decimals=3)
    draw = getattr(curves, name)
    bands = {kind: curves.with_band(draw, table, kind, seed=1) for kind in ("pointwise", "simultaneous")}
    for kind, band in bands.items():
        low, high = band.extra["low"], band.extra["high"]
        exact = draw(table)
        for column in ("x", "y", "threshold"):
            np.testing.assert_array_equal(band.columns()[column], exact.columns()[column])
        assert (low <= high).all()
        assert band.extra.keys() > {"low", "high"} or ((low >= 0) & (high <= 1)).all()
        top = height(exact, band.x)  # of several points one above the other
        inside = (low <= top + 1e-12) & (top <= high + 1e-12)
        # percentiles of replicates need not hold a biased end of the curve; everywhere else they do
        assert inside.mean() >= (1 if kind == "simultaneous" else 0.95), (kind, band.x[~inside])
        again = curves.with_band(draw, table, kind, seed=1)
        np.testing.assert_array_equal(again.extra["low"], low)
        assert not np.array_equal(curves.with_band(draw, table, kind, seed=2).extra["low"], low)
        assert band.notes[-1] == f"{kind} 95% band from 500 bootstrap replicates, seed 1"
    wider = bands["simultaneous"].extra["high"] - bands["simultaneous"].extra["low"]
    narrower = bands["pointwise"].extra["high"] - bands["pointwise"].extra["low"]
    assert (wider >= narrower - 1e-9).mean() > 0.9


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_bands_with_few_positives(kind):
    """Replicates without a positive say nothing, and must not take the others with them."""
    table = ScoreTable.from_scores([1, 0, 0, 1, 0, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2])
    band = curves.with_band(curves.roc, table, kind, replicates=200)
    assert np.isfinite([band.extra["low"], band.extra["high"]]).all()
    assert (band.extra["high"] > band.extra["low"]).any()


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_bands_with_real_weights(kind):
    positive, scores, weight = example(3, weighted="real")
    one = curves.with_band(curves.roc, ScoreTable.from_scores(positive, scores, weight), kind, replicates=50)
    other = curves.with_band(curves.roc, ScoreTable.from_scores(positive, scores, weight * 128), kind, replicates=50)
    np.testing.assert_allclose(one.extra["low"], other.extra["low"], rtol=1e-9, atol=1e-12)
    assert (one.extra["high"] > one.extra["low"]).mean() > 0.5


def test_kinds_of_bands():
    with pytest.raises(HowsureError) as caught:
        curves.with_band(curves.roc, table_of(1), "wide")
    assert str(caught.value).startswith("`kind` must be one of 'pointwise', 'simultaneous', not 'wide'")


def test_the_simultaneous_band_covers_a_binormal_curve():
    """60 samples of 200, true curve Phi(1 + Phi^-1(x)); at a nominal 95 % fewer than 80 % would be a fault.

    A sound band misses that floor once in ten thousand runs. Only the outermost fiftieths are left out. Where the
    sample's curve has reached 1, so have its replicates: the band must not take that for certainty.
    """
    from scipy.special import ndtr, ndtri

    covered, widths = 0, []
    for seed in range(60):
        rng = np.random.default_rng(1000 + seed)
        positive = np.arange(200) < 100
        table = ScoreTable.from_scores(positive, rng.normal(size=200) + positive)
        band = curves.with_band(curves.roc, table, "simultaneous", replicates=200, seed=seed)
        inner = (band.x >= 0.02) & (band.x <= 0.98)
        true = ndtr(1 + ndtri(band.x[inner]))
        covered += bool(((band.extra["low"][inner] <= true) & (true <= band.extra["high"][inner])).all())
        widths.append(np.trapezoid(band.extra["high"] - band.extra["low"], band.x))
    assert covered >= 48
    assert np.mean(widths) < 0.4  # not by being everywhere


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_the_band_of_a_perfect_curve_has_width(kind):
    """20 cases ranked without a fault do not show that none will ever be: as with a share of 20 out of 20."""
    table = ScoreTable.from_scores(np.arange(20) < 10, -np.arange(20))
    band = curves.with_band(curves.roc, table, kind, replicates=100)
    assert (band.extra["high"] == 1).all()
    assert (band.extra["low"] < 0.95).mean() > 0.5


def test_what_happens_inside_the_bins_is_added_or_taken_off():
    parts = curves.BrierParts(0.0128, 0.0475, 0.2386, -0.001, 0.203)
    assert str(parts) == "Brier score 0.2030 = 0.0128 - 0.0475 + 0.2386 - 0.0010 within bins"
    assert str(replace(parts, within=0.001)).endswith("+ 0.2386 + 0.0010 within bins")
    assert str(replace(parts, within=-1e-9)).endswith("+ 0.2386 + 0.0000 within bins")


def test_averages_of_identical_folds():
    table = table_of(1, n=300, decimals=2)
    exact = curves.roc(table)
    pooled = curves.average_roc([table] * 3, "pooled")
    np.testing.assert_allclose(pooled.x, exact.x, rtol=RTOL)
    np.testing.assert_allclose(pooled.y, exact.y, rtol=RTOL)
    vertical = curves.average_roc([table] * 3, "vertical")
    np.testing.assert_allclose(vertical.y[1:], height(exact, vertical.x)[1:], rtol=RTOL)
    np.testing.assert_allclose(vertical.extra["sd"], 0, atol=1e-12)
    by_threshold = curves.average_roc([table] * 3, "threshold", points=len(table))
    np.testing.assert_allclose(by_threshold.x, exact.x, rtol=RTOL)
    np.testing.assert_allclose(by_threshold.y, exact.y, rtol=RTOL)
    np.testing.assert_array_equal(by_threshold.thresholds, exact.thresholds)
    assert by_threshold.area == pytest.approx(exact.area, rel=RTOL)
    np.testing.assert_allclose([by_threshold.extra["sd"], by_threshold.extra["sd_x"]], 0, atol=1e-12)


def test_averages_of_different_folds():
    tables = [table_of(seed, n=120, decimals=2) for seed in range(4)]
    vertical = curves.average_roc(tables, "vertical", points=51)
    heights = np.array([height(curves.roc(table), vertical.x) for table in tables])
    np.testing.assert_allclose(vertical.y[1:], heights.mean(0)[1:], rtol=RTOL)
    np.testing.assert_allclose(vertical.extra["sd"][1:], heights.std(0, ddof=1)[1:], rtol=1e-9, atol=1e-12)
    by_threshold = curves.average_roc(tables, "threshold", points=40)
    assert (by_threshold.x[0], by_threshold.y[0]) == (0, 0)
    assert (by_threshold.x[-1], by_threshold.y[-1]) == (1, 1)
    for x, y, threshold in zip(*list(by_threshold.columns().values())[:3], strict=True):
        counts = [table.at(threshold)[0] for table in tables]
        assert x == pytest.approx(np.mean([c[0, 1] / c[0].sum() for c in counts]), rel=RTOL)
        assert y == pytest.approx(np.mean([c[1, 1] / c[1].sum() for c in counts]), rel=RTOL)
    pooled = curves.average_roc(tables, "pooled")
    assert pooled.area == estimate_scores(sum(tables[1:], tables[0]), "auc").value


def test_the_area_of_the_vertical_average_is_the_mean_area():
    """The mean of areas is the area of the mean; 0.002 is the error of a grid of 101 points."""
    perfect = ScoreTable.from_scores([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])
    assert curves.average_roc([perfect, perfect]).area == pytest.approx(1, abs=1e-9)
    tables = [table_of(seed, n=400, decimals=3) for seed in range(4)]
    areas = [estimate_scores(table, "auc").value for table in tables]
    assert curves.average_roc(tables).area == pytest.approx(np.mean(areas), abs=0.002)


@pytest.mark.parametrize("how", ["vertical", "threshold"])
def test_folds_of_one_class_are_left_out(how):
    table, lone = table_of(1), ScoreTable.from_scores([1, 1], [0.3, 0.4])
    curve = curves.average_roc([table, lone, table], how)
    same = curves.average_roc([table, table], how)
    np.testing.assert_array_equal(curve.y, same.y)
    assert curve.notes == ("1 of 3 folds left out, with only one class",)
    assert same.notes == ()
    with pytest.raises(HowsureError) as caught:
        curves.average_roc([lone], how)
    assert str(caught.value) == "no fold has both positives and negatives, so there is no ROC curve to average."


def distance_to_polyline(px, py, x, y):
    """Largest distance of points to a chain of segments, by brute force."""
    ax, ay, bx, by = x[:-1], y[:-1], x[1:], y[1:]
    length = np.maximum((bx - ax) ** 2 + (by - ay) ** 2, 1e-300)
    along = np.clip(((px[:, None] - ax) * (bx - ax) + (py[:, None] - ay) * (by - ay)) / length, 0, 1)
    away = np.hypot(px[:, None] - ax - along * (bx - ax), py[:, None] - ay - along * (by - ay))
    return away.min(1).max()


@pytest.mark.parametrize("tolerance", [1e-3, 1e-2, 0.1])
@pytest.mark.parametrize("name", ["roc", "precision_recall", "lift", "ks", "gain", "f1", "precision", "calibration"])
def test_thinning_moves_a_curve_by_no_more_than_the_tolerance(name, tolerance):
    table = table_of(7, n=3000, decimals=6)
    draw = getattr(curves, name, None)
    curve = curves.by_threshold(table, name) if draw is None else draw(table)
    thin = curve.thinned(tolerance)
    assert len(thin) <= len(curve)
    exact, thinned = (np.array([c.x, c.y])[:, np.isfinite(c.x) & np.isfinite(c.y)] for c in (curve, thin))
    assert set(zip(*thinned.tolist(), strict=True)) <= set(zip(*exact.tolist(), strict=True))
    scale = np.ptp(exact, axis=1)[:, None]
    assert distance_to_polyline(*(exact / scale), *(thinned / scale)) <= tolerance * (1 + 1e-9)
    assert {len(column) for column in thin.columns().values()} == {len(thin)}
    if tolerance == 0.1 and name in ("roc", "lift", "gain"):
        assert len(thin) < 40  # of 3,000


def test_thinning_a_curve_that_turns_back():
    """A point beyond the end of a chord is far from it, though it lies on its line."""
    x, y = np.array([0.0, 3.0, -2.0, 1.0]), np.array([0.0, 0.0, 0.0, 1e-9])
    curve = Curve(x, y * 0, np.zeros(4), name="zigzag")
    assert curve.thinned(1e-3).x.tolist() == x.tolist()


def test_short_curves_stay():
    curve = Curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.zeros(2))
    assert curve.thinned() is curve


@pytest.mark.parametrize("draw", ["roc", "calibration", "precision"])
def test_saving_and_reading_back(tmp_path, draw):
    table = table_of(1)
    curve = curves.by_threshold(table, draw) if draw == "precision" else getattr(curves, draw)(table)
    columns = curve.columns()

    curve.save(tmp_path / "c.csv")
    with open(tmp_path / "c.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == list(columns)
    read = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows[1:]])
    np.testing.assert_array_equal(read, np.column_stack(list(columns.values())))

    curve.save(tmp_path / "c.json")
    stored = json.loads((tmp_path / "c.json").read_text())
    assert stored == curve.to_dict()
    back = [[np.nan if v is None else float(v) for v in column] for column in stored["columns"].values()]
    np.testing.assert_array_equal(back, list(columns.values()))

    import pyarrow.parquet as pq

    curve.save(tmp_path / "c.parquet")
    stored = pq.read_table(tmp_path / "c.parquet")
    assert stored.column_names == list(columns)
    for name, column in columns.items():
        np.testing.assert_array_equal(stored[name].to_numpy(), column)

    with pytest.raises(HowsureError) as caught:
        curve.save("c.txt")
    assert str(caught.value) == "`path` must end in .csv, .json, .parquet, .png, .svg or .pdf, not 'c.txt'."


def test_saving_several_curves(tmp_path):
    """One file has the points of all, each with the name of its class."""
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    truth, scores = rng.choice(["a", "b", "c"], 60), rng.dirichlet([1, 1, 1], 60)
    roc = howsure.assess(truth, scores=scores, labels=["a", "b", "c"]).by_class("roc")
    for kind in ("csv", "json", "parquet", "svg"):
        roc.save(tmp_path / f"roc.{kind}")
    assert (tmp_path / "roc.csv").read_text() == roc.to_csv() + "\n"
    assert json.loads((tmp_path / "roc.json").read_text()) == roc.to_dict()
    stored = pq.read_table(tmp_path / "roc.parquet").to_pydict()
    assert stored["class"] == [record["class"] for record in roc.records()]
    assert stored["y"] == [record["y"] for record in roc.records()]
    assert (tmp_path / "roc.svg").read_text().startswith("<?xml")
    with pytest.raises(HowsureError, match="must end in"):
        roc.save("roc.txt")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library):
    curve = curves.calibration(table_of(1))
    frame = curve.frame(library)
    assert type(frame).__module__.startswith(library)
    assert list(frame.columns) == ["x", "y", "threshold", "low", "high", "n"]
    np.testing.assert_array_equal(np.asarray(frame["y"]), curve.y)


def test_dictionaries_are_json():
    for name, curve in every_curve(table_of(1)).items():
        values = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
        assert values["name"] == curve.name, name
        assert len(values["columns"]["x"]) == len(curve)
    assert curves.roc(table_of(1)).to_dict()["columns"]["threshold"][0] == "inf"


def test_plots_on_given_axes_and_on_its_own():
    from matplotlib.figure import Figure

    curve = curves.roc(table_of(1))
    ax = Figure().subplots()
    assert curve.plot(ax) is ax
    drawn, random = ax.get_lines()[:2]
    shown = curve.thinned()
    np.testing.assert_array_equal(drawn.get_xdata(), shown.x)
    np.testing.assert_array_equal(drawn.get_ydata(), shown.y)
    assert random.get_label() == "random"
    assert (ax.get_xlabel(), ax.get_title()) == ("false positive rate", "ROC curve")
    own = curve.plot()
    assert own.figure is not ax.figure
    assert len(own.get_lines()) == 2


def test_the_style_of_a_plot():
    """Keywords of a Matplotlib line, in either spelling, and a label of one's own."""
    curve = curves.roc(table_of(1))
    for style in ({"color": "red", "linewidth": 3}, {"c": "red", "lw": 3}):
        line = curve.plot(**style).get_lines()[0]
        assert (line.get_color(), line.get_linewidth()) == ("red", 3)
    line = curve.plot(linestyle=":", marker="x", alpha=0.5, label="_hidden").get_lines()[0]
    assert (line.get_linestyle(), line.get_marker(), line.get_alpha(), line.get_label()) == (":", "x", 0.5, "_hidden")
    assert curve.plot().get_lines()[0].get_marker() == "None"


def legend_of(ax):
    return [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]


def test_the_legend_in_words():
    """Whose curve it is, and what sums it up, to the digits that its interval leaves a meaning."""
    positive, scores, _ = example(1, n=300, decimals=3)
    a = howsure.assess(np.where(positive, "yes", "no"), scores=scores, positive="yes")
    low, high = a["auc"].interval()
    words = f"AUC {a['auc'].value:.2f} [{low:.2f}, {high:.2f}]"
    assert legend_of(a.roc().plot(label="tree"))[0] == f"ROC of tree, {words}"
    assert legend_of(a.roc().plot())[0] == f"ROC of yes, {words}"
    assert legend_of(curves.roc(a.scores).plot())[0] == f"ROC, {words}"
    assert legend_of(a.precision_recall().plot())[0].startswith("precision-recall of yes, average precision 0.")
    for name, curve in a.curves().items():
        assert "_" not in " ".join(legend_of(curve.plot())), name
    tenfold = howsure.assess(np.repeat(positive, 200), scores=np.repeat(scores, 200))
    assert re.fullmatch(r"ROC of class True, AUC 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]", tenfold.roc().legend())


def test_titles_name_the_class_and_several_curves_share_one():
    positive, scores, _ = example(1)
    a = howsure.assess(np.where(positive, "yes", "no"), scores=scores, positive="yes")
    ax = a.roc().plot()
    assert ax.get_title() == "ROC curve of yes"
    a.roc("no").plot(ax)
    assert ax.get_title() == "ROC curve"
    ax.set_title("mine")
    a.roc().plot(ax)
    assert ax.get_title() == "mine"


def test_two_curves_on_the_same_axes():
    """Each in a colour of its own, and the line of guessing once."""
    ax = curves.roc(table_of(1)).plot(label="tree")
    assert curves.roc(table_of(2)).plot(ax, label="bayes") is ax
    words = [label.partition(",")[0] for label in legend_of(ax)]
    assert words == ["ROC of tree", "ROC of bayes", "random"]
    assert len({str(line.get_color()) for line in ax.get_lines()}) == 3


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_saving_a_picture(tmp_path, kind, start):
    """The same curve gives the same bytes, and a file appears whole or not at all."""
    curve = curves.roc(table_of(1))
    for name in ("a", "b"):
        curve.save(tmp_path / f"{name}.{kind}")
    assert (tmp_path / f"a.{kind}").read_bytes().startswith(start)
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    (tmp_path / "file").write_text("")
    with pytest.raises(HowsureError, match="cannot be written"):
        curve.save(tmp_path / "file" / f"c.{kind}")
    assert {path.name for path in tmp_path.iterdir()} == {f"a.{kind}", f"b.{kind}", "file"}


def test_lift_in_counts_and_as_a_ratio():
    """One word for two things: the chart in counts, and the ratio, as a curve and as a measure."""
    positive, scores, _ = example(3, n=200, decimals=4)
    a = howsure.assess(positive, scores=scores)
    counts, ratio = a.lift(), a.lift_ratio()
    assert counts.x[-1] == 200
    np.testing.assert_allclose(counts.y[1:] / counts.x[1:] / positive.mean(), ratio.y, rtol=RTOL)
    at = np.interp(0.25, ratio.x, ratio.x * ratio.y) / 0.25
    assert a["lift(depth=0.25)"].value == pytest.approx(at, rel=RTOL)
    np.testing.assert_array_equal(a.curve("lift chart").y, counts.y)


def test_parts_of_the_brier_score_are_a_result():
    parts = curves.brier_parts(table_of(4))
    assert parts.to_dict() == parts.records()[0]
    assert parts.frame("pandas")["reliability"][0] == parts.reliability
    assert "reliability" in parts.to_markdown()


def test_every_curve_can_be_drawn():
    """Without a warning, which would be an error here; infinite thresholds and undefined values are left out."""
    for name, curve in every_curve(table_of(1, n=300, decimals=3)).items():
        ax = curve.plot()
        y = np.asarray(ax.get_lines()[0].get_ydata(), float)
        finite = curve.y[np.isfinite(curve.x) & np.isfinite(curve.y)]
        assert np.nanmax(y) == pytest.approx(finite.max(), abs=2e-3 * (np.ptp(finite) or 1)), name
        assert np.isfinite(y).sum() > 2, name
        ax.figure.canvas.draw()


def test_bands_are_drawn():
    ax = curves.with_band(curves.roc, table_of(1), replicates=20).plot()
    assert [patch.get_label() for patch in ax.collections] == ["95 % band (pointwise)"]


def test_notebooks_show_an_image():
    html = curves.roc(table_of(1))._repr_html_()
    assert html.startswith('<img alt="ROC curve. ')
    assert 'src="data:image/svg+xml;base64,' in html
    assert "<script" not in html


def test_the_curves_of_an_assessment():
    positive, scores, _ = example(1)
    a = howsure.assess(np.where(positive, "yes", "no"), scores=scores, positive="yes")
    drawn = a.curves()
    assert set(drawn) == set(curves.names())
    other = a.curves("no")
    assert other["roc"].area == pytest.approx(drawn["roc"].area, rel=RTOL)
    np.testing.assert_allclose(other["roc"].x, 1 - drawn["roc"].y[::-1], atol=1e-15)
    logit = howsure.assess(np.where(positive, "yes", "no"), scores=scores * 10 - 5, positive="yes")
    of_scores = {name for name, declared in curves.registry.items() if declared.needs == "scores"}
    assert set(logit.curves()) == of_scores == set(drawn) - {"calibration", "decision_curve"}
    banded = a.curves(band="pointwise")
    assert {name for name, curve in banded.items() if "band from" in " ".join(curve.notes)} == set(BANDED)
    assert logit.roc().area == pytest.approx(drawn["roc"].area, rel=RTOL)
    assert a.roc(band="pointwise").extra.keys() == {"low", "high"}
    assert a.brier_parts().brier == pytest.approx(a["brier"].value, rel=RTOL)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda: howsure.assess([1, 0], [1, 0]).roc(),
            "curves need scores, but there are only labels; give `scores=...`.",
        ),
        (
            lambda: howsure.assess([1, 1], scores=[0.1, 0.2]).roc(),
            "all cases are of one class, so there is no curve to draw.",
        ),
        (
            lambda: howsure.assess([0, 1, 2], scores=np.eye(3)).roc(),
            "with more than two classes a curve needs `label=...`; `by_class` draws all classes.",
        ),
        (lambda: howsure.assess([0, 1], scores=[0.1, 0.2]).roc(label=2), "`label` must be one of 0, 1, not 2."),
        (
            lambda: howsure.assess([0, 1], scores=[0.1, 0.2]).curve("ks", band="pointwise"),
            "`ks` has no `band`; roc, precision_recall, gain, decision_curve have one.",
        ),
        (
            lambda: howsure.assess([0, 1], scores=[0.1, 0.2]).curve("rocs"),
            "`curve` must be the name of a curve, not 'rocs'; did you mean 'roc'?",
        ),
    ],
)
def test_where_there_is_no_curve(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask()
    assert str(caught.value) == sentence


def test_a_curve_has_a_repr_of_one_line():
    curve = howsure.assess([0, 0, 1, 1], scores=[0.1, 0.4, 0.35, 0.8], positive=1).roc()
    assert repr(curve) == f"Curve('roc', {len(curve)} points)"
