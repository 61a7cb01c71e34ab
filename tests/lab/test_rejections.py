"""Two classifiers in the lab: populations are what they are called, batches agree with single tests, levels hold."""

from __future__ import annotations

import numpy as np
import pytest

import howsure
from howsure.intervals.declare import Request
from howsure.lab import PairCell, rejections
from howsure.lab.paired_tests import of_samples, of_tables, paired_table, paired_tests_of
from howsure.lab.pairs import LabelPair
from howsure.lab.population import LabelPopulation
from howsure.lab.samples import ParsedMeasure, label_of
from howsure.measures import registry
from howsure.measures.estimate.difference import difference
from howsure.significance.evidence import PairedAnswers

LABELS = [
    name
    for name, one in registry.items()
    if one.scope in ("class", "overall") and not one.parameters and one.better is not None
]


@pytest.mark.parametrize("correlation", [0.0, 0.4, 1.0])
def test_a_pair_has_the_rates_of_each_and_agrees_as_often_as_it_is_correlated(correlation):
    one, other = LabelPopulation.of_rates(0.2, 0.9, 0.8), LabelPopulation.of_rates(0.2, 0.6, 0.95)
    pair = LabelPair.of_two(one, other, correlation)
    for result, arguments in zip(pair.each, (one, other), strict=True):
        np.testing.assert_allclose(result.shares, arguments.shares, rtol=1e-12)
    both_found = pair.shares[1, 1, 1] / 0.2
    assert both_found == pytest.approx((1 - correlation) * 0.9 * 0.6 + correlation * 0.6)


@pytest.mark.parametrize("name", ["accuracy", "f1", "precision", "recall", "mcc", "auc", "average_precision", "brier"])
def test_equal_classifiers_have_the_same_value_by_other_errors(name):
    options = ParsedMeasure.of(name)
    population = PairCell(100, 0.1, "good", "equal").population(options)
    assert population.truth(options) == 0
    first, second = population.each if isinstance(population, LabelPair) else (population.first, population.second)
    alike = (
        np.allclose(first.shares, second.shares, atol=0.01) if isinstance(population, LabelPair) else first == second
    )
    assert not alike


def test_there_is_no_equal_of_a_classifier_at_the_end_of_the_range():
    with pytest.raises(howsure.HowsureError, match="no classifier with different errors has the same"):
        rejections("log_loss", 20, 0.5, "chance", pair="equal", rounds=2)


@pytest.mark.parametrize("pair", ["exchangeable", "apart"])
@pytest.mark.parametrize("name", LABELS)
def test_many_tables_are_tested_as_each_alone(name, pair):
    options, cell = ParsedMeasure.of(name), PairCell(15, 0.2, "fair", pair, 0.5)
    tables, test = cell.population(options).draw(cell.rng(0), 15, 40), paired_tests_of(registry[name])[0]
    pvalues, low, high = of_tables(tables, options, test, Request())
    for counts, p, *ends in zip(tables, pvalues, low, high, strict=True):
        observed = difference(paired_table(counts), options.measure, label=label_of(options.measure, 2))
        np.testing.assert_allclose(p, test.apply(PairedAnswers(observed), None).pvalue, rtol=1e-9)
        if not np.isnan(ends[0]):
            alone = observed.interval(0.95, "auto", "two-sided", replicates=None, seed=0)
            np.testing.assert_allclose(ends, tuple(alone), rtol=1e-9, atol=1e-12)


def test_scores_are_tested_as_compare_tests_them():
    options, cell = ParsedMeasure.of("auc"), PairCell(40, 0.3, "fair", "apart")
    sample = cell.population(options).draw(cell.rng(0), 40)
    pvalues, low, high = of_samples([sample], options, paired_tests_of(options.measure)[0], Request())
    compared = howsure.compare(sample.truth, scores={"a": sample.first, "b": sample.second})
    assert pvalues[0] == pytest.approx(compared.test.pvalue, rel=1e-12)
    assert (low[0], high[0]) == pytest.approx(tuple(compared.difference.interval()), rel=1e-12)


def test_drawn_probabilities_are_calibrated_where_they_are_said_to_be():
    options, cell = ParsedMeasure.of("brier"), PairCell(50, 0.3, "good")
    sample = cell.population(options).draw(cell.rng(0), 200_000)
    high = sample.first > 0.7
    assert sample.truth[high].mean() == pytest.approx(sample.first[high].mean(), abs=0.005)  # three standard errors


@pytest.mark.parametrize("pair", ["exchangeable", "equal"])
@pytest.mark.parametrize("name", ["accuracy", "precision", "f1", "balanced_accuracy", "mcc"])
def test_the_default_keeps_its_level(name, pair):
    for n, prevalence in ((50, 0.1), (200, 0.02), (200, 0.5)):
        row = rejections(name, n, prevalence, pair=pair, rounds=1000, seed=1)["auto"]
        assert row.rate.value < 0.06 + 3 * row.rate.error, (n, prevalence, row)


def test_power_is_that_of_a_difference_which_is_there():
    few, many = (rejections("f1", n, 0.2, pair="apart", rounds=300)["auto"] for n in (50, 1000))
    assert few.difference == many.difference != 0
    assert few.rate.value < 0.7 < 0.99 < many.rate.value
    assert many.coverage == pytest.approx(0.95, abs=0.04)


def test_it_says_the_answer_first_and_tells_tests_apart():
    result = rejections("accuracy", 50, tests="all", rounds=20)
    assert str(result).startswith("McNemar's test for exchangeable classifiers: type I error rate")
    assert [row.test for row in result.rows] == ["mcnemar", "paired_delta", "permutation", "bootstrap_difference"]
    assert result["permutation"].rounds == 20
    with pytest.raises(howsure.HowsureError, match="`test` must be one of"):
        result["delong"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measure": "prevalence"}, "no better or worse"),
        ({"pair": "same"}, "`pair` must be one of"),
        ({"correlation": 2}, "`correlation` must be a number from 0 to 1"),
        ({"pair": "apart", "quality": "chance"}, "`quality` must be the name of a quality above 'chance'"),
        ({"tests": "delong"}, "`tests` must be one of"),
        ({"rounds": 0}, "`rounds` must be"),
    ],
)
def test_what_cannot_be_simulated_is_refused(options, said):
    with pytest.raises(howsure.HowsureError, match=said):
        rejections(**{"measure": "f1", **options})
