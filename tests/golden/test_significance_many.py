"""Tests of many classifiers against printed examples, R, SciPy and statsmodels.

Printed values are compared to half a unit of their last digit. The same formulas in SciPy and statsmodels are asked to
agree to 1e-9: their studentized range is the least exact part.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.multitest import multipletests

from howsure.significance import (
    adjust,
    anova,
    bonferroni_dunn,
    cochran_q,
    contrast,
    critical_difference,
    dunnett,
    friedman,
    iman_davenport,
    kruskal_wallis,
    nemenyi,
    newman_keuls,
    quade,
    repeated_anova,
    tukey,
)
from howsure.significance.many.anova import sums_of_squares
from howsure.significance.posthoc.studentized_range import dunnett_tail, point, range_tail
from howsure.significance.ranks import row_ranks

RTOL = 1e-9
SEEDS = range(12)
# R agricolae, data(sweetpotato): yields of plots by virus
SWEETPOTATO = np.transpose([[28.5, 21.7, 23.0], [14.9, 10.6, 13.1], [41.8, 39.2, 28.0], [38.2, 40.4, 32.1]])
VIRUS = ("cc", "fc", "ff", "oo")
# Garcia & Herrera (2008), accuracy on 30 data sets, as in data.gh.2008 of R scmamp
LEARNERS = ("C4.5", "1-NN", "NB", "Kernel", "CN2")
GARCIA_HERRERA = np.fromstring(
    """
    0.219 0.202 0.249 0.165 0.261  0.803 0.75 0.813 0.692 0.798  0.859 0.814 0.845 0.542 0.816
    0.809 0.774 0.673 0.275 0.785  0.768 0.79 0.727 0.872 0.706  0.759 0.654 0.734 0.703 0.714
    0.693 0.611 0.572 0.689 0.572  0.544 0.531 0.558 0.439 0.541  0.945 0.954 0.978 0.541 0.858
    0.725 0.705 0.739 0.625 0.717  0.674 0.736 0.721 0.356 0.704  0.801 0.357 0.52 0.309 0.52
    0.785 0.77 0.841 0.659 0.759  0.71 0.402 0.728 0.12 0.674  0.691 0.827 0.667 0.527 0.638
    0.743 0.739 0.83 0.549 0.746  0.99 0.482 0.941 0.857 0.99  0.867 0.098 0.915 0.986 0.784
    0.821 0.872 0.815 0.885 0.778  0.893 0.824 0.902 0.739 0.885  0.799 0.655 0.925 0.517 0.755
    0.845 0.731 0.693 0.653 0.704  0.741 0.701 0.591 0.663 0.619  0.799 0.994 0.603 0.269 0.621
    0.949 0.955 0.989 0.77 0.954  0.555 0.505 0.569 0.312 0.556  0.928 0.928 0.945 0.419 0.897
    0.915 0.857 0.86 0.7 0.777  0.855 0.796 0.857 0.607 0.809  0.906 0.359 0.895 0.641 0.918
    """,
    sep=" ",
).reshape(30, 5)
# Demsar (2006), table 6: AUC of C4.5, +m, +cf, +m+cf on 14 data sets
TABLE_6 = np.fromstring(
    """
    .763 .768 .771 .798  .599 .591 .590 .569  .954 .971 .968 .967  .628 .661 .654 .657  .882 .888 .886 .898
    .936 .931 .916 .931  .661 .668 .609 .685  .583 .583 .563 .625  .775 .838 .866 .875  1 1 1 1
    .940 .962 .965 .962  .619 .666 .614 .669  .972 .981 .975 .975  .957 .978 .946 .970
    """,
    sep=" ",
).reshape(14, 4)
# R, ?quade.test: sales of five brands of hand lotion in seven stores (Conover 1999)
LOTION = np.array(
    [
        *([5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4]),
        *([10, 9, 7, 13, 10], [19, 18, 28, 37, 58], [10, 7, 6, 8, 7]),
    ]
)


def printed(value, decimals):
    return pytest.approx(value, abs=0.5001 * 10**-decimals)


def significant(value, digits):
    return pytest.approx(value, abs=0.5001 * 10.0 ** (math.floor(math.log10(value)) - digits + 1))


def example(seed, ties=False):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(3, 25)), int(rng.integers(3, 8))
    scores = rng.normal(0, 1, (n, k)) + rng.normal(0, 0.5, k) + rng.normal(0, 1, (n, 1))
    return scores.round(0) if ties else scores


def test_sweetpotato_anova():
    between, within, df = sums_of_squares(SWEETPOTATO)
    assert (between, within) == (printed(1170.20917, 5), printed(179.91333, 5))
    assert within / df == printed(22.489167, 6)
    result = anova(SWEETPOTATO)
    assert result.statistic == printed(17.344783, 6)
    assert result.pvalue == printed(0.00073342, 8)
    assert result.df == (3, 8)
    assert result.difference == pytest.approx(36.9 - 38.6 / 3, rel=1e-12)


def test_sweetpotato_newman_keuls():
    result = newman_keuls(SWEETPOTATO, names=VIRUS)
    critical = {"cc fc": 8.928965, "ff oo": 8.928965, "cc ff": 8.928965, "cc oo": 11.064170, "fc ff": 11.064170}
    critical["fc oo"] = 12.399670
    ps = {"cc fc": 0.017638, "cc ff": 0.015073, "cc oo": 0.029089, "fc ff": 0.000777, "fc oo": 0.001162}
    ps["ff oo"] = 0.887267
    for both, p in ps.items():
        pair = result[tuple(both.split())]
        assert pair.pvalue == printed(p, 6)
        assert pair.critical == printed(critical[both], 6)
        assert pair.different == (both != "ff oo")
    assert result.groups == (("oo", "ff"), ("cc",), ("fc",))
    assert result.lines() == "{oo, ff} {cc} {fc}"
    assert not result.simultaneous


def test_sweetpotato_tukey():
    result = tukey(SWEETPOTATO, names=VIRUS)
    assert [(pair.a, pair.b) for pair in result.pairs][:3] == [("cc", "fc"), ("cc", "ff"), ("cc", "oo")]
    assert [pair.pvalue for pair in result.pairs] == [
        printed(p, 5) for p in (0.06855, 0.05925, 0.04821, 0.00136, 0.00116, 0.99879)
    ]
    assert result.groups == (("oo", "ff"), ("ff", "cc"), ("cc", "fc"))


def test_sweetpotato_contrast():
    result = contrast(SWEETPOTATO, [0.5, 0.5, -0.5, -0.5])
    assert result.difference == printed(-17.98333, 5)
    assert result.error == printed(2.737953, 6)
    assert result.statistic == printed(-6.568166, 6)
    assert result.pvalue == printed(0.00017511, 8)
    # R 4.2.2: pf(6.568166^2 / 3, 3, 8, lower.tail = FALSE) is 0.001378201765
    assert result.notes[0] == "Scheffe's p = 0.00138, for a contrast suggested by the scores"


def test_sweetpotato_kruskal_wallis():
    result = kruskal_wallis(SWEETPOTATO)
    assert (result.statistic, result.pvalue) == (printed(8.692308, 6), printed(0.0336743, 7))


def test_cochran_of_the_mlxtend_documentation():
    """Q 5.333, p .021 of two models; Q 7.529, p .023 of three; mlxtend user guide, cochrans_q."""
    wrong = np.zeros((100, 3), int)
    wrong[:16, 0] = wrong[[0, 1, 2, 3, 4, 5, 20, 21], 1] = wrong[[0, 1, 2, 6, 20, 21, 98, 99], 2] = 1
    two, three = cochran_q(1 - wrong[:, :2]), cochran_q(1 - wrong)
    assert (two.statistic, two.pvalue) == (printed(5.333, 3), printed(0.021, 3))
    assert (three.statistic, three.pvalue) == (printed(7.529, 3), printed(0.023, 3))
    assert two.statistic == pytest.approx((10 - 2) ** 2 / (10 + 2), rel=1e-12)  # McNemar's without correction


def test_garcia_and_herrera():
    means = row_ranks(GARCIA_HERRERA).mean(0)
    assert means.tolist() == [printed(rank, 3) for rank in (2.1, 3.25, 2.2, 4.333, 3.117)]
    plain = friedman(GARCIA_HERRERA, ties=False, names=LEARNERS)
    assert plain.statistic == printed(39.64667, 5)
    assert plain.method == "Friedman test, Demsar's formula, not corrected for ties"
    assert plain.notes[0] == "mean ranks, 1 is best: C4.5 2.100, 1-NN 3.250, NB 2.200, Kernel 4.333, CN2 3.117"
    assert friedman(GARCIA_HERRERA).statistic == printed(39.91275, 5)
    assert iman_davenport(GARCIA_HERRERA, ties=False).statistic == printed(14.30872, 5)


def test_garcia_and_herrera_adjusted():
    """The normal p-values of mean ranks, then Holm, Shaffer, Bergmann and Hommel."""
    rows = {
        ("C4.5", "Kernel"): (4.4870e-8, 4.487e-7, 4.487e-7, 4.487e-7),
        ("NB", "Kernel"): (1.7361e-7, 1.563e-6, 1.042e-6, 1.042e-6),
        ("Kernel", "CN2"): (0.0028805, 0.02304, 0.01728, 0.01152),
        ("C4.5", "1-NN"): (0.0048488, 0.03394, 0.02909, 0.02909),
        ("1-NN", "Kernel"): (0.0079635, 0.04778, 0.04778, 0.03185),
        ("1-NN", "NB"): (0.010112, 0.05056, 0.04778, 0.03034),
        ("C4.5", "CN2"): (0.012763, 0.05105, 0.05105, 0.03829),
        ("NB", "CN2"): (0.024745, 0.07423, 0.07423, 0.03829),
        ("1-NN", "CN2"): (0.74397, 1, 1, 1),
        ("C4.5", "NB"): (0.80650, 1, 1, 1),
    }
    rank = dict(zip(LEARNERS, row_ranks(GARCIA_HERRERA).mean(0), strict=True))
    z = np.array([(rank[a] - rank[b]) / math.sqrt(5 * 6 / (6 * 30)) for a, b in rows])
    raw = 2 * stats.norm.sf(abs(z))
    columns = list(zip(*rows.values(), strict=True))
    assert raw.tolist() == [significant(p, 5) for p in columns[0]]
    for method, column in zip(("holm", "shaffer", "bergmann-hommel"), columns[1:], strict=True):
        assert list(adjust(raw, method, pairs=list(rows))) == [significant(p, 4) for p in column]


def test_demsar_table_6():
    """R and SciPy correct for ties and give 10.952; the formula of the paper gives 9.857 on the table as printed."""
    assert friedman(TABLE_6).statistic == printed(10.952, 3)
    assert friedman(TABLE_6, ties=False).statistic == printed(9.857, 3)
    assert iman_davenport(TABLE_6).statistic == printed(4.586, 3)
    result = critical_difference(TABLE_6, names=["plain", "m", "cf", "m+cf"])
    assert result.cd == printed(1.2536, 4)
    assert result.ranks == pytest.approx((44 / 14, 28 / 14, 41 / 14, 27 / 14), rel=1e-12)
    # as in the paper: at .05 the test finds nothing, at .10 the plain tree differs from m and from m+cf
    assert result.groups == (("m+cf", "m", "cf", "plain"),)
    loose = critical_difference(TABLE_6, alpha=0.1, names=["plain", "m", "cf", "m+cf"])
    assert loose.cd == printed(2.291 * math.sqrt(20 / 84), 3)
    assert loose.groups == (("m+cf", "m", "cf"), ("cf", "plain"))
    assert [tuple(np.multiply(bar, 14).round(9)) for bar in loose.bars] == [(27, 41), (41, 44)]
    against = critical_difference(TABLE_6, control="plain", names=["plain", "m", "cf", "m+cf"])
    assert against.cd == printed(2.394 * math.sqrt(20 / 84), 3)
    assert against.groups == (("m", "cf", "plain"),)


def test_critical_values_of_demsar_table_5():
    """Table 5 of Demsar (2006), which misprints 2.734, for Bonferroni-Dunn with nine classifiers, as 2.724."""
    for k, q, dunn in ((2, 1.960, 1.960), (3, 2.343, 2.241), (5, 2.728, 2.498), (9, 3.102, 2.734), (10, 3.164, 2.773)):
        assert point(range_tail(k, math.inf), 0.05) / math.sqrt(2) == pytest.approx(q, abs=1e-3)  # cut, not rounded
        scores = np.random.default_rng(k).random((20, k))
        unit = math.sqrt(k * (k + 1) / 120)
        assert bonferroni_dunn(scores, control="1").pairs[0].critical / unit == printed(dunn, 3)


def test_r_quade_and_friedman():
    # R version 4.2.2 Patched (2022-11-10 r83330), options(digits = 15)
    # > quade.test(lotion): F 3.82925158417537, df 4 24, p 0.0151890200732746
    # > friedman.test(lotion): chi-squared 8.32835820895522, df 4, p 0.0802640905818255
    # > quade.test(table6): F 4.62790516224045, df 3 39, p 0.00730268051489338
    # > friedman.test(table6): chi-squared 10.952380952381, df 3, p 0.0119861763254178
    for function, scores, statistic, p, df in (
        (quade, LOTION, 3.82925158417537, 0.0151890200732746, (4, 24)),
        (friedman, LOTION, 8.32835820895522, 0.0802640905818255, 4),
        (quade, TABLE_6, 4.62790516224045, 0.00730268051489338, (3, 39)),
        (friedman, TABLE_6, 10.952380952381, 0.0119861763254178, 3),
    ):
        result = function(scores)
        assert (result.statistic, result.pvalue) == pytest.approx((statistic, p), rel=1e-13)
        assert result.df == df


def test_r_greenhouse_geisser():
    # R 4.2.2: anova(lm(y ~ 1), X = ~1, test = "Spherical"): F 20.3142857168681, p 0.00213057791438972,
    # epsilon 0.6798, G-G p 0.0089306552977591
    result = repeated_anova([0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87])
    assert (result.statistic, result.pvalue) == pytest.approx((20.3142857168681, 0.00213057791438972), rel=1e-8)
    assert result.notes[0] == "Greenhouse-Geisser epsilon 0.680, corrected p = 0.00893"


def test_r_adjusted():
    # R 4.2.2: p.adjust(p, method)
    p = [0.001, 0.008, 0.012, 0.02, 0.02, 0.3, 0.7]
    for method, wanted in {
        "bonferroni": [0.007, 0.056, 0.084, 0.14, 0.14, 1, 1],
        "holm": [0.007, 0.048, 0.06, 0.08, 0.08, 0.6, 0.7],
        "hochberg": [0.007, 0.048, 0.06, 0.06, 0.06, 0.6, 0.7],
        "hommel": [0.007, 0.0333333333333333, 0.04, 0.06, 0.06, 0.6, 0.7],
        "bh": [0.007, 0.028, 0.028, 0.028, 0.028, 0.35, 0.7],
        "by": [0.01815, 0.0726, 0.0726, 0.0726, 0.0726, 0.9075, 1],
    }.items():
        assert adjust(p, method).pvalues == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_scipy_agrees(seed, ties):
    scores = example(seed, ties)
    for ours, theirs in (
        (anova, stats.f_oneway),
        (kruskal_wallis, stats.kruskal),
        (friedman, stats.friedmanchisquare),
    ):
        result, wanted = ours(scores), theirs(*scores.T)
        assert (result.statistic, result.pvalue) == pytest.approx((wanted.statistic, wanted.pvalue), rel=RTOL)


@pytest.mark.parametrize("seed", SEEDS)
def test_scipy_agrees_on_pairs(seed):
    scores = example(seed)
    wanted = stats.tukey_hsd(*scores.T).pvalue
    both = np.triu_indices(scores.shape[1], 1)
    # SciPy integrates the range to some 1e-12, which is what is left of 1 minus it where p is small
    assert [pair.pvalue for pair in tukey(scores).pairs] == pytest.approx(wanted[both].tolist(), rel=RTOL, abs=1e-11)


@pytest.mark.parametrize("df", [1, 2, 3, 8, 30, 200, math.inf])
@pytest.mark.parametrize("k", [2, 3, 6, 20])
def test_scipy_agrees_on_the_studentized_range(k, df):
    for q in (0.0, 0.1, 1.0, 3.0, 6.0):
        wanted = stats.studentized_range.sf(q, k, df)
        assert range_tail(k, df)(q) == pytest.approx(wanted, rel=RTOL, abs=1e-11)


@pytest.mark.parametrize("df", [1, 2, 8, 100])
def test_a_pair_is_a_t_test(df):
    for t in (0.0, 0.5, 2.0, 6.0):
        wanted = pytest.approx(2 * stats.t.sf(t, df), rel=1e-12)
        assert dunnett_tail(1, df)(t) == wanted
        assert range_tail(2, df)(t * math.sqrt(2)) == wanted


def test_dunnett():
    """Two-sided points of Dunnett's table (1964) at .05: 2.54 for 3 treatments and 20 df, 2.69 for 9 and many df."""
    assert point(dunnett_tail(3, 20), 0.05) == printed(2.54, 2)
    assert point(dunnett_tail(9, math.inf), 0.05) == printed(2.69, 2)
    scores = example(3)
    wanted = stats.dunnett(*scores.T[1:], control=scores[:, 0], random_state=0).pvalue
    result = dunnett(scores, control="1")
    assert [pair.pvalue for pair in result.pairs] == pytest.approx(wanted.tolist(), abs=1e-3)  # SciPy's is Monte Carlo


@pytest.mark.parametrize("seed", SEEDS)
def test_statsmodels_agrees(seed):
    import pandas as pd

    scores = example(seed)
    n, k = scores.shape
    long = pd.DataFrame({"score": scores.ravel(), "row": np.repeat(range(n), k), "column": np.tile(range(k), n)})
    wanted = AnovaRM(long, "score", "row", within=["column"]).fit().anova_table
    result = repeated_anova(scores)
    assert result.statistic == pytest.approx(wanted["F Value"].iloc[0], rel=RTOL)
    assert result.pvalue == pytest.approx(wanted["Pr > F"].iloc[0], rel=RTOL)
    correct = np.random.default_rng(seed).random((n + 5, k)) < 0.6
    theirs, ours = cochrans_q(correct.astype(int)), cochran_q(correct)
    assert (ours.statistic, ours.pvalue) == pytest.approx((theirs.statistic, theirs.pvalue), rel=RTOL)


@pytest.mark.parametrize("method", ["bonferroni", "sidak", "holm-sidak", "holm", "hochberg", "hommel", "bh", "by"])
@pytest.mark.parametrize("seed", range(25))
def test_statsmodels_agrees_on_adjusted(seed, method):
    rng = np.random.default_rng(seed)
    raw = rng.beta(0.4, 2, rng.integers(1, 30)).round(3 if seed % 2 else 15)
    theirs = {"hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}.get(method, method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels takes the log of 0 where p is 1
        wanted = multipletests(raw, method=theirs)[1]
    assert adjust(raw, method).pvalues == pytest.approx(wanted, rel=RTOL)


def test_nemenyi_is_the_range_of_ranks():
    """p-values as PMCMRplus and scikit-posthocs give them: studentized range with infinite degrees of freedom."""
    result = nemenyi(GARCIA_HERRERA, names=LEARNERS)
    unit = math.sqrt(5 * 6 / (12 * 30))
    wanted = [stats.studentized_range.sf(abs(pair.difference) / unit, 5, math.inf) for pair in result.pairs]
    assert [pair.pvalue for pair in result.pairs] == pytest.approx(wanted, rel=RTOL, abs=1e-11)
    # ranks 2.1, 2.2, 3.117, 3.25, 4.333 and a critical difference of 2.728 * sqrt(1 / 6) = 1.114
    assert result.lines() == "{C4.5, NB, CN2} {NB, CN2, 1-NN} {1-NN, Kernel}"
