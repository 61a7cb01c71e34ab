"""How numbers that stand together are shown."""

import math

import numpy as np
import pytest

import howsure
from howsure.present.sheet import Sheet
from howsure.present.value_text import cell, interval_text, number, spelling_apart, spoken, with_interval


@pytest.mark.parametrize(
    ("value", "low", "high", "shown"),
    [
        (0.981, 0.966, 0.989, "0.981 [0.966, 0.989]"),
        (0.00123, 0.000102, 0.016, "0.0012 [0.0001, 0.0160]"),  # what is small decides for all
        (0.0001, 0.000027, 0.000365, "0.000100 [0.000027, 0.000365]"),
        (0.0, 0.0, 0.000384, "0.000000 [0.000000, 0.000384]"),
        (0.0, 0.0, 0.031, "0.000 [0.000, 0.031]"),
        (0.9999, 0.99964, 0.99997, "0.9999 [0.9996, 1.0000]"),  # both ends would be 1.000
        (-0.0002, -0.01, 0.009, "-0.0002 [-0.0100, 0.0090]"),
        (1e-9, 1e-12, 0.3, "1e-09 [1e-12, 0.300]"),  # too small to write out
        (1913.7, 900.1234, 12345.0, "1913.700 [900.123, 1.23e+04]"),
        (0.5, 0.5, 0.5, "0.500 [0.500, 0.500]"),
        (2.0, 1.0, math.inf, "2.000 [1.000, inf]"),
        (math.nan, math.nan, math.nan, "n/a "),
    ],
)
def test_a_value_and_its_interval_have_one_spelling(value, low, high, shown):
    spelled, interval = with_interval(value, low, high)
    assert f"{cell(spelled)} {interval}" == shown
    assert spelled == value or math.isnan(value), "the value keeps every digit"


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((0.35, 0.8, 0.9), "0.350 0.800 0.900"),
        ((0.99955, 0.99962, 0.9999), "0.99955 0.99962 0.99990"),
        ((0.99955, 0.99955, 0.99962), "0.99955 0.99955 0.99962"),
        ((0.1234561, 0.1234562), "0.1234561 0.1234562"),
        ((0.9997, 1.0), "0.9997 1.0000"),
        ((12345.2, 12345.6, 12346.0), "12345.2 12345.6 12346.0"),
        ((0.5, math.inf, math.nan), "0.500 inf n/a"),
        ((0.1 + 0.2, 0.3), "0.30000000000000004 0.29999999999999999"),
    ],
)
def test_numbers_that_differ_can_be_told_apart(values, shown):
    assert " ".join(map(spelling_apart(*values), values)) == shown


def test_a_best_threshold_lies_in_its_interval_as_it_is_shown():
    rng = np.random.default_rng(0)
    truth = np.arange(400) % 2
    a = howsure.assess(truth, scores=1 - 10 ** (-rng.normal(2 + 1.8 * truth, 0.5)))
    choice = a.best_threshold("f1")
    low, high = choice.interval()
    assert low == choice.threshold < high
    shown = f"{choice.threshold:.4f}"
    assert choice.sentence().startswith(f"best threshold for F1: {shown}, 95 % interval [{shown}, {high:.4f}]; ")
    assert choice.shown == number(choice.threshold) == "0.999"
    near_1 = np.where(truth, 0.99955, 0.9)
    paid = howsure.assess(truth, scores=near_1, costs=howsure.Costs(false_negative=1, false_positive=1))
    assert number(0.99955) == "1.000"
    assert paid.best_threshold().shown == f"{0.99955:.4f}"
    assert f"the cheapest threshold on these cases is {0.99955:.4f} " in paid.headline


def test_single_numbers_are_shown_as_ever():
    assert list(map(number, (0.00012345, 0.016, 12345.0, -1e-320))) == ["0.000123", "0.016", "1.23e+04", "0.000"]
    assert interval_text(5e-324, 0.2) == "(0.000, 0.200]"


def test_an_assessment_speaks_so_everywhere():
    truth = np.array([0] * 20000 + [1] * 20000)
    predicted = truth.copy()
    predicted[:2] = 1
    a = howsure.assess(truth, predicted)
    error = a["error_rate"]
    assert str(error).startswith("error_rate: 0.000050, 95 % interval [0.000006, 0.000182]")
    assert "=0.000050 [0.000006, 0.000182]" in repr(error)
    row = next(line for line in a.text(measures=["error_rate"]).splitlines() if line.startswith("error_rate"))
    assert "0.000050  [0.000006, 0.000182]" in row
    assert a.sheet(measures=["error_rate"]).frame("pandas")["value"][0] == error.value
    assert a.headline.startswith("Accuracy over 99.99 % [99.98, 100.00] on 40,000 cases")


def test_cells_that_say_how_they_are_shown_are_numbers_still():
    value, _ = with_interval(0.00123, 0.000102, 0.016)
    sheet = Sheet.of([{"value": value}])
    assert sheet.numeric == [True]
    assert sheet.to_csv().splitlines()[1] == "0.00123"
    assert sheet.to_dict()["rows"] == [[0.00123]]


def test_measures_are_called_as_people_call_them():
    names = ("auc", "brier", "f1", "error_rate", "f_beta(beta=2)", "auc_hand_till", "log_loss")
    assert list(map(spoken, names)) == [
        *("AUC", "Brier score", "F1", "error rate", "f_beta(beta=2)", "Hand and Till's AUC", "log loss"),
    ]
    truth, scores = [0, 1] * 30, {"a": [0.2, 0.8, 0.6, 0.7, 0.4, 0.3] * 10, "b": [0.5, 0.4, 0.6, 0.2, 0.4, 0.3] * 10}
    comparison = howsure.compare(truth, scores=scores, measure="brier")
    assert "Brier score" in comparison.ranking().sheet().columns
    assert "Brier score" in comparison.sheet().columns
    assert comparison.plot().get_xlabel() == "difference in Brier score"
    assert set(comparison.frame("pandas")["measure"]) == {"brier"}
