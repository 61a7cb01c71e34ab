"""Coverage: what is counted, that many tables at once give what each gives alone, and that defaults hold."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import howsure
from howsure import Confusion
from howsure.intervals.declare import Request
from howsure.lab import Cell, LabelPopulation, coverage
from howsure.lab.interval_coverage import method_coverage
from howsure.lab.label_intervals import label_intervals
from howsure.lab.samples import ParsedMeasure, label_of
from howsure.measured.intervals import MeasuredCoverage
from howsure.measures import estimate, registry

# The measures of labels that are not simulated take what only their user knows.
LABELS = [name for name, one in registry.items() if one.scope in ("class", "overall") and not one.parameters]
RARE = [(n, prevalence) for n in (20, 50, 200, 1000) for prevalence in (0.5, 0.1, 0.02)]
# Counts are discrete, so that a single proportion may fall below what is promised on average over its neighbours.
FLOOR = {True: 0.88, False: 0.91}


def test_intervals_are_counted_by_where_they_lie():
    low, high = np.array([0.1, 0.6, 0.1, np.nan]), np.array([0.9, 0.9, 0.4, np.nan])
    held = method_coverage("some", 0.5, (low, low, high))
    assert (held.given, held.below, held.above, held.rounds) == (0.75, 1 / 3, 1 / 3, 4)
    assert held.coverage == pytest.approx(1 / 3)
    assert held.error == pytest.approx(math.sqrt(0.625 * 0.375 / 3))  # half a miss is added to two of three
    assert method_coverage("none", 0.5, (low[3:], low[3:], high[3:])).given == 0


@pytest.mark.parametrize("name", LABELS)
def test_many_tables_give_what_each_gives_alone(name):
    tables = LabelPopulation.of_rates(0.15, 0.8, 0.9).draw(np.random.default_rng(3), 12, 40)
    _, low, high = label_intervals(tables, ParsedMeasure.of(name), "auto", Request())
    for counts, a, b in zip(tables, low, high, strict=True):
        alone = estimate(Confusion(counts, (0, 1)), name, label=label_of(registry[name], 2)).interval()
        np.testing.assert_allclose((a, b), tuple(alone), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("quality", ["poor", "good"])
@pytest.mark.parametrize("name", LABELS)
def test_defaults_hold_for_labels(name, quality):
    for n, prevalence in RARE:
        held = coverage(name, n, prevalence, quality, rounds=1000, seed=1)["auto"]
        if held.given > 0.2:
            assert held.coverage > FLOOR[registry[name].is_ratio], (n, prevalence, held)


@pytest.mark.parametrize("name", ["kappa", "mcc", "balanced_accuracy", "f1", "precision"])
def test_defaults_hold_for_three_classes(name):
    held = coverage(name, 60, 0.2, "fair", classes=3, rounds=400, seed=1)["auto"]
    assert 0.91 < held.coverage < 0.99, held  # three standard errors below 95 %, and above


def test_a_few_samples_without_an_interval_are_not_said_to_be_none():
    result = coverage("recall", 50, rounds=20)

    def headline(given):
        return replace(result, methods=(replace(result.methods[0], given=given),)).headline

    assert headline(0.99).endswith("; it is undefined in 1.0 % of them.")
    assert headline(0.9996).endswith("; it is undefined in under 0.1 % of them.")
    assert "undefined" not in headline(1.0)
    expected = MeasuredCoverage(0.95, 0.01, 0.02, 0.03, 0.9999, 1000, "wilson")
    assert expected.text.endswith("; under 0.1 % of the samples had no interval")
    assert "had no" not in replace(expected, given=1.0).text


def test_the_same_seed_gives_the_same():
    assert coverage("auc", 30, rounds=20).to_dict() == coverage("auc", 30, rounds=20).to_dict()
    assert coverage("auc", 30, rounds=20, seed=1).to_dict() != coverage("auc", 30, rounds=20).to_dict()
    a, b = (Cell(50, 0.2).rng(0).random(3), Cell(50, 0.1).rng(0).random(3))
    assert not np.array_equal(a, b)


def test_it_says_the_answer_first():
    text = str(coverage("recall", 50, 0.2, methods="all", rounds=50))
    assert text.startswith("The 95 % interval of recall covers the true value in ")
    assert "wald" in text
    none = coverage("auc", 20, 0.02, rounds=50)["auto"]
    assert none.given < 0.5


def test_what_no_sample_has_a_value_of_is_counted_as_not_given():
    never = coverage("diagnostic_odds_ratio", 10, 0.01, "near-perfect", rounds=3, seed=1)["auto"]
    assert (never.method, never.given) == ("cornfield", 0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n": 0}, "`n` must be"),
        ({"prevalence": 50}, "`prevalence` must be"),
        ({"quality": "great"}, "`quality` must be"),
        ({"classes": 3, "prevalence": 0.6}, "`prevalence` must be below"),
        ({"slope": 0}, "`slope` must be"),
        ({"rounds": 0}, "`rounds` must be"),
        ({"seed": -1}, "`seed` must be"),
        ({"methods": "foo"}, "`method` must be"),
    ],
)
def test_what_cannot_be_simulated_is_refused(options, said):
    with pytest.raises(howsure.HowsureError, match=said):
        coverage("recall", **options)


@pytest.mark.parametrize("name", ["mean_cost(costs=[[0, 1], [1, 0]])", "top_k_accuracy", "auc_hand_till"])
def test_measures_that_only_their_user_knows_are_refused(name):
    with pytest.raises(howsure.HowsureError, match=r"simulated|needs"):
        coverage(name)
