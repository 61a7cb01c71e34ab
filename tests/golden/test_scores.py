"""Measures of scores against published examples and against pROC. Golden digits are as printed by their source."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

import howsure
from howsure import ScoreTable
from howsure.intervals.auc import auc_error, auc_interval, hanley_mcneil_error
from howsure.intervals.declare import Request
from howsure.measures import estimate_scores

Z = NormalDist().inv_cdf(0.975)

# Fawcett 2006, "An introduction to ROC analysis", figure 3: 20 cases by falling score.
FAWCETT_SCORES = [
    *(0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505),
    *(0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.30, 0.1),
]
FAWCETT_CLASSES = list("ppnpppnnpnpnpnnnpnpn")

# Hanley and McNeil 1982, table I: ratings 1 to 5 of 58 normal and 51 abnormal images.
NORMAL, ABNORMAL = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]

# DeLong et al. 1988, as in the SAS/STAT manual of PROC LOGISTIC, "Comparing Receiver Operating Characteristic
# Curves": albumin, total protein, K-G score, survival of 43 patients; the K-G score counts downwards.
DELONG = np.array(
    """3.0 5.8 10 0|3.2 6.3 5 1|3.9 6.8 3 1|2.8 4.8 6 0|3.2 5.8 3 1|0.9 4.0 5 0|2.5 5.7 8 0|1.6 5.6 5 1|3.8 5.7 5 1|
    3.7 6.7 6 1|3.2 5.4 4 1|3.8 6.6 6 1|4.1 6.6 5 1|3.6 5.7 5 1|4.3 7.0 4 1|3.6 6.7 4 0|2.3 4.4 6 1|4.2 7.6 4 0|
    4.0 6.6 6 0|3.5 5.8 6 1|3.8 6.8 7 1|3.0 4.7 8 0|4.5 7.4 5 1|3.7 7.4 5 1|3.1 6.6 6 1|4.1 8.2 6 1|4.3 7.0 5 1|
    4.3 6.5 4 1|3.2 5.1 5 1|2.6 4.7 6 1|3.3 6.8 6 0|1.7 4.0 7 0|3.7 6.1 5 1|3.3 6.3 7 1|4.2 7.7 6 1|3.5 6.2 5 1|
    2.9 5.7 9 0|2.1 4.8 7 1|2.8 6.2 8 0|4.0 7.0 7 1|3.3 5.7 6 1|3.7 6.9 5 1|3.6 6.6 5 1""".replace("|", " ").split(),
    float,
).reshape(43, 4)
SURVIVED = DELONG[:, 3].astype(int)
PATIENTS = {"K-G": 10 - DELONG[:, 2], "albumin": DELONG[:, 0], "total protein": DELONG[:, 1]}


@pytest.fixture
def fawcett():
    return howsure.assess(FAWCETT_CLASSES, scores=FAWCETT_SCORES, positive="p")


def test_fawcett_areas(fawcett):
    assert fawcett["auc"].value == pytest.approx(0.68, abs=1e-12)
    assert fawcett["gini"].value == pytest.approx(0.36, abs=1e-12)
    assert fawcett["average_precision"].value == pytest.approx(0.735748, abs=5e-7)


def test_fawcett_points(fawcett):
    """Figure 3: 20 thresholds and (0, 0); a step up for each positive, to the right for each negative."""
    curve = fawcett.roc()
    assert len(curve) == 21
    assert (curve.x[0], curve.y[0], curve.thresholds[0]) == (0, 0, math.inf)
    assert curve.thresholds[1:].tolist() == FAWCETT_SCORES
    up = np.array([label == "p" for label in FAWCETT_CLASSES])
    np.testing.assert_allclose(curve.y[1:], np.cumsum(up) / 10, rtol=1e-15)
    np.testing.assert_allclose(curve.x[1:], np.cumsum(~up) / 10, rtol=1e-15)


def test_fawcett_best_accuracy(fawcett):
    """His text: the best accuracy, 70 %, is at the point (0.1, 0.5) of threshold 0.54, not at 0.5."""
    best = fawcett.best_threshold("accuracy")
    assert best.threshold == 0.54
    assert best.value == pytest.approx(0.70, abs=1e-12)
    there = fawcett.at(0.54)
    assert there["accuracy"].value == pytest.approx(0.70, abs=1e-12)
    assert there["recall"].value == pytest.approx(0.5, abs=1e-12)
    assert there["false_positive_rate"].value == pytest.approx(0.1, abs=1e-12)
    assert fawcett.at(0.5)["accuracy"].value == pytest.approx(0.60, abs=1e-12)


@pytest.fixture
def ratings():
    scores = np.repeat([*range(1, 6), *range(1, 6)], [*NORMAL, *ABNORMAL])
    return ScoreTable.from_scores(np.repeat([0, 1], [58, 51]), scores)


def test_hanley_and_mcneil(ratings):
    """The paper prints 0.893 and 0.032; the further digits are of its own formulas, by hand."""
    ranks = auc_error(ratings.positives, ratings.negatives)
    area, delong = ranks.area, ranks.error
    assert area == pytest.approx(0.8931711, abs=5e-8)
    assert delong == pytest.approx(0.0307244, abs=5e-8)
    assert hanley_mcneil_error(area, 51, 58) == pytest.approx(0.0324866, abs=5e-8)
    assert area / (2 - area) == pytest.approx(0.806964, abs=5e-7)
    assert 2 * area**2 / (1 + area) == pytest.approx(0.842771, abs=5e-7)
    assert estimate_scores(ratings, "auc").value == pytest.approx(area, rel=1e-14)


def on_logit_scale(value, error, z=Z):
    """value ± z errors on the scale log(v / (1 - v)), where the error is error / (v (1 - v))."""
    middle, reach = math.log(value / (1 - value)), z * error / (value * (1 - value))
    return [1 / (1 + math.exp(-end)) for end in (middle - reach, middle + reach)]


@pytest.mark.parametrize(("method", "error"), [("delong", 0.0307244), ("hanley-mcneil", 0.0324866)])
def test_hanley_and_mcneil_intervals(ratings, method, error):
    """The interval's formula by hand, from the errors as above; 5e-7 is what their digits allow."""
    interval = estimate_scores(ratings, "auc").interval(method=method)
    assert interval.method == method
    np.testing.assert_allclose([interval.low, interval.high], on_logit_scale(0.8931711, error), atol=5e-7, rtol=0)
    gini = estimate_scores(ratings, "gini").interval(method=method)
    np.testing.assert_allclose([gini.low, gini.high], [2 * interval.low - 1, 2 * interval.high - 1], rtol=1e-12)
    upper = estimate_scores(ratings, "auc").interval(method=method, side="upper")
    one_sided = on_logit_scale(0.8931711, error, NormalDist().inv_cdf(0.95))
    assert upper.high == pytest.approx(one_sided[1], abs=5e-7)


@pytest.mark.parametrize(
    ("marker", "area", "error", "low", "high"),
    [
        ("K-G", 0.7258, 0.1028, 0.5243, 0.9273),
        ("albumin", 0.7366, 0.0927, 0.5549, 0.9182),
        ("total protein", 0.6478, 0.1000, 0.4518, 0.8439),
    ],
)
def test_delong_single_areas(marker, area, error, low, high):
    """The SAS table "ROC Association Statistics": area, standard error and the plain symmetric interval."""
    table = ScoreTable.from_scores(SURVIVED, PATIENTS[marker])
    ranks = auc_error(table.positives, table.negatives)
    found, spread = ranks.area, ranks.error
    assert found == pytest.approx(area, abs=5e-5)
    assert spread == pytest.approx(error, abs=5e-5)
    assert found - Z * spread == pytest.approx(low, abs=5e-5)
    assert found + Z * spread == pytest.approx(high, abs=5e-5)
    own = auc_interval(ranks, Request(), "delong")
    np.testing.assert_allclose([own.low, own.high], on_logit_scale(found, spread), rtol=1e-12)
    public = howsure.intervals.delong(SURVIVED, PATIENTS[marker])
    assert (public.low, public.high) == (own.low, own.high)


def test_delong_contrasts():
    """The SAS tables "ROC Contrast Test Results" and "ROC Contrast Rows Estimation", against the K-G score."""
    significance = pytest.importorskip("howsure.significance")
    kg, alb, tp = (PATIENTS[name] for name in ("K-G", "albumin", "total protein"))
    both = significance.delong(SURVIVED, kg, alb, tp)
    assert both.statistic == pytest.approx(2.53398, abs=5e-6)
    assert both.pvalue == pytest.approx(0.28168, abs=5e-6)
    for scores, difference, error, chi2, p in (
        (alb, 0.010753, 0.095344, 0.0127, 0.9102),
        (tp, -0.077957, 0.104610, 0.5554, 0.4561),
    ):
        found = significance.delong(SURVIVED, scores, kg)
        assert found.difference == pytest.approx(difference, abs=5e-7)
        assert found.difference / found.statistic == pytest.approx(error, abs=5e-7)
        assert found.statistic**2 == pytest.approx(chi2, abs=5e-5)
        assert found.pvalue == pytest.approx(p, abs=5e-5)


# 40 cases, drawn once and rounded to hundredths so that there are ties.
# fmt: off
TRUTH = [0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0,
         1, 1, 0, 0]
SCORES = [0.34, 0.45, 0.33, 0.45, 0.39, 0.38, 0.41, 0.59, 0.41, 0.42, 0.39, 0.65, 0.11, 0.66, 0.53, 0.47, 0.53, 0.93,
          0.69, 0.22, 0.49, 0.31, 0.33, 0.07, 0.47, 0.08, 0.57, 0.22, 0.15, 0.44, 0.49, 0.79, 0.1, 0.37, 0.48, 0.22,
          0.47, 0.7, 0.2, 0.6]
# fmt: on

# R 4.2.2, pROC 1.18.0:
# r <- roc(truth, scores, direction = "<"); var(r, method = "delong"); ci.auc(r, method = "delong")
PROC_AUC, PROC_SE = 0.768939393939394, 0.0743334318245019
PROC_CI = (0.623248544716107, 0.914630243162681)
# auc(r, partial.auc = c(from, to), partial.auc.focus = ..., partial.auc.correct = FALSE and TRUE)
PROC_PARTIAL = [
    (1, 0.8, "specificity", 0.0797979797979798, 0.666105499438833),
    (1, 0.8, "sensitivity", 0.10530303030303, 0.736952861952862),
    (1, 0.5, "specificity", 0.27020202020202, 0.693602693602694),
    (1, 0.5, "sensitivity", 0.289141414141414, 0.718855218855219),
    (0.9, 0.6, "specificity", 0.156262626262626, 0.680583613916947),
    (0.9, 0.6, "sensitivity", 0.168484848484848, 0.707744107744108),
    (0.5, 0.2, "specificity", 0.298737373737374, 0.993987493987494),
    (0.5, 0.2, "sensitivity", 0.27979797979798, 0.903799903799904),
]
PRINTED = 1e-13  # relative: R was asked for 15 digits


def test_proc_area():
    table = ScoreTable.from_scores(TRUTH, SCORES)
    ranks = auc_error(table.positives, table.negatives)
    area, error = ranks.area, ranks.error
    assert area == pytest.approx(PROC_AUC, rel=PRINTED)
    assert error == pytest.approx(PROC_SE, rel=PRINTED)
    np.testing.assert_allclose((area - Z * error, area + Z * error), PROC_CI, rtol=PRINTED)


@pytest.mark.parametrize(("start", "end", "focus", "area", "corrected"), PROC_PARTIAL)
def test_proc_partial_areas(start, end, focus, area, corrected):
    """A window of specificity is one of the false positive rate. pROC's plain form is an area, ours its mean height."""
    low, high = (1 - start, 1 - end) if focus == "specificity" else (end, start)
    window = {"low": low, "high": high, "axis": "x" if focus == "specificity" else "y"}
    a = howsure.assess(TRUTH, scores=SCORES)
    plain = a.estimate("partial_auc", corrected=False, **window).value
    # 1 - 0.9 is not 0.1 to the last bit, so the window is off by as much
    assert plain * (high - low) == pytest.approx(area, rel=PRINTED * 10)
    assert a.estimate("partial_auc", **window).value == pytest.approx(corrected, rel=PRINTED * 10)
