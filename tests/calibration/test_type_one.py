"""How often do tests find a difference where there is none? Stored figures keep their levels, and come out again."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, binomtest

import howsure
from howsure import FiveByTwo, KFold, RepeatedHoldout
from howsure.lab.split_rounds import Plan, rng_of, simulate
from howsure.lab.splits import SplitTest, rates_of
from howsure.measured.tests import LEVEL, TestRow, measured, rows, stored
from howsure.measures import registry as measures
from howsure.measures.spec import read_spec
from howsure.resampling.declare import Scheme
from howsure.significance import delong, mcnemar, permutation
from howsure.significance.declare import registry
from lab import datasets, enumerated, shipped_tests
from lab.batch_learners import BATCH_LEARNERS
from lab.splits import PLANS, facts_of

# The chi-square approximation is above its level by this little; exact, corrected and mid-p are not above it anywhere.
SLACK = {"chi2": 0.004, "auto": 0.002}
STABLE = ("nearest_mean", "naive_bayes", "logistic_regression")


def within(row: TestRow, level: float = LEVEL) -> bool:
    """Does the count leave it possible that the test rejects no more often than the level says?"""
    assert row.rounds is not None
    answers = round(row.rounds * row.given)
    return binomtest(round(row.rate * answers), answers, level, alternative="greater").pvalue > 1e-3


def is_default(row: TestRow) -> bool:
    """Is it the test that `compare` takes for such splits?"""
    once = row.cell["scheme"].get("repeats", 1) == 1 and row.cell["scheme"]["scheme"] == "KFold"
    return row.test == ("corrected_paired_t" if once else "cautious_paired_t")


def of_design(design: str) -> list[TestRow]:
    return [row for row in rows() if row.design == design]


def test_counts_keep_their_level_at_any_share_of_discordant_cases():
    for variant in enumerated.COUNTED:
        for n in (20, 50, 100, 200):
            chances = np.array([enumerated.rejecting(variant, m) for m in range(n + 1)])
            for share in np.arange(1, 41) / 100:
                rate = float(binom.pmf(np.arange(n + 1), n, share) @ chances)
                assert rate <= LEVEL + SLACK.get(variant, 0), (variant, n, share, rate)


def test_p_values_rise_with_the_smaller_count():
    """The enumeration relies on it."""
    for test in enumerated.COUNTED.values():
        for m in (1, 2, 7, 24, 25, 26, 61):
            pvalues = [test(smaller, m - smaller).pvalue for smaller in range(m // 2 + 1)]
            assert pvalues == sorted(pvalues)
            assert [test(m - smaller, smaller).pvalue for smaller in range(m // 2 + 1)] == pvalues


def test_the_stored_enumeration_is_the_one_of_today():
    by_cell = {(row.variant, *row.cell.values()): row for row in rows() if row.rounds is None}
    assert len(by_cell) == 200
    for variant, n, share in (("auto", 20, 0.4), ("auto", 1000, 0.02), ("exact", 50, 0.1), ("chi2", 100, 0.3)):
        expected = enumerated.rate(variant, n, share)
        assert by_cell[variant, n, share].rate == pytest.approx(expected, abs=1e-5)  # stored with five decimals


def test_the_stored_file_is_what_is_kept():
    """What is shipped comes from the parts of the grid, each of which can be measured again."""
    assert shipped_tests.grouped(shipped_tests.rows()) == stored()["groups"]
    assert shipped_tests.grouped(list(rows())[::-1]) == stored()["groups"]  # in any order


def test_stored_splits_keep_their_levels():
    """The default does for every learner, of two of them and of five; the naive t test of repeated splits does not."""
    equal = [row for row in of_design("splits") if row.pair != "apart"]
    assert {row.cell["learner"] for row in equal} == set(BATCH_LEARNERS)
    for row in equal:
        if is_default(row):
            assert row.rate <= 0.065 + 2 * row.error, row
        elif row.test == "paired_t" and row.cell["scheme"].get("repeats", 1) > 1:
            assert row.rate > 4 * LEVEL, row


def rejected(learner: str, rounds: int, plans: tuple[Plan, ...]) -> list[tuple[Scheme, SplitTest]]:
    """How often tests of two equal learners reject, by the scheme of the splits."""
    result = simulate(
        BATCH_LEARNERS[learner], 100, plans, rng_of(1, learner, 100), classifiers=2, difference=0.0, rounds=rounds
    )
    return [(one.scheme, test) for one in result for test in rates_of(one, 0.0)]


@pytest.mark.parametrize("learner", STABLE)
def test_splits_keep_their_level_and_the_naive_t_test_does_not(learner):
    plans = (Plan(KFold(10, 10)), Plan(RepeatedHoldout(30), ("cautious_paired_t", "paired_t")))
    for scheme, test in rejected(learner, 60, plans):
        if test.test == "paired_t":
            assert test.pair.value > 4 * LEVEL, (scheme, test)
        elif test.is_default:
            assert test.pair.value <= LEVEL + 3 * test.pair.error, (scheme, test)


def test_five_by_two_rejects_too_often_where_halves_err_together():
    """With the nearest neighbour, what one half gets wrong the other does, too: their distance tells too little."""
    (plan,) = (plan for plan in PLANS if isinstance(plan.scheme, FiveByTwo))
    for _, test in rejected("nearest_neighbour", 400, (plan,)):
        if test.test in ("five_by_two_t", "five_by_two_f"):
            assert test.pair.value > LEVEL + 2 * test.pair.error, test
        else:
            assert test.pair.value <= LEVEL + 3 * test.pair.error, test


def test_data_sets_keep_their_level():
    drawn = [row for n in (10, 30) for row in (*datasets.of_pairs(n, 300, 1), *datasets.of_many(n, 100, 1))]
    for row in (*of_design("datasets"), *drawn):
        if row.test != "paired_t":
            assert within(row, 0.06), row


def test_the_table_is_of_declared_tests_variants_measures_and_schemes():
    schemes = [facts_of(one) for one in (KFold(10), KFold(10, 3), KFold(10, 10), RepeatedHoldout(30))]
    for row in rows():
        test = registry[row.test]
        assert test.name == row.test  # not an alias
        assert row.variant in (("auto", *test.variants) if test.variants else ("",)), row
        assert measures[read_spec(row.measure)[0]].name == read_spec(row.measure)[0]
        assert ("scheme" in row.cell) == (row.design == "splits"), row
        assert row.design != "splits" or row.cell["scheme"] in [*schemes, facts_of(FiveByTwo())], row
        assert (row.rounds is None) == (row.seed is None) == (row.error == 0), row


SPLITS = {"design": "splits", "measure": "accuracy", "cases": 150}


def test_only_simulations_of_such_splits_are_quoted():
    name = "corrected_paired_t"

    def said(scheme, **more):
        return measured(name, {**SPLITS, "scheme": scheme.to_dict(), **more})

    expected = [said(scheme) for scheme in (KFold(10), KFold(10, 10), RepeatedHoldout(30))]
    assert all(one.settings == len(BATCH_LEARNERS) for one in expected)
    assert len({one.rate for one in expected}) == 3
    assert said(KFold(10, stratified=False)) == expected[0]
    for scheme in (KFold(5), KFold(10, 5), RepeatedHoldout(10), RepeatedHoldout(30, test=0.1)):
        assert not said(scheme).is_known
    assert str(said(KFold(10), cases=5000)) == "not simulated: 5000 cases, outside the simulated range 60 to 1000"
    assert not said(KFold(10), measure="auc").is_known


def test_a_comparison_quotes_only_what_was_measured_near():
    rng = np.random.default_rng(1)
    truth = rng.random(120) < 0.4
    scores = {name: rng.normal(truth, 0.7) for name in "ab"}
    comparison = howsure.compare(truth, scores=scores)
    expected = comparison.test.measured()
    assert expected.is_known
    assert expected.text in comparison.sheet().notes
    assert comparison.at(0.9)._simulated_error_rate(comparison.pair()) is None  # another level
    alone = howsure.compare(np.arange(61) == 0, scores={name: rng.random(61) for name in "ab"}, measure="brier")
    assert not alone.test.measured().is_known
    assert not any("type-I" in note for note in alone.sheet().notes)


def test_numbers_alone_do_not_tell_where_they_are_from():
    assert str(mcnemar(3, 9).measured()) == (
        "not simulated: the test received only numbers, without information on the data"
    )
    assert not delong([0, 1, 0, 1], [1, 2, 3, 4], [2, 1, 4, 3], alternative="less").measured().is_known


@pytest.mark.parametrize("measure", ["auc", "average_precision"])
def test_the_scale_of_scores_does_not_matter_where_ranks_are_exchanged(measure):
    rng = np.random.default_rng(1)
    for number in range(5):
        truth = rng.random(60) < 0.5
        a, b = (rng.normal(truth) for _ in range(2))
        results = [
            permutation(truth, first, second, measure, replicates=199, seed=number)
            for first, second in ((a, b), (a, np.exp(b)), (a / 7 - 3, b**3))
        ]
        assert len({result.pvalue for result in results}) == 1
