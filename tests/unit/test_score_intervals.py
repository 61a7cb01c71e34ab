"""Intervals of measures of scores: the equations that define them, where there is none, and how often they hold."""

import math
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import howsure
from howsure import ScoreTable
from howsure.intervals.auc import satterthwaite
from howsure.intervals.average_precision import Precision
from howsure.intervals.calibration import Gaps, mean_of_folded
from howsure.intervals.crossing import WINDOW
from howsure.intervals.declare import Request
from howsure.intervals.declare import registry as registered
from howsure.intervals.smoothed import on_cube_roots
from howsure.intervals.top_share import ratio_interval, share_ends
from howsure.lab import ScorePopulation
from howsure.measures import estimate_scores, registry
from howsure.measures.estimate.classes import AverageBasis
from howsure.present.report.estimates import estimate_dict, shown_cell, with_interval
from howsure.tables import ClassScores, ScoreRows

Z = 1.959963984540054


population = cache(ScorePopulation.binormal)


def drawn(prevalence: float, separation: float, n: int, seed: int = 0) -> ScoreTable:
    return population(prevalence, separation).sample(np.random.default_rng(seed), n)


def coverage(measure: str, of: ScorePopulation, n: int, rounds: int, seed: int = 0, **parameters) -> float:
    """Share of the intervals that hold the truth, of those that are given."""
    rng, truth = np.random.default_rng(seed), of.truth(measure, **parameters)
    intervals = [
        estimate_scores(of.sample(rng, n), measure, **parameters).interval(method="auto") for _ in range(rounds)
    ]
    hits = [each.low <= truth <= each.high for each in intervals if not math.isnan(each.low)]
    assert len(hits) > rounds / 2
    return float(np.mean(hits))


def test_ends_of_newcombe_s_interval_are_z_of_their_own_errors_away():
    table = drawn(0.3, 1.2, 60)
    area, interval = estimate_scores(table, "auc").value, estimate_scores(table, "auc").interval(method="newcombe-auc")
    n_p, n_q = table.n_positive, table.n_negative
    for end in interval:
        mean = (n_p + n_q) / 2 - 1
        variance = end * (1 - end) * (1 + mean * (1 - end) / (2 - end) + mean * end / (1 + end)) / (n_p * n_q)
        assert abs(end - area) == pytest.approx(Z * math.sqrt(variance), rel=1e-9)


def test_satterthwaite_s_freedom_lies_between_the_smaller_and_the_sum():
    assert satterthwaite((1.0, 1.0), (9, 9)) == pytest.approx(18)
    assert satterthwaite((1.0, 1e-12), (4, 100)) == pytest.approx(4)
    assert math.isinf(satterthwaite((0.0, 0.0), (4, 100)))


def test_auc_interval_is_delong_s_for_many_cases_near_one_half_and_the_wider_near_the_end():
    middle = estimate_scores(drawn(0.4, 0.3, 2000), "auc")
    assert tuple(middle.interval()) == tuple(middle.interval(method="delong-t"))
    assert middle.interval().width == pytest.approx(middle.interval(method="delong").width, rel=0.005)
    extreme = estimate_scores(drawn(0.1, 2.5, 200), "auc")
    parts = [extreme.interval(method=name) for name in ("delong-t", "newcombe-auc")]
    assert extreme.interval().low == min(part.low for part in parts)
    assert extreme.interval().high == max(part.high for part in parts)


def test_no_interval_of_the_auc_with_one_case_of_a_class():
    found = estimate_scores(ScoreTable.from_scores([1, 0, 0, 0], [0.4, 0.5, 0.2, 0.1]), "auc")
    assert found.value == pytest.approx(2 / 3)
    assert math.isnan(found.interval().low)
    note = "1 positive case is too few for an interval of the AUC; at least 3 of each class are needed"
    assert found.interval().notes == (note,)
    assert not math.isnan(found.interval(method="newcombe-auc").low)


def test_auc_interval_holds_with_five_positives():
    # 95 % less 2.5 standard errors of 400 rounds; DeLong's covers 86 % here.
    assert coverage("auc", population(0.05, 1.5), 100, 400) > 0.923


def test_cube_roots_move_less_near_an_end_and_mirror_above_the_middle():
    low, high = on_cube_roots(0.1, 0.05, (0.0, 1.0))
    assert low == pytest.approx((0.1 ** (1 / 3) * (1 - 0.5 / 3)) ** 3)
    assert high - 0.1 > 0.1 - low
    mirrored = on_cube_roots(0.9, 0.05, (0.0, 1.0))
    assert mirrored == pytest.approx((1 - high, 1 - low))


def test_losses_that_are_not_in_the_sample_are_in_the_interval():
    # Twenty negatives with probabilities of 5 % say nothing of what a positive costs; their probabilities do.
    table = ScoreTable.from_scores(np.zeros(20, bool), np.linspace(0.01, 0.09, 20))
    plain, smoothed = (
        estimate_scores(table, "brier").interval(method=name) for name in ("delta-scaled", "smoothed-loss")
    )
    assert plain.high < 0.006
    assert smoothed.high > 0.05


def test_interval_of_a_mean_loss_holds_where_positives_are_rare():
    # The normal interval covers 61 % here; see docs/decisions/2026-11-18-score-intervals.md.
    assert coverage("brier", population(0.05, 2.5, slope=1), 40, 400) > 0.923


def test_more_classes_take_the_smoothed_loss_as_two_do():
    truth, scores = [1, 0, 1, 0, 0, 1], np.array([0.9, 0.2, 0.6, 0.4, 0.1, 0.3])
    two = estimate_scores(ScoreTable.from_scores(truth, scores), "log_loss").interval()
    many = howsure.assess(
        [*truth, 2], scores=np.append(np.column_stack([1 - scores, scores, 0 * scores]), [[0, 0, 1]], axis=0)
    )["log_loss"].interval()
    assert two.method == many.method == "smoothed-loss"


def test_a_probability_that_rounding_put_above_one_is_one():
    truth, scores = [1, 1, 0, 0], [1 + 2e-16, 1 + 1e-7, 0.2, -1e-7]
    exact = ScoreTable.from_scores(truth, np.clip(scores, 0, 1))
    for measure in ("brier", "log_loss", "mean_absolute_error", "expected_calibration_error"):
        rounded = estimate_scores(ScoreTable.from_scores(truth, scores), measure)
        assert rounded.value == estimate_scores(exact, measure).value
    beyond = estimate_scores(ScoreTable.from_scores(truth, [1.001, 0.9, 0.2, 0.1]), "brier")
    assert beyond.undefined == "the scores are not probabilities: some are outside the range from 0 to 1"
    rows = np.array([[1 + 2e-16, -2e-16, 0], [0, 1, 0], [0, 0, 1.0]])
    assert howsure.assess([0, 1, 2], scores=rows)["brier"].value == pytest.approx(0, abs=1e-12)


def test_largest_distance_excludes_0_where_smirnov_s_test_does():
    from scipy.stats import kstwobign

    answers = set()
    for seed in range(30):
        table = drawn(0.5, 0.7, 60, seed)
        found = estimate_scores(table, "ks_distance")
        size = math.sqrt(table.n_positive * table.n_negative / table.n)
        # A level of 95 % on two sides is one of 97.5 % at the lower end.
        is_significant = kstwobign.sf(size * found.value) < 0.025
        answers.add(is_significant)
        assert (found.interval().low > 0) == is_significant
    assert answers == {True, False}


def test_largest_distance_and_equal_error_rate_hold():
    # Bootstraps of both cover 87 % and 61 % here, as the value in a sample is not about the true one.
    assert coverage("ks_distance", population(0.5, 0.6), 60, 400) > 0.923
    assert coverage("equal_error_rate", population(0.05, 2.5), 200, 400) > 0.923


def test_equal_error_rate_of_many_cases_alike_is_that_of_twice_the_cases():
    # With equal slopes each class's error moves the crossing by half, so the variance is e (1 - e) / (n_p + n_q).
    table = drawn(0.5, 1.0, 20_000)
    found = estimate_scores(table, "equal_error_rate")
    wanted = 2 * Z * math.sqrt(found.value * (1 - found.value) / table.n)
    assert found.interval().width == pytest.approx(wanted, rel=0.02)


@pytest.mark.parametrize("n", [5, 40, 3000])
@pytest.mark.parametrize("seed", range(3))
def test_the_window_about_the_crossing_is_that_of_all_thresholds(seed, n):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    truth[:2] = 0, 1
    c = ScoreTable.from_scores(truth, (rng.normal(size=n) + truth).round(1)).counts
    fpr, fnr = np.append(0, c.fall_out), np.append(1, 1 - c.recall)
    about = np.flatnonzero(np.abs(fpr - fnr) <= WINDOW)
    first, last = (max(about[0] - 1, 0), about[-1]) if len(about) else (0, len(fpr) - 1)
    found = registry["equal_error_rate"].interval[1](ScoreTable(c.scores, c.positives, c.negatives))
    assert found.near_positive == (fnr[first] - fnr[last]) * c.n_positive
    assert found.near_negative == (fpr[last] - fpr[first]) * c.n_negative


def test_the_variance_of_average_precision_is_that_of_all_influences():
    """Of a table longer than what is added up at a time."""
    table = drawn(0.3, 1.0, 70_000)
    of_positives, of_negatives = registry["average_precision"].influence(table.counts)
    squared = (table.positives * of_positives**2).sum() + (table.negatives * of_negatives**2).sum()
    found = registry["average_precision"].interval[1](table)
    assert found.variance == pytest.approx(squared / table.n**2, rel=1e-12)


@pytest.mark.parametrize(
    ("measure", "what"), [("ks_distance", "the largest distance"), ("equal_error_rate", "the equal error rate")]
)
def test_no_interval_with_two_positives(measure, what):
    table = ScoreTable.from_scores([1, 1, 0, 0, 0, 0], [0.9, 0.4, 0.5, 0.3, 0.2, 0.1])
    note = f"2 positive cases are too few for an interval of {what}; at least 3 of each class are needed"
    assert estimate_scores(table, measure).interval().notes == (note,)


def test_interval_of_a_ratio_is_that_of_the_numerator_where_the_denominator_is_certain():
    assert ratio_interval((0.2, 0.1, 0.35), (0.5, 0.5, 0.5)) == pytest.approx((0.2, 0.7))
    low, high = ratio_interval((0.5, 0.5, 0.5), (0.2, 0.1, 0.35))
    assert (low, high) == pytest.approx((0.5 / 0.35, 0.5 / 0.1))


def test_lift_is_gain_over_depth_and_both_hold():
    table = drawn(0.3, 1.5, 200)
    gain, lift = (estimate_scores(table, name, depth=0.2).interval() for name in ("gain", "lift"))
    assert tuple(lift) == pytest.approx([end / 0.2 for end in gain])
    # A bootstrap has no width in every eighth sample here, and covers 83 to 90 %.
    assert coverage("gain", population(0.1, 2.5), 300, 400, depth=0.2) > 0.923


def test_gain_of_all_positives_has_a_lower_end_and_of_all_cases_no_error():
    positive = np.arange(100) < 20
    table = ScoreTable.from_scores(positive, positive * 1.0)
    found = estimate_scores(table, "gain", depth=0.5)
    assert found.value == found.interval().high == 1
    assert 0.7 < found.interval().low < 0.95
    assert tuple(estimate_scores(table, "gain", depth=1.0).interval()) == (1, 1)


def test_no_interval_of_a_gain_with_few_positives():
    table = ScoreTable.from_scores(np.arange(100) < 9, np.arange(100))
    note = "9 positive cases are too few for an interval of the gain or lift; at least 10 of each class are needed"
    assert estimate_scores(table, "lift", depth=0.2).interval().notes == (note,)


def test_variance_of_the_average_precision_is_that_of_leaving_out_each_case():
    rng = np.random.default_rng(3)
    positive = rng.random(150) < 0.4
    scores = rng.normal(positive * 1.0, 1).round(1)  # with ties
    whole = ScoreTable.from_scores(positive, scores)
    left_out = [
        estimate_scores(ScoreTable.from_scores(np.delete(positive, i), np.delete(scores, i)), "average_precision").value
        for i in range(150)
    ]
    jackknife = 149 / 150 * ((np.array(left_out) - np.mean(left_out)) ** 2).sum()
    # Leaving a case out is a step of 1 / 150, not a derivative.
    assert registry["average_precision"].interval[1](whole).variance == pytest.approx(jackknife, rel=0.08)


def test_average_precision_holds_and_has_none_with_few_positives():
    # The bootstrap covers about 85 % here.
    assert coverage("average_precision", population(0.05, 1.5), 200, 400) > 0.923
    table = ScoreTable.from_scores(np.arange(50) < 4, -np.arange(50.0))
    (note,) = estimate_scores(table, "average_precision").interval().notes
    assert note == (
        "4 positive cases are too few for an interval of the average precision; at least 5 of each class are needed"
    )


def test_mean_of_areas_of_two_classes_is_the_area_itself():
    # Both classes against the rest have the same area, error and sizes, so their mean has the interval of either.
    rng = np.random.default_rng(4)
    truth = np.arange(60) % 2
    first = rng.normal(truth * 0.6, 1)
    rows = ClassScores(ScoreRows(truth, np.column_stack([-first, first]), np.ones(60)), (0, 1))
    mean = AverageBasis(rows, registry["auc"], {}, "macro")
    single = estimate_scores(ScoreTable.from_scores(truth, first), "auc")
    assert mean.value == pytest.approx(single.value)
    assert mean.interval().width == pytest.approx(single.interval().width, rel=0.05)


def test_no_interval_of_a_mean_of_areas_with_two_cases_of_a_class():
    truth = [0] * 10 + [1] * 10 + [2] * 2
    scores = np.random.default_rng(5).random((22, 3))
    found = howsure.assess(truth, scores=scores).estimate("auc", average="macro")
    assert math.isnan(found.interval().low)
    assert found.interval().notes[0].startswith("2 positive cases are too few for an interval of an average of AUCs")


def test_mean_and_spread_of_folded_normal_values():
    seen = Gaps(np.array([40.0, 60.0]), np.zeros(2), np.array([0.2, 0.1]), np.array([0.2, 0.1]))
    rng = np.random.default_rng(6)
    drawn_gaps = np.abs(0.05 + rng.normal(0, np.sqrt(seen.variances / seen.cases), (200_000, 2)))
    values = drawn_gaps @ (seen.cases / 100)
    mean, spread = mean_of_folded(0.05, seen, seen.variances)
    assert mean == pytest.approx(values.mean(), rel=0.005)  # four standard errors of 200,000 draws
    assert spread == pytest.approx(values.std(), rel=0.01)


def test_calibration_error_of_right_probabilities_can_be_0():
    # The bootstrap excludes 0 in nearly every sample, as the value in a sample is above 0.
    assert coverage("expected_calibration_error", population(0.3, 1.0, slope=1), 100, 300) > 0.92
    rng = np.random.default_rng(7)
    table = population(0.3, 2.0, slope=3).sample(rng, 1000)
    assert estimate_scores(table, "ece").interval().low > 0.01
    (note,) = estimate_scores(population(0.3, 2.0, slope=1).sample(rng, 19), "ece").interval().notes
    assert note == "19 cases are too few for an interval of a calibration error; at least 20 are needed"


def test_error_of_hand_and_till_s_area_is_that_of_leaving_out_each_case():
    rng = np.random.default_rng(8)
    truth = np.repeat([0, 1, 2], [60, 40, 30])
    columns = rng.normal(size=(130, 3)) + np.eye(3)[truth]
    kernel = registry["auc_hand_till"].value
    left_out = np.array(
        [float(kernel(ScoreRows(truth, columns, np.delete(np.eye(130), i, 0).sum(0)))) for i in range(130)]
    )
    jackknife = math.sqrt(129 / 130 * ((left_out - left_out.mean()) ** 2).sum())
    areas = registry["auc_hand_till"].interval[1](ClassScores(ScoreRows(truth, columns, np.ones(130)), (0, 1, 2)))
    assert areas.error == pytest.approx(jackknife, rel=0.03)


def test_a_corrected_partial_area_below_the_diagonal_is_remarked_on():
    table = ScoreTable.from_scores([0, 0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.4, 0.3, 0.2])
    below = estimate_scores(table, "partial_auc", high=0.5)
    assert below.value < 0.5
    assert below.notes == (
        "the curve is below the diagonal there, where the correction is not meaningful; use corrected=False",
    )
    assert estimate_scores(table, "partial_auc", high=0.5, corrected=False).notes == ()
    assert estimate_scores(drawn(0.4, 2.0, 100), "partial_auc", high=0.5).notes == ()


def test_rounding_of_real_weights_puts_no_area_above_one():
    rng = np.random.default_rng(0)
    truth = np.arange(24) % 2
    for _ in range(200):  # a perfect ranking: the sum of products of weights may differ from the product of sums
        a = howsure.assess(truth, scores=10 * truth + rng.random(24), weight=rng.uniform(0.2, 3, 24), positive=1)
        assert a["auc"].low < a["auc"].value == pytest.approx(a["auc"].high, rel=1e-12)
        assert a["auc"].high <= 1


def test_relative_errors_hold_with_few_positives():
    # The smoothed mean loss, whose divisor is taken to vary little, covers 83 % and 84 % here.
    assert coverage("root_relative_squared_error", population(0.02, 1.5, slope=1), 200, 300) > 0.923
    assert coverage("relative_absolute_error", population(0.02, 0, slope=1), 60, 300) > 0.923


def test_the_root_relative_squared_error_at_chance_holds_no_more_often_than_it_says():
    # Every sample has more than 1, the truth, by the square of how far the share of positives is off: an interval by
    # slopes, or with cases of a loss that no score has, always reaches down to it.
    assert 0.9 < coverage("root_relative_squared_error", population(0.2, 0, slope=1), 200, 400) < 0.985


def test_relative_errors_reach_where_the_share_of_positives_makes_them_least():
    table = ScoreTable.from_scores(np.repeat([1, 0], [26, 74]), np.full(100, 0.2))
    found = estimate_scores(table, "root_relative_squared_error")
    low, high = found.interval()
    assert found.value > 1
    assert low == pytest.approx(1, abs=1e-12)  # the least of all shares, as 20 % are in the interval of 26 of 100
    ends = [math.sqrt(1 + (share - 0.2) ** 2 / (share * (1 - share))) for share in howsure.intervals.wilson(26, 100)]
    assert high == pytest.approx(max(ends), rel=1e-12)


def test_relative_errors_move_each_class_to_its_own_ends():
    table = population(0.3, 1.2, slope=1).sample(np.random.default_rng(0), 60)
    found = estimate_scores(table, "relative_absolute_error")
    assert found.interval().method == "mover-loss"
    assert found.interval(method="smoothed-loss").width < 1.2 * found.interval().width
    # Where the share of positives is known, only the losses of both classes are left to vary.
    seen = replace(found.basis.evidence, share=0.3, n=1e12)
    means = seen.positives.mean, seen.negatives.mean
    moves = [seen.value(0.3, seen.positives.ends(Z)[1], means[1]), seen.value(0.3, means[0], seen.negatives.ends(Z)[1])]
    value = seen.value(0.3, *means)
    interval = registered["mover-loss"].make(SimpleNamespace(evidence=seen, span=(0, math.inf)), Request())
    assert interval.high - value == pytest.approx(math.hypot(*(move - value for move in moves)), rel=1e-4)


def test_the_root_of_a_mean_has_the_roots_of_the_mean_s_interval():
    table = population(0.05, 1.5, slope=1).sample(np.random.default_rng(1), 100)
    mean, rooted = (estimate_scores(table, name).interval() for name in ("brier", "root_mean_squared_error"))
    assert tuple(rooted) == pytest.approx(tuple(np.sqrt(tuple(mean))))
    scores = np.random.default_rng(2).dirichlet([1, 1, 1], 40)
    truth = np.arange(40) % 3
    found = howsure.assess(truth, scores=scores)
    mean, rooted = (found[name].interval() for name in ("brier", "root_mean_squared_error"))
    assert tuple(rooted) == pytest.approx(tuple(np.sqrt(np.array(tuple(mean)) / 3)))


def test_calibration_error_of_few_sparse_bins_is_in_the_interval():
    # Where all bins were taken to be off alike, 91 % of the intervals held what a few of them are off by.
    assert coverage("expected_calibration_error", population(0.1, 4, slope=2), 1000, 150) > 0.92


def test_calibration_errors_are_shared_by_bins_alike_or_as_seen():
    sharp = Gaps(np.array([900.0, 100.0]), np.array([0.0, 0.3]), np.array([0.01, 0.2]), np.array([0.01, 0.2]))
    basis = SimpleNamespace(evidence=sharp, span=(0, 1))
    interval = registered["folded-normal"].make(basis, Request())
    # One bin off by 0.3 with an error of sqrt(0.2 / 100), and of as many cases as a share of 0.1 of them may have.
    reach = Z * math.hypot(0.1 * math.sqrt(0.2 / 100), 0.3 * math.sqrt(0.1 * 0.9 / 1000))
    assert interval.high == pytest.approx(0.03 + reach, abs=0.003)


def test_lift_holds_where_hardly_a_positive_is_below_the_cut():
    # With Wilson's lower end of the share below the cut 90 % of the intervals hold.
    assert coverage("lift", population(0.05, 4), 250, 300, depth=0.1) > 0.923


def test_lower_end_of_a_share_is_exact_where_that_is_lower():
    from scipy.stats import beta

    low, high = share_ends(1 / 180, 180, Request())
    assert low == pytest.approx(beta.ppf(0.025, 1, 180))
    assert high == pytest.approx(howsure.intervals.wilson(1, 180).high)
    assert share_ends(0, 180, Request())[0] == 0


@pytest.mark.parametrize("window", [{"high": 0.2}, {"low": 0.1, "high": 0.5}, {"low": 0.6, "high": 0.9, "axis": "y"}])
def test_variance_of_a_partial_area_is_that_of_leaving_out_each_case(window):
    rng = np.random.default_rng(3)
    positive = rng.random(300) < 0.4
    scores = rng.normal(positive * 1.0, 1).round(2)  # with ties
    whole = estimate_scores(ScoreTable.from_scores(positive, scores), "partial_auc", **window)
    left_out = [
        estimate_scores(ScoreTable.from_scores(np.delete(positive, i), np.delete(scores, i)), "partial_auc", **window)
        for i in range(300)
    ]
    values = np.array([each.value for each in left_out])
    jackknife = 299 / 300 * ((values - values.mean()) ** 2).sum()
    seen = whole.basis.evidence
    assert seen.slope * seen.share + seen.offset == pytest.approx(whole.value)
    # Leaving a case out is a step of 1 / 300, not a derivative, and moves the end of the window by a whole case.
    assert whole.standard_error == pytest.approx(math.sqrt(jackknife), rel=0.1)


def test_partial_area_holds_and_has_none_with_few_cases():
    assert coverage("partial_auc", population(0.5, 0), 50, 300, high=0.2) > 0.923
    assert coverage("partial_auc", population(0.1, 4), 200, 300, high=0.2) > 0.923
    few = estimate_scores(ScoreTable.from_scores(np.arange(50) < 4, -np.arange(50.0)), "partial_auc", high=0.2)
    note = "4 positive cases are too few for an interval of a partial area; at least 5 of each class are needed"
    assert few.interval().notes == (note,)
    narrow = estimate_scores(drawn(0.5, 1, 60), "partial_auc", high=0.01)
    assert narrow.interval().notes[0].startswith("the window contains 0.")
    assert not math.isnan(narrow.interval(method="bca", replicates=200).low)


def test_average_precision_holds_where_negatives_at_the_top_are_rare():
    # 89 % with what two negatives more would bring, however many there are.
    assert coverage("average_precision", population(0.5, 2.5, 0.5), 500, 300) > 0.923


def test_average_precision_has_the_freedom_of_the_rarer_class():
    from scipy.stats import t

    seen = Precision(0.9, 100_000, 10, 1e-4, 0.0)
    low, _ = registered["logit-precision"].make(SimpleNamespace(evidence=seen, span=(0, 1)), Request())
    assert math.log(9) - math.log(low / (1 - low)) == pytest.approx(t.ppf(0.975, 9) * 0.01 / 0.09, rel=0.01)


def test_bins_without_cases_may_be_off_by_anything():
    # Overconfident, and of 200 cases hardly one in the bin that is off most: the bins with cases alone never hold it.
    assert coverage("maximum_calibration_error", population(0.02, 0.6, slope=2), 200, 60) > 0.923
    table = ScoreTable.from_scores(np.arange(400) % 4 == 0, np.tile([0.25, 0.75], 200))
    found = estimate_scores(table, "maximum_calibration_error", bins=4).interval()
    assert found.high == 1  # that of the bins from 0 to 1/4 and from 1/2 to 3/4 that have no case
    assert found.notes == ("2 of 4 bins have no cases, so their gaps are unknown",)
    full = estimate_scores(table, "maximum_calibration_error", bins=2).interval()
    assert full.high < 0.8
    assert full.notes == ()


@pytest.mark.parametrize("seed", range(20))
def test_bins_found_by_their_edges_are_those_of_each_score(seed):
    from howsure.measures.probability import _bins_in_order, bin_of

    rng = np.random.default_rng(seed)
    bins, n = int(rng.integers(1, 13)), int(rng.integers(1, 40))
    scores = np.unique(np.concatenate([rng.random(n), rng.integers(0, bins + 1, 5) / bins]))[::-1]
    scores = scores.astype([np.float32, np.float64][seed % 2])
    used, starts = _bins_in_order(scores, bins)
    each = bin_of(scores, bins)
    first = np.flatnonzero(np.append(True, each[1:] != each[:-1]))
    np.testing.assert_array_equal(starts, first)
    np.testing.assert_array_equal(used, each[first])


@pytest.mark.parametrize("name", ["expected_calibration_error", "maximum_calibration_error"])
def test_bins_of_long_tables_are_added_up_to_the_same(name, monkeypatch):
    from howsure.measures import probability

    rng = np.random.default_rng(0)
    positive, scores = rng.random(3000) < 0.4, rng.random(3000)
    short = estimate_scores(ScoreTable.from_scores(positive, scores), name)
    monkeypatch.setattr(probability, "BLOCK", 100)
    long = estimate_scores(ScoreTable.from_scores(positive, scores), name)
    assert (long.value, *long.interval()) == (short.value, *short.interval())


def test_the_reason_for_a_missing_interval_is_said_wherever_the_value_is():
    area = howsure.assess([0, 0, 0, 1], scores=[0.1, 0.3, 0.2, 0.4])["auc"]
    reason = "1 positive case is too few for an interval of the AUC; at least 3 of each class are needed"
    assert area.interval().notes == (reason,)
    said = f"no interval, because {reason}"
    assert area.no_interval() == area.records()[0]["note"] == estimate_dict(area)["note"] == said
    assert said in " ".join(str(area).split())
    assert said in area.to_csv()
    assert shown_cell(area).reason == said
    assert with_interval(area) == f"1.000 ({said})"
    assert howsure.assess([0] * 5 + [1] * 5, scores=range(10), threshold=5)["auc"].no_interval() == ""
