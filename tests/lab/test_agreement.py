"""Raters in the lab: the population is what is said, and intervals hold its truth where others do not."""

import numpy as np
import pytest

import howsure
from lab.agreement import DEFAULT, GWET, PARTS, Raters, measure

ROWS = [row for part in PARTS for row in part.rows()]
MINIMUM = 0.925


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
@pytest.mark.parametrize("unequal", [False, True])
def test_a_large_sample_has_the_value_of_the_population(level, unequal):
    population = Raters.of("skewed, 4", 0.75, 3, level, unequal=unequal)
    g = howsure.agreement(population.draw(200_000, 0.3, np.random.default_rng(1)), level=level)
    for name in g.applicable():
        error = 4 * g[name].standard_error
        assert g[name].value == pytest.approx(population.truth(name), abs=error), name


def test_intervals_hold_where_others_do_not():
    """With 20 items and rare categories; 150 samples, so that four errors are 7 points below 95 %."""
    cell = {"items": 20, "raters": 3, "shares": "skewed, 2", "quality": 0.75, "missing": 0.0}
    cells = [{**cell, "level": "nominal", "unequal": False}]
    rows = measure(["nominal krippendorff_alpha"], cells, rounds=150, seed=7)["nominal krippendorff_alpha"]
    coverage = {row["method"]: row["coverage"] for row in rows}
    assert coverage[DEFAULT] > 0.88
    assert coverage[GWET] < 0.85


def error(row):
    n = row["rounds"] * row["given"]
    return (MINIMUM * (1 - MINIMUM) / n) ** 0.5 if n else 1.0


def test_no_default_that_was_measured_falls_short():
    """Of all cells with 30 intervals or more, none is below 92.5 % by more than two Monte Carlo errors."""
    assert len(ROWS) > 4_000
    judged = [row for row in ROWS if row["method"] == DEFAULT and row["rounds"] * row["given"] >= 30]
    assert len(judged) > 1_300
    short = [row for row in judged if row["coverage"] + 2 * error(row) < MINIMUM]
    assert short == []


def test_others_fall_short():
    short = [
        row for row in ROWS if row["method"] == GWET and row["given"] and row["coverage"] + 2 * error(row) < MINIMUM
    ]
    assert len(short) > 100
