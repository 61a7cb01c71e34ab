"""Measures of scores against scikit-learn and SciPy on 1,000 random inputs: ties, weights, one class only.

Rounding is the only tolerance: 1e-12 relative, and as much absolute because areas and losses near 0 are what is left
of sums of numbers near 1. Where the programs differ by definition, the test says so.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pytest
import sklearn
from scipy import stats
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve
from sklearn.exceptions import UndefinedMetricWarning

import howsure
from howsure import ScoreTable, curves
from howsure.measures import estimate_scores, registry

RTOL = ATOL = 1e-12


@dataclass(frozen=True)
class Case:
    truth: np.ndarray
    scores: np.ndarray
    weight: np.ndarray | None
    table: ScoreTable

    @property
    def both(self):
        return 0 < self.truth.sum() < len(self.truth)


def make_cases(number=1000, seed=20261115):
    """Draw columns of 2 to 60 cases; ties are heavy in two of three, weights whole, real or none."""
    rng = np.random.default_rng(seed)
    cases = []
    for turn in range(number):
        n = int(rng.integers(2, 61))
        truth = (rng.random(n) < rng.uniform(0.1, 0.9)).astype(int)
        if turn % 25 == 0:
            truth[:] = turn // 25 % 2
        scores = np.clip(rng.normal(0.35 + 0.3 * truth, 0.3), 0, 1)
        scores = [scores, scores.round(1), scores.round(2)][turn % 3]
        weight = [None, rng.integers(1, 6, n), None, rng.uniform(0.1, 4, n)][turn % 4]
        cases.append(Case(truth, scores, weight, ScoreTable.from_scores(truth, scores, weight)))
    return cases


CASES = make_cases()
BOTH = [case for case in CASES if case.both]
ONE_CLASS = [case for case in CASES if not case.both]
PLAIN = [case for case in BOTH if case.weight is None]


def ours(name, cases, **parameters):
    return np.array([float(registry[name].value(case.table.counts, **parameters)) for case in cases])


def agree(found, expected):
    np.testing.assert_allclose(found, expected, rtol=RTOL, atol=ATOL)


@contextmanager
def quick():
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        yield


def ask(function, cases, **options):
    with quick():
        return [function(case.truth, case.scores, sample_weight=case.weight, **options) for case in cases]


def test_the_inputs_are_what_they_should_be():
    assert len(CASES) == 1000
    assert len(ONE_CLASS) > 40
    assert {int(case.truth[0]) for case in ONE_CLASS} == {0, 1}
    assert sum(case.weight is not None for case in CASES) == 500
    assert sum(len(case.table) < len(case.scores) / 2 for case in CASES) > 200  # ties
    assert min(len(case.truth) for case in CASES) == 2


def test_auc():
    expected = np.array(ask(sk.roc_auc_score, BOTH))
    agree(ours("auc", BOTH), expected)
    agree(ours("gini", BOTH), 2 * expected - 1)


def test_auc_is_the_statistic_of_mann_and_whitney():
    found = [
        stats.mannwhitneyu(case.scores[case.truth == 1], case.scores[case.truth == 0], method="asymptotic").statistic
        / (case.truth.sum() * (1 - case.truth).sum())
        for case in PLAIN
    ]
    agree(ours("auc", PLAIN), found)


def test_average_precision():
    agree(ours("average_precision", BOTH), ask(sk.average_precision_score, BOTH))


@pytest.mark.parametrize("high", [0.05, 0.2, 0.5, 0.9])
def test_partial_area(high):
    """`max_fpr` is McClish's corrected area from 0 to `max_fpr`."""
    some = BOTH[:: 1 if high == 0.2 else 4]  # all of them once; a peer's area takes it two milliseconds
    agree(ours("partial_auc", some, high=high), ask(sk.roc_auc_score, some, max_fpr=high))


def test_partial_area_of_everything_is_the_area():
    for axis in ("x", "y"):
        agree(ours("partial_auc", BOTH, high=1.0, axis=axis), ours("auc", BOTH))
        agree(ours("partial_auc", BOTH, high=1.0, axis=axis, corrected=False), ours("auc", BOTH))


def test_brier():
    agree(ours("brier", CASES), ask(sk.brier_score_loss, CASES, labels=[0, 1], pos_label=1))


def test_log_loss():
    agree(ours("log_loss", CASES), ask(sk.log_loss, CASES, labels=[0, 1]))


def test_ks_distance():
    """SciPy's two-sample statistic, of unweighted cases."""
    with np.errstate(divide="ignore"):  # its p-value, not looked at here, divides by 0 for one case against one
        found = [
            stats.ks_2samp(case.scores[case.truth == 1], case.scores[case.truth == 0], method="asymp").statistic
            for case in PLAIN
        ]
    agree(ours("ks_distance", PLAIN), found)


def test_ks_distance_is_the_largest_gap_of_the_roc_curve():
    """The same with weights, where SciPy has no statistic."""
    gaps = [np.abs(tpr - fpr).max() for fpr, tpr, _ in ask(sk.roc_curve, BOTH)]
    agree(ours("ks_distance", BOTH), gaps)


def test_one_class_only():
    """Undefined with a reason, where scikit-learn warns and says nan, or 0; what needs no other class is there."""
    for case in ONE_CLASS:
        for name in ("auc", "gini", "ks_distance", "equal_error_rate"):
            found = estimate_scores(case.table, name)
            assert np.isnan(found.value)
            assert found.undefined == "all cases are of one class, so there is nothing to rank"
        found = estimate_scores(case.table, "average_precision")
        if case.truth[0]:
            agree(found.value, sk.average_precision_score(case.truth, case.scores, sample_weight=case.weight))
        else:
            assert found.undefined == "no case is positive"
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(sk.roc_auc_score([1, 1], [0.2, 0.3]))


def test_roc_points():
    for case, (fpr, tpr, thresholds) in zip(BOTH, ask(sk.roc_curve, BOTH, drop_intermediate=False), strict=True):
        curve = curves.roc(case.table)
        agree(curve.x, fpr)
        agree(curve.y, tpr)
        np.testing.assert_array_equal(curve.thresholds, thresholds)


def test_precision_recall_points():
    """scikit-learn goes from low to high thresholds and ends with (0, 1); ours begins with the first precision."""
    for case, (precision, recall, thresholds) in zip(BOTH, ask(sk.precision_recall_curve, BOTH), strict=True):
        curve = curves.precision_recall(case.table)
        agree(curve.x[1:], recall[:-1][::-1])
        agree(curve.y[1:], precision[:-1][::-1])
        np.testing.assert_array_equal(curve.thresholds[1:], thresholds[::-1])
        assert curve.x[0] == 0
        assert curve.y[0] == curve.y[1]


def test_det_points():
    """scikit-learn leaves out all but the last point without a false positive, and what comes after full recall."""
    for case, (fpr, fnr, thresholds) in zip(BOTH, ask(sk.det_curve, BOTH, drop_intermediate=False), strict=True):
        curve = curves.det(case.table)
        place = np.searchsorted(-curve.thresholds, -thresholds)
        np.testing.assert_array_equal(curve.thresholds[place], thresholds)
        agree(curve.x[place], fpr)
        agree(curve.y[place], fnr)


@pytest.mark.parametrize("bins", [3, 7, 10])
def test_calibration(bins):
    """Bins of equal width. A score on an edge is in our upper and in scikit-learn's lower bin, so none is there."""
    for case in PLAIN:
        on_edge = np.isclose(case.scores * bins, np.round(case.scores * bins))
        scores = np.where(on_edge, case.scores * 0.97 + 0.011, case.scores)
        curve = curves.calibration(ScoreTable.from_scores(case.truth, scores), bins=bins)
        with quick():
            share, mean = calibration_curve(case.truth, scores, n_bins=bins, pos_label=1)
        agree(curve.x, mean)
        agree(curve.y, share)
        table = ScoreTable.from_scores(case.truth, scores)
        gaps, n = np.abs(share - mean), curve.extra["n"]
        agree(estimate_scores(table, "expected_calibration_error", bins=bins).value, (gaps * n).sum() / n.sum())
        agree(estimate_scores(table, "maximum_calibration_error", bins=bins).value, gaps.max())


@dataclass(frozen=True)
class Classes:
    truth: np.ndarray
    scores: np.ndarray
    weight: np.ndarray | None
    assessment: howsure.Assessment

    @property
    def k(self):
        return self.scores.shape[1]


def make_classes(number=160, seed=20261116):
    """Draw rows of 3 to 5 probabilities, multiples of one sixteenth in every second input, all classes present."""
    rng = np.random.default_rng(seed)
    cases = []
    for turn in range(number):
        k = int(rng.integers(3, 6))
        n = int(rng.integers(2 * k, 61))
        truth = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
        scores = rng.dirichlet(np.ones(k), n) + 0.5 * np.eye(k)[truth] * rng.random((n, 1))
        scores /= scores.sum(1, keepdims=True)
        if turn % 2:  # whole sixteenths that add up to 1: exact, and full of ties
            parts = rng.multinomial(16, np.ones(k) / k, n)
            scores = parts / 16
        weight = [None, None, rng.integers(1, 6, n), rng.uniform(0.1, 4, n)][turn % 4]
        cases.append(Classes(truth, scores, weight, howsure.assess(truth, scores=scores, weight=weight)))
    return cases


@pytest.fixture(scope="module")
def many():
    return make_classes()


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_one_versus_rest_areas(many, average):
    found = [case.assessment.estimate("auc", average=average).value for case in many]
    agree(found, ask(sk.roc_auc_score, many, multi_class="ovr", average=average))


def test_one_versus_one_area(many):
    """scikit-learn takes no weights here."""
    plain = [case for case in many if case.weight is None]
    found = [case.assessment["auc_hand_till"].value for case in plain]
    agree(found, ask(sk.roc_auc_score, plain, multi_class="ovo", average="macro"))
    agree(found, [case.assessment["auc_ovo"].value for case in plain])


def test_many_class_losses(many):
    agree([case.assessment["log_loss"].value for case in many], ask(sk.log_loss, many))
    agree([case.assessment["brier"].value for case in many], ask(sk.brier_score_loss, many, scale_by_half=False))


@pytest.mark.parametrize("k", [1, 2])
def test_top_k(many, k):
    """Ties go to the earlier class here and to the later one in scikit-learn, so it is shown the classes backwards."""
    found = [case.assessment.estimate("top_k_accuracy", k=k).value for case in many]
    turned = [Classes(case.k - 1 - case.truth, case.scores[:, ::-1], case.weight, None) for case in many]
    agree(found, ask(sk.top_k_accuracy_score, turned, k=k))
    if k == 1:
        agree(found, [case.assessment["accuracy"].value for case in many])


def test_average_precision_of_many_classes(many):
    """scikit-learn's averages of one column for each class."""
    with quick():
        for average in ("macro", "weighted", "micro"):
            found = [case.assessment.estimate("average_precision", average=average).value for case in many[::5]]
            expected = [
                sk.average_precision_score(
                    np.eye(case.k)[case.truth], case.scores, sample_weight=case.weight, average=average
                )
                for case in many[::5]
            ]
            agree(found, expected)
