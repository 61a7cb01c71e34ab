"""Adjusted p-values: by their definitions, their properties, and at their edges."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from howsure import HowsureError
from howsure.significance import adjust
from howsure.significance.multiplicity import METHODS, OF_PAIRS, PLAIN, _exhaustive_sets, _possible_true_counts

RTOL = 1e-12  # the same products in another order
NAN = math.nan
P = st.floats(0, 1).map(lambda p: round(p, 3)) | st.floats(0, 1)


def of_pairs(k):
    return st.lists(P, min_size=k * (k - 1) // 2, max_size=k * (k - 1) // 2)


def closed(raw, local):
    """Reject a hypothesis when every intersection that it is part of is rejected: the definition, exponential in m."""
    out = np.zeros(len(raw))
    for size in range(1, len(raw) + 1):
        for members in map(list, itertools.combinations(range(len(raw)), size)):
            out[members] = np.maximum(out[members], local(np.sort(raw[members])))
    return np.minimum(out, 1)


@settings(max_examples=60, deadline=None)
@given(raw=st.lists(P, min_size=1, max_size=7))
def test_closed_tests(raw):
    raw = np.array(raw)
    for method, local in (
        ("holm", lambda p: len(p) * p[0]),
        ("hommel", lambda p: (len(p) * p / np.arange(1, len(p) + 1)).min()),
    ):
        assert adjust(raw, method).pvalues == pytest.approx(closed(raw, local), rel=RTOL)


@settings(max_examples=100, deadline=None)
@given(raw=st.lists(P, min_size=1, max_size=12), method=st.sampled_from(sorted(PLAIN)))
def test_properties(raw, method):
    check_properties(raw, method)


@settings(max_examples=60, deadline=None)
@given(raw=st.integers(2, 5).flatmap(of_pairs), method=st.sampled_from(sorted(OF_PAIRS)))
def test_properties_of_pairs(raw, method):
    check_properties(raw, method)


def check_properties(raw, method):
    raw = np.array(raw)
    result = np.array(adjust(raw, method))
    assert ((result >= raw) & (result <= 1)).all()
    if method != "bergmann-hommel":
        assert (np.diff(result[np.argsort(raw, kind="stable")]) >= 0).all()
    order = np.random.default_rng(len(raw)).permutation(len(raw))
    if method != "bergmann-hommel":  # there, which hypothesis is of which pair counts
        assert np.array(adjust(raw[order], method)) == pytest.approx(result[order], rel=RTOL)


@settings(max_examples=60, deadline=None)
@given(raw=st.integers(2, 5).flatmap(of_pairs))
def test_from_strict_to_lenient(raw):
    result = {method: np.array(adjust(raw, method)) for method in METHODS}
    for strict, lenient in (
        *(("bonferroni", "holm"), ("holm", "shaffer"), ("shaffer", "bergmann-hommel"), ("holm", "hochberg")),
        *(("hochberg", "hommel"), ("bonferroni", "sidak"), ("holm", "holm-sidak"), ("by", "bh"), ("hommel", "bh")),
    ):
        assert (result[lenient] <= result[strict] * (1 + RTOL)).all(), (strict, lenient)


def test_pairs_by_hand():
    """Of three classifiers all pairs, one or none can be equal, so after one rejection one is left, not two."""
    assert _possible_true_counts(3).tolist() == [0, 1, 3]
    assert _possible_true_counts(5).tolist() == [0, 1, 2, 3, 4, 6, 10]
    assert sorted(_exhaustive_sets(3)) == [(), (0,), (0, 1, 2), (1,), (2,)]
    assert [len(_exhaustive_sets(k)) for k in range(2, 8)] == [2, 5, 15, 52, 203, 877]  # Bell numbers
    for method in OF_PAIRS:
        assert adjust([0.01, 0.04, 0.03], method).pvalues == pytest.approx((0.03, 0.04, 0.03), rel=RTOL)
        assert adjust([0.2], method).pvalues == (0.2,)


def test_pairs_in_another_order():
    rng = np.random.default_rng(5)
    pairs = list(itertools.combinations("abcde", 2))
    raw = rng.beta(0.5, 3, 10)
    plain = adjust(raw, "bergmann-hommel").pvalues
    order = rng.permutation(10)
    turned = [pairs[position][::-1] if position % 2 else pairs[position] for position in order]
    assert adjust(raw[order], "bergmann-hommel", pairs=turned).pvalues == pytest.approx(np.array(plain)[order])


def test_nine_classifiers():
    raw = np.random.default_rng(1).beta(0.3, 3, 36)
    result, less = (np.array(adjust(raw, method)) for method in ("bergmann-hommel", "shaffer"))
    assert (result <= less * (1 + RTOL)).all()


@pytest.mark.parametrize("method", METHODS)
def test_undefined_p_values_are_left_out(method):
    raw = [0.01, NAN, 0.02]
    result = adjust(raw, method)
    assert math.isnan(result[1])
    if method not in OF_PAIRS:
        assert [result[0], result[2]] == pytest.approx(adjust([0.01, 0.02], method).pvalues)
    else:  # two are left, and either both are true, because all three are, or one is
        assert [result[0], result[2]] == pytest.approx([0.02, 0.02])
    assert result.notes == ("1 of 3 p-values are undefined and left out of the family",)
    assert json.dumps(result.to_dict(), allow_nan=False)
    assert np.isnan(adjust([NAN], method)).all()


@pytest.mark.parametrize("method", METHODS)
def test_ones_and_zeros(method):
    assert adjust([1.0, 1.0, 1.0], method).pvalues == (1, 1, 1)
    assert adjust([0.0, 0.0, 0.0], method).pvalues == (0, 0, 0)
    assert adjust([0.3], method).pvalues == pytest.approx((0.3,), rel=RTOL)


def test_how_it_is_shown():
    result = adjust([0.01, NAN, 0.04])
    assert str(result) == "holm: 0.02, n/a, 0.04\n  note: 1 of 3 p-values are undefined and left out of the family"
    assert len(result) == 3
    assert list(adjust([0.01, 0.04])) == [0.02, 0.04]
    assert np.asarray(result).shape == (3,)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda: adjust([0.1], "holms"),
            "`method` must be one of 'bonferroni', 'holm', 'hochberg', 'hommel', 'sidak', 'holm-sidak', 'bh', 'by', "
            "'shaffer', 'bergmann-hommel', not 'holms'; did you mean 'holm'?",
        ),
        (lambda: adjust([0.1, 1.2]), "`pvalues` must be between 0 and 1, not 1.2 at index 1."),
        (
            lambda: adjust([]),
            "`pvalues` must be a one-dimensional array of at least 1 number, not an array of shape (0,).",
        ),
        (
            lambda: adjust([0.1] * 4, "shaffer"),
            "`pvalues` must have one value per pair of classifiers for 'shaffer': 1, 3, 6, 10, ..., not 4.",
        ),
        (
            lambda: adjust([0.1] * 45, "bergmann-hommel"),
            "'bergmann-hommel' allows at most 9 classifiers, not 10; use 'shaffer' or 'holm'.",
        ),
        (
            lambda: adjust([0.1] * 3, "bergmann-hommel", pairs=["ab", "ab", "bc"]),  # type: ignore[list-item]
            "`pairs` must be the 3 pairs of 3 classifiers, each once.",
        ),
    ],
)
def test_errors(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask()
    assert str(caught.value) == sentence
