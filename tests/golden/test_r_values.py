"""What R gives for the same tables and proportions: r_values.csv, made by r_values.R beside it.

R's numbers are written with 15 digits, so agreement is asked to 1e-12; standard errors from derivatives by central
differences are good to 1e-7.
"""

import csv
from pathlib import Path

import numpy as np
import pytest

from howsure import Confusion
from howsure.intervals import clopper_pearson, wilson
from howsure.measures import estimate
from howsure.measures.declare import registry

RTOL = 1e-12
TABLES = {
    "cohen": Confusion([[88, 14, 18], [10, 40, 10], [2, 6, 12]], labels=list("abc")),
    "pathology": Confusion([[231, 27], [32, 54]], labels=list("ab")),
    "ordinal": Confusion([[52, 11, 3, 0], [9, 61, 17, 4], [2, 14, 48, 12], [1, 3, 10, 33]], labels=list("abcd")),
    "skewed": Confusion([[480, 7, 1], [12, 9, 2], [3, 4, 6]], labels=list("abc")),
}


def read():
    text = (Path(__file__).parent / "r_values.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [{**row, "value": float(row["value"])} for row in csv.DictReader(lines)]


ROWS = read()


def rows_of(*sources):
    rows = [row for row in ROWS if row["source"] in sources]
    assert rows
    return rows


def standard_error(found, z=1.959963984540054):
    interval = found.interval(0.95, method="delta")
    np.testing.assert_allclose((interval.low + interval.high) / 2, found.value, rtol=1e-9)  # so nothing was cut off
    return (interval.high - interval.low) / 2 / z


def kappa_of(row):
    table = TABLES[row["table"]]
    if row["of"]:
        return estimate(table, "weighted_kappa", weights=row["of"])
    return estimate(table, "kappa")


@pytest.mark.parametrize("quantity", ["kappa", "weighted_kappa"])
def test_vcd_and_psych_kappa(quantity):
    for row in rows_of("vcd", "psych"):
        if row["quantity"] == quantity:
            np.testing.assert_allclose(kappa_of(row).value, row["value"], rtol=RTOL)


def test_standard_error_of_kappa():
    for row in rows_of("vcd", "psych"):
        if row["quantity"] == "kappa_se":
            np.testing.assert_allclose(standard_error(kappa_of(row)), row["value"], rtol=1e-10)  # a difference, halved


def test_standard_error_of_weighted_kappa():
    """vcd has the delta method; psych the same for two classes, but another number for more (0.0643, not 0.0665)."""
    for row in rows_of("vcd", "psych"):
        if row["quantity"] == "weighted_kappa_se":
            ratio = row["value"] / standard_error(kappa_of(row))
            if row["source"] == "vcd" or TABLES[row["table"]].k == 2:
                np.testing.assert_allclose(ratio, 1, rtol=1e-10)
            else:
                assert abs(ratio - 1) > 0.01, row


def of_class(name):
    return lambda table, label: estimate(table, name, label=label).value


OF_CLASSES = {
    "Sensitivity": of_class("sensitivity"),
    "Specificity": of_class("specificity"),
    "Pos Pred Value": of_class("ppv"),
    "Neg Pred Value": of_class("npv"),
    "Precision": of_class("precision"),
    "Recall": of_class("recall"),
    "F1": of_class("f1"),
    "Prevalence": of_class("prevalence"),
    "Detection Prevalence": of_class("detection_prevalence"),
    # caret's detection rate is a share of all cases: tp / n
    "Detection Rate": lambda t, label: of_class("recall")(t, label) * of_class("prevalence")(t, label),
    "Balanced Accuracy": lambda t, label: (of_class("informedness")(t, label) + 1) / 2,
}
OVERALL = {"Accuracy": "accuracy", "Kappa": "kappa", "AccuracyNull": "no_information_rate"}


@pytest.mark.parametrize("quantity", OF_CLASSES)
def test_caret_rates(quantity):
    rows = [row for row in rows_of("caret") if row["quantity"] == quantity]
    assert len(rows) == 3 + 1 + 4 + 3  # of two classes caret shows the first only
    for row in rows:
        np.testing.assert_allclose(OF_CLASSES[quantity](TABLES[row["table"]], row["of"]), row["value"], rtol=RTOL)


@pytest.mark.parametrize("quantity", OVERALL)
def test_caret_overall(quantity):
    rows = [row for row in rows_of("caret") if row["quantity"] == quantity]
    assert len(rows) == len(TABLES)
    for row in rows:
        np.testing.assert_allclose(estimate(TABLES[row["table"]], OVERALL[quantity]).value, row["value"], rtol=RTOL)


@pytest.mark.parametrize(("quantity", "end"), [("AccuracyLower", "low"), ("AccuracyUpper", "high")])
def test_caret_interval_of_accuracy(quantity, end):
    """caret gives the Clopper-Pearson interval; ask for it by name."""
    for row in rows_of("caret"):
        if row["quantity"] == quantity:
            interval = estimate(TABLES[row["table"]], "accuracy").interval(method="clopper_pearson")
            np.testing.assert_allclose(getattr(interval, end), row["value"], rtol=1e-10)  # a quantile of the beta


@pytest.mark.parametrize("quantity", ["macro_precision", "macro_recall", "macro_f1", "mcc"])
def test_delta_method_by_numerical_derivatives(quantity):
    name, average = (quantity, None) if quantity == "mcc" else (quantity.removeprefix("macro_"), "macro")
    assert name in registry
    for row in rows_of("base"):
        found = estimate(TABLES[row["table"]], name, average=average)
        if row["quantity"] == quantity:
            np.testing.assert_allclose(found.value, row["value"], rtol=RTOL)
        if row["quantity"] == f"{quantity}_se":
            np.testing.assert_allclose(standard_error(found), row["value"], rtol=1e-7)


@pytest.mark.parametrize(
    ("source", "method", "rtol"),
    [("prop.test", wilson, 1e-12), ("binom.test", clopper_pearson, 1e-10)],  # the beta quantile is searched for
)
def test_proportions(source, method, rtol):
    for row in rows_of(source):
        successes, n = map(int, row["table"].split("/"))
        interval = method(successes, n, float(row["of"]))
        end = row["quantity"].rsplit("_", 1)[1]
        np.testing.assert_allclose(getattr(interval, end), row["value"], rtol=rtol, atol=1e-15, err_msg=str(row))
