"""The score interval of an odds ratio: what it is by definition, and where it has no end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm, poisson

import howsure
from howsure import Confusion
from howsure.intervals.declare import Request
from howsure.intervals.odds import ALL_ALIKE
from howsure.lab import LabelPopulation, coverage
from howsure.lab.interval_coverage import method_coverage
from howsure.lab.label_intervals import label_intervals
from howsure.lab.samples import ParsedMeasure
from howsure.measures import estimate

TABLES = ([[30, 4], [5, 9]], [[90, 12], [8, 4]], [[5, 5], [5, 5]], [[400, 6], [4, 60]])


def interval(table, **options):
    return estimate(Confusion(table), "diagnostic_odds_ratio", label=1).interval(**options)


def score(table, ratio):
    """Miettinen and Nurminen's score of two independent shares, by the most likely shares of that odds ratio."""
    (tn, fp), (fn, tp) = table
    positives, negatives, n = tp + fn, fp + tn, tn + fp + fn + tp

    def other(share):
        """Recall, where this is the share of false positives."""
        return ratio * share / (1 + share * (ratio - 1))

    def slope(share):
        """Derivative of the likelihood by the log odds of both shares, which is where the expected number is right."""
        return positives * other(share) + negatives * share - tp - fp

    share = brentq(slope, 1e-15, 1 - 1e-15, xtol=1e-16, rtol=1e-14)
    recall = other(share)
    variance = 1 / (positives * recall * (1 - recall)) + 1 / (negatives * share * (1 - share))
    return (tp - positives * recall) * math.sqrt(variance * (n - 1) / n)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_the_ends_are_where_the_score_is_the_quantile(table, confidence):
    low, high = interval(table, confidence=confidence)
    z = norm.ppf((1 + confidence) / 2)
    np.testing.assert_allclose([score(table, low), score(table, high)], [z, -z], rtol=1e-7)


@pytest.mark.parametrize("seen", [1, 2, 3])
def test_few_errors_of_a_kind_leave_room_up_to_their_mid_p_bound(seen):
    table = [[900, 100], [seen, 40]]
    mean = brentq(lambda mean: poisson.sf(seen, mean) + poisson.pmf(seen, mean) / 2 - 0.025, 1e-9, seen)
    low, high = interval(table)
    assert high == pytest.approx(900 * 40 / (100 * mean), rel=1e-9)
    assert score(table, high) < -norm.ppf(0.975)  # further than the score alone would go
    assert score(table, low) == pytest.approx(norm.ppf(0.975), rel=1e-7)
    turned = interval([[100, 900], [40, seen]])
    assert turned.low == pytest.approx(1 / high, rel=1e-9)


def test_exchanging_the_classes_inverts_nothing_and_exchanging_predictions_all():
    (tn, fp), (fn, tp) = table = TABLES[0]
    np.testing.assert_allclose(tuple(interval([[tp, fn], [fp, tn]])), tuple(interval(table)), rtol=1e-12)
    low, high = interval([[fp, tn], [tp, fn]])
    np.testing.assert_allclose((1 / high, 1 / low), tuple(interval(table)), rtol=1e-12)


def test_many_cases_agree_with_the_logarithm_s_standard_error():
    cells = np.array([[30, 4], [2, 7]]) * 10_000
    error = math.sqrt((1 / cells).sum())
    value = cells[0, 0] * cells[1, 1] / cells[0, 1] / cells[1, 0]
    wanted = value * np.exp([-1.959964 * error, 1.959964 * error])
    np.testing.assert_allclose(tuple(interval(cells)), wanted, rtol=1e-3)


def test_no_error_of_a_kind_leaves_no_upper_end():
    found = estimate(Confusion([[100, 0], [0, 100]]), "diagnostic_odds_ratio", label=1)
    low, high = found.interval()
    # With e cases of either error the score is e * (2 + 2 e / (100 - e)), times (n - 1) / n.
    e = brentq(lambda e: (2 * e + 2 * e * e / (100 - e)) * 199 / 200 - 1.959964**2, 0, 50)
    assert low == pytest.approx(((100 - e) / e) ** 2, rel=1e-5)
    assert high == math.inf
    assert found.undefined


def test_nothing_is_said_where_every_case_was_predicted_alike():
    found = interval([[20, 0], [5, 0]])
    assert math.isnan(found.low)
    assert found.notes == (ALL_ALIKE,)


def test_weights_of_one_size_change_nothing_and_uneven_ones_widen():
    cells = np.array(TABLES[0])
    plain, heavy = Confusion(cells), Confusion(cells * 2.5, squares=cells * 2.5**2)
    ends = [tuple(estimate(table, "diagnostic_odds_ratio", label=1).interval()) for table in (plain, heavy)]
    np.testing.assert_allclose(*ends, rtol=1e-12)
    rng = np.random.default_rng(3)
    truth = rng.random(200) < 0.4
    called = np.where(rng.random(200) < 0.8, truth, ~truth)
    widths = [
        math.log(found.high / found.low)
        for weight in (np.ones(200), rng.uniform(0.1, 4, 200))
        for found in [howsure.assess(truth, called, weight=weight, positive=True).estimate("diagnostic_odds_ratio")]
    ]
    assert widths[1] > 1.1 * widths[0]


def test_shares_of_classes_that_are_given_leave_the_counts_to_be_moved():
    table = Confusion(TABLES[0]).with_shares([0.5, 0.5])
    found = estimate(table, "diagnostic_odds_ratio", label=1)
    assert found.interval().method == "mover"
    assert math.isfinite(found.interval().high)


def test_it_holds_as_often_as_it_says_where_errors_are_few():
    # Moving each count to its bounds held 99.8 % here: two exact bounds of few counts add up to too much.
    few = coverage("diagnostic_odds_ratio", 200, 0.5, "near-perfect", rounds=4000, methods=["cornfield", "mover"])
    assert 0.95 < few["cornfield"].coverage < 0.985
    assert few["mover"].coverage > 0.99


def test_it_holds_where_one_kind_of_error_is_hardly_made():
    # The score alone held 90 %: one miss among twenty positives makes it too sure of more than one in two hundred.
    population = LabelPopulation.of_rates(0.02, 0.995, 0.9)
    tables = population.draw(np.random.default_rng(5), 1000, 4000)
    _, low, high = label_intervals(tables, ParsedMeasure.of("diagnostic_odds_ratio"), "auto", Request())
    truth = population.truth("diagnostic_odds_ratio", 1)
    held = method_coverage("cornfield", truth, (low, low, high))
    assert held.coverage > 0.94
