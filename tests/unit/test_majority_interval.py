"""The interval of the improvement over always predicting the most frequent class."""

import math

import numpy as np
import pytest

from howsure import Confusion
from howsure.intervals import newcombe_paired
from howsure.measures import estimate


def test_of_a_clear_majority_it_is_newcombes_paired_interval():
    found = estimate(Confusion([[880, 20], [30, 70]]), "improvement").interval()
    # The baseline alone gets 20 cases right, the classifier alone 70.
    low, high = newcombe_paired(880, 70, 20, 30)
    np.testing.assert_allclose((found.low, found.high), (low, high), atol=0.01)


@pytest.mark.parametrize("name", ["improvement", "relative_improvement"])
def test_either_of_two_equal_classes_may_be_the_majority(name):
    counts = np.array([[40, 10], [5, 45]])
    ends = [tuple(estimate(Confusion(table), name).interval()) for table in (counts, counts[::-1, ::-1])]
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-12)


def test_one_case_of_others_gives_no_lower_bound():
    interval = estimate(Confusion([[18, 1], [0, 1]]), "relative_improvement").interval()
    assert interval.low == -math.inf
    assert 0 < interval.high < 1
    assert "no lower bound" in interval.notes[0]
