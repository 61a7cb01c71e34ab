"""Two classifiers on splits or data sets: what holds for any values, what is degenerate, what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from howsure import HowsureError
from howsure.intervals import corrected_t, mean_t
from howsure.significance import corrected_paired_t, five_by_two_f, five_by_two_t, paired_t, wilcoxon
from howsure.significance.declare import CROSS_VALIDATED, registry

RTOL = 1e-9  # a constant added to both leaves rounding in the differences
MIRRORED = {"two-sided": "two-sided", "less": "greater", "greater": "less"}
thousandths = st.integers(0, 1000).map(lambda n: n / 1000)
rows = st.integers(2, 20).flatmap(
    lambda n: st.tuples(*[st.lists(thousandths, min_size=n, max_size=n).map(np.array)] * 2)
)
TESTS = {
    "paired_t": paired_t,
    "corrected_paired_t": lambda a, b, **options: corrected_paired_t(a, b, 0.2, **options),
    "wilcoxon": wilcoxon,
    "wilcoxon, pratt": lambda a, b, **options: wilcoxon(a, b, zeros="pratt", **options),
    "wilcoxon, split": lambda a, b, **options: wilcoxon(a, b, zeros="split", **options),
    "wilcoxon, normal": lambda a, b, **options: wilcoxon(a, b, exact=False, **options),
}


def same(first, second):
    return first == pytest.approx(second, rel=RTOL, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("alternative", MIRRORED)
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
@settings(max_examples=40, deadline=None)
@given(rows)
def test_any_values(test, alternative, pair):
    a, b = pair
    result = test(a, b, alternative=alternative)
    assert math.isnan(result.pvalue) or 0 < result.pvalue <= 1
    assert math.isnan(result.pvalue) <= bool(result.notes)
    mirrored = test(b, a, alternative=MIRRORED[alternative])
    assert same(mirrored.pvalue, result.pvalue)
    assert same(mirrored.difference, -result.difference)
    assert same(test(a + 0.25, b + 0.25, alternative=alternative).pvalue, result.pvalue)
    both, less, greater = (test(a, b, alternative=side).pvalue for side in ("two-sided", "less", "greater"))
    assert math.isnan(both) or same(both, min(1.0, 2 * min(less, greater)))


@settings(max_examples=60, deadline=None)
@given(rows)
def test_without_overlap_the_corrected_test_is_the_paired_one(pair):
    a, b = paired_t(*pair), corrected_paired_t(*pair, ratio=0)
    assert same((a.statistic, a.pvalue, a.error), (b.statistic, b.pvalue, b.error))


@settings(max_examples=100, deadline=None)
@given(rows, st.sampled_from([0, 1 / 9, 0.25, 1]))
def test_tests_and_intervals_agree(pair, ratio):
    """0 is outside of the 95 % interval exactly where p is below 0.05."""
    d = pair[0] - pair[1]
    for result, interval in (
        (paired_t(*pair), mean_t(d)),
        (corrected_paired_t(*pair, ratio=ratio), corrected_t(d, ratio)),
    ):
        if not math.isnan(result.pvalue) and abs(result.pvalue - 0.05) > 1e-9 and d.any():
            assert (0 not in interval) == (result.pvalue < 0.05)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=10, max_size=10))
def test_five_by_two_of_any_values(values):
    d = np.reshape(values, (5, 2)) / 1000
    for test in (five_by_two_t, five_by_two_f):
        result, mirrored = test(d), test(-d)
        assert math.isnan(result.pvalue) or 0 < result.pvalue <= 1
        assert same(result.pvalue, mirrored.pvalue)
        assert same(result.difference, -mirrored.difference)
    assert same(five_by_two_f(d[::-1, ::-1]).pvalue, five_by_two_f(d).pvalue)
    assert same(five_by_two_t(d, alternative="less").pvalue, five_by_two_t(-d, alternative="greater").pvalue)


@pytest.mark.parametrize("alternative", MIRRORED)
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_identical_values(test, alternative):
    result = test([0.7, 0.8, 0.9], [0.7, 0.8, 0.9], alternative=alternative)
    assert (result.statistic, result.pvalue, result.difference) == (0, 1, 0)
    assert result.notes == ("all differences are 0, so there is nothing to test",)


@pytest.mark.parametrize("test", [five_by_two_t, five_by_two_f])
def test_identical_values_five_by_two(test):
    result = test(np.zeros((5, 2)))
    assert (result.statistic, result.pvalue) == (0, 1)
    assert result.notes == ("all differences are 0, so there is nothing to test",)


def test_differences_without_spread():
    """In binary 0.3 - 0.2 and 0.9 - 0.8 vary, by rounding alone."""
    note = "the differences do not vary, so the uncertainty of their mean cannot be estimated"
    for result in (
        paired_t([0.3, 0.9, 0.7], [0.2, 0.8, 0.6]),
        corrected_paired_t([0.3, 0.9, 0.7], [0.2, 0.8, 0.6], ratio=0.1),
        five_by_two_t([[0.1, 0.1], [0.3, 0.1 + 0.2], [0, 0], [0.1, 0.1], [0.2, 0.2]]),
        five_by_two_f([[0.1, 0.1], [0.3, 0.1 + 0.2], [0, 0], [0.1, 0.1], [0.2, 0.2]]),
    ):
        assert math.isnan(result.statistic)
        assert math.isnan(result.pvalue)
        assert result.notes == (note,)
        assert result.difference > 0
        assert json.loads(json.dumps(result.to_dict()))["pvalue"] is None
    assert wilcoxon([0.3, 0.9, 0.7], [0.2, 0.8, 0.6]).pvalue == 0.25  # ranks have an answer


def test_one_pair():
    result = paired_t([0.8], [0.7])
    assert math.isnan(result.pvalue)
    assert result.notes == ("one difference has no standard deviation",)
    assert str(result).startswith("Paired t test: difference 0.100, statistic n/a, df 0, p = nan")
    assert wilcoxon([0.8], [0.7]).pvalue == 1
    assert wilcoxon([0.8], [0.7], alternative="greater").pvalue == 0.5


def test_a_p_value_is_never_zero():
    d = np.random.default_rng(0).normal(1, 1e-3, 2000)
    for result in (paired_t(d, 0 * d), wilcoxon(d, 0 * d)):
        assert 0 < result.pvalue < 1e-300


def test_notes_of_wilcoxon():
    a, b = [5, 7, 4, 4, 9], [4, 4, 4, 6, 4]
    assert wilcoxon(a, b).notes == (
        "rank sums 8 for a and 2 for b, of 4 nonzero differences",
        "exact distribution",
    )
    assert wilcoxon(a, b, zeros="pratt").notes[0] == "rank sums 11 for a and 3 for b, of 4 nonzero differences"
    assert wilcoxon(a, b, zeros="split").notes[0] == "rank sums 11.5 for a and 3.5 for b, of 4 nonzero differences"
    assert wilcoxon(a, b, exact=False).notes[1] == (
        "normal approximation, corrected for ties, without continuity correction"
    )


def test_exact_up_to_fifty_differences():
    d = np.arange(1, 52.0)
    assert wilcoxon(d[:50], 0 * d[:50]).notes[1] == "exact distribution"
    assert wilcoxon(d, 0 * d).notes[1].startswith("normal")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: paired_t([1, 2], [1, 2, 3]),
            "`a` has 2 values and `b` has 3; both must have the same length.",
        ),
        (
            lambda: paired_t([1, 2], [1, 3], alternative="larger"),
            "`alternative` must be one of 'two-sided', 'less', 'greater', not 'larger'.",
        ),
        (
            lambda: corrected_paired_t([1, 2], [1, 3], ratio=-0.1),
            "`ratio` must be a number, 0 or above, not -0.1.",
        ),
        (
            lambda: five_by_two_t(np.zeros((2, 5))),
            "`d` must be 5 rows (repetitions) of 2 differences (folds), not an array of shape (2, 5).",
        ),
        (
            lambda: five_by_two_f(np.full((5, 2), np.nan)),
            "`d` must hold finite numbers, not nan in row 0.",
        ),
        (
            lambda: wilcoxon([1, 2], [1, 3], zeros="splits"),
            "`zeros` must be one of 'drop', 'pratt', 'split', not 'splits'; did you mean 'split'?",
        ),
        (
            lambda: wilcoxon([1, 2], [1, 3], exact="yes"),  # type: ignore[arg-type]
            "`exact` must be True, False or None, not 'yes'.",
        ),
    ],
)
def test_refusals(call, words):
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == words


@pytest.mark.parametrize("name", ["paired_t", "corrected_paired_t", "five_by_two_t", "five_by_two_f", "wilcoxon"])
def test_declared(name):
    declared = registry[name]
    assert declared.classifiers == "two"
    designs = {"paired_t": ("splits",), "corrected_paired_t": CROSS_VALIDATED, "wilcoxon": ("datasets",)}
    assert declared.designs == designs.get(name, ("five_by_two",))
