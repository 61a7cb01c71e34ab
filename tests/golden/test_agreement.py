"""Agreement of raters against books, papers and seven programs that nobody here wrote.

The data sets, with their origins and what is printed of them, are in agreement_ratings.json; what programs give is in
agreement_values.csv (made by agreement_values.py) and agreement_r_values.csv (made by agreement_values.R).
"""

from __future__ import annotations

import csv
import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import howsure

HERE = Path(__file__).parent
SETS = {one["name"]: one for one in json.loads((HERE / "agreement_ratings.json").read_text())["sets"]}
PRINTED = [
    (name, one)
    for name, data in SETS.items()
    for one in data["printed"]
    # Chance by itself, the largest kappa that margins allow and Conger's kappa are none of ours. Where items have one
    # rating, Gwet's errors are others.
    if one["coefficient"] not in ("expected_agreement", "observed_agreement", "cohen_kappa_maximum", "conger_kappa")
    and not (one["statistic"] == "standard_error" and name == "gwet_4raters")
]
ROUNDED = ("irrCAC raw", 5e-6)  # of R, which gives five digits
# What the peers' names are here. Conger's kappa is none of ours; of two raters without gaps it is Cohen's.
OURS = {
    "percent_agreement", "cohen_kappa", "scott_pi", "fleiss_kappa", "brennan_prediger", "krippendorff_alpha",
    "gwet_ac1", "gwet_ac2", "light_kappa",
}  # fmt: skip


def values():
    for file in ("agreement_values.csv", "agreement_r_values.csv"):
        with (HERE / file).open(newline="") as lines:
            next(lines)
            for row in csv.DictReader(lines):
                if row["coefficient"] in OURS:
                    yield file, row


VALUES = list(values())


@cache
def agreement(name, scheme):
    """Ask for what a scheme means: Krippendorff's level, or weights of the categories."""
    data, (kind, _, which) = SETS[name], scheme.partition("=")
    labels = data["labels"]
    numeric = all(isinstance(label, int) for label in labels)
    places = dict(zip(labels, labels if numeric else range(1, len(labels) + 1), strict=True))
    if data["form"] == "matrix":
        rows = [[places.get(rating) for rating in row] for row in data["ratings"]]
        arguments = {"ratings": {f"r{column}": list(ratings) for column, ratings in enumerate(zip(*rows, strict=True))}}
    elif data["form"] == "table":
        table = np.array(data["ratings"])
        rows, columns = np.nonzero(table)
        many = table[rows, columns]
        names = np.array(list(places.values()))
        arguments = {"ratings": {"one": np.repeat(names[rows], many), "other": np.repeat(names[columns], many)}}
    else:
        arguments = {"counts": data["ratings"]}
    if kind == "level":
        options = {"level": which}
    else:
        if kind == "disagreement":
            which = json.loads(which)
        level = "interval" if which not in ("identity", "ordinal") else "nominal"
        options = {"level": level, "weights": None if which == "identity" else which}
    return howsure.agreement(**arguments, labels=list(places.values()), **options)


def test_there_are_many_values_of_each_tool():
    tools = {row["tool"] for _, row in VALUES}
    programs = {"krippendorff", "statsmodels", "scikit-learn", "psych", "vcd", "irr"}
    assert tools == {*programs, "irrCAC raw", "irrCAC table", "irrCAC dist"}
    assert len(VALUES) > 2_500
    assert len(PRINTED) > 60


@pytest.mark.parametrize("name", SETS)
def test_values_are_those_of_other_programs(name):
    checked = 0
    for file, row in VALUES:
        if row["dataset"] != name or row["statistic"] != "value":
            continue
        ours = agreement(name, row["scheme"])[row["coefficient"]].value
        rounded = row["tool"] == ROUNDED[0] and file == "agreement_r_values.csv"
        tolerance = {"abs": ROUNDED[1]} if rounded else {"rel": 1e-11, "abs": 1e-12}
        assert ours == pytest.approx(float(row["value"]), **tolerance), row
        checked += 1
    assert checked


def has_single_ratings(name):
    data = SETS[name]
    if data["form"] != "matrix":
        return False
    return any(sum(rating is not None for rating in row) == 1 for row in data["ratings"])


@pytest.mark.parametrize("name", SETS)
def test_standard_errors_are_those_of_other_programs(name):
    """Gwet's errors divide by n - 1, those of tables by n.

    Where items have one rating only, Gwet takes the share of such items for random, and his errors are larger
    (docs/coming-from/disagreements.md). The error of alpha here is that of alpha; Gwet's leaves out the factor for few
    ratings.
    """
    for file, row in VALUES:
        coefficient, tool = row["coefficient"], row["tool"]
        if row["dataset"] != name or row["statistic"] != "standard_error" or has_single_ratings(name):
            continue
        has_gaps = any(None in ratings for ratings in SETS[name]["ratings"])
        slips = tool == "irrCAC dist" or (file == "agreement_values.csv" and has_gaps)
        if coefficient == "krippendorff_alpha" and slips:  # which the scripts tell
            continue
        estimate = agreement(name, row["scheme"])[coefficient]
        ours, n = estimate.standard_error, estimate.n
        if coefficient == "cohen_kappa" and tool == "irrCAC raw":
            ours *= math.sqrt(n / (n - 1))
        if coefficient != "cohen_kappa" and tool == "irrCAC table":
            ours *= math.sqrt((n - 1) / n)
        if coefficient == "krippendorff_alpha":
            ratings = sum(int(m * s) for m, s in zip(*sizes(name, row["scheme"]), strict=True))
            ours *= ratings / (ratings - 1)
        rounded = tool == ROUNDED[0] and file == "agreement_r_values.csv"
        tolerance = {"abs": ROUNDED[1]} if rounded else {"rel": 1e-9, "abs": 1e-12}
        assert ours == pytest.approx(float(row["value"]), **tolerance), row


def sizes(name, scheme):
    items = agreement(name, scheme).items
    return items.multiplicity[items.paired], items.size[items.paired]


@pytest.mark.parametrize(
    ("name", "printed"), PRINTED, ids=[f"{name}-{one['coefficient']}-{one['statistic']}" for name, one in PRINTED]
)
def test_printed_numbers_come_out_to_all_digits(name, printed):
    estimate = agreement(name, printed["scheme"])[printed["coefficient"]]
    ours, n = getattr(estimate, printed["statistic"]), estimate.n
    if printed["statistic"] == "standard_error" and SETS[name]["form"] == "table" and estimate.name != "cohen_kappa":
        ours *= math.sqrt((n - 1) / n)
    if printed["statistic"] == "standard_error" and estimate.name == "krippendorff_alpha":
        ratings = sum(int(m * s) for m, s in zip(*sizes(name, printed["scheme"]), strict=True))
        ours *= ratings / (ratings - 1)
    half = 0.5 * 10.0 ** -len(printed["printed"].partition(".")[2])
    assert ours == pytest.approx(float(printed["printed"]), abs=half * (1 + 1e-9))


def test_each_category_of_fleiss_has_its_kappa():
    """R's irr, three digits; the paper's own differ by rounding shares before use."""
    g = agreement("fleiss_1971", "level=nominal")
    printed = [0.245, 0.245, 0.520, 0.471, 0.566]
    assert [part.estimates[1].value for part in g.per_category().parts] == pytest.approx(printed, abs=5e-4)
