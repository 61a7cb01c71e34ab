"""Intervals and tests of cross-validated results: each by its definition, on examples small enough to follow."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import howsure
from howsure.intervals import cautious_t, corrected_t, cross_validated_mean, mean_t
from howsure.intervals.mean import cautious_ratio
from howsure.resampling import conservative_z_error, nested_cv_error
from howsure.resampling.error.nested import NestedRound, conservative_error, nested_estimate
from howsure.significance import (
    cautious_paired_t,
    corrected_paired_t,
    corrected_paired_t_folds,
    corrected_paired_t_once,
    cross_validated_z,
)

A = np.array([0.81, 0.79, 0.84, 0.80, 0.83, 0.86, 0.80, 0.82, 0.85, 0.79, 0.84, 0.83])
B = np.array([0.78, 0.77, 0.84, 0.76, 0.80, 0.82, 0.79, 0.76, 0.82, 0.78, 0.80, 0.81])
REPEAT = np.repeat([1, 2, 3], 4)
FIVE = np.repeat([1, 2, 3, 4, 5], 4)


def written_out(d, repeat, ratio):
    """The variance of the mean: of testing, and a jackknife of training, between two bounds."""
    s2, k = d.var(ddof=1), 1 + 1 / ratio
    means = np.array([d[repeat == one].mean() for one in np.unique(repeat)])
    raw = s2 / k + means.var(ddof=1) / ratio
    return max(s2 * (1 / len(d) + ratio), min(raw, 2 * s2 / k))


def spread_over_repeats(between):
    """Differences whose repeats have means that lie apart by ``between``."""
    within = np.array([-0.03, -0.01, 0.01, 0.03])
    return 0.02 + np.concatenate([within + shift * between for shift in (-2, -1, 0, 1, 2)])


@pytest.mark.parametrize(
    ("between", "ratio"),
    [(0.0, 1 / 3), (0.004, 0.2 + 0.00228 / 0.01064), (0.1, 2 / 4 - 1 / 20)],  # least, between, and most
)
def test_the_cautious_t_by_its_definition(between, ratio):
    d = spread_over_repeats(between)
    assert cautious_ratio(d, 1 / 3, FIVE) == pytest.approx(ratio, rel=1e-9)
    found = cautious_paired_t(d, 0 * d, 1 / 3, FIVE)
    assert found.error == pytest.approx(np.sqrt(written_out(d, FIVE, 1 / 3)), rel=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(d.mean() / found.error, 19), rel=1e-10)
    interval = cautious_t(d, 1 / 3, FIVE)
    assert interval.high - d.mean() == pytest.approx(stats.t.isf(0.025, 19) * found.error, rel=1e-10)


def test_few_repeats_do_not_tell_and_are_taken_at_their_most():
    d = spread_over_repeats(0.0)[:16]
    assert cautious_ratio(d, 1 / 3, FIVE[:16]) == pytest.approx(2 / 4 - 1 / 16)


def test_with_one_repeat_it_is_the_corrected_t():
    once = np.zeros(12, int)
    expected = corrected_paired_t(A, B, 1 / 11)
    found = cautious_paired_t(A, B, 1 / 11, once)
    assert (found.statistic, found.pvalue) == (expected.statistic, expected.pvalue)
    assert tuple(cautious_t(A, 1 / 11, once)) == tuple(corrected_t(A, 1 / 11))


def test_holdouts_are_taken_at_their_most():
    d = A - B
    assert cautious_ratio(d, 1 / 9, np.arange(12)) == pytest.approx(2 / 10)
    assert cautious_ratio(d, 1.0, np.arange(12)) == 1.0  # halves: what Nadeau and Bengio take is as much


@pytest.mark.parametrize("names", [[3, 3, 3, 3, 9, 9, 9, 9, 1, 1, 1, 1], list("aaaabbbbcccc")])
def test_repeats_may_have_any_names(names):
    assert cautious_paired_t(A, B, 1 / 3, names).pvalue == cautious_paired_t(A, B, 1 / 3, REPEAT).pvalue


def test_degrees_of_freedom_of_one_repeat():
    found, usual = corrected_paired_t_folds(A, B, 1 / 3, REPEAT), corrected_paired_t(A, B, 1 / 3)
    assert found.statistic == usual.statistic
    assert found.df == 3
    assert found.pvalue == pytest.approx(2 * stats.t.sf(usual.statistic, 3), rel=1e-10)


def test_the_first_repeat_alone():
    found, expected = corrected_paired_t_once(A, B, 1 / 3, REPEAT), corrected_paired_t(A[:4], B[:4], 1 / 3)
    assert (found.statistic, found.pvalue, found.df) == (expected.statistic, expected.pvalue, 3)


def test_repeats_must_be_of_the_values():
    with pytest.raises(howsure.HowsureError, match="`repeat` must be the repeat of each of the 12 values"):
        cautious_paired_t(A, B, 1 / 3, [1, 2])


def test_a_table_of_repeated_folds_offers_every_form():
    splits = howsure.KFold(4, 3).splits(40)
    numbers = [np.array([getattr(split, part) for split in splits]) for part in ("repeat", "fold")]
    table = howsure.FoldTable(A[:, None], ("tree",), splits.fingerprint, "accuracy", splits.design, *numbers)
    estimate = table.estimate("tree")
    assert estimate.methods[0] == estimate.interval().method == "cautious-t"
    assert tuple(estimate.interval()) == pytest.approx(tuple(cautious_t(A, 1 / 3, REPEAT)), rel=1e-12)
    deviation = A.std(ddof=1) * np.sqrt(1 / 12 + 1 / 3)
    found = estimate.interval(method="corrected-t-folds")
    assert found.width == pytest.approx(2 * stats.t.isf(0.025, 3) * deviation, rel=1e-10)
    once = estimate.interval(method="corrected-t-once")
    assert once.width == pytest.approx(corrected_t(A[:4], 1 / 3).width, rel=1e-10)
    assert estimate.interval(method="t").width == pytest.approx(mean_t(A).width, rel=1e-12)


# Losses of cases in one cross-validation (Bayle et al.)

LOSSES = np.array([0, 1, 0, 0, 1, 1, 0, 0, 0, 0])


def test_the_mean_of_losses():
    reach = stats.norm.isf(0.025) * np.sqrt(0.3 * 0.7 / 10)
    assert tuple(cross_validated_mean(LOSSES)) == pytest.approx((0.3 - reach, 0.3 + reach), rel=1e-10)


def test_the_variance_within_folds():
    fold = np.repeat([0, 1], 5)
    within = np.mean([LOSSES[:5].var(ddof=1), LOSSES[5:].var(ddof=1)])
    reach = stats.norm.isf(0.025) * np.sqrt(within / 10)
    assert cross_validated_mean(LOSSES, fold).width == pytest.approx(2 * reach, rel=1e-10)
    found = cross_validated_z(LOSSES, 0 * LOSSES, fold)
    assert found.statistic == pytest.approx(0.3 / np.sqrt(within / 10), rel=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(found.statistic), rel=1e-10)


def test_losses_that_do_not_vary():
    assert np.isnan(cross_validated_mean([1, 1, 1]).low)
    assert cross_validated_z([1, 0], [1, 0]).pvalue == 1
    assert np.isnan(cross_validated_z([1, 1], [0, 0]).pvalue)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cross_validated_mean([1]), "`losses` must be a sequence of at least two finite numbers"),
        (lambda: cross_validated_mean(LOSSES, [1, 2]), "`fold` must be the fold of each of the 10 cases"),
        (lambda: cross_validated_mean([0, 1, 1], [1, 2, 2]), "`fold` must have at least two cases in each fold"),
        (lambda: nested_cv_error(GaussianNB(), np.eye(4), [0, 1, 0, 1], folds=2), "`folds` must be 3 or more"),
        (
            lambda: nested_cv_error(GaussianNB(), np.eye(6), [0, 1] * 3, folds=5),
            "splitting 6 cases into 5 folds leaves a fold with a single case, but nested cross-validation needs ",
        ),
        (lambda: conservative_z_error(GaussianNB(), np.eye(4), [0, 1, 0, 1], test=0.6), "`test` must be a share"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(howsure.HowsureError, match=words):
        call()


# Estimates that refit


def test_nested_cross_validation_by_its_definition():
    fold = np.array([0, 0, 1, 1, 2, 2])
    outer = np.array([0.0, 1, 1, 0, 0, 0])
    inner = np.array([[np.nan, np.nan, 1, 1, 0, 1], [0, 1, np.nan, np.nan, 0, 0], [1, 1, 1, 0, np.nan, np.nan]])
    value, error = nested_estimate([NestedRound(fold, outer, inner)])
    inner_means, outer_means = [0.75, 0.25, 0.75], [0.5, 0.5, 0.0]
    squares = np.mean([(a - b) ** 2 for a, b in zip(inner_means, outer_means, strict=True)])
    raw = 2 / 3 * (squares - np.mean([0.5 / 2, 0.5 / 2, 0]))
    every = np.array([1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0])
    least = every.std(ddof=1) / np.sqrt(6)
    assert raw < least**2  # so the least is taken
    assert error == pytest.approx(least, rel=1e-12)
    assert value == pytest.approx(7 / 12 - (1 + 1 / 3) * (7 / 12 - 2 / 6), rel=1e-12)


def test_the_error_of_nested_cross_validation_lies_between_its_bounds():
    """Folds that are right or wrong as a whole: inner means far from the outer ones."""
    fold, outer = np.repeat([0, 1, 2], 4), np.repeat([0.0, 1.0, 0.0], 4)
    inner = np.where(fold == np.arange(3)[:, None], np.nan, [[1.0], [0.0], [1.0]])
    error = nested_estimate([NestedRound(fold, outer, inner)])[1]
    least = inner[np.isfinite(inner)].std(ddof=1) / np.sqrt(12)
    assert error == pytest.approx(least * np.sqrt(3), rel=1e-12)


@pytest.mark.parametrize(
    ("estimate", "method"),
    [
        (lambda **more: nested_cv_error(GaussianNB(), *DATA, folds=3, repeats=2, **more), "nested-cv"),
        (lambda **more: conservative_z_error(GaussianNB(), *DATA, splits=3, halvings=2, **more), "conservative-z"),
    ],
)
def test_estimates_that_refit(estimate, method):
    one, again = estimate(seed=3), estimate(seed=3)
    assert one.interval() == again.interval()
    assert one.interval().method == method
    assert 0 <= one.value < 0.3
    difference = estimate(against=KNeighborsClassifier(1), seed=3)
    low, high = difference.interval()
    assert -0.5 < low <= difference.value <= high < 0.5
    nothing = estimate(against=GaussianNB(), seed=3)
    assert nothing.value == 0
    assert nothing.interval().notes == ("all losses are equal, so the standard error is unknown",)


def test_the_error_of_halves():
    assert conservative_error(np.array([[0.1, 0.3], [0.2, 0.2]])) == pytest.approx(0.1)  # root of (0.04 + 0) / (2 x 2)


DATA: tuple[np.ndarray, ...] = tuple(part[::3] for part in load_iris(return_X_y=True))


def test_the_losses_of_an_experiment():
    learners = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(1)}
    result = howsure.Experiment(learners, {"iris": DATA}, howsure.KFold(5), seed=0).run(progress=False)
    losses = {name: result.losses(name) for name in learners}
    for name in learners:
        assert losses[name].mean() == pytest.approx(result.assess(name)["error_rate"].value)
        by_split = np.split(losses[name], np.cumsum([len(split.test) for split in result.splits()])[:-1])
        assert [part.mean() for part in by_split] == pytest.approx(result.scores("error_rate")[name].tolist())
    found = cross_validated_z(losses["bayes"], losses["neighbour"])
    assert found.difference == pytest.approx(losses["bayes"].mean() - losses["neighbour"].mean())
    with pytest.raises(howsure.HowsureError, match="`test` must be 'corrected_paired_t', not 'cross_validated_z'"):
        result.compare(test="cross_validated_z")


def test_losses_are_of_cases_that_were_tested_once():
    result = howsure.Experiment({"bayes": GaussianNB()}, {"iris": DATA}, howsure.KFold(3, 2), seed=0).run(
        progress=False
    )
    with pytest.raises(howsure.HowsureError, match="needs splits that test each case once"):
        result.losses()
