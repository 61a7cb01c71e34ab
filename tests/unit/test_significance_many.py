"""Tests of many classifiers: properties, degenerate tables, the wording of errors, and how results are shown."""

from __future__ import annotations

import json
import math
import re
from dataclasses import FrozenInstanceError
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from howsure import HowsureError
from howsure.significance import (
    anova,
    bonferroni_dunn,
    clustered_wald,
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
from howsure.significance.declare import registry
from howsure.significance.ranks import row_ranks

RTOL = 1e-9  # the same sums in another order, and F ratios of what is left of differences
OMNIBUS = [anova, repeated_anova, kruskal_wallis, friedman, iman_davenport, quade]
OF_ROWS = [repeated_anova, friedman, iman_davenport, quade]
PAIRWISE = [newman_keuls, tukey, nemenyi]
AGAINST = [bonferroni_dunn, dunnett]
ALIKE = "the classifiers do not differ, so there is nothing to test"
NO_SPREAD = "the scores do not vary within classifiers, so the uncertainty of the difference cannot be estimated"


@st.composite
def tables(draw, least_rows=1):
    """Tables of a few rows and columns, of whole numbers that often tie, or of thousandths."""
    shape = (draw(st.integers(least_rows, 7)), draw(st.integers(2, 5)))
    top = draw(st.sampled_from([1, 4, 1000]))
    return draw(arrays(float, shape, elements=st.integers(0, top).map(lambda x: x / (top if top == 1000 else 1))))


OF_EACH = [anova, kruskal_wallis, newman_keuls, tukey]  # to which a row is nothing


def shape(scores, test):
    """How a test says that scores were read."""
    rows = "scores for each of" if test in OF_EACH else "folds or data sets (rows) x"
    return f"{len(scores)} {rows} {len(scores[0])} classifiers"


def outcome(result):
    return [result.statistic, result.pvalue, result.difference]


def same(found, wanted):
    """Compare numbers of which some may be NaN or infinite; a statistic of 1e-30 is as good as 0."""
    assert found == pytest.approx(wanted, rel=RTOL, abs=1e-12, nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(scores=tables(), data=st.data())
def test_order_of_columns(scores, data):
    order = data.draw(st.permutations(range(scores.shape[1])))
    for test in OMNIBUS:
        same(outcome(test(scores[:, order])), outcome(test(scores)))


@settings(max_examples=30, deadline=None)  # the quadrature takes its time
@given(scores=tables(), data=st.data())
def test_order_of_columns_in_pairs(scores, data):
    order = data.draw(st.permutations(range(scores.shape[1])))
    names = [str(position + 1) for position in order]
    for test in PAIRWISE:
        plain, moved = test(scores), test(scores[:, order], names=names)
        for pair in plain.pairs:
            second = moved[pair.a, pair.b]
            assert second.different == pair.different
            same([abs(second.difference), second.pvalue], [abs(pair.difference), pair.pvalue])
        assert {frozenset(group) for group in moved.groups} == {frozenset(group) for group in plain.groups}


@settings(max_examples=60, deadline=None)
@given(scores=tables(), shift=arrays(float, 7, elements=st.integers(-9, 9)))
def test_a_constant_for_each_row_changes_nothing(scores, shift):
    for test in OF_ROWS:
        same(outcome(test(scores + shift[: len(scores), None])), outcome(test(scores)))


@settings(max_examples=30, deadline=None)
@given(scores=tables())
def test_p_values_are_probabilities(scores):
    for test in OMNIBUS:
        result = test(scores)
        assert math.isnan(result.pvalue) or 0 < result.pvalue <= 1
        assert result.difference >= 0
        if math.isnan(result.pvalue):
            assert result.notes
    for test in (*PAIRWISE, lambda s: bonferroni_dunn(s, control="1"), lambda s: dunnett(s, control="1")):
        result = test(scores)
        assert all(math.isnan(pair.pvalue) or 0 < pair.pvalue <= 1 for pair in result.pairs)
        json.dumps(result.to_dict(), allow_nan=False)
        assert {name for group in result.groups for name in group} <= set(result.names)


@settings(max_examples=30, deadline=None)
@given(scores=tables(least_rows=2), alpha=st.sampled_from([0.01, 0.05, 0.3]))
def test_groups_hold_together(scores, alpha):
    """No two of a group differ, none of the others could join it, and every classifier is in one."""
    for test in PAIRWISE:
        result = test(scores, alpha=alpha)
        assert {name for group in result.groups for name in group} == set(result.names)
        for group in map(set, result.groups):
            assert not any(pair.different for pair in result.pairs if {pair.a, pair.b} <= group)
            for second in set(result.names) - group:
                assert any(result[second, name].different for name in group)
        for pair in result.pairs:
            if test is not newman_keuls and not math.isnan(pair.pvalue):
                assert pair.different == (abs(pair.difference) > pair.critical)


def test_ranks():
    assert row_ranks(np.array([[0.9, 0.8, 0.9, 0.7]])).tolist() == [[1.5, 3, 1.5, 4]]
    assert row_ranks(np.array([[0.9, 0.8, 0.9, 0.7]]), better="lower").tolist() == [[3.5, 2, 3.5, 1]]
    # equal in decimal, not in binary; and a row of small scores beside one of large ones
    assert row_ranks(np.array([[0.1 + 0.2, 0.3], [2e-9, 1e-9], [5e6, 4e6]])).tolist() == [[1.5, 1.5], [1, 2], [1, 2]]


def test_lower_is_better():
    errors = np.array([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4], [0.1, 0.3, 0.5]])
    ranked = friedman(errors, better="lower", names="abc")
    assert ranked.notes[0] == "mean ranks, 1 is best: a 1.333, b 1.667, c 3.000"
    assert ranked.statistic == pytest.approx(friedman(1 - errors).statistic, rel=RTOL)
    assert tukey(errors, better="lower").lines()[0] == "1"
    assert tukey(1 - errors).lines() == tukey(errors, better="lower").lines()
    assert critical_difference(errors, better="lower").ranks == critical_difference(1 - errors).ranks


@pytest.mark.parametrize("test", OMNIBUS)
@pytest.mark.parametrize("scores", [[[0.3, 0.3, 0.3]] * 4, [[0.1] * 3, [0.7] * 3], [[0.1, 0.1]], [[0, 0], [0, 0]]])
def test_nothing_differs(test, scores):
    result = test(np.array(scores))
    assert outcome(result) == [0, 1, 0]
    if test not in (anova, kruskal_wallis) or scores[0] == scores[-1]:  # to these two, rows that differ are spread
        assert result.notes == (ALIKE, shape(scores, test))


@pytest.mark.parametrize("test", [anova, repeated_anova])
def test_no_spread_beside_the_difference(test):
    for scores in ([[0.1, 0.2, 0.7]] * 3, [[0.1, 0.2]]):
        result = test(np.array(scores))
        assert math.isnan(result.pvalue)
        assert result.difference == pytest.approx(scores[0][-1] - 0.1)
        assert result.notes == (NO_SPREAD, shape(scores, test))


@pytest.mark.parametrize("test", [kruskal_wallis, friedman, iman_davenport, quade])
def test_one_row_of_ranks(test):
    result = test(np.array([[0.1, 0.2, 0.4]]))
    assert math.isnan(result.pvalue)
    assert result.notes[0] == "with one row the statistic is the same for any scores, so the p-value is undefined"


def test_rows_that_all_agree():
    """Then the F ratio is infinite; each row after the first has the same order by chance in 1 of 3! cases."""
    agreeing, tied = np.array([[3, 2, 1]] * 5), np.array([[3, 3, 1]] * 5)
    for test in (iman_davenport, quade):
        result = test(agreeing)
        assert result.statistic == math.inf
        assert result.pvalue == pytest.approx(6.0**-4, rel=1e-12)
        assert "all rows rank the classifiers in the same order" in result.notes[-1]
    assert iman_davenport(tied).pvalue == pytest.approx(3.0**-4, rel=1e-12)
    plain = iman_davenport(tied, ties=False)
    assert plain.statistic == pytest.approx(4 * 7.5 / 2.5, rel=1e-12)
    assert friedman(agreeing).statistic == pytest.approx(10, rel=1e-12)


def test_a_tiny_p_value_is_not_0():
    scores = np.tile([0.0, 1000.0], (200, 1)) + np.random.default_rng(0).normal(0, 1e-3, (200, 2))
    assert 0 < anova(scores).pvalue < 1e-300
    assert 0 < tukey(scores).pairs[0].pvalue < 1e-30
    assert 0 < contrast(scores, [1, -1]).pvalue < 1e-300


def test_cochran_at_its_edges():
    alike = cochran_q([[1, 1, 1], [0, 0, 0]])
    assert outcome(alike) == [0, 1, 0]
    assert alike.notes == ("all classifiers are correct on the same cases", "2 cases (rows) x 3 classifiers")
    few = cochran_q([[True, False], [True, True]])
    assert few.statistic == pytest.approx(1)
    assert few.notes[0] == "the classifiers differ on only 1 case, too few for the chi-square approximation"


def test_pairs_without_spread():
    for test in (newman_keuls, tukey):
        result = test(np.array([[0.1, 0.1, 0.7]] * 3))
        assert result["1", "2"].pvalue == 1
        assert math.isnan(result["1", "3"].pvalue)
        assert result.groups == (("3", "1", "2"),)
        assert result.notes[0].startswith("the scores do not vary within classifiers")
        assert test([0.2] * 3, [0.2] * 3).notes[0] == ALIKE
        assert test([0.2], [0.3]).notes[0] == "the uncertainty of differences cannot be estimated from one row"
    assert math.isnan(nemenyi([0.2], [0.3]).pairs[0].pvalue)
    assert math.isnan(dunnett([0.2], [0.3], control="1").pairs[0].pvalue)
    assert math.isnan(bonferroni_dunn([0.2], [0.3], control="1").pairs[0].pvalue)
    assert math.isnan(contrast([0.2], [0.3], weights=[1, -1]).pvalue)
    assert outcome(contrast([0.2] * 2, [0.2] * 2, weights=[1, -1])) == [0, 1, 0]


def test_the_groups_of_the_textbook():
    """Alpaydin underlines 1 4 5 and 2 3."""
    errors = np.array([0.10, 0.30, 0.31, 0.11, 0.12]) + np.linspace(-0.04, 0.04, 10)[:, None]
    assert newman_keuls(errors, better="lower").lines() == "145 23"


def test_a_wider_range_protects_the_inner_ones():
    """Five means so spread that a pair is beyond the range of its own, and inside a wider one that is not."""
    scores = np.array([0.0, 3.1, 3.2, 3.3, 3.4]) + np.array([[-1.0], [0.0], [1.0]]) * 1.3
    result = newman_keuls(scores)
    inner, outer = result["1", "2"], result["1", "5"]
    assert inner.pvalue < 0.05 < outer.pvalue
    assert not inner.different
    assert result.groups == (("5", "4", "3", "2", "1"),)


def test_blocks_take_rows_out():
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 5, (8, 1)) + rng.normal([0, 0, 2], 0.5, (8, 3))
    for test in (tukey, newman_keuls):
        assert len(test(scores).groups) == 1
        assert test(scores, blocks=True).groups[0] == ("3",)
    assert dunnett(scores, control="3", blocks=True).groups == (("3",),)
    two = scores[:, :2]
    d = two[:, 0] - two[:, 1]
    t = d.mean() / (d.std(ddof=1) / math.sqrt(8))  # the paired t test
    paired = contrast(two, [1, -1], blocks=True)
    assert paired.statistic == pytest.approx(t, rel=RTOL)
    assert tukey(two, blocks=True).pairs[0].pvalue == pytest.approx(paired.pvalue, rel=RTOL)
    assert repeated_anova(two).statistic == pytest.approx(t * t, rel=RTOL)
    assert contrast(two, [1, -1], blocks=True, alternative="less").pvalue == pytest.approx(
        paired.pvalue / 2 if t < 0 else 1 - paired.pvalue / 2, rel=RTOL
    )


def test_names():
    scores = np.array([[0.9, 0.8], [0.7, 0.6], [0.9, 0.7]])
    table = SimpleNamespace(values=scores, learners=("tree", "bayes"), design=SimpleNamespace(overlap=0.0))
    assert nemenyi(table).names == ("tree", "bayes")
    assert nemenyi(table, names=["a", "b"]).names == ("a", "b")
    assert nemenyi(scores).names == ("1", "2")
    assert outcome(anova(table)) == outcome(anova(scores))


@pytest.mark.parametrize("test", [*OMNIBUS, *PAIRWISE, critical_difference])
def test_all_forms_of_scores(test):
    """A matrix, a mapping, data frames, a fold table, and an argument for each classifier say the same."""
    rng = np.random.default_rng(2)
    matrix, names = rng.random((6, 3)).round(3), ("tree", "bayes", "knn")
    columns = dict(zip(names, matrix.T.tolist(), strict=True))
    plain = test(matrix)
    assert plain.notes[-1] == shape(matrix, test)
    wanted = test(matrix, names=names)
    assert wanted.notes[-1] == f"{shape(matrix, test)}: tree, bayes, knn"
    assert getattr(wanted, "names", names) == names
    forms = [
        (columns,),
        ({name: pd.Series(values) for name, values in columns.items()},),
        (pd.DataFrame(columns),),
        (pl.DataFrame(columns),),
        (pl.LazyFrame(columns),),
        (SimpleNamespace(values=matrix, learners=names, design=SimpleNamespace(overlap=0.0)),),
    ]
    for form in forms:
        assert test(*form) == wanted
    assert test(*columns.values()) == plain
    assert test(*columns.values(), names=names) == wanted


def test_rows_that_are_blocks_are_spoken_of():
    matrix = np.random.default_rng(2).random((6, 3))
    for test in (newman_keuls, tukey):
        assert test(matrix, blocks=True).notes[-1] == "6 folds or data sets (rows) x 3 classifiers"
    for blocks, said in ((False, "scores for each of"), (True, "folds or data sets (rows) x")):
        assert contrast(matrix, [1, 0, -1], blocks=blocks).notes[-1] == f"6 {said} 3 classifiers"
        assert dunnett(matrix, control="1", blocks=blocks).notes[-1] == f"6 {said} 3 classifiers"


@pytest.mark.parametrize("test", [*OMNIBUS, cochran_q])
def test_tests_of_many_have_no_sides(test):
    result = test(np.array([[1, 0, 1], [1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]]))
    assert result.alternative == result.to_dict()["alternative"] == result.records()[0]["alternative"] == ""
    assert "sided" not in str(result)
    assert str(result.measured()).startswith("not simulated: the test received only numbers")


def test_weights_of_a_contrast_in_every_form():
    matrix = np.random.default_rng(3).random((5, 3))
    weights, columns = [1, -0.5, -0.5], dict(zip("abc", matrix.T, strict=True))
    wanted = contrast(matrix, weights)
    assert contrast(matrix, weights=weights) == wanted
    assert contrast(*matrix.T, weights=weights) == wanted
    named = contrast(matrix, weights, names="abc")
    for table in (columns, pd.DataFrame(columns), pl.DataFrame(columns)):
        assert contrast(table, weights) == contrast(table, weights=weights) == named


@pytest.mark.parametrize(("ours", "theirs"), [(anova, stats.f_oneway), (kruskal_wallis, stats.kruskal)])
def test_different_numbers_of_scores(ours, theirs):
    rng = np.random.default_rng(4)
    for sizes in ((3, 5), (4, 2, 9), (1, 6, 6, 2)):
        columns = [rng.normal(index / 2, 1, size).round(1) for index, size in enumerate(sizes)]
        result, wanted = ours(*columns), theirs(*columns)
        assert (result.statistic, result.pvalue) == pytest.approx((wanted.statistic, wanted.pvalue), rel=RTOL)
        assert result.notes[-1] == f"{', '.join(map(str, sizes))} scores x {len(sizes)} classifiers"
    assert outcome(ours([2, 2, 2], [2, 2])) == [0, 1, 0]


def test_cochran_in_every_form():
    correct = (np.random.default_rng(6).random((30, 3)) < 0.6).astype(int)
    columns = dict(zip("abc", correct.T, strict=True))
    wanted = outcome(cochran_q(correct))
    for form in ((columns,), (pd.DataFrame(columns),), (pl.DataFrame(columns) == 1,), correct.T.tolist()):
        assert outcome(cochran_q(*form)) == wanted
    assert outcome(cochran_q(correct.tolist())) == wanted


def test_how_pairs_are_shown():
    found = bonferroni_dunn([3] * 12, [2] * 12, [1] * 12, control="tree", names=["tree", "bayes", "knn"])
    assert str(found).splitlines() == [
        "Bonferroni-Dunn test",
        "a     b      difference  critical  statistic         p  different",
        "----  -----  ----------  --------  ---------  --------  ---------",
        "tree  bayes      -1.000     0.915     -2.449     0.029  True",
        "tree  knn        -2.000     0.915     -4.899  1.93e-06  True",
        "no significant difference from tree at 0.05: {tree}",
        "note: 12 folds or data sets (rows) x 3 classifiers: tree, bayes, knn",
    ]
    assert "<table>" in found._repr_html_()
    assert list(found.frame("pandas")["pvalue"]) == [pair.pvalue for pair in found.pairs]
    assert found.to_csv().count("\n") == 2
    assert str(found["tree", "knn"]).splitlines()[0].split() == [*"ab", *list(found.records()[0])[2:]]
    assert found.to_dict()["pairs"][0]["a"] == "tree"
    assert found.simultaneous
    with pytest.raises(FrozenInstanceError):
        found.alpha = 0.1
    diagram = critical_difference(np.array([[3, 2, 1]] * 12), control="1")
    assert diagram.bars == ()
    assert diagram.to_dict()["control"] == "1"
    assert str(diagram).startswith("Bonferroni-Dunn test: critical difference 0.915 at 0.05, 12 rows\n")
    assert "  note: the uncertainty of differences cannot be estimated from one row\n" in str(
        critical_difference([3], [2])
    )
    assert diagram.records()[0] == {"classifier": "1", "mean_rank": 1.0, "groups": "1"}
    assert diagram.frame("pandas").shape == (3, 3)
    for result in (found, diagram):
        assert "\n" not in repr(result)


def test_declared():
    for test in (*OMNIBUS, cochran_q):
        assert registry[test.__name__].function is test
        assert registry[test.__name__].classifiers == "many"


GOOD = np.array([[1.0, 2.0], [2.0, 4.0], [0.0, 2.0]])
LIST = (
    "`scores` must not be a plain list, in which rows and columns are ambiguous: pass np.array(...) with a row for "
    "each of the folds or data sets, or one argument or mapping entry for each classifier."
)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda: anova(np.array([1, 2, 3])),
            "`scores` must be a table with at least 1 row (folds or data sets) and 2 columns (classifiers), not an "
            "array of shape (3,).",
        ),
        (lambda: friedman(np.array([[1, math.nan]])), "`scores` must hold finite numbers, not nan in row 0."),
        (
            lambda: anova(np.array([[0, 1e200], [3, 4]])),
            "`scores` must be between 1e-100 and 1e100 in magnitude, not 1e+200; rescale them.",
        ),
        (lambda: anova(GOOD.tolist()), LIST),
        (lambda: tukey([1, 2, 3]), LIST),
        (lambda: contrast(GOOD.tolist(), [1, -1]), LIST),
        (lambda: contrast([[1, 2], [3]], [1, -1]), LIST),
        (
            lambda: friedman([1, 2, 3], [1, 2]),
            "`scores` must have the same number of values for each classifier, on the same folds or data "
            "sets, not 3, 2.",
        ),
        (lambda: friedman([1, 2], [1, math.nan]), "`scores[1]` must hold finite numbers, not nan at index 1."),
        (
            lambda: nemenyi({"tree": [1, 2], "bayes": GOOD}),
            "`scores['bayes']` must be a one-dimensional array of at least 1 number, not an array of shape (3, 2).",
        ),
        (lambda: nemenyi({"tree": [1, 2]}), "`scores` must hold at least 2 classifiers, not 1."),
        (
            lambda: quade(pd.DataFrame({"data": ["iris", "wine"], "tree": [1, 2], "bayes": [2, 3]})),
            "column 'data' of `scores` must hold numbers; keep only the columns of classifiers.",
        ),
        (
            lambda: contrast([1, 2], [3, 5], [4, 6]),
            "`weights` must be given as `weights=...`, one for each of the 3 classifiers.",
        ),
        (lambda: quade("x"), "`scores` must be a number, or numbers, not 'x'."),
        (lambda: cochran_q([[1, 0], [2, 0]]), "`correct` must hold 0 and 1, not 2 in row 1."),
        (lambda: friedman(GOOD, better="more"), "`better` must be one of 'higher', 'lower', not 'more'."),
        (lambda: tukey(GOOD, better="least"), "`better` must be one of 'higher', 'lower', not 'least'."),
        (lambda: tukey(GOOD, alpha=5), "`alpha` must be a number between 0 and 1, not 5; did you mean 0.05?"),
        (lambda: nemenyi(GOOD, alpha="x"), "`alpha` must be a number between 0 and 1, not 'x'."),  # type: ignore[arg-type]
        (lambda: nemenyi(GOOD, names=["a"]), "`names` must be 2 different names, one for each column, not ['a']."),
        (lambda: tukey(GOOD, names="aa"), "`names` must be 2 different names, one for each column, not ['a', 'a']."),
        (lambda: tukey(GOOD, names="ab")["a", "c"], "'a' and 'c' were not compared; the names are a, b."),
        (lambda: dunnett(GOOD, control="c", names="ab"), "`control` must be one of 'a', 'b', not 'c'."),
        (lambda: critical_difference(GOOD, control=1), "`control` must be one of '1', '2', not 1; did you mean '1'?"),  # type: ignore[arg-type]
        (
            lambda: contrast(GOOD, [1, 1]),
            "`weights` must be 2 numbers that add up to 0, one for each column, not [1.0, 1.0].",
        ),
        (
            lambda: contrast(GOOD, [1, -1], alternative="more"),
            "`alternative` must be one of 'two-sided', 'less', 'greater', not 'more'.",
        ),
    ],
)
def test_errors(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask()
    assert str(caught.value) == sentence


def test_wald_test_of_equal_clusters_is_hotellings():
    """With clusters of one size the sums over clusters are as good as their means (Hotelling 1931)."""
    rng = np.random.default_rng(8)
    correct, cluster = rng.random((60, 3)) < [0.6, 0.7, 0.8], np.repeat(np.arange(12), 5)
    result = clustered_wald(correct.astype(int), cluster=cluster)
    means = (correct.reshape(12, 5, 3)[:, :, 1:] - correct.reshape(12, 5, 3)[:, :, :1].astype(int)).mean(1)
    distance = 12 * means.mean(0) @ np.linalg.solve(np.cov(means.T), means.mean(0))
    statistic = distance * (12 - 2) / (11 * 2)
    assert result.statistic == pytest.approx(statistic, rel=1e-12)
    assert result.pvalue == pytest.approx(stats.f.sf(statistic, 2, 10), rel=1e-10)
    assert result.df == (2, 10)


def test_wald_test_of_two_is_a_t_test_of_clusters():
    rng = np.random.default_rng(9)
    correct, cluster = rng.random((40, 2)) < [0.5, 0.8], np.repeat(np.arange(10), 4)
    apart = np.diff(correct.astype(int), axis=1).reshape(10, 4).mean(1)
    expected = stats.ttest_1samp(apart, 0)
    assert clustered_wald(correct.astype(int), cluster=cluster).pvalue == pytest.approx(expected.pvalue, rel=1e-10)


def test_wald_test_needs_more_clusters_than_classifiers():
    result = clustered_wald(np.eye(3, dtype=int), cluster=[0, 0, 1])
    assert np.isnan(result.pvalue)
    assert result.notes[0].startswith("cannot be tested: too few clusters")


@pytest.mark.parametrize("name", ["fold", "Split", "Unnamed: 0"])
def test_a_column_that_numbers_the_rows_is_no_classifier(name):
    """It would be one without a word: a file of folds, read as it is, has such a column."""
    columns = {name: [1, 2, 3], "tree": [0.9, 0.8, 0.85], "bayes": [0.7, 0.75, 0.8]}
    expected = f"column {name!r} of `scores` holds row numbers, not scores; drop it, or make it the index."
    for library in (pd, pl):
        with pytest.raises(HowsureError, match=f"^{re.escape(expected)}$"):
            newman_keuls(library.DataFrame(columns))
    kept = newman_keuls(pd.DataFrame(columns).set_index(name))
    assert kept.text() == newman_keuls({key: columns[key] for key in ("tree", "bayes")}).text()
    fractions = {**columns, name: [0.1, 0.2, 0.35]}
    assert name in newman_keuls(pd.DataFrame(fractions)).text()  # a classifier may be called so
