"""Simulated splits: the tests are those of a comparison, the rates what they are said to be."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from howsure import Bootstrap, FiveByTwo, KFold, RepeatedHoldout
from howsure.comparison.folds import compare_folds
from howsure.errors import HowsureError
from howsure.lab import split_rejections
from howsure.lab.split_learners import LEARNERS
from howsure.lab.split_rounds import Outcome, Plan, Sample, bounds, outcomes, pairs_to_test, pvalues, simulate
from howsure.lab.splits import rates_of
from howsure.measured.tests import LEVEL
from howsure.tables import FoldTable

SCHEMES = (KFold(5, 5), KFold(5), FiveByTwo(), RepeatedHoldout(8))


def some_outcomes(schemes=SCHEMES, learner="nearest_neighbour", classifiers=3) -> list[Outcome]:
    rng = np.random.default_rng(4)
    sample = Sample.draw(rng, 60, classifiers, 0.5)
    return outcomes(LEARNERS[learner], sample, schemes, rng)[0]


def table_of(outcome: Outcome) -> FoldTable:
    learners = tuple(f"learner {number}" for number in range(len(outcome.losses)))
    fold = np.zeros(len(outcome.repeat), int)
    facts = (learners, "some splits", "accuracy", outcome.design, outcome.repeat, fold)
    return FoldTable(outcome.accuracies.T, *facts, span=(0.0, 1.0))


@pytest.mark.parametrize("number", range(len(SCHEMES)), ids=map(str, SCHEMES))
def test_tests_and_intervals_are_those_of_a_comparison(number):
    outcome = some_outcomes()[number]
    tests, table = Plan(SCHEMES[number]).chosen(outcome.kind), table_of(outcome)
    result = dict(zip(tests, pvalues(outcome, tests, pairs_to_test(3, 0.0)), strict=True))
    for test, of_pairs in result.items():
        if test.name in ("paired_t", "cross_validated_z"):
            continue  # not valid for splits, and of losses
        compared = compare_folds(table, "higher", test=test.name).pairs
        np.testing.assert_allclose(of_pairs, [pair.test.pvalue for pair in compared], rtol=1e-12)
    default = compare_folds(table, "higher").pairs
    assert default[0].test.test is tests[0]
    shown = bounds(outcome, 1)
    interval = table.estimate("learner 1").interval()
    assert interval.method == next(iter(shown))
    assert shown[interval.method] == pytest.approx((interval.low, interval.high))


def test_the_family_is_adjusted_as_a_comparison_does_it():
    result = simulate(
        LEARNERS["nearest_neighbour"],
        60,
        [Plan(KFold(10), ("paired_t",))],
        np.random.default_rng(0),
        classifiers=4,
        difference=0.0,
        rounds=25,
    )[0]
    family = next(rates_of(result, 0.0)).family.value
    assert 0 < family == (result.pvalues["paired_t"].min(1) * 6 <= LEVEL).mean() < 1


def test_a_training_set_of_several_schemes_is_learned_from_once():
    observed = []

    def right(x, y, train, rng):
        observed.append(len(train))
        return np.ones(train.shape, bool)

    rng = np.random.default_rng(0)
    result, fresh = outcomes(right, Sample.draw(rng, 40, 1, 0.0, fresh=30), (KFold(10, 3), KFold(10)), rng)
    assert observed == [30, 1]  # the folds of both, and all cases
    assert [len(one.test) for one in result] == [30, 10]
    assert fresh == [1.0]
    assert all((one.accuracies == 1).all() for one in result)


def test_fresh_cases_and_splits_tell_the_same_accuracy():
    (result,) = simulate(
        LEARNERS["nearest_mean"],
        100,
        [Plan(KFold(10), intervals=1)],
        np.random.default_rng(1),
        classifiers=3,
        difference=1.0,
        rounds=60,
        fresh=400,
    )
    assert result.values[:, :2].mean() == pytest.approx(result.fresh[:, :2].mean(), abs=0.015)
    assert result.values[:, 2].mean() < result.values[:, :2].mean() - 0.1
    low, high = result.bounds["corrected-t"][..., 0], result.bounds["corrected-t"][..., 1]
    assert 0.85 < ((low < 0.79) & (high > 0.79)).mean() <= 1


def test_the_cautious_t_rejects_less_than_the_corrected_one_and_the_naive_one_most():
    result = split_rejections("nearest_neighbour", 60, classifiers=3, rounds=60)
    cautious, corrected, naive = (result[name].pair.value for name in ("auto", "corrected_paired_t", "paired_t"))
    assert cautious < corrected < naive
    assert cautious < 0.1 < 0.4 < naive
    assert np.isnan(result["auto"].power.value)


def test_a_worse_learner_is_found_and_the_same_seed_gives_the_same():
    options = {"classifiers": 2, "difference": 1.5, "rounds": 20}
    result = split_rejections("nearest_mean", 60, KFold(10), **options)
    assert result["auto"].power.value > 0.5
    assert np.isnan(result["auto"].pair.value)
    assert "for the worse learner" in result.headline
    assert result.to_dict() == split_rejections("nearest_mean", 60, KFold(10), **options).to_dict()
    assert result.to_dict() != split_rejections("nearest_mean", 60, KFold(10), seed=1, **options).to_dict()


def test_any_estimator_can_be_measured():
    result = split_rejections(GaussianNB(), 40, KFold(4), rounds=3)
    assert result.learner == "GaussianNB"
    assert {one.test for one in result.tests} == {"corrected_paired_t", "cross_validated_z", "paired_t"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"learner": "nearest star"}, "`learner` must be one of"),
        ({"scheme": 10}, "`scheme` must be a resampling scheme"),
        ({"scheme": Bootstrap(3)}, "`scheme` must train on every case that it does not test"),
        ({"difference": -1}, "`difference` must be a number from 0 to 1.7"),
        ({"classifiers": 1}, "`classifiers`"),
        ({"n": 5}, "`n`"),
    ],
)
def test_what_makes_no_sense_is_refused(options, said):
    with pytest.raises(HowsureError, match=said):
        split_rejections(**{"n": 60, "rounds": 2, **options})


def test_an_unknown_test_is_refused():
    with pytest.raises(HowsureError, match="`test` must be one of cautious_paired_t"):
        split_rejections("nearest_mean", 40, KFold(4, 2), rounds=2)["t"]
