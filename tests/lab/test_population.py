"""Populations: their truth is that of the formula they are made by, and samples come from them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from howsure.lab import LabelPopulation, ScorePopulation
from howsure.lab.population import ClassPopulation


@pytest.mark.parametrize("spread", [1.0, 2.0, 0.5])
def test_the_truth_of_scores_is_that_of_the_curve(spread: float) -> None:
    population = ScorePopulation.binormal(0.1, 1.5, spread)
    # Half a million cells are as good as a curve to seven digits.
    assert population.truth("auc") == pytest.approx(norm.cdf(1.5 / np.hypot(1, spread)), rel=1e-7)


def test_right_probabilities_have_no_calibration_error() -> None:
    assert ScorePopulation.binormal(0.2, 1.0, slope=1).truth("expected_calibration_error") < 1e-12
    assert ScorePopulation.binormal(0.2, 1.0, slope=2).truth("expected_calibration_error") > 0.05


def test_the_truth_of_labels_is_what_they_are_made_of() -> None:
    population = LabelPopulation.of_rates(0.1, 0.9, 0.8)
    assert population.truth("recall", label=1) == pytest.approx(0.9)
    assert population.truth("specificity", label=1) == pytest.approx(0.8)
    assert population.truth("prevalence", label=1) == pytest.approx(0.1)
    three = LabelPopulation.of_recalls([0.6, 0.3, 0.1], [0.8, 0.7, 0.6])
    assert three.truth("balanced_accuracy") == pytest.approx(0.7)


def test_samples_come_from_the_population() -> None:
    rng = np.random.default_rng(0)
    population = ScorePopulation.binormal(0.3, 1.0)
    table = population.sample(rng, 100_000)
    assert table.n_positive / table.n == pytest.approx(0.3, abs=0.006)  # four standard errors
    assert len(population.sample(rng, 10_000)) > 9500  # ties are rare
    assert population.sample(rng, 50, weighted=True).squares is not None
    drawn = LabelPopulation.of_rates(0.3, 0.9, 0.8).draw(rng, 50, 2000)
    assert (drawn.sum((1, 2)) == 50).all()
    assert drawn[:, 1, 1].mean() == pytest.approx(50 * 0.27, abs=0.3)


def test_classes_state_the_probabilities_that_are_right():
    """Among cases that were said to belong to a class with some probability, that share does."""
    drawn = ClassPopulation((0.7, 0.2, 0.1), 1.5).sample(np.random.default_rng(2), 200_000)
    for index in range(3):
        stated, is_true = drawn.rows.scores[:, index], drawn.rows.truth == index
        for low in (0.0, 0.2, 0.5, 0.8):
            those = (stated >= low) & (stated < low + 0.2)
            error = 4 * np.sqrt(0.25 / those.sum())  # four standard errors
            assert abs(stated[those].mean() - is_true[those].mean()) < error


def test_scores_that_tell_nothing_have_the_truth_of_chance():
    """Classes alike in all: areas of one half, and the log loss of even odds."""
    population = ClassPopulation((1 / 3, 1 / 3, 1 / 3), 0.0)
    assert population.truth("auc") == pytest.approx(0.5, abs=0.005)
    assert population.truth("log_loss") == pytest.approx(np.log(3), rel=1e-6)
