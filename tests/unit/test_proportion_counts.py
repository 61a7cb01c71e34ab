"""Intervals of proportions take counts: a share in place of them is refused."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import AssayError

METHODS = ["wilson", "modified_wilson", "wald", "wald_n_1", "clopper_pearson", "agresti_coull", "jeffreys", "mid_p"]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("successes", [0.75, [3, 0.75], np.array([[1.0, 2.0], [3.0, 0.75]])])
def test_a_share_is_refused(name, successes):
    with pytest.raises(AssayError) as refused:
        getattr(assay.intervals, name)(successes, 100)
    assert str(refused.value) == "`successes` must be whole numbers (counts), not 0.75; a share times `n` gives them."


@pytest.mark.parametrize("name", METHODS)
def test_a_share_times_n_is_taken(name):
    """In binary 0.57 times 100 is 56.99999999999999, and 0.07 times 100 is 7.000000000000001."""
    method = getattr(assay.intervals, name)
    for share, count in ((0.57, 57), (0.07, 7), (0.01 * (1 - 1e-15), 1)):
        assert tuple(method(share * 100, 100)) == pytest.approx(tuple(method(count, 100)), rel=1e-12)


def test_effective_counts_of_weighted_cases_are_not_refused():
    weighted = assay.assess([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], weight=[0.5, 1.2, 0.7, 1.0, 0.3])
    assert weighted["accuracy"].interval(method="wilson").low > 0
