"""Each row of docs/coming-from/disagreements.md: what other programs printed, and how to get both numbers.

R 4.2.2 (pROC 1.18.0, caret 6.0.93, yardstick 1.1.0) and the Python packages named on the page were run on these data;
their digits are those printed.
"""

from __future__ import annotations

import numpy as np
import pytest

import howsure
from howsure.measures import estimate, estimate_scores
from howsure.significance import delong_unpaired, mcnemar, wilcoxon
from howsure.tables import Confusion, ScoreTable

PRINTED = 1e-6  # R prints seven digits
TRUTH, SCORE = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.35, 0.3, 0.1]
OTHER_TRUTH = [1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0]
OTHER_SCORE = [0.9, 0.2, 0.7, 0.65, 0.6, 0.35, 0.4, 0.5, 0.3, 0.8, 0.1, 0.45]
THREE = Confusion(np.array([[6, 1, 1], [2, 5, 1], [1, 1, 2]]), ("a", "b", "c"))
NEVER_PREDICTED = Confusion(np.array([[8, 0, 0], [2, 6, 0], [0, 4, 0]]), ("a", "b", "c"))
TWO = Confusion(np.array([[5, 1], [1, 3]]), (0, 1))
TEN = (
    [0.81, 0.79, 0.84, 0.80, 0.78, 0.83, 0.77, 0.82, 0.85, 0.80],
    [0.78, 0.79, 0.80, 0.78, 0.79, 0.80, 0.77, 0.80, 0.81, 0.79],
)
EIGHT = ([0.812, 0.79, 0.84, 0.80, 0.781, 0.83, 0.777, 0.82], [0.781, 0.795, 0.80, 0.785, 0.79, 0.799, 0.75, 0.808])


def near(value):
    return pytest.approx(value, rel=PRINTED)


@pytest.fixture(scope="module")
def assessed():
    return howsure.assess(TRUTH, scores=SCORE)


def test_a_step_sum_and_a_trapezoid(assessed):
    assert assessed.estimate("pr_auc").value == assessed.estimate("average_precision").value == near(0.7944444)
    curve = assessed.curve("precision_recall")
    assert np.trapezoid(curve.y, curve.x) == near(0.7738889)  # yardstick and MLstatkit `pr_auc`


def test_areas_and_their_intervals(assessed):
    area = assessed.estimate("auc")
    assert area.value == near(0.72)
    assert howsure.assess(TRUTH, scores=np.negative(SCORE)).estimate("auc").value == near(1 - 0.72)  # pROC: 0.72
    reach = 1.959964 * area.standard_error
    assert (area.value - reach, area.value + reach) == near((0.3650354, 1.0749645))  # pROC cuts it at 1
    assert (area.interval().low, area.interval().high) == pytest.approx((0.307, 0.937), abs=5e-4)
    perfect = estimate_scores(ScoreTable.from_scores([0] * 4 + [1] * 4, range(8)), "auc").interval()  # pROC: 1-1
    assert (perfect.low, perfect.high) == pytest.approx((0.510, 1), abs=5e-4)
    alone = estimate_scores(ScoreTable.from_scores([0, 0, 0, 0, 0, 1], [1, 2, 3, 5, 6, 4]), "auc").interval()
    assert np.isnan([alone.low, alone.high]).all()  # pROC: NA-NA


def test_partial_areas(assessed):
    assert assessed.estimate("partial_auc", high=0.5).value == near(0.7066667)
    assert 0.5 * assessed.estimate("partial_auc", high=0.5, corrected=False).value == near(0.28)
    below = ScoreTable.from_scores([0, 0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.4, 0.3, 0.2])
    result = estimate_scores(below, "partial_auc", high=0.5)
    assert (result.value, len(result.notes)) == (near(1 / 3), 1)  # scikit-learn; pROC: NA


def test_areas_of_other_cases():
    result = delong_unpaired(TRUTH, SCORE, OTHER_TRUTH, OTHER_SCORE)
    assert (result.statistic, result.df, result.pvalue) == near((-0.6239557, 16.50462, 0.5411856))  # pROC
    assert delong_unpaired(TRUTH, SCORE, OTHER_TRUTH, OTHER_SCORE, method="normal").pvalue == near(0.5326567)


def test_balanced_accuracy_and_mcc_of_three_classes():
    recall, specificity = (estimate(THREE, name, average="macro").value for name in ("recall", "specificity"))
    assert estimate(THREE, "balanced_accuracy").value == near(recall) == near(0.625)  # scikit-learn
    assert (recall + specificity) / 2 == near(0.7222222)  # yardstick
    by_class = [estimate(THREE.against(name), "balanced_accuracy").value for name in "abc"]
    assert by_class == near([0.75, 0.7291667, 0.6875])  # caret
    assert estimate(THREE, "mcc").value == near(0.4549055)  # scikit-learn, yardstick
    mcc = [estimate(THREE.against(name), "mcc").value for name in "abc"]
    assert [*mcc, np.average(mcc, weights=[8, 8, 4])] == pytest.approx([0.492, 0.471, 0.375, 0.460], abs=5e-4)


def test_precision_of_a_class_never_predicted():
    result = estimate(NEVER_PREDICTED, "precision", average="macro")
    assert (result.value, len(result.notes)) == (near(0.7), 1)  # yardstick
    assert result.value * 2 / 3 == near(0.4666667)  # scikit-learn


def test_a_table_as_caret_reads_it():
    assert [estimate(TWO, "recall", label=label).value for label in (0, 1)] == near([0.8333333, 0.75])
    accuracy = estimate(TWO, "accuracy")
    exact, wilson = accuracy.interval(method="clopper-pearson"), accuracy.interval(method="wilson")
    assert (exact.low, exact.high) == near((0.4439045, 0.9747893))
    assert (wilson.low, wilson.high) == pytest.approx((0.490, 0.943), abs=5e-4)
    assert mcnemar(1, 1, "chi2-corrected").pvalue == near(1.0)
    assert estimate(TWO, "recall", label=1).value * estimate(TWO, "prevalence", label=1).value == near(0.3)


@pytest.mark.parametrize(
    ("method", "pvalue"),
    [
        ("auto", 0.09625244),
        ("chi2-corrected", 0.1456101),  # R `mcnemar.test`, mlxtend
        ("chi2", 0.08955507),  # R with correct=FALSE
        ("exact", 0.1434631),  # statsmodels
    ],
)
def test_mcnemar(method, pvalue):
    assert mcnemar(12, 5, method).pvalue == near(pvalue)
    assert mcnemar(0, 0, method).pvalue == 1  # R: NaN; mlxtend: 0


def test_wilcoxon():
    assert wilcoxon(*TEN).pvalue == near(0.0234375)  # SciPy; R 0.02470659
    assert wilcoxon(*TEN, exact=False).pvalue == near(0.02023983)  # R with correct=FALSE, on rounded differences
    assert wilcoxon(*EIGHT).pvalue == near(0.0390625)  # SciPy; R 0.04206273
    assert wilcoxon(*EIGHT, exact=False).pvalue == near(0.03546586)
