"""Areas between classes from one sort of a column: as counting every pair of cases has them."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.kernels.class_pairs import areas_against_others
from howsure.measures import registry
from howsure.tables import ScoreRows

RTOL = 1e-12  # sums of the same terms in another order


def example(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 60)), int(rng.integers(3, 6))
    truth, scores = rng.integers(0, k - seed % 2, n), rng.normal(size=(n, k)).round(seed % 3)
    scores[rng.random((n, k)) < 0.05] = -0.0
    scores[rng.random((n, k)) < 0.05] = np.inf
    weight = [np.ones(n), rng.integers(0, 3, n).astype(float), rng.random(n)][seed % 3]
    return truth, scores, weight, k


def counted(truth, scores, weight, own, other):
    """Compare every case of one class with every case of the other."""
    high, low = truth == own, truth == other
    above = (scores[high][:, None] > scores[low]) + 0.5 * (scores[high][:, None] == scores[low])
    return (weight[high][:, None] * weight[low] * above).sum() / (weight[high].sum() * weight[low].sum())


@pytest.mark.parametrize("seed", range(30))
def test_areas_and_placements_are_those_of_every_pair(seed):
    truth, scores, weight, k = example(seed)
    sizes = np.bincount(truth, weight, k)
    for own in np.flatnonzero(sizes > 0):
        column = scores[:, own]
        areas, placed = areas_against_others(own, truth, column, weight, sizes, np.argsort(column))
        others = [other for other in np.flatnonzero(sizes > 0) if other != own]
        for other in range(k):
            expected = counted(truth, column, weight, own, other) if other in others else 0.0
            np.testing.assert_allclose(areas[other], expected, rtol=RTOL)
        for case in np.flatnonzero(weight > 0):
            at = column[case]
            if truth[case] == own:
                below = ((column < at) + 0.5 * (column == at)) * weight
                expected = sum(below[truth == other].sum() / sizes[other] for other in others)
            else:
                above = ((column > at) + 0.5 * (column == at)) * weight
                expected = above[truth == own].sum() / sizes[own]
            np.testing.assert_allclose(placed[case], expected, rtol=RTOL, atol=1e-13)


@pytest.mark.parametrize("seed", range(30))
def test_hand_and_tills_area_is_the_mean_over_pairs(seed):
    truth, scores, weight, k = example(seed)
    present = [label for label in range(k) if weight[truth == label].sum() > 0]
    areas = [counted(truth, scores[:, a], weight, a, b) for a in present for b in present if a != b]
    value = float(registry["auc_hand_till"].value(ScoreRows(truth, scores, weight)))
    np.testing.assert_allclose(value, np.mean(areas) if areas else np.nan, rtol=RTOL)


def test_other_weights_of_the_same_rows_share_their_order():
    truth, scores, weight, _ = example(4)
    rows = ScoreRows(truth, scores, weight)
    assert rows.with_weight(weight + 1).order(1) is rows.order(1)
    one, other = rows.with_weight(np.arange(len(weight)) % 2), ScoreRows(truth, scores, np.arange(len(weight)) % 2)
    assert registry["auc_hand_till"].value(one) == registry["auc_hand_till"].value(other)
