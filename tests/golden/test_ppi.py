"""Prediction-powered means against ppi-python, and corrected rates against published ones."""

import csv
from pathlib import Path

import numpy as np
import pytest

import howsure
from golden.ppi_values import cases
from howsure.judges import prediction_powered_mean, rogan_gladen

FILE = Path(__file__).with_name("ppi_values.csv")
CASES = {name: columns for name, *columns in cases()}
with FILE.open(encoding="utf-8", newline="") as file:
    VALUES = {row["case"]: row for row in csv.DictReader(file)}
CLOSE = 1e-8  # what was asked for; both add up the same numbers in another order


def test_every_case_has_a_value():
    assert list(VALUES) == list(CASES)


@pytest.mark.parametrize("name", VALUES)
def test_means_are_those_of_ppi_python(name):
    expected = VALUES[name]
    mean = prediction_powered_mean(*CASES[name])
    interval = mean.interval(method="ppi")
    found = (mean.value, interval.low, interval.high)
    np.testing.assert_allclose(found, [float(expected[key]) for key in ("value", "low", "high")], rtol=CLOSE)
    assert (mean.tuning == 0) == name.startswith("useless")


@pytest.mark.parametrize("name", [name for name in VALUES if name.startswith("labels")])
def test_rates_are_those_of_ppi_python(name):
    """The same, from labels: the rate of a class is the mean of its indicator."""
    values, judged, others = CASES[name]
    truth = [*values.tolist(), *[None] * len(others)]
    rate = howsure.assess(truth, judge=np.concatenate([judged, others]).astype(int))["rate"]
    interval, expected = rate.interval(method="ppi"), VALUES[name]
    assert rate.value == pytest.approx(float(expected["value"]), rel=CLOSE)
    assert interval.low == pytest.approx(max(float(expected["low"]), 0), rel=CLOSE)
    assert interval.high == pytest.approx(float(expected["high"]), rel=CLOSE)


@pytest.mark.parametrize(
    ("positives", "n", "sensitivity", "specificity", "low", "high", "digits"),
    [  # Lang and Reiczigel 2014, examples 1 to 4, as the manual of the R package asht quotes them
        (4060, 11284, (178, 179), (358, 359), 0.349, 0.372, 3),
        (51, 2971, (32, 33), (20, 20), 0, 0.053, 3),
        (0.06 * 11862, 11862, (8, 10), (12, 12), 0, 0.147, 3),
        (259, 509, (84, 127), (96, 109), 0.58, 0.87, 2),
        (51, 509, (23, 41), (187, 195), 0.037, 0.195, 3),
    ],
)
def test_lang_and_reiczigel_examples(positives, n, sensitivity, specificity, low, high, digits):
    rate = rogan_gladen(positives, n, sensitivity=sensitivity, specificity=specificity)
    interval = rate.interval(method="lang-reiczigel")
    unit = 0.5001 * 10**-digits  # half a unit of the last printed digit
    assert interval.low == pytest.approx(low, abs=unit if digits == 3 else 0.006)  # printed as 0.58, is 0.5853
    assert interval.high == pytest.approx(high, abs=unit)


def test_the_brucellosis_example():
    """Of 150 cows 23 positive, sensitivity 0.96, specificity 0.89: 5.1 per 100 (epiR's manual, epi.prev)."""
    rate = rogan_gladen(23, 150, sensitivity=0.96, specificity=0.89)
    assert round(100 * rate.value, 1) == 5.1
    assert rogan_gladen(6, 151, sensitivity=0.964, specificity=0.927).value == 0  # Moujaber et al. 2008, the same page
