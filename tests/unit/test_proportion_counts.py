"""Intervals of proportions take counts: a share in place of them is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import howsure
from howsure import HowsureError
from howsure.intervals import proportion

METHODS = ["wilson", "modified_wilson", "wald", "wald_n_1", "clopper_pearson", "agresti_coull", "jeffreys", "mid_p"]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("successes", [0.75, [3, 0.75], np.array([[1.0, 2.0], [3.0, 0.75]])])
def test_a_share_is_refused(name, successes):
    with pytest.raises(HowsureError) as refused:
        getattr(howsure.intervals, name)(successes, 100)
    assert str(refused.value) == "`successes` must be counts, not 0.75; multiply a share by `n`."


@pytest.mark.parametrize("name", METHODS)
def test_a_share_times_n_is_taken(name):
    """In binary 0.57 times 100 is 56.99999999999999, and 0.07 times 100 is 7.000000000000001."""
    method = getattr(howsure.intervals, name)
    for share, count in ((0.57, 57), (0.07, 7), (0.01 * (1 - 1e-15), 1)):
        assert tuple(method(share * 100, 100)) == pytest.approx(tuple(method(count, 100)), rel=1e-12)


def test_effective_counts_of_weighted_cases_are_not_refused():
    weighted = howsure.assess([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], weight=[0.5, 1.2, 0.7, 1.0, 0.3])
    assert weighted["accuracy"].interval(method="wilson").low > 0


def test_the_usual_bounds_of_few_cases_are_those_of_scipy():
    # Versions of SciPy differ in the last bit or two, and nothing else may.
    ends = [0.0, *special.gammaincinv([1, 2, 3], proportion.USUAL_ALPHA)]
    np.testing.assert_allclose(proportion.USUAL_ENDS, ends, rtol=5e-16)
    assert proportion.few_ends(proportion.USUAL_ALPHA) == proportion.USUAL_ENDS
    other = proportion.few_ends(0.05)
    np.testing.assert_array_equal(other, [0.0, *special.gammaincinv([1, 2, 3], 0.05)])
