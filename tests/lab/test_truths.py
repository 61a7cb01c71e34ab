"""Cases of several truths, and wrong labels: intervals hold the value as often as they say, in a quick form.

The full figures, of 2,000 rounds, are in docs/decisions/2026-11-18-several-truths.md; `python -m lab.truths` and
`python -m lab.noise` make them.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import howsure
from lab.noise import Noisy, paired_coverage
from lab.noise import coverage as noisy_coverage
from lab.truths import Judged, coverage, rejections

ROUNDS = 200


def least(share):
    """The fewest hits that a procedure of this coverage leaves below once in 10,000 runs."""
    return binom.ppf(1e-4, ROUNDS, share) / ROUNDS


def most(share):
    return binom.ppf(1 - 1e-4, ROUNDS, share) / ROUNDS


def test_values_of_the_population_are_those_of_large_samples():
    design = Judged(200_000, 0.3, errors=((0.05, 0.3), (0.2, 0.5)))
    truth, judges = design.draw(np.random.default_rng(0))
    for index, judge in enumerate(judges):
        a = howsure.assess(truth, judge)
        for name in ("accuracy", "f1", "kappa", "recall"):
            assert a[name].value == pytest.approx(design.value(name, index), abs=4 * a[name].standard_error)


@pytest.mark.parametrize(
    "design",
    [Judged(50, errors=((0.02, 0.3), (0.1, 0.4))), Judged(50, 0.2, annotators=5, missing=0.4)],
    ids=["even", "rare, with labels missing"],
)
def test_intervals_of_shared_cases_hold_the_value(design):
    for name, (held, _) in coverage(design, ("accuracy", "f1", "kappa"), ROUNDS, seed=1).items():
        assert held >= least(0.95), name


def test_intervals_of_shared_cases_are_narrower_than_those_of_one_annotator():
    design = Judged(200, errors=((0.02, 0.3), (0.1, 0.4)))
    truth, judges = design.draw(np.random.default_rng(2))
    three, one = (howsure.assess(labels, judges[0])["accuracy"].interval() for labels in (truth, truth[:, 0]))
    assert three.high - three.low < 0.95 * (one.high - one.low)


def test_equal_judges_are_not_told_apart_and_others_are():
    equal = rejections(Judged(50), ("accuracy", "f1", "kappa"), ROUNDS, seed=3)
    for name, (rejected, held) in equal.items():
        assert rejected <= most(0.06), name
        assert held >= least(0.94), name
    apart = rejections(Judged(200, errors=((0.05, 0.3), (0.2, 0.5))), ("kappa",), 50, seed=4)
    assert apart["kappa"][0] > 0.7  # 0.95 in 2,000 rounds


@pytest.mark.parametrize(
    "design",
    [
        Noisy(100, (0.5, 0.5), (0.9, 0.85), 0.05),
        Noisy(100, (0.8, 0.2), (0.95, 0.8), 0.05, 120),
        Noisy(400, (0.8, 0.2), (0.95, 0.8), {0: 0.03, 1: 0.15}, 120),
    ],
    ids=["known", "counted", "by class"],
)
def test_corrected_intervals_hold_the_value_without_errors(design):
    for name, (held, none) in noisy_coverage(design, ("accuracy", "recall", "f1", "kappa"), ROUNDS, seed=5).items():
        assert held >= least(0.94), name
        assert none < 0.05


def test_without_a_correction_the_value_is_missed():
    design, rng = Noisy(400, (0.5, 0.5), (0.9, 0.85), 0.15), np.random.default_rng(6)
    drawn = (howsure.assess(howsure.Confusion(design.draw(rng)))["accuracy"] for _ in range(50))
    held = sum(design.value("accuracy") in accuracy.interval() for accuracy in drawn)
    assert held < 10


def test_corrected_differences_hold_theirs():
    result = paired_coverage(Noisy(200, (0.5, 0.5), (0.9, 0.85), 0.1, 120), ("accuracy", "kappa"), ROUNDS, seed=7)
    for name, (held, none) in result.items():
        assert held >= least(0.94), name
        assert none == 0
