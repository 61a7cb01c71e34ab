"""The textbook's two classifiers and ten folds, its numbers and the right ones (docs/how-to/comparison.md)."""

import pytest

from howsure.significance import corrected_paired_t, paired_t

A = [89.4, 90.2, 87.7, 90.3, 91.2, 89.4, 90.2, 87.7, 90.3, 91.2]
B = [89.8, 90.6, 88.2, 90.9, 91.7, 89.8, 90.6, 88.3, 90.9, 91.7]
PRINTED = [-0.4, -0.4, -0.5, -0.6, -0.5, -0.4, -0.4, -0.5, -0.6, -0.5]


def test_as_the_slide_prints_it():
    """Mean -0.48, s 0.0789, standard error 0.0249: the slide's digits; t and p by SciPy 1.17 with df 9."""
    found = paired_t(PRINTED, [0] * 10)
    assert found.difference == pytest.approx(-0.48, rel=1e-12)
    assert found.error == pytest.approx(0.0249444, abs=5e-8)
    assert (found.statistic, found.pvalue) == (pytest.approx(-19.24281, abs=5e-6), pytest.approx(1.2758e-8, rel=5e-5))
    assert found.df == 9  # the slide looks up 8


def test_as_the_columns_have_it():
    """Row 8 is 87.7 - 88.3 = -0.6, not -0.5."""
    found = paired_t(A, B)
    assert found.difference == pytest.approx(-0.49, rel=1e-12)
    assert (found.statistic, found.pvalue) == (pytest.approx(-17.69672, abs=5e-6), pytest.approx(2.6637e-8, rel=5e-5))
    corrected = corrected_paired_t(A, B, ratio=1 / 9)
    assert corrected.statistic == pytest.approx(-17.69672 / (1 + 10 / 9) ** 0.5, rel=1e-6)
    assert corrected.pvalue == pytest.approx(6.78e-7, rel=5e-3)
